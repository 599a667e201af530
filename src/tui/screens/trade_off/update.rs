//! The trade-off: measuring it, and taking a δmax from it.

use crate::tui::app::commands::Command;
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::screens::trade_off::sweep::{self, FEW};

use crate::tui::kit::layout::move_cursor;

impl Session {
    pub(crate) fn act_on_trade_off(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match command {
            Command::RunOne => self.trade_off.start(jobs, &self.analysis, &self.problem, &FEW)?,
            Command::RunAll => {
                let all: Vec<_> = sweep::all().collect();
                self.trade_off.start(jobs, &self.analysis, &self.problem, &all)?;
            }
            Command::CancelAll => {
                self.trade_off.stopped();
                "stopped; what is measured is kept".clone_into(&mut self.notice);
            }
            Command::Open => {
                // Before that nothing is pointed at that could be seen.
                if self.trade_off.strategies(self.delta().min()).is_empty() {
                    return Err("nothing is measured yet".to_owned());
                }
                let deltas = self.trade_off.deltas(&self.problem);
                let place = self.trade_off.place(&deltas, self.delta());
                let delta = *deltas.get(place).ok_or("there is no δmax to take")?;
                if delta == self.delta() {
                    return Err(format!("δmax is {} already", delta.max()));
                }
                self.change_delta(jobs, delta);
                let undo = self.key("undo");
                self.notice = format!("δ is {} to {} now; {undo} goes back", delta.min(), delta.max());
            }
            command => self.move_on_trade_off(command),
        }
        Ok(())
    }

    /// Moves the cursor among the values of δmax: they stand side by side in the chart, one below the other in the table.
    fn move_on_trade_off(&mut self, command: Command) {
        let deltas = self.trade_off.deltas(&self.problem);
        let mut place = self.trade_off.place(&deltas, self.delta());
        let along = match command {
            Command::Left => Command::Up,
            Command::Right => Command::Down,
            other => other,
        };
        move_cursor(&mut place, deltas.len(), along);
        if let Some(delta) = deltas.get(place) {
            self.trade_off.point_at(*delta);
        }
    }

    /// A click on a place of the chart or a row of its table.
    pub(crate) fn click_trade_off(&mut self, place: usize) {
        if let Some(delta) = self.trade_off.deltas(&self.problem).get(place) {
            self.trade_off.point_at(*delta);
        }
    }
}
