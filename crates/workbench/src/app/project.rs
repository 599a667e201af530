//! The commands of every screen while a project is open.

use super::commands::Command as All;
use super::registry::Command;
use super::state::{App, Phase, Ready};
use crate::kit::name::ScreenName;
use crate::shared::component::{Event, Everywhere, Wanted};
use crate::shared::intent::{Edit, Errand, Intent};

impl Ready {
    /// Why a command cannot run now. `screen` is the screen of the command; `None` if it holds on every screen.
    pub(super) fn why_not(&self, screen: Option<ScreenName>, command: Command) -> Option<String> {
        let (shared, open) = (&self.shared, self.open());
        let (_, screen) = self.screens.get(screen.unwrap_or(open));
        let unless = |possible: bool, why: &str| (!possible).then(|| why.to_owned());
        let step_count = shared.log.steps().len();
        match command {
            Command::Screen(row) => screen.why_not(Some(shared), Wanted::Command(row)),
            Command::All(All::Undo) => unless(shared.log.current() > 0, "there is nothing to undo"),
            Command::All(All::Redo) => {
                unless(shared.log.current() + 1 < step_count, "there is nothing to redo")
            }
            Command::All(All::Show(name)) => unless(name != open, "it is open"),
            Command::All(All::Copy | All::CopyToFile) => screen.why_not(Some(shared), Wanted::Figures),
            Command::All(_) => None,
        }
    }

    /// The question before it quits, with what stays or goes.
    pub(super) fn quit_question(&self) -> &'static str {
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

impl App {
    /// Runs a command that holds on every screen of a project.
    pub(super) fn run_in_project(&mut self, command: All) {
        let Phase::Ready(ready) = &self.phase else { return };
        // What the open screen can take back comes before the steps.
        let own = match command {
            All::Undo => Some(Everywhere::Undo),
            All::Redo => Some(Everywhere::Redo),
            _ => None,
        };
        if let Some(own) = own
            && let Ok(intent) = self.hand(ready.open(), Event::Before(own))
            && !matches!(intent, Intent::None)
        {
            return self.apply(intent);
        }
        let Phase::Ready(ready) = &self.phase else { return };
        // The errors of figures are those of the screen: they are more exact than the reason in advance.
        let takes_figures = matches!(command, All::Copy | All::CopyToFile);
        if let Some(why) = ready.why_not(None, Command::All(command)).filter(|_| !takes_figures) {
            self.status = why;
            return;
        }
        let (shared, open) = (&ready.shared, ready.open());
        let figures = || ready.screens.get(open).1.figures(shared);
        let answer = match command {
            All::Undo => Ok(Intent::Edit(Edit::Jump(shared.log.current() - 1))),
            All::Redo => Ok(Intent::Edit(Edit::Jump(shared.log.current() + 1))),
            All::Delta => Ok(Intent::Show(ScreenName::POLICY)),
            All::Tab(tab) => {
                self.open_tab(tab);
                return;
            }
            All::Show(name) => Ok(Intent::Show(name)),
            All::Close if open != ScreenName::WORKBENCH => Ok(Intent::Show(ScreenName::WORKBENCH)),
            All::Copy => figures().map(|figures| Intent::Errand(Errand::Copy(figures))),
            All::CopyToFile => figures().map(|figures| Intent::Errand(Errand::CopyToFile(figures))),
            _ => {
                self.run_everywhere(command);
                return;
            }
        };
        self.take_answer(answer);
    }
}
