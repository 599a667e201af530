//! SPALM where members may be withdrawn: the best node together with the classes to withdraw of it.
//!
//! Withdrawing is not monotone: a node may need fewer members withdrawn than its generalizations, so there are no floors,
//! and a node that fails says nothing of its specializations but where [it fails by too much](forced). What stays is the
//! bound on the cost: a member who is withdrawn counts as if all of his attributes were `*`, so no node costs less than it
//! does with everybody in it, and that never falls towards the top.

mod choice;
mod forced;
mod pricing;

use std::ops::ControlFlow;

use self::choice::{Choice, Item, Knapsack};
use self::forced::{Forced, Room};
use self::pricing::{Cost, Pricing};
use super::base_counts::BaseCounts;
use super::floors::Floors;
use super::objective::height;
use super::pace::Pace;
use super::{SearchReport, SearchStage, Step, StopReason};
use crate::metrics::Metric;
use crate::model::criterion::Needs;
use crate::model::{Counts, NodeClasses, Problem, Recoding, size};

/// Whether a search withdraws members of a problem: some may be, and all that is enforced beside δ follows from the counts
/// of a class. Else nobody is withdrawn, which is within any limit.
pub(super) fn is_possible(problem: &Problem) -> bool {
    let policy = problem.policy();
    let members = problem.histogram().total().private;
    policy.suppression().most(members) > 0
        && policy.criteria().iter().all(|criterion| criterion.needs() == Needs::Counts)
}

/// Finds the node, and the classes to withdraw of it, that cost least by the metric; among equals with the fewest members
/// withdrawn, then of least height, then lexicographically first. Costs within one part in 10¹² are equal where they are of
/// one node.
///
/// A depth-first search settles one quasi-identifier after another. What begins alike is passed over where the finest such
/// node costs more than the best known with nobody withdrawn, or the coarsest fails by so much that all its specializations
/// do. Each node is looked at once at most; the search may look at all of them.
///
/// Stopped by its observer, it returns the best that it came across.
pub(super) fn search(
    problem: &Problem,
    metric: Metric,
    pace: &mut Pace,
) -> (Option<Recoding>, SearchReport) {
    let nodes = problem.lattice().len();
    let mut found = None;
    let mut report = SearchReport {
        nodes: Some(nodes),
        checked: Some(0),
        implied: Some(0),
        ..SearchReport::without_nodes(StopReason::Cancelled)
    };
    let begun = Withdrawing::new(problem, metric, pace);
    if let ControlFlow::Continue(mut search) = begun {
        let ended = search.run(pace);
        report.checked = Some(search.checked);
        report.implied = Some(search.implied);
        found = search.best.map(|best| best.recoding(&search.floors));
        if ended.is_continue() {
            report.stop = if found.is_some() { StopReason::Done } else { StopReason::None };
        }
    }
    // It was stopped before it had looked at any node.
    if report.stop == StopReason::Cancelled && found.is_none() && problem.feasibility().holds() {
        found = Some(Recoding::Node(problem.lattice().top()));
    }
    (found, report)
}

/// A node with the classes to withdraw of it.
struct Best {
    steps: Vec<u8>,
    cost: Cost,
    choice: Choice,
}

impl Best {
    fn recoding(self, floors: &Floors) -> Recoding {
        Recoding::Node(floors.node(&self.steps)).withdrawing(self.choice.classes)
    }
}

/// A search under way.
struct Withdrawing<'a> {
    problem: &'a Problem,
    floors: Floors,
    base_counts: BaseCounts<Counts>,
    room: Room,
    pricing: Pricing,
    best: Option<Best>,
    nodes: u64,
    checked: u64,
    implied: u64,
}

impl<'a> Withdrawing<'a> {
    fn new(problem: &'a Problem, metric: Metric, pace: &mut Pace) -> ControlFlow<(), Self> {
        let floors = Floors::none(problem);
        ControlFlow::Continue(Self {
            base_counts: BaseCounts::new(problem, &floors, pace)?,
            pricing: Pricing::of(problem, metric, &floors, pace)?,
            room: Room::of(problem),
            nodes: floors.lattice().len(),
            problem,
            floors,
            best: None,
            checked: 0,
            implied: 0,
        })
    }

    fn run(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        let mut steps = self.top();
        self.descend(pace)?;
        if self.look_at(&steps, pace)?.is_hopeless {
            return ControlFlow::Continue(());
        }
        self.visit(&mut steps, 0, pace)
    }

    fn top(&self) -> Vec<u8> {
        self.floors.spans().iter().map(|&span| size::steps(span - 1)).collect()
    }

    /// Goes down from the top, always to the specialization that costs least with what is withdrawn of it: so there is
    /// something good to compare with, and to fall back on.
    fn descend(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        let mut here = self.top();
        loop {
            let mut least: Option<Best> = None;
            for attribute in 0..here.len() {
                let Some(step) = here[attribute].checked_sub(1) else { continue };
                let mut finer = here.clone();
                finer[attribute] = step;
                let forced = self.count(&finer, pace)?;
                let known = least.as_ref().map(|least| &least.cost);
                if let Some(next) = self.settled(&finer, &forced, known, pace)? {
                    if least.as_ref().is_none_or(|least| self.is_better(&next, least)) {
                        least = Some(next);
                    }
                }
            }
            let Some(next) = least else { return ControlFlow::Continue(()) };
            here.clone_from(&next.steps);
            self.offer(next);
        }
    }

