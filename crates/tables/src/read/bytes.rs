//! The bytes of a table's file: hashed as stored on disk, then unpacked, then decoded if they are
//! text.

use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::DataError;
use crate::source::encoding::Decoded;
use crate::source::input;
use crate::source::packing::{Packing, Unpacked};
use crate::source::spec::TableSpec;
use crate::source::watch::Hashing;
use palmtop_core::progress::{Meter, unwatched};

/// The text of a CSV file, unpacked, in UTF-8.
pub(super) fn text<'a, M: FnMut(u64) -> ControlFlow<()> + ?Sized>(
    path: &Path,
    spec: &TableSpec,
    hasher: Option<&'a mut Sha256>,
    meter: &'a mut M,
) -> Result<Decoded<Unpacked<Hashing<'a, std::fs::File, M>>>, DataError> {
    let file = input::open(path).map_err(DataError::io("read", path))?;
    let unpacked = Unpacked::new(Packing::of(path).0, Hashing::new(file, hasher, meter));
    unpacked.and_then(|unpacked| Decoded::new(unpacked, spec.encoding)).map_err(DataError::io("read", path))
}

/// The unpacked content of a file that must be in memory, and the SHA-256 of its bytes on disk.
pub(super) fn read_all(path: &Path, meter: &mut Meter) -> Result<(Vec<u8>, String), DataError> {
    let mut hasher = Sha256::new();
    let bytes =
        input::read_through(path, input::MOST_TYPED, |file| Hashing::new(file, Some(&mut hasher), meter))
            .map_err(DataError::io("read", path))?;
    let sha256 = hexadecimal(&hasher.finalize());
    let (packing, _) = Packing::of(path);
    if packing.is_none() {
        return Ok((bytes, sha256));
    }
    let unpacked = Unpacked::new(packing, bytes.as_slice());
    let unpacked = unpacked.and_then(|unpacked| input::read_unpacked(unpacked, input::most_unpacked()));
    Ok((unpacked.map_err(DataError::io("read", path))?, sha256))
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// A [`DataError`] if the file cannot be read.
pub fn hash_file(path: &Path) -> Result<String, DataError> {
    hash_watched(path, &mut unwatched)
}

/// As [`hash_file`], and reports each MiB to a meter.
///
/// # Errors
/// A [`DataError`] if the file cannot be read, [`DataError::Cancelled`] if the meter asks to
/// stop.
pub fn hash_watched(path: &Path, meter: &mut Meter) -> Result<String, DataError> {
    let file = input::open(path).map_err(DataError::io("read", path))?;
    hash(BufReader::new(file), meter).map_err(DataError::io("read", path))
}

fn hash(input: impl Read, meter: &mut Meter) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut Hashing::new(input, Some(&mut hasher), meter), &mut io::sink())?;
    Ok(hexadecimal(&hasher.finalize()))
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or_default());
        text.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or_default());
        text
    })
}
