//! Statements for databases: the one that makes P's histogram where P is, and the ones that take a release in.
//!
//! Nothing here knows a driver or a network. A statement names P's columns, a rule for each level that the project says, and nothing
//! of T.

mod dialect;
mod histogram;
mod load;

pub use dialect::Dialect;
pub use histogram::{From, Histogram, Identifier, Repeats, SqlError, identifiers, no_identifiers, persons};
pub use load::load_statements;
