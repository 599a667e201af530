//! Progress and cancellation of long work.
//!
//! Work calls an [`Observer`] (inside one stage, a [`Meter`]) with its progress. It stops if the answer is `Break`. Another
//! thread stops work through a [`CancelToken`], which an observer checks.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The progress of some work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress<S> {
    /// The current stage, with its details.
    pub stage: S,
    /// The amount that is done, in the unit of the stage.
    pub done: u64,
    /// The total amount; 0 if it is unknown.
    pub total: u64,
}

/// Receives the progress of work and answers whether to continue. After a stop it may still receive progress of other
/// threads that were running.
pub type Observer<'a, S> = dyn FnMut(Progress<S>) -> ControlFlow<()> + 'a;

/// Receives the amount done in one stage, in bytes or rows, and answers whether to continue.
pub type Meter<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

impl<S: Default> Progress<S> {
    /// Progress in a stage without details.
    pub fn of(done: u64, total: u64) -> Self {
        Self { stage: S::default(), done, total }
    }
}

/// An observer or meter that always continues.
pub fn unwatched<T>(_: T) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A request to stop that several threads share. It cannot be withdrawn.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Requests a stop. A thread that sees the request also sees all earlier writes of the caller.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether a stop was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// The answer of an observer: `Break` if a stop was requested.
    pub fn go_on(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The error of reading or writing that an observer stopped. It also passes through readers and writers as an
/// [`io::Error`](std::io::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped on request")]
pub struct Cancelled;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_a_token_cancels_its_clones_for_good() {
        let (token, other) = (CancelToken::default(), CancelToken::default());
        let clone = token.clone();
        assert!(clone.go_on().is_continue());
        std::thread::spawn(move || token.cancel()).join().unwrap();
        assert!(clone.is_cancelled() && clone.go_on().is_break());
        assert!(!other.is_cancelled());
    }
}
