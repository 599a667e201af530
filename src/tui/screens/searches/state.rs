//! What the screen of searches has of its own: the cell pointed at.

use palmtop::search::{ColumnRule, Strategy, ValueRule};

use crate::tui::shared::runs::Run;
use crate::tui::shared::state::Shared;

/// The state of the screen.
pub(crate) struct Searches {
    /// The cell of the strategy grid.
    pub(crate) cell: Strategy,
}

/// It starts no jobs: searches are everybody's.
pub(crate) enum Message {}

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

/// Where another cell is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Up,
    Down,
}

/// The next cell, or the same one where there is none in that direction.
pub(super) fn neighbour(cell: Strategy, side: Side) -> Strategy {
    let places = || CELLS.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y)));
    let Some((x, y)) = places().find(|&(x, y)| CELLS[y][x] == Some(cell)) else { return cell };
    let next = match side {
        Side::Left if x == 1 && CELLS[y][0].is_none() => Some((0, 1)),
        Side::Left => x.checked_sub(1).map(|x| (x, y)),
        Side::Right => Some((x + 1, y)),
        Side::Up => y.checked_sub(1).map(|y| (x, y)),
        Side::Down => Some((x, y + 1)),
    };
    next.and_then(|(x, y)| *CELLS.get(y)?.get(x)?).unwrap_or(cell)
}

/// Why a strategy has nothing to open or to export.
pub(super) fn why_no_release(shared: &Shared, strategy: Strategy) -> String {
    let run = shared.key("searches.run");
    match shared.run(strategy) {
        None => format!("{strategy} has not been run under this δ; {run} on the searches runs it"),
        Some(Run::Waiting | Run::Running { .. }) => format!("{strategy} is still under way"),
        Some(Run::Broken(_)) => format!("{strategy} broke; {run} runs it again"),
        Some(Run::Done(_)) => format!("{strategy} found no release that keeps δ"),
    }
}
