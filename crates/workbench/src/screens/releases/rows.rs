//! The rows of the table: what is in them, and how the cursor moves among them.

use palmtop_release::history::RecodingRecipe;
use palmtop_search::{ColumnRule, Strategy};

use crate::kit::command::Movement;
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

/// What the cursor is on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A strategy under the current δ.
    Search(Strategy),
    /// A recipe that is not the result of a strategy under the current δ.
    Recipe(RecodingRecipe),
}

impl Cell {
    /// The recipe of its release; none if its search has no release.
    pub(super) fn recipe(&self, shared: &Shared) -> Option<RecodingRecipe> {
        match self {
            Self::Search(strategy) => {
                let outcome = shared.outcome(*strategy)?;
                outcome.measured.as_ref().map(|_| RecodingRecipe::Search(outcome.search.clone()))
            }
            Self::Recipe(recipe) => Some(recipe.clone()),
        }
    }

    /// Its release, among the candidates.
    pub(super) fn among<'a>(&self, shared: &Shared, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
        let recipe = self.recipe(shared)?;
        candidates.iter().find(|candidate| candidate.recipe == recipe)
    }
}

/// The strategies that have a row each, the recommended one first.
fn alone() -> Vec<Strategy> {
    let mut alone: Vec<Strategy> = Strategy::all().filter(|strategy| strategy.rules().is_none()).collect();
    alone[1..].reverse();
    alone
}

/// The rows, each with one cell or with three: the strategies, the nine by their rule of columns, then every other
/// candidate, the best first.
pub(super) fn rows(shared: &Shared, candidates: &[Candidate]) -> Vec<Vec<Cell>> {
    let mut rows: Vec<Vec<Cell>> = alone().into_iter().map(|strategy| vec![Cell::Search(strategy)]).collect();
    for column in ColumnRule::ALL {
        let of_rule = |strategy: &Strategy| strategy.rules().is_some_and(|(rule, _)| rule == column);
        rows.push(Strategy::nine().filter(of_rule).map(Cell::Search).collect());
    }
    let found: Vec<RecodingRecipe> = rows.iter().flatten().filter_map(|cell| cell.recipe(shared)).collect();
    let others = candidates.iter().map(|candidate| &candidate.recipe);
    let others = others.filter(|recipe| !found.contains(recipe));
    rows.extend(others.map(|recipe| vec![Cell::Recipe(recipe.clone())]));
    rows
}

/// Every cell, row by row.
pub(super) fn cells(shared: &Shared) -> Vec<Cell> {
    rows(shared, &shared.candidates()).into_iter().flatten().collect()
}

/// The row and the column of a cell.
fn position(rows: &[Vec<Cell>], cell: &Cell) -> Option<(usize, usize)> {
    let mut all = rows.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (y, x)));
    all.find(|&(y, x)| rows[y][x] == *cell)
}

/// The row of a cell; the first one if it is in none.
pub(super) fn row_of(rows: &[Vec<Cell>], cell: &Cell) -> usize {
    position(rows, cell).map_or(0, |(row, _)| row)
}

/// The cell that a movement leads to. Within the block it stays in its column.
pub(super) fn moved(rows: &[Vec<Cell>], cell: &Cell, movement: Movement) -> Cell {
    let (mut row, column) = position(rows, cell).unwrap_or_default();
    movement.shift(&mut row, rows.len());
    rows[row][column.min(rows[row].len() - 1)].clone()
}

/// The cell to a side in its row; the same one at the end.
pub(super) fn beside(rows: &[Vec<Cell>], cell: &Cell, is_right: bool) -> Cell {
    let Some((row, column)) = position(rows, cell) else { return cell.clone() };
    let next = if is_right { column + 1 } else { column.saturating_sub(1) };
    rows[row].get(next).unwrap_or(cell).clone()
}
