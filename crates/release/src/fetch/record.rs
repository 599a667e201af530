//! The record of a fetch, a file next to the snapshot: the statements, the database, the time and the result.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::sql::{identifiers, no_identifiers, persons};
use palmtop_core::located::LocatedError;
use palmtop_project::Project;
use serde::{Deserialize, Serialize};

/// The record of a fetch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of palmtop that fetched P.
    pub palmtop: String,
    /// The driver or the profile, as the project names it.
    pub connection: String,
    /// The driver's name and version, as the driver reports them.
    pub driver: String,
    /// The database's name and version, as the database reports them.
    pub server: String,
    /// The time at which the connection was opened, in UTC.
    pub started: String,
    /// The duration of the fetch, in seconds.
    pub seconds: f64,
    /// The statements that were sent, in their order.
    pub statements: Vec<String>,
    /// How the statements compare texts: [`BYTES`](Self::BYTES). Empty in a record of an earlier version, whose statements compared
    /// them as the columns did, which may be without case, accents or blanks.
    #[serde(default)]
    pub compared: String,
    /// The columns of the database. Empty in a record of an earlier version.
    #[serde(default)]
    pub columns: BTreeSet<String>,
    /// What the project says of the rows that share an identifier of the database, each as `id: one person`.
    #[serde(default)]
    pub persons: Option<BTreeSet<String>>,
    /// The texts of `missing`, if a statement looked for identifiers other than these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<BTreeSet<String>>,
    /// The number of combinations: the rows of the snapshot.
    pub combinations: u64,
    /// The number of people in all combinations.
    pub people: u64,
    /// The SHA-256 of the snapshot, in hexadecimal.
    pub sha256: String,
}

/// The path of a snapshot's record: `register.parquet.source.json`.
pub fn record_path(snapshot: &Path) -> PathBuf {
    let mut name = snapshot.as_os_str().to_owned();
    name.push(".source.json");
    PathBuf::from(name)
}

impl Record {
    /// Texts are compared by their bytes.
    pub const BYTES: &str = "bytes";

    /// Refuses a snapshot without a record, one in which different texts may be counted as one, and one of a project that said
    /// something else of who is a person. A snapshot that does not exist is left to its reader.
    ///
    /// # Errors
    /// A [`LocatedError`] with the remedy.
    pub fn check(snapshot: &Path, project: &Project) -> Result<(), LocatedError> {
        let problem = match Self::of_snapshot(snapshot) {
            _ if !snapshot.exists() => return Ok(()),
            Some(record) if record.compared != Self::BYTES => {
                "an earlier version fetched it, and the database may have counted texts that differ in case, accents or blanks as one"
            }
            Some(Self { columns, persons: Some(known), missing, .. }) if !columns.is_empty() => {
                if known != persons(&identifiers(project), &columns) {
                    "when it was fetched, the project said something else of the rows that share an identifier"
                } else if missing.is_some_and(|missing| missing != no_identifiers(&project.missing)) {
                    "when it was fetched, the project had other texts in `missing`, and they are no identifiers"
                } else {
                    return Ok(());
                }
            }
            Some(_) => "an earlier version fetched it, and did not record who is a person",
            None => "it has no record of its fetch, so nobody knows how the database compared texts",
        };
        let remedy = format!("fetch it again: palmtop fetch {} --force", project.path.display());
        Err(LocatedError::new(problem).in_file(snapshot).remedy(remedy))
    }

    /// Reads the record of a snapshot; `None` if it cannot be read.
    pub fn of_snapshot(snapshot: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(record_path(snapshot)).ok()?).ok()
    }
}
