//! Loss (LM): the share of each hierarchy that a published text covers (Iyengar 2002; paper,
//! section 7).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::label::span;
use crate::model::{Classes, Code, Hierarchy, Label, Level, Node, Problem};

/// The loss of each quasi-identifier in project order, from 0 (as loaded) to 1 (`*`).
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    by_attribute: Vec<f64>,
    /// The weights, scaled so that their sum is their number.
    weights: Vec<f64>,
}

impl Loss {
    /// The loss of the released rows. For each quasi-identifier it is the mean over the private
    /// table of (leaves that the written text denotes − 1)/(leaves − 1). It is 0 for a hierarchy
    /// with one leaf.
    pub fn of_classes(problem: &Problem, classes: &Classes) -> Self {
        Self::of_sizes(problem, classes, |attribute| {
            let hierarchy = problem.hierarchy(attribute);
            (u64::from(hierarchy.denoted_leaves()), Box::new(|label| label.leaves(hierarchy)))
        })
    }

    /// Computes the loss from the number of leaves of each quasi-identifier and of each label.
    fn of_sizes<'a>(
        problem: &Problem,
        classes: &Classes,
        sizes: impl Fn(usize) -> (u64, Box<dyn FnMut(&Label) -> u32 + 'a>) + Sync,
    ) -> Self {
        let classes = classes.of_rows();
        let rows = problem.histogram().total().private;
        // If there are very many classes, few have members.
        let released: Vec<(usize, u64)> = classes
            .all_counts()
            .enumerate()
            .filter(|(_, counts)| counts.private > 0)
            .map(|(class, counts)| (class, counts.private))
            .collect();
        let of_attribute = |attribute: usize| {
            let labels = classes.labels(attribute);
            let mut people = vec![0; labels.labels().len()];
            for &(class, private) in &released {
                people[labels.label_of()[class] as usize] += private;
            }
            let (leaves, mut leaves_of) = sizes(attribute);
            let of_label = |(label, people): (&Label, u64)| extra_leaves(leaves_of(label), people);
            share(labels.labels().iter().zip(people).map(of_label).sum(), rows, leaves)
        };
        Self {
            by_attribute: (0..problem.quasi().len()).into_par_iter().map(of_attribute).collect(),
            weights: problem.weights().all_relative().to_vec(),
        }
    }

    /// The loss over values that occur in the public table. For each quasi-identifier it is the
    /// mean over the private table of (occurring leaves that the written text denotes −
    /// 1)/(occurring leaves − 1).
    ///
    /// Example: if the hierarchy has all countries but people are from few, the other loss is
    /// small.
    pub fn of_occurring_values(problem: &Problem, classes: &Classes) -> Self {
        Self::of_sizes(problem, classes, |attribute| {
            let mut occurring = OccurringLeaves::of(problem, attribute);
            let all_values = occurring.between(0, Code::MAX);
            (all_values, Box::new(move |label| occurring.under(label)))
        })
    }

    /// The loss of each quasi-identifier, in project order.
    pub fn by_attribute(&self) -> &[f64] {
        &self.by_attribute
    }

    /// The arithmetic mean of the losses, by [weight](crate::model::Weights).
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub fn mean(&self) -> f64 {
        let weighed = self.by_attribute.iter().zip(&self.weights).map(|(loss, weight)| weight * loss);
        weighed.sum::<f64>() / self.by_attribute.len() as f64
    }

    /// Π(1 + loss)^(w/W) − 1, with weights w and their sum W.
    pub fn geometric(&self) -> f64 {
        geometric(&self.by_attribute, &self.weights)
    }
}

/// Π(1 + loss)^(w/m) − 1 of m losses, with weights w whose sum is m.
///
/// The result has the same bits on every machine, because `best` compares two of them. The
/// precision of the standard library's powers depends on the platform.
#[expect(clippy::cast_precision_loss, reason = "a number of columns")]
pub fn geometric(losses: &[f64], weights: &[f64]) -> f64 {
    let factors: Vec<f64> =
        losses.iter().zip(weights).map(|(&loss, &weight)| weighed_factor(loss, weight)).collect();
    // A product of a thousand factors up to 2 could leave the range of a double.
    let root = |factors: &[f64]| libm::pow(factors.iter().product(), 1.0 / factors.len() as f64);
    let share = |part: &[f64]| libm::pow(root(part), part.len() as f64 / factors.len() as f64);
    if factors.len() <= MANY {
        root(&factors) - 1.0
    } else {
        factors.chunks(MANY).map(share).product::<f64>() - 1.0
    }
}

/// (1 + loss)^w: the factor of a quasi-identifier with this weight.
pub fn weighed_factor(loss: f64, weight: f64) -> f64 {
    // A weight of 1 needs no power, so losses without weights keep their bits.
    if (weight - 1.0).abs() < f64::EPSILON { 1.0 + loss } else { libm::pow(1.0 + loss, weight) }
}

/// The number of losses that are multiplied at once.
const MANY: usize = 512;

