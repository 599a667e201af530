//! What the commands do to a session; one that cannot run says why.

use std::sync::Arc;

use palmtop::pipeline::Analysis;
use palmtop::release::Release;
use palmtop::search::{ColumnRule, Strategy, ValueRule};

use super::app::{Pane, ScreenName, Session};
use super::bound::Bound;
use super::job::Jobs;
use super::keys::Command;
use super::neighbours::StepTable;
use super::runs::{Run, Runs};
use super::view::{Ground, Position, View};

/// How far a page goes.
const PAGE: usize = 10;

impl Session {
    /// Begins at the finest node.
    pub(crate) fn new(jobs: &Jobs, analysis: Arc<Analysis>) -> Self {
        let problem = analysis.problem().clone();
        let node = problem.lattice().bottom();
        let ground = Ground::new(&analysis, &problem, node.clone());
        let view = View::new(&problem, Position::Node(node.clone()), Arc::clone(&ground.release));
        let mut steps = StepTable::new();
        steps.count(jobs, &problem, &node, ground.start());
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
            ground,
            pins: Vec::new(),
            runs: Runs::default(),
            cell: Strategy::Mpalm(ColumnRule::Next, ValueRule::FirstSplit),
            pointed: None,
            base: None,
            compare_row: 0,
            bound: Bound::Unasked,
            notice: String::new(),
        }
    }

    /// What can be compared: the node stood on last, the pinned ones, and every search that found a release.
    pub(crate) fn candidates(&self) -> Vec<Position> {
        let here = std::iter::once(&self.ground);
        let pinned = self.pins.iter().filter(|pin| pin.node != self.ground.node);
        let nodes = here.chain(pinned).map(|ground| Position::Node(ground.node.clone()));
        nodes.chain(self.runs.finished().map(Position::Run)).collect()
    }

    /// The place of the base among the candidates.
    pub(crate) fn base_place(&self, candidates: &[Position]) -> usize {
        let is_base = |position| self.base.as_ref() == Some(position);
        candidates.iter().position(is_base).unwrap_or(0)
    }

    /// The place among the candidates that the comparison points at.
    pub(crate) fn pointed_place(&self, candidates: &[Position]) -> usize {
        let is_pointed = |position| self.pointed.as_ref() == Some(position);
        candidates.iter().position(is_pointed).unwrap_or(0)
    }

    /// The release of a position.
    pub(crate) fn release(&self, position: &Position) -> Option<Arc<Release>> {
        match position {
            Position::Node(node) => {
                let known = std::iter::once(&self.ground).chain(&self.pins).find(|known| known.node == *node);
                known.map(|known| Arc::clone(&known.release))
            }
            Position::Run(strategy) => self.runs.release(*strategy).cloned(),
        }
    }

    /// The release that an export would write: what the screen points at.
    pub(crate) fn chosen(&self) -> Option<Arc<Release>> {
        match self.screen {
            ScreenName::Workbench => Some(Arc::clone(&self.view.release)),
            ScreenName::Strategies => self.runs.release(self.cell).cloned(),
            ScreenName::Compare => {
                let candidates = self.candidates();
                self.release(&candidates[self.pointed_place(&candidates)])
            }
        }
    }

    /// Does what a key asked for, or says why not.
    pub(crate) fn act(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match (self.screen, command) {
            (_, Command::Strategies) => self.screen = ScreenName::Strategies,
            (_, Command::Compare) => {
                self.screen = ScreenName::Compare;
                self.compare_row = 0;
                self.bound.ask(jobs, &self.problem);
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
                let back = self.undo.last().ok_or("there is nothing to undo")?.clone();
                let here = self.view.position.clone();
                self.stand(jobs, &back)?;
                self.undo.pop();
                self.redo.push(here);
            }
            Command::Redo => {
                let on = self.redo.last().ok_or("there is nothing to redo")?.clone();
                let here = self.view.position.clone();
                self.stand(jobs, &on)?;
                self.redo.pop();
                self.undo.push(here);
            }
            Command::Pin => return self.pin(),
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

    /// One attribute one level coarser or finer; from regions, back to the node that steps start from.
    fn step(&mut self, jobs: &Jobs, coarser: bool) -> Result<(), String> {
        if self.view.release.recoding.node().is_none() {
            self.notice = format!("back at node {}: steps apply to nodes", self.ground.node);
            return self.go(jobs, &Position::Node(self.ground.node.clone()));
        }
        let lattice = self.problem.lattice();
        let attribute = self.step_cursor;
        let name = &self.problem.quasi()[attribute].name;
        let (next, end) = if coarser {
            (lattice.coarser(&self.ground.node, attribute), "coarsest")
        } else {
            (lattice.finer(&self.ground.node, attribute), "finest")
        };
        let next = next.ok_or_else(|| format!("{name} is at its {end} level already"))?;
        self.go(jobs, &Position::Node(next))
    }

    /// Keeps the node to compare, or no longer.
    fn pin(&mut self) -> Result<(), String> {
        if let Position::Run(strategy) = &self.view.position {
            return Err(format!("{strategy} is compared anyway; pins are for nodes by hand"));
        }
        let node = self.ground.node.clone();
        let before = self.pins.len();
        self.pins.retain(|pin| pin.node != node);
        if self.pins.len() == before {
            self.pins.push(Ground::new(&self.analysis, &self.problem, node.clone()));
            self.notice = format!("node {node} is pinned: it stays in the comparison (c)");
        } else {
            self.notice = format!("node {node} is no longer pinned");
        }
        Ok(())
    }

    /// Goes to a new position; what was undone is forgotten.
    fn go(&mut self, jobs: &Jobs, position: &Position) -> Result<(), String> {
        if *position != self.view.position {
            let here = self.view.position.clone();
            self.stand(jobs, position)?;
            self.undo.push(here);
            self.redo.clear();
        }
        Ok(())
    }

    fn stand(&mut self, jobs: &Jobs, position: &Position) -> Result<(), String> {
        let (node, found) = match position {
            Position::Node(node) => (Some(node.clone()), None),
            Position::Run(strategy) => {
                let release = self.runs.release(*strategy);
                let release =
                    release.ok_or_else(|| format!("the release of {strategy} is gone; run it again"))?;
                (release.recoding.node().cloned(), Some(Arc::clone(release)))
            }
        };
        // A search that found a node is somewhere to step from, as a node by hand is.
        if let Some(node) = node.filter(|node| *node != self.ground.node) {
            self.ground = Ground::new(&self.analysis, &self.problem, node);
            self.steps.count(jobs, &self.problem, &self.ground.node, self.ground.start());
        }
        let release = found.unwrap_or_else(|| Arc::clone(&self.ground.release));
        self.view = View::new(&self.problem, position.clone(), release);
        self.class_cursor = 0;
        Ok(())
    }

    fn act_on_strategies(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        match command {
            Command::Up | Command::Down | Command::Left | Command::Right => {
                self.cell = neighbour(self.cell, command);
            }
            Command::First => self.cell = Strategy::Best,
            Command::RunOne if !self.runs.enqueue(self.cell) => {
                let ended = matches!(self.runs.get(self.cell), Some(Run::Done(_)));
                let state = if ended { "has run, and would end the same way" } else { "is under way" };
                return Err(format!("{} {state}", self.cell));
            }
            Command::RunOne => self.runs.start_waiting(jobs, &self.analysis, &self.problem),
            Command::RunAll => {
                let started = Strategy::all().filter(|strategy| self.runs.enqueue(*strategy)).count();
                if started == 0 {
                    return Err("all have run, or are under way".to_owned());
                }
                self.runs.start_waiting(jobs, &self.analysis, &self.problem);
            }
            Command::Cancel if !self.runs.cancel(self.cell) => {
                return Err(format!("{} is not running", self.cell));
            }
            Command::Cancel => self.notice = format!("{} stops; what it has so far is kept", self.cell),
            Command::CancelAll => {
                if Strategy::all().filter(|strategy| self.runs.cancel(*strategy)).count() == 0 {
                    return Err("nothing is running".to_owned());
                }
                "all stop; what they have so far is kept".clone_into(&mut self.notice);
            }
            Command::Open => {
                if self.runs.release(self.cell).is_none() {
                    return Err(self.why_no_release(self.cell));
                }
                self.go(jobs, &Position::Run(self.cell))?;
                self.screen = ScreenName::Workbench;
            }
            _ => {}
        }
        Ok(())
    }

    /// Why a strategy has nothing to open or to export.
    pub(crate) fn why_no_release(&self, strategy: Strategy) -> String {
        match self.runs.get(strategy) {
            None => format!("{strategy} has not been run; r runs it"),
            Some(Run::Waiting | Run::Running { .. }) => format!("{strategy} is still under way"),
            Some(Run::Broken(_)) => format!("{strategy} broke; r runs it again"),
            Some(Run::Done(_)) => format!("{strategy} found no release that keeps δ"),
        }
    }

    fn act_on_compare(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let candidates = self.candidates();
        let (place, last) = (self.pointed_place(&candidates), candidates.len() - 1);
        let mut point = |place: usize| self.pointed = Some(candidates[place].clone());
        match command {
            Command::Left => point(place.saturating_sub(1)),
            Command::Right => point((place + 1).min(last)),
            Command::First => point(0),
            Command::Last => point(last),
            Command::Base => self.base = Some(candidates[place].clone()),
            Command::Open => {
                self.go(jobs, &candidates[place])?;
                self.screen = ScreenName::Workbench;
            }
            Command::Forget => {
                self.forget(&candidates[place])?;
                // What stood after it is pointed at now, or the last one.
                let left = self.candidates();
                self.pointed = left.get(place).or(left.last()).cloned();
            }
            command => move_cursor(&mut self.compare_row, self.problem.quasi().len() + 10, command),
        }
        Ok(())
    }

    /// Takes a candidate out of the comparison.
    fn forget(&mut self, position: &Position) -> Result<(), String> {
        if *position == self.view.position {
            return Err("it is open on the workbench; go elsewhere first".to_owned());
        }
        match position {
            Position::Run(strategy) => {
                self.undo.retain(|step| step != position);
                self.redo.retain(|step| step != position);
                self.runs.forget(*strategy);
            }
            Position::Node(node) if *node == self.ground.node => {
                return Err("the node that steps start from always stays".to_owned());
            }
            Position::Node(node) => self.pins.retain(|pin| pin.node != *node),
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

/// The cells of the screen of searches, row by row; the legend stands where there is none.
pub(crate) const CELLS: [[Option<Strategy>; 4]; 4] = {
    const fn row(left: Option<Strategy>, value: ValueRule) -> [Option<Strategy>; 4] {
        [
            left,
            Some(Strategy::Mpalm(ColumnRule::Next, value)),
            Some(Strategy::Mpalm(ColumnRule::Priority, value)),
            Some(Strategy::Mpalm(ColumnRule::Best, value)),
        ]
    }
    let [k_optimal, mondrian, mondrian_p] = Strategy::BASELINES;
    [
        row(Some(Strategy::Best), ValueRule::BalancedCardinality),
        row(Some(Strategy::Spalm), ValueRule::FirstSplit),
        row(None, ValueRule::BalancedValues),
        [None, Some(k_optimal), Some(mondrian), Some(mondrian_p)],
    ]
};

/// The next cell, or the same one where there is none in that direction.
fn neighbour(cell: Strategy, command: Command) -> Strategy {
    let places = || CELLS.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y)));
    let Some((x, y)) = places().find(|&(x, y)| CELLS[y][x] == Some(cell)) else { return cell };
    let next = match command {
        Command::Left if x == 1 && CELLS[y][0].is_none() => Some((0, 1)),
        Command::Left => x.checked_sub(1).map(|x| (x, y)),
        Command::Right => Some((x + 1, y)),
        Command::Up => y.checked_sub(1).map(|y| (x, y)),
        _ => Some((x, y + 1)),
    };
    next.and_then(|(x, y)| *CELLS.get(y)?.get(x)?).unwrap_or(cell)
}
