//! The lattice: every node by height and loss, its verdict, and a cursor that walks over the nodes.

pub(crate) mod map;
pub(crate) mod walk;
mod commands;
mod figures;
mod fitting;
mod losses;
mod panes;
mod rows;
mod update;
mod view;
mod wall;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::walk::{LatticeWalk, Survey, Way};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::command_line;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "A node is a level for each attribute, the same for everybody (full-domain recoding): the weak method. \
         The searches best and MPALM find regions, which lose less under the same δ.",
    "Each row is a height, the coarsest on top; less loss is to the left. zip 0→4: four levels coarser than \
         at ◆.",
    "● keeps δ, checked   ○ keeps δ, implied by a finer one",
    "× breaks δ, checked  · breaks δ, implied   ? open",
    "If a row does not fit, each column is a band of loss, the same one in each row: ▁ to █ are the share of its nodes \
         that keep δ, · has none. The line is the least loss of each height that keeps δ.",
    "◆ the workbench   ◇ where it was before   ★ least loss of all known to keep δ",
];

impl LatticeWalk {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "see every node",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: Tab::Classes,
        make: |shared| Box::new(Self::at(shared.problem.lattice().bottom())),
    };
}

impl Component for LatticeWalk {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        let problem = &scope.shared.problem;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => return self.step(scope, Way::By(movement)),
            Event::Line(line) => return self.find_node(scope, line.text),
            Event::Report(report) => {
                let before = self.cursor.clone();
                let message = report.take().and_then(|message| self.take(message));
                if self.cursor != before {
                    self.count(&scope.link, problem);
                }
                return Ok(message.map_or(Intent::None, Intent::Say));
            }
            Event::Changed(Change::Delta) => {
                self.forget();
                if scope.shared.open == Self::NAME {
                    self.ask(&scope.link, problem);
                }
            }
            Event::Changed(Change::Shown(Self::NAME)) => {
                self.open(&scope.link, problem, scope.shared.ground.node.clone());
            }
            Event::Click(Target::Column(position)) => {
                self.stand_at(position);
                self.count(&scope.link, problem);
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let progress = match &self.survey {
            Survey::Running { step: Some(step), .. } if step.total > 0 => {
                format!("lattice {} %", 100 * step.done / step.total)
            }
            _ => String::new(),
        };
        let activity = Activity::answering(self.is_counting()) | Activity::busy(self.is_surveying());
        State { activity, progress, ..State::default() }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        let is_stop = ROWS[row].command == Command::Stop;
        (is_stop && !self.is_surveying()).then(|| "no nodes are being checked".to_owned())
    }

    fn command_line(&self, shared: &Shared) -> Option<(&'static str, String)> {
        Some(("lattice", command_line::delta_options(&shared.analysis, shared.delta())))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::frontier(shared, self)
    }
}
