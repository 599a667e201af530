//! Visits rows of the tables and of a release, and finds the class of a row.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use crate::pipeline::rows::members::Persons;
use crate::pipeline::rows::of_release;
use crate::pipeline::rows::pseudonyms::Pseudonyms;
use crate::pipeline::{Analysis, PipelineError, Which};
use palmtop_core::model::{Code, size};
use palmtop_core::progress::Meter;
use palmtop_project::Attribute;
use palmtop_search::release::Release;
use palmtop_tables::encode::Whose;
use palmtop_tables::error::DataError;
use palmtop_tables::position::At;
use palmtop_tables::read::{ReadFile, Table};
use palmtop_tables::weight::MemberColumn;

/// Gets the texts of a row, one for each requested column, and decides whether to continue.
pub type RowVisitor<'a> = dyn FnMut(&[&str]) -> ControlFlow<()> + 'a;

/// Gets the position and the texts of a row, and may refuse the row.
pub(in crate::pipeline) type LoadedRowVisitor<'a> = dyn FnMut(At, &[&str]) -> Result<(), PipelineError> + 'a;

/// Visits every row of a table with some of its columns, in the order of
/// [`page`](crate::pipeline::rows::page::of_table). Texts that cannot be read are empty.
///
/// Takes one pass over the file, and keeps one row in memory.
///
/// # Errors
/// [`PipelineError::Cancelled`] if the visitor stops. Another error if the file cannot be read,
/// differs from the loaded one, or lacks a column.
pub fn visit_rows(
    analysis: &Analysis,
    which: Which,
    columns: &[&str],
    show: &mut RowVisitor,
) -> Result<(), PipelineError> {
    let (table, member) = table_of(analysis, which);
    if table.was_changed() {
        return Err(PipelineError::changed(table.path()));
    }
    for column in columns {
        table.require(column, "a column to look through")?;
    }
    let readable = columns.iter().copied().filter(|column| table.is_readable(column));
    let special = member.map(|member| member.column.as_str());
    let asked: Vec<&str> = readable.chain(special).collect();
    let position = |column: &&str| asked.iter().position(|asked| asked == column);
    let positions: Vec<Option<usize>> = columns.iter().map(position).collect();
    table.try_visit(&asked, &mut |_| ControlFlow::Continue(()), &mut |_, row| {
        if member.is_some_and(|member| row.last().and_then(|text| member.is_member(text)) != Some(true)) {
            return Ok(());
        }
        let texts: Vec<&str> =
            positions.iter().map(|position| position.map_or("", |position| row[position])).collect();
        match show(&texts) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(PipelineError::Cancelled),
        }
    })?;
    Ok(())
}

/// Visits every row of a table with some of its columns and its position. The visitor may refuse a
/// row. The table must be the loaded one.
///
/// # Errors
/// The visitor's refusal. A [`DataError`] if the table cannot be read or has changed, or if the
/// meter stops the reading.
pub(in crate::pipeline) fn visit_loaded(
    analysis: &Analysis,
    table: &Table,
    columns: &[&str],
    meter: &mut Meter,
    show: &mut LoadedRowVisitor,
) -> Result<(), PipelineError> {
    let files = table.try_visit(columns, meter, show)?;
    are_loaded(analysis, files)
}

/// As [`visit_loaded`], for the rows of P whose text in the first column has one of these
/// [numbers](palmtop_tables::read::number_of). All threads look for them.
///
/// # Errors
/// As those of [`visit_loaded`].
pub(in crate::pipeline) fn visit_loaded_where(
    analysis: &Analysis,
    columns: &[&str],
    numbers: &FxHashSet<u64>,
    meter: &mut Meter,
    show: &mut LoadedRowVisitor,
) -> Result<(), PipelineError> {
    let files = analysis.public.visit_where(columns, numbers, meter, show)?;
    are_loaded(analysis, files)
}

/// Refuses files that are not those that were loaded. If the verifier has read P, its files were not loaded, and must
/// be those that were opened.
fn are_loaded(analysis: &Analysis, files: Vec<ReadFile>) -> Result<(), PipelineError> {
    let is_changed = |file: &ReadFile| match analysis.inputs.iter().find(|input| input.path == file.path) {
        Some(input) => input.sha256 != file.sha256,
        None => analysis.public.was_changed(),
    };
    match files.into_iter().find(is_changed) {
        Some(file) => Err(DataError::changed(&file.path).into()),
        None => Ok(()),
    }
}

/// Visits every row of a release as it will be written, in that order. The complete release is made
/// first.
///
/// # Errors
/// [`PipelineError::Cancelled`] if the visitor or `go_on` stops. `go_on` is asked while the release
/// is made. Another error if T cannot be read again.
pub fn visit_release_rows(
    analysis: &Analysis,
    release: &Release,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
    show: &mut RowVisitor,
) -> Result<(), PipelineError> {
    let made = of_release::release_rows(analysis, release, &mut Pseudonyms::shown(), &mut |_| go_on())?;
    if made.lines.visit(show).is_break() {
        return Err(PipelineError::Cancelled);
    }
    Ok(())
}

