//! The table of classes: where its cursor is, what is filtered, sorted and found, and what the class under the cursor says.

use std::sync::Arc;

use palmtop_core::model::Problem;
use palmtop_flow::explain::{Explanation, explain};
use palmtop_flow::listing::{Column, Filter, Key, Order};

use crate::kit::command::Movement;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::view::{Arrangement, View};

/// What is looked for, and the rows that have it.
pub(crate) struct Search {
    pub(crate) text: String,
    pub(crate) rows: Vec<usize>,
}

/// What is done to the table.
pub(crate) enum Deed {
    /// Move its cursor.
    Move(Movement),
    /// Put the cursor on a row.
    Point(usize),
    /// Sort by the next column, or the one before.
    Sort { forward: bool },
    /// Sort the other way round.
    Reverse,
    /// Show only some, as it was typed.
    Filter(Filter, String),
    /// Attributes to the right, or to the left; `last` is the farthest with which the table can begin.
    Columns { right: bool, last: usize },
    /// Put the cursor on a class, by its place among the release's; where the filter hides it, show all.
    Seek(u32),
    /// Something will be looked for: from here.
    BeginFind,
    /// It is not wanted: back to where it began.
    EndFind,
    /// Look for a text, as it was typed; none: no longer.
    Find(Option<(Filter, String)>),
    /// The next row that was found, or the one before.
    FindAgain { forward: bool },
    /// Say what the class under the cursor has to say.
    Explain,
}

/// What its jobs have to say.
pub(crate) enum Message {
    /// The classes of the view, listed anew.
    Listed(Answer<Arc<Vec<u32>>>),
    /// The rows in which something was found.
    Found(Answer<Vec<usize>>),
    /// What the class under the cursor has to say, by its place among the release's.
    Explained(Answer<(u32, Box<Explanation>)>),
}

/// The state of the table.
pub(crate) struct ClassTable {
    link: Link<Message>,
    /// A row of what is shown.
    pub(crate) cursor: usize,
    /// The first attribute that is shown, where not all are.
    pub(crate) column: usize,
    pub(crate) arrangement: Arrangement,
    /// The filter as it was typed.
    pub(crate) filter_text: String,
    pub(crate) lists: Slot<Arc<Vec<u32>>>,
    pub(crate) search: Option<Search>,
    /// Where the cursor was when a search began, and what had been found before it.
    before: (usize, Option<Search>),
    /// The class that the cursor is to be put on once the classes are listed.
    sought: Option<u32>,
    searches: Slot<Vec<usize>>,
    /// The class that was explained, by its place among the release's.
    pub(crate) explanation: Option<(u32, Box<Explanation>)>,
    pub(crate) explanations: Slot<(u32, Box<Explanation>)>,
    /// Whether the classes were filtered or sorted while those of another place were still being counted.
    is_outdated: bool,
}

