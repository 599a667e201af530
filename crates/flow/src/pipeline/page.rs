//! The tables and the release a page at a time, as somebody looks at them.

use super::export::ReleaseRows;
use super::pseudonyms::Pseudonyms;
use super::{Analysis, PipelineError};
use crate::project::Attribute;
use palmtop_core::model::Role;
use palmtop_core::progress::unwatched;
use palmtop_search::release::Release;
use palmtop_tables::read::Table;

/// Which of the two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// T; where it is part of P, the rows of P that are marked as its members.
    Private,
    /// P.
    Public,
}

/// Some rows of a table. Nothing in it is hidden: that is for whoever shows it, who knows the columns' roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Every column of the table, in its order.
    pub columns: Vec<PageColumn>,
    /// The rows, a text for each column.
    pub rows: Vec<Vec<String>>,
    /// How many rows of the table come before them.
    pub offset: u64,
    /// How many rows the whole table has.
    pub total: u64,
}

/// A column of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageColumn {
    /// Its name in the table.
    pub name: String,
    /// What the project says it is; `None` where it says nothing, as of a count, a membership, or what is dropped.
    pub role: Option<Role>,
}

/// At most `rows` rows of a table from `offset` on, as they stand in the file; none from beyond its end.
///
/// Only what is asked for is kept in memory. Reading it takes a pass over the file up to there.
///
/// # Errors
/// A [`PipelineError`] where the file cannot be read, or has other rows than it had when it was loaded.
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
/// The whole release is made for it; pseudonyms are given when it is written, and
/// [`PSEUDONYM_SHOWN`](super::PSEUDONYM_SHOWN) stands for them.
///
/// # Errors
/// A [`PipelineError`] where T cannot be read again.
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
        super::export::release_rows(analysis, release, &mut Pseudonyms::shown(), &mut unwatched)?;
    let columns = columns(analysis, &header, |attribute| analysis.project.private_column(attribute));
    let rows = lines.page(offset, rows);
    Ok(Page { columns, rows, offset, total: lines.rows() })
}

/// The header and the first rows of a release as they will be written.
///
/// # Errors
/// A [`PipelineError`] where T cannot be read again.
pub fn preview(
    analysis: &Analysis,
    release: &Release,
    rows: usize,
) -> Result<Vec<Vec<String>>, PipelineError> {
    let ReleaseRows { header, lines, .. } =
        super::export::release_rows(analysis, release, &mut Pseudonyms::shown(), &mut unwatched)?;
    Ok(std::iter::once(header).chain(lines.page(0, rows)).collect())
}

/// Columns with the roles that the project gives them; `column_of` is the name that an attribute has there.
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

/// How many rows a page has.
fn wanted(offset: u64, rows: usize, total: u64) -> usize {
    usize::try_from(total.saturating_sub(offset)).map_or(rows, |left| left.min(rows))
}

fn changed(table: &Table) -> PipelineError {
    PipelineError::InputChanged { path: table.path().to_owned() }
}
