//! P from a database: the database counts the histogram, ADBC transfers it, and all other commands read the snapshot.
//!
//! palmtop sends only the statements of [`sql`](crate::sql), which have no data of T. The record next to the snapshot has every
//! statement, the database, the time, and the SHA-256 of the snapshot. Neither the record nor a message has a secret.

#[cfg(feature = "databases")]
mod access;
#[cfg(feature = "databases")]
mod columns;
#[cfg(feature = "databases")]
mod connection;
mod record;
#[cfg(feature = "databases")]
mod info;
#[cfg(feature = "databases")]
mod repeats;
#[cfg(feature = "databases")]
mod secrets;
#[cfg(feature = "databases")]
mod snapshot;

use std::path::PathBuf;

use crate::sql::{Dialect, From, Histogram, Identifier, SqlError};
use palmtop_core::located::{Located, Place};
use palmtop_project::compatibility::{self, Command, Feature};
use palmtop_project::{Project, PublicSource, SourceRows};
use palmtop_tables::DataError;
use palmtop_tables::write::TargetError;

pub use record::{Record, record_path};

#[cfg(feature = "databases")]
pub use connection::fetch;

/// The progress of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchStage {
    /// palmtop connects to the database.
    Connecting,
    /// The database counts the combinations.
    Counting,
    /// The database makes the histogram.
    Grouping {
        /// The number of combinations that the database counted.
        combinations: u64,
    },
    /// palmtop reads the combinations.
    Reading {
        /// The number of combinations that were read.
        rows: u64,
        /// The number of combinations that the database counted.
        combinations: u64,
    },
    /// palmtop writes the snapshot.
    Writing,
}

/// Gets the progress of a fetch, at least ten times a second, and returns whether to continue.
pub type FetchObserver<'a> = dyn FnMut(FetchStage) -> std::ops::ControlFlow<()> + 'a;

#[cfg(feature = "databases")]
fn database(action: &'static str, error: impl std::fmt::Display) -> FetchError {
    FetchError::Database { action, detail: error.to_string(), remedy: "" }
}

/// The result of a fetch.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// The path of the snapshot.
    pub snapshot: PathBuf,
    /// The record of the fetch.
    pub record: Record,
}

/// The reason why a fetch failed. Then nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The project names no database.
    #[error(
        "project {}: there is no [public.source], so P is in files; add [public.source] with `profile` (or `driver` and `uri`), `table` \
         (or `query`), and `snapshot`",
        path.display()
    )]
    NoSource {
        /// The path of the project file.
        path: PathBuf,
    },
    /// The program was built without databases.
    #[error(
        "this palmtop was built without databases; build it with the feature `databases`, or print the statements with `palmtop fetch --dry-run`"
    )]
    NotBuilt,
    /// The project has no statement for its histogram.
    #[error(transparent)]
    Sql(#[from] SqlError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The snapshot cannot be written.
    #[error("{0}")]
    Target(TargetError),
    /// A profile cannot be used.
    #[error("the profile `{profile}` {detail}")]
    Profile {
        /// The name of the profile.
        profile: String,
        /// The problem, without the lines of the profile.
        detail: String,
    },
    /// The driver cannot be loaded.
    #[error("the driver `{driver}` cannot be loaded: {detail}; {remedy}")]
    Driver {
        /// The name or path of the driver.
        driver: String,
        /// The reason.
        detail: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// A variable of the environment is not set.
    #[error("the connection needs the environment variable {0}, which is not set; set it and fetch again")]
    NoVariable(String),
    /// The database reported an error.
    #[error("{action}: {detail}{remedy}")]
    Database {
        /// The action that failed.
        action: &'static str,
        /// The message of the database or its driver, without secrets.
        detail: String,
        /// The remedy after a semicolon; empty if it is not known.
        remedy: &'static str,
    },
    /// The type of a column cannot be written as text.
    #[error(
        "column `{column}` of the result has values of type {kind}, which cannot be read as texts; use a `query` that converts them to texts \
         or numbers"
    )]
    Type {
        /// The name of the column.
        column: String,
        /// The type of its values.
        kind: String,
    },
    /// A count is not a number of people.
    #[error(
        "column `{column}` of the result has {value}, which is not a number of people; correct it in the database, or use a `query`"
    )]
    People {
        /// The name of the column.
        column: String,
        /// The value in this column.
        value: String,
    },
    /// The result does not have the number of combinations that the database counted.
    #[error(
        "the database counted {expected} combinations, but the result has {found}; fetch again when nobody writes to the database"
    )]
    Incomplete {
        /// The counted number.
        expected: u64,
        /// The number of combinations in the result.
        found: u64,
    },
    /// Rows share an identifier, and the project does not say what they are.
    #[error(
        "column `{column}` of the database: identifiers in several rows: {identifiers}, with {rows} rows; the rows of {agreeing} agree in all \
         quasi-identifiers, those of {differing} differ; {remedy}"
    )]
    Repeats {
        /// The name of the column.
        column: String,
        /// The number of values that several rows have.
        identifiers: u64,
        /// The number of these rows.
        rows: u64,
        /// The number of values whose rows have the same quasi-identifiers.
        agreeing: u64,
        /// The number of values whose rows differ.
        differing: u64,
        /// The lines to write.
        remedy: String,
    },
    /// The user stopped the fetch.
    #[error("stopped; nothing was written")]
    Cancelled,
}

