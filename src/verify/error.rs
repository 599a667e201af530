//! Why a release could not be verified at all: its inputs cannot be read, or do not fit together.

use std::path::PathBuf;

use crate::data::error::DataError;

/// Inputs that cannot be read or do not fit together; what is wrong with a release itself is a
/// [`Problem`](super::Problem).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file that cannot be read or understood.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A count that is no positive whole number.
    #[error("{}, column `{column}`: `{value}` is no count; expected a whole number from 1 to 4294967295", path.display())]
    NotACount {
        /// The public table.
        path: PathBuf,
        /// The count column.
        column: String,
        /// What stands there.
        value: String,
    },
    /// A column of T that no attribute names.
    #[error("{}: no attribute lists column `{column}`; give it a role, or set unlisted = \"drop\"", path.display())]
    Unlisted {
        /// The private table.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A column of T that two attributes name.
    #[error("{}: attributes `{first}` and `{second}` both name column `{column}`; remove one", path.display())]
    SharedColumn {
        /// The private table.
        path: PathBuf,
        /// The column.
        column: String,
        /// One attribute.
        first: String,
        /// The other.
        second: String,
    },
    /// A column that would be written as it is and that the public table has too.
    #[error("{}: `{column}` is {role} and yet a column of the public table: who knows that table knows it; make it quasi or identifier, or drop it", path.display())]
    KnownToAdversary {
        /// The public table.
        path: PathBuf,
        /// The column.
        column: String,
        /// `sensitive` or `insensitive`.
        role: &'static str,
    },
    /// A quasi-identifier without a hierarchy.
    #[error("attribute `{attribute}` is a quasi-identifier without a hierarchy; give it one")]
    NoHierarchy {
        /// The attribute.
        attribute: String,
    },
    /// Whoever was told how much is read said stop.
    #[error("stopped on request")]
    Cancelled,
}
