//! The state of the screen, and what it counts and follows.

use std::sync::Arc;

use super::curve::{Sweep, Swept};
use super::draft::Draft;
use super::field::{FIELDS, Field, Page};
use super::outlook::{COUNTING, Order, Outlook, Ranked};
use crate::kit::name::ScreenName;
use crate::kit::slot::{Answer, Slot};
use crate::shared::component::Context;
use crate::shared::report::Report;
use crate::shared::state::Shared;

/// The screen.
pub(crate) struct PolicyScreen {
    pub(crate) draft: Draft,
    /// The draft as it was last taken from the project or the sitting.
    pub(crate) taken: Draft,
    pub(super) page: Page,
    /// The field under the cursor, as an index into those of the page.
    pub(super) cursor: usize,
    pub(crate) counting: Slot<Box<Outlook>>,
    pub(crate) outlook: Outlook,
    pub(crate) curve: Sweep,
    /// Whether the curve has the whole screen.
    pub(super) is_large: bool,
}

impl PolicyScreen {
    pub(super) fn new(shared: &Shared) -> Self {
        let draft = Draft::of(shared);
        Self {
            taken: draft.clone(),
            draft,
            page: Page::Promise,
            cursor: 0,
            counting: Slot::new(COUNTING),
            outlook: Outlook::default(),
            curve: Sweep::unmeasured(),
            is_large: false,
        }
    }

    /// The field under the cursor.
    pub(crate) fn field(&self) -> Field {
        self.page.fields()[self.cursor]
    }

    /// Puts the cursor on a field.
    pub(super) fn put_on(&mut self, field: Field) {
        for page in [Page::Promise, Page::Report] {
            if let Some(index) = page.fields().iter().position(|known| *known == field) {
                (self.page, self.cursor, self.is_large) = (page, index, false);
            }
        }
    }

    /// Counts what the draft would give, if the screen is open.
    pub(super) fn count(&mut self, context: &Context) {
        let Some(shared) = context.shared.filter(|shared| shared.open == ScreenName::POLICY) else { return };
        let Some(view) = shared.current_view() else {
            self.counting.void();
            self.outlook = Outlook { with_values: self.outlook.with_values.take(), ..Outlook::default() };
            return;
        };
        let order = Order {
            analysis: Arc::clone(&shared.analysis),
            problem: shared.problem.clone(),
            here: Ranked {
                release: Arc::clone(&view.measured.release),
                ranking: Arc::clone(&view.measured.ranking),
            },
            with_values: self.outlook.with_values.clone(),
            draft: self.draft.clone(),
        };
        let link = context.link.map(Report::new::<Answer<Box<Outlook>>>);
        self.counting.ask_first(
            &link,
            |answer| answer,
            move |job| {
                let _turn = job.turn()?;
                order.count(job)
            },
        );
    }

    /// Goes on with what was typed before the project was read again.
    pub(crate) fn go_on_with(&mut self, (draft, taken): (Draft, Draft), shared: &Shared) {
        (self.draft, self.taken) = (draft, taken);
        self.follow(shared);
    }

    /// Takes what the project and the sitting have now, unless the analyst has typed something else.
    pub(super) fn follow(&mut self, shared: &Shared) {
        let now = Draft::of(shared);
        for field in FIELDS {
            // What was typed stays, until it is what is decided or written: `1/20` is the δ that is now written `5%`.
            let is_typed = self.draft.text(field) != self.taken.text(field);
            if !is_typed || self.draft.means(&now, field) {
                self.draft.set(field, now.text(field).to_owned());
            }
        }
        self.taken = now;
    }

    pub(super) fn take_report(&mut self, report: &mut Report) -> Option<String> {
        if let Some(answer) = report.take::<Answer<Swept>>() {
            return self.curve.take(answer);
        }
        match self.counting.take(report.take::<Answer<Box<Outlook>>>()?)? {
            Ok(outlook) => {
                self.outlook = *outlook;
                None
            }
            Err(message) => {
                self.outlook = Outlook::default();
                Some(message)
            }
        }
    }
}
