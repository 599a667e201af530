//! Hierarchies that compute labels from values by a rule.

use std::collections::BTreeSet;

use super::grid::Grid;
use crate::values::{Day, Number};
use palmtop_terms::Kind;

/// The sort key of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// A missing value, which sorts first.
    Missing,
    Number(Number),
    Day(Day),
    Text(String),
    /// The first rows of its labels, from the top down.
    Walk(Vec<u32>),
    /// The only value of the top level.
    Top,
}

/// The rule by which a type of hierarchy computes labels.
pub(super) trait LabelRule {
    /// The kind of the values, unless the project names another.
    fn kind(&self) -> Kind;
    /// The coarsest level.
    fn top(&self) -> u8;
    /// The label at level `to` of a text of level `from` ≤ `to`; `None` for a text that level `from` does not have.
    fn generalize(&self, text: &str, from: u8, to: u8) -> Option<String>;
    /// The sort key of a text of a level among values of a kind; `None` if the text is not of that kind.
    fn key(&self, text: &str, level: u8, kind: Kind) -> Option<Key>;
}

/// A grid with a row for each leaf, a text of level `base`, up to the top.
pub(super) fn above(rule: &dyn LabelRule, leaves: &BTreeSet<&str>, base: u8) -> Result<Grid, String> {
    let mut grid = Grid::new(usize::from(rule.top() - base) + 1)?;
    for leaf in leaves {
        let labels: Option<Vec<String>> =
            (base..=rule.top()).map(|level| rule.generalize(leaf, base, level)).collect();
        let labels = labels.ok_or_else(|| format!("`{leaf}` is not a label of level {base}"))?;
        grid.push(labels.iter().map(String::as_str))?;
    }
    Ok(grid)
}
