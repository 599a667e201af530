//! The commands of the proposal.

use std::path::{Path, PathBuf};

use palmtop_core::escape::escape;
use palmtop_core::model::{Presence, Role};
use palmtop_proposal::{Aspect, Decision, absolute};
use palmtop_tables::read::TableSpec;

use super::answers::Answer;
use super::commands::Command;
use super::state::{Offered, ProposalScreen, Then};
use crate::kit::words::chain;
use crate::shared::intent::{Choosing, Confirm, Intent, Manner, Question};

/// The line of the path of T.
const PRIVATE: &str = "proposal.private";
/// The line of the path of P.
const PUBLIC: &str = "proposal.public";
/// The line of the path of the project.
pub(super) const TARGET: &str = "proposal.target";
/// The line of δmax.
const DELTA_MAX: &str = "proposal.delta-max";

impl ProposalScreen {
    /// Carries out a command.
    pub(super) fn act_on(&mut self, command: Command) -> Result<Intent, String> {
        match command {
            Command::Settle => return self.take_or_wait(None),
            Command::Next => self.turn(true),
            Command::Previous => self.turn(false),
            Command::Left => self.mark_next(false),
            Command::Right => self.mark_next(true),
            Command::Examples => self.shows_values = !self.shows_values,
            Command::Sheet => self.is_other_sheet = !self.is_other_sheet,
            Command::Write => return self.ask_for_target(),
            Command::Decide(aspect) => return self.decide_side(aspect),
        }
        Ok(Intent::None)
    }

    /// Goes to the next or the previous row with an open question.
    fn turn(&mut self, is_forward: bool) {
        let others = self.open().into_iter().filter(|row| *row != self.cursor);
        let (before, after): (Vec<usize>, Vec<usize>) = others.partition(|row| *row < self.cursor);
        let found =
            if is_forward { after.first().or(before.first()) } else { before.last().or(after.last()) };
        self.go_to(found.copied().unwrap_or(self.cursor));
    }

    /// Puts the cursor on a row. Values of T are hidden again.
    pub(super) fn go_to(&mut self, row: usize) {
        if row != self.cursor {
            self.shows_values = false;
        }
        (self.cursor, self.mark) = (row, None);
    }

    /// Where the cursor stands after a proposal.
    pub(super) fn go_on(&mut self) {
        let rows = self.rows().len();
        self.cursor = self.cursor.min(rows.saturating_sub(1));
        let row = match std::mem::replace(&mut self.then, Then::Stay) {
            Then::Stay => None,
            Then::GoOn => {
                let open = self.open();
                open.iter().find(|row| **row >= self.cursor).or(open.first()).copied()
            }
            Then::To(name) => {
                let attributes = self.shown.iter().flat_map(|shown| &shown.proposal.attributes);
                attributes.into_iter().position(|attribute| attribute.name == name)
            }
        };
        self.go_to(row.unwrap_or(self.cursor));
    }

    fn mark_next(&mut self, is_forward: bool) {
        let answers = self.answers();
        let (marked, last) = (self.marked(&answers), answers.list.len().saturating_sub(1));
        self.mark = Some(if is_forward { (marked + 1).min(last) } else { marked.saturating_sub(1) });
    }

    /// [`take`](Self::take), once the question is there.
    pub(super) fn take_or_wait(&mut self, index: Option<usize>) -> Result<Intent, String> {
        if self.surveys.is_open() && self.shown.is_some() {
            self.waiting.push_back(index);
            return Ok(Intent::None);
        }
        self.take(index)
    }

    /// Gives the answers that waited, until one needs a proposal or asks for something.
    pub(super) fn take_waiting(&mut self) -> Option<Intent> {
        while let Some(answer) = self.waiting.pop_front() {
            match self.take(answer) {
                Ok(Intent::None) if self.surveys.is_open() => return Some(Intent::None),
                Ok(Intent::None) => {}
                asks => {
                    self.waiting.clear();
                    return Some(asks.unwrap_or_else(Intent::Say));
                }
            }
        }
        None
    }

