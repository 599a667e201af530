//! Hierarchies whose labels are made from a value.

use std::collections::BTreeSet;

use super::Key;
use super::grid::Grid;
use palmtop_terms::Kind;

/// How a type of hierarchy makes labels.
pub(super) trait Built {
    /// What its values are unless the project says otherwise.
    fn kind(&self) -> Kind;
    /// Its coarsest level.
    fn top(&self) -> u8;
    /// The label at level `to` of a text of level `from`, which is at most as coarse; `None` for a text that level `from`
    /// does not have.
    fn raise(&self, text: &str, from: u8, to: u8) -> Option<String>;
    /// The place of a text of a level in the order of values of a kind; `None` where it is none of that kind.
    fn key(&self, text: &str, level: u8, kind: Kind) -> Option<Key>;
}

/// The rows of some texts of level `base`, up to the top.
pub(super) fn above(built: &dyn Built, leaves: &BTreeSet<&str>, base: u8) -> Result<Grid, String> {
    let mut grid = Grid::new(usize::from(built.top() - base) + 1)?;
    for leaf in leaves {
        let labels: Option<Vec<String>> =
            (base..=built.top()).map(|level| built.raise(leaf, base, level)).collect();
        let labels = labels.ok_or_else(|| format!("`{leaf}` is no label of level {base}"))?;
        grid.push(labels.iter().map(String::as_str))?;
    }
    Ok(grid)
}
