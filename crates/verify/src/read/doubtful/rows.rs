//! Finds the unusual rows among many. A row needs a look only if a text of its columns does.

use super::column::{Column, is_bare};
use super::text;
use crate::read::batch::{Batch, Cells};

/// What rows of a batch have.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The empty cells of each column.
    pub(super) empty: Vec<u64>,
    /// The rows that are unusual, ascending.
    pub(super) unusual: Vec<usize>,
}

/// What a text may be, as bits.
const EMPTY: u8 = 1;
const ODD: u8 = 2;
const NAME: u8 = 4;

impl Column {
    /// What each stored text of the column is; `None` if all are usual.
    fn kinds(&self, name: &str, cells: &Cells) -> Option<Vec<u8>> {
        let kind = |cell: &str| {
            let kind = match () {
                () if text::is_empty(cell) => EMPTY,
                () if text::sums_up(cell) || self.is_out_of_place(cell) => ODD,
                () => 0,
            };
            kind | if cell == name { NAME } else { 0 }
        };
        let kinds = cells.map(kind);
        kinds.iter().any(|kind| *kind != 0).then_some(kinds)
    }
}

impl Found {
    /// Looks at the rows of a batch from `first` on.
    pub(super) fn of(columns: &[Column], names: &[String], batch: &Batch, first: usize) -> Self {
        let of_columns = columns.iter().zip(names).zip(batch.all());
        let kinds: Vec<Option<Vec<u8>>> =
            of_columns.map(|((column, name), cells)| column.kinds(name, cells)).collect();
        let mut found = Self { empty: vec![0; columns.len()], unusual: Vec::new() };
        if kinds.iter().all(Option::is_none) {
            return found;
        }
        // For each row: its empty cells, the cells that are the names of their columns, and whether one is odd.
        let mut rows: Vec<(u32, u32, bool)> = vec![(0, 0, false); batch.len() - first];
        for ((kinds, cells), all) in kinds.iter().zip(batch.all()).zip(&mut found.empty) {
            let Some(kinds) = kinds else { continue };
            for ((empty, named, is_odd), number) in rows.iter_mut().zip(&cells.numbers()[first..]) {
                let kind = kinds[*number as usize];
                *empty += u32::from(kind & EMPTY != 0);
                *named += u32::from(kind & NAME != 0);
                *is_odd |= kind & ODD != 0;
                *all += u64::from(kind & EMPTY != 0);
            }
        }
        let width = names.len();
        let is_unusual = |(empty, named, is_odd): (u32, u32, bool)| {
            is_odd || named as usize == width || is_bare(width, empty as usize)
        };
        let unusual = rows.into_iter().enumerate().filter(|(_, row)| is_unusual(*row));
        found.unusual = unusual.map(|(row, _)| first + row).collect();
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::read::batch::{Batch, Cells};
    use crate::read::doubtful::{Doubtful, USUAL};
    use crate::read::rows_source::{NamedRow, RowsSource};

    proptest! {
        #[test]
        fn rows_at_once_are_those_one_by_one(
            rows in prop::collection::vec(["[0-9]|||total|a|x", "|[0-9]{2}|b|n/a|Summe", "[xy]|c|"], 0..120),
            before in prop_oneof![Just(0), Just(USUAL - 40), Just(USUAL + 7)],
            lengths in prop::collection::vec(0_usize..50, 1..6), kept in 0_u64..200,
        ) {
            let names = ["a", "b", "c"].map(str::to_owned);
            let source = RowsSource { keep: vec![NamedRow::Number(kept + before as u64)], ..RowsSource::default() };
            let usual = (0..before).map(|nth| [(nth % 7).to_string(), (nth % 50).to_string(), "x".to_owned()]);
            let rows: Vec<[String; 3]> = usual.chain(rows).collect();
            let (mut one, mut many) = (Doubtful::new(&names, &source), Doubtful::new(&names, &source));
            for (number, row) in (1..).zip(&rows) {
                one.look(number, row.iter().map(String::as_str));
            }
            let (mut rest, mut first, mut batches) = (rows.as_slice(), 1, Vec::new());
            for length in [before].into_iter().chain(lengths).chain([rows.len()]) {
                let some;
                (some, rest) = rest.split_at(length.min(rest.len()));
                let mut columns: Vec<Cells> = std::iter::repeat_with(Cells::default).take(3).collect();
                for row in some {
                    columns.iter_mut().zip(row).for_each(|(cells, text)| cells.push(text));
                }
                batches.push(Batch::of(columns, &[], some.len(), first));
                first += some.len() as u64;
            }
            batches.chunks(2).for_each(|batches| many.look_at(batches));
            prop_assert_eq!(format!("{one:?}"), format!("{many:?}"));
        }
    }
}
