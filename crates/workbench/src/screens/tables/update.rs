//! The commands of the tables: moving in rows and columns, and revealing hidden values.

use std::ops::ControlFlow;
use std::sync::Arc;

use palmtop_release::pipeline::{self, Which};

use super::commands::Command;
use super::frequencies::frequencies;
use super::sheet::{Sheet, Window};
use super::state::{ClassOfRow, Classed, Message, TablePages};
use crate::kit::command::Movement;
use crate::kit::name::ScreenName;
use crate::kit::slot::Answer;
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::classes::state::Deed;
use crate::shared::intent::{Edit, Intent, Manner, Question};
use crate::shared::screen::Scope;
use crate::shared::state::Shared;
use crate::shared::view::View;

impl TablePages {
    pub(super) fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let mut intent = Intent::None;
        match command {
            Command::Next => {
                let next = (self.sheet as usize + 1) % Sheet::ALL.len();
                self.choose(Sheet::ALL[next]);
            }
            Command::Left | Command::Right => {
                let last = scope.seen.last_column;
                let column = &mut self.window_mut().column;
                // A larger terminal may show more columns than before.
                let shown = (*column).min(last);
                *column =
                    if command == Command::Left { shown.saturating_sub(1) } else { (shown + 1).min(last) };
                if *column == shown {
                    let side = if command == Command::Left { "left" } else { "right" };
                    return Err(format!("no more columns to the {side}"));
                }
            }
            Command::Widen => self.is_wide = !self.is_wide,
            Command::Reveal => {
                self.revealed = !self.revealed;
                let now = if self.revealed { "shown until you leave this screen" } else { "hidden again" };
                intent = Intent::Say(now.to_owned());
            }
            Command::Class => return self.class(scope),
            Command::Frequencies => {
                let title = "the most frequent values of the quasi-identifiers".to_owned();
                return Ok(Intent::Tell { title, text: frequencies(&scope.shared.problem) });
            }
            Command::Find => {
                if self.window().page.is_none() {
                    return Err("the table is still being read".to_owned());
                }
                self.begin_search();
                let hint = "part of a shown value, a complete identifier, or the name of a column";
                let (id, manner, text) = ("tables.find", Manner::Followed, String::new());
                return Ok(Intent::Ask(Question { id, manner, word: "find", hint, text }));
            }
            Command::FindNext | Command::FindPrevious => {
                let link = scope.link.map(Message::Looked);
                let forward = command == Command::FindNext;
                intent = Intent::Say(self.search_again(&link, &scope.shared.analysis, forward)?);
            }
        }
        self.show(scope);
        Ok(intent)
    }

    /// Goes to the class of the row under the cursor, on the workbench.
    fn class(&mut self, scope: &Scope<Message>) -> Result<Intent, String> {
        let (shared, window) = (scope.shared, self.window());
        let view = shared.current_view().ok_or_else(|| shared.why_no_view())?;
        let row = window.row(window.cursor).ok_or("the row is still being read")?;
        let which = match self.sheet {
            Sheet::Private => Which::Private,
            Sheet::Public => Which::Public,
            Sheet::Release if shared.problem.people().is_some() => {
                return Err("a row of the release does not show whose it is; find it in T".to_owned());
            }
            Sheet::Release if self.is_of(view.release()) => {
                let class = class_of_labels(shared, view, window, row);
                return ClassOfRow { table: "the release", row: window.cursor, class }.go_there(shared);
            }
            Sheet::Release => return Err("the release is still being read".to_owned()),
        };
        let table = if which == Which::Private { "T" } else { "P" };
        let (analysis, release, row) =
            (Arc::clone(&shared.analysis), Arc::clone(view.release()), row.to_vec());
        let cursor = window.cursor;
        if shared.problem.people().is_none() {
            let mut go_on = || ControlFlow::Continue(());
            let class = pipeline::find::class_of_row(&analysis, &release, (which, &row), &mut go_on);
            let class = class.map_err(|error| chain(&error))?;
            return ClassOfRow { table, row: cursor, class }.go_there(shared);
        }
        self.classing.ask(
            &scope.link.map(Message::Classed),
            |answer| answer,
            move |job| {
                let class =
                    pipeline::find::class_of_row(&analysis, &release, (which, &row), &mut || job.go_on());
                let found = class.map(|class| ClassOfRow { table, row: cursor, class });
                Some((release, found.map_err(|error| chain(&error))))
            },
        );
        Ok(Intent::Say("reading the other rows of this person".to_owned()))
    }

    /// Takes the class of a person's row, unless it is of an earlier release.
    pub(super) fn take_class(&mut self, shared: &Shared, answer: Answer<Classed>) -> Result<Intent, String> {
        match self.classing.take(answer) {
            Some(Ok((release, found))) => {
                let is_current =
                    shared.current_view().is_some_and(|view| Arc::ptr_eq(view.release(), &release));
                if is_current { found?.go_there(shared) } else { Ok(Intent::None) }
            }
            Some(Err(message)) => Err(message),
            None => Ok(Intent::None),
        }
    }

    /// Searches for the typed text.
    pub(super) fn look_for(&mut self, scope: &Scope<Message>, typed: &str) -> Result<Intent, String> {
        if typed.trim().is_empty() {
            self.end_search();
        } else {
            self.search(&scope.link.map(Message::Looked), &scope.shared.analysis, typed)?;
        }
        self.show(scope);
        Ok(Intent::None)
    }

    pub(super) fn shift(&mut self, scope: &Scope<Message>, movement: Movement) {
        let window = self.window_mut();
        // Before the first read, the last row is unknown.
        if window.page.is_some() {
            let total = window.total();
            movement.shift(&mut window.cursor, total);
        }
        self.show(scope);
    }

    /// Requests the shown rows.
    pub(super) fn show(&mut self, scope: &Scope<Message>) {
        let release = scope.shared.current_view().map(|view| view.release().clone());
        self.ask(&scope.link.map(Message::Paged), &scope.shared.analysis, release.as_ref());
    }
}

impl ClassOfRow {
    /// Opens the class on the workbench.
    fn go_there(self, shared: &Shared) -> Result<Intent, String> {
        let Self { table, row, class } = self;
        let number = text::count(row as u64 + 1);
        let class = class
            .ok_or_else(|| format!("row {number} of {table} is in no class: P lacks its combination"))?;
        let message = format!("the class of row {number} of {table}; {} goes back", shared.key("tables"));
        Ok(Intent::Many(vec![
            Intent::Show(ScreenName::WORKBENCH),
            Intent::Say(message),
            Intent::Edit(Edit::Classes(Deed::Seek(class))),
        ]))
    }
}

/// The class with the labels of a row of the release.
fn class_of_labels(shared: &Shared, view: &View, window: &Window, row: &[String]) -> Option<u32> {
    let (ranking, project) = (&view.measured.ranking, shared.analysis.project());
    let columns = &window.page.as_ref()?.columns;
    let written = project.quasi().map(|(attribute, _)| {
        let column = project.private_column(attribute);
        row.get(columns.iter().position(|known| known.name == column)?)
    });
    let written: Vec<&String> = written.collect::<Option<_>>()?;
    let has_it = |class: &u32| {
        let mut texts = written.iter().enumerate();
        texts.all(|(attribute, text)| ranking.text(*class, attribute) == text.as_str())
    };
    ranking.worst_first().iter().copied().find(has_it)
}
