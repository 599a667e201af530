//! The step table: the effect of a step to each neighbouring node, counted before a key is pressed.

use palmtop_core::metrics::NodeLosses;
use palmtop_core::model::{Neighbourhood, Node, Problem};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// One attribute one level coarser or finer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// One level up.
    Coarser,
    /// One level down.
    Finer,
}

impl Direction {
    /// Both, in the order of the table.
    pub(crate) const ALL: [Self; 2] = [Self::Coarser, Self::Finer];
}

/// The effect of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbour {
    pub(crate) attribute: usize,
    pub(crate) direction: Direction,
    pub(crate) classes: usize,
    pub(crate) violations: usize,
    pub(crate) loss: f64,
}

/// A message of the counting job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Counted {
    /// The violations and the loss of the node that steps start from.
    Start(usize, f64),
    /// The effect of one step.
    Step(Neighbour),
}

/// The step table of one node.
pub(crate) struct StepTable {
    slot: Slot<Counted>,
    /// The violations and the loss of the node; none before they are counted.
    start: Option<(usize, f64)>,
    /// For each attribute, the coarser and the finer neighbour.
    cells: Vec<[Cell; 2]>,
}

/// A cell of the step table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// The lattice ends here.
    End,
    /// Not counted yet.
    Open,
    /// The count failed.
    Unknown,
    /// Counted.
    Counted(Neighbour),
}

impl StepTable {
    /// An empty table.
    pub(crate) fn new() -> Self {
        let task = Task { kind: "neighbours", doing: "counting the neighbours" };
        Self { slot: Slot::new(task), start: None, cells: Vec::new() }
    }

    /// Starts to count the neighbours of a node; drops the counts of another node.
    pub(crate) fn count(&mut self, link: &Link<Answer<Counted>>, problem: &Problem, node: &Node) {
        self.start = None;
        let lattice = problem.lattice();
        let step = |attribute, direction| match direction {
            Direction::Coarser => lattice.coarser(node, attribute),
            Direction::Finer => lattice.finer(node, attribute),
        };
        let mut waiting = Vec::new();
        self.cells = (0..lattice.width())
            .map(|attribute| {
                Direction::ALL.map(|direction| match step(attribute, direction) {
                    None => Cell::End,
                    Some(node) => {
                        waiting.push((attribute, direction, node));
                        Cell::Open
                    }
                })
            })
            .collect();
        let (problem, node) = (problem.clone(), node.clone());
        self.slot.ask(
            link,
            |answer| answer,
            move |job| {
                let _turn = job.turn().filter(|_| job.gives_way())?;
                let losses = NodeLosses::of(&problem);
                let mut around = Neighbourhood::of(&problem, &node);
                job.part(Counted::Start(around.here().broken, losses.of_node(&node).mean()));
                for (attribute, direction, node) in waiting {
                    if !job.gives_way() {
                        return None;
                    }
                    let there = around.tally(&node);
                    let (classes, violations) = (there.classes, there.broken);
                    let loss = losses.of_node(&node).mean();
                    job.part(Counted::Step(Neighbour { attribute, direction, classes, violations, loss }));
                }
                None
            },
        );
    }

    /// Takes a count, unless the node has changed; after a failure, open cells stay unknown.
    /// Returns the message of a failure.
    pub(crate) fn take(&mut self, answer: Answer<Counted>) -> Option<String> {
        match self.slot.take(answer)? {
            Ok(Counted::Start(violations, loss)) => self.start = Some((violations, loss)),
            Ok(Counted::Step(neighbour)) => {
                let index = usize::from(neighbour.direction == Direction::Finer);
                self.cells[neighbour.attribute][index] = Cell::Counted(neighbour);
            }
            Err(message) => {
                for cell in self.cells.iter_mut().flatten().filter(|cell| matches!(cell, Cell::Open)) {
                    *cell = Cell::Unknown;
                }
                return Some(message);
            }
        }
        None
    }

    /// An attribute's two cells.
    pub(crate) fn cells(&self, attribute: usize) -> [Cell; 2] {
        self.cells.get(attribute).copied().unwrap_or([Cell::End; 2])
    }

    /// The number of counted neighbours, and of all neighbours.
    pub(crate) fn progress(&self) -> (usize, usize) {
        let all = || self.cells.iter().flatten().filter(|cell| !matches!(cell, Cell::End | Cell::Unknown));
        (all().filter(|cell| matches!(cell, Cell::Counted(_))).count(), all().count())
    }

    /// The loss of the node that a step starts from.
    pub(crate) fn start_loss(&self) -> f64 {
        self.start.map_or(0.0, |(_, loss)| loss)
    }

    /// The coarser step with the least loss per class that it satisfies; none before all steps are
    /// counted.
    pub(crate) fn suggestion(&self) -> Option<usize> {
        let (violations, loss) = self.start?;
        let (counted, all) = self.progress();
        if violations == 0 || counted < all || self.slot.failure().is_some() {
            return None;
        }
        let price = |cell: &Cell| match cell {
            Cell::Counted(step) if step.violations < violations => {
                let mended = u32::try_from(violations - step.violations).unwrap_or(u32::MAX);
                Some((step.loss - loss) / f64::from(mended))
            }
            _ => None,
        };
        let prices =
            self.cells.iter().enumerate().filter_map(|(index, cells)| Some((index, price(&cells[0])?)));
        prices.min_by(|left, right| left.1.total_cmp(&right.1)).map(|(index, _)| index)
    }
}
