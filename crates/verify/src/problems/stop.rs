//! The request to stop work, and how far the work is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The request to stop, which work checks at least ten times a second; its result after a stop is dropped. Work that reads a
/// table says here how many rows it has read.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    is_wanted: AtomicBool,
    rows: AtomicU64,
}

impl Stop {
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    pub(crate) fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Counts rows that were read.
    pub(crate) fn read(&self, rows: usize) {
        self.rows.fetch_add(rows as u64, Ordering::Relaxed);
    }

    /// The rows that were read.
    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// A request to stop at once.
    #[cfg(test)]
    pub(crate) fn now() -> Self {
        let stop = Self::default();
        stop.want();
        stop
    }
}
