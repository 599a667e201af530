//! The frontier as text for the clipboard.

use super::walk::LatticeWalk;
use crate::kit::text;
use crate::kit::words::table_row as row;
use crate::shared::intent::Figures;
use crate::shared::state::Shared;

/// A longer table is cut: a clipboard drops a text that is too long without a message.
const MOST_ROWS: usize = 500;

/// The nodes of the frontier by loss, as a Markdown table.
pub(super) fn frontier(shared: &Shared, walk: &LatticeWalk) -> Result<Figures, String> {
    let map = walk.ground()?;
    let quasi = shared.problem.quasi();
    let names = quasi.iter().map(|quasi| text::safe(&quasi.name).replace('|', "\\|"));
    let mut lines = vec![
        row("node", &names.chain(["loss".to_owned()]).collect::<Vec<_>>()),
        row("---", &vec!["---:".to_owned(); quasi.len() + 1]),
    ];
    for position in map.frontier().take(MOST_ROWS) {
        let node = map.node(position);
        let loss = text::loss(map.loss(position));
        lines.push(row(
            &node.to_string(),
            &node.levels().iter().map(ToString::to_string).chain([loss]).collect::<Vec<_>>(),
        ));
    }
    let more = map.frontier_len().saturating_sub(MOST_ROWS);
    if more > 0 {
        lines.push(format!("\n{more} more, with more loss"));
    }
    let delta = shared.delta();
    let (all, open) = (map.len(), map.open(0..map.len()));
    let known = if map.is_complete() {
        format!("{} of {all} nodes keep it", map.passing(0..all))
    } else {
        format!(
            "{} of {all} nodes are known to keep it; CHECKING WAS STOPPED with {open} nodes open",
            map.passing(0..all)
        )
    };
    let heading =
        format!("{}: the frontier for δ {} to {}, {known}", shared.analysis.name(), delta.min(), delta.max());
    let content = format!("{heading}\n\n{}\n", lines.join("\n"));
    Ok(Figures { what: "the frontier", content })
}
