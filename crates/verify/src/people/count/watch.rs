//! The progress of reading, and work on another thread that the meter may stop.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::problems::Stop;
use crate::problems::VerifyError;
use palmtop_terms::progress::Meter;

/// The time between two calls of the meter.
const PAUSE: Duration = Duration::from_millis(50);

/// The progress of reading, which it reports to a meter.
pub(crate) struct Rows<'a, 'm> {
    read: u64,
    ticks: u64,
    meter: &'a mut Meter<'m>,
}

impl<'a, 'm> Rows<'a, 'm> {
    pub(crate) fn new(meter: &'a mut Meter<'m>) -> Self {
        Self { read: 0, ticks: 0, meter }
    }
}

impl Rows<'_, '_> {
    /// The number of rows between two reports.
    const STRIDE: u64 = 1 << 14;

    /// Counts a row of the release. The meter does not see the number, but may stop the work.
    pub(crate) fn tick(&mut self) -> Result<(), VerifyError> {
        self.step(1)
    }

    /// Counts work that takes about as long as `rows` rows of a release.
    pub(crate) fn step(&mut self, rows: usize) -> Result<(), VerifyError> {
        let before = self.ticks / Self::STRIDE;
        self.ticks += rows as u64;
        if self.ticks / Self::STRIDE > before { self.report() } else { Ok(()) }
    }

    /// Reports the number of rows read; an error if the meter asks to stop.
    pub(crate) fn report(&mut self) -> Result<(), VerifyError> {
        if (self.meter)(self.read).is_break() { Err(VerifyError::Cancelled) } else { Ok(()) }
    }

    /// Runs work on another thread and calls the meter meanwhile, with the rows that the work has read; an error if the meter
    /// asks to stop.
    pub(crate) fn watch<T: Send>(&mut self, work: impl FnOnce(&Stop) -> T + Send) -> Result<T, VerifyError> {
        let stop = Stop::default();
        let (done, end) = channel::<()>();
        thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || {
                // The sender is dropped when the work ends or panics.
                let _done = done;
                work(stop)
            });
            let (mut reported, before) = (Ok(()), self.read);
            let report = |rows: &mut Self| {
                rows.read = before + stop.rows();
                let result = rows.report();
                if result.is_err() {
                    stop.want();
                }
                result
            };
            while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if reported.is_ok() {
                    reported = report(self);
                }
            }
            if reported.is_ok() && stop.rows() > 0 {
                reported = report(self);
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
    fn meter_can_stop_work_before_its_result() {
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
