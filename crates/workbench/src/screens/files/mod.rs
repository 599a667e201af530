//! The written files, from the history of the project.

pub(crate) mod state;
mod commands;
mod listing;
mod jobs;
mod view;

#[cfg(test)]
mod tests;

use palmtop_release::history::Action;
use palmtop_release::package::Paper;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::state::{FilesScreen, Message};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::command_line;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Edit, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Each row is a written release, the newest first. ◈ δ holds even if an attacker knows the algorithm, ? this is \
         not proven. Papers: S the signer's report, R the recipient's report, L the code list. The history is only a \
         record: verify checks the file itself.",
];

impl FilesScreen {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "verify, report and compose the releases that were written",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: false,
        },
        show: SHOW,
        tab: Tab::Files,
        make: |_| Box::new(Self::unopened()),
    };

    /// Writes papers of the selected release, and notes the commands.
    fn write_papers(&mut self, scope: &Scope<Message>, papers: Vec<Paper>) -> Result<Intent, String> {
        let noted = self.note(scope.shared, &papers)?;
        self.write(&scope.link, scope.shared, papers)?;
        Ok(noted)
    }

    /// Carries out a command.
    fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let shared = scope.shared;
        match command {
            Command::Stop => {
                self.work.void();
                return Ok(Intent::Say("stopped; the releases are as they were".to_owned()));
            }
            _ if self.work.is_open() => {
                return Err(format!("a job is running; {} stops it", shared.key("files.stop")));
            }
            Command::Verify => {
                self.verify(&scope.link, shared)?;
                return self.note(shared, &[]);
            }
            Command::Papers => {
                let papers = self.selected()?.lacks();
                if papers.is_empty() {
                    return Err("it has its reports and its code list: each has one name".to_owned());
                }
                return self.write_papers(scope, papers);
            }
            Command::Compose => {
                self.compose(&scope.link, shared)?;
                let project = shared.analysis.path();
                let files = self.to_compose()?.into_iter().map(|entry| entry.path(project));
                let files: Vec<String> = files.map(|path| command_line::file(&path)).collect();
                let delta = command_line::delta_options(&shared.analysis, shared.delta());
                let line = shared.commands.command("compose", &format!(" {}{delta}", files.join(" ")));
                return Ok(Intent::Edit(Edit::Note(line)));
            }
            Command::Mark => self.mark()?,
            Command::Open => {
                let recipe = self.recipe_to_open(shared)?;
                let go = if recipe == *shared.recipe() {
                    Intent::None
                } else {
                    Intent::Edit(Edit::Go { recipe, how: Action::Registered })
                };
                return Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]));
            }
        }
        Ok(Intent::None)
    }
}

impl Component for FilesScreen {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => {
                let count = self.entries()?.len();
                movement.shift(&mut self.cursor, count);
            }
            Event::Report(report) => {
                let Some(message) = report.take() else { return Ok(Intent::None) };
                let said = self.take(message);
                if self.is_to_read {
                    self.read(&scope.link, scope.shared);
                }
                return Ok(said.map_or(Intent::None, Intent::Say));
            }
            Event::Changed(Change::Shown(Self::NAME)) => self.read(&scope.link, scope.shared),
            Event::Click(Target::Row(row)) => {
                let count = self.entries().map_or(0, <[_]>::len);
                self.cursor = if count > 0 { row.min(count - 1) } else { self.cursor };
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let activity = Activity::counting(self.reading.is_open() || self.work.is_open());
        State { activity, ..State::default() }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        let is_stop = ROWS[row].command == Command::Stop;
        (is_stop && !self.work.is_open()).then(|| "no job is running".to_owned())
    }
}
