//! The record of a fetch beside the snapshot of a database.

use std::path::Path;

/// Refuses a snapshot whose record does not say that the database compared texts by their bytes: it may have counted texts that
/// differ in case, accents or blanks as one. A snapshot that is missing is left to its reader.
pub(super) fn check(snapshot: &Path) -> Result<(), String> {
    let mut record = snapshot.as_os_str().to_owned();
    record.push(".source.json");
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&record).unwrap_or_default()).unwrap_or_default();
    if !snapshot.exists() || record["compared"] == "bytes" {
        return Ok(());
    }
    Err(format!(
        "{}: its record does not say that the database compared texts by their bytes; fetch it again: palmtop fetch PROJECT --force",
        snapshot.display()
    ))
}
