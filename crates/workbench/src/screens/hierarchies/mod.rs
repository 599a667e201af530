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

use self::asking::FIND;
use self::commands::{ROWS, SHOW};
use self::editing::Editing;
use self::effect::Effect;
use self::state::HierarchyTree;
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::slot::Answer;
use crate::kit::words::quoted;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, Everywhere, State, TypedLine};
use crate::shared::intent::{Change, Intent, Stage};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// A message of the screen's job.
pub(crate) type Message = Answer<Effect>;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Mark labels of one level, then group them under a name one level up. A label can be split; the borders \
         of numbers or days can be typed. The line at the foot shows the effect at the current node. Only \
         saving writes a file.",
    "Each label has its people in P; v shows those in T, too, but who groups by them betrays them. ◆ marks the current level. Labels that \
         nobody in P has are faint. If people have several rows, the numbers are rows.",
    "Each attribute has its limit. `terms` is the most labels, values and exceptions of a published set; \
         `borders` is the level at whose labels ranges end. Cuts are between values, between labels, or never. The \
         widest row has the most terms that the limits permit.",
];

impl HierarchyTree {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "see each label with its people, and edit labels",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: false,
        },
        show: SHOW,
        tab: Tab::Data,
        make: |_| Box::new(Self::default()),
    };

    /// Takes a typed line. The borders and the limit show what would come while they are typed.
    fn line(&mut self, scope: &Scope<Message>, line: TypedLine) -> Result<Intent, String> {
        match (line.id, line.stage) {
            (FIND, _) => return self.find(scope.shared, line.text).map(Intent::Say),
            (_, Stage::GivenUp) => self.not_wanted(scope),
            (_, Stage::Part) => self.drafted_borders(scope, line.text),
            (_, Stage::Complete) => return self.answered(scope, line.text),
        }
        Ok(Intent::None)
    }

    /// Follows a change of what all screens share.
    fn hear(&mut self, scope: &Scope<Message>, change: Change) {
        if matches!(change, Change::Left | Change::Shown(_)) {
            self.shows_members = false;
        }
        if let Some(editing) =
            self.editing.as_mut().filter(|_| matches!(change, Change::Delta | Change::LastNode))
        {
            editing.judge(scope.shared);
            editing.count(&scope.link, scope.shared);
        }
        let is_open = scope.shared.open == Self::NAME;
        if is_open && matches!(change, Change::RecodingRecipe | Change::Shown(_)) {
            self.show(scope.shared);
        }
    }
}

impl Component for HierarchyTree {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => self.shift(movement),
            Event::Line(line) => return self.line(scope, line),
            Event::Report(report) => {
                let message = report.take::<Message>();
                let failure = message.and_then(|message| self.editing.as_mut()?.take(message));
                return Ok(failure.map_or(Intent::None, Intent::Say));
            }
            Event::Chosen(index) => return self.chosen(scope, index),
            // One pair of keys undoes everything: the changes of this hierarchy come before the steps.
            Event::Before(own @ (Everywhere::Undo | Everywhere::Redo)) => {
                let step = self.step_changes(scope, own == Everywhere::Redo);
                return Ok(step.unwrap_or(Intent::None));
            }
            Event::Changed(change) => self.hear(scope, change),
            Event::Click(Target::Row(row)) => self.click_label(row),
            Event::Click(Target::Column(attribute)) => self.choose(scope.shared, attribute),
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let changed = self.editing.as_ref().filter(|editing| editing.history.is_changed());
        let unsaved =
            |editing: &Editing| format!("The changes of hierarchy {} are not saved.", editing.name());
        State {
            activity: Activity::counting(self.editing.as_ref().is_some_and(Editing::is_counting)),
            unsaved: changed.map(unsaved),
            ..State::default()
        }
    }

    fn command_line(&self, shared: &Shared) -> Option<(&'static str, String)> {
        let attribute = &shared.problem.quasi().get(self.attribute)?.name;
        Some(("check", format!(" --attribute {}", quoted(attribute))))
    }
}
