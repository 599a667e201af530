//! The screen of classes: the table, and below it the complete explanation of the class under the
//! cursor, which scrolls. All that it shows is shared state.

mod commands;

#[cfg(test)]
mod tests;

use ratatui::layout::{Constraint, Layout, Rect};

use self::commands::{Command, ROWS, SHOW};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::classes::state::Deed;
use crate::shared::classes::{ask, explained, table};
use crate::shared::component::{Component, Context, Event, Wanted};
use crate::shared::intent::{Change, Edit, Intent};
use crate::shared::screen::{About, Scope, Screen, Tab, rows_of};
use crate::shared::state::Shared;

/// The panes of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pane {
    Table,
    Class,
}

/// The focused pane, and the scroll position of the explanation.
pub(crate) struct Classes {
    pane: Pane,
    row: usize,
}

/// How to read the screen.
const LEGEND: &[&str] = &[
    "The pane below the table explains the class under the cursor: its people, how far it is outside δ, and \
         its remedies. Tab moves there, and the keys scroll it.",
    "A bar is the presence: █ up to δmax, ▓ above it, ┊ a bound beyond its end. T is the private table, P \
         the public one.",
    "In a filter, zip:089 finds labels with that text; sex=male finds exactly that label.",
];

impl Classes {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "read all classes, and one in full",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: false,
        },
        show: SHOW,
        tab: Tab::Classes,
        make: |_| Box::new(Self { pane: Pane::Table, row: 0 }),
    };

    /// Carries out a command.
    fn act_on(&mut self, scope: &Scope<()>, command: Command) -> Intent {
        let deed = match command {
            Command::NextPane => {
                self.pane = if self.pane == Pane::Table { Pane::Class } else { Pane::Table };
                self.row = 0;
                return Intent::None;
            }
            Command::Smaller => return Intent::Show(ScreenName::WORKBENCH),
            Command::Find => return ask::find(),
            Command::Filter => return ask::filter(scope.shared),
            Command::FindNext => Deed::FindAgain { forward: true },
            Command::FindPrevious => Deed::FindAgain { forward: false },
            Command::Sort => Deed::Sort { forward: true },
            Command::Reverse => Deed::Reverse,
            Command::Left => Deed::Columns { right: false, last: scope.seen.last_column },
            Command::Right => Deed::Columns { right: true, last: scope.seen.last_column },
            Command::Widen => Deed::Widen,
        };
        self.row = 0;
        Intent::Edit(Edit::Classes(deed))
    }
}

impl Component for Classes {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::<()>::of(context)?;
        Ok(match event {
            Event::Command(row) => self.act_on(scope, ROWS[row].command),
            Event::Move(movement) if self.pane == Pane::Class => {
                // The pane may have grown since.
                self.row = self.row.min(scope.seen.last_row);
                movement.shift(&mut self.row, scope.seen.last_row + 1);
                Intent::None
            }
            Event::Move(movement) => Intent::Edit(Edit::Classes(Deed::Move(movement))),
            Event::Line(line) => return ask::typed(scope.shared, line),
            Event::Changed(Change::Shown(Self::NAME)) => Intent::Edit(Edit::Classes(Deed::Explain)),
            Event::Changed(Change::RecodingRecipe | Change::View | Change::Sought) => {
                // The explanation of another class starts at its first line.
                self.row = 0;
                Intent::None
            }
            Event::Click(Target::Row(row)) => {
                (self.pane, self.row) = (Pane::Table, 0);
                Intent::Edit(Edit::Classes(Deed::Point(row)))
            }
            _ => Intent::None,
        })
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        let Some(shared) = context.shared else { return };
        let below = (area.height / 2).clamp(8, 26).min(area.height);
        let [list, class] = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).areas(area);
        table::render_table(page, list, shared, self.pane == Pane::Table);
        let row = (self.pane == Pane::Class).then_some(self.row);
        explained::render_in_full(page, class, shared, row);
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        match ROWS[row].command {
            Command::FindNext | Command::FindPrevious => ask::why_not_again(shared?),
            _ => None,
        }
    }

    fn needs_view(&self, _: &Shared, wanted: Wanted) -> bool {
        let waits = [Command::Find, Command::FindNext, Command::FindPrevious];
        match wanted {
            Wanted::Command(row) => waits.contains(&ROWS[row].command),
            Wanted::Move => false,
            Wanted::Release | Wanted::Figures => true,
        }
    }
}
