//! Work on all cores while the caller watches it.
//!
//! A search answers to its caller's thread only: an observer need not be able to cross to another. So the work goes to
//! threads of its own, and the steps that it reports come back to the observer, whose wish to stop is a token that the
//! work looks at. Where the work has nothing new to tell for a while, the observer sees its last step again: it may want
//! to stop for reasons of its own. What the work computes must not depend on when it looks, but for how much of it is done.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::{Observer, Step};
use palmtop_core::progress::CancelToken;

/// For how long the observer is left alone at most.
const WHILE: Duration = Duration::from_millis(20);

/// How work tells of itself, from any thread, and learns whether to go on.
#[derive(Debug)]
pub(super) struct WorkerPool<'a> {
    /// Nothing where what it does is a part of what another pool tells of.
    steps: Option<SyncSender<Step>>,
    cancel: &'a CancelToken,
}

impl WorkerPool<'_> {
    /// The same pool, telling nothing, for work that is a part of other work.
    pub(super) fn quiet(&self) -> Self {
        Self { steps: None, cancel: self.cancel }
    }

    /// Tells of a step and whether to go on. Where the observer is still looking at another, it is spared this one.
    pub(super) fn report(&self, step: Step) -> ControlFlow<()> {
        // It is full or nobody listens any more; neither is the work's concern.
        if let Some(steps) = &self.steps {
            let _ = steps.try_send(step);
        }
        self.go_on()
    }

    /// Whether to go on.
    pub(super) fn go_on(&self) -> ControlFlow<()> {
        self.cancel.go_on()
    }
}

/// Runs `work`, which may use every core, and shows its steps to the observer meanwhile.
pub(super) fn watched<R: Send>(observer: &mut Observer, work: impl FnOnce(&WorkerPool) -> R + Send) -> R {
    let cancel = CancelToken::default();
    thread::scope(|scope| {
        let (sender, steps) = sync_channel(1);
        let pool = WorkerPool { steps: Some(sender), cancel: &cancel };
        // The pool goes with the work, so that the steps end when it does.
        let working = scope.spawn(move || work(&pool));
        let mut last = Step::of(0, 0);
        loop {
            match steps.recv_timeout(WHILE) {
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
    fn work_gives_its_result_and_its_steps_come_in_order() {
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
    fn whoever_wants_to_stop_is_asked_though_the_work_tells_nothing() {
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
    fn whoever_says_stop_is_heard() {
        let rounds = watched(&mut |_| ControlFlow::Break(()), |pool| {
            (0_u64..10_000_000).take_while(|&done| pool.report(Step::of(done, 0)).is_continue()).count()
        });
        assert!(rounds < 10_000_000, "{rounds}");
    }
}
