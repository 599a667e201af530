//! The lattice: every node by height and loss, its verdict, and a cursor that walks over the nodes.

pub(crate) mod map;
pub(crate) mod walk;
mod commands;
mod figures;
mod fitting;
mod panes;
mod rows;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::walk::{LatticeWalk, Message, Survey, Way};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::command_line;
use crate::shared::intent::{Change, Figures, Intent, Purpose};
use crate::shared::screen::{Scope, Screen, Sight};
use crate::shared::state::Shared;

impl Screen for LatticeWalk {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "see every node";
    const LEGEND: &'static [&'static str] = &[
        "A node is a level for each attribute, the same for everybody (full-domain recoding): the weak method. \
             The searches best and MPALM find regions, which lose less under the same δ.",
        "Each row is a height, the coarsest on top; less loss is to the left. zip 0→4: four levels coarser than \
             at ◆.",
        "● keeps δ, checked   ○ keeps δ, implied by a finer one",
        "× breaks δ, checked  · breaks δ, implied   ? open   ◑ some of each",
        "◆ the workbench   ★ least loss of all known to keep δ",
    ];
    const SHOWS_OTHERS: bool = true;

    fn new(shared: &Shared) -> Self {
        Self::at(shared.problem.lattice().bottom())
    }

    fn why_not(&self, _: &Shared, command: Command) -> Option<String> {
        (command == Command::Stop && !self.is_surveying()).then(|| "no nodes are being checked".to_owned())
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope, command)
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        self.step(scope, Way::By(movement))
    }

    fn typed(&mut self, scope: &Scope<Message>, _: Purpose, text: &str) -> Result<Intent, String> {
        self.find_node(scope, text)
    }

    fn update(&mut self, scope: &Scope<Message>, message: Message) -> Intent {
        let before = self.cursor.clone();
        let message = self.take(message);
        if self.cursor != before {
            self.count(scope.link, &scope.shared.problem);
        }
        message.map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        let problem = &scope.shared.problem;
        match change {
            Change::Delta => {
                self.forget();
                if scope.shared.open == Self::NAME {
                    self.ask(scope.link, problem);
                }
            }
            Change::Shown(Self::NAME) => {
                self.open(scope.link, problem, scope.shared.ground.node.clone());
            }
            _ => {}
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Message>, target: Target) -> Intent {
        if let Target::Column(position) = target {
            self.stand_at(position);
            self.count(scope.link, &scope.shared.problem);
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }

    fn activity(&self) -> Activity {
        Activity::answering(self.is_counting()) | Activity::busy(self.is_surveying())
    }

    fn progress(&self) -> String {
        match &self.survey {
            Survey::Running { step: Some(step), .. } if step.total > 0 => {
                format!("lattice {} %", 100 * step.done / step.total)
            }
            _ => String::new(),
        }
    }

    fn command(&self, shared: &Shared) -> Option<(&'static str, String)> {
        Some(("lattice", command_line::delta_options(&shared.analysis, shared.delta())))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::frontier(shared, self)
    }
}
