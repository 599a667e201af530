//! The proposal: the roles and values that palmtop proposes for two raw tables, with reasons,
//! before anything is written.
//! It is the only screen before a project exists, so it has no
//! [`Shared`](crate::shared::state::Shared) and is not in the list of screens.

pub(crate) mod commands;
mod rows;
mod answers;
pub(crate) mod state;
pub(crate) mod view;
mod changes;
mod files;
mod jobs;
mod pane;
mod update;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS};
use self::state::{Message, ProposalScreen, Surveyed, Then};
use crate::kit::command::Movement;
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, Everywhere, State, Wanted};
use crate::shared::intent::{Errand, Intent, Stage};
use crate::shared::screen::{About, rows_of};
use crate::shared::state::Shared;

/// What would be lost with it.
pub(crate) const FORGOTTEN: &str = "What was decided is forgotten; nothing more is written.";

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Each row is a column of T: its column in P, what is published of it, and how its values are read. Two more rows are the          people and δ. ? marks a row with an open question, ✓ a row that is done.",
    "The pane has the question of the row under the cursor and its answers; the marked one is proposed. Enter gives the marked          answer and goes on to the next question. A line with ! is a note: edit the tables or the project to settle it.",
    "Values of T are hidden until you ask for three of them. They are never written. Nothing is written before you choose a          path, and undo takes back one answer at a time.",
];

impl ProposalScreen {
    /// What is known of the screen.
    pub(crate) const ABOUT: About = About {
        name: ScreenName::PROPOSAL,
        purpose: "make a project of two tables",
        rows: || rows_of(ScreenName::PROPOSAL, ROWS),
        legend: LEGEND,
        shows_others: false,
    };

    /// Starts to read the tables, unless one is missing.
    pub(crate) fn start(&mut self) -> Intent {
        if !self.is_offered() {
            self.survey();
        }
        Intent::None
    }

    /// Moves the cursor; in a list of answers without a table, the mark.
    fn go(&mut self, movement: Movement) {
        if self.shown.is_none() {
            let answers = self.answers();
            let mut marked = self.marked(&answers);
            movement.shift(&mut marked, answers.list.len());
            self.mark = Some(marked);
            return;
        }
        let mut row = self.cursor;
        movement.shift(&mut row, self.rows().len());
        self.go_to(row);
    }

    /// Takes a click: on an answer, it is a click on the marked one that gives it.
    fn click(&mut self, target: Target) -> Result<Intent, String> {
        match target {
            Target::Row(row) => self.go_to(row),
            Target::Other(answer) if self.marked(&self.answers()) == answer => return self.take(None),
            Target::Other(answer) => self.mark = Some(answer),
            Target::Column(_) | Target::Command(_) => {}
        }
        Ok(Intent::None)
    }

    /// Takes a message of a job.
    fn take_report(&mut self, message: Message) -> Intent {
        match message {
            Message::Survey(answer) => match self.surveys.take(answer) {
                Some(Ok(survey)) => self.surveyed(survey),
                Some(Err(sentence)) => {
                    self.why_none = self.shown.is_none().then(|| sentence.clone());
                    Intent::Say(sentence)
                }
                None => Intent::None,
            },
            Message::Offer(answer) => match self.offering.take(answer) {
                Some(Ok(offered)) => self.choose(offered),
                Some(Err(sentence)) => Intent::Say(sentence),
                None => Intent::None,
            },
            Message::Write(answer) => match self.writing.take(answer) {
                Some(Ok(Ok((path, hierarchies)))) => Intent::Errand(Errand::Load { path, hierarchies }),
                Some(Ok(Err(sentence)) | Err(sentence)) => {
                    Intent::Tell { title: "the project is not written".to_owned(), text: sentence }
                }
                None => Intent::None,
            },
        }
    }

