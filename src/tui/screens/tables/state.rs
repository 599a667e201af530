//! The screen of tables: which of them is shown, a window of its rows around the cursor, and whether what is private shows.

use std::sync::Arc;

use palmtop::model::Role;
use palmtop::pipeline::{Analysis, Page, PageColumn, Which};
use palmtop::release::Release;

use crate::tui::kit::link::Link;
use crate::tui::kit::slot::{Answer, Slot, Task};
use crate::tui::kit::text;
use crate::tui::kit::words::chain;

/// How many rows are kept around the cursor: far more than a screen has.
const WINDOW: usize = 400;
/// With fewer rows than this left on a side, another window is asked for.
const MARGIN: usize = 100;
/// A column is at most so wide: of longer values only the beginning is measured.
const WIDEST: usize = 60;

/// What is shown.
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
    /// All, in the order of their tabs.
    pub(crate) const ALL: [Self; 3] = [Self::Private, Self::Public, Self::Release];
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// What the project says.
    Role(Role),
    /// For how many people a row stands.
    Count,
    /// Whether a row of P is in T.
    Member,
    /// The project does not use it.
    Unused,
}

impl Use {
    /// What a column of a sheet is for.
    pub(crate) fn of(analysis: &Analysis, column: &PageColumn) -> Self {
        let project = analysis.project();
        match column.role {
            Some(role) => Self::Role(role),
            None if project.member_column() == Some(column.name.as_str()) => Self::Member,
            None if project.count_column() == Some(column.name.as_str()) => Self::Count,
            None => Self::Unused,
        }
    }

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Role(role) => role.word(),
            Self::Count => "count",
            Self::Member => "member",
            Self::Unused => "unused",
        }
    }

    /// Whether its values are hidden until they are asked for: of what nobody has described, anything can be expected.
    pub(crate) fn is_hidden(self) -> bool {
        !matches!(self, Self::Role(Role::Quasi | Role::Insensitive) | Self::Count)
    }
}

/// One sheet: where its cursor is, and the rows around it as far as they are read.
#[derive(Default)]
pub(crate) struct Window {
    /// A row of the whole table, from 0.
    pub(crate) cursor: usize,
    /// The first column that is shown.
    pub(crate) column: usize,
    pub(crate) page: Option<Page>,
    /// How wide the values of each column are.
    pub(crate) widths: Vec<usize>,
    /// Why it cannot be read, as a sentence.
    pub(crate) failure: Option<String>,
    /// Which release the rows are of.
    release: Option<Arc<Release>>,
}

impl Window {
    /// How many rows the whole table has; 0 as long as nothing was read.
    pub(crate) fn total(&self) -> usize {
        self.page.as_ref().map_or(0, |page| usize::try_from(page.total).unwrap_or(usize::MAX))
    }

    /// A row of the whole table, if it was read.
    pub(crate) fn row(&self, row: usize) -> Option<&[String]> {
        let page = self.page.as_ref()?;
        let place = row.checked_sub(usize::try_from(page.offset).ok()?)?;
        page.rows.get(place).map(Vec::as_slice)
    }

    /// Whether the rows around the cursor are there.
    fn covers(&self) -> bool {
        let total = self.total();
        let (first, last) = (self.cursor.saturating_sub(MARGIN), self.cursor.saturating_add(MARGIN));
        let is_there = |row: usize| self.row(row.min(total.saturating_sub(1))).is_some();
        self.page.is_some() && (total == 0 || (is_there(first) && is_there(last)))
    }

    /// The first row of a window around the cursor.
    fn offset(&self) -> usize {
        let around = self.cursor.saturating_sub(WINDOW / 2);
        if self.page.is_some() { around.min(self.total().saturating_sub(WINDOW)) } else { around }
    }

    fn take(&mut self, page: Page) {
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

    /// Forgets what was read, not where the cursor was.
    fn forget(&mut self) {
        *self = Self { cursor: self.cursor, column: self.column, ..Self::default() };
    }
}

/// Rows of a table, or why they cannot be read.
pub(crate) type Paged = Result<Box<Page>, String>;

/// The state of the screen.
pub(crate) struct TablePages {
    pub(crate) sheet: Sheet,
    windows: [Window; 3],
    /// Whether values of identifiers and sensitive attributes show.
    pub(crate) revealed: bool,
    pages: Slot<Paged>,
}

impl TablePages {
    /// Nothing is read yet.
    pub(crate) fn unread() -> Self {
        let pages = Slot::new(Task { kind: "page", doing: "reading the table" });
        Self { sheet: Sheet::default(), windows: Default::default(), revealed: false, pages }
    }

