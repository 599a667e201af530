//! Files become cells: the tables P and T, and the written release.
//!
//! Paths enter, with what the project says of the form of their files. Rows of texts leave, with their positions, in the order
//! of the files. A file that can be read in two ways, or only in part, is an error here or a finding, never a shorter table.

mod position;
mod guard;
mod batch;
mod rows_source;
pub(crate) mod text;
mod doubtful;
mod typed;
mod sheet;
mod trial;
mod table;
mod release;

pub(crate) use self::batch::{Batch, Cells};
pub use self::guard::panics_are_caught;
pub(crate) use self::position::Location;
#[cfg(test)]
pub(crate) use self::position::Position;
pub use self::release::ReleaseForm;
pub(crate) use self::release::Written;
pub use self::rows_source::{NamedRow, Naming, RowsSource};
pub(crate) use self::table::Table;
pub use self::table::TableSource;
pub(crate) use self::text::{Beginning, Fault, Record, line_ends};
pub use self::trial::{TRIAL, run_trial, set_trial_program, try_typed};
