//! Work on all cores, watched by the caller's thread.
//!
//! An observer need not be `Send`, so that it must be called on its caller's thread. The work runs
//! on other threads. Its steps are sent to the observer, and the observer's wish to stop is sent
//! back as a token that the work checks. If the work sends no step for a while, the observer sees
//! the last step again, because it may want to stop for reasons of its own (a key, a deadline).
//! The moment of a check may decide how much work is done, but must not change its results.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::{Observer, Step};
use palmtop_core::progress::CancelToken;

/// The longest time between two calls of the observer.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A handle with which the work, on any thread, reports steps and learns whether to continue.
#[derive(Debug)]
pub(crate) struct WorkerPool<'a> {
    /// `None` if the work is a part of work whose steps another handle reports.
    steps: Option<SyncSender<Step>>,
    cancel: &'a CancelToken,
}

impl WorkerPool<'_> {
    /// A handle that reports no steps, for work that is a part of other work.
    pub(crate) fn quiet(&self) -> Self {
        Self { steps: None, cancel: self.cancel }
    }

    /// Reports a step, and returns whether to continue. The step is dropped if the observer is
    /// busy.
    pub(crate) fn report(&self, step: Step) -> ControlFlow<()> {
        // The channel is full or closed; the work does not depend on either.
        if let Some(steps) = &self.steps {
            let _ = steps.try_send(step);
        }
        self.go_on()
    }

    /// Whether the work should continue.
    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        self.cancel.go_on()
    }
}

/// Runs `work`, which may use all cores, and meanwhile shows its steps to the observer.
pub(crate) fn watched<R: Send>(observer: &mut Observer, work: impl FnOnce(&WorkerPool) -> R + Send) -> R {
    let cancel = CancelToken::default();
    thread::scope(|scope| {
        let (sender, steps) = sync_channel(1);
        let pool = WorkerPool { steps: Some(sender), cancel: &cancel };
        // The work owns the handle, so that the channel closes when the work ends.
        let working = scope.spawn(move || work(&pool));
        let mut last = Step::of(0, 0);
        loop {
            match steps.recv_timeout(POLL_INTERVAL) {
                Ok(step) => last = step,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if observer(last).is_break() {
                cancel.cancel();
            }
        }
        working.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn worker_gives_its_result_and_steps_in_order() {
        let mut seen = Vec::new();
        let sum = watched(
            &mut |step| {
                seen.push(step.done);
                ControlFlow::Continue(())
            },
            |pool| {
                let squares: u64 = (0..1000_u64).into_par_iter().map(|number| number * number).sum();
                for done in 0..100 {
                    assert!(pool.report(Step::of(done, 0)).is_continue());
                }
                squares
            },
        );
        assert_eq!(sum, 332_833_500);
        assert!(!seen.is_empty() && seen.is_sorted(), "{seen:?}");
    }

    #[test]
    fn observer_is_asked_even_about_silent_work() {
        let mut asked = 0;
        let rounds = watched(
            &mut |_| {
                asked += 1;
                if asked > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
            |pool| (0_u64..100_000_000_000).take_while(|_| pool.go_on().is_continue()).count(),
        );
        assert!(rounds < 100_000_000_000, "{rounds}");
    }

    #[test]
    fn a_request_to_stop_ends_the_work() {
        let rounds = watched(&mut |_| ControlFlow::Break(()), |pool| {
            (0_u64..10_000_000).take_while(|&done| pool.report(Step::of(done, 0)).is_continue()).count()
        });
        assert!(rounds < 10_000_000, "{rounds}");
    }
}
