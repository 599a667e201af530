//! The values of a quasi-identifier that a published column leaves possible.

use super::column::{Column, NO_VALUE, Quasi};

/// The values of a quasi-identifier that a published column leaves possible, for each row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Implied {
    /// Distinct sets of values, each as ascending runs of codes without the end.
    pub(super) sets: Vec<Vec<(u32, u32)>>,
    /// The set of each row; [`NO_VALUE`] if the column predicts no value for the row.
    pub(super) of_row: Vec<u32>,
}

impl Implied {
    /// The values that each row leaves possible. `codes` gives the values of each text, and of
    /// `None` for a missing value.
    pub(super) fn of(
        column: &Column,
        quasi: &Quasi,
        codes: impl Fn(Option<u32>) -> Option<Vec<u32>>,
    ) -> Self {
        let mut sets: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        let mut set = |text: Option<u32>| {
            let Some(codes) = codes(text).filter(|codes| !codes.is_empty()) else { return NO_VALUE };
            *known.entry(quasi.runs(codes)).or_insert_with_key(|runs| {
                sets.push(runs.clone());
                u32::try_from(sets.len() - 1).expect("no more sets than texts")
            })
        };
        let of_text: Vec<u32> = (0..).take(column.texts.len()).map(|text| set(Some(text))).collect();
        let blank = set(None);
        let of_cell = |&cell: &u32| of_text.get(cell as usize).copied().unwrap_or(blank);
        Self { of_row: column.cells.iter().map(of_cell).collect(), sets }
    }
}
