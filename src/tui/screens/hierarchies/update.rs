//! The screen of hierarchies: attributes, labels to fold and to find, and steps to another level.

use crate::tui::app::commands::Command;
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::layout::move_cursor;
use crate::tui::screens::hierarchies::tree::LabelTree;

impl Session {
    pub(crate) fn act_on_hierarchies(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let attribute = self.hierarchies.attribute;
        match command {
            Command::Left => self.take_step(jobs, attribute, false)?,
            Command::Right => self.take_step(jobs, attribute, true)?,
            Command::NextPane => self.choose_hierarchy((attribute + 1) % self.problem.quasi().len()),
            Command::FindNext | Command::FindPrevious => {
                let forward = command == Command::FindNext;
                self.notice = self.hierarchies.find_again(&self.problem, &self.ground.node, forward)?;
            }
            Command::Fold => {
                if !self.hierarchies.tree_mut().is_some_and(LabelTree::fold) {
                    return Err("a leaf: there is nothing below it".to_owned());
                }
            }
            command => {
                if let Some(tree) = self.hierarchies.tree_mut() {
                    let mut row = tree.cursor();
                    move_cursor(&mut row, tree.row_count(), command);
                    tree.go_to(row);
                }
            }
        }
        Ok(())
    }

    /// Makes what the screen of hierarchies shows, at the node of now.
    pub(crate) fn show_hierarchy(&mut self) {
        self.hierarchies.show(&self.problem, &self.ground.node);
    }

    /// Chooses the attribute whose labels are shown.
    pub(crate) fn choose_hierarchy(&mut self, attribute: usize) {
        self.hierarchies.choose(&self.problem, &self.ground.node, attribute);
    }

    /// Goes to the next label that has a text; answers what to say.
    ///
    /// # Errors
    /// Where no label has it.
    pub(crate) fn find_label(&mut self, typed: &str) -> Result<String, String> {
        self.hierarchies.find(&self.problem, &self.ground.node, typed)
    }

    /// A click on a row of the tree: the cursor goes there, or folds what it is on already.
    pub(crate) fn click_label(&mut self, row: usize) {
        if let Some(tree) = self.hierarchies.tree_mut() {
            if tree.cursor() == row {
                tree.fold();
            } else {
                tree.go_to(row);
            }
        }
    }
}
