//! The public facts: P, the number of members of T, the policy, and the permitted cuts.

use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

use super::unseen::Unseen;
use crate::Step;
use crate::control::worker_pool::WorkerPool;
use crate::counts::tally::Judge;
use crate::regions::cut_boxes::BoxRules;
use crate::regions::label_tree::LabelTree;
use palmtop_core::model::description::Intervals;
use palmtop_core::model::{Belief, Code, Counts, CutBox, Cuts, Delta, Hierarchy, Level, size};

/// Everything that a simulatable search may use besides its answers.
///
/// It has no private count and no access to one. So a function of it and of the answers reveals no
/// more about T than the answers do (Kenthapadi, Mishra, Nissim, PODS 2005).
pub(super) struct Population<'a> {
    columns: Vec<Column<'a>>,
    boxes: BoxRules,
    unseen: &'a Unseen,
    /// |P| and |T|.
    total: Counts,
    /// For each combination, the sum of its people's rates, if the project declares rates.
    rates: Option<Arc<[f64]>>,
    delta: Delta,
    judge: Judge,
    rules: Rules,
    /// The pool whose stop request ends the search, if there is one.
    pool: Option<&'a WorkerPool<'a>>,
}

/// Settings that only tests and audits change: to prove that a test detects an error, and to reach
/// rare branches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether *failed* must keep everyone within δ. Only the negative control turns this off.
    pub(super) checks_failure: bool,
    /// Whether weights are integers if they fit.
    pub(super) is_exact: bool,
    /// The largest number of states of a cluster.
    pub(super) most_states: usize,
    /// Whether the posteriors after every possible answer are recorded. An audit needs them; a
    /// search does not.
    pub(super) is_measured: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { checks_failure: true, is_exact: true, most_states: 10_000, is_measured: false }
    }
}

/// The public facts about a quasi-identifier.
pub(super) struct Column<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) cuts: Cuts,
    /// The labels of the hierarchy, if the column is cut between labels only.
    pub(super) tree: Option<LabelTree>,
    /// If values stand for several leaves, the number of leaves before each value, and the total.
    before: Option<Vec<u32>>,
    /// The share of a region's side that one more leaf adds: weight/(leaves − 1).
    pub(super) share: f64,
}

impl Column<'_> {
    /// The number of leaves from one value to another, minus one.
    pub(super) fn extent(&self, low: Code, high: Code) -> u32 {
        match &self.before {
            Some(before) => before[high as usize + 1] - before[low as usize] - 1,
            None => high - low,
        }
    }
}

/// The column and the level whose labels divide a region.
pub(super) type Labels = (usize, Level);

/// The number of rows from which work on them is divided among all cores.
const MANY: usize = 1 << 15;

/// Combinations of P as rows, with their numbers of people and without private counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The codes of all rows, one quasi-identifier after the other.
    codes: Vec<Code>,
    people: Vec<u64>,
    combinations: Vec<u32>,
}

/// A cut of a region in two at a label of one quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// The index of the quasi-identifier.
    pub column: usize,
    /// Which labels go to the left half.
    pub rule: CutRule,
    /// The level of the label.
    pub level: Level,
    /// The label, as a number on its level.
    pub label: u32,
}

/// The labels that go to the left half of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutRule {
    /// All labels below the cut's label, in the order of values.
    Below,
    /// The cut's label alone, against all others.
    Only,
}

