//! SPALM with withdrawal: the best node together with the classes to withdraw from it.
//!
//! Withdrawal is not monotone: a node may need fewer withdrawn members than its generalizations. So
//! there are no floors, and a failing node proves nothing about its specializations, unless [it
//! fails by too much](forced). A bound on the cost remains. A withdrawn member costs as much as one
//! with `*` in all attributes. So a node with withdrawn members costs at least what it costs
//! without withdrawal, and that cost never falls towards the top.

mod choice;
mod class_judge;
mod forced;
mod pricing;
mod refined;

use std::cmp::Reverse;
use std::ops::ControlFlow;

use self::choice::{Choice, Item, Knapsack};
use self::class_judge::ClassJudge;
use self::forced::{Forced, Room};
use self::pricing::{Cost, Pricing};
use self::refined::{Buffers, Refined};
use crate::control::pace::Pace;
use crate::counts::floors::Floors;
use crate::counts::objective::height;
use crate::{SearchReport, SearchStage, Step, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::criterion::ClassData;
use palmtop_core::model::{Level, NodeClasses, Problem, Recoding, Verdict, size};

/// The largest product of combinations and quasi-identifiers for which the classes of each depth
/// are kept, at 8 bytes each.
const KEPT: usize = 1 << 25;

/// The relative error that rounding may add to a metric.
const ROUNDING: f64 = 1e-8;

/// Whether a search may withdraw members of a problem: the policy permits at least one, and each row
/// is a person. If not, no member is withdrawn.
pub(crate) fn is_possible(problem: &Problem) -> bool {
    let members = problem.histogram().total().private;
    problem.people().is_none() && problem.policy().suppression().most(members) > 0
}

/// Whether a release with withdrawn members may exist: members may be withdrawn, and everyone in one
/// class satisfies the criteria on counts. Only the search itself can decide about classes of the
/// coarsest permitted node that break the policy, and about sensitive values.
///
/// The criteria on counts are necessary: each released class satisfies them, and the pool keeps δ.
/// Criteria on sensitive values are not. Without some members, the others may be diverse enough.
pub(crate) fn is_feasible(problem: &Problem) -> bool {
    is_possible(problem) && problem.policy().on_counts().judge(problem.total()) == Verdict::Ok
}

/// Finds the node, and the classes to withdraw from it, that cost least by the metric.
///
/// Ties are broken by the fewest withdrawn members, then by the least height, then by lexicographic
/// order. Within one node, costs that differ by at most one part in 10¹² are equal.
///
/// A depth-first search fixes the step of one quasi-identifier at a time. It skips the nodes with
/// the fixed steps in two cases:
/// - the finest of them costs more than the best so far, even without withdrawal;
/// - the coarsest of them fails by an amount for which all its specializations fail, too.
///
/// Each node is examined at most once; in the worst case, all nodes are. If the observer stops the
/// search, it returns the best result so far.
pub(crate) fn search(problem: &Problem, metric: Metric, pace: &mut Pace) -> (Option<Recoding>, SearchReport) {
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
        if ended.is_break() {
            report.lower = search.step().stage.lower;
        }
        found = search.best.as_ref().map(|best| search.recoding(best));
        if ended.is_continue() {
            report.stop = if found.is_some() { StopReason::Done } else { StopReason::None };
        }
    }
    // The search was stopped before its first node.
    if report.stop == StopReason::Cancelled && found.is_none() && problem.feasibility().holds() {
        found = Some(Recoding::Node(problem.lattice().top()));
    }
    (found, report)
}

/// A node with the classes to withdraw from it.
struct Best {
    steps: Vec<u8>,
    cost: Cost,
    /// The number of members in all withdrawn classes.
    members: u64,
    /// The withdrawn classes that satisfy the policy; the pool needs them to keep δ.
    more: Choice,
}

