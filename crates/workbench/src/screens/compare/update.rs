//! The commands of the comparison.

use palmtop_release::history::{Action, RecodingRecipe};

use super::commands::Command;
use super::rows::MEASURES;
use super::state::{Compare, Message};
use crate::kit::command::Movement;
use crate::kit::name::ScreenName;
use crate::shared::intent::{Edit, Intent};
use crate::shared::screen::Scope;
use crate::shared::state::Shared;
use crate::shared::view::Candidate;

impl Compare {
    pub(super) fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let (candidates, index) = self.candidates(scope.shared)?;
        match command {
            Command::Left => Ok(self.sort_by(self.sort.saturating_sub(1))),
            Command::Right => Ok(self.sort_by((self.sort + 1).min(MEASURES.len() - 1))),
            Command::Base => Ok(Intent::Edit(Edit::Base(candidates[index].recipe.clone()))),
            Command::Open => {
                let go = Intent::Edit(Edit::Go {
                    recipe: candidates[index].recipe.clone(),
                    how: Action::Comparison,
                });
                Ok(Intent::Many(vec![go, Intent::Show(ScreenName::WORKBENCH)]))
            }
            Command::Forget => self.forget_one(scope.shared, &candidates, index),
        }
    }

    /// Sorts the rows; the selected recipe stays selected.
    fn sort_by(&mut self, measure: usize) -> Intent {
        self.sort = measure;
        Intent::Say(format!("sorted by {}", MEASURES[measure].screen))
    }

    /// Moves the selection by rows.
    pub(super) fn shift(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        let (candidates, mut index) = self.candidates(scope.shared)?;
        movement.shift(&mut index, candidates.len());
        Ok(self.point(scope, &candidates, index))
    }

    /// The candidates, and the index of the selected one.
    fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        let candidates = self.ordered(shared);
        if candidates.is_empty() {
            return Err("no figures yet".to_owned());
        }
        let index = self.row_of(shared, self.pointed.as_ref());
        Ok((candidates, index))
    }

    fn point(&mut self, scope: &Scope<Message>, candidates: &[Candidate], index: usize) -> Intent {
        self.pointed = Some(candidates[index].recipe.clone());
        self.ask(&scope.link, scope.shared);
        Intent::None
    }

    /// Removes a candidate from the comparison; selects the next one, or the last.
    fn forget_one(
        &mut self,
        shared: &Shared,
        candidates: &[Candidate],
        index: usize,
    ) -> Result<Intent, String> {
        let wanted = &candidates[index].recipe;
        if wanted == shared.recipe() {
            return Err("it is open on the workbench; open another release first".to_owned());
        }
        if *wanted == RecodingRecipe::from(&shared.ground.node) {
            return Err("steps start from this node, so it stays".to_owned());
        }
        let left: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.recipe != *wanted).collect();
        let next = left.get(index).or(left.last());
        self.pointed = next.map(|candidate| candidate.recipe.clone());
        Ok(Intent::Edit(Edit::Forget(wanted.clone())))
    }
}
