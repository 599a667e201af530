//! The comparison: what it points at, the base, and how the two differ.

use palmtop::session::{How, Place};

use crate::tui::app::commands::Command;
use crate::tui::app::message::{JobName, Message};
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::layout::move_cursor;
use crate::tui::kit::name::ScreenName;
use crate::tui::screens::compare::difference::Difference;
use crate::tui::shared::runs::RunKey;

impl Session {
    pub(crate) fn act_on_compare(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let candidates = self.candidates();
        if candidates.is_empty() {
            return Err("nothing is counted yet".to_owned());
        }
        let (place, last) = (self.pointed_place(&candidates), candidates.len() - 1);
        let mut point = |place: usize| self.pointed = Some(candidates[place].place.clone());
        match command {
            Command::Left => point(place.saturating_sub(1)),
            Command::Right => point((place + 1).min(last)),
            Command::First => point(0),
            Command::Last => point(last),
            Command::Base => self.base = Some(candidates[place].place.clone()),
            Command::Open => {
                self.go(jobs, candidates[place].place.clone(), How::Comparison);
                self.show(jobs, ScreenName::Workbench);
                return Ok(());
            }
            Command::Forget => {
                self.forget(&candidates[place].place)?;
                // What stood after it is pointed at now, or the last one.
                let left = self.candidates();
                self.pointed = left.get(place).or(left.last()).map(|candidate| candidate.place.clone());
            }
            command => move_cursor(&mut self.compare_row, self.problem.quasi().len() + 10, command),
        }
        self.ask_difference(jobs);
        Ok(())
    }

    /// The two that are compared: the base, and what is pointed at; none where they are the same.
    pub(crate) fn compared_pair(&self) -> Option<(Place, Place)> {
        let candidates = self.candidates();
        let (base, pointed) = (self.base_place(&candidates), self.pointed_place(&candidates));
        (base != pointed).then(|| (candidates[base].place.clone(), candidates[pointed].place.clone()))
    }

    /// Asks how the two that are compared differ.
    pub(crate) fn ask_difference(&mut self, jobs: &Jobs) {
        let Some(pair) = self.compared_pair() else {
            self.differences.void();
            return;
        };
        if self.difference.as_ref().is_some_and(|(known, _)| *known == pair) {
            self.differences.void();
            return;
        }
        let candidates = self.candidates();
        let measured = |place: &Place| {
            candidates.iter().find(|known| known.place == *place).map(|known| known.measured.clone())
        };
        let (Some(base), Some(other)) = (measured(&pair.0), measured(&pair.1)) else {
            self.differences.void();
            return;
        };
        let (ticket, problem) = (self.differences.ask(), self.problem.clone());
        jobs.start(JobName::Difference(ticket.clone()), move |sender| {
            if ticket.is_current() {
                let difference = Difference::between(&problem, &base, &other);
                let _ = sender.send(Message::Differed(ticket, Box::new(pair), Box::new(difference)));
            }
        });
    }

    /// Takes a candidate out of the comparison.
    fn forget(&mut self, place: &Place) -> Result<(), String> {
        if place == self.place() {
            return Err("it is open on the workbench; go elsewhere first".to_owned());
        }
        if *place == Place::from(&self.ground.node) {
            return Err("the node that steps start from always stays".to_owned());
        }
        self.pins.retain(|pin| pin.place != *place);
        self.notice = format!("{} is left out", crate::tui::shared::view::place_name(place, self.delta()));
        if let Place::Search(search) = place {
            self.notice.push_str("; its search can be run again");
            self.runs.forget(RunKey { strategy: search.strategy, delta: search.delta });
            self.log.searches.retain(|known| known != search);
        }
        self.save();
        Ok(())
    }
}
