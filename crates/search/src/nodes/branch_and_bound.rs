//! SPALM on a lattice that does not fit in memory: a branch and bound over boxes of nodes.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::antichain::Antichain;
use super::cheapest_search::{CheapestSearch, ROUNDING};
use super::node_search::Judge;
use super::open_box::{OpenBox, escape, narrowed};
use crate::control::pace::Pace;
use crate::counts::cost::Rises;
use crate::counts::objective::Priced;
use crate::counts::tally::Tally;
use palmtop_core::model::size;

/// The number of open boxes above which the search goes depth first, so that they fit in memory.
const OPEN: usize = 1 << 19;
/// The number of visited boxes after which the search dives for a better node.
const DIVING: u64 = 128;
/// The number of visited boxes after which the search looks near the best node so far.
const NEAR: u64 = 16;

/// Descends to good nodes, then visits the boxes of all others, the one of least bound first.
///
/// The least bound is a lower bound on the cost of all nodes that keep δ, and it rises from box to
/// box. So a search that is stopped has proven as much as it can.
pub(crate) fn branch_and_bound<W: Tally>(
    search: &mut CheapestSearch<W, Antichain>,
    pace: &mut Pace,
) -> ControlFlow<()> {
    let spans = search.floors.spans().to_vec();
    let rises = search.judge.objective.rises();
    if let Some(rises) = &rises {
        // A failure is dear to escape if what is cheap to raise is raised.
        let dearest = |&attribute: &usize| rises.of(attribute)[spans[attribute] - 1];
        search.failures.order.sort_by(|one, other| dearest(one).total_cmp(&dearest(other)));
    }
    let least = search.price(vec![0; spans.len()], pace)?;
    search.prove(least.value);
    for pair in search.counter.failing_pairs(&spans, pace)? {
        search.failures.add(&pair);
    }
    search.descend(pace)?;
    let most: Vec<u8> = spans.iter().map(|&span| size::steps(span - 1)).collect();
    let whole = OpenBox { bound: least.value, least, most: most.clone(), keeps: true, number: 0 };
    let mut branch = Branch {
        limit: search.judge.best.value.min(search.judge.limit),
        open: BinaryHeap::from([whole]),
        deep: Vec::new(),
        active: Vec::new(),
        made: 0,
        visited: 0,
        top: most,
        near: 0,
        rises,
        search,
        pace,
    };
    branch.run()
}

/// A branch and bound for the best node.
struct Branch<'a, 'p, 'o, W> {
    search: &'a mut CheapestSearch<W, Antichain>,
    pace: &'a mut Pace<'p, 'o>,
    /// The cost of the best node so far, or the caller's limit if that is lower.
    limit: f64,
    /// The cost that each step of each quasi-identifier adds, if it is known before counting.
    rises: Option<Rises>,
    open: BinaryHeap<OpenBox>,
    /// The boxes within the last box of `open`, if `open` is full. They come first.
    deep: Vec<OpenBox>,
    /// The failures that the nodes of the last box must escape.
    active: Vec<usize>,
    /// The numbers of boxes made and visited.
    made: u64,
    visited: u64,
    /// The coarsest node.
    top: Vec<u8>,
    /// The number of starts from which [`look_near`](Self::look_near) has descended.
    near: usize,
}