/// The state of a search.
struct Withdrawing<'a> {
    problem: &'a Problem,
    floors: Floors,
    judge: ClassJudge,
    room: Room,
    pricing: Pricing,
    /// The order in which quasi-identifiers are fixed: those with many leaves first, because they
    /// decide most.
    order: Vec<usize>,
    buffers: Buffers,
    best: Option<Best>,
    /// The proven lower bound on the metric of all results that are better than the best so far.
    lower: Option<f64>,
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
            judge: ClassJudge::of(problem),
            nodes: floors.lattice().len(),
            buffers: Buffers::default(),
            order,
            problem,
            floors,
            best: None,
            lower: None,
            checked: 0,
            implied: 0,
        })
    }

    fn run(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        pace.report(self.step())?;
        let (mut steps, top) = (self.top(), self.coarsest(pace)?);
        let least = self.look_at(&steps, &top, pace)?.least;
        self.descend(&top, pace)?;
        self.visit(&mut steps, 0, &top, least, pace)
    }

    fn top(&self) -> Vec<u8> {
        self.floors.spans().iter().map(|&span| size::steps(span - 1)).collect()
    }

    /// The classes at the top. They are several if levels are limited.
    fn coarsest(&mut self, pace: &mut Pace) -> ControlFlow<(), Refined> {
        let mut classes = Refined::everybody(self.problem);
        for attribute in 0..self.order.len() {
            let coarsest = self.problem.coarsest(attribute);
            if coarsest < self.problem.hierarchy(attribute).top() {
                classes = classes.refine(self.problem, attribute, coarsest, &mut self.buffers, pace)?;
            }
        }
        ControlFlow::Continue(classes)
    }

    /// Descends from the top, each time to the cheapest specialization with its withdrawn classes.
    /// It gives the search a good result to compare with, and to return if it is stopped.
    fn descend(&mut self, top: &Refined, pace: &mut Pace) -> ControlFlow<()> {
        let mut here = self.top();
        loop {
            let mut least: Option<Best> = None;
            for attribute in 0..here.len() {
                let Some(step) = here[attribute].checked_sub(1) else { continue };
                let mut finer = here.clone();
                finer[attribute] = step;
                let classes = self.refined(&finer, top, pace)?;
                let is_allowed = self.judge.judge(&classes, pace)?;
                let forced = self.room.forced(classes.classes(), &is_allowed, classes.without());
                let known = least.as_ref().map(|least| &least.cost);
                if let Some(next) = self.settled(&finer, &classes, &is_allowed, &forced, known, pace)?
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

    /// Visits all nodes with the steps that are fixed for the first `depth` quasi-identifiers of
    /// the order. The other steps are at the top, and that node has been examined.
    ///
    /// `coarse` has the classes of that node, or of the top if the classes of each depth need too
    /// much memory. `least` is the number of members that all these nodes must withdraw.
    fn visit(
        &mut self,
        steps: &mut [u8],
        depth: usize,
        coarse: &Refined,
        least: u64,
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let Some(&attribute) = self.order.get(depth) else { return ControlFlow::Continue(()) };
        let top = steps[attribute];
        for step in 0..=top {
            steps[attribute] = step;
            if depth == 0 {
                self.prove(steps, least);
            }
            if step == top {
                break;
            }
            if self.is_too_expensive(steps, depth + 1, least) {
                // Further steps cost more.
                steps[attribute] = top;
                return ControlFlow::Continue(());
            }
            pace.report(self.step())?;
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
                self.visit(steps, depth + 1, &fine, forced.least, pace)?;
            } else {
                drop(fine);
                self.visit(steps, depth + 1, coarse, forced.least, pace)?;
            }
        }
        steps[attribute] = top;
        if self.is_too_expensive(steps, depth + 1, least) {
            return ControlFlow::Continue(());
        }
        self.visit(steps, depth + 1, coarse, least, pace)
    }

    /// Records that all nodes with fewer steps in the first quasi-identifier of the order are decided.
    fn prove(&mut self, steps: &[u8], least: u64) {
        let mut finest = vec![0; steps.len()];
        self.order.first().iter().for_each(|&&first| finest[first] = steps[first]);
        let lower = self.pricing.metric(&self.pricing.at_least(&finest, least)) * (1.0 - ROUNDING);
        self.lower = Some(self.lower.map_or(lower, |before| before.max(lower)));
    }

    /// Whether the classes of each depth are kept, so that a step refines one quasi-identifier
    /// instead of all.
    fn keeps_each_depth(&self) -> bool {
        self.problem.histogram().len().saturating_mul(self.order.len()) <= KEPT
    }

    /// The classes of a node, from those of the node with one quasi-identifier at the top.
    fn refine(
        &mut self,
        steps: &[u8],
        attribute: usize,
        coarse: &Refined,
        pace: &mut Pace,
    ) -> ControlFlow<(), Refined> {
        let level = Level(self.floors.levels()[attribute].0 + steps[attribute]);
        coarse.refine(self.problem, attribute, level, &mut self.buffers, pace)
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

    /// Whether every node with the first `depth` steps of the order costs more than the best so
    /// far, if at least `least` members are withdrawn.
    fn is_too_expensive(&self, steps: &[u8], depth: usize, least: u64) -> bool {
        let Some(best) = &self.best else { return false };
        let mut finest = steps.to_vec();
        self.order[depth..].iter().for_each(|&open| finest[open] = 0);
        self.pricing.at_least(&finest, least).exceeds(&best.cost)
    }

    /// Examines a node, and records it if it is the best so far.
    fn look_at(&mut self, steps: &[u8], classes: &Refined, pace: &mut Pace) -> ControlFlow<(), Forced> {
        self.checked += 1;
        let is_allowed = self.judge.judge(classes, pace)?;
        let forced = self.room.forced(classes.classes(), &is_allowed, classes.without());
        let known = self.best.as_ref().map(|best| &best.cost);
        if let Some(next) = self.settled(steps, classes, &is_allowed, &forced, known, pace)? {
            self.offer(next);
        }
        ControlFlow::Continue(forced)
    }

    /// A node with the classes to withdraw from it; `None` if it fails or costs more than `known`.
    /// Its classes come with the judgement of each.
    fn settled(
        &self,
        steps: &[u8],
        refined: &Refined,
        is_allowed: &[bool],
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
            let withdrawn = refined.combinations(|class| !is_allowed[class as usize]);
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
            let policy = self.problem.policy();
            let may_be = |class: &ClassData| {
                let private = class.counts().private;
                private > 0 && private <= capacity && policy.allows(class)
            };
            let with = (0..).zip(classes.data()).filter(|(_, class)| may_be(class));
            let item = |(class, data): (u32, ClassData)| {
                let gain = Some(lacks.gain(data.counts())).filter(|gain| *gain > 0)?;
                let added = self.pricing.added(self.problem, &classes, class);
                Some(Item { class, members: data.counts().private, gain, added })
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

    /// The recoding of a result.
    fn recoding(&self, best: &Best) -> Recoding {
        let node = self.floors.node(&best.steps);
        if best.members == 0 {
            return Recoding::Node(node);
        }
        let classes = NodeClasses::of(self.problem, &node);
        let policy = self.problem.policy();
        let is_forced = |class: &ClassData| class.counts().private > 0 && !policy.allows(class);
        let forced = (0..).zip(classes.data()).filter(|(_, data)| is_forced(data)).map(|(class, _)| class);
        Recoding::Node(node).withdrawing(forced.chain(best.more.classes.iter().copied()).collect())
    }

    /// Records a result if it is the best so far.
    fn offer(&mut self, next: Best) {
        if self.best.as_ref().is_none_or(|best| self.is_better(&next, best)) {
            self.best = Some(next);
        }
    }

    fn is_better(&self, left: &Best, right: &Best) -> bool {
        let by_cost = self.pricing.compare(&left.cost, &right.cost);
        by_cost
            .then_with(|| left.members.cmp(&right.members))
            .then_with(|| height(&left.steps).cmp(&height(&right.steps)))
            .then_with(|| left.steps.cmp(&right.steps))
            .is_lt()
    }

    /// The progress of the search.
    fn step(&self) -> Step {
        let best = self.best.as_ref().map(|best| self.pricing.metric(&best.cost));
        let lower = self.lower.map(|lower| best.map_or(lower, |best| lower.min(best)));
        let stage = SearchStage { best, lower, ..SearchStage::default() };
        Step { stage, done: self.checked.saturating_add(self.implied).min(self.nodes), total: self.nodes }
    }
}

#[cfg(test)]
mod tests;
