//! A walk over the lattice: its survey in the background, the cursor, and the figures of the node
//! under it.

use std::collections::HashMap;
use std::time::Instant;

use palmtop_core::model::{Level, Node, Problem};
use palmtop_search::{LatticeSurvey, Step, survey};

use super::map::{LatticeMap, NodeFigures};
use crate::kit::command::Movement;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// The heights that a page moves.
const PAGE: usize = 5;
/// The number of nodes whose figures are kept.
const KEPT: usize = 4096;

/// The walk.
pub(crate) struct LatticeWalk {
    pub(crate) cursor: Node,
    /// The node of the workbench when the screen was last opened.
    opened_at: Option<Node>,
    /// Whether the cursor moves to the frontier once the map is there.
    seeks_frontier: bool,
    pub(crate) survey: Survey,
    pub(crate) surveys: Slot<Surveyed>,
    trail: Trail,
    /// The moves that were asked for while the nodes were checked.
    waiting: Vec<Way>,
    counts: Slot<NodeFigures>,
    counted: HashMap<Node, NodeFigures>,
}

/// The state of the survey.
pub(crate) enum Survey {
    /// Not requested yet.
    Unasked,
    /// The lattice has too many nodes.
    TooLarge,
    /// The survey is running.
    Running { started: Instant, step: Option<Step> },
    /// The job failed.
    Broken,
    /// The survey ended, perhaps before all nodes were decided.
    Ended(Box<LatticeMap>),
}

/// A message of the survey.
pub(crate) enum Surveyed {
    /// A step of the survey.
    Step(Step),
    /// The survey ended, or was stopped before all nodes were decided.
    Ended(Box<LatticeMap>),
}

/// A message of the screen's jobs.
pub(crate) enum Message {
    /// A survey.
    Survey(Answer<Surveyed>),
    /// The figures of a node.
    Node(Answer<NodeFigures>),
}

/// A direction of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Up and down the heights. The first and the last are the nodes of least and of most loss at
    /// the current height.
    By(Movement),
    /// To the node of less loss, or of more loss, at the current height.
    Left,
    Right,
    /// The next node that keeps δ, or the previous one.
    NextPresent,
    PreviousPresent,
    /// The next node of the frontier.
    Frontier,
    /// The node of least loss that keeps δ.
    Optimum,
}

/// The positions that steps up, or down, have left. A step in the other direction goes back to the
/// last of them.
#[derive(Default)]
struct Trail {
    upwards: bool,
    positions: Vec<usize>,
}

impl LatticeWalk {
    /// A walk that starts at this node.
    pub(crate) fn at(cursor: Node) -> Self {
        Self {
            cursor,
            opened_at: None,
            seeks_frontier: false,
            survey: Survey::Unasked,
            surveys: Slot::new(Task { kind: "survey", doing: "surveying the lattice" }),
            trail: Trail::default(),
            waiting: Vec::new(),
            counts: Slot::new(Task { kind: "node", doing: "counting a node" }),
            counted: HashMap::new(),
        }
    }

    /// Forgets all verdicts, because δ changed.
    pub(crate) fn forget(&mut self) {
        self.cancel();
        self.surveys.void();
        self.counts.void();
        self.survey = Survey::Unasked;
        self.seeks_frontier = false;
        self.trail.positions.clear();
        self.waiting.clear();
        self.counted.clear();
    }

    /// Moves once the nodes are checked, if they are being checked. Returns how many moves wait; 0 if none has to.
    pub(crate) fn wait_with(&mut self, way: Way) -> usize {
        if self.is_surveying() {
            self.waiting.push(way);
        }
        self.waiting.len()
    }

    /// Surveys the lattice, unless a survey exists or runs, and counts the node under the cursor. A
    /// stopped survey stays as it is.
    pub(crate) fn ask(&mut self, link: &Link<Message>, problem: &Problem) {
        self.count(link, problem);
        if self.map().is_none() && !self.is_surveying() {
            self.begin(link, problem);
        }
    }

    /// Surveys the lattice again after the survey was stopped.
    /// # Errors
    /// There is nothing to survey.
    pub(crate) fn survey_again(&mut self, link: &Link<Message>, problem: &Problem) -> Result<(), String> {
        if self.is_surveying() {
            return Err("the nodes are being checked".to_owned());
        }
        if self.map().is_some_and(LatticeMap::is_complete) {
            return Err("every node is decided".to_owned());
        }
        self.begin(link, problem);
        Ok(())
    }

