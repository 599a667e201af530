//! SPALM where members may be withdrawn: the best node together with the classes to withdraw of it.
//!
//! Withdrawing is not monotone: a node may need fewer members withdrawn than its generalizations, so there are no floors,
//! and a node that fails says nothing of its specializations but where [it fails by too much](forced). What stays is the
//! bound on the cost: a member who is withdrawn counts as if all of his attributes were `*`, so no node costs less than it
//! does with everybody in it, and that never falls towards the top.

mod choice;
mod forced;
mod pricing;
mod refined;

use std::cmp::Reverse;
use std::ops::ControlFlow;

use self::choice::{Choice, Item, Knapsack};
use self::forced::{Forced, Room};
use self::pricing::{Cost, Pricing};
use self::refined::{Buffers, Refined};
use super::floors::Floors;
use super::objective::height;
use super::pace::Pace;
use super::tally::Judge;
use super::{SearchReport, SearchStage, Step, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::criterion::Needs;
use palmtop_core::model::{Counts, Level, NodeClasses, Problem, Recoding, Verdict, size};

/// While combinations times quasi-identifiers are no more than this, the classes of each depth are kept: 8 bytes each.
const KEPT: usize = 1 << 25;

/// Whether a search withdraws members of a problem: some may be, each row is a person, and all that is enforced beside δ follows from the
/// counts of a class. Else nobody is withdrawn, which is within any limit.
pub(super) fn is_possible(problem: &Problem) -> bool {
    let policy = problem.policy();
    let members = problem.histogram().total().private;
    problem.people().is_none()
        && policy.suppression().most(members) > 0
        && policy.criteria().iter().all(|criterion| criterion.needs() == Needs::Counts)
}

/// Whether members may be withdrawn so that something can be released: the policy can be satisfied but for classes of the
/// coarsest node that is permitted, whose members may be among them.
pub(super) fn is_feasible(problem: &Problem) -> bool {
    is_possible(problem) && problem.feasibility().verdict() == Verdict::Ok
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
pub(super) fn search(problem: &Problem, metric: Metric, pace: &mut Pace) -> (Option<Recoding>, SearchReport) {
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
        found = search.best.as_ref().map(|best| search.recoding(best));
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
    /// The members of all classes that are withdrawn.
    members: u64,
    /// The classes that are withdrawn beside those that break the policy.
    more: Choice,
}

/// A search under way.
struct Withdrawing<'a> {
    problem: &'a Problem,
    floors: Floors,
    judge: Judge,
    room: Room,
    pricing: Pricing,
    /// In which order quasi-identifiers are settled: those with many leaves first, which tell most.
    order: Vec<usize>,
    buffers: Buffers,
    best: Option<Best>,
    nodes: u64,
    checked: u64,
    implied: u64,
}

impl<'a> Withdrawing<'a> {
    fn new(problem: &'a Problem, metric: Metric, pace: &mut Pace) -> ControlFlow<(), Self> {
        let floors = Floors::none(problem);
        let mut order: Vec<usize> = (0..problem.quasi().len()).collect();
        order.sort_by_key(|&attribute| Reverse(problem.hierarchy(attribute).leaf_count()));
        ControlFlow::Continue(Self {
            pricing: Pricing::of(problem, metric, &floors, pace)?,
            room: Room::of(problem),
            judge: Judge::of(problem),
            nodes: floors.lattice().len(),
            buffers: Buffers::default(),
            order,
            problem,
            floors,
            best: None,
            checked: 0,
            implied: 0,
        })
    }

    fn run(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        pace.tell(self.step())?;
        let (mut steps, top) = (self.top(), self.coarsest(pace)?);
        let least = self.look_at(&steps, &top, pace)?.least;
        self.descend(&top, pace)?;
        self.visit(&mut steps, 0, (&top, least), pace)
    }

    fn top(&self) -> Vec<u8> {
        self.floors.spans().iter().map(|&span| size::steps(span - 1)).collect()
    }

    /// The classes at the top, which has labels where levels are limited.
    fn coarsest(&mut self, pace: &mut Pace) -> ControlFlow<(), Refined> {
        let mut classes = Refined::everybody(self.problem);
        for attribute in 0..self.order.len() {
            let coarsest = self.problem.coarsest(attribute);
            if coarsest < self.problem.hierarchy(attribute).top() {
                classes = classes.refine(self.problem, (attribute, coarsest), &mut self.buffers, pace)?;
            }
        }
        ControlFlow::Continue(classes)
    }

    /// Goes down from the top, always to the specialization that costs least with what is withdrawn of it: so there is
    /// something good to compare with, and to fall back on.
    fn descend(&mut self, top: &Refined, pace: &mut Pace) -> ControlFlow<()> {
        let mut here = self.top();
        loop {
            let mut least: Option<Best> = None;
            for attribute in 0..here.len() {
                let Some(step) = here[attribute].checked_sub(1) else { continue };
                let mut finer = here.clone();
                finer[attribute] = step;
                let classes = self.refined(&finer, top, pace)?;
                let forced = self.room.forced(classes.classes(), classes.without(), &self.judge);
                let known = least.as_ref().map(|least| &least.cost);
                if let Some(next) = self.settled(&finer, &classes, &forced, known, pace)?
                    && least.as_ref().is_none_or(|least| self.is_better(&next, least))
                {
                    least = Some(next);
                }
            }
            let Some(next) = least else { return ControlFlow::Continue(()) };
            here.clone_from(&next.steps);
            self.offer(next);
        }
    }

    /// Looks at all nodes that are like `steps` in what is settled, the first `depth` of the order; the rest of `steps` is at
    /// the top, and was looked at. `coarse` are the classes there, or at the top where those of each depth are too many;
    /// `least` are the members that all these nodes have to withdraw.
    fn visit(
        &mut self,
        steps: &mut [u8],
        depth: usize,
        (coarse, least): (&Refined, u64),
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let Some(&attribute) = self.order.get(depth) else { return ControlFlow::Continue(()) };
        let top = steps[attribute];
        for step in 0..top {
            steps[attribute] = step;
            if self.is_too_dear(steps, depth + 1, least) {
                // Further steps only cost more.
                steps[attribute] = top;
                return ControlFlow::Continue(());
            }
            pace.tell(self.step())?;
            let fine = if self.keeps_each_depth() {
                self.refine(steps, attribute, coarse, pace)?
            } else {
                self.refined(steps, coarse, pace)?
            };
            let forced = self.look_at(steps, &fine, pace)?;
            if forced.is_hopeless {
                let below = self.order[depth + 1..].iter().map(|&open| self.floors.spans()[open] as u64);
                self.implied = self.implied.saturating_add(below.fold(1_u64, u64::saturating_mul) - 1);
                continue;
            }
            if self.keeps_each_depth() {
                self.visit(steps, depth + 1, (&fine, forced.least), pace)?;
            } else {
                drop(fine);
                self.visit(steps, depth + 1, (coarse, forced.least), pace)?;
            }
        }
        steps[attribute] = top;
        if self.is_too_dear(steps, depth + 1, least) {
            return ControlFlow::Continue(());
        }
        self.visit(steps, depth + 1, (coarse, least), pace)
    }

    /// Whether the classes of each depth of the search are kept, so that a step counts one quasi-identifier and not all.
    fn keeps_each_depth(&self) -> bool {
        self.problem.histogram().len().saturating_mul(self.order.len()) <= KEPT
    }

    /// The classes of a node, from those where one quasi-identifier is at the top.
    fn refine(
        &mut self,
        steps: &[u8],
        attribute: usize,
        coarse: &Refined,
        pace: &mut Pace,
    ) -> ControlFlow<(), Refined> {
        let level = Level(self.floors.levels()[attribute].0 + steps[attribute]);
        coarse.refine(self.problem, (attribute, level), &mut self.buffers, pace)
    }

    /// The classes of a node, from those of the top.
    fn refined(&mut self, steps: &[u8], top: &Refined, pace: &mut Pace) -> ControlFlow<(), Refined> {
        let mut classes: Option<Refined> = None;
        for attribute in self.order.clone() {
            if usize::from(steps[attribute]) + 1 < self.floors.spans()[attribute] {
                classes = Some(self.refine(steps, attribute, classes.as_ref().unwrap_or(top), pace)?);
            }
        }
        ControlFlow::Continue(classes.unwrap_or_else(|| top.clone()))
    }

    /// Whether every node that is like this in the first `depth` of the order costs more than the best known, with so many
    /// members withdrawn at least.
    fn is_too_dear(&self, steps: &[u8], depth: usize, least: u64) -> bool {
        let Some(best) = &self.best else { return false };
        let mut finest = steps.to_vec();
        self.order[depth..].iter().for_each(|&open| finest[open] = 0);
        self.pricing.at_least(&finest, least).exceeds(&best.cost)
    }

    /// Looks at a node, and takes it for the best if it is.
    fn look_at(&mut self, steps: &[u8], classes: &Refined, pace: &mut Pace) -> ControlFlow<(), Forced> {
        self.checked += 1;
        let forced = self.room.forced(classes.classes(), classes.without(), &self.judge);
        let known = self.best.as_ref().map(|best| &best.cost);
        if let Some(next) = self.settled(steps, classes, &forced, known, pace)? {
            self.offer(next);
        }
        ControlFlow::Continue(forced)
    }

    /// A node with the classes to withdraw of it, if any are to be; `None` where it fails, or costs more than what is known.
    fn settled(
        &self,
        steps: &[u8],
        refined: &Refined,
        forced: &Forced,
        known: Option<&Cost>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Option<Best>> {
        let Some(capacity) = self.room.left(forced) else { return ControlFlow::Continue(None) };
        let mut cost = self.pricing.of_node(steps, refined.classes());
        if known.is_some_and(|known| cost.exceeds(known)) {
            return ControlFlow::Continue(None);
        }
        if forced.pool.private > 0 {
            let withdrawn = refined.combinations().filter(|(_, class)| !self.judge.allows_counts(*class));
            let added = self.pricing.added_by(self.problem, steps, withdrawn);
            self.pricing.add(&mut cost, &added);
            if known.is_some_and(|known| cost.exceeds(known)) {
                return ControlFlow::Continue(None);
            }
        }
        let mut members = forced.pool.private;
        let mut more = Choice::default();
        if let Some(lacks) = self.room.lacks(forced.pool) {
            pace.spend(self.problem.histogram().len() * steps.len())?;
            let classes = NodeClasses::of(self.problem, &self.floors.node(steps));
            let may_be = |counts: &Counts| {
                counts.private > 0 && counts.private <= capacity && self.judge.allows_counts(*counts)
            };
            let with = (0..).zip(classes.counts()).filter(|(_, counts)| may_be(counts));
            let item = |(class, &counts): (u32, &Counts)| {
                let gain = Some(lacks.gain(counts)).filter(|gain| *gain > 0)?;
                let added = self.pricing.added(self.problem, &classes, class);
                Some(Item { class, members: counts.private, gain, added })
            };
            let knapsack =
                Knapsack::new(&self.pricing, &cost, with.filter_map(item).collect(), lacks.people, capacity);
            let Some((dearer, chosen)) = knapsack.solve(known, pace)? else {
                return ControlFlow::Continue(None);
            };
            (cost, more) = (dearer, chosen);
            members += more.members;
        }
        ControlFlow::Continue(Some(Best { steps: steps.to_vec(), cost, members, more }))
    }

    /// The node of the best with all classes that are withdrawn of it.
    fn recoding(&self, best: &Best) -> Recoding {
        let node = self.floors.node(&best.steps);
        if best.members == 0 {
            return Recoding::Node(node);
        }
        let classes = NodeClasses::of(self.problem, &node);
        let is_forced = |counts: &Counts| counts.private > 0 && !self.judge.allows_counts(*counts);
        let forced =
            (0..).zip(classes.counts()).filter(|(_, counts)| is_forced(counts)).map(|(class, _)| class);
        Recoding::Node(node).withdrawing(forced.chain(best.more.classes.iter().copied()).collect())
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
            .then_with(|| one.members.cmp(&other.members))
            .then_with(|| height(&one.steps).cmp(&height(&other.steps)))
            .then_with(|| one.steps.cmp(&other.steps))
            .is_lt()
    }

    /// How far the search is.
    fn step(&self) -> Step {
        let best = self.best.as_ref().map(|best| self.pricing.metric(&best.cost));
        let stage = SearchStage { best, lower: None, rounds: None };
        Step { stage, done: self.checked.saturating_add(self.implied).min(self.nodes), total: self.nodes }
    }
}

#[cfg(test)]
mod tests;