    fn surveyed(&mut self, survey: Surveyed) -> Intent {
        match survey {
            Surveyed::Progress(progress) => self.progress = Some(progress),
            Surveyed::Read(sources) => {
                self.progress = None;
                self.sources = Some(sources);
            }
            Surveyed::Proposed(shown) => {
                self.why_none = None;
                let before = self.shown.replace(*shown);
                self.go_on();
                if let Some(intent) = self.take_waiting() {
                    return intent;
                }
                if let (Some(before), Some(now)) = (&before, &self.shown) {
                    return Intent::Say(changes::sentence(&before.proposal, &now.proposal));
                }
            }
            Surveyed::None(why) if self.shown.is_some() => {
                self.go_back();
                let sentence = if why.is_empty() { "stopped".to_owned() } else { why };
                return Intent::Say(format!("{sentence}; all is as it was"));
            }
            Surveyed::None(why) => self.why_none = Some(why),
        }
        Intent::None
    }

    /// Stops the running job, or asks to quit. Without a proposal to go back to, a stop is the end.
    fn close(&mut self) -> Intent {
        match self.stop() {
            None => Intent::AskToQuit,
            Some(true) => Intent::Say("stopped; all is as it was".to_owned()),
            Some(false) => Intent::Quit,
        }
    }

    /// Stops the running job. Returns whether a proposal to go back to exists; none if no job was
    /// running.
    fn stop(&mut self) -> Option<bool> {
        if self.offering.is_open() {
            self.offering.stop();
            self.offering.void();
            return Some(self.shown.is_some());
        }
        if !self.surveys.is_open() {
            return None;
        }
        self.surveys.stop();
        self.surveys.void();
        self.go_back();
        Some(self.shown.is_some())
    }

    /// Takes back the decisions since the last proposal.
    fn go_back(&mut self) {
        self.waiting.clear();
        self.then = Then::Stay;
        if let Some(shown) = &self.shown {
            self.decisions = shown.decisions.clone();
        }
    }

    /// The running work in words, else what leads on; blank before the first proposal.
    fn doing(&self) -> String {
        if self.offering.is_open() {
            return "looking for what fits …".to_owned();
        }
        if self.shown.is_none() {
            return String::new();
        }
        if self.surveys.is_open() {
            return "proposing again …".to_owned();
        }
        let key = |id| self.key(id);
        match (self.question().is_some(), self.open().len()) {
            (_, 0) => format!("next: {} writes the project and opens it", key("proposal.write")),
            (true, _) => format!("next: {} answers and goes on", key("proposal.settle")),
            (false, 1) => format!("next: {} goes to the last open question", key("proposal.next")),
            (false, open) => {
                format!("next: {} goes to the next of {open} open questions", key("proposal.next"))
            }
        }
    }

    /// Whether quitting loses decisions.
    fn is_begun(&self) -> bool {
        self.shown.is_some()
    }
}

impl Component for ProposalScreen {
    fn handle(&mut self, _: &Context, event: Event) -> Result<Intent, String> {
        match event {
            Event::Command(row) => return self.act_on(ROWS[row].command),
            Event::Before(Everywhere::Digit(index)) => return self.take_or_wait(Some(index)),
            Event::Move(movement) => self.go(movement),
            Event::Click(target) => return self.click(target),
            Event::Line(line) if line.stage == Stage::Complete => return self.typed(line.id, line.text),
            Event::Chosen(index) => self.take_choice(index),
            Event::Confirmed => self.replace(),
            Event::Report(report) => {
                return Ok(report.take().map_or(Intent::None, |it| self.take_report(it)));
            }
            Event::Before(Everywhere::Undo) => return self.undo(),
            Event::Before(Everywhere::Redo) => return self.redo(),
            Event::Before(Everywhere::Delta) => return self.ask_for_delta(),
            Event::Before(Everywhere::Close) => return Ok(self.close()),
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        view::render(page, area, context, self);
    }

    fn state(&self) -> State<'_> {
        State {
            activity: Activity::busy(self.surveys.is_open() || self.writing.is_open())
                | Activity::answering(self.offering.is_open())
                | Activity::busy(self.offering.is_open()),
            progress: self.doing(),
            unsaved: self.is_begun().then(|| FORGOTTEN.to_owned()),
            ..State::default()
        }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        let none = || Some("the proposal is not ready yet".to_owned());
        match ROWS[row].command {
            Command::Settle | Command::Left | Command::Right => None,
            _ if self.shown.is_none() => none(),
            Command::Examples if self.attribute().is_none() => Some("this row has no values".to_owned()),
            Command::Next | Command::Previous if self.open().is_empty() => {
                Some("no question is open".to_owned())
            }
            _ => None,
        }
    }
}
