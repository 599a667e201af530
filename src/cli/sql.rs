//! `sql`: prints statements for a database. It connects to no database and sends no data.

use std::path::Path;

use palmtop::data::write::ReleaseFormat;
use palmtop::fetch::rows_of;
use palmtop::project::{Project, SourceRows};
use palmtop::sql::{Histogram, load_statements};

use clap::Args;
use palmtop::sql::Dialect;
use palmtop_console::output;
use palmtop_console::status::Status;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SqlArguments {
    /// The project file; not with --load.
    #[arg(required_unless_present = "load", conflicts_with = "load")]
    pub(crate) project: Option<PathBuf>,
    /// The dialect: ansi, postgresql, sqlserver, oracle, mysql, spark, bigquery (untried), duckdb or sqlite.
    #[arg(long, value_name = "DIALECT", default_value = "ansi")]
    pub(crate) dialect: Dialect,
    /// The table in the database: the one with the rows of P, by default that of `[public.source]`; or with --load the table
    /// to create, by default named as the file.
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<String>,
    /// Take the rows of P from the query in this file, not from a table.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "load"])]
    pub(crate) query: Option<PathBuf>,
    /// Print CREATE TABLE for this release, and the statements that load it.
    #[arg(long, value_name = "RELEASE")]
    pub(crate) load: Option<PathBuf>,
}

pub(super) fn run(arguments: &SqlArguments) -> anyhow::Result<Status> {
    let text = match (&arguments.load, &arguments.project) {
        (Some(release), _) => load(release, arguments)?,
        (None, Some(project)) => histogram(&Project::read(project)?, arguments)?,
        (None, None) => unreachable!("the command line asks for one of them"),
    };
    output::print(&text)?;
    Ok(Status::Done)
}

fn load(release: &Path, arguments: &SqlArguments) -> anyhow::Result<String> {
    if ReleaseFormat::of(release) != ReleaseFormat::Csv {
        anyhow::bail!("{}: databases load CSV: write the release as .csv", release.display());
    }
    let table = arguments.table.clone().unwrap_or_else(|| stem(release));
    Ok(load_statements(release, &table, arguments.dialect)?)
}

fn histogram(project: &Project, arguments: &SqlArguments) -> anyhow::Result<String> {
    let source = project.public.source.as_ref();
    let file = project.public.table.name();
    let rows = match (&arguments.table, &arguments.query, source) {
        (Some(table), ..) => SourceRows::Table(table.clone()),
        (None, Some(query), _) => SourceRows::Query(query.clone()),
        (None, None, Some(source)) => source.rows.clone(),
        (None, None, None) => SourceRows::Table(stem(&file)),
    };
    let histogram = Histogram::of(project, rows_of(&rows)?)?;
    let histogram = match histogram.one_person().map(|person| person.column.clone()) {
        Some(column) => histogram.of_distinct(&column),
        None => histogram,
    };
    let dialect = arguments.dialect;
    let read = if let Some(source) = source {
        format!(
            "-- `palmtop fetch` asks this and writes {}.\n",
            source.snapshot.file_name().unwrap_or_default().to_string_lossy()
        )
    } else {
        let lines = histogram.public_lines(&format!("{}-histogram.csv", stem(&file)));
        let commented = format!("-- {}\n", lines.trim_end().replace('\n', "\n-- "));
        format!(
            "-- Save the result as CSV with a header, or as Parquet, and let the project read it:\n{commented}{}",
            counted(&histogram)
        )
    };
    let repeats = histogram.identifiers().iter().map(|identifier| {
        let which = if identifier.is_person() { "last" } else { "first" };
        format!(
            "-- Only if P has the column `{column}`: the values that several rows have, their rows, and the values whose rows differ. palmtop\n\
             -- cannot see this in the histogram. If the {which} number is not 0, these people are counted more than once.\n{};\n\n",
            histogram.repeats(&identifier.column, dialect),
            column = output::shown(&identifier.column)
        )
    });
    let repeats: String = repeats.collect();
    Ok(format!(
        "{repeats}-- How many combinations there are, to ask first:\n{};\n\n-- The histogram of P:\n{};\n\n{read}",
        histogram.combinations(dialect),
        histogram.statement(dialect)
    ))
}

/// What the statement counts: people, or rows of which the project does not say that each is a person.
fn counted(histogram: &Histogram) -> String {
    match histogram.one_person() {
        Some(person) => {
            let column = output::shown(&person.column);
            let remove = "remove what the project says of rows that share it: they are no longer in P";
            format!("-- Each `{column}` is counted once. If P lacks it, the statement is refused; else {remove}.\n")
        }
        None if histogram.counts_people() => String::new(),
        None => "-- Rows are counted. `counts = \"people\"` is true only if each row is a person, and palmtop asks for it.\n".to_owned(),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
