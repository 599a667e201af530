//! Changes to the table of classes, which two screens show.

use super::classes::state::Deed;
use super::intent::Change;
use super::state::{News, Shared, is_of};

impl Shared {
    /// Changes the table of classes, or reports why it cannot.
    pub(crate) fn arrange(&mut self, deed: Deed) -> News {
        if let Deed::Seek(class) = deed {
            return self.seek(class);
        }
        News::with_message(self.do_to_classes(deed).err())
    }

    /// Puts the cursor on a class of the current recipe.
    fn seek(&mut self, class: u32) -> News {
        let Some(view) = self.view.as_ref().filter(|view| is_of(view, &self.log, &self.problem)) else {
            return News::with_message(Some(self.why_no_view()));
        };
        let was_hidden = self.classes.seek(view, class);
        self.explain();
        let message = was_hidden.then(|| "the filter hid its class, so all classes are shown".to_owned());
        News { changes: vec![Change::Sought], message }
    }

    fn do_to_classes(&mut self, deed: Deed) -> Result<(), String> {
        match deed {
            Deed::Move(movement) => {
                let rows = self.view.as_ref().map_or(0, |view| view.shown.len());
                movement.shift(&mut self.classes.cursor, rows);
            }
            Deed::Point(row) => self.classes.cursor = row,
            Deed::Sort { forward } => {
                self.classes.sort(&self.problem, forward);
                self.classes.cursor = 0;
                self.list();
            }
            Deed::Reverse => {
                let order = &mut self.classes.arrangement.order;
                order.reversed = !order.reversed;
                self.classes.cursor = 0;
                self.list();
            }
            Deed::Filter(filter, typed) => {
                self.classes.filter(filter, &typed);
                self.list();
                return Ok(());
            }
            Deed::Columns { right, last } => {
                // A larger terminal may show more attributes than before.
                let column = self.classes.column.min(last);
                self.classes.column = if right { (column + 1).min(last) } else { column.saturating_sub(1) };
                if self.classes.column == column {
                    let side = if right { "right" } else { "left" };
                    return Err(format!("no more attributes to the {side}"));
                }
                return Ok(());
            }
            Deed::Widen => {
                self.classes.is_wide = !self.classes.is_wide;
                return Ok(());
            }
            Deed::BeginFind => {
                self.classes.begin_find();
                return Ok(());
            }
            Deed::EndFind => self.classes.end_find(),
            Deed::Find(None) => self.classes.find_nothing(),
            Deed::Find(Some((wanted, typed))) => {
                let view = self.view.as_ref().filter(|view| is_of(view, &self.log, &self.problem));
                let view = view.ok_or_else(|| self.why_no_view())?;
                self.classes.find(view, wanted, &typed);
                return Ok(());
            }
            Deed::FindAgain { forward } => self.classes.next_found(forward)?,
            Deed::Explain | Deed::Seek(_) => {}
        }
        self.explain();
        Ok(())
    }

    /// Lists the classes again.
    fn list(&mut self) {
        match self.view.as_ref().filter(|view| is_of(view, &self.log, &self.problem)) {
            Some(view) => self.classes.list(view),
            None => self.classes.list_later(),
        }
    }

    /// Requests the explanation of the class under the cursor.
    pub(super) fn explain(&mut self) {
        if let Some(view) = self.view.as_ref().filter(|view| is_of(view, &self.log, &self.problem)) {
            self.classes.explain(&self.problem, view);
        }
    }
}
