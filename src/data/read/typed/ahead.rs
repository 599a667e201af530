//! Lots of rows with their texts numbered; those of a file are decoded on a thread of its own while the one before is worked on.

use std::sync::mpsc::sync_channel;
use std::thread;

use polars::prelude::*;

use super::super::guard::{detail, guarded};
use super::decode::Frames;
use super::numbered::Numbered;
use super::{Typed, texts};
use crate::data::error::DataError;

/// Some rows of a table: the first columns that were asked for numbered, the others as texts.
#[derive(Debug)]
pub(crate) struct Lot {
    /// How many rows it has; at least one.
    pub(crate) rows: usize,
    pub(crate) numbered: Vec<Numbered>,
    pub(crate) texts: Vec<StringChunked>,
}

impl Lot {
    /// The rows of a frame that has these columns.
    ///
    /// # Errors
    /// If the frame lacks a column, or a value has no text.
    pub(crate) fn of(frame: &DataFrame, columns: &[&str], numbered: usize) -> Result<Self, String> {
        let column = |name: &&str| frame.column(name).map_err(detail);
        let (first, others) = columns.split_at(numbered);
        Ok(Self {
            rows: frame.height(),
            numbered: first.iter().map(|name| Numbered::of(column(name)?)).collect::<Result<_, _>>()?,
            texts: others.iter().map(|name| texts::of(column(name)?)).collect::<Result<_, _>>()?,
        })
    }
}

/// Is shown a lot; answers whether it wants more.
pub(crate) type Show<'a> = dyn FnMut(Lot) -> Result<bool, DataError> + 'a;

impl Typed {
    /// Shows some columns, many rows at once: the first `numbered` of them by their texts' numbers.
    pub(crate) fn visit_ahead(
        &self,
        columns: &[&str],
        numbered: usize,
        show: &mut Show,
    ) -> Result<(), DataError> {
        let distinct = self.distinct(columns)?;
        let stride = stride(distinct.len());
        let mut frames = guarded(&self.path, || Frames::new(&self.bytes, &self.footer, distinct, 0, stride))?;
        let mut next = move || {
            guarded(&self.path, || frames.next()?.map(|frame| Lot::of(&frame, columns, numbered)).transpose())
        };
        thread::scope(|scope| {
            let (give, take) = sync_channel(1);
            scope.spawn(move || {
                loop {
                    let lot = next().transpose();
                    let is_last = !matches!(lot, Some(Ok(_)));
                    // A receiver that wants no more has gone.
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
pub(crate) fn stride(columns: usize) -> usize {
    ((1 << 23) / columns.max(1)).clamp(Typed::STRIDE, 1 << 20)
}