    /// Looks at all nodes that begin like `steps` up to `attribute`; the rest of `steps` is at the top, and was looked at.
    fn visit(&mut self, steps: &mut [u8], attribute: usize, pace: &mut Pace) -> ControlFlow<()> {
        if attribute == steps.len() {
            return ControlFlow::Continue(());
        }
        let top = steps[attribute];
        for step in 0..=top {
            steps[attribute] = step;
            if self.is_too_dear(&steps[..=attribute], pace)? {
                // Further steps only cost more.
                break;
            }
            if step < top && self.look_at(steps, pace)?.is_hopeless {
                let below = self.floors.spans()[attribute + 1..].iter().map(|&span| span as u64);
                self.implied += below.fold(1_u64, u64::saturating_mul) - 1;
                continue;
            }
            self.visit(steps, attribute + 1, pace)?;
        }
        steps[attribute] = top;
        ControlFlow::Continue(())
    }

    /// Whether every node that begins like this costs more than the best known.
    fn is_too_dear(&mut self, prefix: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        let Some(best) = &self.best else { return ControlFlow::Continue(false) };
        let mut finest = prefix.to_vec();
        finest.resize(self.floors.spans().len(), 0);
        let least = self.pricing.of_node(&finest, &mut self.base_counts, pace)?;
        ControlFlow::Continue(least.exceeds(&best.cost))
    }

    /// Counts a node, and takes it for the best if it is.
    fn look_at(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), Forced> {
        self.checked += 1;
        pace.tell(self.step())?;
        let forced = self.count(steps, pace)?;
        let known = self.best.take();
        let settled = self.settled(steps, &forced, known.as_ref().map(|best| &best.cost), pace);
        self.best = known;
        if let Some(next) = settled? {
            self.offer(next);
        }
        ControlFlow::Continue(forced)
    }

    fn count(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), Forced> {
        let judge = self.base_counts.judge().clone();
        let classes = self.base_counts.tallied(steps, pace)?;
        ControlFlow::Continue(self.room.forced(classes, &judge))
    }

    /// A node with the classes to withdraw of it, if any are to be; `None` where it fails, or costs more than what is known.
    fn settled(
        &mut self,
        steps: &[u8],
        forced: &Forced,
        known: Option<&Cost>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Best>> {
        let Some(capacity) = self.room.left(forced) else { return ControlFlow::Continue(None) };
        let whole = self.pricing.of_node(steps, &mut self.base_counts, pace)?;
        if known.is_some_and(|known| whole.exceeds(known)) {
            return ControlFlow::Continue(None);
        }
        let lacks = self.room.lacks(forced.pool);
        if forced.pool.private == 0 && lacks.is_none() {
            let choice = Choice::default();
            return ControlFlow::Continue(Some(Best { steps: steps.to_vec(), cost: whole, choice }));
        }
        pace.spend(self.problem.histogram().len() * steps.len())?;
        let classes = NodeClasses::of(self.problem, &self.floors.node(steps));
        let judge = self.base_counts.judge();
        let (mut cost, mut withdrawn, mut items) = (whole, Vec::new(), Vec::new());
        for (class, &counts) in (0..).zip(classes.counts()).filter(|(_, counts)| counts.private > 0) {
            let is_forced = !judge.allows(counts);
            let gain = lacks.as_ref().map_or(0, |lacks| lacks.gain(counts));
            if is_forced || (gain > 0 && counts.private <= capacity) {
                let added = self.pricing.added(self.problem, &classes, class);
                if is_forced {
                    self.pricing.add(&mut cost, &added);
                    withdrawn.push(class);
                } else {
                    items.push(Item { class, members: counts.private, gain, added });
                }
            }
        }
        if known.is_some_and(|known| cost.exceeds(known)) {
            return ControlFlow::Continue(None);
        }
        let mut choice = Choice { classes: withdrawn, members: forced.pool.private };
        if let Some(lacks) = lacks {
            let knapsack = Knapsack::new(&self.pricing, &cost, items, lacks.people, capacity);
            let Some((dearer, more)) = knapsack.solve(known, pace)? else {
                return ControlFlow::Continue(None);
            };
            cost = dearer;
            choice.classes.extend(more.classes);
            choice.members += more.members;
        }
        ControlFlow::Continue(Some(Best { steps: steps.to_vec(), cost, choice }))
    }

    /// Takes what was found for the best if it is better.
    fn offer(&mut self, next: Best) {
        if self.best.as_ref().is_none_or(|best| self.is_better(&next, best)) {
            self.best = Some(next);
        }
    }

    fn is_better(&self, one: &Best, other: &Best) -> bool {
        let by_cost = self.pricing.compare(&one.cost, &other.cost);
        by_cost
            .then_with(|| one.choice.members.cmp(&other.choice.members))
            .then_with(|| height(&one.steps).cmp(&height(&other.steps)))
            .then_with(|| one.steps.cmp(&other.steps))
            .is_lt()
    }

    /// How far the search is.
    fn step(&self) -> Step {
        let best = self.best.as_ref().map(|best| self.pricing.metric(&best.cost));
        let stage = SearchStage { best, rounds: None };
        Step { stage, done: self.checked.saturating_add(self.implied).min(self.nodes), total: self.nodes }
    }
}

#[cfg(test)]
mod tests;
