//! The proposal: the roles and values that palmtop proposes for two raw tables, with reasons,
//! before anything is written.
//! It is the only screen before a project exists, so it has no
//! [`Shared`](crate::shared::state::Shared) and is not in the list of screens.

pub(crate) mod commands;
pub(crate) mod state;
pub(crate) mod view;
mod changes;
mod details;
mod files;
mod jobs;
mod update;

#[cfg(test)]
mod tests;

use palmtop_proposal::Ambiguity;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS};
use self::state::{Message, ProposalScreen, Shown, Surveyed};
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
    "Each row is a column of T: its column in P, its role, how its values are read, and its hierarchy. \
         ● marks what the last decision changed. In a narrow table, * marks values that are not read as \
         they are written. The pane below the table gives the reasons for the row under the cursor.",
    "Below it are the open questions. ? is a question that you settle with a choice or with δmax. ! is \
         a note: edit the tables or the project to settle it. Values of T are hidden until you ask for \
         three of them. They are never written.",
    "Nothing is written before you choose a path. Undo takes back one decision at a time.",
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

    /// Starts to read the tables, or asks for a missing one.
    pub(crate) fn start(&mut self) -> Intent {
        if self.is_offered() {
            return self.ask_who();
        }
        self.survey();
        Intent::None
    }

    /// Moves the cursor, and selects a question about the row under it.
    fn go(&mut self, movement: Movement) {
        let count = self.rows().len();
        movement.shift(&mut self.cursor, count);
        self.look();
    }

    /// Takes a click.
    fn click(&mut self, target: Target) {
        match target {
            Target::Row(row) => {
                self.cursor = row;
                self.look();
            }
            Target::Other(question) => self.question = question,
            Target::Column(_) | Target::Command(_) => {}
        }
    }

    fn look(&mut self) {
        let name = self.attribute().map(|attribute| attribute.name.clone());
        let about = self.open().iter().position(|open| open.attribute.is_some() && open.attribute == name);
        self.question = about.unwrap_or(self.question);
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
                Some(Ok(offered)) => {
                    self.choose((offered.title, String::new()), offered.offers, offered.taken)
                }
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
                let now = self.shown.iter().map(|shown| &shown.proposal);
                let pair = before.iter().zip(now).map(|(before, now)| (&before.proposal, now)).next();
                let sentence =
                    pair.map(|(before, now)| (changes::changes(before, now), changes::sentence(before, now)));
                self.cursor = self.cursor.min(self.rows().len().saturating_sub(1));
                self.question = self.next_question(before.as_ref());
                let Some((changed, sentence)) = sentence else {
                    self.question = self.open().iter().position(Ambiguity::is_question).unwrap_or(0);
                    self.turn(0);
                    return Intent::Say(self.greeting());
                };
                self.changed = changed.into_iter().map(|(name, _)| name).collect();
                return Intent::Say(sentence);
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

    /// The index of the selected question after an answer: the same question if it is still open,
    /// else the next one.
    fn next_question(&self, before: Option<&Shown>) -> usize {
        let mut looked_at =
            before.map_or(&[][..], |shown| &shown.proposal.ambiguities).iter().skip(self.question);
        let is_same =
            |old: &Ambiguity, now: &Ambiguity| (&old.attribute, &old.what) == (&now.attribute, &now.what);
        let found = looked_at.find_map(|old| self.open().iter().position(|now| is_same(old, now)));
        found.unwrap_or_else(|| self.question.min(self.open().len().saturating_sub(1)))
    }

    fn greeting(&self) -> String {
        let (next, write) = (self.key("proposal.next"), self.key("proposal.write"));
        format!("read every row; {next} goes through what is open, {write} writes the project and opens it")
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
        if let Some(shown) = &self.shown {
            self.decisions = shown.decisions.clone();
        }
    }

    /// The running work in words; blank without work.
    fn doing(&self) -> &'static str {
        if self.offering.is_open() {
            "looking for what fits …"
        } else if self.surveys.is_open() && self.is_begun() {
            "proposing again …"
        } else {
            ""
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
            Event::Move(movement) => self.go(movement),
            Event::Click(target) => self.click(target),
            Event::Line(line) if line.stage == Stage::Complete => return self.typed(line.id, line.text),
            Event::Chosen(index) => return Ok(self.take_choice(index)),
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
            progress: self.doing().to_owned(),
            unsaved: self.is_begun().then(|| FORGOTTEN.to_owned()),
            ..State::default()
        }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        let none = || Some("the proposal is not ready yet".to_owned());
        match ROWS[row].command {
            Command::Settle => None,
            _ if self.shown.is_none() => none(),
            Command::Examples if self.attribute().is_none() => Some("T has no such column".to_owned()),
            Command::Next | Command::Previous if self.open().is_empty() => {
                Some("no question or note is open".to_owned())
            }
            Command::Member if self.begin.named.private.is_some() => {
                Some("T is a table of its own".to_owned())
            }
            _ => None,
        }
    }
}
