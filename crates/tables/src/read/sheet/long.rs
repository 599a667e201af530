//! Refuses a workbook with an endless text before `calamine` keeps it in memory several times.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::source::form::MOST_RECORD;

/// Refuses a packed workbook (.xlsx) with more bytes between two tags than a record of a CSV
/// file may have. A file that cannot be unpacked is left to its reader.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else { return Ok(()) };
    let mut buffer = vec![0; 1 << 16];
    for number in 0..archive.len() {
        let Ok(mut part) = archive.by_index(number) else { continue };
        let mut length = 0;
        while let Ok(count @ 1..) = part.read(&mut buffer) {
            for (nth, text) in buffer[..count].split(|&byte| byte == b'<').enumerate() {
                length = if nth == 0 { length } else { 0 } + text.len() as u64;
                if length > MOST_RECORD {
                    return Err(too_long());
                }
            }
        }
    }
    Ok(())
}

/// The error of a text that is longer than a record of a CSV file may be.
pub(super) fn too_long() -> String {
    "a text of more than 16 MiB; shorten it, or save the sheet as CSV".to_owned()
}
