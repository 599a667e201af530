//! What was asked, of whom, when, and what came: the file beside a snapshot.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The record of a fetch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of palmtop that asked.
    pub palmtop: String,
    /// The driver or the profile, as the project names it.
    pub connection: String,
    /// The driver's name and version, as it says.
    pub driver: String,
    /// The database's name and version, as it says.
    pub server: String,
    /// When the connection was opened, in UTC.
    pub started: String,
    /// How many seconds it took.
    pub seconds: f64,
    /// Every statement that was sent, in order.
    pub statements: Vec<String>,
    /// The combinations that came: the rows of the snapshot.
    pub combinations: u64,
    /// The people of all combinations.
    pub people: u64,
    /// The SHA-256 of the snapshot, in hexadecimal.
    pub sha256: String,
}

/// Where the record of a snapshot is: `register.parquet.source.json`.
pub fn record_path(snapshot: &Path) -> PathBuf {
    let mut name = snapshot.as_os_str().to_owned();
    name.push(".source.json");
    PathBuf::from(name)
}

impl Record {
    /// The record beside a snapshot; `None` if there is none that can be read.
    pub fn beside(snapshot: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(record_path(snapshot)).ok()?).ok()
    }
}
