//! The hierarchies: the labels of each quasi-identifier with their people.

pub(crate) mod state;
pub(crate) mod tree;
mod commands;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::state::HierarchyTree;
use crate::tui::kit::command::{Movement, Row};
use crate::tui::kit::hits::Target;
use crate::tui::kit::name::ScreenName;
use crate::tui::kit::page::Page;
use crate::tui::shared::intent::{Change, Intent, Purpose};
use crate::tui::shared::screen::{Scope, Screen, Sight};
use crate::tui::shared::state::Shared;

/// It starts no jobs.
pub(crate) enum Message {}

impl Screen for HierarchyTree {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const LEGEND: &'static [&'static str] = &[
        "Each label with its people in T (private) and in P (public); those at the current level have a ◆. Labels that \
             nobody in P has are faint.",
    ];

    fn new(_: &Shared) -> Self {
        Self::default()
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope.shared, command)
    }

    fn go(&mut self, _: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        self.shift(movement);
        Ok(Intent::None)
    }

    fn typed(&mut self, scope: &Scope<Message>, _: Purpose, text: &str) -> Result<Intent, String> {
        self.find(&scope.shared.problem, &scope.shared.ground.node, text).map(Intent::Say)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        match message {}
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        let is_open = scope.shared.open == ScreenName::Hierarchies;
        if is_open && matches!(change, Change::Place | Change::Shown(_)) {
            self.show(&scope.shared.problem, &scope.shared.ground.node);
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Message>, target: Target) -> Intent {
        match target {
            Target::Row(row) => self.click_label(row),
            Target::Column(attribute) => {
                self.choose(&scope.shared.problem, &scope.shared.ground.node, attribute);
            }
            Target::Other(_) => {}
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, own: self });
    }
}
