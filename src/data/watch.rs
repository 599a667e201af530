//! How much of a table is read: whoever is told answers whether to go on.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};

/// Is told how much is done so far, in bytes or rows, and answers whether to go on.
pub type Meter<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// A reader that hashes what passes through it, and tells a meter of every MiB.
pub(super) struct Hashing<'a, 'm, R> {
    inner: R,
    hasher: &'a mut Sha256,
    meter: &'a mut Meter<'m>,
    read: u64,
    told: u64,
}

impl<'a, 'm, R> Hashing<'a, 'm, R> {
    /// How many bytes pass between two tellings.
    const STRIDE: u64 = 1 << 20;

    pub(super) fn new(inner: R, hasher: &'a mut Sha256, meter: &'a mut Meter<'m>) -> Self {
        Self { inner, hasher, meter, read: 0, told: 0 }
    }
}

impl<R: Read> Read for Hashing<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.read += count as u64;
        if self.read - self.told >= Self::STRIDE {
            self.told = self.read;
            if (self.meter)(self.read).is_break() {
                return Err(io::Error::other(Stopped));
            }
        }
        Ok(count)
    }
}

/// What a reader fails with whose meter said stop: it passes through readers that know only errors of input.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

/// Whether a reader failed only because its meter said stop.
pub(super) fn is_stopped(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<Stopped>())
}

/// Counts the rows that pass through a query, on whatever thread, and knows whether it should go on.
#[derive(Clone, Debug)]
pub(super) struct Passing {
    rows: Arc<AtomicU64>,
    is_stopped: Arc<AtomicBool>,
    told: SyncSender<u64>,
}

impl Passing {
    /// Counts some more rows; answers whether to go on.
    pub(super) fn pass(&self, rows: usize) -> ControlFlow<()> {
        let rows = self.rows.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
        // The watcher may still be busy with an earlier number; the next one will do.
        let _ = self.told.try_send(rows);
        if self.is_stopped.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Runs a query on a thread of its own while its caller's tells the meter of the rows that passed.
///
/// `None` where the meter said stop: what the query came to is then not to be relied on.
pub(super) fn watched<R: Send>(meter: &mut Meter, query: impl FnOnce(Passing) -> R + Send) -> Option<R> {
    /// How long the meter is not asked where nothing passes.
    const PATIENCE: Duration = Duration::from_millis(100);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let (told, rows) = sync_channel(1);
    let passing = Passing { rows: Arc::default(), is_stopped: Arc::clone(&is_stopped), told };
    let mut done = 0;
    let result = thread::scope(|scope| {
        let working = scope.spawn(move || query(passing));
        // Not only the end of the channel ends the watch: nobody promises that a query is dropped when it is done.
        while !working.is_finished() {
            match rows.recv_timeout(PATIENCE) {
                Ok(seen) => done = done.max(seen),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if meter(done).is_break() {
                is_stopped.store(true, Ordering::Relaxed);
                break;
            }
        }
        working.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    (!is_stopped.load(Ordering::Relaxed)).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads so many bytes; answers what the meter was told, and how the reading ended.
    fn read(bytes: usize, stop_at: u64) -> (Vec<u64>, io::Result<u64>) {
        let (mut told, mut hasher) = (Vec::new(), Sha256::new());
        let mut meter = |done| {
            told.push(done);
            if done >= stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let content = vec![0; bytes];
        let ended = io::copy(&mut Hashing::new(&content[..], &mut hasher, &mut meter), &mut io::sink());
        (told, ended)
    }

    #[test]
    fn every_mebibyte_is_told_and_a_stop_is_heard_there() {
        let mebibyte = 1 << 20;
        assert_eq!(read(100, 0).0, [0_u64; 0]);
        let (told, ended) = read(5 * mebibyte + 7, u64::MAX);
        assert_eq!((told.len(), ended.unwrap()), (5, 5 * mebibyte as u64 + 7));
        let (told, ended) = read(5 * mebibyte, 2 * mebibyte as u64);
        assert_eq!(told.len(), 2);
        assert!(is_stopped(&ended.unwrap_err()));
        assert!(!is_stopped(&io::Error::other("no")));
    }

    #[test]
    fn rows_are_told_while_they_pass_and_a_stop_reaches_the_query() {
        let mut told = Vec::new();
        let count = |passing: Passing| (0..200_000).take_while(|_| passing.pass(2).is_continue()).count();
        let whole = watched(
            &mut |done| {
                told.push(done);
                ControlFlow::Continue(())
            },
            count,
        );
        assert_eq!(whole, Some(200_000));
        assert!(told.is_sorted() && told.iter().all(|&done| done <= 400_000), "{told:?}");
        let endless = |passing: Passing| while passing.pass(1).is_continue() {};
        assert_eq!(watched(&mut |_| ControlFlow::Break(()), endless), None);
    }

    #[test]
    fn a_query_that_tells_nothing_can_be_stopped_once_it_is_done() {
        let silent = |passing: Passing| {
            thread::sleep(Duration::from_millis(150));
            drop(passing);
        };
        assert_eq!(watched(&mut |_| ControlFlow::Break(()), silent), None);
    }
}