impl ClassTable {
    /// A table whose jobs answer here.
    pub(crate) fn new(link: Link<Message>) -> Self {
        let slot = |kind, doing| Task { kind, doing };
        Self {
            link,
            cursor: 0,
            column: 0,
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

    /// The analyst stands elsewhere, or judges by another δ: what was asked of the classes before is not wanted any more.
    pub(crate) fn moved(&mut self) {
        self.forget_answers();
        self.cursor = 0;
        self.before = (0, None);
    }

    /// Another view is there: numbers of classes that are still on their way are not its numbers.
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

    /// Lists the classes anew as soon as they are counted.
    pub(crate) fn list_later(&mut self) {
        self.is_outdated = true;
    }

    /// Whether something is still counted for it.
    pub(crate) fn is_busy(&self) -> bool {
        self.lists.is_open() || self.searches.is_open() || self.explanations.is_open()
    }

    /// Keeps the cursor among so many rows.
    pub(crate) fn clamp(&mut self, rows: usize) {
        self.cursor = self.cursor.min(rows.saturating_sub(1));
    }

    /// Lists the classes anew, as the arrangement says.
    pub(crate) fn list(&mut self, view: &View) {
        self.search = None;
        let (measured, arrangement) = (view.measured.clone(), self.arrangement.clone());
        self.lists.ask(&self.link, Message::Listed, move |job| {
            let list = || Arc::new(measured.ranking.list(&arrangement.filter, arrangement.order));
            job.is_current().then(list)
        });
    }

    /// Sets the filter that was typed.
    pub(crate) fn filter(&mut self, filter: Filter, typed: &str) {
        self.arrangement.filter = filter;
        typed.trim().clone_into(&mut self.filter_text);
    }

    /// Puts the cursor on a class of the view, at once or as soon as all are listed; answers whether a filter hid it.
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

    /// Something will be looked for, from the row of the cursor.
    pub(crate) fn begin_find(&mut self) {
        self.before = (self.cursor, self.search.take());
    }

    /// Goes back to where the search began, and to what had been found before it.
    pub(crate) fn end_find(&mut self) {
        self.searches.void();
        (self.cursor, self.search) = std::mem::take(&mut self.before);
    }

    /// Nothing is looked for: the cursor is where it was.
    pub(crate) fn find_nothing(&mut self) {
        self.searches.void();
        self.search = None;
        self.cursor = self.before.0;
    }

    /// Looks for a text in the labels, as they are listed.
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

    /// Takes the classes of a view, listed anew; answers what is to be said, or that it failed.
    pub(crate) fn take_list(
        &mut self,
        answer: Answer<Arc<Vec<u32>>>,
        view: Option<&mut View>,
    ) -> Option<Result<String, String>> {
        let taken = self.lists.take(answer)?;
        Some(taken.map(|shown| {
            let sought = self.sought.take();
            let row = sought.and_then(|class| shown.iter().position(|own| *own == class));
            self.cursor = row.unwrap_or(self.cursor);
            self.clamp(shown.len());
            if let Some(view) = view {
                view.shown = shown;
            }
            String::new()
        }))
    }

    /// Takes the rows in which something was found, and goes to the next one; answers how many there are, or that it failed.
    pub(crate) fn take_found(&mut self, answer: Answer<Vec<usize>>) -> Option<Result<String, String>> {
        let rows = match self.searches.take(answer)? {
            Ok(rows) => rows,
            Err(said) => {
                self.search = None;
                return Some(Err(said));
            }
        };
        let search = self.search.as_mut()?;
        search.rows = rows;
        // From where it began, not from where the beginning of the text led.
        let from = self.before.0;
        self.cursor = *search.rows.iter().find(|row| **row >= from).or(search.rows.first()).unwrap_or(&from);
        Some(Ok(match search.rows.len() {
            0 if self.arrangement.filter.is_empty() => format!("no class has `{}` in a label", search.text),
            0 => format!("no class that the filter shows has `{}` in a label", search.text),
            count => format!("`{}` is in {count} of the classes", search.text),
        }))
    }

    /// Goes to the next row that was found, or the one before.
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

    /// Asks what the class under the cursor has to say, unless it is known.
    pub(crate) fn explain(&mut self, problem: &Problem, view: &View) {
        let Some((class, _)) = view.class(self.cursor) else {
            self.explanation = None;
            self.explanations.void();
            return;
        };
        if self.explanation.as_ref().is_some_and(|(known, _)| *known == class) {
            // What another class has to say is not wanted any more.
            self.explanations.void();
            return;
        }
        let (problem, release) = (problem.clone(), Arc::clone(view.release()));
        self.explanations.ask(&self.link, Message::Explained, move |job| {
            job.is_current().then(|| (class, Box::new(explain(&problem, &release, class))))
        });
    }

    /// Takes what a class has to say; answers what is to be said.
    pub(crate) fn take_explanation(&mut self, answer: Answer<(u32, Box<Explanation>)>) -> Option<String> {
        match self.explanations.take(answer)? {
            Ok(explained) => {
                self.explanation = Some(explained);
                None
            }
            Err(said) => Some(said),
        }
    }

    /// Sorts by the next column, or the one before: worst first, then each attribute, then each figure.
    pub(crate) fn sort(&mut self, problem: &Problem, forward: bool) {
        let attributes = problem.quasi().len();
        let figures = Column::figures(problem).map(Key::Column);
        let keys: Vec<Key> =
            [Key::Worst].into_iter().chain((0..attributes).map(Key::Attribute)).chain(figures).collect();
        let here = keys.iter().position(|key| *key == self.arrangement.order.key).unwrap_or(0);
        let next = if forward { here + 1 } else { here + keys.len() - 1 };
        self.arrangement.order = Order { key: keys[next % keys.len()], reversed: false };
    }
}
