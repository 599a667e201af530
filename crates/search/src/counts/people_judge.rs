//! The verdict of a node if people have several rows each. A class of people is counted from the
//! rows of each person.
//!
//! One class that breaks the policy does not show at which coarser nodes it still breaks it: which
//! people join the class depends on all of their rows. So the complete node is raised as long as it
//! fails.

use std::ops::ControlFlow;

use super::steps::is_below;
use super::tally::Judge;
use super::value_judge::NodeValueJudge;
use crate::control::pace::Pace;
use palmtop_core::metrics::discernibility;
use palmtop_core::model::{Level, Problem, Rollup};

/// Judges the nodes of a problem in which people are counted, and remembers the verdicts.
#[derive(Clone, Debug)]
pub(crate) struct PeopleJudge {
    problem: Problem,
    /// The problem with T's people only.
    members: Problem,
    on_counts: Judge,
    on_values: Option<NodeValueJudge>,
    rollup: Rollup,
    /// Nodes that hold, as levels; every node that generalizes one of them holds, too.
    holding: Vec<Vec<u8>>,
    /// Nodes that fail; every node that one of them generalizes fails, too.
    failing: Vec<Vec<u8>>,
}

impl PeopleJudge {
    /// The judge of a problem; `None` if each row is a person.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        problem.people().map(|_| Self {
            problem: problem.clone(),
            members: problem.members_alone(),
            on_counts: Judge::of(problem),
            on_values: NodeValueJudge::of(problem),
            rollup: Rollup::new(),
            holding: Vec::new(),
            failing: Vec::new(),
        })
    }

    /// Whether every class of the node with these levels satisfies the policy. A node whose verdict
    /// follows from an earlier one is not counted.
    pub(crate) fn holds(&mut self, levels: &[Level], pace: &mut Pace) -> ControlFlow<(), bool> {
        let node: Vec<u8> = levels.iter().map(|level| level.0).collect();
        pace.spend((self.holding.len() + self.failing.len()) * node.len())?;
        if self.holding.iter().any(|finer| is_below(finer, &node)) {
            return ControlFlow::Continue(true);
        }
        if self.failing.iter().any(|coarser| is_below(&node, coarser)) {
            return ControlFlow::Continue(false);
        }
        self.spend(pace)?;
        let mut counts = self.rollup.counts(&self.problem, levels).iter();
        let holds = counts.all(|&class| self.on_counts.allows_counts(class))
            && self.on_values.as_mut().is_none_or(|values| values.breaks(levels).is_none());
        if holds {
            self.holding.retain(|coarser| !is_below(&node, coarser));
            self.holding.push(node);
        } else {
            self.failing.retain(|finer| !is_below(finer, &node));
            self.failing.push(node);
        }
        ControlFlow::Continue(holds)
    }

    /// If the node with these levels fails: the levels of a coarser node that fails, too, and that
    /// would hold if any of its levels were raised.
    pub(crate) fn breaks(
        &mut self,
        mut levels: Vec<Level>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Vec<Level>>> {
        if self.holds(&levels, pace)? {
            return ControlFlow::Continue(None);
        }
        self.raise(&mut levels, pace)?;
        ControlFlow::Continue(Some(levels))
    }

    /// Raises the levels of a failing node until the node would hold if any of them were raised
    /// further.
    fn raise(&mut self, levels: &mut [Level], pace: &mut Pace) -> ControlFlow<()> {
        for attribute in 0..levels.len() {
            // The node fails at the lower level, and holds above the upper one.
            let (mut lower, mut upper) = (levels[attribute].0, self.problem.coarsest(attribute).0);
            while lower < upper {
                let middle = upper - (upper - lower) / 2;
                levels[attribute] = Level(middle);
                if self.holds(levels, pace)? {
                    upper = middle - 1;
                } else {
                    lower = middle;
                }
            }
            levels[attribute] = Level(lower);
        }
        ControlFlow::Continue(())
    }

    /// Σ a² over the classes of the node with these levels, with a members in a class.
    pub(crate) fn discernibility(&mut self, levels: &[Level], pace: &mut Pace) -> ControlFlow<(), u64> {
        self.spend(pace)?;
        let classes = self.rollup.counts(&self.members, levels);
        ControlFlow::Continue(discernibility::of_private_counts(classes.iter().map(|class| class.private)))
    }

    /// Counts the work of one node.
    fn spend(&self, pace: &mut Pace) -> ControlFlow<()> {
        let rows = self.problem.people().map_or(0, palmtop_core::model::People::rows);
        pace.spend(self.problem.histogram().len() * self.problem.quasi().len() + rows)
    }
}
