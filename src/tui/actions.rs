//! What the commands do to a session; one that cannot run says why.

use std::sync::Arc;

use palmtop::model::Node;
use palmtop::pipeline::Analysis;
use palmtop::release::Release;
use palmtop::search::{ColumnRule, Strategy, ValueRule};

use super::app::{Pane, ScreenName, Session};
use super::job::Jobs;
use super::keys::Command;
use super::neighbours::StepTable;
use super::runs::Runs;
use super::view::{Position, View};

/// How far a page goes.
const PAGE: usize = 10;

impl Session {
    /// Begins at the finest node.
    pub(crate) fn new(jobs: &Jobs, analysis: Arc<Analysis>) -> Self {
        let problem = analysis.problem().clone();
        let node = problem.lattice().bottom();
        let view = View::of_node(&analysis, &problem, node.clone());
        let mut steps = StepTable::new();
        steps.count(jobs, &problem, &node, view.start());
        Self {
            analysis,
            problem,
            screen: ScreenName::Workbench,
            view,
            pane: Pane::Steps,
            class_cursor: 0,
            step_cursor: 0,
            steps,
            undo: Vec::new(),
            redo: Vec::new(),
            node,
            runs: Runs::default(),
            cell: Strategy::Mpalm(ColumnRule::Next, ValueRule::FirstSplit),
            candidate: 0,
            base: 0,
        }
    }

    /// What can be compared: the node stood on last, and every search that found a release.
    pub(crate) fn candidates(&self) -> Vec<Position> {
        let runs = self.runs.finished().map(Position::Run);
        std::iter::once(Position::Node(self.node.clone())).chain(runs).collect()
    }

    /// The release of a position.
    pub(crate) fn release(&self, position: &Position) -> Option<Arc<Release>> {
        match position {
            position if *position == self.view.position => Some(Arc::clone(&self.view.release)),
            Position::Node(node) => Some(Arc::new(self.analysis.by_hand(&self.problem, node.clone()))),
            Position::Run(strategy) => self.runs.release(*strategy).cloned(),
        }
    }

    /// The release that an export would write: what the screen points at.
    pub(crate) fn chosen(&self) -> Option<Arc<Release>> {
        match self.screen {
            ScreenName::Workbench => Some(Arc::clone(&self.view.release)),
            ScreenName::Strategies => self.runs.release(self.cell).cloned(),
            ScreenName::Compare => self.release(self.candidates().get(self.candidate)?),
        }
    }

    /// Does what a key asked for, or says why not.
    pub(crate) fn act(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match (self.screen, command) {
            (_, Command::Strategies) => self.screen = ScreenName::Strategies,
            (_, Command::Compare) => {
                self.screen = ScreenName::Compare;
                self.candidate = self.candidate.min(self.candidates().len() - 1);
            }
            (ScreenName::Workbench, command) => return self.act_on_workbench(jobs, command),
            (ScreenName::Strategies, command) => return self.act_on_strategies(jobs, command),
            (ScreenName::Compare, command) => return self.act_on_compare(jobs, command),
        }
        Ok(())
    }

    fn act_on_workbench(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match command {
            Command::Left => return self.step(jobs, false),
            Command::Right => return self.step(jobs, true),
            Command::NextPane => {
                self.pane = if self.pane == Pane::Steps { Pane::Classes } else { Pane::Steps };
            }
            Command::Undo => {
                let back = self.undo.pop().ok_or("there is nothing to undo")?;
                self.redo.push(self.view.position.clone());
                self.stand(jobs, &back);
            }
            Command::Redo => {
                let on = self.redo.pop().ok_or("there is nothing to redo")?;
                self.undo.push(self.view.position.clone());
                self.stand(jobs, &on);
            }
            command => {
                let (cursor, count) = match self.pane {
                    Pane::Steps => (&mut self.step_cursor, self.problem.quasi().len()),
                    Pane::Classes => (&mut self.class_cursor, self.view.classes.len()),
                };
                move_cursor(cursor, count, command);
            }
        }
        Ok(())
    }

    /// One attribute one level coarser or finer.
    fn step(&mut self, jobs: &Jobs, coarser: bool) -> Result<(), String> {
        let lattice = self.problem.lattice();
        let attribute = self.step_cursor;
        let name = &self.problem.quasi()[attribute].name;
        let next: Option<Node> = if coarser {
            lattice.coarser(&self.node, attribute)
        } else {
            lattice.finer(&self.node, attribute)
        };
        let end = if coarser { "coarsest" } else { "finest" };
        let next = next.ok_or_else(|| format!("{name} is at its {end} level already"))?;
        self.go(jobs, &Position::Node(next));
        Ok(())
    }

