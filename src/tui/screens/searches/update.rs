//! The screen of searches: its cells, and running them.

use palmtop::search::{ColumnRule, Strategy, ValueRule};
use palmtop::session::{How, Place};

use crate::tui::app::commands::Command;
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::name::ScreenName;

impl Session {
    pub(crate) fn act_on_searches(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let key = self.run_key(self.cell);
        match command {
            Command::Up | Command::Down | Command::Left | Command::Right => {
                self.cell = neighbour(self.cell, command);
            }
            Command::First => self.cell = Strategy::Best,
            Command::RunOne => {
                self.runs.enqueue(key);
                self.runs.start_waiting(jobs, &self.analysis, &self.problem);
            }
            Command::RunAll => {
                let delta = self.delta();
                let enqueue =
                    |strategy| self.runs.enqueue(crate::tui::shared::runs::RunKey { strategy, delta });
                if Strategy::all().map(enqueue).filter(|started| *started).count() == 0 {
                    return Err("all have run, or are under way".to_owned());
                }
                self.runs.start_waiting(jobs, &self.analysis, &self.problem);
            }
            Command::Cancel => {
                self.runs.cancel(key);
                self.wake(jobs);
                self.notice = format!("{} stops; what it has so far is kept", self.cell);
            }
            Command::CancelAll => {
                self.runs.cancel_all();
                self.wake(jobs);
                "all stop; what they have so far is kept".clone_into(&mut self.notice);
            }
            Command::Open => {
                let outcome = self.outcome(self.cell).ok_or_else(|| self.why_no_release(self.cell))?;
                let place = Place::Search(outcome.search.clone());
                self.go(jobs, place, How::Search(self.cell));
                self.show(jobs, ScreenName::Workbench);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The cells of the screen of searches, row by row; the legend stands where there is none.
pub(crate) const CELLS: [[Option<Strategy>; 4]; 4] = {
    const fn row(left: Option<Strategy>, value: ValueRule) -> [Option<Strategy>; 4] {
        [
            left,
            Some(Strategy::Mpalm(ColumnRule::Next, value)),
            Some(Strategy::Mpalm(ColumnRule::Priority, value)),
            Some(Strategy::Mpalm(ColumnRule::Best, value)),
        ]
    }
    let [k_optimal, mondrian, mondrian_p] = Strategy::BASELINES;
    [
        row(Some(Strategy::Best), ValueRule::BalancedCardinality),
        row(Some(Strategy::Spalm), ValueRule::FirstSplit),
        row(None, ValueRule::BalancedValues),
        [None, Some(k_optimal), Some(mondrian), Some(mondrian_p)],
    ]
};

/// The next cell, or the same one where there is none in that direction.
fn neighbour(cell: Strategy, command: Command) -> Strategy {
    let places = || CELLS.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y)));
    let Some((x, y)) = places().find(|&(x, y)| CELLS[y][x] == Some(cell)) else { return cell };
    let next = match command {
        Command::Left if x == 1 && CELLS[y][0].is_none() => Some((0, 1)),
        Command::Left => x.checked_sub(1).map(|x| (x, y)),
        Command::Right => Some((x + 1, y)),
        Command::Up => y.checked_sub(1).map(|y| (x, y)),
        _ => Some((x, y + 1)),
    };
    next.and_then(|(x, y)| *CELLS.get(y)?.get(x)?).unwrap_or(cell)
}