impl<'a> Population<'a> {
    /// The public facts of a problem.
    pub(super) fn of(unseen: &'a Unseen, rules: Rules) -> Self {
        let problem = unseen.problem();
        let histogram = problem.histogram();
        let column = |attribute: usize| {
            let hierarchy = problem.hierarchy(attribute);
            let leaves = f64::from(hierarchy.denoted_leaves().saturating_sub(1).max(1));
            let share = problem.weights().relative(attribute) / leaves;
            let cuts = problem.cuts(attribute);
            let tree = (cuts == Cuts::Labels).then(|| LabelTree::of(hierarchy));
            let sizes = (0..size::number(hierarchy.leaf_count())).map(|code| hierarchy.leaf_size(code));
            let sums = std::iter::once(0).chain(sizes.scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            }));
            let is_sized = hierarchy.denoted_leaves() as usize != hierarchy.leaf_count();
            let before = is_sized.then(|| sums.collect());
            Column { hierarchy, cuts, tree, before, share }
        };
        let width = problem.quasi().len();
        Self {
            columns: (0..width).map(column).collect(),
            boxes: BoxRules::of(problem),
            unseen,
            total: histogram.total(),
            rates: match problem.belief() {
                Belief::Even => None,
                Belief::Rates(rates) => Some(Arc::clone(rates)),
            },
            delta: problem.delta(),
            judge: Judge::of(problem),
            rules,
            pool: None,
        }
    }

    /// The same population, for a search that a pool can stop.
    pub(super) fn stopped_by(self, pool: &'a WorkerPool<'a>) -> Self {
        Self { pool: Some(pool), ..self }
    }

    /// Whether the search is being stopped. Its result is then discarded, so that any step may end
    /// early.
    pub(super) fn is_stopping(&self) -> bool {
        self.pool.is_some_and(|pool| pool.go_on().is_break())
    }

    /// Shows a step to the observer, and returns whether to continue.
    pub(super) fn report(&self, step: Step) -> ControlFlow<()> {
        self.pool.map_or(ControlFlow::Continue(()), |pool| pool.report(step))
    }

    /// The facts about each quasi-identifier.
    pub(super) fn columns(&self) -> &[Column<'a>] {
        &self.columns
    }

    /// Whether the project declares rates.
    pub(super) fn has_rates(&self) -> bool {
        self.rates.is_some()
    }

    /// The members that a row has in expectation, as the search believes, up to a factor.
    #[expect(clippy::cast_precision_loss, reason = "for a score")]
    pub(super) fn expected(&self, rows: &Rows, row: usize) -> f64 {
        match &self.rates {
            Some(rates) => rates[rows.combinations[row] as usize],
            None => rows.people[row] as f64,
        }
    }

    /// The limits of terms.
    pub(super) fn boxes(&self) -> &BoxRules {
        &self.boxes
    }

    /// The values of a limited column that go left at a cut; nothing for other columns.
    fn left_values(&self, cut: Cut) -> Intervals {
        let Some(limited) = self.boxes.limited(cut.column) else { return Vec::new() };
        match cut.rule {
            CutRule::Below => limited.tree.below(cut.label),
            CutRule::Only => {
                let labels = self.columns[cut.column].hierarchy.labels_of(cut.level);
                limited.label(labels, cut.label)
            }
        }
    }

    /// The boxes of both halves of a cut.
    pub(super) fn halves_of(&self, cut_box: &CutBox, cut: Cut) -> [CutBox; 2] {
        self.boxes.halves(cut_box, cut.column, &self.left_values(cut))
    }

    /// The settings of the search.
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// The sizes |P| and |T|.
    pub(super) fn total(&self) -> Counts {
        self.total
    }

    /// The bounds of every posterior. The policy on empty classes does not concern posteriors.
    pub(super) fn delta(&self) -> Delta {
        self.delta
    }

    /// Whether the policy permits the release of a region with these numbers.
    pub(super) fn allows(&self, people: u64, members: u64) -> bool {
        self.judge.allows_counts(Counts::new(people, members))
    }

    /// The combinations of everyone in P.
    pub(super) fn everybody(&self) -> Rows {
        let histogram = self.unseen.problem().histogram();
        let columns = (0..histogram.width()).flat_map(|attribute| histogram.column(attribute));
        Rows {
            codes: columns.copied().collect(),
            people: histogram.counts().iter().map(|counts| counts.public).collect(),
            combinations: (0..size::number(histogram.len())).collect(),
        }
    }

    /// The number of combinations.
    pub(super) fn combinations(&self) -> usize {
        self.unseen.problem().histogram().len()
    }

    /// A predicate for the codes, in the column of a cut, that go left.
    pub(super) fn goes_left(&self, cut: Cut) -> impl Fn(Code) -> bool + use<'a> {
        let labels = self.columns[cut.column].hierarchy.labels_of(cut.level);
        move |code| {
            let label = labels[code as usize];
            match cut.rule {
                CutRule::Below => label < cut.label,
                CutRule::Only => label == cut.label,
            }
        }
    }
}

