//! The state of the screen of tables: the sheet, the rows around the cursor, and whether hidden
//! values are revealed.

use std::sync::Arc;

use palmtop_release::pipeline::{self, Analysis, Page, Which};
use palmtop_search::release::Release;

use super::find::{FoundRows, Looked, Wanted, look};
use super::sheet::{Sheet, WINDOW, Window};
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::kit::text;
use crate::kit::words::chain;

/// Rows of a table, or the reason why they cannot be read.
pub(crate) type Paged = Result<Box<Page>, String>;

/// A message of the screen's jobs.
pub(crate) enum Message {
    /// Rows around the cursor.
    Paged(Answer<Paged>),
    /// A result of a search.
    Looked(Answer<Looked>),
    /// The class of a person's row.
    Classed(Answer<Classed>),
}

/// A row of a table, from 0, with its class in a release; no class if P lacks its combination.
pub(crate) struct ClassOfRow {
    pub(super) table: &'static str,
    pub(super) row: usize,
    pub(super) class: Option<u32>,
}

/// The class of a person's row in this release, or the reason why the table cannot be read.
pub(crate) type Classed = (Arc<Release>, Result<ClassOfRow, String>);

/// The last search.
pub(crate) struct Search {
    pub(crate) wanted: Wanted,
    /// The matching rows; none before all rows were searched.
    pub(crate) rows: Option<FoundRows>,
    /// The row at which it started.
    from: usize,
    /// The release that was searched.
    release: Option<Arc<Release>>,
}

/// The state of the screen.
pub(crate) struct TablePages {
    pub(crate) sheet: Sheet,
    windows: [Window; 3],
    /// Whether values of identifiers and sensitive attributes are shown.
    pub(crate) revealed: bool,
    /// Whether each shown column has the width that its values need.
    pub(super) is_wide: bool,
    pages: Slot<Paged>,
    pub(crate) search: Option<Search>,
    /// The number of rows searched so far.
    looked: u64,
    looks: Slot<Looked>,
    /// The row of the cursor and the first shown column when a search began.
    before: (usize, usize),
    /// The class of a person's row, whose other rows are read.
    pub(super) classing: Slot<Classed>,
}

impl TablePages {
    /// The state before any rows are read.
    pub(crate) fn unread() -> Self {
        let pages = Slot::new(Task { kind: "page", doing: "reading the table" });
        let looks = Slot::new(Task { kind: "look", doing: "searching the table" });
        let classing = Slot::new(Task { kind: "person", doing: "reading the rows of a person" });
        Self {
            sheet: Sheet::default(),
            windows: Default::default(),
            revealed: false,
            is_wide: false,
            pages,
            search: None,
            looked: 0,
            looks,
            before: (0, 0),
            classing,
        }
    }

    /// The number of rows searched so far; none if no search runs.
    pub(crate) fn looking(&self) -> Option<u64> {
        self.looks.is_open().then_some(self.looked)
    }

    /// Whether rows are being read.
    pub(crate) fn is_busy(&self) -> bool {
        self.pages.is_open() || self.classing.is_open()
    }

    /// The shown sheet.
    pub(crate) fn window(&self) -> &Window {
        &self.windows[self.sheet as usize]
    }

    /// [`window`](Self::window), to move in it.
    pub(crate) fn window_mut(&mut self) -> &mut Window {
        &mut self.windows[self.sheet as usize]
    }

    /// Whether the rows belong to this release.
    pub(crate) fn is_of(&self, release: &Arc<Release>) -> bool {
        self.window().release.as_ref().is_some_and(|known| Arc::ptr_eq(known, release))
    }

    /// Goes to another sheet; tries again to read a sheet that failed.
    pub(crate) fn choose(&mut self, sheet: Sheet) {
        self.pages.void();
        self.looks.void();
        self.sheet = sheet;
        self.window_mut().failure = None;
    }

    /// Hides the values again, and forgets all rows and the text to find, which may be an
    /// identifier, because the analyst leaves the screen.
    pub(crate) fn leave(&mut self) {
        self.revealed = false;
        self.forget_search();
        self.pages.void();
        self.classing.void();
        self.windows.iter_mut().for_each(Window::forget);
    }

    /// Forgets the search.
    pub(crate) fn forget_search(&mut self) {
        self.looks.void();
        self.search = None;
    }

    /// Remembers the row and the column at which a search starts.
    pub(crate) fn begin_search(&mut self) {
        self.before = (self.window().cursor, self.window().column);
    }

    /// Ends the search and puts the cursor and the columns back.
    pub(crate) fn end_search(&mut self) {
        self.forget_search();
        let before = self.before;
        let window = self.window_mut();
        (window.cursor, window.column) = before;
    }

    /// Searches for a text from the row where the search began, and shows the column whose name begins
    /// with it.
    /// # Errors
    /// No rows were read yet.
    pub(crate) fn search(
        &mut self,
        link: &Link<Answer<Looked>>,
        analysis: &Arc<Analysis>,
        typed: &str,
    ) -> Result<(), String> {
        let (from, column) = self.before;
        self.window_mut().column = self.window().named(typed).unwrap_or(column);
        self.search_from(link, analysis, typed, from)
    }

