//! `sql`: prints statements for a database. It connects to no database and sends no data.

use std::path::Path;

use palmtop::data::write::ReleaseFormat;
use palmtop::fetch::rows_of;
use palmtop::project::{Project, SourceRows};
use palmtop::sql::{Histogram, load_statements};

use super::args::SqlArguments;
use palmtop_console::output;
use palmtop_console::status::Status;

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

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
