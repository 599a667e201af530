//! `sql`: statements for a database. Nothing is connected to and nothing is sent.

use std::fs;
use std::path::Path;

use anyhow::Context;
use palmtop::data::write::ReleaseFormat;
use palmtop::project::{Project, PublicSource, SourceRows};
use palmtop::sql::{From, Histogram, load_statements};

use super::args::SqlArguments;
use super::output;
use super::status::Status;

/// Runs the command.
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
        anyhow::bail!("{}: databases load CSV; write the release as .csv", release.display());
    }
    let table = arguments.table.clone().unwrap_or_else(|| stem(release));
    Ok(load_statements(release, &table, arguments.dialect)?)
}

fn histogram(project: &Project, arguments: &SqlArguments) -> anyhow::Result<String> {
    let source = project.public.source.as_ref();
    let file = project.public.table.name();
    let from = match (&arguments.table, &arguments.query, source) {
        (Some(table), ..) => From::Table(table.clone()),
        (None, Some(query), _) => self::query(query)?,
        (None, None, Some(source)) => rows(source)?,
        (None, None, None) => From::Table(stem(&file)),
    };
    let histogram = Histogram::of(project, from)?;
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
            "-- Save the result as CSV with a header, or as Parquet, and let the project read it:\n{commented}"
        )
    };
    Ok(format!(
        "-- How many combinations there are, to ask first:\n{};\n\n-- The histogram of P:\n{};\n\n{read}",
        histogram.combinations(dialect),
        histogram.statement(dialect)
    ))
}

/// The rows of P as its source says.
pub(super) fn rows(source: &PublicSource) -> anyhow::Result<From> {
    match &source.rows {
        SourceRows::Table(table) => Ok(From::Table(table.clone())),
        SourceRows::Query(path) => query(path),
    }
}

fn query(path: &Path) -> anyhow::Result<From> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read the query {}", path.display()))?;
    Ok(From::Query(text))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
