//! Runs work on another thread while the meter may stop it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::Rows;
use super::error::VerifyError;

/// The time between two calls of the meter.
const PAUSE: Duration = Duration::from_millis(50);

/// The request to stop. Work checks it at least ten times a second. Its result after a stop is dropped.
#[derive(Debug, Default)]
pub(super) struct Stop(AtomicBool);

impl Stop {
    pub(super) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A request to stop at once.
    #[cfg(test)]
    pub(super) fn now() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Rows<'_, '_> {
    /// Runs work on another thread and calls the meter meanwhile; an error if the meter asks to stop.
    pub(super) fn watch<T: Send>(&mut self, work: impl FnOnce(&Stop) -> T + Send) -> Result<T, VerifyError> {
        let stop = Stop::default();
        let (done, end) = channel::<()>();
        thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || {
                // The sender is dropped when the work ends or panics.
                let _done = done;
                work(stop)
            });
            let mut reported = Ok(());
            while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if reported.is_ok() {
                    reported = self.report();
                    stop.0.store(reported.is_err(), Ordering::Relaxed);
                }
            }
            match worker.join() {
                Ok(result) => reported.map(|()| result),
                Err(panic) => resume_unwind(panic),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn work_ends_with_its_result_and_stops_if_the_meter_says_so() {
        let mut go_on = |_| ControlFlow::Continue(());
        let mut rows = Rows { read: 7, ticks: 0, meter: &mut go_on };
        assert_eq!(rows.watch(|_| 3).unwrap(), 3);
        let mut asked = Vec::new();
        let mut end = |read| {
            asked.push(read);
            ControlFlow::Break(())
        };
        let result = Rows { read: 7, ticks: 0, meter: &mut end }.watch(|stop| {
            while !stop.is_wanted() {
                thread::yield_now();
            }
        });
        assert!(matches!(result, Err(VerifyError::Cancelled)), "{result:?}");
        assert_eq!(asked, [7]);
    }
}
