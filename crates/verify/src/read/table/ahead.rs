//! Collects rows into batches, and reads the next ones while the last are counted.

use std::panic::resume_unwind;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use crate::problems::VerifyError;
use crate::read::batch::{Batch, FULL};
use crate::read::position::Visitor;

/// Receives the rows of a file, one batch after the other.
type OneVisitor<'a> = dyn FnMut(&mut Batch) -> Result<(), VerifyError> + 'a;

/// Collects rows of `width` columns and calls `show` with each batch.
pub(super) fn gather(
    width: usize,
    read: impl FnOnce(&mut Visitor) -> Result<(), VerifyError>,
    show: &mut OneVisitor,
) -> Result<(), VerifyError> {
    let mut batch = Batch::new(width);
    read(&mut |position, texts| {
        batch.push(position, texts);
        if batch.len() < FULL {
            return Ok(());
        }
        show(&mut batch)?;
        batch.clear();
        Ok(())
    })?;
    if batch.len() > 0 { show(&mut batch) } else { Ok(()) }
}

/// The number of batches that are read ahead.
const AHEAD: usize = 2;

/// [`gather`] with a thread that reads the next rows while `show` runs. An error of `show` takes precedence over an error in
/// later rows.
pub(super) fn visit_ahead(
    width: usize,
    read: impl FnOnce(&mut Visitor) -> Result<(), VerifyError> + Send,
    show: &mut OneVisitor,
) -> Result<(), VerifyError> {
    let (full, batches) = sync_channel::<Batch>(AHEAD);
    let (shown, empty) = channel::<Batch>();
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            gather(width, read, &mut |batch| {
                let next = empty.try_recv().unwrap_or_else(|_| Batch::new(width));
                // The receiver is gone after an error of `show`: no further batch is needed.
                full.send(std::mem::replace(batch, next)).map_err(|_| VerifyError::Cancelled)
            })
        });
        // The receiver is dropped with the first error, which ends the reader.
        let batches = batches;
        for mut batch in &batches {
            show(&mut batch)?;
            batch.clear();
            // The reader may have ended already and need no batch.
            let _ = shown.send(batch);
        }
        reader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::position::Position;
    use palmtop_terms::LocatedError;

    fn refusal() -> VerifyError {
        LocatedError::new("a refusal").into()
    }

    /// Rows in more batches than are read ahead.
    const ROWS: u64 = (AHEAD as u64 + 3) * FULL as u64 + 7;

    fn read(rows: u64, end: Result<(), VerifyError>) -> impl FnOnce(&mut Visitor) -> Result<(), VerifyError> {
        move |show| {
            for row in 0..rows {
                show(Position::Line(row + 2), &[&(row % 1000).to_string(), "x"])?;
            }
            end
        }
    }

    #[test]
    fn rows_read_ahead_keep_their_order() {
        let mut next = 0;
        let shown = visit_ahead(2, read(ROWS, Ok(())), &mut |batch| {
            for row in 0..batch.len() {
                assert_eq!(batch.position(row), Position::Line(next + 2));
                assert_eq!(batch.texts(row, 0..2), [(next % 1000).to_string().as_str(), "x"]);
                next += 1;
            }
            Ok(())
        });
        assert!(shown.is_ok());
        assert_eq!(next, ROWS);
    }

    #[test]
    fn error_while_showing_rows_ends_the_reader() {
        let refused = visit_ahead(2, read(u64::MAX, Ok(())), &mut |_| Err(refusal()));
        assert_eq!(refused.unwrap_err().to_string(), refusal().to_string());
        let mut rows = 0;
        let broken = visit_ahead(2, read(ROWS, Err(refusal())), &mut |batch| {
            rows += batch.len() as u64;
            Ok(())
        });
        assert_eq!(broken.unwrap_err().to_string(), refusal().to_string());
        assert_eq!(rows, ROWS - 7);
    }
}
