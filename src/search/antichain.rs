//! Failures on a lattice too large to hold: a list of nodes that fail, and a branch and bound for what they leave.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::floors::Floors;
use super::ground::Ground;
use super::objective::{Objective, height};
use super::spalm::Failures;
use super::tally::Tally;

/// So many costs are remembered; then they are forgotten and counted again.
const REMEMBERED: usize = 1 << 20;

/// Nodes that fail, each raised as far as its class that breaks δ still does; a node at or below one fails.
#[derive(Clone, Debug)]
pub(super) struct Antichain {
    spans: Vec<usize>,
    fails: Vec<Vec<u8>>,
    discernibility: FxHashMap<Vec<u8>, u64>,
}

impl Antichain {
    /// No node known to fail.
    pub(super) fn new(floors: &Floors, _: &Objective) -> Self {
        Self { spans: floors.spans().to_vec(), fails: Vec::new(), discernibility: FxHashMap::default() }
    }
}

impl<W: Tally> Failures<W> for Antichain {
    fn covers(&self, steps: &[u8]) -> bool {
        self.fails.iter().any(|fails| fails.iter().zip(steps).all(|(fail, step)| step <= fail))
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
        self.fails.retain(|fails| !fails.iter().zip(&raised).all(|(fail, step)| fail <= step));
        self.fails.push(raised);
        ControlFlow::Continue(())
    }

    fn cheapest(
        &mut self,
        ground: &mut Ground<W>,
        objective: &Objective,
        known: &[u8],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Vec<u8>>> {
        let covering: Vec<usize> = (0..self.fails.len()).collect();
        let mut branch = Branch {
            spans: &self.spans,
            fails: &self.fails,
            remembered: &mut self.discernibility,
            ground,
            objective,
            go_on,
            limit: 0.0,
            best: known.to_vec(),
        };
        branch.limit = branch.value(known);
        let mut steps = vec![0; known.len()];
        branch.visit(&mut steps, 0, &covering)?;
        ControlFlow::Continue(Some(branch.best))
    }

    fn failing(&self) -> Option<u64> {
        None
    }
}

/// A depth-first search for the least node that no failure covers: it settles one quasi-identifier after another, the
/// rest staying at their floors. Its depth is the number of quasi-identifiers.
struct Branch<'a, W> {
    spans: &'a [usize],
    fails: &'a [Vec<u8>],
    remembered: &'a mut FxHashMap<Vec<u8>, u64>,
    ground: &'a mut Ground<W>,
    objective: &'a Objective,
    go_on: &'a mut dyn FnMut() -> ControlFlow<()>,
    limit: f64,
    best: Vec<u8>,
}

impl<W: Tally> Branch<'_, W> {
    /// Looks at all nodes that begin like `steps` up to `attribute`, of which `covering` failures cover the least.
    fn visit(&mut self, steps: &mut Vec<u8>, attribute: usize, covering: &[usize]) -> ControlFlow<()> {
        // The least of them all is `steps` itself, and every cost grows with generalization.
        if covering.is_empty() {
            self.propose(steps);
            return ControlFlow::Continue(());
        }
        if attribute == steps.len() {
            return ControlFlow::Continue(());
        }
        (self.go_on)()?;
        for step in 0..self.spans[attribute] {
            steps[attribute] = u8::try_from(step).unwrap_or(u8::MAX);
            // Further steps only cost more; but they may leave failures that are dear to leave elsewhere.
            if self.value(steps) > self.limit * (1.0 + 1e-8) {
                break;
            }
            if self.bound(steps, attribute + 1, covering) > self.limit * (1.0 + 1e-8) {
                continue;
            }
            let still: Vec<usize> = covering
                .iter()
                .copied()
                .filter(|&fail| self.fails[fail][attribute] >= steps[attribute])
                .collect();
            self.visit(steps, attribute + 1, &still)?;
        }
        steps[attribute] = 0;
        ControlFlow::Continue(())
    }

    /// No node that begins like `steps` up to `attribute` and that no failure covers costs less than this.
    fn bound(&mut self, steps: &[u8], attribute: usize, covering: &[usize]) -> f64 {
        let least = self.value(steps);
        let Objective::Known(costs) = self.objective else { return least };
        // Each failure must be left upwards in some quasi-identifier that is still open.
        let mut raised = steps.to_vec();
        let mut bound = least;
        for &fail in covering {
            let fail = &self.fails[fail];
            if fail.iter().zip(steps).take(attribute).any(|(fail, step)| fail < step) {
                continue;
            }
            let mut cheapest = f64::INFINITY;
            for open in attribute..steps.len() {
                if usize::from(fail[open]) + 1 < self.spans[open] {
                    raised[open] = fail[open] + 1;
                    cheapest = cheapest.min(costs.value(&raised));
                    raised[open] = 0;
                }
            }
            bound = bound.max(cheapest);
        }
        bound
    }

    fn propose(&mut self, steps: &[u8]) {
        let better = match self.objective {
            Objective::Known(_) => self.objective.compare(self.ground, steps, &self.best).is_lt(),
            Objective::Counted => {
                let best = self.best.clone();
                let (own, other) = (self.discernibility(steps), self.discernibility(&best));
                (own, height(steps), steps) < (other, height(&best), &best)
            }
        };
        if better {
            self.best = steps.to_vec();
            self.limit = self.value(steps);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "bounds leave room for more than this rounding")]
    fn value(&mut self, steps: &[u8]) -> f64 {
        match self.objective {
            Objective::Known(costs) => costs.value(steps),
            Objective::Counted => self.discernibility(steps) as f64,
        }
    }

    fn discernibility(&mut self, steps: &[u8]) -> u64 {
        if let Some(&known) = self.remembered.get(steps) {
            return known;
        }
        if self.remembered.len() >= REMEMBERED {
            self.remembered.clear();
        }
        let cost = self.ground.discernibility(steps);
        self.remembered.insert(steps.to_vec(), cost);
        cost
    }
}
