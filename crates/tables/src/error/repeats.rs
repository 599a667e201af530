//! Rows that repeat the identifier of a person.

use std::fmt;
use std::path::PathBuf;

use crate::source::position::{self, RowPosition};

/// Rows of a table that repeat an identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The table.
    pub table: PathBuf,
    /// The column of the identifier.
    pub column: String,
    /// The rows of the table.
    pub rows: u64,
    /// The identifiers that several rows have.
    pub identifiers: u64,
    /// Those of them whose rows differ in a compared column.
    pub differing: u64,
    /// The rows after the first row of each identifier.
    pub surplus: u64,
    /// Those of them that agree with the first row of their identifier.
    pub agreeing: u64,
    /// Two rows of the first identifiers, and whether all rows of the identifier agree.
    pub first: Vec<([RowPosition; 2], bool)>,
}

impl Repeats {
    /// How many identifiers a message shows.
    pub(crate) const SHOWN: usize = 3;
}

impl fmt::Display for Repeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agree = self.identifiers - self.differing;
        let shown = self.first.iter().map(|([one, other], agrees)| {
            let rows = position::both(one, other);
            format!("{rows} {}", if *agrees { "agree" } else { "differ" })
        });
        write!(
            f,
            "{}, column `{}`: {} in several rows, {} more rows than people: the rows of {agree} agree in all quasi-identifiers, \
             those of {} differ ({})",
            self.table.display(),
            self.column,
            if self.identifiers == 1 {
                "1 identifier is".to_owned()
            } else {
                format!("{} identifiers are", self.identifiers)
            },
            self.surplus,
            self.differing,
            shown.collect::<Vec<_>>().join("; ")
        )
    }
}
