//! Lots of rows with numbered texts. Other threads decode the next lots while one is counted. Lots are
//! shown in the order of the file, so nothing depends on the number of threads.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use polars::prelude::*;
use rustc_hash::FxHashSet;

use super::super::guard::{detail, guarded};
use super::super::persons::number_of;
use super::decode::Frames;
use super::numbered::Numbered;
use super::{Typed, texts};
use crate::error::DataError;

/// What is asked of each row.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The columns.
    pub(crate) columns: &'a [&'a str],
    /// The number of the first columns that come as numbers of texts.
    pub(crate) numbered: usize,
    /// Only rows whose text in the first column has one of these [numbers](number_of); `None` asks for all rows.
    pub(crate) wanted: Option<&'a FxHashSet<u64>>,
}

impl<'a> Asked<'a> {
    /// All rows, with the first `numbered` columns as numbers of texts.
    pub(crate) fn all(columns: &'a [&'a str], numbered: usize) -> Self {
        Self { columns, numbered, wanted: None }
    }
}

/// Some rows of a table: the first requested columns as numbers of texts, the others as texts.
#[derive(Debug)]
pub(crate) struct Lot {
    /// The number of rows of the table; at least one.
    pub(crate) rows: usize,
    /// The rows that the columns have; `None` if they have all of them.
    pub(crate) wanted: Option<Vec<IdxSize>>,
    pub(crate) numbered: Vec<Numbered>,
    pub(crate) texts: Vec<StringChunked>,
}

impl Lot {
    /// The rows of a frame that has these columns. A column that is asked for twice gets its texts once.
    ///
    /// # Errors
    /// If the frame has no such column, or a value has no text.
    pub(crate) fn of(frame: &DataFrame, asked: Asked) -> Result<Self, String> {
        let mut lot = Self { rows: frame.height(), wanted: None, numbered: Vec::new(), texts: Vec::new() };
        if let (Some(numbers), Some(first)) = (asked.wanted, asked.columns.first()) {
            let texts = texts::of(frame.column(first).map_err(detail)?)?;
            let has = |text: Option<&str>| numbers.contains(&number_of(text.unwrap_or_default()));
            let rows = (0..).zip(texts.iter()).filter(|(_, text)| has(*text));
            lot.wanted = Some(rows.map(|(row, _)| row).collect());
        }
        for (nth, name) in asked.columns.iter().enumerate() {
            let column = frame.column(name).map_err(detail)?;
            let some = lot.wanted.as_ref().map(|rows| column.take_slice(rows)).transpose().map_err(detail)?;
            let column = some.as_ref().unwrap_or(column);
            if nth < asked.numbered {
                lot.numbered.push(Numbered::of(column)?);
                continue;
            }
            let known = asked.columns[asked.numbered..nth].iter().position(|known| known == name);
            let texts = known.map_or_else(|| texts::of(column), |known| Ok(lot.texts[known].clone()));
            lot.texts.push(texts?);
        }
        Ok(lot)
    }
}

impl Typed {
    /// Shows some columns in lots of rows.
    pub(crate) fn visit_ahead(&self, asked: Asked, show: &mut Show<'_, Lot>) -> Result<(), DataError> {
        self.visit_made(asked.columns, &|frame| Lot::of(&frame, asked), show)
    }

    /// Decodes every readable column, and forgets it.
    pub(crate) fn decode_all(&self) -> Result<(), DataError> {
        let columns: Vec<&str> = self.columns().filter(|column| self.is_readable(column)).collect();
        self.visit_made(&columns, &|_| Ok(()), &mut |()| Ok(true))
    }

    /// Shows what `make` makes of frames with some columns.
    ///
    /// Each thread that decodes is one of ours: a thread of Rayon that waits for the pool of Polars begins the
    /// next slice on the same stack, and with it the next, until the stack overflows.
    fn visit_made<T: Send>(
        &self,
        columns: &[&str],
        make: &Make<'_, T>,
        show: &mut Show<'_, T>,
    ) -> Result<(), DataError> {
        let distinct = self.distinct(columns)?;
        let stride = stride(distinct.len());
        let slices = self.footer.slices(stride);
        let threads = rayon::current_num_threads().min(slices.len()).max(1);
        let maker = |nth: usize| {
            let (slices, distinct) = (slices.iter().skip(nth).step_by(threads), &distinct);
            move |give: &mut Give<'_, T>| {
                for slice in slices {
                    let (columns_of, slice) = (distinct.clone(), slice.clone());
                    let mut frames = guarded(&self.path, || {
                        Frames::new(&self.bytes, &self.footer, columns_of, slice, stride)
                    })?;
                    let mut next = || guarded(&self.path, || frames.next()?.map(make).transpose());
                    while let Some(made) = next()? {
                        if !give(made) {
                            return Ok(());
                        }
                    }
                }
                Ok(())
            }
        };
        ahead_in_turn((0..threads).map(maker).collect(), &mut || Ok(()), show)
    }
}

/// Makes something of a frame. All threads call it.
type Make<'a, T> = dyn Fn(DataFrame) -> Result<T, String> + Sync + 'a;

/// The number of rows decoded at once: a row group of most writers, whose columns fit the caches; fewer
/// if there are many columns.
fn stride(columns: usize) -> usize {
    ((1 << 22) / columns.max(1)).clamp(1 << 14, Typed::STRIDE)
}

