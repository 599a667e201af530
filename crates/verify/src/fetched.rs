//! The record of a fetch beside the snapshot of a database.

use std::path::Path;

use super::spec::Repeated;

/// Refuses a snapshot whose record does not say that the database compared texts by their bytes: it may have counted texts that
/// differ in case, accents or blanks as one. Refuses one of a project that said something else of `identifiers`, columns of P. A
/// snapshot that is missing is left to its reader.
pub(super) fn check<'a>(
    snapshot: &Path,
    identifiers: impl Iterator<Item = (&'a str, &'a Repeated)>,
) -> Result<(), String> {
    let mut record = snapshot.as_os_str().to_owned();
    record.push(".source.json");
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&record).unwrap_or_default()).unwrap_or_default();
    let expected: Vec<String> = identifiers.map(|(column, repeated)| said(column, repeated)).collect();
    let known = record["persons"].as_array().map_or(&[][..], Vec::as_slice);
    let problem = if !snapshot.exists() {
        return Ok(());
    } else if record["compared"] != "bytes" {
        "its record does not say that the database compared texts by their bytes"
    } else if known.len() != expected.len() || known.iter().zip(&expected).any(|(known, text)| known != text)
    {
        "its record says something else of rows that share an identifier than the project"
    } else {
        return Ok(());
    };
    Err(format!("{}: {problem}; fetch it again: palmtop fetch PROJECT --force", snapshot.display()))
}

/// What the rows of P are that share an identifier, as the record says it.
fn said(column: &str, repeated: &Repeated) -> String {
    let what = match repeated {
        Repeated::Unsaid | Repeated::Shared { is_reasoned: false } => "not said",
        Repeated::Shared { is_reasoned: true } => "different people",
        Repeated::Distinct | Repeated::FirstBy(_) => "one person",
    };
    format!("{column}: {what}")
}
