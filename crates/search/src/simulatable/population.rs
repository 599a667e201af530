//! What everybody may know: the public table, how many members the private one has, the policy, and where cuts may fall.

use crate::label_tree::LabelTree;
use crate::tally::Judge;
use crate::worker_pool::WorkerPool;
use palmtop_core::model::{Code, Counts, Cuts, Delta, Hierarchy, Level, Problem, size};

/// All that a simulatable search decides by, beside the answers that it was given.
///
/// There is no private count in it, and no way to one: what is made of it and of answers tells no more of T than the
/// answers do (Kenthapadi, Mishra, Nissim: Simulatable auditing, PODS 2005).
pub(super) struct Population<'a> {
    columns: Vec<Column<'a>>,
    /// Everybody's combinations.
    everybody: Rows,
    /// |P| and |T|.
    total: Counts,
    delta: Delta,
    judge: Judge,
    rules: Rules,
    /// Whose wish to stop is heard.
    pool: Option<&'a WorkerPool<'a>>,
}

/// What tests change, to see that they would notice, and that what is rare works.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether failure must leave everybody in δ.
    pub(super) checks_failure: bool,
    /// Whether weights are whole numbers where they fit.
    pub(super) is_exact: bool,
    /// So many states a cluster may have.
    pub(super) most_states: usize,
    /// Whether the posteriors after every possible answer are noted: an audit wants them, a search need not wait for them.
    pub(super) is_measured: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { checks_failure: true, is_exact: true, most_states: 10_000, is_measured: false }
    }
}

/// What is known of a quasi-identifier.
pub(super) struct Column<'a> {
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) cuts: Cuts,
    /// Its hierarchy's labels, where it is cut between those only.
    pub(super) tree: Option<LabelTree>,
    /// What one more value adds to the share of a region's side: 1/(leaves − 1), by the weight of the quasi-identifier.
    pub(super) share: f64,
}

/// A level of a quasi-identifier, between whose labels a region is to be cut.
pub(super) type Labels = (usize, Level);

/// Combinations of the public table a row each, with their people: no private count.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    width: usize,
    codes: Vec<Code>,
    people: Vec<u64>,
    places: Vec<u32>,
}

/// Where a region is cut in two: at a label of a level of one quasi-identifier; its values are the labels of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// The quasi-identifier.
    pub column: usize,
    /// What is on the left of the label.
    pub rule: CutRule,
    /// The level of the label.
    pub level: Level,
    /// The label's number.
    pub label: u32,
}

/// What goes to the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutRule {
    /// Labels before it, in the order of values.
    Below,
    /// The label alone: one against the rest.
    Only,
}

impl<'a> Population<'a> {
    /// What a problem's public side is.
    pub(super) fn of(problem: &'a Problem, rules: Rules) -> Self {
        let histogram = problem.histogram();
        let column = |attribute: usize| {
            let hierarchy = problem.hierarchy(attribute);
            let leaves = f64::from(hierarchy.denoted_leaves().saturating_sub(1).max(1));
            let share = problem.weights().relative(attribute) / leaves;
            let cuts = problem.cuts(attribute);
            let tree = (cuts == Cuts::Labels).then(|| LabelTree::of(hierarchy));
            Column { hierarchy, cuts, tree, share }
        };
        let width = problem.quasi().len();
        Self {
            columns: (0..width).map(column).collect(),
            everybody: Rows {
                width,
                codes: histogram.codes_by_row(),
                people: histogram.counts().iter().map(|counts| counts.public).collect(),
                places: (0..size::number(histogram.len())).collect(),
            },
            total: histogram.total(),
            delta: problem.delta(),
            judge: Judge::of(problem),
            rules,
            pool: None,
        }
    }

    /// The same, for work that somebody may want to stop.
    pub(super) fn heard_by(self, pool: &'a WorkerPool<'a>) -> Self {
        Self { pool: Some(pool), ..self }
    }

