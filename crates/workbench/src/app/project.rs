//! The commands of every screen while a project is open.

use std::time::Duration;

use palmtop_search::Strategy;

use super::commands::Command as All;
use super::registry::Command;
use super::state::{App, Phase, Ready};
use crate::kit::name::ScreenName;
use crate::kit::text;
use crate::shared::component::{Event, Everywhere, Wanted};
use crate::shared::intent::{Edit, Errand, Intent};
use crate::shared::runs::Runs;
use crate::shared::state::Shared;

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

    /// The question before it quits, with what is lost and what stays.
    pub(super) fn quit_question(&self) -> Vec<String> {
        let Shared { saver, log, runs, .. } = &self.shared;
        let unsaved = saver.unsaved_steps(log);
        let steps = if unsaved > 0 {
            let steps = text::counted(unsaved, "step is", "steps are");
            format!("{steps} NOT saved and will be lost; what was exported stays.")
        } else if saver.path().is_some() {
            "The sitting is saved for the next time.".to_owned()
        } else {
            "What was exported stays.".to_owned()
        };
        lost_searches(runs).into_iter().chain([format!("Quit palmtop? {steps}")]).collect()
    }
}

/// The searches that an end would lose, as a sentence.
fn lost_searches(runs: &Runs) -> Option<String> {
    let at_work: Vec<_> = runs.at_work().collect();
    let ran =
        |(strategy, time, _): &(Strategy, Duration, bool)| format!("{strategy} has run {} s", time.as_secs());
    let all = at_work.iter().map(ran).collect::<Vec<_>>().join(" and ");
    let lost = match &at_work[..] {
        [] => return None,
        [(_, _, true)] => "its result so far is lost",
        [_] => "the search is lost",
        several if several.iter().all(|(_, _, has_result)| *has_result) => "their results so far are lost",
        _ => "the searches are lost",
    };
    Some(format!("{all}; {lost}."))
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
