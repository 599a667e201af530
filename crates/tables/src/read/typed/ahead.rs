//! Lots of rows with numbered texts. A second thread decodes the next lot while the previous one is
//! counted.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use polars::prelude::*;

use super::super::guard::{detail, guarded};
use super::decode::Frames;
use super::numbered::Numbered;
use super::{Typed, texts};
use crate::error::DataError;

/// Some rows of a table: the first requested columns as numbers of texts, the others as texts.
#[derive(Debug)]
pub(crate) struct Lot {
    /// The number of rows; at least one.
    pub(crate) rows: usize,
    pub(crate) numbered: Vec<Numbered>,
    pub(crate) texts: Vec<StringChunked>,
}

impl Lot {
    /// The rows of a frame that has these columns.
    ///
    /// # Errors
    /// If the frame has no such column, or a value has no text.
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

impl Typed {
    /// Shows some columns in lots of rows; the first `numbered` columns come as numbers of texts.
    pub(crate) fn visit_ahead(
        &self,
        columns: &[&str],
        numbered: usize,
        show: &mut Show<'_, Lot>,
    ) -> Result<(), DataError> {
        let distinct = self.distinct(columns)?;
        let stride = stride(distinct.len());
        let mut frames = guarded(&self.path, || Frames::new(&self.bytes, &self.footer, distinct, 0, stride))?;
        let mut next = move || {
            guarded(&self.path, || frames.next()?.map(|frame| Lot::of(&frame, columns, numbered)).transpose())
        };
        let make = move |give: &mut Give<'_, Lot>| {
            while let Some(lot) = next()? {
                if !give(lot) {
                    break;
                }
            }
            Ok(())
        };
        ahead(make, &mut || Ok(()), show)
    }
}

/// The number of rows decoded at once: a row group of most writers, fewer if there are many
/// columns.
pub(crate) fn stride(columns: usize) -> usize {
    ((1 << 23) / columns.max(1)).clamp(Typed::STRIDE, 1 << 20)
}

/// Takes a value; returns whether more are wanted.
pub(crate) type Give<'a, T> = dyn FnMut(T) -> bool + 'a;

/// Receives a value; returns whether it wants more.
pub(crate) type Show<'a, T> = dyn FnMut(T) -> Result<bool, DataError> + 'a;

/// Makes values on a second thread, at most one ahead, and shows them on this thread in order.
/// While it waits, it calls `wait` ten times a second.
///
/// # Errors
/// The first error of `make` (after all values made before it), of `wait`, or of `show`.
pub(crate) fn ahead<T: Send>(
    make: impl FnOnce(&mut Give<'_, T>) -> Result<(), DataError> + Send,
    wait: &mut dyn FnMut() -> Result<(), DataError>,
    show: &mut Show<'_, T>,
) -> Result<(), DataError> {
    thread::scope(|scope| {
        let (give, take) = sync_channel(1);
        scope.spawn(move || {
            // Sending fails if no more values are wanted.
            if let Err(error) = make(&mut |value| give.send(Ok(value)).is_ok()) {
                let _ = give.send(Err(error));
            }
        });
        loop {
            match take.recv_timeout(Duration::from_millis(100)) {
                Ok(value) => {
                    if !show(value?)? {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => wait()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_order_until_stopped_or_failed() {
        let numbers = |give: &mut Give<'_, u32>| {
            let _ = (0..10).all(&mut *give);
            Err(DataError::Cancelled)
        };
        for (wanted, expected, is_error) in [(3, 0..3, false), (10, 0..10, false), (99, 0..10, true)] {
            let mut shown = Vec::new();
            let ended = ahead(numbers, &mut || Ok(()), &mut |number| {
                shown.push(number);
                Ok(shown.len() < wanted)
            });
            assert_eq!((shown, ended.is_err()), (expected.collect(), is_error));
        }
        let refused = ahead(numbers, &mut || Ok(()), &mut |_| Err(DataError::Cancelled));
        assert!(matches!(refused, Err(DataError::Cancelled)));
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
        assert!(matches!(ahead(slow, &mut wait, &mut |()| Ok(true)), Err(DataError::Cancelled)));
    }
}
