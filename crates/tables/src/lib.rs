//! Disk, Polars and `calamine`: reads tables and hierarchies, reduces them to a histogram, and
//! writes releases.
//!
//! Each of the seven modules uses only those before it. [`error`] has the errors of all of them.

pub mod values;
pub mod source;
pub mod error;
pub mod read;
pub mod hierarchies;
pub mod arx;
pub mod write;
pub mod count;
#[cfg(test)]
mod messages;

pub use error::DataError;

pub use count::{alike, encode, join, margins, rates, reduced, same_rows, tally, weight};
pub use error::refused;
pub use read::sha256;
pub use read::{panics_are_caught, texts_of, trial};
pub use source::{form, identity, input, pattern, position};
pub use values::{dates, formula, likeness, literal, local, look, names, reading, written};
pub use values::{order, personal, same_number, scaled, shape, telling};
pub use write::pseudonym;