/// The loss of every level of every quasi-identifier. A node's loss is computed without counting
/// its classes.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLosses {
    base: Vec<Level>,
    by_level: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl NodeLosses {
    /// Computes the losses of a problem from the counts of each leaf.
    pub fn of(problem: &Problem) -> Self {
        let rows = problem.histogram().total().private;
        let by_level = (0..problem.quasi().len()).map(|attribute| {
            let hierarchy = problem.hierarchy(attribute);
            let extra = extra_by_level(problem, attribute);
            let level_loss = |level| share(extra(level), rows, u64::from(hierarchy.denoted_leaves()));
            hierarchy.levels().map(level_loss).collect()
        });
        Self {
            by_level: by_level.collect(),
            base: problem.quasi().iter().map(|quasi| quasi.hierarchy.base()).collect(),
            weights: problem.weights().all_relative().to_vec(),
        }
    }

    /// The loss of one quasi-identifier at one level.
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    pub fn at(&self, attribute: usize, level: Level) -> f64 {
        self.by_level[attribute][usize::from(level.0 - self.base[attribute].0)]
    }

    /// The loss of a node.
    ///
    /// # Panics
    /// If the node belongs to another lattice.
    pub fn of_node(&self, node: &Node) -> Loss {
        let levels = node.levels().iter().enumerate();
        Loss {
            by_attribute: levels.map(|(attribute, &level)| self.at(attribute, level)).collect(),
            weights: self.weights.clone(),
        }
    }
}

/// Σ over T of (leaves of the label − 1) for one quasi-identifier, as a function of the level.
/// Leaves without private people are skipped once, for any number of levels.
pub fn extra_by_level(problem: &Problem, attribute: usize) -> impl Fn(Level) -> u128 {
    let hierarchy = problem.hierarchy(attribute);
    let leaves = problem.leaf_counts(attribute).iter().enumerate();
    let private: Vec<(usize, u64)> = leaves
        .filter(|(_, people)| people.private > 0)
        .map(|(leaf, people)| (leaf, people.private))
        .collect();
    move |level| {
        let labels = hierarchy.labels_of(level);
        let extra =
            |&(leaf, people): &(usize, u64)| extra_leaves(hierarchy.label_size(level, labels[leaf]), people);
        private.iter().map(extra).sum()
    }
}

/// The sum that `people` rows with a text of `leaves` leaves add to a quasi-identifier. It is
/// exact, so the order of additions is irrelevant.
fn extra_leaves(leaves: u32, people: u64) -> u128 {
    u128::from(leaves.saturating_sub(1)) * u128::from(people)
}

#[expect(clippy::cast_precision_loss, reason = "the one rounding of an exact sum")]
fn share(extra: u128, rows: u64, leaves: u64) -> f64 {
    let most = u128::from(leaves.saturating_sub(1)) * u128::from(rows);
    if most == 0 { 0.0 } else { extra as f64 / most as f64 }
}

/// Counts the leaves of a label that occur in the public table.
struct OccurringLeaves<'a> {
    hierarchy: &'a Hierarchy,
    /// For each leaf, the number of occurring leaves before it. The last entry counts all.
    before: Vec<u32>,
    by_level: FxHashMap<Level, Vec<u32>>,
}

impl<'a> OccurringLeaves<'a> {
    fn of(problem: &'a Problem, attribute: usize) -> Self {
        let hierarchy = problem.hierarchy(attribute);
        let mut before = vec![0];
        for code in (0..).take(hierarchy.leaf_count()) {
            let last = before[code as usize];
            before.push(last + u32::from(problem.occurs(attribute, code)));
        }
        Self { hierarchy, before, by_level: FxHashMap::default() }
    }

    /// The number of occurring leaves from `from` (included) to `to` (excluded).
    fn between(&self, from: Code, to: Code) -> u64 {
        let upper = (to as usize).min(self.before.len() - 1);
        u64::from(self.before[upper] - self.before[from as usize])
    }

    fn under(&mut self, label: &Label) -> u32 {
        match label {
            Label::Of(level, label) => self.under_label(*level, *label),
            Label::Range(low, high) => self.before[*high as usize + 1] - self.before[*low as usize],
            Label::Span(level, members) => span(members).map(|label| self.under_label(*level, label)).sum(),
            Label::Union(terms) => terms.iter().map(|&(level, label)| self.under_label(level, label)).sum(),
            Label::Except((level, label), exceptions) => {
                let excluded: u32 =
                    exceptions.iter().map(|&(level, label)| self.under_label(level, label)).sum();
                self.under_label(*level, *label) - excluded
            }
            Label::Rows(labels) => labels.iter().map(|label| self.under(label)).sum(),
        }
    }

    fn under_label(&mut self, level: Level, label: u32) -> u32 {
        let Self { hierarchy, before, by_level } = self;
        let counts = by_level.entry(level).or_insert_with(|| {
            let mut counts = vec![0; hierarchy.label_count(level)];
            for (&label, pair) in hierarchy.labels_of(level).iter().zip(before.windows(2)) {
                counts[label as usize] += pair[1] - pair[0];
            }
            counts
        });
        counts[label as usize]
    }
}
