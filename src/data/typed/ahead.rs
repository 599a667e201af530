//! Lots of rows with their texts numbered, decoded on a thread of its own while the one before is worked on.

use std::sync::mpsc::sync_channel;
use std::thread;

use polars_arrow::array::Utf8ViewArray;

use super::super::error::DataError;
use super::lots::Lots;
use super::numbered::Numbered;
use super::{Typed, guarded};

/// Some rows of a file: the first columns that were asked for numbered, the others as texts.
#[derive(Debug)]
pub(in super::super) struct Lot {
    /// How many rows it has; at least one.
    pub(in super::super) rows: usize,
    pub(in super::super) numbered: Vec<Numbered>,
    pub(in super::super) texts: Vec<Utf8ViewArray>,
}

/// Is shown a lot; answers whether it wants more.
pub(in super::super) type Show<'a> = dyn FnMut(Lot) -> Result<bool, DataError> + 'a;

impl Typed {
    /// Shows some columns, many rows at once: the first `numbered` of them by their texts' numbers.
    pub(in super::super) fn visit_ahead(
        &self,
        columns: &[&str],
        numbered: usize,
        show: &mut Show,
    ) -> Result<(), DataError> {
        let (distinct, places) = self.places(columns)?;
        let mut lots = guarded(&self.path, || {
            Lots::new(&self.bytes, &self.footer, &distinct, 0, stride(distinct.len()))
        })?;
        let mut next = move || {
            guarded(&self.path, || {
                let Some((cells, rows)) = lots.next()? else { return Ok(None) };
                let named = || places.iter().map(|&place| (&*self.columns[distinct[place]].0, &cells[place]));
                let numbers = named().take(numbered).map(|(name, cells)| cells.numbered(name));
                let texts = named().skip(numbered).map(|(name, cells)| cells.texts(name));
                Ok(Some(Lot {
                    rows,
                    numbered: numbers.collect::<Result<_, _>>()?,
                    texts: texts.collect::<Result<_, _>>()?,
                }))
            })
        };
        thread::scope(|scope| {
            let (give, take) = sync_channel(1);
            scope.spawn(move || {
                loop {
                    let lot = next().transpose();
                    let is_last = !matches!(lot, Some(Ok(_)));
                    // Who takes no more has gone.
                    if lot.is_some_and(|lot| give.send(lot).is_err()) || is_last {
                        break;
                    }
                }
            });
            for lot in take {
                if !show(lot?)? {
                    break;
                }
            }
            Ok(())
        })
    }
}

/// How many rows are decoded at once: a row group of most writers, unless there are many columns.
fn stride(columns: usize) -> usize {
    ((1 << 23) / columns.max(1)).clamp(Lots::STRIDE, 1 << 20)
}
