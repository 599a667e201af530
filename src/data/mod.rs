//! Disk and Polars: reading tables and hierarchies, reducing them to a histogram, writing releases.

pub mod error;
pub mod watch;
pub mod hierarchies;
pub mod read;
mod page;
pub mod encode;
pub mod join;
pub mod write;

pub use error::DataError;
