//! The forms of a result.

use clap::ValueEnum;

/// The form of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Table,
    /// One object.
    Json,
    /// A header and one line each.
    Csv,
}
