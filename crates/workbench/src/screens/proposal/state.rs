//! The state of the proposal: the proposed project, the decisions, and the cursor.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use palmtop_core::progress::Progress;
use palmtop_proposal::{Choice, Decision, Decisions, Meeting, Named, Proposal, Sources, SurveyStage};

use super::answers::Standing;
use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::slot::{Answer as Reply, Slot, Task};

/// The start of a proposal.
#[derive(Clone, Debug)]
pub struct Begin {
    /// The tables.
    pub named: Named,
    /// The path of the project, if it was given.
    pub target: Option<PathBuf>,
    /// Whether the members of T are still unknown.
    pub is_offered: bool,
}

/// A message of the screen's jobs.
pub(crate) enum Message {
    Survey(Reply<Surveyed>),
    Offer(Reply<Offered>),
    Write(Reply<Put>),
}

/// A message of the survey, or of a proposal.
pub(crate) enum Surveyed {
    Progress(Progress<SurveyStage>),
    /// Both tables are surveyed.
    Read(Arc<Sources>),
    /// A proposal.
    Proposed(Box<Shown>),
    /// The reason why no proposal exists; empty after a stop.
    None(String),
}

/// Choices that were found for one part of a column.
pub(crate) struct Offered {
    pub(crate) title: String,
    pub(crate) choices: Vec<Choice>,
    pub(crate) taken: Option<usize>,
}

/// The written project and the number of hierarchies next to it, or the reason why it was not
/// written.
pub(crate) type Put = Result<(PathBuf, usize), String>;

/// Where the cursor goes with the next proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It stays.
    Stay,
    /// To the next open question, which may be of the same row.
    GoOn,
    /// To a column.
    To(String),
}

/// A proposal, with the figures of the tables' people.
pub(crate) struct Shown {
    pub(crate) proposal: Proposal,
    pub(crate) meeting: Meeting,
    pub(super) standing: Standing,
    /// The decisions that it follows.
    pub(super) decisions: Decisions,
}

/// The screen of a proposal, the only screen before a project exists.
pub(crate) struct ProposalScreen {
    pub(crate) begin: Begin,
    pub(super) keymap: Arc<Keymap>,
    pub(super) link: Link<Message>,
    pub(super) surveys: Slot<Surveyed>,
    pub(super) offering: Slot<Offered>,
    pub(super) writing: Slot<Put>,
    pub(super) sources: Option<Arc<Sources>>,
    pub(super) progress: Option<Progress<SurveyStage>>,
    pub(crate) shown: Option<Shown>,
    /// Why no proposal exists.
    pub(super) why_none: Option<String>,
    pub(super) decisions: Decisions,
    /// The decisions that were taken back, the last one last.
    pub(super) undone: Vec<Decision>,
    pub(super) then: Then,
    pub(super) cursor: usize,
    /// The index of the marked answer; none while it is the proposed one.
    pub(super) mark: Option<usize>,
    /// The answers that were typed while a proposal was made: an index, or the marked one.
    pub(super) waiting: VecDeque<Option<usize>>,
    /// What an open window of choices decides.
    pub(super) offered: Vec<Decision>,
    /// Whether the table has its other columns: kind, hierarchy, limit.
    pub(super) is_other_sheet: bool,
    /// Whether values of T are shown.
    pub(super) shows_values: bool,
    /// The path of the project; none before it was typed.
    pub(super) target: Option<PathBuf>,
}

impl ProposalScreen {
    /// The state before the tables are read.
    pub(crate) fn new(begin: Begin, keymap: Arc<Keymap>, link: Link<Message>) -> Self {
        Self {
            begin,
            keymap,
            link,
            surveys: Slot::new(Task { kind: "propose", doing: "surveying the tables" }),
            offering: Slot::new(Task { kind: "offer", doing: "looking for choices" }),
            writing: Slot::new(Task { kind: "write", doing: "writing the project" }),
            sources: None,
            progress: None,
            shown: None,
            why_none: None,
            decisions: Decisions::default(),
            undone: Vec::new(),
            then: Then::GoOn,
            cursor: 0,
            mark: None,
            waiting: VecDeque::new(),
            offered: Vec::new(),
            is_other_sheet: false,
            shows_values: false,
            target: None,
        }
    }

    /// The first key of a command.
    pub(crate) fn key(&self, id: &str) -> String {
        self.keymap.hint(id)
    }

    /// Whether the members of T are still unknown.
    pub(super) fn is_offered(&self) -> bool {
        self.begin.is_offered
    }
}
