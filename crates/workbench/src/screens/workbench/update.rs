//! The commands of the workbench: steps through the lattice, and the table of classes.

use super::commands::Command;
use super::state::{Message, Pane, Workbench};
use crate::kit::name::ScreenName;
use crate::shared::classes::ask;
use crate::shared::classes::state::Deed;
use crate::shared::intent::{Edit, Intent};
use crate::shared::screen::Scope;
use crate::shared::step::step;

impl Workbench {
    pub(super) fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let shared = scope.shared;
        let right = command == Command::Coarser;
        let deed = match command {
            Command::Finer | Command::Coarser if self.pane == Pane::Classes => {
                Deed::Columns { right, last: scope.seen.last_column }
            }
            Command::Finer | Command::Coarser => return step(shared, self.cursor, right),
            Command::NextPane if self.pane == Pane::Classes => {
                self.pane = Pane::Steps;
                return Ok(Intent::Show(ScreenName::LATTICE));
            }
            Command::NextPane => {
                self.pane = Pane::Classes;
                return Ok(Intent::None);
            }
            Command::Explain | Command::Enlarge => return Ok(Intent::Show(ScreenName::CLASSES)),
            Command::Pin => return Ok(Intent::Edit(Edit::Pin(shared.recipe().clone()))),
            Command::Find => return Ok(ask::find()),
            Command::Filter => return Ok(ask::filter(shared)),
            Command::FindNext => Deed::FindAgain { forward: true },
            Command::FindPrevious => Deed::FindAgain { forward: false },
            Command::Sort => Deed::Sort { forward: true },
            Command::Reverse => Deed::Reverse,
            Command::Widen => Deed::Widen,
        };
        Ok(Intent::Edit(Edit::Classes(deed)))
    }
}
