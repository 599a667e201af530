//! Releases side by side, with all that was measured of each.

use palmtop::columns::Table;

use super::measured::{MeasuredRelease, table_of};
use super::{risk, utility};
use palmtop_console::result::{RunResult, comparison};

/// A release, and what was measured of it.
pub(super) struct Side<'a> {
    pub(super) name: String,
    pub(super) loss: Option<RunResult>,
    pub(super) risk: Option<risk::Column<'a>>,
    pub(super) utility: Option<utility::Column<'a>>,
}

impl Side<'_> {
    /// A release of which nothing is measured yet.
    pub(super) fn of(name: String) -> Self {
        Self { name, loss: None, risk: None, utility: None }
    }
}

/// Every measure of every release.
pub(super) fn table(sides: &[Side<'_>]) -> Table {
    let loss = |side: &Side<'_>| {
        let run = comparison(std::slice::from_ref(side.loss.as_ref()?));
        let names = run.heads.into_iter().map(|head| head.name);
        Some(names.zip(run.rows.into_iter().flatten()).collect())
    };
    let risk = |side: &Side<'_>| side.risk.as_ref().map(MeasuredRelease::measures);
    let utility = |side: &Side<'_>| side.utility.as_ref().map(MeasuredRelease::measures);
    let parts = [
        sides.iter().map(loss).collect(),
        sides.iter().map(risk).collect(),
        sides.iter().map(utility).collect(),
    ];
    table_of(sides.iter().map(|side| side.name.clone()).collect(), parts.into())
}
