//! The state of the table of classes: its cursor, filter, order and matches, and the explanation of
//! one class.

use std::sync::Arc;

use palmtop_core::model::Problem;
use palmtop_release::explain::{Explanation, explain};
use palmtop_release::listing::{Column, Filter, Key, Order};

use crate::kit::command::Movement;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::view::{Arrangement, View};

/// A text to find, and the matching rows.
pub(crate) struct Search {
    pub(crate) text: String,
    pub(crate) rows: Vec<usize>,
}

/// A change of the table.
pub(crate) enum Deed {
    /// Move the cursor.
    Move(Movement),
    /// Put the cursor on a row.
    Point(usize),
    /// Sort by the next column, or the previous one.
    Sort { forward: bool },
    /// Reverse the order.
    Reverse,
    /// Show only the classes that pass the filter; the text is as typed.
    Filter(Filter, String),
    /// Scroll the attributes; `last` is the last attribute that scrolling may put first.
    Columns { right: bool, last: usize },
    /// Show labels in full, or cut them again so that more attributes fit.
    Widen,
    /// Put the cursor on a class, by its index in the release; if the filter hides it, show all
    /// classes.
    Seek(u32),
    /// Remember the row at which a find starts.
    BeginFind,
    /// Give the find up: go back to its start.
    EndFind,
    /// Find a text, as typed; none ends the find.
    Find(Option<(Filter, String)>),
    /// Go to the next matching row, or the previous one.
    FindAgain { forward: bool },
    /// Explain the class under the cursor.
    Explain,
}

/// A message of the table's jobs.
pub(crate) enum Message {
    /// The sorted and filtered classes of the view.
    Listed(Answer<Arc<Vec<u32>>>),
    /// The matching rows.
    Found(Answer<Vec<usize>>),
    /// The explanation of a class, by its index in the release.
    Explained(Answer<(u32, Box<Explanation>)>),
}

/// The state of the table.
pub(crate) struct ClassTable {
    link: Link<Message>,
    /// A row of the shown classes.
    pub(crate) cursor: usize,
    /// The first attribute that is shown, if not all fit.
    pub(crate) column: usize,
    /// Whether each shown label has the room that it needs.
    pub(crate) is_wide: bool,
    pub(crate) arrangement: Arrangement,
    /// The filter as typed.
    pub(crate) filter_text: String,
    pub(crate) lists: Slot<Arc<Vec<u32>>>,
    pub(crate) search: Option<Search>,
    /// The row of the cursor when a find began, and the find before it.
    before: (usize, Option<Search>),
    /// The class that gets the cursor once the classes are listed.
    sought: Option<u32>,
    searches: Slot<Vec<usize>>,
    /// The explained class, by its index in the release.
    pub(crate) explanation: Option<(u32, Box<Explanation>)>,
    pub(crate) explanations: Slot<(u32, Box<Explanation>)>,
    /// Whether the filter or the order changed before the classes of the current recipe were listed.
    is_outdated: bool,
}

impl ClassTable {
    /// A table whose jobs answer to this link.
    pub(crate) fn new(link: Link<Message>) -> Self {
        let slot = |kind, doing| Task { kind, doing };
        Self {
            link,
            cursor: 0,
            column: 0,
            is_wide: false,
            arrangement: Arrangement::default(),
            filter_text: String::new(),
            lists: Slot::new(slot("list", "listing the classes")),
            search: None,
            before: (0, None),
            sought: None,
            searches: Slot::new(slot("find", "searching the classes")),
            explanation: None,
            explanations: Slot::new(slot("explain", "explaining the class")),
            is_outdated: false,
        }
    }

    /// Abandons the requests about the previous recipe or the previous δ.
    pub(crate) fn moved(&mut self) {
        self.forget_answers();
        self.cursor = 0;
        self.before = (0, None);
    }

    /// Takes another view: class numbers of pending answers do not belong to it.
    pub(crate) fn take_view(&mut self, view: &View) {
        self.forget_answers();
        self.clamp(view.shown.len());
        if std::mem::take(&mut self.is_outdated) {
            self.list(view);
        }
    }

    fn forget_answers(&mut self) {
        self.lists.void();
        self.searches.void();
        self.explanations.void();
        self.explanation = None;
        self.search = None;
        self.before = (self.cursor, None);
        self.sought = None;
    }

    /// Lists the classes again once they are counted.
    pub(crate) fn list_later(&mut self) {
        self.is_outdated = true;
    }

    /// Whether a job of the table is running.
    pub(crate) fn is_busy(&self) -> bool {
        self.lists.is_open() || self.searches.is_open() || self.explanations.is_open()
    }

    /// Keeps the cursor within this many rows.
    pub(crate) fn clamp(&mut self, rows: usize) {
        self.cursor = self.cursor.min(rows.saturating_sub(1));
    }

    /// Lists the classes again in the current arrangement.
    pub(crate) fn list(&mut self, view: &View) {
        self.search = None;
        let (measured, arrangement) = (view.measured.clone(), self.arrangement.clone());
        self.lists.ask(&self.link, Message::Listed, move |job| {
            let list = || Arc::new(measured.ranking.list(&arrangement.filter, arrangement.order));
            job.is_current().then(list)
        });
    }

    /// Sets a filter.
    pub(crate) fn filter(&mut self, filter: Filter, typed: &str) {
        self.arrangement.filter = filter;
        typed.trim().clone_into(&mut self.filter_text);
    }