impl<W: Tally> Branch<'_, '_, '_, W> {
    fn run(&mut self) -> ControlFlow<()> {
        loop {
            let Some(next) = self.deep.pop().or_else(|| self.open.pop()) else {
                return ControlFlow::Continue(());
            };
            self.pace.report(self.search.judge.step(self.search.seen()))?;
            self.visit(next)?;
        }
    }

    /// Decides a box, or divides it.
    fn visit(&mut self, next: OpenBox) -> ControlFlow<()> {
        let Some(mut next) = self.narrow(next)? else { return ControlFlow::Continue(()) };
        if self.deep.is_empty() && self.open.peek().is_some_and(|other| *other > next) {
            self.open.push(next);
            return ControlFlow::Continue(());
        }
        if self.deep.is_empty() {
            // No node outside the open boxes is better than the best so far.
            self.search.prove(next.bound.min(self.search.judge.best.value));
        }
        let (is_diving, is_near) = (self.visited.is_multiple_of(DIVING), self.visited.is_multiple_of(NEAR));
        self.visited += 1;
        if is_diving {
            self.dive(&next)?;
        }
        if is_near {
            self.look_near()?;
        }
        if is_diving || is_near {
            // The failures have new numbers.
            let Some(narrower) = self.narrow(next)? else { return ControlFlow::Continue(()) };
            next = narrower;
        }
        if self.active.is_empty() {
            if self.search.visit(&next.least.steps, self.pace)? {
                self.settle(next.least);
            } else {
                self.keep(next);
            }
            return ControlFlow::Continue(());
        }
        if !next.keeps {
            if !self.search.visit(&next.most, self.pace)? {
                return ControlFlow::Continue(());
            }
            next.keeps = true;
        }
        let (attribute, step) = self.division(&next.most);
        let mut finer = next.clone();
        finer.most[attribute] = step;
        finer.keeps = false;
        let mut coarser = next;
        let mut steps = coarser.least.steps;
        steps[attribute] = step + 1;
        coarser.least = self.search.price(steps, self.pace)?;
        for half in [coarser, finer] {
            if let Some(half) = self.narrow(half)? {
                self.keep(half);
            }
        }
        ControlFlow::Continue(())
    }

    fn keep(&mut self, mut next: OpenBox) {
        self.made += 1;
        next.number = self.made;
        if self.deep.is_empty() && self.open.len() < OPEN {
            self.open.push(next);
        } else {
            self.deep.push(next);
        }
    }

    /// A box without the nodes that a known failure excludes, and its bound; `None` if it has no
    /// node that is better than the best so far.
    fn narrow(&mut self, mut next: OpenBox) -> ControlFlow<(), Option<OpenBox>> {
        let failures = &self.search.failures;
        let width = next.most.len();
        self.pace.spend(failures.len() * width)?;
        let mut steps = next.least.steps.clone();
        if narrowed(failures, &mut steps, &next.most, &mut self.active).is_none() {
            return ControlFlow::Continue(None);
        }
        self.pace.spend(self.active.len() * width * 4)?;
        if steps != next.least.steps {
            next.least = self.search.price(steps, self.pace)?;
        }
        let mut bound = next.least.value;
        if let Some(rises) = &self.rises {
            let ends = [&next.least.steps[..], &next.most[..]];
            bound = rises.added(bound, escape(&self.search.failures, rises, ends, &self.active));
        }
        next.bound = next.bound.max(bound);
        let is_useless = self.exceeds(next.bound)
            || self.search.judge.objective.compare(&next.least, &self.search.judge.best).is_ge();
        ControlFlow::Continue(Some(next).filter(|_| !is_useless))
    }

    /// The quasi-identifier and the step after which a box is divided: where both parts lose most
    /// of what the failures leave open. Short failures decide most.
    fn division(&self, most: &[u8]) -> (usize, u8) {
        let failures = &self.search.failures;
        let spans = self.search.floors.spans();
        let mut weights: Vec<Vec<f64>> = spans.iter().map(|&span| vec![0.0; span]).collect();
        for &fail in &self.active {
            let steps = failures.of(fail);
            let ways = || (0..most.len()).filter(|&attribute| steps[attribute] < most[attribute]);
            let weight = libm::exp2(-f64::from(size::number(ways().count()).min(60)));
            ways().for_each(|attribute| weights[attribute][usize::from(steps[attribute])] += weight);
        }
        let mut best = (0, 0, -1.0);
        for (attribute, weights) in weights.iter().enumerate() {
            let all: f64 = weights.iter().sum();
            let mut finer = 0.0;
            for (step, weight) in (0..).zip(weights) {
                finer += weight;
                // The coarser part escapes the failures up to this step, the finer part loses a way
                // out of those from it on.
                let gain = finer * (all - finer + weight);
                if *weight > 0.0 && gain > best.2 {
                    best = (attribute, step, gain);
                }
            }
        }
        (best.0, best.1)
    }

    /// Raises the finest node of a box until it keeps δ, each time by the steps that escape most for
    /// their cost. Then descends.
    fn dive(&mut self, from: &OpenBox) -> ControlFlow<()> {
        let Some(rises) = self.rises.clone() else { return ControlFlow::Continue(()) };
        let mut steps = from.least.steps.clone();
        loop {
            let here = self.search.price(steps.clone(), self.pace)?;
            if self.exceeds(here.value) {
                return ControlFlow::Continue(());
            }
            let failures = &self.search.failures;
            self.pace.spend(failures.len() * steps.len())?;
            let active: Vec<usize> = failures.above(&steps, 0).collect();
            if active.is_empty() {
                if !self.search.visit(&steps, self.pace)? {
                    continue;
                }
                let before = self.search.judge.best.steps.clone();
                self.search.descend_from(here, None, self.pace)?;
                self.settled(&before);
                return ControlFlow::Continue(());
            }
            let mut best = (f64::NEG_INFINITY, 0, 0);
            for attribute in 0..steps.len() {
                let of = &rises.of(attribute)[..self.search.floors.spans()[attribute]];
                let mut escaped = vec![0_u32; of.len()];
                for &fail in &active {
                    escaped[usize::from(failures.of(fail)[attribute])] += 1;
                }
                let mut sum = 0;
                for step in usize::from(steps[attribute]) + 1..of.len() {
                    sum += escaped[step - 1];
                    let cost = of[step] - of[usize::from(steps[attribute])];
                    let gain = f64::from(sum) / (cost + 1e-9);
                    if gain > best.0 {
                        best = (gain, attribute, size::steps(step));
                    }
                }
            }
            steps[best.1] = best.2;
        }
    }

    /// Descends from the next start: the node with one quasi-identifier at its floor and all others
    /// at their tops; then the best so far with one at its top, as long as that helps.
    fn look_near(&mut self) -> ControlFlow<()> {
        let width = self.top.len();
        let (start, attribute) = (self.near, self.near % width);
        if start >= 2 * width {
            return ControlFlow::Continue(());
        }
        self.near += 1;
        let before = self.search.judge.best.steps.clone();
        let mut steps = if start < width { self.top.clone() } else { before.clone() };
        steps[attribute] = if start < width { 0 } else { self.top[attribute] };
        self.search.descend_at(steps, attribute, self.pace)?;
        self.settled(&before);
        ControlFlow::Continue(())
    }

    /// Takes note of a better node than `before`.
    fn settled(&mut self, before: &[u8]) {
        if self.search.judge.best.steps != before {
            self.limit = self.limit.min(self.search.judge.best.value);
            self.near = self.near.min(self.top.len());
        }
    }

    /// Records a node that keeps δ and is better than the best so far.
    fn settle(&mut self, best: Priced) {
        self.limit = best.value.min(self.limit);
        self.near = self.near.min(self.top.len());
        self.search.settle(best);
    }

    /// Whether a cost is above the limit by more than rounding.
    fn exceeds(&self, value: f64) -> bool {
        value > self.limit * (1.0 + ROUNDING)
    }
}
