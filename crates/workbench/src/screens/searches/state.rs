//! The state of the screen of searches: the selected cell.

use palmtop_search::{ColumnRule, Strategy, ValueRule};

use crate::kit::text;
use crate::shared::runs::Run;
use crate::shared::state::Shared;

/// The state of the screen.
pub(crate) struct Searches {
    /// The cell of the strategy grid.
    pub(crate) cell: Strategy,
    /// Whether all strategies are shown, even those that were not run.
    pub(crate) is_unfolded: bool,
}

/// The strategy that is selected first: the recommended one, or the first of the list that the
/// project accepts.
pub(super) fn first(shared: &Shared) -> Strategy {
    let mut strategies = std::iter::once(Strategy::RECOMMENDED).chain(Strategy::all());
    strategies.find(|&strategy| shared.why_refused(strategy).is_none()).unwrap_or(Strategy::RECOMMENDED)
}

impl Searches {
    /// Whether some strategies are folded away: under this δ, only the strategies to start with
    /// were run.
    pub(crate) fn is_folded(&self, shared: &Shared) -> bool {
        !self.is_unfolded
            && Strategy::all().all(|strategy| strategy.info().is_shown_first || is_unused(shared, strategy))
    }

    /// Whether the cell of a strategy is shown.
    pub(crate) fn is_shown(&self, shared: &Shared, strategy: Strategy) -> bool {
        strategy.info().is_shown_first || !self.is_folded(shared)
    }
}

/// Whether a strategy was never run under this δ, not even in an earlier session.
fn is_unused(shared: &Shared, strategy: Strategy) -> bool {
    shared.run(strategy).is_none() && shared.found_before(strategy).is_none()
}

/// The columns of the grid.
pub(super) const COLUMNS: usize = 1 + ColumnRule::ALL.len();

/// The cells of the grid, row by row. MPALM's strategies form the grid. The left column has the
/// other strategies: those safe against an attacker who knows the algorithm first.
pub(crate) fn cells() -> Vec<[Option<Strategy>; COLUMNS]> {
    let mut left: Vec<Strategy> = Strategy::all().filter(|strategy| strategy.rules().is_none()).collect();
    left[1..].reverse();
    let mut rows = Vec::new();
    for index in 0..ValueRule::ALL.len().max(left.len()) {
        let mut row = [left.get(index).copied(), None, None, None];
        for (cell, column) in row[1..].iter_mut().zip(ColumnRule::ALL) {
            *cell = Strategy::nine().find(|strategy| {
                let value = ValueRule::ALL.get(index);
                strategy.rules().is_some_and(|(rule_column, rule_value)| {
                    rule_column == column && Some(&rule_value) == value
                })
            });
        }
        rows.push(row);
    }
    rows
}

/// A direction in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Up,
    Down,
}

/// The next cell in a direction; the same cell at the end.
pub(super) fn neighbour(cell: Strategy, side: Side) -> Strategy {
    let cells = cells();
    let positions = || cells.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y)));
    let Some((x, y)) = positions().find(|&(x, y)| cells[y][x] == Some(cell)) else { return cell };
    let next = match side {
        Side::Left if x == 1 && cells[y][0].is_none() => Some((0, 1)),
        Side::Left => x.checked_sub(1).map(|x| (x, y)),
        Side::Right => Some((x + 1, y)),
        Side::Up => y.checked_sub(1).map(|y| (x, y)),
        Side::Down => Some((x, y + 1)),
    };
    next.and_then(|(x, y)| *cells.get(y)?.get(x)?).unwrap_or(cell)
}

/// Why a strategy has no release to open or to export.
pub(super) fn why_no_release(shared: &Shared, strategy: Strategy) -> String {
    if let Some(why) = shared.why_refused(strategy) {
        return format!("{strategy}: {why}");
    }
    let run = shared.key("searches.run");
    match shared.run(strategy) {
        None => format!("{strategy} has not been run under this δ; {run} on the searches runs it"),
        Some(Run::Waiting) => format!("{strategy} waits until another search has ended"),
        Some(Run::Running { .. }) if !strategy.family().takes_seconds() => {
            format!(
                "{strategy} still runs; it has no release before its end, whose time must not depend on T"
            )
        }
        Some(Run::Running { step, .. }) => {
            let [stop, open, export] = ["searches.stop", "searches.open", "export"].map(|id| shared.key(id));
            let best = step.as_ref().and_then(|step| step.stage.best);
            let best = best.map(|best| format!(" (loss {})", text::loss(best))).unwrap_or_default();
            format!(
                "{strategy} still runs{best}: {stop} stops it; then {open} opens its release, {export} exports it"
            )
        }
        Some(Run::Broken(_)) => format!("{strategy} broke; {run} runs it again"),
        Some(Run::Done(_)) => format!("{strategy} found no release that keeps δ"),
    }
}
