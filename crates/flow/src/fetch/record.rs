//! The record of a fetch, a file next to the snapshot: the statements, the database, the time and the result.

use std::path::{Path, PathBuf};

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
    /// Reads the record of a snapshot; `None` if it cannot be read.
    pub fn of_snapshot(snapshot: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(record_path(snapshot)).ok()?).ok()
    }
}
