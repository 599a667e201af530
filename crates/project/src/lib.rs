//! The project file: the tables, δ, and the role of every attribute of one analysis.

pub mod keys;
pub mod compatibility;
mod repeated;
pub mod reason;
mod decided;
mod definition;
mod attribute;
mod older;
mod person;
mod levels;
mod limit;
mod pseudonym;
mod readings;
mod source;
mod stated;
mod rows;
mod table;
mod file;
mod policy;
mod read;
pub mod lines;
pub mod settings;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod messages;

pub use self::decided::{Decided, Grounds};
pub use self::definition::{Attribute, HierarchyFile, PrivateSource, Project, PublicTable};
pub use self::limit::Limit;
pub use self::older::OlderLines;
pub use self::repeated::{PersonColumn, Repeated};
pub use self::rows::set as set_rows;
pub use self::source::{Connection, PublicSource, SourceRows};
pub use self::stated::{Attempt, Law, Statements};
pub use self::table::{TABLE_KEYS, table_spec};
