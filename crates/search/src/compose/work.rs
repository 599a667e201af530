//! Work that is counted, so that whoever waits is asked now and then, and hears how far it is.

use palmtop_core::progress::Meter;

/// How many steps are done between two questions: some milliseconds.
const EACH: u64 = 1 << 18;

/// Why work came to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// There is no table with these margins.
    NoTable,
    /// The meter said stop.
    Cancelled,
}

/// A meter, and the steps until it is asked again.
pub(super) struct Work<'a, 'm> {
    meter: &'a mut Meter<'m>,
    left: u64,
    done: u64,
}

impl<'a, 'm> Work<'a, 'm> {
    pub(super) fn new(meter: &'a mut Meter<'m>) -> Self {
        Self { meter, left: EACH, done: 0 }
    }

    /// Notes that so many more atoms are done.
    pub(super) fn finish(&mut self, atoms: usize) {
        self.done += atoms as u64;
    }

    /// Counts some steps; where they are enough, asks whether to go on.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Halt> {
        if steps < self.left {
            self.left -= steps;
            return Ok(());
        }
        self.left = EACH;
        if (self.meter)(self.done).is_break() { Err(Halt::Cancelled) } else { Ok(()) }
    }
}