    /// Goes to a new position; what was undone is forgotten.
    pub(crate) fn go(&mut self, jobs: &Jobs, position: &Position) {
        if *position != self.view.position {
            self.undo.push(self.view.position.clone());
            self.redo.clear();
            self.stand(jobs, position);
        }
    }

    fn stand(&mut self, jobs: &Jobs, position: &Position) {
        let view = match position {
            Position::Node(node) => {
                let view = View::of_node(&self.analysis, &self.problem, node.clone());
                self.node = node.clone();
                self.steps.count(jobs, &self.problem, node, view.start());
                view
            }
            Position::Run(strategy) => match self.runs.release(*strategy) {
                Some(release) => View::new(&self.problem, position.clone(), Arc::clone(release)),
                None => return,
            },
        };
        self.view = view;
        self.class_cursor = 0;
    }

    fn act_on_strategies(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match command {
            Command::Up | Command::Down | Command::Left | Command::Right => {
                self.cell = neighbour(self.cell, command);
            }
            Command::First => self.cell = Strategy::Spalm,
            Command::RunOne => {
                self.runs.enqueue(self.cell);
                self.runs.start_waiting(jobs, &self.analysis, &self.problem);
            }
            Command::RunAll => {
                Strategy::all().for_each(|strategy| self.runs.enqueue(strategy));
                self.runs.start_waiting(jobs, &self.analysis, &self.problem);
            }
            Command::Cancel if !self.runs.cancel(self.cell) => {
                return Err(format!("{} is not running", self.cell));
            }
            Command::CancelAll => {
                for strategy in Strategy::all() {
                    self.runs.cancel(strategy);
                }
            }
            Command::Open => {
                if self.runs.release(self.cell).is_none() {
                    return Err(format!("{} has no release yet; run it first (r)", self.cell));
                }
                self.go(jobs, &Position::Run(self.cell));
                self.screen = ScreenName::Workbench;
            }
            _ => {}
        }
        Ok(())
    }

    fn act_on_compare(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let candidates = self.candidates();
        let last = candidates.len() - 1;
        match command {
            Command::Left | Command::Up => self.candidate = self.candidate.saturating_sub(1),
            Command::Right | Command::Down => self.candidate = (self.candidate + 1).min(last),
            Command::First => self.candidate = 0,
            Command::Last => self.candidate = last,
            Command::Base => self.base = self.candidate,
            Command::Open => {
                self.go(jobs, &candidates[self.candidate]);
                self.screen = ScreenName::Workbench;
            }
            Command::Forget => match &candidates[self.candidate] {
                Position::Run(strategy) if self.view.position != Position::Run(*strategy) => {
                    let strategy = *strategy;
                    let is_it = |position: &Position| *position == Position::Run(strategy);
                    self.undo.retain(|position| !is_it(position));
                    self.redo.retain(|position| !is_it(position));
                    self.runs.forget(strategy);
                    self.candidate = self.candidate.min(last - 1);
                    self.base = if self.base >= last { 0 } else { self.base };
                }
                Position::Run(_) => return Err("it is open on the workbench; go elsewhere first".to_owned()),
                Position::Node(_) => return Err("the node by hand always stays".to_owned()),
            },
            _ => {}
        }
        Ok(())
    }
}

fn move_cursor(cursor: &mut usize, count: usize, command: Command) {
    let last = count.saturating_sub(1);
    *cursor = match command {
        Command::Down => (*cursor + 1).min(last),
        Command::Up => cursor.saturating_sub(1),
        Command::PageDown => (*cursor + PAGE).min(last),
        Command::PageUp => cursor.saturating_sub(PAGE),
        Command::First => 0,
        Command::Last => last,
        _ => *cursor,
    };
}

/// The next cell: SPALM stands left of the grid, whose columns are n, p, b and whose rows are 1, 2, 3.
fn neighbour(cell: Strategy, command: Command) -> Strategy {
    let Strategy::Mpalm(column, value) = cell else {
        return if command == Command::Right {
            Strategy::Mpalm(ColumnRule::Next, ValueRule::ALL[0])
        } else {
            cell
        };
    };
    let place = |found: Option<usize>| found.unwrap_or(0);
    let (x, y) = (
        place(ColumnRule::ALL.iter().position(|rule| *rule == column)),
        place(ValueRule::ALL.iter().position(|rule| *rule == value)),
    );
    let (x, y) = match command {
        Command::Left if x == 0 => return Strategy::Spalm,
        Command::Left => (x - 1, y),
        Command::Right => ((x + 1).min(2), y),
        Command::Up => (x, y.saturating_sub(1)),
        _ => (x, (y + 1).min(2)),
    };
    Strategy::Mpalm(ColumnRule::ALL[x], ValueRule::ALL[y])
}
