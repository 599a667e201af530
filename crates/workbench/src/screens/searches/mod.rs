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

use self::commands::{Command, ROWS, SHOW};
use self::state::{Message, Searches, first, why_no_release};
use self::update::budget_of;
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::intent::{Intent, Purpose};
use crate::shared::screen::{Scope, Screen, Sight, Taking};
use crate::shared::state::Shared;

impl Screen for Searches {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "run the strategies";
    const LEGEND: &'static [&'static str] = &[
        "simulatable: δ holds even if an attacker knows the algorithm. For the other strategies, nobody knows \
             how much more the borders of their regions reveal. Choosing a release by its loss leaks \
             information, too. spalm: SPALM, the paper's search over nodes. n1 to b3: MPALM, the paper's nine \
             that split regions; n, p, b choose the column, 1, 2, 3 where to cut it. best: the least loss that \
             palmtop finds.",
        "The bar in a cell is the loss of its release. ★ is the least loss so far, of searches that still run \
             too.",
    ];
    const SHOWS_OTHERS: bool = true;

    fn new(shared: &Shared) -> Self {
        Self { cell: first(shared), is_unfolded: false }
    }

    fn why_not(&self, shared: &Shared, command: Command) -> Option<String> {
        self.why_not_now(shared, command)
    }

    fn why_not_taken(&self, shared: &Shared, _: Taking) -> Option<String> {
        self.chosen(shared).err()
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope.shared, command)
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        Ok(self.shift(scope.shared, movement))
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        match message {}
    }

    fn click(&mut self, _: &Scope<Message>, target: Target) -> Intent {
        if let Target::Row(row) = target
            && let Some(strategy) = Strategy::all().nth(row)
        {
            self.cell = strategy;
        }
        Intent::None
    }

    fn typed(&mut self, _: &Scope<Message>, _: Purpose, text: &str) -> Result<Intent, String> {
        budget_of(text)
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let outcome = shared.outcome(self.cell);
        let found = outcome.and_then(|outcome| Some((outcome, outcome.measured.as_ref()?)));
        let (outcome, measured) = found.ok_or_else(|| why_no_release(shared, self.cell))?;
        Ok((RecodingRecipe::Search(outcome.search.clone()), shared.judged(&measured.release)))
    }
}
