//! The commands of the proposal.

use std::path::{Path, PathBuf};

use palmtop_core::escape::escape;
use palmtop_core::model::{Presence, Role};
use palmtop_proposal::{Aspect, Choice, Decision, NotInPublic, Proposal, absolute};
use palmtop_tables::read::TableSpec;

use super::commands::Command;
use super::state::{Offer, ProposalScreen};
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
            Command::Next => Ok(self.turn(1)),
            Command::Previous => Ok(self.turn(self.open().len().saturating_sub(1))),
            Command::Settle => self.settle(),
            Command::Decide(aspect) => self.decide_side(aspect),
            Command::Count => {
                let taken = |proposal: &Proposal, decision: &Decision| matches!(decision, Decision::Count(column) if *column == proposal.count);
                self.offer(
                    "the people that a row of P counts".to_owned(),
                    |sources, proposal| labelled(sources.count_choices(proposal)),
                    taken,
                );
                Ok(Intent::None)
            }
            Command::Member => {
                let taken = |proposal: &Proposal, decision: &Decision| matches!(decision, Decision::Member(column) if Some(column) == proposal.member.as_ref());
                let title = "members of T".to_owned();
                self.offer(title, |sources, _| labelled(sources.member_choices()), taken);
                Ok(Intent::None)
            }
            Command::Missing => Ok(self.choose_missing()),
            Command::Examples => {
                self.shows_values = !self.shows_values;
                Ok(Intent::None)
            }
            Command::Write => self.ask_to_write(),
        }
    }

    /// Selects another question, and the attribute that it is about.
    pub(super) fn turn(&mut self, by: usize) -> Intent {
        self.question = (self.question + by) % self.open().len().max(1);
        let about = self.question().and_then(|open| open.attribute.clone());
        let attributes = self.shown.iter().flat_map(|shown| &shown.proposal.attributes);
        let index =
            about.and_then(|name| attributes.into_iter().position(|attribute| attribute.name == name));
        self.cursor = index.unwrap_or(self.cursor);
        Intent::None
    }

    /// Offers the choices of the selected question; before the first proposal, asks for what it
    /// needs.
    fn settle(&mut self) -> Result<Intent, String> {
        if self.is_offered() {
            return Ok(self.ask_who());
        }
        if self.why_none.is_some() {
            let title = "members of T".to_owned();
            let Some(sources) = self.sources.clone() else {
                return Err("correct the table, and open it again".to_owned());
            };
            return Ok(self.choose((title, String::new()), decided(sources.member_choices()), None));
        }
        let open = self.question().ok_or("no question or note is open")?;
        if open.is_about_delta() {
            return self.ask_for_delta();
        }
        if !open.is_asked() {
            return Err(open.remedy.clone());
        }
        let title = open.attribute.clone().unwrap_or_else(|| "open".to_owned());
        let (sentence, mut choices) = (open.what.clone(), open.choices.clone());
        for choice in &mut choices {
            if let (Decision::Missing { texts, .. }, true) = (&choice.decision, self.shows_values) {
                let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                choice.label = format!("{}: {}", texts.join(", "), choice.label);
            }
        }
        // Nobody decided to publish the column, so no answer is taken yet.
        let is_undecided = self.shown.as_ref().is_some_and(|shown| {
            let mut attributes = shown.proposal.attributes.iter();
            attributes.any(|attribute| attribute.name == title && attribute.undecided)
        });
        let taken = (!is_undecided).then_some(0);
        Ok(self.choose((title, sentence), decided(choices), taken))
    }

    /// Asks for the members of T, if only one table was named.
    pub(super) fn ask_who(&mut self) -> Intent {
        let name = shown_name(&self.begin.named.public.name());
        let offers = vec![
            (format!("{name} is P; I type the path of T"), Offer::Private),
            (format!("{name} is P and contains T: a column marks the members"), Offer::Within),
            (format!("{name} is T; I type the path of P"), Offer::Public),
        ];
        let sentence = format!(
            "{name} is a table, not a project. A project needs P, the table that an attacker may know, and T, the people \
             in P to protect."
        );
        self.choose(("a new project".to_owned(), sentence), offers, None)
    }

    /// Finds the choices for one part of the attribute under the cursor.
    fn decide_side(&mut self, aspect: Aspect) -> Result<Intent, String> {
        let attribute = self.attribute().ok_or("it is not an attribute: T has no such column")?.clone();
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
        let (title, name) = (format!("{}: {side}", attribute.name), attribute.name.clone());
        let decisions = self.decisions.clone();
        self.offer(
            title,
            move |sources, proposal| labelled(sources.choices(proposal, &decisions, (&attribute, aspect))),
            move |proposal, decision| holds(proposal, &name, decision),
        );
        Ok(Intent::None)
    }

    fn choose_missing(&mut self) -> Intent {
        let Some(shown) = &self.shown else { return Intent::None };
        let now = shown.proposal.not_in_public;
        let ways = [
            (NotInPublic::Refuse, "refuse until the tables are corrected"),
            (NotInPublic::Drop, "leave them out; every result has their number"),
        ];
        let taken = ways.iter().position(|(way, _)| *way == now);
        let offers = ways.map(|(way, label)| (label.to_owned(), Offer::Decide(Decision::NotInPublic(way))));
        self.choose(("members that P lacks".to_owned(), String::new()), offers.to_vec(), taken)
    }

    /// Opens a window of choices.
    pub(super) fn choose(
        &mut self,
        (title, sentence): (String, String),
        offers: Vec<(String, Offer)>,
        taken: Option<usize>,
    ) -> Intent {
        if offers.is_empty() {
            return Intent::Say(format!("{title}: there are no choices"));
        }
        let (labels, offers) = offers.into_iter().unzip();
        self.offers = offers;
        Intent::Choose(Choosing { title, sentence, labels, taken })
    }

    /// Takes a choice.
    pub(super) fn take_choice(&mut self, index: usize) -> Intent {
        match self.offers.get(index).cloned() {
            None => Intent::None,
            Some(Offer::Decide(decision)) => {
                self.decide(decision);
                Intent::None
            }
            Some(Offer::Private) => {
                ask(PRIVATE, Manner::Path, "T", "the path of T; Tab completes it", String::new())
            }
            Some(Offer::Public) => {
                ask(PUBLIC, Manner::Path, "P", "the path of P; Tab completes it", String::new())
            }
            Some(Offer::Look) => self.turn(0),
            Some(Offer::Write) => self.ask_for_target().unwrap_or_else(Intent::Say),
            Some(Offer::Within) => {
                self.begin.is_offered = false;
                self.survey();
                Intent::None
            }
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
        self.undone.push(decision);
        self.propose();
        Ok(Intent::None)
    }

    /// Makes the decision again that was taken back.
    pub(super) fn redo(&mut self) -> Result<Intent, String> {
        let decision = self.undone.pop().ok_or("no decision was taken back")?;
        self.decisions.0.push(decision);
        self.propose();
        Ok(Intent::None)
    }

    /// Asks for δmax.
    pub(super) fn ask_for_delta(&self) -> Result<Intent, String> {
        let shown = self.shown.as_ref().ok_or("the proposal is not ready yet")?;
        let hint = "how certain an attacker may become that a person is in T: 0.08, 2/25, 8%";
        Ok(ask(DELTA_MAX, Manner::Whole, "δmax", hint, shown.proposal.delta.1.to_string()))
    }

    /// Asks for the path. If questions are open, asks first whether to write anyway.
    fn ask_to_write(&mut self) -> Result<Intent, String> {
        let (questions, _) = self.open_counts();
        if questions == 0 || self.surveys.is_open() {
            return self.ask_for_target();
        }
        let undecided = self.shown.iter().flat_map(|shown| &shown.proposal.attributes);
        let undecided: Vec<&str> = undecided
            .filter(|attribute| attribute.undecided)
            .map(|attribute| attribute.name.as_str())
            .collect();
        let things = match questions {
            1 => "1 question is open".to_owned(),
            count => format!("{count} questions are open"),
        };
        let marked = if undecided.is_empty() {
            String::new()
        } else {
            format!(
                " The role of {} is undecided: the project marks it, and refuses exports until somebody decides.",
                undecided.join(", ")
            )
        };
        let sentence = format!("{things}. Write the project anyway?{marked}");
        let offers = vec![
            ("answer the questions".to_owned(), Offer::Look),
            ("write the project anyway".to_owned(), Offer::Write),
        ];
        Ok(self.choose(("write".to_owned(), sentence), offers, None))
    }

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

fn labelled(choices: Vec<Choice>) -> Vec<(String, Decision)> {
    choices.into_iter().map(|choice| (choice.label, choice.decision)).collect()
}

fn decided(choices: Vec<Choice>) -> Vec<(String, Offer)> {
    choices.into_iter().map(|choice| (choice.label, Offer::Decide(choice.decision))).collect()
}

/// Whether a proposal already follows a decision.
fn holds(proposal: &Proposal, name: &str, decision: &Decision) -> bool {
    let Some(attribute) = proposal.attributes.iter().find(|attribute| attribute.name == name) else {
        return false;
    };
    let readings = [&attribute.readings.0, &attribute.readings.1];
    match decision {
        Decision::Role { role, .. } | Decision::DeclaredRole { role, .. } => attribute.role == *role,
        Decision::Kind { kind, .. } => attribute.kind == *kind,
        Decision::Date { form, .. } => readings.iter().any(|reading| reading.date.as_ref() == Some(form)),
        Decision::Number { form, .. } => readings.iter().any(|reading| reading.number == Some(*form)),
        Decision::Hierarchy { source, .. } => {
            attribute.hierarchy.as_ref().is_some_and(|hierarchy| hierarchy.source == *source)
        }
        Decision::Limit { limit, .. } => attribute.limit.as_ref().is_some_and(|own| own.limit == *limit),
        Decision::Pair { public, .. } => attribute.public_column == *public,
        Decision::Repeats { rows, .. } => attribute.rows.as_ref() == Some(rows),
        Decision::Missing { .. }
        | Decision::UnmatchedValues { .. }
        | Decision::Count(_)
        | Decision::Member(_)
        | Decision::Rows { .. }
        | Decision::NotInPublic(_)
        | Decision::DeltaMax(_)
        | Decision::DeclaredDelta(..) => false,
    }
}

/// A value of T in quotes, safe on a terminal.
pub(super) fn quoted(value: &str) -> String {
    format!("\"{}\"", escape(value))
}

/// A table's name without its folder.
pub(super) fn shown_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
