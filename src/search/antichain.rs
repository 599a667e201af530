//! Failures on a lattice too large to hold: a list of nodes that fail, and a branch and bound for what they leave.

use std::ops::ControlFlow;

use super::Observer;
use super::floors::Floors;
use super::ground::Ground;
use super::objective::Objective;
use super::spalm::{Failures, Hunt};
use super::tally::Tally;

/// Nodes that fail, each raised as far as its class that breaks δ still does; a node at or below one fails.
#[derive(Clone, Debug)]
pub(super) struct Antichain {
    spans: Vec<usize>,
    fails: Vec<Vec<u8>>,
}

impl Antichain {
    /// No node known to fail.
    pub(super) fn new(floors: &Floors, _: &Objective) -> Self {
        Self { spans: floors.spans().to_vec(), fails: Vec::new() }
    }
}

impl<W: Tally> Failures<W> for Antichain {
    fn covers(&self, steps: &[u8]) -> bool {
        self.fails.iter().any(|fail| is_below(steps, fail))
    }

    fn learn(
        &mut self,
        ground: &Ground<W>,
        steps: &[u8],
        witness: usize,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        go_on()?;
        let mut raised = steps.to_vec();
        ground.climb(witness, &mut raised, &self.spans);
        self.fails.push(raised);
        ControlFlow::Continue(())
    }

    fn failing(&self) -> Option<u64> {
        None
    }

    fn search(hunt: &mut Hunt<W, Self>, observer: &mut Observer) -> ControlFlow<()> {
        hunt.descend(observer)?;
        let covering =
            (0..hunt.failures.fails.len()).filter(|&fail| hunt.failures.is_maximal(fail)).collect();
        let width = hunt.best.len();
        let mut branch =
            Branch { limit: 0.0, steps: vec![0; width], covering: vec![covering], hunt, observer };
        branch.limit = branch.value(&branch.hunt.best.clone());
        branch.visit(0)
    }
}

impl Antichain {
    /// Whether no other failure tells all that this one does.
    fn is_maximal(&self, fail: usize) -> bool {
        let own = &self.fails[fail];
        !self
            .fails
            .iter()
            .enumerate()
            .any(|(other, fails)| other != fail && is_below(own, fails) && (fails != own || other < fail))
    }
}

/// A depth-first search for the best node: it settles one quasi-identifier after another, the rest staying at their
/// floors. Its depth is the number of quasi-identifiers.
struct Branch<'a, 'o, W> {
    hunt: &'a mut Hunt<W, Antichain>,
    observer: &'a mut Observer<'o>,
    /// What the best node known costs.
    limit: f64,
    steps: Vec<u8>,
    /// At each depth, the failures that cover the least node that begins like `steps`.
    covering: Vec<Vec<usize>>,
}

impl<W: Tally> Branch<'_, '_, W> {
    /// Looks at all nodes that begin like `steps` up to `attribute`. The least of them is `steps` itself, for every cost
    /// grows with generalization.
    fn visit(&mut self, attribute: usize) -> ControlFlow<()> {
        if self.covering[attribute].is_empty() && self.settle()? {
            return ControlFlow::Continue(());
        }
        if attribute == self.steps.len() {
            return ControlFlow::Continue(());
        }
        (self.observer)(self.hunt.step())?;
        for step in 0..self.hunt.failures.spans[attribute] {
            self.steps[attribute] = u8::try_from(step).unwrap_or(u8::MAX);
            // Further steps only cost more.
            let value = self.value(&self.steps.clone());
            if self.exceeds(value) {
                break;
            }
            let fails = &self.hunt.failures.fails;
            let covers = |fail: &usize| fails[*fail][attribute] >= self.steps[attribute];
            let still: Vec<usize> = self.covering[attribute].iter().copied().filter(covers).collect();
            // A further step may leave at once what is dear to leave elsewhere.
            if self.exceeds(self.escape(attribute + 1, &still)) {
                continue;
            }
            self.covering.push(still);
            self.visit(attribute + 1)?;
            self.covering.pop();
        }
        self.steps[attribute] = 0;
        ControlFlow::Continue(())
    }

    /// Whether nothing that begins like `steps` needs to be looked at any more: none is better than the best known, or
    /// `steps` keeps δ. Else it fails, and the failure is noted at every depth.
    fn settle(&mut self) -> ControlFlow<(), bool> {
        let Hunt { ground, objective, best, .. } = &mut *self.hunt;
        if objective.compare(ground, &self.steps, best).is_ge() {
            return ControlFlow::Continue(true);
        }
        if self.hunt.keeps_delta(&self.steps, self.observer)? {
            self.hunt.settle(self.steps.clone());
            self.limit = self.value(&self.steps.clone());
            return ControlFlow::Continue(true);
        }
        let fail = self.hunt.failures.fails.len() - 1;
        self.covering.iter_mut().for_each(|covering| covering.push(fail));
        ControlFlow::Continue(false)
    }

    /// A cost that no node which begins like `steps` up to `attribute` stays below, if it is to leave each of these
    /// failures upwards in one of the quasi-identifiers that are still open.
    fn escape(&self, attribute: usize, covering: &[usize]) -> f64 {
        let mut raised = self.steps.clone();
        let mut least = 0.0_f64;
        for &fail in covering {
            let fail = &self.hunt.failures.fails[fail];
            let mut cheapest = f64::INFINITY;
            for open in attribute..raised.len() {
                if usize::from(fail[open]) + 1 < self.hunt.failures.spans[open] {
                    raised[open] = fail[open] + 1;
                    cheapest = match &self.hunt.objective {
                        Objective::Known(costs) => cheapest.min(costs.value(&raised)),
                        Objective::Counted => 0.0,
                    };
                    raised[open] = 0;
                }
            }
            least = least.max(cheapest);
        }
        least
    }

    /// Whether a cost is above the best node's, beyond all rounding.
    fn exceeds(&self, value: f64) -> bool {
        value > self.limit * (1.0 + 1e-8)
    }

    #[expect(clippy::cast_precision_loss, reason = "`exceeds` leaves room for more than this rounding")]
    fn value(&mut self, steps: &[u8]) -> f64 {
        match &self.hunt.objective {
            Objective::Known(costs) => costs.value(steps),
            Objective::Counted => self.hunt.ground.discernibility(steps) as f64,
        }
    }
}

/// Whether a node is another, or a specialization of it.
fn is_below(steps: &[u8], other: &[u8]) -> bool {
    steps.iter().zip(other).all(|(own, theirs)| own <= theirs)
}