    /// Whether the search is to stop: what comes of it then is thrown away, so whatever is under way may end as it likes.
    pub(super) fn is_stopping(&self) -> bool {
        self.pool.is_some_and(|pool| pool.go_on().is_break())
    }

    /// The quasi-identifiers.
    pub(super) fn columns(&self) -> &[Column<'a>] {
        &self.columns
    }

    /// What is not changed but in tests.
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// |P| and |T|.
    pub(super) fn total(&self) -> Counts {
        self.total
    }

    /// The bounds that everybody's posterior keeps. Whether a class may be empty is no matter of posteriors.
    pub(super) fn delta(&self) -> Delta {
        self.delta
    }

    /// Whether a region of so many people may be released with so many members.
    pub(super) fn allows(&self, people: u64, members: u64) -> bool {
        self.judge.allows_counts(Counts::new(people, members))
    }

    /// Everybody.
    pub(super) fn everybody(&self) -> Rows {
        self.everybody.clone()
    }

    /// Whether a combination goes to the left half of a cut.
    pub(super) fn goes_left(&self, cut: Cut) -> impl Fn(&[Code]) -> bool + use<'a> {
        let labels = self.columns[cut.column].hierarchy.labels_of(cut.level);
        move |codes| {
            let label = labels[codes[cut.column] as usize];
            match cut.rule {
                CutRule::Below => label < cut.label,
                CutRule::Only => label == cut.label,
            }
        }
    }
}

impl Rows {
    /// How many combinations there are.
    pub(super) fn len(&self) -> usize {
        self.people.len()
    }

    /// How many people they have.
    pub(super) fn count(&self) -> u64 {
        self.people.iter().sum()
    }

    /// Each combination's people.
    pub(super) fn people(&self) -> &[u64] {
        &self.people
    }

    /// The combinations' places in the histogram.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// The codes of one quasi-identifier, a row each.
    pub(super) fn column(&self, attribute: usize) -> impl ExactSizeIterator<Item = Code> + '_ {
        let codes = if self.codes.is_empty() { &[] } else { &self.codes[attribute..] };
        codes.iter().copied().step_by(self.width.max(1))
    }

    /// One code of a row.
    pub(super) fn code(&self, row: usize, attribute: usize) -> Code {
        self.codes[row * self.width + attribute]
    }

    /// Codes and people of each row.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[Code], u64)> {
        self.codes.chunks_exact(self.width.max(1)).zip(self.people.iter().copied())
    }

    /// The rows of several as one.
    pub(super) fn joined<'r>(parts: impl Iterator<Item = &'r Self>) -> Self {
        parts.fold(Self::default(), |mut all, part| {
            all.width = part.width;
            all.codes.extend(&part.codes);
            all.people.extend(&part.people);
            all.places.extend(&part.places);
            all
        })
    }

    /// Those of each label of a level of one quasi-identifier, in the order of labels.
    pub(super) fn by_label(&self, population: &Population, (column, level): Labels) -> Vec<Self> {
        let labels = population.columns()[column].hierarchy.labels_of(level);
        let label_of = |codes: &[Code]| labels[codes[column] as usize];
        let mut known: Vec<u32> = self.iter().map(|(codes, _)| label_of(codes)).collect();
        known.sort_unstable();
        known.dedup();
        known.into_iter().map(|label| self.divided(|codes| label_of(codes) == label).0).collect()
    }

    /// Those that go to the left, and the others.
    pub(super) fn divided(&self, goes_left: impl Fn(&[Code]) -> bool) -> (Self, Self) {
        let half = || Self { width: self.width, ..Self::default() };
        let (mut left, mut right) = (half(), half());
        for ((codes, people), &place) in self.iter().zip(&self.places) {
            let half = if goes_left(codes) { &mut left } else { &mut right };
            half.codes.extend_from_slice(codes);
            half.people.push(people);
            half.places.push(place);
        }
        (left, right)
    }
}