    /// Gives the marked answer, or the one with this index. The proposed answer, if it is marked, is accepted and not decided.
    pub(super) fn take(&mut self, index: Option<usize>) -> Result<Intent, String> {
        let answers = self.answers();
        let wanted = index.unwrap_or_else(|| self.marked(&answers));
        let is_accepted = index.is_none() && wanted == answers.default;
        let answer =
            answers.list.into_iter().nth(wanted).map(|(_, answer)| answer).ok_or_else(|| {
                match (&self.shown, index) {
                    (None, _) if self.why_none.is_none() => "the proposal is not ready yet".to_owned(),
                    (None, _) => "correct the table, and open it again".to_owned(),
                    (Some(_), Some(_)) => "there is no such answer".to_owned(),
                    (Some(_), None) => "nothing is asked here".to_owned(),
                }
            })?;
        match answer {
            Answer::Decide(decision) => {
                let decision = if is_accepted { decision.accepted() } else { decision };
                self.then = Then::GoOn;
                self.decide(decision);
            }
            Answer::Keep => self.turn(true),
            Answer::Delta => return self.ask_for_delta(),
            Answer::Private => {
                return Ok(ask(PRIVATE, Manner::Path, "T", "the path of T; Tab completes it", String::new()));
            }
            Answer::Public => {
                return Ok(ask(PUBLIC, Manner::Path, "P", "the path of P; Tab completes it", String::new()));
            }
            Answer::Within => {
                self.begin.is_offered = false;
                self.survey();
            }
        }
        Ok(Intent::None)
    }

    /// Finds the choices for one part of the attribute under the cursor.
    fn decide_side(&mut self, aspect: Aspect) -> Result<Intent, String> {
        let attribute = self.attribute().ok_or("this row is no column of T")?.clone();
        let is_quasi = attribute.role == Role::Quasi;
        if !is_quasi && matches!(aspect, Aspect::Kind | Aspect::Form | Aspect::Hierarchy | Aspect::Limit) {
            return Err(format!(
                "{} is not a quasi-identifier, so its values stay as they are",
                attribute.name
            ));
        }
        let side = match aspect {
            Aspect::Role => "role",
            Aspect::Kind => "its values",
            Aspect::Form => "how its values are written",
            Aspect::Hierarchy => "hierarchy",
            Aspect::Limit => "its published sets or ranges",
            Aspect::Pair => "its column in P",
        };
        let title = format!("{}: {side}", attribute.name);
        self.offer(title, attribute, aspect);
        Ok(Intent::None)
    }

    /// Opens a window of choices for a part that no question is about.
    pub(super) fn choose(&mut self, offered: Offered) -> Intent {
        let Offered { title, choices, taken } = offered;
        if choices.is_empty() {
            return Intent::Say(format!("{title}: there are no choices"));
        }
        let (labels, decisions) = choices.into_iter().map(|choice| (choice.label, choice.decision)).unzip();
        self.offered = decisions;
        Intent::Choose(Choosing { title, sentence: String::new(), labels, taken })
    }

    /// Takes a choice of the window.
    pub(super) fn take_choice(&mut self, index: usize) {
        if let Some(decision) = self.offered.get(index).cloned() {
            self.decide(decision);
        }
    }

    /// Decides, and proposes again. Decisions that were taken back are dropped.
    pub(super) fn decide(&mut self, decision: Decision) {
        self.decisions.0.push(decision);
        self.undone.clear();
        self.propose();
    }

    /// Takes back the last decision.
    pub(super) fn undo(&mut self) -> Result<Intent, String> {
        let decision = self.decisions.0.pop().ok_or("no decision yet")?;
        self.then = decision.attribute().map_or(Then::Stay, |name| Then::To(name.to_owned()));
        self.undone.push(decision);
        self.propose();
        Ok(Intent::None)
    }

    /// Makes the decision again that was taken back.
    pub(super) fn redo(&mut self) -> Result<Intent, String> {
        let decision = self.undone.pop().ok_or("no decision was taken back")?;
        self.then = decision.attribute().map_or(Then::Stay, |name| Then::To(name.to_owned()));
        self.decisions.0.push(decision);
        self.propose();
        Ok(Intent::None)
    }

    /// Asks for δmax.
    pub(super) fn ask_for_delta(&self) -> Result<Intent, String> {
        let shown = self.shown.as_ref().ok_or("the proposal is not ready yet")?;
        let hint = "how certain an attacker may become that a person is in T: 0.08, 2/25, 8%";
        Ok(ask(
            DELTA_MAX,
            Manner::Whole,
            "δmax",
            hint,
            palmtop_release::caution::typed(shown.proposal.delta.1),
        ))
    }

