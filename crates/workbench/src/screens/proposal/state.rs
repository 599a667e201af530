//! The state of the proposal: the proposed project, the decisions, and the cursor.

use std::path::PathBuf;
use std::sync::Arc;

use palmtop_core::progress::Progress;
use palmtop_proposal::{
    Ambiguity, Decision, Decisions, Meeting, Named, Proposal, ProposedAttribute, Sources, SurveyStage,
    UNREADABLE,
};

use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

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
    Survey(Answer<Surveyed>),
    Offer(Answer<Offered>),
    Write(Answer<Put>),
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

/// Choices that were found.
pub(crate) struct Offered {
    pub(crate) title: String,
    pub(crate) offers: Vec<(String, Offer)>,
    pub(crate) taken: Option<usize>,
}

/// The written project and the number of hierarchies next to it, or the reason why it was not
/// written.
pub(crate) type Put = Result<(PathBuf, usize), String>;

/// A choice.
#[derive(Clone, Debug)]
pub(crate) enum Offer {
    /// Make a decision.
    Decide(Decision),
    /// T is a separate table; ask for its path.
    Private,
    /// T is part of the table.
    Within,
    /// The table is T; ask for the path of P.
    Public,
    /// Look at the open questions.
    Look,
    /// Write the project, even with open questions.
    Write,
}

/// A proposal, with the figures of the tables' people.
pub(crate) struct Shown {
    pub(crate) proposal: Proposal,
    pub(crate) meeting: Meeting,
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
    /// The attributes that the last decision changed.
    pub(super) changed: Vec<String>,
    pub(super) cursor: usize,
    /// The index of the selected question or note.
    pub(super) question: usize,
    pub(super) offers: Vec<Offer>,
    /// Whether values of T are shown.
    pub(super) shows_values: bool,
    /// The path of the project; none before it was typed.
    pub(super) target: Option<PathBuf>,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TableRow<'a> {
    Attribute(&'a ProposedAttribute),
    /// A column of P that is no attribute: its name, and its purpose or the reason why it is not
    /// used.
    Other(&'a str, &'a str),
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
            changed: Vec::new(),
            cursor: 0,
            question: 0,
            offers: Vec::new(),
            shows_values: false,
            target: None,
        }
    }

    /// The rows of the table.
    pub(crate) fn rows(&self) -> Vec<TableRow<'_>> {
        let Some(Shown { proposal, .. }) = &self.shown else { return Vec::new() };
        let attributes = proposal.attributes.iter().map(TableRow::Attribute);
        let count = proposal.count.iter().map(|name| (name, "it counts the people of a row"));
        let member = proposal.member.iter().map(|name| (name, "it marks members of T"));
        let ignored = proposal.ignored.iter().map(|(name, why)| (name, why.as_str()));
        let unreadable = proposal.unreadable.iter().map(|name| (name, UNREADABLE));
        let others = count.chain(member).chain(ignored).chain(unreadable);
        attributes.chain(others.map(|(name, sentence)| TableRow::Other(name, sentence))).collect()
    }

    /// The attribute under the cursor.
    pub(super) fn attribute(&self) -> Option<&ProposedAttribute> {
        self.shown.as_ref()?.proposal.attributes.get(self.cursor)
    }

    /// The open questions and notes.
    pub(super) fn open(&self) -> &[Ambiguity] {
        self.shown.as_ref().map_or(&[], |shown| &shown.proposal.ambiguities)
    }

    /// The numbers of open questions and of notes, which no answer settles.
    pub(super) fn open_counts(&self) -> (usize, usize) {
        let questions = self.open().iter().filter(|open| open.is_question()).count();
        (questions, self.open().len() - questions)
    }

    /// The selected question or note.
    pub(super) fn question(&self) -> Option<&Ambiguity> {
        self.open().get(self.question)
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
