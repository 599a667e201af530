//! The hierarchies: the labels of each quasi-identifier with their people.

pub(crate) mod state;
pub(crate) mod tree;
mod editing;
mod effect;
mod asking;
mod commands;
mod update;
mod changing;
mod view;
mod line;
mod limit;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::editing::Editing;
use self::effect::Effect;
use self::state::HierarchyTree;
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::slot::Answer;
use crate::kit::words::quoted;
use crate::shared::activity::Activity;
use crate::shared::intent::{Change, Intent, Purpose};
use crate::shared::screen::{Scope, Screen, Sight};
use crate::shared::state::Shared;

/// A message of the screen's job.
pub(crate) type Message = Answer<Effect>;

impl Screen for HierarchyTree {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "see each label with its people, and edit labels";
    const LEGEND: &'static [&'static str] = &[
        "Mark labels of one level, then group them under a name one level up. A label can be split; the borders \
             of numbers or days can be typed. The line at the foot shows the effect at the current node. Only \
             saving writes a file.",
        "Each label has its people in T (private) and in P (public); ◆ marks the current level. Labels that \
             nobody in P has are faint. If people have several rows, the numbers are rows.",
        "Each attribute has its limit. `terms` is the most labels, values and exceptions of a published set; \
             `borders` is the level at whose labels ranges end. Cuts are between values, between labels, or never. The \
             widest row has the most terms that the limits permit.",
    ];

    fn new(_: &Shared) -> Self {
        Self::default()
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope, command)
    }

    fn go(&mut self, _: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        self.shift(movement);
        Ok(Intent::None)
    }

    fn typed(&mut self, scope: &Scope<Message>, purpose: Purpose, text: &str) -> Result<Intent, String> {
        match purpose {
            Purpose::Line | Purpose::Draft => self.answered(scope, text),
            _ => self.find(scope.shared, text).map(Intent::Say),
        }
    }

    fn drafted(&mut self, scope: &Scope<Message>, text: &str) {
        self.drafted_borders(scope, text);
    }

    fn given_up(&mut self, scope: &Scope<Message>, _: Purpose) -> Intent {
        self.not_wanted(scope);
        Intent::None
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        let message = self.editing.as_mut().and_then(|editing| editing.take(message));
        message.map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        let is_open = scope.shared.open == Self::NAME;
        if let Some(editing) =
            self.editing.as_mut().filter(|_| matches!(change, Change::Delta | Change::LastNode))
        {
            editing.judge(scope.shared);
            editing.count(scope.link, scope.shared);
        }
        if is_open && matches!(change, Change::RecodingRecipe | Change::Shown(_)) {
            self.show(scope.shared);
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Message>, target: Target) -> Intent {
        match target {
            Target::Row(row) => self.click_label(row),
            Target::Column(attribute) => {
                self.choose(scope.shared, attribute);
            }
            Target::Other(_) => {}
        }
        Intent::None
    }

    fn activity(&self) -> Activity {
        Activity::counting(self.editing.as_ref().is_some_and(Editing::is_counting))
    }

    fn command(&self, shared: &Shared) -> Option<(&'static str, String)> {
        let attribute = &shared.problem.quasi().get(self.attribute)?.name;
        Some(("check", format!(" --attribute {}", quoted(attribute))))
    }

    fn unsaved(&self, shared: &Shared) -> Option<String> {
        let editing = self.editing.as_ref().filter(|editing| editing.history.is_changed())?;
        Some(format!(
            "The changes of hierarchy {} are not saved.",
            shared.problem.quasi()[editing.attribute].name
        ))
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }
}
