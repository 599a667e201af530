//! The commands of the trade-off: measuring, and using a δmax.

use palmtop_search::Strategy;

use super::commands::Command;
use super::state::{self as sweep, Sweep, Swept};
use crate::kit::command::Movement;
use crate::kit::slot::Answer;
use crate::shared::intent::{Edit, Intent};
use crate::shared::screen::Scope;
use crate::shared::state::Shared;

impl Sweep {
    pub(super) fn act_on(
        &mut self,
        scope: &Scope<Answer<Swept>>,
        command: Command,
    ) -> Result<Intent, String> {
        let Scope { shared, link, .. } = scope;
        let can_run = |strategy: &Strategy| shared.why_refused(*strategy).is_none();
        match command {
            Command::Run => {
                let few: Vec<_> = sweep::few().filter(can_run).collect();
                self.start(link, &shared.analysis, &shared.problem, &few)?;
                return Ok(Intent::Edit(Edit::FixPolicy));
            }
            Command::RunAll => {
                let all: Vec<_> = Strategy::all().filter(can_run).collect();
                self.start(link, &shared.analysis, &shared.problem, &all)?;
                return Ok(Intent::Edit(Edit::FixPolicy));
            }
            Command::Stop => {
                self.stopped();
                return Ok(Intent::Say("stopped; the measurements are kept".to_owned()));
            }
            Command::Take => {
                // Before the first measurement, no δmax is visibly selected.
                if self.strategies(shared.delta().min()).is_empty() {
                    return Err("no measurements yet".to_owned());
                }
                let deltas = self.deltas(&shared.problem);
                let index = self.cursor_index(&deltas, shared.delta());
                let delta = *deltas.get(index).ok_or("no δmax is selected")?;
                if delta == shared.delta() {
                    return Err(format!("δmax is {} already", delta.max()));
                }
                // The measurements are results: δ was fixed before, and another δ needs a reason.
                return Ok(Intent::DeltaFor(delta));
            }
            Command::Left => self.shift(shared, Movement::Up),
            Command::Right => self.shift(shared, Movement::Down),
        }
        Ok(Intent::None)
    }

    /// Moves the selection among the values of δmax: they are side by side in the chart, and one
    /// below the other in the table.
    pub(super) fn shift(&mut self, shared: &Shared, movement: Movement) {
        let deltas = self.deltas(&shared.problem);
        let mut index = self.cursor_index(&deltas, shared.delta());
        movement.shift(&mut index, deltas.len());
        if let Some(delta) = deltas.get(index) {
            self.point_at(*delta);
        }
    }
}