    /// Whether rows are being read.
    pub(crate) fn is_busy(&self) -> bool {
        self.pages.is_open()
    }

    /// The sheet that is shown.
    pub(crate) fn window(&self) -> &Window {
        &self.windows[self.sheet as usize]
    }

    /// The same, to move in it.
    pub(crate) fn window_mut(&mut self) -> &mut Window {
        &mut self.windows[self.sheet as usize]
    }

    /// Whether the rows are those of this release.
    pub(crate) fn is_of(&self, release: &Arc<Release>) -> bool {
        self.window().release.as_ref().is_some_and(|known| Arc::ptr_eq(known, release))
    }

    /// Goes to another sheet; one that could not be read is tried again.
    pub(crate) fn choose(&mut self, sheet: Sheet) {
        self.pages.void();
        self.sheet = sheet;
        self.window_mut().failure = None;
    }

    /// Hides what is private and forgets every row: the screen is left.
    pub(crate) fn leave(&mut self) {
        self.revealed = false;
        self.pages.void();
        self.windows.iter_mut().for_each(Window::forget);
    }

    /// Asks for the rows around the cursor, unless they are there or on their way.
    ///
    /// One answer is awaited at a time: reading takes a pass over the file, and a key held down would start many.
    pub(crate) fn ask(
        &mut self,
        link: &Link<Answer<Paged>>,
        analysis: &Arc<Analysis>,
        release: Option<&Arc<Release>>,
    ) {
        let release = release.filter(|_| self.sheet == Sheet::Release);
        match (self.sheet, release) {
            // It is asked for again once the release is there.
            (Sheet::Release, None) => return,
            (Sheet::Release, Some(release)) if !self.is_of(release) => {
                self.pages.void();
                self.window_mut().forget();
                self.window_mut().release = Some(Arc::clone(release));
            }
            _ => {}
        }
        let window = self.window();
        if window.failure.is_some() || window.covers() || self.pages.is_open() {
            return;
        }
        let (sheet, offset) = (self.sheet, window.offset() as u64);
        let (analysis, release) = (Arc::clone(analysis), release.cloned());
        self.pages.ask(
            link,
            |answer| answer,
            move |desk| {
                let page = match (sheet, release) {
                    _ if !desk.is_current() => return None,
                    (Sheet::Release, Some(release)) => analysis.release_page(&release, offset, WINDOW),
                    (Sheet::Public, _) => analysis.page(Which::Public, offset, WINDOW),
                    _ => analysis.page(Which::Private, offset, WINDOW),
                };
                Some(page.map(Box::new).map_err(|error| chain(&error)))
            },
        );
    }

    /// Takes rows, or why there are none; answers what is to be said.
    pub(crate) fn take(&mut self, answer: Answer<Paged>) -> Option<String> {
        match self.pages.take(answer)? {
            Ok(Ok(page)) => self.window_mut().take(*page),
            Ok(Err(failure)) => self.window_mut().failure = Some(failure),
            Err(said) => {
                self.window_mut().failure = self.pages.failure().map(str::to_owned);
                return Some(said);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(offset: usize, rows: usize, total: u64) -> Page {
        Page {
            columns: vec![PageColumn { name: "age".to_owned(), role: Some(Role::Quasi) }],
            rows: (offset..offset + rows).map(|row| vec![row.to_string()]).collect(),
            offset: offset as u64,
            total,
        }
    }

    #[test]
    fn another_window_is_needed_near_the_end_of_one_but_not_at_the_end_of_the_table() {
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

    #[test]
    fn leaving_hides_and_forgets_the_rows() {
        let mut tables = TablePages { revealed: true, ..TablePages::unread() };
        tables.window_mut().take(page(0, 3, 3));
        tables.window_mut().cursor = 2;
        tables.leave();
        assert!(!tables.revealed && tables.window().page.is_none());
        assert_eq!(tables.window().cursor, 2);
    }
}
