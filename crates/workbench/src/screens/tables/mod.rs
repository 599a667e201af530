//! The tables: T, P, and the release as it would be written.

pub(crate) mod state;
mod commands;
mod find;
mod frequencies;
mod sheet;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::sheet::Sheet;
use self::state::{Message, TablePages};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::text;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State, TypedLine, Wanted};
use crate::shared::intent::{Change, Figures, Intent, Stage};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// Why rows are never copied.
const NEVER_COPIED: &str = "rows of tables are never copied; the figures of the other screens are";

/// How to read the screen.
const LEGEND: &[&str] = &[
    "T, P, and the release as it would be written. Identifiers, sensitive values and unused columns are \
         hidden until you reveal them, and again when you leave. Rows are never copied.",
    "A search finds part of a shown value, in upper or lower case. A hidden identifier is found only if it \
         is typed completely.",
];

impl TablePages {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "read T, P and the release",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: false,
        },
        show: SHOW,
        tab: Tab::Data,
        make: |_| Box::new(Self::unread()),
    };

    /// Takes what one of its jobs has to say.
    fn take_report(&mut self, scope: &Scope<Message>, message: Message) -> Intent {
        let message = match message {
            Message::Paged(answer) => self.take(answer),
            Message::Looked(answer) => self.take_looked(answer),
            Message::Classed(answer) => {
                return self.take_class(scope.shared, answer).unwrap_or_else(Intent::Say);
            }
        };
        // Requests more rows if the cursor has moved meanwhile.
        if scope.shared.open == Self::NAME {
            self.show(scope);
        }
        message.map_or(Intent::None, Intent::Say)
    }
}

impl Component for TablePages {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => self.shift(scope, movement),
            Event::Line(TypedLine { stage: Stage::GivenUp, .. }) => {
                self.end_search();
                self.show(scope);
            }
            Event::Line(line) => return self.look_for(scope, line.text),
            Event::Report(report) => {
                return Ok(report.take().map_or(Intent::None, |it| self.take_report(scope, it)));
            }
            Event::Changed(Change::Shown(name)) if name != Self::NAME => self.leave(),
            Event::Changed(Change::Shown(_)) => self.show(scope),
            Event::Changed(Change::Left) => self.revealed = false,
            Event::Changed(Change::View) if scope.shared.open == Self::NAME => self.show(scope),
            Event::Click(Target::Row(row)) => {
                self.window_mut().cursor = row;
                self.show(scope);
            }
            Event::Click(Target::Column(index)) => {
                if let Some(sheet) = Sheet::ALL.get(index) {
                    self.choose(*sheet);
                    self.show(scope);
                }
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let looked = self.looking().map(|rows| format!("{} rows looked through", text::count(rows)));
        State {
            activity: Activity::answering(self.is_busy()) | Activity::busy(looked.is_some()),
            progress: looked.unwrap_or_default(),
            ..State::default()
        }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        match wanted {
            Wanted::Figures => Some(NEVER_COPIED.to_owned()),
            Wanted::Move | Wanted::Release => None,
            Wanted::Command(row) => {
                let again = matches!(ROWS[row].command, Command::FindNext | Command::FindPrevious);
                (again && self.search.is_none()).then(|| "find something first".to_owned())
            }
        }
    }

    fn needs_view(&self, shared: &Shared, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Command(row) => ROWS[row].command == Command::Class,
            Wanted::Move => false,
            Wanted::Release | Wanted::Figures => self.chosen(shared).is_err(),
        }
    }

    fn figures(&self, _: &Shared) -> Result<Figures, String> {
        Err(NEVER_COPIED.to_owned())
    }
}