    fn begin(&mut self, link: &Link<Message>, problem: &Problem) {
        if !LatticeSurvey::fits(&problem.lattice()) {
            self.survey = Survey::TooLarge;
            return;
        }
        self.trail.positions.clear();
        self.survey = Survey::Running { started: Instant::now(), step: None };
        let problem = problem.clone();
        self.surveys.ask(link, Message::Survey, move |job| {
            let (found, stop) = survey(&problem, &mut |step| {
                job.tell(Surveyed::Step(step));
                job.go_on()
            });
            // The result of a stopped survey is useful, unless it belongs to another δ.
            let map = || Surveyed::Ended(Box::new(LatticeMap::new(&problem, found, stop)));
            job.is_current().then(map)
        });
    }

    /// Opens the screen and surveys if needed. On the first opening, and if the workbench has
    /// moved, the cursor goes to the node of the workbench. If that node breaks δ, nodes around it
    /// break δ too, so the cursor goes on to the frontier.
    pub(crate) fn open(&mut self, link: &Link<Message>, problem: &Problem, here: Node) {
        if self.opened_at.as_ref() != Some(&here) {
            self.stand(here.clone());
            self.opened_at = Some(here);
            self.seeks_frontier = true;
            self.seek_frontier();
        }
        self.ask(link, problem);
    }

    /// Goes to the node of least loss on the frontier once the map is there, unless the node under
    /// the cursor keeps δ.
    fn seek_frontier(&mut self) {
        let Some(map) = self.map() else { return };
        let keeps = map.state(map.position(&self.cursor)).is_present();
        let best = map.optimum().map(|position| map.node(position));
        if let (true, false, Some(best)) = (self.seeks_frontier, keeps, best) {
            self.stand(best);
        }
        self.seeks_frontier = false;
    }

    /// Puts the cursor on a node.
    pub(crate) fn stand(&mut self, node: Node) {
        self.seeks_frontier = false;
        self.cursor = node;
        self.trail.positions.clear();
    }

    /// Counts the node under the cursor, unless it is known.
    pub(crate) fn count(&mut self, link: &Link<Message>, problem: &Problem) {
        if self.counted.contains_key(&self.cursor) {
            self.counts.void();
            return;
        }
        let (problem, node) = (problem.clone(), self.cursor.clone());
        self.counts.ask(link, Message::Node, move |job| {
            let _turn = job.turn()?;
            Some(NodeFigures::of(&problem, &node))
        });
    }

    /// The map; none before the survey ends.
    pub(crate) fn map(&self) -> Option<&LatticeMap> {
        match &self.survey {
            Survey::Ended(map) => Some(map),
            _ => None,
        }
    }

    /// The map to walk on.
    /// # Errors
    /// No map is there.
    pub(crate) fn ground(&self) -> Result<&LatticeMap, String> {
        let why = match &self.survey {
            Survey::Ended(map) => return Ok(map),
            Survey::Unasked | Survey::Broken => "the nodes are not checked; open this screen again",
            Survey::Running { .. } => "the nodes are still being checked",
            Survey::TooLarge => "there are too many nodes to draw; the workbench steps through them",
        };
        Err(why.to_owned())
    }

    /// The figures of a node; none before they are counted.
    pub(crate) fn figures(&self, node: &Node) -> Option<&NodeFigures> {
        self.counted.get(node)
    }

    /// Whether nodes are being checked.
    pub(crate) fn is_surveying(&self) -> bool {
        matches!(self.survey, Survey::Running { .. })
    }

    /// Whether the node under the cursor is being counted.
    pub(crate) fn is_counting(&self) -> bool {
        self.counts.is_open()
    }

    /// Stops checking nodes.
    pub(crate) fn cancel(&self) {
        self.surveys.stop();
    }

    /// Takes a message of a job; returns the message of a failure.
    pub(crate) fn take(&mut self, message: Message) -> Option<String> {
        match message {
            Message::Survey(answer) => match self.surveys.take(answer)? {
                Ok(Surveyed::Step(now)) => {
                    if let Survey::Running { step, .. } = &mut self.survey {
                        *step = Some(now);
                    }
                }
                Ok(Surveyed::Ended(map)) => {
                    self.survey = Survey::Ended(map);
                    self.seek_frontier();
                    let waiting = std::mem::take(&mut self.waiting);
                    return waiting.into_iter().filter_map(|way| self.walk(way).err()).last();
                }
                Err(message) => {
                    self.waiting.clear();
                    self.survey = Survey::Broken;
                    return Some(message);
                }
            },
            Message::Node(answer) => match self.counts.take(answer)? {
                Ok(figures) => {
                    if self.counted.len() >= KEPT {
                        self.counted.clear();
                    }
                    self.counted.insert(figures.node.clone(), figures);
                }
                Err(message) => return Some(message),
            },
        }
        None
    }

