//! The commands of the hierarchies: steps, folding and finding. Edits are in `changing`.

use super::asking::FIND;
use super::commands::Command;
use super::state::HierarchyTree;
use super::tree::LabelTree;
use crate::kit::command::Movement;
use crate::shared::intent::{Choosing, Intent, Manner, Question};
use crate::shared::screen::Scope;
use crate::shared::step::step;

/// What Enter offers on a label, in the order of the digits.
const EDITS: [(Command, &str); 11] = [
    (Command::Fold, "fold or unfold it"),
    (Command::Group, "group it, or the marked labels, under a new name"),
    (Command::Split, "split it into its parts"),
    (Command::Rename, "rename it"),
    (Command::Move, "move it, or the marked labels, into another label"),
    (Command::Borders, "type the borders of its level: bands of numbers or days"),
    (Command::Insert, "add a level above its level"),
    (Command::Remove, "remove its level"),
    (Command::Limit, "limit what is published of the attribute: `terms` or `borders`"),
    (Command::MarkFound, "mark every label of its level that was found"),
    (Command::File, "another file for this hierarchy"),
];

impl HierarchyTree {
    /// Carries out what was chosen for a label.
    pub(super) fn chosen(&mut self, scope: &Scope<super::Message>, index: usize) -> Result<Intent, String> {
        EDITS.get(index).map_or(Ok(Intent::None), |(command, _)| self.act_on(scope, *command))
    }

    pub(super) fn act_on(
        &mut self,
        scope: &Scope<super::Message>,
        command: Command,
    ) -> Result<Intent, String> {
        let shared = scope.shared;
        match command {
            Command::Finer => return step(shared, self.attribute, false),
            Command::Coarser => return step(shared, self.attribute, true),
            Command::Next => self.choose(shared, (self.attribute + 1) % shared.problem.quasi().len()),
            Command::Find => {
                let (word, hint) = ("find", "part of a label; ^ before its beginning");
                let (id, manner, text) = (FIND, Manner::Whole, String::new());
                return Ok(Intent::Ask(Question { id, manner, word, hint, text }));
            }
            Command::FindNext => return self.find_again(shared, true).map(Intent::Say),
            Command::FindPrevious => return self.find_again(shared, false).map(Intent::Say),
            Command::Change => {
                let title = self.under_cursor(shared).map_or_else(String::new, |(_, label)| label);
                let labels = EDITS.iter().map(|(_, does)| (*does).to_owned()).collect();
                let choosing = Choosing { title, sentence: String::new(), labels, taken: None };
                return Ok(Intent::Choose(choosing));
            }
            Command::Values => self.shows_members = !self.shows_members,
            Command::Fold => {
                if !self.tree_mut().is_some_and(LabelTree::fold) {
                    return Err("a leaf has no labels below it".to_owned());
                }
            }
            command => return self.edit(scope, command),
        }
        Ok(Intent::None)
    }

    pub(super) fn shift(&mut self, movement: Movement) {
        if let Some(tree) = self.tree_mut() {
            let mut row = tree.cursor();
            movement.shift(&mut row, tree.row_count());
            tree.go_to(row);
        }
    }

    /// A click on a row of the tree moves the cursor there; a second click folds the label.
    pub(super) fn click_label(&mut self, row: usize) {
        if let Some(tree) = self.tree_mut() {
            if tree.cursor() == row {
                tree.fold();
            } else {
                tree.go_to(row);
            }
        }
    }
}
