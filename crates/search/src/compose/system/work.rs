//! Work in counted steps, after which the observer is asked whether to continue.

use palmtop_core::progress::Meter;

/// The number of steps between two questions: some milliseconds.
const EACH: u64 = 1 << 18;

/// Why a computation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// No table has these margins.
    NoTable,
    /// The meter stopped it.
    Cancelled,
}

/// A meter, and the number of steps until it is asked again.
pub(crate) struct Work<'a, 'm> {
    meter: &'a mut Meter<'m>,
    left: u64,
    done: u64,
}

impl<'a, 'm> Work<'a, 'm> {
    pub(crate) fn new(meter: &'a mut Meter<'m>) -> Self {
        Self { meter, left: EACH, done: 0 }
    }

    /// Adds finished atoms to the progress.
    pub(crate) fn finish(&mut self, atoms: usize) {
        self.done += atoms as u64;
    }

    /// Counts steps. After enough steps, asks the meter whether to continue.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Halt> {
        if steps < self.left {
            self.left -= steps;
            return Ok(());
        }
        self.left = EACH;
        if (self.meter)(self.done).is_break() { Err(Halt::Cancelled) } else { Ok(()) }
    }
}
