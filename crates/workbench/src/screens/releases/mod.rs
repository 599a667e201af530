//! The written releases, from the history of the project.

pub(crate) mod state;
mod commands;
mod jobs;
mod view;

#[cfg(test)]
mod tests;

use palmtop_release::history::Action;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::state::{Message, Releases};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::command_line;
use crate::shared::intent::{Change, Edit, Intent};
use crate::shared::reporting::Reader;
use crate::shared::screen::{Scope, Screen, Sight};
use crate::shared::state::Shared;

impl Screen for Releases {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "verify, report and compose the releases that were written";
    const LEGEND: &'static [&'static str] = &[
        "Each row is a written release, the newest first. The list is in the history beside the project. The \
             history is only a record: verify checks the file itself.",
    ];

    fn new(_: &Shared) -> Self {
        Self::unopened()
    }

    fn why_not(&self, _: &Shared, command: Command) -> Option<String> {
        (command == Command::Stop && !self.work.is_open()).then(|| "no job is running".to_owned())
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let shared = scope.shared;
        match command {
            Command::Stop => {
                self.work.void();
                return Ok(Intent::Say("stopped; the releases are as they were".to_owned()));
            }
            _ if self.work.is_open() => {
                return Err(format!("a job is running; {} stops it", shared.key("releases.stop")));
            }
            Command::Verify => {
                self.verify(scope.link, shared)?;
                return self.note(shared, None);
            }
            Command::Report => {
                self.report(scope.link, shared, Reader::Signer)?;
                return self.note(shared, Some(Reader::Signer));
            }
            Command::ReportForRecipient => {
                self.report(scope.link, shared, Reader::Recipient)?;
                return self.note(shared, Some(Reader::Recipient));
            }
            Command::Compose => {
                self.compose(scope.link, shared)?;
                let files = self.marked_files(shared)?;
                let files: Vec<String> = files.iter().map(|path| command_line::file(path)).collect();
                let delta = command_line::delta_options(&shared.analysis, shared.delta());
                let line = shared.commands.command("compose", &format!(" {}{delta}", files.join(" ")));
                return Ok(Intent::Edit(Edit::Note(line)));
            }
            Command::Mark => self.mark()?,
            Command::Open => {
                let recipe = self.recipe_to_open(shared)?;
                let go = Intent::Edit(Edit::Go { recipe, how: Action::Registered });
                return Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]));
            }
        }
        Ok(Intent::None)
    }

    fn go(&mut self, _: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        let count = self.entries()?.len();
        movement.shift(&mut self.cursor, count);
        Ok(Intent::None)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        self.take(message).map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        if change == Change::Shown(Self::NAME) {
            self.read(scope.link, scope.shared);
        }
        Intent::None
    }

    fn click(&mut self, _: &Scope<Message>, target: Target) -> Intent {
        if let (Target::Row(row), Ok(entries)) = (target, self.entries()) {
            self.cursor = row.min(entries.len().saturating_sub(1));
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }

    fn activity(&self) -> Activity {
        Activity::counting(self.reading.is_open() || self.work.is_open())
    }
}