    fn search_from(
        &mut self,
        link: &Link<Answer<Looked>>,
        analysis: &Arc<Analysis>,
        typed: &str,
        from: usize,
    ) -> Result<(), String> {
        let wanted = Wanted::new(analysis, self.sheet, self.window(), self.revealed, typed);
        let wanted = wanted.ok_or("the table is still being read")?;
        let release = self.window().release.clone();
        self.looked = 0;
        self.search = Some(Search { wanted: wanted.clone(), rows: None, from, release: release.clone() });
        let analysis = Arc::clone(analysis);
        self.looks.ask(
            link,
            |answer| answer,
            move |job| {
                let _turn = job.turn()?;
                look(job, &analysis, release.as_ref(), &wanted, from)
            },
        );
        Ok(())
    }

    /// Goes to the next match, or the previous one; a search of another sheet is repeated here.
    /// # Errors
    /// No text to find was given yet, or no row matches.
    pub(crate) fn search_again(
        &mut self,
        link: &Link<Answer<Looked>>,
        analysis: &Arc<Analysis>,
        forward: bool,
    ) -> Result<String, String> {
        let cursor = self.window().cursor;
        let search = self.search.as_ref().ok_or("find something first")?;
        let here = Wanted::new(analysis, self.sheet, self.window(), self.revealed, &search.wanted.text);
        let release = self.window().release.as_ref();
        let is_same = match (release, &search.release) {
            (None, None) => true,
            (Some(here), Some(there)) => Arc::ptr_eq(here, there),
            _ => false,
        };
        let is_stopped = search.rows.is_none() && !self.looks.is_open();
        if here.as_ref() != Some(&search.wanted) || !is_same || is_stopped {
            let text = search.wanted.text.clone();
            self.search_from(link, analysis, &text, cursor)?;
            return Ok(String::new());
        }
        let rows = search.rows.as_ref().ok_or("the rows are still being searched")?;
        let next = if forward { rows.from(cursor + 1) } else { rows.before(cursor) };
        let next = next.ok_or_else(|| self.describe_found(rows))?;
        let message =
            format!("{} of {} found", text::count(rows.rank(next).unwrap_or(0)), text::count(rows.count()));
        self.window_mut().cursor = next;
        Ok(message)
    }

    /// The message about the number of matches. It never contains the text, which may be an
    /// identifier.
    fn describe_found(&self, rows: &FoundRows) -> String {
        let hidden =
            if self.revealed { "" } else { "; hidden values were not searched, only complete identifiers" };
        let is_name =
            self.search.as_ref().is_some_and(|search| self.window().named(&search.wanted.text).is_some());
        match rows.count() {
            0 if is_name => "no row has it; it is the name of a column".to_owned(),
            0 => format!("no row has it{hidden}"),
            count => format!(
                "{} it",
                if count == 1 {
                    "one row has".to_owned()
                } else {
                    format!("{} rows have", text::count(count))
                }
            ),
        }
    }

    /// Takes a message of the search; returns a message for the analyst.
    pub(crate) fn take_looked(&mut self, answer: Answer<Looked>) -> Option<String> {
        let looked = match self.looks.take(answer)? {
            Ok(looked) => looked,
            Err(message) => {
                self.search = None;
                return Some(message);
            }
        };
        let from = self.search.as_ref()?.from;
        match looked {
            Looked::Rows(rows) => self.looked = rows,
            Looked::First(row) => self.window_mut().cursor = row,
            Looked::All(rows) => {
                self.window_mut().cursor = rows.from(from).unwrap_or(from);
                let message = self.describe_found(&rows);
                self.search.as_mut()?.rows = Some(*rows);
                return Some(message);
            }
            Looked::Failed(why) => {
                self.search = None;
                return Some(why);
            }
        }
        None
    }

    /// Requests the rows around the cursor, unless they are there or requested.
    /// Only one request runs at a time: each reads the complete file, and a held key would start
    /// many.
    pub(crate) fn ask(
        &mut self,
        link: &Link<Answer<Paged>>,
        analysis: &Arc<Analysis>,
        release: Option<&Arc<Release>>,
    ) {
        let release = release.filter(|_| self.sheet == Sheet::Release);
        match (self.sheet, release) {
            // The next view of the release requests it again.
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
            move |job| {
                let page = match (sheet, release) {
                    _ if !job.is_current() => return None,
                    (Sheet::Release, Some(release)) => {
                        pipeline::page::of_release(&analysis, &release, offset, WINDOW)
                    }
                    (Sheet::Public, _) => pipeline::page::of_table(&analysis, Which::Public, offset, WINDOW),
                    _ => pipeline::page::of_table(&analysis, Which::Private, offset, WINDOW),
                };
                Some(page.map(Box::new).map_err(|error| chain(&error)))
            },
        );
    }

    /// Takes rows, or the reason why there are none; returns the message of a failure.
    pub(crate) fn take(&mut self, answer: Answer<Paged>) -> Option<String> {
        match self.pages.take(answer)? {
            Ok(Ok(page)) => self.window_mut().take(*page),
            Ok(Err(failure)) => self.window_mut().failure = Some(failure),
            Err(message) => {
                self.window_mut().failure = self.pages.failure().map(str::to_owned);
                return Some(message);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::page;
    use super::*;

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