impl Rows {
    /// The number of combinations.
    pub(super) fn len(&self) -> usize {
        self.people.len()
    }

    /// The number of people.
    pub(super) fn count(&self) -> u64 {
        self.people.iter().sum()
    }

    /// The number of people of each row.
    pub(super) fn people(&self) -> &[u64] {
        &self.people
    }

    /// The index in the histogram of each combination.
    pub(super) fn combinations(&self) -> &[u32] {
        &self.combinations
    }

    /// Whether work on the rows is worth all cores.
    pub(super) fn is_large(&self) -> bool {
        self.len() >= MANY
    }

    /// The codes of one quasi-identifier, row by row.
    pub(super) fn column(&self, attribute: usize) -> &[Code] {
        &self.codes[attribute * self.len()..][..self.len()]
    }

    /// Concatenates rows.
    pub(super) fn joined<'r>(parts: impl Iterator<Item = &'r Self> + Clone) -> Self {
        let width = parts.clone().next().map_or(0, |part| part.codes.len() / part.len().max(1));
        let columns = (0..width).flat_map(|attribute| parts.clone().map(move |part| part.column(attribute)));
        Self {
            codes: columns.flatten().copied().collect(),
            people: parts.clone().flat_map(|part| &part.people).copied().collect(),
            combinations: parts.flat_map(|part| &part.combinations).copied().collect(),
        }
    }

    /// The rows of each label of a level of one quasi-identifier, in ascending order of labels.
    pub(super) fn by_label(&self, population: &Population, labels: Labels) -> Vec<Self> {
        let (column, level) = labels;
        let labels = population.columns()[column].hierarchy.labels_of(level);
        let label_of = |row: &u32| labels[self.column(column)[*row as usize] as usize];
        let mut order: Vec<u32> = (0..size::number(self.len())).collect();
        order.sort_by_key(label_of);
        order.chunk_by(|left, right| label_of(left) == label_of(right)).map(|rows| self.at(rows)).collect()
    }

    /// Divides the rows into those that go left at a cut and the rest.
    pub(super) fn divided(&self, population: &Population, cut: Cut) -> [Self; 2] {
        let goes_left = population.goes_left(cut);
        let rows = (0..).zip(self.column(cut.column));
        let mut halves = [Vec::new(), Vec::new()];
        rows.for_each(|(row, &code)| halves[usize::from(!goes_left(code))].push(row));
        halves.map(|rows| self.at(&rows))
    }

    /// The rows with these numbers.
    fn at(&self, rows: &[u32]) -> Self {
        let width = self.codes.len() / self.len().max(1);
        let mut codes = vec![0; rows.len() * width];
        let fill = |(attribute, to): (usize, &mut [Code])| {
            let column = self.column(attribute);
            to.iter_mut().zip(rows).for_each(|(to, &row)| *to = column[row as usize]);
        };
        let people = || rows.iter().map(|&row| self.people[row as usize]).collect();
        let combinations = || rows.iter().map(|&row| self.combinations[row as usize]).collect();
        if rows.len() >= MANY {
            let ((), (people, combinations)) = rayon::join(
                || codes.par_chunks_exact_mut(rows.len()).enumerate().for_each(fill),
                || rayon::join(people, combinations),
            );
            return Self { codes, people, combinations };
        }
        codes.chunks_exact_mut(rows.len().max(1)).enumerate().for_each(fill);
        Self { codes, people: people(), combinations: combinations() }
    }
}