/// Takes a value; returns whether more are wanted.
pub(crate) type Give<'a, T> = dyn FnMut(T) -> bool + 'a;

/// Receives a value; returns whether it wants more.
pub(crate) type Show<'a, T> = dyn FnMut(T) -> Result<bool, DataError> + 'a;

/// Makes values on one thread for each of `makers`, at most one ahead each, and shows them on this
/// thread: one of each maker in turn, until it is the turn of one that has ended. While it waits, it
/// calls `wait` ten times a second.
///
/// # Errors
/// The first error of a maker (after all values before it), of `wait`, or of `show`.
pub(crate) fn ahead_in_turn<T: Send>(
    makers: Vec<impl FnOnce(&mut Give<'_, T>) -> Result<(), DataError> + Send>,
    wait: &mut dyn FnMut() -> Result<(), DataError>,
    show: &mut Show<'_, T>,
) -> Result<(), DataError> {
    thread::scope(|scope| {
        let mut takers = Vec::with_capacity(makers.len());
        for make in makers {
            let (give, take) = sync_channel(1);
            takers.push(take);
            scope.spawn(move || {
                // Sending fails if no more values are wanted.
                if let Err(error) = make(&mut |value| give.send(Ok(value)).is_ok()) {
                    let _ = give.send(Err(error));
                }
            });
        }
        for take in takers.iter().cycle() {
            let value = loop {
                match take.recv_timeout(Duration::from_millis(100)) {
                    Ok(value) => break value?,
                    Err(RecvTimeoutError::Timeout) => wait()?,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            };
            if !show(value)? {
                return Ok(());
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use super::super::decode::STRIDE;
    use super::*;
    use crate::source::spec::Format;

    #[test]
    fn values_come_in_order_until_stopped_or_failed() {
        let numbers = |give: &mut Give<'_, u32>| {
            let _ = (0..10).all(&mut *give);
            Err(DataError::Cancelled)
        };
        for (wanted, expected, is_error) in [(3, 0..3, false), (10, 0..10, false), (99, 0..10, true)] {
            let mut shown = Vec::new();
            let ended = ahead_in_turn(vec![numbers], &mut || Ok(()), &mut |number| {
                shown.push(number);
                Ok(shown.len() < wanted)
            });
            assert_eq!((shown, ended.is_err()), (expected.collect(), is_error));
        }
        let refused = ahead_in_turn(vec![numbers], &mut || Ok(()), &mut |_| Err(DataError::Cancelled));
        assert!(matches!(refused, Err(DataError::Cancelled)));
    }

    #[test]
    fn values_of_several_threads_come_in_turn() {
        for (threads, all, wanted) in
            [(1, 7, 99), (2, 7, 99), (3, 0, 99), (7, 20, 99), (16, 5, 99), (3, 9, 4)]
        {
            let maker = |nth: usize| {
                move |give: &mut Give<'_, usize>| {
                    let _ = (nth..all).step_by(threads).all(&mut *give);
                    if all == 20 && nth == 20 % 7 { Err(DataError::Cancelled) } else { Ok(()) }
                }
            };
            let mut shown = Vec::new();
            let ended = ahead_in_turn((0..threads).map(maker).collect(), &mut || Ok(()), &mut |number| {
                shown.push(number);
                Ok(shown.len() < wanted)
            });
            assert_eq!(shown, (0..all.min(wanted)).collect::<Vec<_>>(), "{threads}");
            assert_eq!(ended.is_err(), all == 20);
        }
    }

    #[test]
    fn slice_is_not_begun_within_another() {
        thread_local! {
            static IS_BUSY: Cell<bool> = const { Cell::new(false) };
        }
        let columns = vec![Column::new("n".into(), vec![1_i8; 30 * STRIDE])];
        let mut frame = DataFrame::new(30 * STRIDE, columns).unwrap();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).with_row_group_size(Some(STRIDE)).finish(&mut frame).unwrap();
        let typed = Typed::new(Path::new("n.parquet"), Format::Parquet, bytes).unwrap();
        let polars = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let make = |frame: DataFrame| {
            if IS_BUSY.replace(true) {
                return Err("it begins within another".to_owned());
            }
            polars.install(|| thread::sleep(Duration::from_millis(1)));
            IS_BUSY.set(false);
            Ok(frame.height())
        };
        let mut rows = 0;
        let ours = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        ours.install(|| {
            typed.visit_made(&["n"], &make, &mut |made| {
                rows += made;
                Ok(true)
            })
        })
        .unwrap();
        assert_eq!(rows, 30 * STRIDE);
    }

    #[test]
    fn stop_is_obeyed_while_a_value_is_made() {
        let (stop, stopped) = sync_channel::<()>(1);
        let slow = move |_: &mut Give<'_, ()>| {
            let _ = stopped.recv();
            Ok(())
        };
        let mut stop = Some(stop);
        let mut wait = || {
            stop = None;
            Err(DataError::Cancelled)
        };
        assert!(matches!(
            ahead_in_turn(vec![slow], &mut wait, &mut |()| Ok(true)),
            Err(DataError::Cancelled)
        ));
    }
}
