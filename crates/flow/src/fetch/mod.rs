//! P from a database: its histogram is counted there, comes by ADBC, and becomes a snapshot that everything else reads.
//!
//! Only the statements of [`sql`](crate::sql) are sent, and nothing of T is in them. The record beside the snapshot holds every
//! statement, whom it was sent to and when, and the SHA-256 of what came back. No secret is in it, nor in any message.

#[cfg(feature = "databases")]
mod access;
#[cfg(feature = "databases")]
mod columns;
#[cfg(feature = "databases")]
mod connection;
mod record;
#[cfg(feature = "databases")]
mod secrets;
#[cfg(feature = "databases")]
mod snapshot;

use std::path::PathBuf;

use crate::project::{Project, PublicSource, SourceRows};
use crate::sql::{Dialect, From, Histogram, SqlError};
use palmtop_tables::DataError;
use palmtop_tables::write::TargetError;

pub use record::{Record, record_path};

#[cfg(feature = "databases")]
pub use connection::fetch;

/// How far a fetch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchStage {
    /// The database is connected to.
    Connecting,
    /// It counts how many combinations there are.
    Counting,
    /// It makes the histogram, of so many combinations.
    Grouping {
        /// How many it said that there are.
        combinations: u64,
    },
    /// The combinations come.
    Reading {
        /// So many came.
        rows: u64,
        /// How many it said that there are.
        combinations: u64,
    },
    /// The snapshot is written.
    Writing,
}

/// Is told how far a fetch is, at least ten times a second; answers whether to go on.
pub type FetchObserver<'a> = dyn FnMut(FetchStage) -> std::ops::ControlFlow<()> + 'a;

#[cfg(feature = "databases")]
fn database(action: &'static str, error: impl std::fmt::Display) -> FetchError {
    FetchError::Database { action, detail: error.to_string(), remedy: "" }
}

/// What was fetched.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// The snapshot.
    pub snapshot: PathBuf,
    /// The record beside it.
    pub record: Record,
}

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The project names no database.
    #[error(
        "project {}: there is no [public.source], so P comes from files; add one with `driver` and `uri` or `profile`, `table` or \
         `query`, and `snapshot`",
        path.display()
    )]
    NoSource {
        /// The project.
        path: PathBuf,
    },
    /// A program that was built without databases.
    #[error(
        "this palmtop was built without databases; build it with the feature `databases`, or use `palmtop sql`"
    )]
    NotBuilt,
    /// What the statements follow from.
    #[error(transparent)]
    Sql(#[from] SqlError),
    /// A file.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The snapshot.
    #[error("{0}")]
    Target(TargetError),
    /// A profile.
    #[error("the profile `{profile}` {detail}")]
    Profile {
        /// Its name.
        profile: String,
        /// What is wrong, without its lines.
        detail: String,
    },
    /// A dialect that there is not.
    #[error("`dialect` of [public.source]: {0}")]
    Dialect(String),
    /// The driver.
    #[error("the driver `{driver}` cannot be loaded: {detail}; {remedy}")]
    Driver {
        /// Its name or path.
        driver: String,
        /// Why.
        detail: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A variable of the environment that is not set.
    #[error(
        "the connection names the variable {0}, which is not set in the environment; set it and fetch again"
    )]
    NoVariable(String),
    /// The database said no.
    #[error("{action}: {detail}{remedy}")]
    Database {
        /// What was done.
        action: &'static str,
        /// What the database or its driver says, without secrets.
        detail: String,
        /// What to do, behind a semicolon; empty if nothing is known.
        remedy: &'static str,
    },
    /// A column of a type that has no text.
    #[error(
        "column `{column}` of the result has values of type {kind}, which cannot be read as texts; use a `query` that makes texts or \
         numbers of them"
    )]
    Type {
        /// The column.
        column: String,
        /// Its type.
        kind: String,
    },
    /// A number of people that is none.
    #[error(
        "column `{column}` of the result has {value}, which is no number of people; correct it in the database, or use a `query`"
    )]
    People {
        /// The column.
        column: String,
        /// What it has.
        value: String,
    },
    /// Fewer or more combinations than the database said.
    #[error(
        "the database said that there are {expected} combinations, and {found} came; fetch again when nobody writes to it"
    )]
    Incomplete {
        /// What it said.
        expected: u64,
        /// What came.
        found: u64,
    },
    /// The user said stop.
    #[error("stopped; nothing was written")]
    Cancelled,
}

/// What a fetch would send: the statement that counts the combinations, and the one that makes the histogram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statements {
    /// How many combinations there are.
    pub combinations: String,
    /// The histogram.
    pub histogram: String,
}

impl Statements {
    /// Those of a histogram in a dialect.
    pub fn of(histogram: &Histogram, dialect: Dialect) -> Self {
        Self { combinations: histogram.combinations(dialect), histogram: histogram.statement(dialect) }
    }
}

/// The source of a project, and the histogram that is asked of it.
///
/// # Errors
/// [`FetchError::NoSource`], an unreadable query, or a level that no rule says.
pub fn source_of(project: &Project) -> Result<(&PublicSource, Histogram), FetchError> {
    if let Some(own) = project.entity() {
        return Err(SqlError::HasEntities(own.name.clone()).into());
    }
    let no_source = || FetchError::NoSource { path: project.path.clone() };
    let source = project.public.source.as_ref().ok_or_else(no_source)?;
    Ok((source, Histogram::of(project, rows_of(&source.rows)?)?))
}

/// Where the rows of P stand, with the text of the query if there is one.
///
/// # Errors
/// [`FetchError::Data`] if the query cannot be read.
pub fn rows_of(rows: &SourceRows) -> Result<From, FetchError> {
    match rows {
        SourceRows::Table(table) => Ok(From::Table(table.clone())),
        SourceRows::Query(path) => {
            let query = std::fs::read_to_string(path).map_err(DataError::io("read the query", path))?;
            Ok(From::Query(query))
        }
    }
}

/// The dialect that a project names.
///
/// # Errors
/// [`FetchError::Dialect`] if there is none of that name.
pub fn dialect_for(name: &str) -> Result<Dialect, FetchError> {
    name.parse().map_err(FetchError::Dialect)
}

/// The dialect that a driver's or a database's name tells, such as `libadbc_driver_postgresql.so`.
pub fn dialect_of(name: &str) -> Dialect {
    let name = name.to_lowercase();
    let known = [
        ("sqlite", Dialect::Sqlite),
        ("duckdb", Dialect::Duckdb),
        ("postgres", Dialect::Postgresql),
        ("redshift", Dialect::Postgresql),
        ("spark", Dialect::Spark),
        ("sail", Dialect::Spark),
        ("databricks", Dialect::Spark),
        ("flightsql", Dialect::Spark),
        ("flight sql", Dialect::Spark),
        ("bigquery", Dialect::Bigquery),
        ("mysql", Dialect::Mysql),
        ("mariadb", Dialect::Mysql),
        ("mssql", Dialect::SqlServer),
        ("sql server", Dialect::SqlServer),
        ("oracle", Dialect::Oracle),
    ];
    known.into_iter().find(|(part, _)| name.contains(part)).map_or(Dialect::Ansi, |(_, dialect)| dialect)
}

/// Fetches nothing: this program was built without databases.
///
/// # Errors
/// Always [`FetchError::NotBuilt`].
#[cfg(not(feature = "databases"))]
pub fn fetch(_: &Project, _: bool, _: &mut FetchObserver) -> Result<Fetched, FetchError> {
    Err(FetchError::NotBuilt)
}
