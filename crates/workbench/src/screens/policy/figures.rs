//! The curve as text for the clipboard.

use super::curve::{Figure, ROUNDS, Sweep};
use crate::kit::text;
use crate::kit::words::table_row as row;
use crate::shared::intent::Figures;
use crate::shared::state::Shared;

/// The measured losses as a Markdown table, a row per δmax.
pub(super) fn of_curve(shared: &Shared, sweep: &Sweep) -> Result<Figures, String> {
    let min = shared.delta().min();
    let strategies = sweep.strategies(min);
    if strategies.is_empty() {
        return Err("no measurements yet".to_owned());
    }
    let head: Vec<String> = strategies.iter().map(ToString::to_string).collect();
    let mut lines = vec![row("δmax", &head), row("---:", &vec!["---:".to_owned(); strategies.len()])];
    for delta in sweep.deltas(&shared.problem) {
        let figures: Vec<String> = strategies
            .iter()
            .map(|&strategy| match sweep.figure(strategy, delta) {
                Figure::Open => String::new(),
                Figure::Nothing => "none".to_owned(),
                Figure::Loss(loss) => text::loss(loss),
            })
            .collect();
        lines.push(row(&delta.max().to_string(), &figures));
    }
    let heading =
        format!("{}: loss over δmax, δmin {min}; best with {ROUNDS} rounds", shared.analysis.name());
    let content = format!("{heading}\n\n{}\n", lines.join("\n"));
    Ok(Figures { what: "the curve", content })
}
