//! How work that takes long shows how far it is, and learns that it is to stop.
//!
//! There is one way for each: work calls an [`Observer`] (or, inside one stage, a [`Meter`]) with how far it is, and goes on
//! as long as that answers so; what is asked from another thread is asked by a [`CancelToken`], which an observer looks at.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far some work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress<S> {
    /// What is being done, and what is known of it besides.
    pub stage: S,
    /// How much of it is done, in the stage's own unit.
    pub done: u64,
    /// How much there is of it; 0 where nobody knows.
    pub total: u64,
}

/// Sees how far work is and answers whether to go on; after a stop it sees nothing more, but for work on other threads
/// that was under way.
pub type Observer<'a, S> = dyn FnMut(Progress<S>) -> ControlFlow<()> + 'a;

/// Sees how much of one stage is done, in bytes or rows, and answers whether to go on.
pub type Meter<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

impl<S: Default> Progress<S> {
    /// So much of so much is done, in a stage of which nothing more is known.
    pub fn of(done: u64, total: u64) -> Self {
        Self { stage: S::default(), done, total }
    }
}

/// The observer, or the meter, of work that nobody watches: it always goes on.
pub fn unwatched<T>(_: T) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A wish to stop that several threads share: once cancelled, it stays so.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks to stop. What the caller wrote before is seen by whoever sees that it is cancelled.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Whether to go on, as an observer answers it.
    pub fn go_on(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What reading or writing fails with whose observer said stop. It also passes, as an [`io::Error`](std::io::Error), through
/// readers and writers that know no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped on request")]
pub struct Cancelled;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_and_its_clones_are_cancelled_together_and_for_good() {
        let (token, other) = (CancelToken::default(), CancelToken::default());
        let clone = token.clone();
        assert!(clone.go_on().is_continue());
        std::thread::spawn(move || token.cancel()).join().unwrap();
        assert!(clone.is_cancelled() && clone.go_on().is_break());
        assert!(!other.is_cancelled());
    }
}
