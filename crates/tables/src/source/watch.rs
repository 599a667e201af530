//! A reader that reports its progress and hashes what it reads.

use std::io::{self, Read};
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use palmtop_core::progress::Cancelled;

/// Hashes the bytes that pass, if asked to, and reports each MiB to a meter.
pub(crate) struct Hashing<'a, R, M: ?Sized> {
    inner: R,
    hasher: Option<&'a mut Sha256>,
    meter: &'a mut M,
    read: u64,
    reported: u64,
}

impl<'a, R, M: FnMut(u64) -> ControlFlow<()> + ?Sized> Hashing<'a, R, M> {
    /// The number of bytes between two reports.
    const STRIDE: u64 = 1 << 20;

    pub(crate) fn new(inner: R, hasher: Option<&'a mut Sha256>, meter: &'a mut M) -> Self {
        Self { inner, hasher, meter, read: 0, reported: 0 }
    }
}

impl<R: Read, M: FnMut(u64) -> ControlFlow<()> + ?Sized> Read for Hashing<'_, R, M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&buffer[..count]);
        }
        self.read += count as u64;
        if self.read - self.reported >= Self::STRIDE {
            self.reported = self.read;
            if (self.meter)(self.read).is_break() {
                return Err(io::Error::other(Cancelled));
            }
        }
        Ok(count)
    }
}

/// Whether a read failed only because the meter asked to stop.
pub(crate) fn is_cancelled(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<Cancelled>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `bytes` bytes; returns what the meter received, and how the read ended.
    fn read(bytes: usize, stop_at: u64) -> (Vec<u64>, io::Result<u64>) {
        let (mut reported, mut hasher) = (Vec::new(), Sha256::new());
        let mut meter = |done| {
            reported.push(done);
            if done >= stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let content = vec![0; bytes];
        let ended = io::copy(&mut Hashing::new(&content[..], Some(&mut hasher), &mut meter), &mut io::sink());
        (reported, ended)
    }

    #[test]
    fn progress_and_stops_are_checked_every_mebibyte() {
        let mebibyte = 1 << 20;
        assert_eq!(read(100, 0).0, [0_u64; 0]);
        let (reported, ended) = read(5 * mebibyte + 7, u64::MAX);
        assert_eq!((reported.len(), ended.unwrap()), (5, 5 * mebibyte as u64 + 7));
        let (reported, ended) = read(5 * mebibyte, 2 * mebibyte as u64);
        assert_eq!(reported.len(), 2);
        assert!(is_cancelled(&ended.unwrap_err()));
        assert!(!is_cancelled(&io::Error::other("no")));
    }
}