    /// Puts the cursor on a class, at once or when all classes are listed; returns whether a filter
    /// hid it.
    pub(crate) fn seek(&mut self, view: &View, class: u32) -> bool {
        let row = view.shown.iter().position(|shown| *shown == class).filter(|_| !self.lists.is_open());
        if let Some(row) = row {
            self.cursor = row;
            return false;
        }
        let was_filtered = !self.arrangement.filter.is_empty();
        self.filter(Filter::default(), "");
        self.list(view);
        self.sought = Some(class);
        was_filtered
    }

    /// Remembers the row at which a find starts.
    pub(crate) fn begin_find(&mut self) {
        self.before = (self.cursor, self.search.take());
    }

    /// Goes back to the start of the find, and to the find before it.
    pub(crate) fn end_find(&mut self) {
        self.searches.void();
        (self.cursor, self.search) = std::mem::take(&mut self.before);
    }

    /// Ends the find and puts the cursor back.
    pub(crate) fn find_nothing(&mut self) {
        self.searches.void();
        self.search = None;
        self.cursor = self.before.0;
    }

    /// Finds a text in the labels of the listed classes.
    pub(crate) fn find(&mut self, view: &View, wanted: Filter, typed: &str) {
        let (measured, shown) = (view.measured.clone(), Arc::clone(&view.shown));
        self.search = Some(Search { text: typed.trim().to_owned(), rows: Vec::new() });
        self.searches.ask(&self.link, Message::Found, move |_| {
            let found = measured.ranking.list(&wanted, Order::default());
            let mut is_found = vec![false; measured.release.classes.len()];
            for class in found {
                is_found[class as usize] = true;
            }
            Some((0..shown.len()).filter(|row| is_found[shown[*row] as usize]).collect())
        });
    }

    /// Takes the list of classes; returns a message, or the failure.
    pub(crate) fn take_list(
        &mut self,
        answer: Answer<Arc<Vec<u32>>>,
        view: Option<&mut View>,
    ) -> Option<Result<String, String>> {
        let taken = self.lists.take(answer)?;
        Some(taken.map(|shown| {
            let sought = self.sought.take();
            let row = sought.and_then(|class| shown.iter().position(|listed| *listed == class));
            self.cursor = row.unwrap_or(self.cursor);
            self.clamp(shown.len());
            if let Some(view) = view {
                view.shown = shown;
            }
            String::new()
        }))
    }

    /// Takes the matching rows and goes to the next one; returns their number, or the failure.
    pub(crate) fn take_found(&mut self, answer: Answer<Vec<usize>>) -> Option<Result<String, String>> {
        let rows = match self.searches.take(answer)? {
            Ok(rows) => rows,
            Err(message) => {
                self.search = None;
                return Some(Err(message));
            }
        };
        let search = self.search.as_mut()?;
        search.rows = rows;
        // Starts at the row where the find began, not at a match of an earlier part of the text.
        let from = self.before.0;
        self.cursor = *search.rows.iter().find(|row| **row >= from).or(search.rows.first()).unwrap_or(&from);
        Some(Ok(match search.rows.len() {
            0 if self.arrangement.filter.is_empty() => format!("no class has `{}` in a label", search.text),
            0 => format!("no class that the filter shows has `{}` in a label", search.text),
            count => format!("`{}` is in {count} of the classes", search.text),
        }))
    }

    /// Goes to the next matching row, or the previous one.
    pub(crate) fn next_found(&mut self, forward: bool) -> Result<(), String> {
        let search = self.search.as_ref().ok_or("find something first")?;
        let rows = &search.rows;
        let next = if forward {
            rows.iter().find(|row| **row > self.cursor).or(rows.first())
        } else {
            rows.iter().rev().find(|row| **row < self.cursor).or(rows.last())
        };
        self.cursor = *next.ok_or_else(|| format!("no class has `{}` in a label", search.text))?;
        Ok(())
    }

    /// Requests the explanation of the class under the cursor, unless it is known.
    pub(crate) fn explain(&mut self, problem: &Problem, view: &View) {
        let Some((class, _)) = view.class(self.cursor) else {
            self.explanation = None;
            self.explanations.void();
            return;
        };
        if self.explanation.as_ref().is_some_and(|(known, _)| *known == class) {
            // The explanation of another class is no longer wanted.
            self.explanations.void();
            return;
        }
        let (problem, release) = (problem.clone(), Arc::clone(view.release()));
        self.explanations.ask(&self.link, Message::Explained, move |job| {
            job.is_current().then(|| (class, Box::new(explain(&problem, &release, class))))
        });
    }

    /// Takes an explanation; returns the message of a failure.
    pub(crate) fn take_explanation(&mut self, answer: Answer<(u32, Box<Explanation>)>) -> Option<String> {
        match self.explanations.take(answer)? {
            Ok(explained) => {
                self.explanation = Some(explained);
                None
            }
            Err(message) => Some(message),
        }
    }

    /// Sorts by the next column, or the previous one. The order of columns: worst first, each
    /// attribute, each figure.
    pub(crate) fn sort(&mut self, problem: &Problem, forward: bool) {
        let attributes = problem.quasi().len();
        let figures = Column::figures().map(Key::Column);
        let keys: Vec<Key> =
            [Key::Worst].into_iter().chain((0..attributes).map(Key::Attribute)).chain(figures).collect();
        let here = keys.iter().position(|key| *key == self.arrangement.order.key).unwrap_or(0);
        let next = if forward { here + 1 } else { here + keys.len() - 1 };
        self.arrangement.order = Order { key: keys[next % keys.len()], reversed: false };
    }
}
