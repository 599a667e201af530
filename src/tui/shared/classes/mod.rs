//! The table of classes: where its cursor is, what is filtered, sorted and found, and what the class under the cursor says.

pub(crate) mod explained;
pub(crate) mod table;

use std::sync::Arc;

use palmtop::explain::{Explanation, explain};
use palmtop::listing::{Filter, Key, Order};
use palmtop::model::Problem;

use crate::tui::app::message::{JobName, Message};
use crate::tui::kit::job::Jobs;
use crate::tui::kit::slot::{Slot, Ticket};
use crate::tui::shared::view::{self, Arrangement, View};

/// What is looked for, and the rows that have it.
pub(crate) struct Search {
    pub(crate) text: String,
    pub(crate) rows: Vec<usize>,
}

/// The state of the table.
#[derive(Default)]
pub(crate) struct ClassTable {
    /// A row of what is shown.
    pub(crate) cursor: usize,
    pub(crate) arrangement: Arrangement,
    /// The filter as it was typed.
    pub(crate) filter_text: String,
    pub(crate) lists: Slot,
    pub(crate) search: Option<Search>,
    searches: Slot,
    /// The class that was explained, by its place among the release's.
    pub(crate) explanation: Option<(u32, Explanation)>,
    pub(crate) explanations: Slot,
    /// Whether the classes were filtered or sorted while those of another place were still being counted.
    is_outdated: bool,
}

impl ClassTable {
    /// The analyst stands elsewhere, or judges by another δ: what was asked of the classes before is not wanted any more.
    pub(crate) fn moved(&mut self) {
        self.forget_answers();
        self.cursor = 0;
    }

    /// Another view is there: numbers of classes that are still on their way are not its numbers.
    pub(crate) fn take_view(&mut self, jobs: &Jobs, view: &View) {
        self.forget_answers();
        self.clamp(view.shown.len());
        if std::mem::take(&mut self.is_outdated) {
            self.list(jobs, view);
        }
    }

    fn forget_answers(&mut self) {
        self.lists.void();
        self.searches.void();
        self.explanations.void();
        self.explanation = None;
        self.search = None;
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
    pub(crate) fn list(&mut self, jobs: &Jobs, view: &View) {
        self.search = None;
        view::arrange(jobs, &mut self.lists, &view.measured, &self.arrangement);
    }

    /// Sets the filter that was typed.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub(crate) fn filter(&mut self, problem: &Problem, typed: &str) -> Result<(), String> {
        self.arrangement.filter = Filter::parse(typed, problem).map_err(|error| error.to_string())?;
        typed.trim().clone_into(&mut self.filter_text);
        Ok(())
    }

    /// Looks for a text in the labels, as they are listed.
    pub(crate) fn find(
        &mut self,
        jobs: &Jobs,
        problem: &Problem,
        view: &View,
        typed: &str,
    ) -> Result<(), String> {
        let quoted = format!("\"{}\"", typed.trim().replace('"', ""));
        let wanted = Filter::parse(&quoted, problem).map_err(|error| error.to_string())?;
        let ticket = self.searches.ask();
        let (measured, shown) = (view.measured.clone(), Arc::clone(&view.shown));
        self.search = Some(Search { text: typed.trim().to_owned(), rows: Vec::new() });
        jobs.start(JobName::Find(ticket.clone()), move |sender| {
            let found = measured.ranking.list(&wanted, Order::default());
            let mut is_found = vec![false; measured.release.classes.classes.len()];
            for class in found {
                is_found[class as usize] = true;
            }
            let rows = (0..shown.len()).filter(|row| is_found[shown[*row] as usize]);
            let _ = sender.send(Message::Found(ticket, rows.collect()));
        });
        Ok(())
    }

    /// Takes the rows in which something was found, and goes to the next one; says how many there are.
    pub(crate) fn take_found(&mut self, ticket: &Ticket, rows: Vec<usize>) -> Option<String> {
        if !self.searches.accept(ticket) {
            return None;
        }
        let search = self.search.as_mut()?;
        search.rows = rows;
        let next = search.rows.iter().find(|row| **row >= self.cursor).or(search.rows.first());
        if let Some(next) = next {
            self.cursor = *next;
        }
        Some(match search.rows.len() {
            0 if self.arrangement.filter.is_empty() => format!("no class has `{}` in a label", search.text),
            0 => format!("no class that the filter shows has `{}` in a label", search.text),
            count => format!("`{}` is in {count} of the classes", search.text),
        })
    }

    /// Looking for it broke; says whether anybody still waited for it.
    pub(crate) fn not_found(&mut self, ticket: &Ticket, why: &str) -> bool {
        let wanted = self.searches.fail(ticket, why);
        if wanted {
            self.search = None;
        }
        wanted
    }

    /// Goes to the next row that was found, or the one before.
    pub(crate) fn next_found(&mut self, forward: bool) -> Result<(), String> {
        let search = self.search.as_ref().ok_or("nothing was looked for yet")?;
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
    pub(crate) fn explain(&mut self, jobs: &Jobs, problem: &Problem, view: &View) {
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
        let ticket = self.explanations.ask();
        let (problem, release) = (problem.clone(), Arc::clone(view.release()));
        jobs.start(JobName::Explain(ticket.clone()), move |sender| {
            if ticket.is_current() {
                let explained = explain(&problem, &release, class);
                let _ = sender.send(Message::Explained(ticket, class, Box::new(explained)));
            }
        });
    }

    /// Takes what a class has to say.
    pub(crate) fn take_explanation(&mut self, ticket: &Ticket, class: u32, said: Explanation) {
        if self.explanations.accept(ticket) {
            self.explanation = Some((class, said));
        }
    }

    /// Sorts by the next column, or the one before: worst first, then each attribute, private, public, presence.
    pub(crate) fn sort(&mut self, attributes: usize, forward: bool) {
        let counts = [Key::Private, Key::Public, Key::Presence];
        let keys: Vec<Key> =
            [Key::Worst].into_iter().chain((0..attributes).map(Key::Attribute)).chain(counts).collect();
        let here = keys.iter().position(|key| *key == self.arrangement.order.key).unwrap_or(0);
        let next = if forward { here + 1 } else { here + keys.len() - 1 };
        self.arrangement.order = Order { key: keys[next % keys.len()], reversed: false };
    }
}
