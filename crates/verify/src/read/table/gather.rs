//! Collects rows into batches.

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
        batch.push(position, texts.iter().copied());
        if batch.len() < FULL {
            return Ok(());
        }
        show(&mut batch)?;
        batch.clear();
        Ok(())
    })?;
    if batch.len() > 0 { show(&mut batch) } else { Ok(()) }
}
