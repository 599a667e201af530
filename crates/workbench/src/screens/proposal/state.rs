//! What is proposed, what was decided, and where the cursor stands.

use std::path::PathBuf;
use std::sync::Arc;

use palmtop_core::progress::Progress;
use palmtop_flow::proposal::{
    Ambiguity, Decision, Decisions, Meeting, Named, Proposal, ProposedAttribute, Sources, SurveyStage,
};

use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// What to begin with.
#[derive(Clone, Debug)]
pub struct Begin {
    /// The tables.
    pub named: Named,
    /// Where the project is to go, where that was said.
    pub target: Option<PathBuf>,
    /// Whether nobody said yet members of T.
    pub is_offered: bool,
}

/// What its jobs have to say.
pub(crate) enum Message {
    Survey(Answer<Surveyed>),
    Offer(Answer<Offered>),
    Write(Answer<Put>),
}

/// What the survey of the tables, and each new proposal, has to say.
pub(crate) enum Surveyed {
    Progress(Progress<SurveyStage>),
    /// Both tables are surveyed.
    Read(Arc<Sources>),
    /// This is proposed.
    Proposed(Box<Shown>),
    /// Nothing is, and why; with no text it was stopped.
    None(String),
}

/// What is offered to choose from, once it is found.
pub(crate) struct Offered {
    pub(crate) title: String,
    pub(crate) offers: Vec<(String, Offer)>,
    pub(crate) taken: Option<usize>,
}

/// The project that was written, and how many hierarchies beside it; or why it was not.
pub(crate) type Put = Result<(PathBuf, usize), String>;

/// Something that can be chosen.
#[derive(Clone, Debug)]
pub(crate) enum Offer {
    /// It is decided.
    Decide(Decision),
    /// T is a table of its own, whose path is asked for.
    Private,
    /// T is part of the table.
    Within,
    /// The table is T, and the path of P is asked for.
    Public,
    /// What is open is looked at.
    Look,
    /// The project is written, whatever is open.
    Write,
}

/// A proposal, and what the tables told of their people.
pub(crate) struct Shown {
    pub(crate) proposal: Proposal,
    pub(crate) meeting: Meeting,
    /// What it was proposed under.
    pub(super) decisions: Decisions,
}

/// The screen of a proposal: the one that is there before a project is.
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
    /// Why nothing is proposed.
    pub(super) why_none: Option<String>,
    pub(super) decisions: Decisions,
    /// What was decided and taken back, the last at the end.
    pub(super) undone: Vec<Decision>,
    /// The attributes that the last decision changed.
    pub(super) changed: Vec<String>,
    pub(super) cursor: usize,
    /// Which of the things that are open is looked at.
    pub(super) question: usize,
    pub(super) offers: Vec<Offer>,
    /// Whether values of T are shown.
    pub(super) shows_values: bool,
    /// Where the project is to be written, once that was typed.
    pub(super) target: Option<PathBuf>,
}

/// A row of its table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TableRow<'a> {
    Attribute(&'a ProposedAttribute),
    /// A column of P that is none: its name, and what it is or why it is not used.
    Other(&'a str, &'a str),
}

impl ProposalScreen {
    /// As it is before anything is read.
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

    /// The rows of its table.
    pub(crate) fn rows(&self) -> Vec<TableRow<'_>> {
        let Some(Shown { proposal, .. }) = &self.shown else { return Vec::new() };
        let attributes = proposal.attributes.iter().map(TableRow::Attribute);
        let count = proposal.count.iter().map(|name| (name, "it counts the people of a row"));
        let member = proposal.member.iter().map(|name| (name, "it marks members of T"));
        let ignored = proposal.ignored.iter().map(|(name, why)| (name, why.as_str()));
        let others = count.chain(member).chain(ignored);
        attributes.chain(others.map(|(name, said)| TableRow::Other(name, said))).collect()
    }

    /// The attribute under the cursor.
    pub(super) fn attribute(&self) -> Option<&ProposedAttribute> {
        self.shown.as_ref()?.proposal.attributes.get(self.cursor)
    }

    /// What is open.
    pub(super) fn open(&self) -> &[Ambiguity] {
        self.shown.as_ref().map_or(&[], |shown| &shown.proposal.ambiguities)
    }

    /// How many questions are open, and how many notes there are, which nobody can answer here.
    pub(super) fn open_counts(&self) -> (usize, usize) {
        let questions = self.open().iter().filter(|open| open.is_question()).count();
        (questions, self.open().len() - questions)
    }

    /// What of it is looked at.
    pub(super) fn question(&self) -> Option<&Ambiguity> {
        self.open().get(self.question)
    }

    /// The first key of a command.
    pub(crate) fn key(&self, id: &str) -> String {
        self.keymap.hint(id)
    }

    /// Whether members of T is still to be said.
    pub(super) fn is_offered(&self) -> bool {
        self.begin.is_offered
    }
}