/// The class of a row of a table, as an index into the classes of a release. If people have several
/// rows, it is the class of the row's person, and the table is read for the person's other rows.
///
/// `row` has a text for each column of the table, as in a [`Page`](crate::pipeline::Page). The result is
/// `None` if P does not have the combination of a row. Then the row is left out, or the table has
/// changed.
///
/// # Errors
/// As [`visit_rows`], if the table is read; [`PipelineError::Cancelled`] if `go_on` stops the reading.
pub fn class_of_row(
    analysis: &Analysis,
    release: &Release,
    (which, row): (Which, &[String]),
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<u32>, PipelineError> {
    let (table, _) = table_of(analysis, which);
    let column_of = |attribute: &'_ Attribute| match which {
        Which::Public => attribute.public_column.clone(),
        Which::Private => analysis.project.private_column(attribute).to_owned(),
    };
    let text = |column: &String| {
        row.get(table.columns().iter().position(|name| name == column)?).map(String::as_str)
    };
    let quasi: Vec<String> = analysis.project.quasi().map(|(attribute, _)| column_of(attribute)).collect();
    let texts: Option<Vec<&str>> = quasi.iter().map(text).collect();
    let found = texts.and_then(|texts| combination(analysis, which, &texts));
    let unit = match (analysis.project.entity().map(column_of), analysis.problem.people()) {
        (Some(entity), Some(people)) => {
            let person = text(&entity);
            let columns: Vec<&str> = std::iter::once(&entity).chain(&quasi).map(String::as_str).collect();
            let mut rows: Option<Vec<u32>> = Some(Vec::new());
            visit_rows(analysis, which, &columns, &mut |texts| {
                if Some(texts[0]) == person
                    && let Some(known) = &mut rows
                {
                    match combination(analysis, which, &texts[1..]) {
                        Some(combination) => known.push(size::number(combination)),
                        None => rows = None,
                    }
                }
                go_on()
            })?;
            let Some(mut rows) = rows else { return Ok(None) };
            rows.sort_unstable();
            people.find(&rows)
        }
        _ => found,
    };
    Ok(unit.and_then(|unit| release.classes.class_of.get(unit).copied()))
}

/// Visits every row of T with its unit, in the order of [`page`](crate::pipeline::rows::page::of_table). A unit is an index into
/// `class_of` of every release. It is `None` if P does not have the combination, so that no release has the row.
///
/// Takes one pass over the file. If people have several rows, it keeps a number for each row.
///
/// # Errors
/// As [`visit_rows`]; [`PipelineError::Cancelled`] if the visitor or `go_on` stops.
pub fn visit_units(
    analysis: &Analysis,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
    show: &mut dyn FnMut(Option<usize>) -> ControlFlow<()>,
) -> Result<(), PipelineError> {
    let which = Which::Private;
    let column_of = |attribute| analysis.project.private_column(attribute);
    let quasi = analysis.project.quasi().map(|(attribute, _)| column_of(attribute));
    let (Some(entity), Some(people)) = (analysis.project.entity().map(column_of), analysis.problem.people())
    else {
        let columns: Vec<&str> = quasi.collect();
        return visit_rows(analysis, which, &columns, &mut |texts| show(combination(analysis, which, texts)));
    };
    let columns: Vec<&str> = std::iter::once(entity).chain(quasi).collect();
    let mut persons = Persons::default();
    let mut person_of: Vec<u32> = Vec::new();
    // The combinations of each person; none if P does not have one of them.
    let mut rows_of: Vec<Option<Vec<u32>>> = Vec::new();
    visit_rows(analysis, which, &columns, &mut |texts| {
        let person = persons.number(texts[0]);
        person_of.push(person);
        rows_of.resize_with(rows_of.len().max(person as usize + 1), || Some(Vec::new()));
        let rows = &mut rows_of[person as usize];
        match (combination(analysis, which, &texts[1..]), rows.as_mut()) {
            (Some(combination), Some(rows)) => rows.push(size::number(combination)),
            (None, _) | (_, None) => *rows = None,
        }
        go_on()
    })?;
    let unit_of = |rows: Option<Vec<u32>>| {
        let mut rows = rows?;
        rows.sort_unstable();
        people.find(&rows)
    };
    let units: Vec<Option<usize>> = rows_of.into_iter().map(unit_of).collect();
    let is_stopped = person_of.into_iter().any(|person| show(units[person as usize]).is_break());
    if is_stopped { Err(PipelineError::Cancelled) } else { Ok(()) }
}

/// The combination of the texts of all quasi-identifiers; `None` if P does not have it.
fn combination(analysis: &Analysis, which: Which, texts: &[&str]) -> Option<usize> {
    let whose = match which {
        Which::Public => Whose::Public,
        Which::Private => Whose::Private,
    };
    let codes = texts.iter().enumerate().map(|(nth, text)| analysis.encoder.read(whose, nth, text));
    analysis.problem.histogram().find(&codes.collect::<Option<Vec<Code>>>()?)
}

/// A table, and the condition that selects its rows.
fn table_of(analysis: &Analysis, which: Which) -> (&Table, Option<&MemberColumn>) {
    match which {
        Which::Public => (&analysis.public, None),
        Which::Private => (&analysis.private, analysis.project.member()),
    }
}