    /// The text instead of figures that are not there.
    pub(crate) fn stand_in(&self) -> &'static str {
        if self.counts.failure().is_some() { "?" } else { "…" }
    }

    /// Moves the cursor.
    /// Left and right move along a height, by loss. Up goes to the coarser neighbour of least
    /// loss, down to the finer neighbour of greatest loss: in both directions the least change of
    /// loss. That alone would not lead back, because the finer neighbour of greatest loss need not
    /// be the previous node. So a step down retraces the steps up before it, and a step up those
    /// down, until another key is pressed.
    /// # Errors
    /// Why the cursor cannot move.
    pub(crate) fn walk(&mut self, way: Way) -> Result<(), String> {
        let map = self.ground()?;
        let here = map.position(&self.cursor);
        let row = map.row_of(here);
        let positions = map.row(row);
        let height = map.height(row);
        let none_present = || "no node is known to keep δ".to_owned();
        let there = match way {
            Way::By(Movement::Up) => return self.climb(true, 1),
            Way::By(Movement::Down) => return self.climb(false, 1),
            Way::By(Movement::PageUp) => return self.climb(true, PAGE),
            Way::By(Movement::PageDown) => return self.climb(false, PAGE),
            Way::Left if here == positions.start => Err(format!("no node of height {height} loses less")),
            Way::Right if here + 1 == positions.end => Err(format!("no node of height {height} loses more")),
            Way::Left => Ok(here - 1),
            Way::Right => Ok(here + 1),
            Way::By(Movement::First) => Ok(positions.start),
            Way::By(Movement::Last) => Ok(positions.end - 1),
            Way::NextPresent => map.next_present(here, true).ok_or_else(none_present),
            Way::PreviousPresent => map.next_present(here, false).ok_or_else(none_present),
            Way::Frontier => map.next_on_frontier(here).ok_or_else(none_present),
            Way::Optimum => map.optimum().ok_or_else(none_present),
        }?;
        self.stand_at(there);
        Ok(())
    }

    /// Puts the cursor on a position of the map, if there is a map.
    pub(crate) fn stand_at(&mut self, position: usize) {
        if let Some(node) = self.map().filter(|map| position < map.len()).map(|map| map.node(position)) {
            self.stand(node);
        }
    }

    fn climb(&mut self, upwards: bool, steps: usize) -> Result<(), String> {
        for step in 0..steps {
            let map = self.ground()?;
            let here = map.position(&self.cursor);
            let back =
                if self.trail.upwards == upwards { None } else { self.trail.positions.last().copied() };
            let next = if upwards { map.coarser(here) } else { map.finer(here) };
            let Some(next) = back.or(next) else {
                let end = if upwards { "coarsest" } else { "finest" };
                return if step > 0 { Ok(()) } else { Err(format!("this is the {end} node")) };
            };
            self.cursor = map.node(next);
            if back.is_some() {
                self.trail.positions.pop();
            } else {
                self.trail.upwards = upwards;
                self.trail.positions.push(here);
            }
        }
        Ok(())
    }

    /// Goes to the node of least loss with these levels; one that keeps δ if there is one.
    pub(crate) fn find(&mut self, problem: &Problem, typed: &str) -> Result<(), String> {
        let pattern = pattern(problem, typed)?;
        let node = if let Some(map) = self.map() {
            map.node(map.matching(&pattern))
        } else {
            // Finer never loses more.
            let bottom = problem.lattice().bottom();
            let levels = pattern.iter().zip(bottom.levels());
            let levels: Vec<Level> = levels.map(|(level, base)| level.unwrap_or(*base)).collect();
            problem.lattice().node(&levels).map_err(|error| error.to_string())?
        };
        self.stand(node);
        Ok(())
    }
}

