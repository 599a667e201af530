//! The result of a command, in every form.

use palmtop_flow::columns::Table;
use serde::Serialize;

use crate::format::Format;
use crate::output::{self, OutputRows};

/// The result of a command.
pub trait Answer {
    /// The text for people.
    fn text(&self) -> String;

    /// The table that CSV writes.
    fn table(&self) -> Table;

    /// The value that JSON writes.
    fn object(&self) -> impl Serialize;

    /// Writes the result to stdout.
    fn print(&self, format: Format) -> anyhow::Result<()> {
        match format {
            Format::Json => output::print_json(&self.object()),
            Format::Csv => OutputRows::of_csv(&self.table()).print_csv(),
            Format::Table => output::print(&self.text()),
        }
    }
}
