//! Work on all cores that the meter can stop.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::Rows;
use super::error::VerifyError;

/// How long the meter is not asked while work is under way.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether work is to stop. Work looks at it at least ten times a second; what it returns after a stop is dropped.
#[derive(Debug, Default)]
pub(super) struct Stop(AtomicBool);

impl Stop {
    pub(super) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// That of work that is to stop at once.
    #[cfg(test)]
    pub(super) fn now() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Rows<'_, '_> {
    /// Does some work on another thread and asks the meter meanwhile; an error if the meter says stop.
    pub(super) fn watch<T: Send>(&mut self, work: impl FnOnce(&Stop) -> T + Send) -> Result<T, VerifyError> {
        let stop = Stop::default();
        let (done, end) = channel::<()>();
        thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || {
                // It is dropped at the end of the work, and if the work panics.
                let _done = done;
                work(stop)
            });
            let mut told = Ok(());
            while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if told.is_ok() {
                    told = self.tell();
                    stop.0.store(told.is_err(), Ordering::Relaxed);
                }
            }
            match worker.join() {
                Ok(result) => told.map(|()| result),
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
