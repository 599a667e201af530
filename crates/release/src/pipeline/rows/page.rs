//! Pages of the tables and of the release, for display.

use std::ops::ControlFlow;

use crate::pipeline::rows::of_release;
use crate::pipeline::rows::of_release::ReleaseRows;
use crate::pipeline::rows::pseudonyms::Pseudonyms;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::Role;
use palmtop_core::progress::unwatched;
use palmtop_project::Attribute;
use palmtop_search::release::Release;
use palmtop_tables::read::Table;

/// One of the two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// T. If T is part of P, these are the rows of P that are marked as members.
    Private,
    /// The public table P.
    Public,
}

/// Some rows of a table. No text is hidden: the caller knows the roles of the columns and hides
/// texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// All columns of the table, in its order.
    pub columns: Vec<PageColumn>,
    /// The rows, with a text for each column.
    pub rows: Vec<Vec<String>>,
    /// The number of rows of the table before this page.
    pub offset: u64,
    /// The number of all rows of the table.
    pub total: u64,
}

/// A column of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageColumn {
    /// Its name in the table.
    pub name: String,
    /// Its role in the project. `None` for columns without a role, such as a count, a membership or
    /// a dropped column.
    pub role: Option<Role>,
}

/// At most `rows` rows of a table from `offset` on, in file order. Beyond the end, the page is
/// empty.
///
/// Only these rows are kept in memory. The file is read from its begin to the end of the page.
///
/// # Errors
/// A [`PipelineError`] if the file cannot be read, or if its number of rows changed since loading.
pub fn of_table(analysis: &Analysis, which: Which, offset: u64, rows: usize) -> Result<Page, PipelineError> {
    let (table, total, member) = match which {
        Which::Public => (&analysis.public, analysis.public_rows, None),
        Which::Private => (&analysis.private, analysis.private_rows, analysis.project.member()),
    };
    let member =
        member.map(|member| (member.column.as_str(), |text: &str| member.is_member(text) == Some(true)));
    let columns = columns(analysis, table.columns(), |attribute| match which {
        Which::Public => &attribute.public_column,
        Which::Private => analysis.project.private_column(attribute),
    });
    if table.was_changed() {
        return Err(changed(table));
    }
    let wanted = wanted(offset, rows, total);
    let rows = if wanted == 0 {
        Vec::new()
    } else {
        table.page(member.as_ref().map(|(column, is_member)| (*column, is_member as _)), offset, wanted)?
    };
    if rows.len() != wanted {
        return Err(changed(table));
    }
    Ok(Page { columns, rows, offset, total })
}

/// At most `rows` rows of a release from `offset` on, as they will be written and in that order.
///
/// The complete release is made for the page. It has [`PSEUDONYM_SHOWN`](crate::pipeline::PSEUDONYM_SHOWN)
/// instead of pseudonyms, because these are given only when the release is written.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again.
pub fn of_release(
    analysis: &Analysis,
    release: &Release,
    offset: u64,
    rows: usize,
) -> Result<Page, PipelineError> {
    if analysis.private.was_changed() {
        return Err(changed(&analysis.private));
    }
    let ReleaseRows { header, lines, .. } =
        of_release::release_rows(analysis, release, &mut Pseudonyms::shown(), &mut unwatched)?;
    let columns = columns(analysis, &header, |attribute| analysis.project.private_column(attribute));
    let rows = lines.page(offset, rows);
    Ok(Page { columns, rows, offset, total: lines.rows() })
}

/// The header and the first rows of a release as they will be written.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again.
pub fn preview(
    analysis: &Analysis,
    release: &Release,
    rows: usize,
) -> Result<Vec<Vec<String>>, PipelineError> {
    let ReleaseRows { header, lines, .. } =
        of_release::release_rows(analysis, release, &mut Pseudonyms::shown(), &mut unwatched)?;
    Ok(std::iter::once(header).chain(lines.page(0, rows)).collect())
}

/// The longest rows of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongestRows {
    /// The columns of the release.
    pub columns: Vec<PageColumn>,
    /// Rows with different quasi-identifiers, the longest first. Each has the number of characters of its
    /// quasi-identifiers, and a text for each column.
    pub rows: Vec<(usize, Vec<String>)>,
}

/// At most `count` rows of a release with the most characters in their quasi-identifiers. Of rows with the
/// same quasi-identifiers, and of rows that are as long, the first is taken.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again.
pub fn longest_rows(
    analysis: &Analysis,
    release: &Release,
    count: usize,
) -> Result<LongestRows, PipelineError> {
    let ReleaseRows { header, lines, .. } =
        of_release::release_rows(analysis, release, &mut Pseudonyms::shown(), &mut unwatched)?;
    let columns = columns(analysis, &header, |attribute| analysis.project.private_column(attribute));
    let is_quasi: Vec<bool> = columns.iter().map(|column| column.role == Some(Role::Quasi)).collect();
    let mut longest: Vec<(usize, Vec<String>)> = Vec::new();
    let _ = lines.visit(&mut |row| {
        let quasi = || quasi_of(row, &is_quasi);
        let characters = quasi().map(|text| text.chars().count()).sum();
        let place = longest.partition_point(|(other, _)| *other >= characters);
        if place < count && !longest.iter().any(|(_, other)| quasi_of(other, &is_quasi).eq(quasi())) {
            longest.insert(place, (characters, row.iter().map(|text| (*text).to_owned()).collect()));
            longest.truncate(count);
        }
        ControlFlow::Continue(())
    });
    Ok(LongestRows { columns, rows: longest })
}

/// The texts of a row in the quasi-identifiers.
fn quasi_of<'a>(row: &'a [impl AsRef<str>], is_quasi: &'a [bool]) -> impl Iterator<Item = &'a str> {
    row.iter().zip(is_quasi).filter(|(_, is_quasi)| **is_quasi).map(|(text, _)| text.as_ref())
}

/// Columns with their roles in the project. `column_of` gives the column name of an attribute.
fn columns<'a>(
    analysis: &'a Analysis,
    names: &[String],
    column_of: impl Fn(&'a Attribute) -> &'a str,
) -> Vec<PageColumn> {
    let role = |name: &str| {
        let attribute = analysis.project.attributes.iter().find(|attribute| column_of(attribute) == name);
        attribute.map(|attribute| attribute.role)
    };
    names.iter().map(|name| PageColumn { name: name.clone(), role: role(name) }).collect()
}

/// The number of rows of a page.
fn wanted(offset: u64, rows: usize, total: u64) -> usize {
    usize::try_from(total.saturating_sub(offset)).map_or(rows, |left| left.min(rows))
}

fn changed(table: &Table) -> PipelineError {
    PipelineError::changed(table.path())
}
