//! The screen of the lattice: a walk over its nodes.

use palmtop::session::{How, Place};

use crate::tui::app::commands::Command;
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::name::ScreenName;

impl Session {
    pub(crate) fn act_on_lattice(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match command {
            Command::Open => {
                let place = Place::from(&self.lattice.cursor);
                self.go(jobs, place, How::Lattice);
                self.show(jobs, ScreenName::Workbench);
                return Ok(());
            }
            Command::Cancel => {
                self.lattice.cancel();
                return Ok(());
            }
            Command::RunOne => return self.lattice.survey_again(jobs, &self.problem),
            Command::Here => self.lattice.stand(self.ground.node.clone()),
            command => self.lattice.walk(command)?,
        }
        self.lattice.count(jobs, &self.problem);
        Ok(())
    }

    /// Goes to the node that was typed.
    pub(crate) fn find_node(&mut self, jobs: &Jobs, typed: &str) -> Result<String, String> {
        self.lattice.find(&self.problem, typed)?;
        self.lattice.count(jobs, &self.problem);
        Ok(format!("node {}", self.lattice.cursor))
    }

    /// A click on a node of the map.
    pub(crate) fn point_at_node(&mut self, jobs: &Jobs, place: usize) {
        self.lattice.stand_at(place);
        self.lattice.count(jobs, &self.problem);
    }
}
