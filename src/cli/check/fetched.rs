//! When and from where P was fetched.

use chrono::{DateTime, Utc};
use palmtop::fetch::Record;
use palmtop::keys;
use palmtop::pipeline::Analysis;
use palmtop_console::output;
use serde::Serialize;

keys! {
/// The fetch of P from a database.
#[derive(Serialize)]
pub(super) struct CheckedFetch {
    /// The time of the fetch.
    at: String,
    /// Whole days since the fetch; null if its time cannot be read.
    days: Option<i64>,
    /// The server.
    server: String,
    /// Whether the SHA-256 hash of the snapshot is still the recorded one.
    is_as_fetched: bool,
}
}

impl CheckedFetch {
    pub(super) fn of(analysis: &Analysis) -> Option<Self> {
        let snapshot = &analysis.project().public.source.as_ref()?.snapshot;
        let record = Record::of_snapshot(snapshot)?;
        let fetched = DateTime::parse_from_rfc3339(&record.started).ok();
        let read = analysis.inputs().iter().find(|input| input.path == *snapshot);
        Some(Self {
            days: fetched.map(|fetched| (Utc::now() - fetched.with_timezone(&Utc)).num_days()),
            is_as_fetched: read.is_some_and(|input| input.sha256 == record.sha256),
            at: record.started,
            server: record.server,
        })
    }

    /// The line of the output.
    pub(super) fn line(&self) -> String {
        let (at, server) = (output::shown(&self.at), output::shown(&self.server));
        let age = match self.days {
            Some(0) => "today".to_owned(),
            Some(1) => "1 day ago".to_owned(),
            Some(days) => format!("{days} days ago"),
            None => "nobody knows when".to_owned(),
        };
        let changed = if self.is_as_fetched { "" } else { "; THE FILE IS NOT THE ONE THAT WAS FETCHED" };
        format!("fetched   {at}, {age}, from {server}{changed}\n")
    }
}
