//! The searches: a cell per strategy, with its result.

pub(crate) mod state;
mod commands;
mod update;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::Strategy;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use self::commands::{ROWS, SHOW};
use self::state::{Searches, first, why_no_release};
use self::update::budget_of;
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::component::{Component, Context, Event, Wanted};
use crate::shared::intent::Intent;
use crate::shared::screen::{About, Scope, Screen, Sight, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "simulatable: δ holds even if an attacker knows the algorithm. For the other strategies, nobody knows \
         how much more the borders of their regions reveal. Choosing a release by its loss leaks \
         information, too. spalm: SPALM, the paper's search over nodes. n1 to b3: MPALM, the paper's nine \
         that split regions; n, p, b choose the column, 1, 2, 3 where to cut it. best: the least loss that \
         palmtop finds.",
    "The bar in a cell is the loss of its release. ★ is the least loss so far, of searches that still run \
         too.",
];

impl Searches {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "run the strategies",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: "search",
        make: |shared| Box::new(Self { cell: first(shared), is_unfolded: false }),
    };
}

impl Component for Searches {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let shared = Scope::<()>::of(context)?.shared;
        match event {
            Event::Command(row) => return self.act_on(shared, ROWS[row].command),
            Event::Move(movement) => return Ok(self.shift(shared, movement)),
            Event::Line(line) => return budget_of(line.text),
            Event::Click(Target::Row(row)) => self.cell = Strategy::all().nth(row).unwrap_or(self.cell),
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        match wanted {
            Wanted::Command(row) => self.why_not_now(shared?, ROWS[row].command),
            Wanted::Move => None,
            Wanted::Release | Wanted::Figures => self.chosen(shared?).err(),
        }
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let outcome = shared.outcome(self.cell);
        let found = outcome.and_then(|outcome| Some((outcome, outcome.measured.as_ref()?)));
        let (outcome, measured) = found.ok_or_else(|| why_no_release(shared, self.cell))?;
        Ok((RecodingRecipe::Search(outcome.search.clone()), shared.judged(&measured.release)))
    }
}
