//! One sheet of the tables: the purpose of its columns, its cursor, and the rows around the cursor.

use std::sync::Arc;

use palmtop_core::model::Role;
use palmtop_release::pipeline::{Analysis, Page, PageColumn};
use palmtop_search::release::Release;

use crate::kit::text;

/// The number of rows kept around the cursor: far more than a screen has.
pub(super) const WINDOW: usize = 400;
/// If a side has fewer rows than this, the next window is requested.
const MARGIN: usize = 100;
/// The largest width of a column; of longer values only the start is measured.
const WIDEST: usize = 400;

/// A table that the screen can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sheet {
    /// T.
    #[default]
    Private,
    /// P.
    Public,
    /// The release of the current view, as it would be written.
    Release,
}

impl Sheet {
    /// All sheets, in the order of their tabs.
    pub(crate) const ALL: [Self; 3] = [Self::Private, Self::Public, Self::Release];
}

/// The purpose of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A role of the project.
    Role(Role),
    /// The number of people of a row.
    Count,
    /// The mark of members of T in P.
    Member,
    /// The project does not use it.
    Unused,
}

impl Use {
    /// The purpose of a column of a sheet.
    pub(crate) fn of(analysis: &Analysis, column: &PageColumn) -> Self {
        let project = analysis.project();
        match column.role {
            Some(role) => Self::Role(role),
            None if project.member_column() == Some(column.name.as_str()) => Self::Member,
            None if project.count_column() == Some(column.name.as_str()) => Self::Count,
            None => Self::Unused,
        }
    }

    /// Its word on the screen.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Role(role) => role.as_str(),
            Self::Count => "count",
            Self::Member => "member",
            Self::Unused => "unused",
        }
    }

    /// Whether its values are hidden until the analyst reveals them. An undescribed column may
    /// contain anything, so it is hidden.
    pub(crate) fn is_hidden(self) -> bool {
        !matches!(self, Self::Role(Role::Quasi | Role::Insensitive) | Self::Count)
    }
}

/// A sheet: its cursor, and the read rows around it.
#[derive(Default)]
pub(crate) struct Window {
    /// A row of the complete table, from 0.
    pub(crate) cursor: usize,
    /// The first shown column.
    pub(crate) column: usize,
    pub(crate) page: Option<Page>,
    /// The width of the values of each column.
    pub(crate) widths: Vec<usize>,
    /// Why the sheet cannot be read, as a sentence.
    pub(crate) failure: Option<String>,
    /// The release that the rows belong to.
    pub(super) release: Option<Arc<Release>>,
}

impl Window {
    /// The number of rows of the complete table; 0 before the first read.
    pub(crate) fn total(&self) -> usize {
        self.page.as_ref().map_or(0, |page| usize::try_from(page.total).unwrap_or(usize::MAX))
    }

    /// The first column whose name begins with a text of two letters or more, in any case.
    pub(super) fn named(&self, text: &str) -> Option<usize> {
        let text = text.trim().to_lowercase();
        let is_named = |column: &PageColumn| column.name.to_lowercase().starts_with(&text);
        self.page.as_ref()?.columns.iter().position(is_named).filter(|_| text.chars().nth(1).is_some())
    }

    /// A row of the complete table; none if it was not read.
    pub(crate) fn row(&self, row: usize) -> Option<&[String]> {
        let page = self.page.as_ref()?;
        let index = row.checked_sub(usize::try_from(page.offset).ok()?)?;
        page.rows.get(index).map(Vec::as_slice)
    }

    /// Whether the rows around the cursor were read.
    pub(super) fn covers(&self) -> bool {
        let total = self.total();
        let (first, last) = (self.cursor.saturating_sub(MARGIN), self.cursor.saturating_add(MARGIN));
        let is_there = |row: usize| self.row(row.min(total.saturating_sub(1))).is_some();
        self.page.is_some() && (total == 0 || (is_there(first) && is_there(last)))
    }

    /// The first row of a window around the cursor.
    pub(super) fn offset(&self) -> usize {
        let around = self.cursor.saturating_sub(WINDOW / 2);
        if self.page.is_some() { around.min(self.total().saturating_sub(WINDOW)) } else { around }
    }

    pub(super) fn take(&mut self, page: Page) {
        let mut widths = vec![0; page.columns.len()];
        for row in &page.rows {
            for (width, value) in widths.iter_mut().zip(row) {
                let start: String = value.chars().take(WIDEST).collect();
                *width = (*width).max(text::width(&text::safe(&start)).min(WIDEST));
            }
        }
        self.widths = widths;
        self.page = Some(page);
        self.cursor = self.cursor.min(self.total().saturating_sub(1));
    }

    /// Forgets the rows; the cursor stays.
    pub(super) fn forget(&mut self) {
        *self = Self { cursor: self.cursor, column: self.column, ..Self::default() };
    }
}

/// A page of numbered rows, for tests.
#[cfg(test)]
pub(super) fn page(offset: usize, rows: usize, total: u64) -> Page {
    Page {
        columns: vec![palmtop_release::pipeline::PageColumn {
            name: "age".to_owned(),
            role: Some(Role::Quasi),
        }],
        rows: (offset..offset + rows).map(|row| vec![row.to_string()]).collect(),
        offset: offset as u64,
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_load_ahead_except_at_the_end() {
        let mut window = Window::default();
        assert!(!window.covers(), "nothing is read yet");
        window.take(page(0, 400, 1000));
        for (cursor, covered, offset) in
            [(0, true, 0), (299, true, 99), (300, false, 100), (600, false, 400), (999, false, 600)]
        {
            window.cursor = cursor;
            assert_eq!((window.covers(), window.offset()), (covered, offset), "{cursor}");
        }
        window.take(page(600, 400, 1000));
        for (cursor, covered) in [(999, true), (700, true), (699, false)] {
            window.cursor = cursor;
            assert_eq!(window.covers(), covered, "{cursor}");
        }
        window.take(page(0, 3, 3));
        assert_eq!((window.cursor, window.covers()), (2, true));
        window.take(page(0, 0, 0));
        assert_eq!((window.cursor, window.covers()), (0, true));
    }

    #[test]
    fn what_nobody_has_described_is_hidden() {
        let shown = [Use::Role(Role::Quasi), Use::Role(Role::Insensitive), Use::Count];
        let hidden = [Use::Role(Role::Identifier), Use::Role(Role::Sensitive), Use::Member, Use::Unused];
        assert!(!shown.iter().any(|column| column.is_hidden()));
        assert!(hidden.iter().all(|column| column.is_hidden()));
    }
}