/// Typed levels: `2,1,*,0`. A star matches any level, and so do missing levels at the end.
fn pattern(problem: &Problem, typed: &str) -> Result<Vec<Option<Level>>, String> {
    let quasi = problem.quasi();
    let range = |index: usize| format!("{} to {}", problem.finest(index), problem.coarsest(index));
    let expected = || {
        let each: Vec<String> =
            (0..quasi.len()).map(|index| format!("{} {}", quasi[index].name, range(index))).collect();
        each.join(", ")
    };
    let words: Vec<&str> = typed.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Err(format!("levels are expected: {}", expected()));
    }
    if words.len() > quasi.len() {
        return Err(format!("{} levels, but there are {}: {}", words.len(), quasi.len(), expected()));
    }
    let mut pattern = vec![None; quasi.len()];
    for (index, word) in words.into_iter().enumerate().filter(|(_, word)| *word != "*") {
        let level = word.parse().ok().map(Level);
        let level = level.filter(|level| (problem.finest(index)..=problem.coarsest(index)).contains(level));
        let wrong = || format!("`{word}` is no level of {}: {}, or *", quasi[index].name, range(index));
        pattern[index] = Some(level.ok_or_else(wrong)?);
    }
    Ok(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::lattice::map::tests::{map_of, synthetic};

    fn walk_of(levels: &[u32]) -> (Problem, LatticeWalk) {
        let problem = synthetic(levels);
        let mut walk = LatticeWalk::at(problem.lattice().bottom());
        walk.survey = Survey::Ended(Box::new(map_of(&problem)));
        (problem, walk)
    }

    #[test]
    fn cursor_is_a_node_after_every_move() {
        use Way as C;
        // As many nodes as Adult's nine quasi-identifiers span.
        let (problem, mut walk) = walk_of(&[5, 3, 4, 4, 3, 3, 3, 2, 2]);
        assert_eq!(walk.ground().unwrap().len(), 25_920);
        let lattice = problem.lattice();
        let commands = [
            C::By(Movement::Up),
            C::By(Movement::Down),
            C::Left,
            C::Right,
            C::By(Movement::PageUp),
            C::By(Movement::PageDown),
            C::By(Movement::First),
            C::By(Movement::Last),
            C::NextPresent,
            C::PreviousPresent,
            C::Frontier,
            C::Optimum,
        ];
        let mut state = 1_usize;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let before = walk.cursor.clone();
            let command = commands[(state >> 33) % commands.len()];
            let walked = walk.walk(command);
            assert!(lattice.node(walk.cursor.levels()).is_ok(), "{command:?}");
            assert!(walked.is_ok() || walk.cursor == before);
            let climbed = i64::from(walk.cursor.height()) - i64::from(before.height());
            match command {
                C::By(Movement::Up | Movement::Down) if walked.is_ok() => {
                    assert_eq!(climbed, if command == C::By(Movement::Up) { 1 } else { -1 });
                    assert!(walk.cursor.generalizes(&before) || before.generalizes(&walk.cursor));
                }
                C::Left | C::Right | C::By(Movement::First | Movement::Last) => assert_eq!(climbed, 0),
                _ => {}
            }
        }
    }

    #[test]
    fn a_walk_up_and_down_again_retraces_itself() {
        let (_, mut walk) = walk_of(&[4, 3, 3, 2]);
        for start in 0..walk.ground().unwrap().len() {
            walk.stand_at(start);
            let start = walk.cursor.clone();
            for (there, back) in [
                (Way::By(Movement::Up), Way::By(Movement::Down)),
                (Way::By(Movement::Down), Way::By(Movement::Up)),
            ] {
                let mut steps = 0;
                while steps < 3 && walk.walk(there).is_ok() {
                    steps += 1;
                }
                for _ in 0..steps {
                    walk.walk(back).unwrap();
                }
                assert_eq!(walk.cursor, start);
            }
        }
        walk.stand_at(0);
        assert_eq!(walk.walk(Way::By(Movement::PageDown)).unwrap_err(), "this is the finest node");
        walk.walk(Way::By(Movement::PageUp)).unwrap();
        assert_eq!(walk.cursor.height(), 5);
        walk.walk(Way::By(Movement::PageUp)).unwrap();
        assert_eq!(walk.walk(Way::By(Movement::Up)).unwrap_err(), "this is the coarsest node");
    }

    #[test]
    fn typed_node_is_found_or_refused_with_hints() {
        let (problem, mut walk) = walk_of(&[4, 3, 2]);
        for (typed, wrong) in [
            ("", "levels are expected: q0 0 to 3, q1 0 to 2, q2 0 to 1"),
            ("1,2,1,0", "4 levels, but there are 3: q0 0 to 3, q1 0 to 2, q2 0 to 1"),
            ("1,3", "`3` is no level of q1: 0 to 2, or *"),
            ("x", "`x` is no level of q0: 0 to 3, or *"),
        ] {
            assert_eq!(walk.find(&problem, typed).unwrap_err(), wrong, "{typed:?}");
        }
        walk.find(&problem, " 2, 1 ,0").unwrap();
        assert_eq!(walk.cursor.to_string(), "2,1,0");
        walk.find(&problem, "*,2").unwrap();
        assert_eq!(walk.cursor.levels()[1], Level(2));
        walk.survey = Survey::TooLarge;
        walk.find(&problem, "*,1").unwrap();
        assert_eq!(walk.cursor.to_string(), "0,1,0");
        assert!(walk.walk(Way::By(Movement::Up)).unwrap_err().contains("workbench"));
    }
}
