//! Disk, Polars and `calamine`: reading tables and hierarchies, reducing them to a histogram, writing releases.

pub mod place;
mod encoding;
pub mod error;
pub mod watch;
pub mod input;
mod packing;
mod source;
mod stamp;
pub mod form;
pub mod literal;
pub mod hierarchies;
mod disguise;
pub(crate) mod telling;
pub mod reading;
pub mod refused;
mod guess;
mod records;
pub mod trial;
mod typed;
mod sheet;
mod part;
pub mod read;
mod groups;
mod packed;
pub mod weight;
pub mod prior;
pub mod tally;
mod pass;
pub mod encode;
pub mod join;
pub mod rates;
pub mod pseudonym;
pub mod write;
pub mod reduced;

pub use error::DataError;
pub use typed::panics_are_caught;
