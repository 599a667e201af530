//! Reads tables: opens each file, tries it in a child process, and reads frames; each cell becomes
//! text.
//!
//! `records` splits CSV into fields, `sheet` reads workbooks, `typed` Parquet and Arrow; `part` chooses, and
//! cuts CSV into blocks that all cores split. Which form a CSV file must have is in [`form`](crate::source).

mod bytes;
mod candidates;
mod guard;
mod disguise;
pub(crate) mod records;
mod beginning;
mod bad_lines;
mod scan;
mod names;
mod typed;
pub(crate) mod sheet;
pub mod trial;
mod part;
mod persons;
mod table;
mod repeats;
mod listed;

pub use self::bytes::sha256;
pub use self::bytes::{hash_file, hash_watched};
pub use self::candidates::{Candidate, candidates};
pub use self::guard::panics_are_caught;
pub use self::listed::{Listed, ShowRow};
pub(super) use self::persons::LeftOut;
pub use self::persons::{Identified, OneRow, digest, number_of};
pub(super) use self::scan::is_total;
pub use self::table::{ReadFile, Table, Visitor, Wanted};
pub use self::typed::texts_of;
pub(super) use self::typed::{Asked, Lot, Numbered};
pub use crate::source::encoding::Encoding;
pub use crate::source::rows::{Header, RowName, RowRules};
pub use crate::source::spec::{Quote, TableSpec, names_table};