    /// Asks for the path of the project.
    fn ask_for_target(&mut self) -> Result<Intent, String> {
        if self.shown.is_none() || self.surveys.is_open() {
            return Err("the proposal is not ready yet".to_owned());
        }
        let target = self.target.clone().or_else(|| self.begin.target.clone());
        let target = target.unwrap_or_else(|| self.usual_target());
        let hint = "the path of the project file; Enter writes it, Tab completes it";
        Ok(ask(TARGET, Manner::Path, "write", hint, target.to_string_lossy().into_owned()))
    }

    /// `project.toml` next to T, with a number if the name is taken; relative to the current folder
    /// if it is below it.
    fn usual_target(&self) -> PathBuf {
        let table = self.begin.named.private.as_ref().unwrap_or(&self.begin.named.public);
        let folder =
            table.paths.first().and_then(|path| path.parent()).map(Path::to_owned).unwrap_or_default();
        let names = std::iter::once("project.toml".to_owned());
        let mut names = names.chain((2_u32..).map(|number| format!("project-{number}.toml")));
        let free = names.find(|name| folder.join(name).symlink_metadata().is_err());
        folder.join(free.unwrap_or_default())
    }

    /// Takes a typed line.
    pub(super) fn typed(&mut self, id: &str, text: &str) -> Result<Intent, String> {
        let text = text.trim();
        match id {
            PRIVATE | PUBLIC => {
                let path = PathBuf::from(text);
                if !path.is_file() {
                    return Err(format!("there is no file {text}"));
                }
                let named = &mut self.begin.named;
                if id == PRIVATE {
                    named.private = Some(TableSpec::of(path));
                } else {
                    named.private = Some(std::mem::replace(&mut named.public, TableSpec::of(path)));
                }
                self.begin.is_offered = false;
                self.survey();
            }
            DELTA_MAX => {
                let max = text.parse::<Presence>().map_err(|error| error.to_string())?;
                self.then = Then::GoOn;
                self.decide(Decision::DeltaMax(max));
            }
            TARGET => return self.put(text),
            _ => {}
        }
        Ok(Intent::None)
    }

    /// Writes the project, unless its file exists.
    fn put(&mut self, typed: &str) -> Result<Intent, String> {
        if typed.is_empty() {
            return Err("type a path".to_owned());
        }
        let target = absolute(Path::new(typed)).map_err(|error| chain(&error))?;
        if target.extension().is_none_or(|ending| ending != "toml") {
            return Err("a project file's name ends in .toml".to_owned());
        }
        let gate = self.begin.named.gate();
        let files = self.files(&target);
        for file in &files {
            gate.check(file, true).map_err(|error| chain(&error))?;
        }
        self.target = Some(target.clone());
        if files.iter().any(|file| file.symlink_metadata().is_ok()) {
            let sentence = "The project, or a hierarchy beside it, is there already.".to_owned();
            let question = Confirm {
                command: None,
                ..Confirm::command("", sentence, "Replace what is there?", "replaces it", Intent::Confirmed)
            };
            return Ok(Intent::Confirm(Box::new(question)));
        }
        self.write(target, false);
        Ok(Intent::None)
    }

    /// Writes the project over the existing file.
    pub(super) fn replace(&mut self) {
        if let Some(target) = self.target.clone() {
            self.write(target, true);
        }
    }

    /// The files of a project at this path: the project file, then its hierarchies.
    pub(super) fn files(&self, target: &Path) -> Vec<PathBuf> {
        let Some(shown) = &self.shown else { return Vec::new() };
        let written = shown.proposal.to_toml(target);
        let folder = target.parent().unwrap_or(Path::new(""));
        let hierarchies = written.hierarchies.iter().map(|(path, _)| folder.join(path));
        std::iter::once(target.to_owned()).chain(hierarchies).collect()
    }
}

fn ask(id: &'static str, manner: Manner, word: &'static str, hint: &'static str, text: String) -> Intent {
    Intent::Ask(Question { id, manner, word, hint, text })
}

/// A value of T in quotes, safe on a terminal.
pub(super) fn quoted(value: &str) -> String {
    format!("\"{}\"", escape(value))
}

/// A table's name without its folder.
pub(super) fn shown_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