impl Located for FetchError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::NoSource { path } => vec![Place::of(path)],
            Self::Sql(error) => error.places(),
            Self::Data(error) => error.places(),
            Self::Target(error) => error.places(),
            // A column of a database is in no file.
            Self::Type { .. }
            | Self::People { .. }
            | Self::Repeats { .. }
            | Self::NotBuilt
            | Self::Profile { .. }
            | Self::Driver { .. }
            | Self::NoVariable(_)
            | Self::Database { .. }
            | Self::Incomplete { .. }
            | Self::Cancelled => Vec::new(),
        }
    }
}

/// The statements that a fetch sends: one asks for the columns, one for the repeats of each identifier that P has, one counts the
/// combinations, one makes the histogram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statements {
    /// The statement that asks for the columns.
    pub columns: String,
    /// The column of each identifier, and the statement that looks for its repeats.
    pub repeats: Vec<(String, String)>,
    /// The statement that counts the combinations.
    pub combinations: String,
    /// The statement that makes the histogram.
    pub histogram: String,
}

impl Statements {
    /// The statements of a histogram in a dialect.
    pub fn of(histogram: &Histogram, dialect: Dialect) -> Self {
        let repeats = |identifier: &Identifier| {
            (identifier.column.clone(), histogram.repeats(&identifier.column, dialect))
        };
        let repeats: Vec<(String, String)> = histogram.identifiers().iter().map(repeats).collect();
        Self {
            columns: histogram.source_columns(dialect),
            repeats,
            combinations: histogram.combinations(dialect),
            histogram: histogram.statement(dialect),
        }
    }
}

/// The database of a project, and the histogram to fetch.
///
/// # Errors
/// [`FetchError::NoSource`], or an error if the query cannot be read or a level has no rule.
pub fn source_of(project: &Project) -> Result<(&PublicSource, Histogram), FetchError> {
    let features = [project.features(), vec![Feature::Command(Command::Fetch)]].concat();
    compatibility::check(&features).map_err(SqlError::from)?;
    let no_source = || FetchError::NoSource { path: project.path.clone() };
    let source = project.public.source.as_ref().ok_or_else(no_source)?;
    Ok((source, Histogram::of(project, rows_of(&source.rows)?)?))
}

/// The source of P's rows, with the text of the query if there is one.
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

/// The dialect that follows from the name of a driver or a database, such as `libadbc_driver_postgresql.so`.
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

/// Refuses to fetch: this program was built without databases.
///
/// # Errors
/// Always [`FetchError::NotBuilt`].
#[cfg(not(feature = "databases"))]
pub fn fetch(_: &Project, _: bool, _: &mut FetchObserver) -> Result<Fetched, FetchError> {
    Err(FetchError::NotBuilt)
}
