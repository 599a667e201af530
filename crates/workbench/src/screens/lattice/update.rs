//! The commands of the lattice: moving over its nodes.

use palmtop_release::history::{Action, RecodingRecipe};

use super::commands::Command;
use super::walk::{LatticeWalk, Message, Way};
use crate::kit::name::ScreenName;
use crate::kit::text;
use crate::shared::intent::{Edit, Intent, Manner, Question};
use crate::shared::screen::Scope;

impl LatticeWalk {
    pub(super) fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let problem = &scope.shared.problem;
        let way = match command {
            Command::Open => {
                let recipe = RecodingRecipe::from(&self.cursor);
                let go = Intent::Edit(Edit::Go { recipe, how: Action::Lattice });
                return Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]));
            }
            Command::Find => {
                let (word, hint) = ("node", "levels, * for any: 2,1,*,0");
                let (id, manner, text) = ("lattice.find", Manner::Whole, String::new());
                return Ok(Intent::Ask(Question { id, manner, word, hint, text }));
            }
            Command::Pane | Command::Smaller => return Ok(Intent::Show(ScreenName::WORKBENCH)),
            Command::Stop => {
                self.cancel();
                return Ok(Intent::None);
            }
            Command::Check => {
                self.survey_again(&scope.link, problem)?;
                return Ok(Intent::None);
            }
            Command::Here => {
                self.stand(scope.shared.ground.node.clone());
                self.count(&scope.link, problem);
                return Ok(Intent::None);
            }
            Command::Left => Way::Left,
            Command::Right => Way::Right,
            Command::Next => Way::NextPresent,
            Command::Previous => Way::PreviousPresent,
            Command::Frontier => Way::Frontier,
            Command::Best => Way::Optimum,
        };
        self.step(scope, way)
    }

    /// Moves the cursor, and counts the node that it reaches.
    pub(super) fn step(&mut self, scope: &Scope<Message>, way: Way) -> Result<Intent, String> {
        let waiting = self.wait_with(way);
        if waiting > 0 {
            let moves = text::counted(waiting, "move waits", "moves wait");
            return Ok(Intent::Say(format!("{moves} until the nodes are checked")));
        }
        self.walk(way)?;
        self.count(&scope.link, &scope.shared.problem);
        Ok(Intent::None)
    }

    /// Goes to the node with the typed levels.
    pub(super) fn find_node(&mut self, scope: &Scope<Message>, typed: &str) -> Result<Intent, String> {
        self.find(&scope.shared.problem, typed)?;
        self.count(&scope.link, &scope.shared.problem);
        Ok(Intent::Say(format!("node {}", self.cursor)))
    }
}
