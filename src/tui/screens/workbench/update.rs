//! The workbench and the screen of classes: steps through the lattice, and the table of classes.

use palmtop::session::{How, Place};

use crate::tui::app::commands::Command;
use crate::tui::app::session::{Pane, Session};
use crate::tui::kit::job::Jobs;
use crate::tui::kit::layout::move_cursor;
use crate::tui::kit::name::ScreenName;

impl Session {
    pub(crate) fn act_on_workbench(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match command {
            Command::Left => self.take_step(jobs, self.step_cursor, false),
            Command::Right => self.take_step(jobs, self.step_cursor, true),
            Command::NextPane => {
                self.pane = if self.pane == Pane::Steps { Pane::Classes } else { Pane::Steps };
                Ok(())
            }
            Command::Zoom => {
                self.show(jobs, ScreenName::Classes);
                Ok(())
            }
            Command::Pin => {
                let place = self.place().clone();
                self.pin(&place)
            }
            command if self.pane == Pane::Steps && is_movement(command) => {
                move_cursor(&mut self.step_cursor, self.problem.quasi().len(), command);
                Ok(())
            }
            command => self.act_on_classes(jobs, command),
        }
    }

    pub(crate) fn act_on_classes(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let attributes = self.problem.quasi().len();
        match command {
            Command::FindNext => self.classes.next_found(true)?,
            Command::FindPrevious => self.classes.next_found(false)?,
            Command::Sort | Command::Left => {
                self.classes.sort(attributes, command == Command::Sort);
                self.classes.cursor = 0;
                self.list(jobs);
            }
            Command::Reverse => {
                let order = &mut self.classes.arrangement.order;
                order.reversed = !order.reversed;
                self.classes.cursor = 0;
                self.list(jobs);
            }
            command => {
                let rows = self.view.as_ref().map_or(0, |view| view.shown.len());
                move_cursor(&mut self.classes.cursor, rows, command);
            }
        }
        self.explain(jobs);
        Ok(())
    }

    /// One attribute one level coarser or finer.
    pub(crate) fn take_step(&mut self, jobs: &Jobs, attribute: usize, coarser: bool) -> Result<(), String> {
        let lattice = self.problem.lattice();
        let node = &self.ground.node;
        // From a release by region, a step goes back to the node that it would have started from.
        if matches!(self.place(), Place::Search(search) if search.node.is_none()) {
            self.notice = format!("back at node {node}: steps apply to nodes");
            let place = Place::from(node);
            self.go(jobs, place, How::BackToNode);
            return Ok(());
        }
        let name = &self.problem.quasi()[attribute].name;
        let (next, end) = if coarser {
            (lattice.coarser(node, attribute), "coarsest")
        } else {
            (lattice.finer(node, attribute), "finest")
        };
        let next = next.ok_or_else(|| format!("{name} is at its {end} level already"))?;
        let how = if coarser { How::Coarser(name.clone()) } else { How::Finer(name.clone()) };
        self.go(jobs, Place::from(&next), how);
        Ok(())
    }
}

fn is_movement(command: Command) -> bool {
    use Command as C;
    matches!(command, C::Up | C::Down | C::PageUp | C::PageDown | C::First | C::Last)
}
