//! The record of a fetch beside the snapshot of a database.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::people::Repeated;

/// Refuses a snapshot whose record does not say that the database compared texts by their bytes: it may have counted texts that
/// differ in case, accents or blanks as one. Refuses one of a project that said something else of `identifiers`, columns of P of
/// which the database may lack some, or of the texts that are none. A snapshot that is missing is left to its reader.
pub(crate) fn check<'a>(
    snapshot: &Path,
    identifiers: impl Iterator<Item = (&'a str, &'a Repeated)>,
    missing: &[String],
) -> Result<(), String> {
    let mut record = snapshot.as_os_str().to_owned();
    record.push(".source.json");
    let record: Value =
        serde_json::from_slice(&std::fs::read(&record).unwrap_or_default()).unwrap_or_default();
    let columns = texts(&record["columns"]).unwrap_or_default();
    let expected: BTreeSet<String> = identifiers
        .filter(|(column, _)| columns.contains(column))
        .map(|(column, repeated)| said(column, repeated))
        .collect();
    let asked_of: BTreeSet<&str> =
        missing.iter().map(String::as_str).filter(|text| !text.trim().is_empty()).collect();
    let known = texts(&record["persons"]);
    let problem = if !snapshot.exists() {
        return Ok(());
    } else if record["compared"] != "bytes" {
        "its record does not say that the database compared texts by their bytes"
    } else if columns.is_empty() || known.is_none() {
        "it was fetched by an earlier version, whose record does not say who is a person"
    } else if known.is_some_and(|known| !known.into_iter().eq(expected.iter().map(String::as_str))) {
        "its record says something else of rows that share an identifier than the project"
    } else if texts(&record["missing"]).is_some_and(|known| known != asked_of) {
        "its record has other texts in `missing` than the project, and they are no identifiers"
    } else {
        return Ok(());
    };
    Err(format!("{}: {problem}; fetch it again: palmtop fetch PROJECT --force", snapshot.display()))
}

/// The texts of a list in the record.
fn texts(list: &Value) -> Option<BTreeSet<&str>> {
    list.as_array()?.iter().map(Value::as_str).collect()
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
