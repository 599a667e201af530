//! `fetch --dry-run`: prints statements for a database. It connects to no database and sends no data.

use std::path::{Path, PathBuf};

use palmtop::fetch::rows_of;
use palmtop::project::{Project, SourceRows};
use palmtop::sql::Histogram;

use super::FetchArguments;
use palmtop_console::output;

/// The statement that counts P's histogram, for P's rows anywhere.
pub(super) fn histogram(project: &Project, arguments: &FetchArguments) -> anyhow::Result<String> {
    let source = project.public.source.as_ref();
    let file = project.public.table.name();
    let rows = match (&arguments.table, source) {
        (Some(query), _) if Path::new(query).extension().is_some_and(|ending| ending == "sql") => {
            SourceRows::Query(PathBuf::from(query))
        }
        (Some(table), _) => SourceRows::Table(table.clone()),
        (None, Some(source)) => source.rows.clone(),
        (None, None) => SourceRows::Table(stem(&file)),
    };
    let histogram = Histogram::of(project, rows_of(&rows)?)?;
    let histogram = match histogram.one_person().map(|person| person.column.clone()) {
        Some(column) => histogram.of_distinct(&column),
        None => histogram,
    };
    let dialect = arguments.dialect.unwrap_or_default();
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
