//! Numbers and texts in a file: little-endian, each text after its length.

use std::io::{self, Write};
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use palmtop_core::progress::{Cancelled, Meter};

/// The bytes still to read.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes; `None` if there are fewer.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        self.take(8)?.try_into().ok().map(i64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    /// A list whose length comes first, with items of at least `least` bytes.
    pub(super) fn list<T>(
        &mut self,
        least: usize,
        mut one: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = usize::try_from(self.number()?).ok()?;
        // A wrong length must not allocate memory.
        if count.checked_mul(least)? > self.0.len() {
            return None;
        }
        (0..count).map(|_| one(self)).collect()
    }
}

pub(crate) fn put_number(out: &mut dyn Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(super) fn put_signed(out: &mut dyn Write, number: i64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(super) fn put_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    put_number(out, text.len() as u64)?;
    out.write_all(text.as_bytes())
}

/// A writer that hashes and counts the bytes that pass, until a meter asks to stop.
pub(super) struct Sealing<'a, 'm> {
    out: &'a mut dyn Write,
    meter: &'a mut Meter<'m>,
    hasher: Sha256,
    bytes: u64,
    asked: u64,
}

impl<'a, 'm> Sealing<'a, 'm> {
    /// The number of bytes of a seal.
    pub(super) const SEAL: usize = 32;
    /// The number of bytes hashed between two calls of the meter.
    const STRIDE: usize = 1 << 24;

    pub(super) fn new(out: &'a mut dyn Write, meter: &'a mut Meter<'m>) -> Self {
        Self { out, meter, hasher: Sha256::new(), bytes: 0, asked: 0 }
    }

    /// Appends the hash of all bytes as the seal, and returns the number of bytes.
    pub(super) fn seal(self) -> io::Result<u64> {
        self.out.write_all(&self.hasher.finalize())?;
        Ok(self.bytes + Self::SEAL as u64)
    }

    /// The bytes before the seal; `None` if the seal does not match. Breaks if the meter asks to
    /// stop.
    pub(super) fn open<'b>(bytes: &'b [u8], meter: &mut Meter) -> ControlFlow<(), Option<&'b [u8]>> {
        let parts = bytes.len().checked_sub(Self::SEAL).map(|length| bytes.split_at(length));
        let Some((content, seal)) = parts else { return ControlFlow::Continue(None) };
        let mut hasher = Sha256::new();
        for part in content.chunks(Self::STRIDE) {
            meter(0)?;
            hasher.update(part);
        }
        ControlFlow::Continue((hasher.finalize()[..] == *seal).then_some(content))
    }
}

impl Write for Sealing<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.bytes += count as u64;
        if self.bytes - self.asked >= Self::STRIDE as u64 {
            self.asked = self.bytes;
            if (self.meter)(0).is_break() {
                return Err(io::Error::other(Cancelled));
            }
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
