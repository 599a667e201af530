//! Begins a sitting, or goes on with one, once a project is loaded.

use std::sync::Arc;

use palmtop_core::model::Delta;
use palmtop_release::history::{Action, Reason, RecodingRecipe, Sitting, Step};
use palmtop_release::pipeline::Analysis;

use super::loading::Failure;
use super::message::Message;
use super::registry::Screens;
use super::state::{App, Phase, Ready};
use crate::kit::terminal::Keeper as _;
use crate::shared::command_line::CommandLines;
use crate::shared::intent::{Intent, Manner, Question};
use crate::shared::runs::Budget;
use crate::shared::saver::Saver;
use crate::shared::state::Shared;
use crate::windows::unplaced::state::UnplacedValues;

/// The line for the reason of a new sitting.
pub(super) const ANEW: &str = "app.anew";

impl App {
    /// Opens the loaded project, or handles the failure to load it.
    pub(super) fn loaded(&mut self, loaded: Result<Arc<Analysis>, Failure>) {
        match loaded {
            Ok(analysis) => {
                self.forget_proposal();
                let hint = |id| self.settings.keymap.hint(id);
                let way = format!(
                    "{} searches, {} exports, {} helps",
                    hint("tab.releases"),
                    hint("export"),
                    hint("here")
                );
                let loaded = || format!("loaded in {:.1} s", analysis.load_seconds());
                self.status = format!("{}; {way}", self.opening.banner.clone().unwrap_or_else(loaded));
                self.begin(analysis);
                self.keep_held_from_answering();
            }
            Err(Failure { path, text, unplaced }) => {
                self.held.clear();
                self.phase = Phase::Failed { project: path.clone(), why: text };
                if !unplaced.is_empty() {
                    self.open_window(Box::new(UnplacedValues::new(path, unplaced)));
                }
                self.leave_failed();
            }
        }
    }

    /// Leaves a project that cannot be read, unless a window offers to correct it: back to its proposal, or out of the
    /// workbench, which then prints the error where the user can read and copy it.
    pub(super) fn leave_failed(&mut self) {
        let Phase::Failed { why, .. } = &self.phase else { return };
        if self.windows.is_empty() {
            let why = why.clone();
            self.done = !self.back_to_proposal(&why);
        }
    }

    /// The line for the reason of a new sitting.
    pub(super) fn reason_to_begin_anew() -> Intent {
        let hint = "the reason to begin anew; the history keeps it";
        let (manner, text) = (Manner::Whole, String::new());
        Intent::Ask(Question { id: ANEW, manner, word: "why", hint, text })
    }

    /// Begins a new sitting of the open project; the one that was resumed stays as it is.
    ///
    /// # Errors
    /// What is wrong with the reason.
    pub(super) fn begin_anew(&mut self, reason: &str) -> Result<(), String> {
        let reason = Reason::read(reason)?;
        let Phase::Ready(ready) = &self.phase else { return Ok(()) };
        let analysis = Arc::clone(&ready.shared.analysis);
        let problem = analysis.problem();
        let recipe = RecodingRecipe::from(&problem.lattice().bottom());
        let first = Step { action: Action::Start, recoding: recipe, delta: problem.delta() };
        let mut log = Sitting::new(&analysis, first);
        log.anew = Some(reason);
        log.state_again(&ready.shared.log);
        self.replace(analysis, Some(log), None);
        "a new sitting begins; the earlier one stays in the history".clone_into(&mut self.status);
        Ok(())
    }

    /// Begins with a loaded project, or goes on with its saved sitting. What ran for another project stops.
    pub(super) fn begin(&mut self, analysis: Arc<Analysis>) {
        let keymap = Arc::new(self.settings.keymap.clone());
        let link = self.link.map(Message::Shared);
        let delta = analysis.problem().delta();
        let (budget, commands) = self.leave_project();
        let mut shared = if let Some(project) = self.opening.home.clone() {
            let mut file = None;
            let mut resumed = None;
            if let Some((saved, sitting)) = self.opening.resumed.take() {
                let number = saved.index().map_or(0, |index| index + 1);
                let message = format!("goes on with sitting {number} at step {}", sitting.current());
                let changed = sitting.changed_inputs(&analysis);
                if changed.is_empty() {
                    self.status = message;
                    file = Some(saved);
                    resumed = Some(sitting);
                } else {
                    // The inputs changed, so the earlier figures no longer hold: this becomes another sitting.
                    let names: Vec<String> = changed.iter().map(|path| path.display().to_string()).collect();
                    self.status =
                        format!("CHANGED SINCE: {}. All is counted anew; {message}", names.join(", "));
                    resumed = Some(sitting.on(&analysis));
                }
            }
            let saver = Saver::start(&project, file, self.link.map(Message::Status));
            let mut shared = Shared::new(link, analysis, resumed, saver, keymap, commands);
            shared.note_earlier_searches();
            shared
        } else {
            Shared::new(link, analysis, None, Saver::default(), keymap, commands)
        };
        shared.runs.budget = budget.unwrap_or(shared.runs.budget);
        let screens = Screens::new(&shared);
        let mut ready = Box::new(Ready { shared, screens, left: Vec::new() });
        let mut news = vec![ready.shared.begin()];
        // Options of the command line override the δ of the sitting.
        let asked = self.opening.overrides;
        if self.opening.home.is_some() && (asked.delta_min.is_some() || asked.delta_max.is_some()) {
            let log = ready.shared.delta();
            let why = Some(Reason::of_options());
            let min = if asked.delta_min.is_some() { delta.min() } else { log.min() };
            let max = if asked.delta_max.is_some() { delta.max() } else { log.max() };
            news.push(ready.shared.change_delta(Delta::new(min, max).unwrap_or(delta), why));
        }
        self.phase = Phase::Ready(ready);
        let status = self.status.clone();
        for news in news {
            self.tell(news);
        }
        // The news of the first recipe must not replace the greeting.
        self.status = status;
        if std::mem::take(&mut self.opening.asks_to_go_on) {
            self.ask_to_go_on();
        }
    }

    /// Stops what runs for the open project, if one is open. Its budget of searches and its command lines stay.
    pub(super) fn leave_project(&mut self) -> (Option<Budget>, CommandLines) {
        let name = &self.opening.command_name;
        let Phase::Ready(before) = &mut self.phase else { return (None, CommandLines::of(name)) };
        before.shared.stop(None);
        before.shared.saver.flush();
        (Some(before.shared.runs.budget), before.shared.commands.clone().opened(name))
    }
}
