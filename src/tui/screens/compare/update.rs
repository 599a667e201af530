//! What the commands of the comparison do.

use palmtop::session::{How, Place};

use super::commands::Command;
use super::state::{Compare, Message};
use crate::tui::kit::command::Movement;
use crate::tui::kit::name::ScreenName;
use crate::tui::shared::intent::Intent;
use crate::tui::shared::screen::Scope;
use crate::tui::shared::state::{Candidate, Shared, place_in};

impl Compare {
    pub(super) fn act_on(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let (candidates, place) = self.candidates(scope.shared)?;
        let last = candidates.len() - 1;
        match command {
            Command::Left => Ok(self.point(scope, &candidates, place.saturating_sub(1))),
            Command::Right => Ok(self.point(scope, &candidates, (place + 1).min(last))),
            Command::Base => Ok(Intent::Base(candidates[place].place.clone())),
            Command::Open => {
                let go = Intent::Go { place: candidates[place].place.clone(), how: How::Comparison };
                Ok(Intent::Many(vec![go, Intent::Show(ScreenName::Workbench)]))
            }
            Command::Forget => self.forget_one(scope.shared, &candidates, place),
        }
    }

    /// Up and down go through the rows, the ends to the first and the last candidate.
    pub(super) fn shift(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        let (candidates, _) = self.candidates(scope.shared)?;
        let last = candidates.len() - 1;
        Ok(match movement {
            Movement::First => self.point(scope, &candidates, 0),
            Movement::Last => self.point(scope, &candidates, last),
            movement => {
                movement.shift(&mut self.row, scope.shared.problem.quasi().len() + 10);
                self.ask(scope.link, scope.shared);
                Intent::None
            }
        })
    }

    /// The candidates, and the place of the one pointed at.
    fn candidates(&self, shared: &Shared) -> Result<(Vec<Candidate>, usize), String> {
        let candidates = shared.candidates();
        if candidates.is_empty() {
            return Err("nothing is counted yet".to_owned());
        }
        let place = place_in(&candidates, self.pointed.as_ref());
        Ok((candidates, place))
    }

    fn point(&mut self, scope: &Scope<Message>, candidates: &[Candidate], place: usize) -> Intent {
        self.pointed = Some(candidates[place].place.clone());
        self.ask(scope.link, scope.shared);
        Intent::None
    }

    /// Takes a candidate out of the comparison; what stood after it is pointed at now, or the last one.
    fn forget_one(
        &mut self,
        shared: &Shared,
        candidates: &[Candidate],
        place: usize,
    ) -> Result<Intent, String> {
        let wanted = &candidates[place].place;
        if wanted == shared.place() {
            return Err("it is open on the workbench; go elsewhere first".to_owned());
        }
        if *wanted == Place::from(&shared.ground.node) {
            return Err("the node that steps start from always stays".to_owned());
        }
        let left: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.place != *wanted).collect();
        let next = left.get(place).or(left.last());
        self.pointed = next.map(|candidate| candidate.place.clone());
        Ok(Intent::Forget(wanted.clone()))
    }
}
