//! The start, the stop and the end of searches, as all screens see them.

use palmtop_project::compatibility::Feature;
use palmtop_release::history::{Moment, RecodingRecipe};
use palmtop_search::Strategy;

use super::command_line;
use super::intent::Change;
use super::runs::{Outcome, Run, RunKey};
use super::state::{Message, News, Shared};
use crate::kit::name::ScreenName;

impl Shared {
    /// Takes the end of a search, or its failure; returns the message about it.
    pub(crate) fn finished(
        &mut self,
        key: RunKey,
        is_again: bool,
        end: Result<Box<Outcome>, String>,
    ) -> News {
        match end {
            Ok(outcome) => {
                if let Some(measured) = &outcome.measured {
                    self.pin_again(&RecodingRecipe::Search(outcome.search.clone()), measured);
                    self.keep(outcome.search.clone(), measured.clone());
                    self.log.note_search(&outcome.search, Moment::now());
                }
                self.runs.finish(key, outcome);
                self.save();
            }
            Err(why) => self.runs.fail(key, why),
        }
        let mut changes = self.wake();
        changes.push(Change::Candidates);
        self.start_waiting();
        let rest = self.runs.unfinished();
        let rest = if rest == 0 { String::new() } else { format!("; {rest} to go") };
        let message = match self.runs.get(key) {
            Some(Run::Broken(why)) => Some(format!("{}: {why}", key.strategy)),
            // The end of a repeated search must not cover a message about the sitting.
            _ if is_again => None,
            Some(Run::Done(outcome)) if outcome.measured.is_none() => {
                let why = self.why_infeasible().filter(|_| key.delta == self.delta());
                Some(match why {
                    Some(why) => {
                        format!("{} ended: {}{rest}", key.strategy, why.split(';').next().unwrap_or_default())
                    }
                    None if outcome.was_stopped() => {
                        format!("{} ended before it had a release{rest}", key.strategy)
                    }
                    None => format!("{} ended and found no release that keeps δ{rest}", key.strategy),
                })
            }
            _ if self.open == ScreenName::RELEASES && rest.is_empty() => {
                let (open, export) = (self.key("releases.open"), self.key("export"));
                Some(format!("{} ended: {open} opens its release, {export} exports it", key.strategy))
            }
            _ => Some(format!("{} ended{rest}", key.strategy)),
        };
        News { changes, message }
    }

    /// Fixes δ before the first results are seen; does nothing if δ is fixed already.
    pub(crate) fn fix_policy(&mut self) -> News {
        let stated = self.stated(self.delta());
        self.log.fix_policy(Moment::now(), stated.as_ref());
        News::default()
    }

    /// Whether the project accepts searches that find regions.
    pub(crate) fn accepts_regions(&self) -> bool {
        Strategy::all()
            .any(|strategy| strategy.family().finds_regions() && self.why_refused(strategy).is_none())
    }

    /// Why a setting of the project excludes a strategy, as a clause; none if it can run.
    pub(crate) fn why_refused(&self, strategy: Strategy) -> Option<&'static str> {
        self.analysis.refusal(Feature::Strategy(strategy)).map(|refused| refused.why)
    }

    /// Runs searches under the current δ; searches of an earlier session are repeated.
    pub(crate) fn run_all(&mut self, strategies: &[Strategy]) -> News {
        let delta = self.delta();
        self.fix_policy();
        let options = command_line::strategy_options(strategies, self.runs.budget)
            + &command_line::delta_options(&self.analysis, delta);
        self.commands.note_command("compare", &options);
        for &strategy in strategies {
            match self.found_before(strategy).cloned() {
                Some(search) => self.runs.enqueue_again(&search),
                None => self.runs.enqueue(RunKey { strategy, delta }),
            };
        }
        self.start_waiting();
        News::default()
    }

    pub(super) fn start_waiting(&mut self) {
        let link = self.link.map(Message::Run);
        self.runs.start_waiting(&link, &self.analysis, &self.problem);
    }

    /// Stops a search, or all.
    pub(crate) fn stop(&mut self, strategy: Option<Strategy>) -> News {
        match strategy {
            Some(strategy) => {
                self.runs.cancel(self.run_key(strategy));
            }
            None => self.runs.cancel_all(),
        }
        News::of(self.wake())
    }

    /// Shows the current recipe if it waited for a search that ended or was stopped.
    pub(super) fn wake(&mut self) -> Vec<Change> {
        let waits = match self.recipe() {
            RecodingRecipe::Search(search) => !self.runs.is_finding_again(search),
            RecodingRecipe::Node(_) => false,
        };
        let is_wanted = waits && self.current_view().is_none() && self.missing.is_none();
        if is_wanted && !self.views.is_open() { self.stand().changes } else { Vec::new() }
    }

    /// Computes the least possible loss at the first request.
    pub(crate) fn count_bound(&mut self) -> News {
        self.bound.ask(&self.link.map(Message::Bound), &self.analysis, &self.problem);
        News::default()
    }
}
