//! The rows of a table that is proposed for: in its files, or in memory until the project is written.

use palmtop_core::progress::Meter;
use palmtop_tables::error::DataError;
use palmtop_tables::read::{Listed, ShowRow, Table};

/// The rows of a table.
#[derive(Clone, Debug)]
pub enum TableRows {
    /// They are read from files.
    Files(Table),
    /// They are in memory, and are written together with the project.
    Listed(Listed),
}

impl TableRows {
    /// The size of the files in bytes; 0 for a table in memory.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Files(table) => table.size(),
            Self::Listed(_) => 0,
        }
    }

    /// The table, if it is in memory.
    pub(crate) fn listed(&self) -> Option<&Listed> {
        match self {
            Self::Files(_) => None,
            Self::Listed(listed) => Some(listed),
        }
    }

    /// Shows some columns of each row.
    pub(crate) fn visit(
        &self,
        names: &[&str],
        meter: &mut Meter,
        show: &mut ShowRow,
    ) -> Result<(), DataError> {
        match self {
            Self::Files(table) => table.visit(names, meter, &mut |_, texts| show(texts)).map(drop),
            Self::Listed(listed) => listed.visit(names, show),
        }
    }
}
