//! The result of a command, in every form.

use palmtop_release::columns::Table;
use serde::Serialize;

use crate::format::Format;
use crate::output;

/// The result of a command.
pub trait Answer {
    /// The text for people; by default the table.
    fn text(&self) -> String {
        output::to_table(&self.table())
    }

    /// The table that CSV writes; without columns if the command refuses `--format csv`.
    fn table(&self) -> Table {
        Table::default()
    }

    /// The value that JSON writes.
    fn object(&self) -> impl Serialize;

    /// Writes the result to stdout.
    fn print(&self, format: Format) -> anyhow::Result<()> {
        match format {
            Format::Json => output::print_json(&self.object()),
            Format::Csv => output::print_csv(&self.table()),
            Format::Table => output::print(&self.text()),
        }
    }
}

/// A list of rows, and the value that JSON writes for it.
#[derive(Debug)]
pub struct Listing<J> {
    /// The rows.
    pub table: Table,
    /// The value of JSON.
    pub object: J,
}

impl<J: Serialize> Answer for Listing<J> {
    fn table(&self) -> Table {
        self.table.clone()
    }

    fn object(&self) -> impl Serialize {
        &self.object
    }
}
