//! The record of a fetch, a file next to the snapshot: the statements, the database, the time and the result.

use std::path::{Path, PathBuf};

use crate::project::Project;
use crate::sql::persons;
use palmtop_core::located::LocatedError;
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
    /// What the project says of the rows that share an identifier, each as `id: one person`.
    #[serde(default)]
    pub persons: Vec<String>,
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
            Some(record) if record.compared == Self::BYTES && record.persons == persons(project) => {
                return Ok(());
            }
            Some(record) if record.compared == Self::BYTES => {
                "when it was fetched, the project said something else of the rows that share an identifier"
            }
            Some(_) => {
                "an earlier version fetched it, and the database may have counted texts that differ in case, accents or blanks as one"
            }
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
