//! An open project as a workspace.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::commands::Command as All;
use super::frame;
use super::registry::Command;
use super::state::Ready;
use super::workspace::{Surroundings, TypedLine, Workspace};
use crate::kit::hits::{Hits, Target};
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::theme::Theme;
use crate::shared::activity::Activity;
use crate::shared::intent::{Edit, Errand, Intent, Purpose, Stage};
use crate::shared::screen::Taking;

impl Workspace for Ready {
    fn screen(&self) -> ScreenName {
        self.open()
    }

    fn legend(&self) -> &'static [&'static str] {
        self.screens.get(self.open()).legend()
    }

    fn why_not(&self, screen: Option<ScreenName>, command: Command) -> Option<String> {
        let (shared, open) = (&self.shared, self.open());
        let screen = self.screens.get(screen.unwrap_or(open));
        let unless = |possible: bool, why: &str| (!possible).then(|| why.to_owned());
        let step_count = shared.log.steps().len();
        match command {
            Command::Screen(index) => screen.why_not(shared, index),
            Command::All(All::Undo) => unless(shared.log.current() > 0, "there is nothing to undo"),
            Command::All(All::Redo) => {
                unless(shared.log.current() + 1 < step_count, "there is nothing to redo")
            }
            Command::All(All::Show(name)) => unless(name != open, "it is open"),
            Command::All(All::Copy | All::CopyToFile) => screen.why_not_taken(shared, Taking::Figures),
            Command::All(_) => None,
        }
    }

    fn run(&mut self, seen: &Hits, command: Command) -> Option<Result<Intent, String>> {
        let open = self.open();
        let current = self.shared.log.current();
        let is_other_screen = open != ScreenName::WORKBENCH;
        // The errors of figures are those of the screen: they are more exact than the reason in advance.
        let takes_figures = matches!(command, Command::All(All::Copy | All::CopyToFile));
        if let Some(why) = self.why_not(None, command).filter(|_| !takes_figures) {
            return Some(Err(why));
        }
        let figures = || self.screens.get(open).figures(&self.shared);
        let answer = match command {
            Command::Screen(index) => self.screens.get_mut(open).act(&self.shared, seen, index),
            Command::All(All::Move(movement)) => self.screens.get_mut(open).go(&self.shared, seen, movement),
            Command::All(All::Undo) => Ok(Intent::Edit(Edit::Jump(current - 1))),
            Command::All(All::Redo) => Ok(Intent::Edit(Edit::Jump(current + 1))),
            Command::All(All::Show(name)) => Ok(Intent::Show(name)),
            Command::All(All::Close) if is_other_screen => Ok(Intent::Show(ScreenName::WORKBENCH)),
            Command::All(All::Copy) => figures().map(|figures| Intent::Errand(Errand::Copy(figures))),
            Command::All(All::CopyToFile) => {
                figures().map(|figures| Intent::Errand(Errand::CopyToFile(figures)))
            }
            Command::All(_) => return None,
        };
        Some(answer)
    }

    /// Hands a line to the open screen. Half a line may be wrong: then nothing changes.
    fn typed(&mut self, seen: &Hits, line: TypedLine) -> Result<Intent, String> {
        let TypedLine { purpose, text, stage } = line;
        let screen = self.screens.get_mut(self.shared.open);
        match (purpose, stage) {
            (_, Stage::GivenUp) => Ok(screen.given_up(&self.shared, seen, purpose)),
            (Purpose::Draft, Stage::Part) => {
                screen.drafted(&self.shared, seen, text);
                Ok(Intent::None)
            }
            _ => screen.typed(&self.shared, seen, (purpose, text)),
        }
    }

    fn click(&mut self, seen: &Hits, target: Target) -> Intent {
        self.screens.get_mut(self.shared.open).click(&self.shared, seen, target)
    }

    fn draw(&self, page: &mut Page, surroundings: &Surroundings) -> Rect {
        let body = frame::render(page, surroundings, self);
        self.screens.get(self.open()).draw(page, body, &self.shared);
        // Windows leave the title and the verdict in sight.
        let area = page.area();
        Rect { y: area.y + 2, height: area.height - 2, ..area }
    }

    fn verdict(&self, theme: Theme, width: usize) -> Vec<Line<'static>> {
        frame::verdict(theme, self, width)
    }

    fn activity(&self) -> Activity {
        self.activity()
    }

    fn is_begun(&self) -> bool {
        true
    }

    fn is_idle(&self) -> bool {
        self.open() == ScreenName::WORKBENCH
    }

    fn unknown_key(&self, key: KeyEvent) -> Option<String> {
        let KeyCode::Char(character) = key.code else { return None };
        Some(format!("{character} does nothing on this screen; {} lists its keys", self.shared.key("help")))
    }

    fn quit_question(&self) -> &'static str {
        let is_searching = self.shared.runs.unfinished() > 0;
        let is_kept = self.shared.saver.is_kept() && self.shared.log.is_begun();
        match (self.shared.saver.path().is_some(), is_kept) {
            (true, _) if is_searching => "Quit palmtop? The sitting is saved; the running search is lost.",
            (true, _) => "Quit palmtop? The sitting is saved for the next time.",
            (false, true) => "Quit palmtop? The steps are NOT saved and are lost; what was exported stays.",
            (false, false) => "Quit palmtop? What was exported stays.",
        }
    }
}
