//! The commands of the searches.

use std::time::Duration;

use palmtop_release::history::{Action, RecodingRecipe};
use palmtop_search::Strategy;

use super::commands::Command;
use super::state::{Searches, Side, first, neighbour, why_no_release};
use crate::kit::command::Movement;
use crate::kit::name::ScreenName;
use crate::shared::intent::{Edit, Intent, Manner, Question};
use crate::shared::runs::RunKey;
use crate::shared::state::Shared;

impl Searches {
    /// Why a command cannot run now.
    pub(super) fn why_not_now(&self, shared: &Shared, command: Command) -> Option<String> {
        let cell = self.cell;
        let key = shared.run_key(cell);
        if let Some(why) = shared.why_refused(cell).filter(|_| command == Command::Run) {
            return Some(format!("{cell}: {why}"));
        }
        match command {
            Command::Run if shared.runs.is_unfinished(key) => Some(format!("{cell} is running already")),
            Command::Run if !shared.runs.is_startable(key) => {
                Some(format!("{cell} has run; another run would end the same way"))
            }
            Command::Stop if !shared.runs.is_unfinished(key) => Some(format!("{cell} is not running")),
            Command::StopAll if shared.runs.unfinished() == 0 => Some("no search is running".to_owned()),
            Command::Open => {
                let found = shared.outcome(cell).is_some_and(|outcome| outcome.measured.is_some());
                (!found).then(|| why_no_release(shared, cell))
            }
            _ => None,
        }
    }

    pub(super) fn act_on(&mut self, shared: &Shared, command: Command) -> Result<Intent, String> {
        let stopped =
            |cell, message: String| Intent::Many(vec![Intent::Edit(Edit::Stop(cell)), Intent::Say(message)]);
        Ok(match command {
            Command::Left => self.point(shared, Side::Left),
            Command::Right => self.point(shared, Side::Right),
            Command::Run => Intent::Edit(Edit::Run(vec![self.cell])),
            Command::More => {
                self.is_unfolded = self.is_folded(shared);
                if !self.is_shown(shared, self.cell) {
                    self.cell = first(shared);
                }
                match (self.is_unfolded, self.is_folded(shared)) {
                    (true, _) | (false, true) => Intent::None,
                    (false, false) => Intent::Say("the others were run under this δ: they stay".to_owned()),
                }
            }
            Command::Seconds => {
                let text = shared.runs.budget.limit.as_secs().to_string();
                let hint =
                    "seconds, 1 to 86,400; the session keeps the rounds, so the release can be repeated";
                let (id, manner) = ("searches.seconds", Manner::Whole);
                Intent::Ask(Question { id, manner, word: "seconds for best", hint, text })
            }
            Command::Best => {
                self.cell = Strategy::Best;
                if let Some(why) = self.why_not_now(shared, Command::Run) {
                    return Err(why);
                }
                Intent::Edit(Edit::Run(vec![Strategy::Best]))
            }
            Command::RunAll => {
                let delta = shared.delta();
                // A key that runs all searches does not run a stopped one again if it has a
                // release.
                let is_wanted = |strategy: &Strategy| {
                    let has_release =
                        shared.outcome(*strategy).is_some_and(|outcome| outcome.measured.is_some());
                    let is_startable = shared.runs.is_startable(RunKey { strategy: *strategy, delta });
                    is_startable && !has_release && shared.why_refused(*strategy).is_none()
                };
                let wanted: Vec<Strategy> = Strategy::all().filter(is_wanted).collect();
                self.is_unfolded = true;
                if wanted.is_empty() {
                    return Err("all have run or are running".to_owned());
                }
                Intent::Edit(Edit::Run(wanted))
            }
            Command::Stop => {
                let is_kept = self.cell.family().takes_seconds();
                let kept =
                    if is_kept { "its best so far is kept" } else { "it has no release before its end" };
                stopped(Some(self.cell), format!("{} stops; {kept}", self.cell))
            }
            Command::StopAll => stopped(None, "all stop; their best so far is kept".to_owned()),
            Command::Open => {
                let outcome = shared.outcome(self.cell).ok_or_else(|| why_no_release(shared, self.cell))?;
                let recipe = RecodingRecipe::Search(outcome.search.clone());
                let go = Intent::Edit(Edit::Go { recipe, how: Action::Search(self.cell.into()) });
                Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)])
            }
        })
    }

    /// Moves the selection in the grid.
    pub(super) fn shift(&mut self, shared: &Shared, movement: Movement) -> Intent {
        match movement {
            Movement::Up => self.point(shared, Side::Up),
            Movement::Down => self.point(shared, Side::Down),
            Movement::First => {
                self.cell = Strategy::Best;
                Intent::None
            }
            Movement::Last | Movement::PageUp | Movement::PageDown => Intent::None,
        }
    }

    /// Moving to a folded strategy shows all strategies.
    fn point(&mut self, shared: &Shared, side: Side) -> Intent {
        self.cell = neighbour(self.cell, side);
        self.is_unfolded |= !self.is_shown(shared, self.cell);
        Intent::None
    }
}

/// The typed time limit of `best`.
/// # Errors
/// The text is no number of seconds in the range.
pub(super) fn budget_of(text: &str) -> Result<Intent, String> {
    /// A day. A longer run needs a command.
    const MOST: u64 = 86_400;
    let seconds = text.trim().parse().ok().filter(|seconds| (1..=MOST).contains(seconds));
    let seconds = seconds.ok_or("expected whole seconds from 1 to 86400")?;
    let message = Intent::Say(format!("best may take {seconds} s from its next run on"));
    Ok(Intent::Many(vec![Intent::Edit(Edit::Budget(Duration::from_secs(seconds))), message]))
}
