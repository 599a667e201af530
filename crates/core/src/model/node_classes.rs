//! The classes of one node as numbers, and those of a coarser node from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::criterion::ClassData;
use super::keys::SHARED;
use super::lattice::Node;
use super::numbering::{Digit, Numbering};
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::rollup::{Rollup, examples, people_by_class};
use super::sensitive::ClassValues;

/// The labels and counts of the classes of a node, as numbers. The workbench computes them for each
/// step.
///
/// Hierarchies nest, so the classes of a coarser node are unions of these. A step to a coarser node
/// therefore costs O(k·m) for k classes, independent of the number of combinations. Any other step
/// counts from the combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeClasses {
    node: Node,
    /// One column for each quasi-identifier. Empty if people are counted, because their classes
    /// have the labels of several rows.
    labels: Vec<Vec<u32>>,
    counts: Vec<Counts>,
    /// The sensitive values of each class with members, if they are known.
    values: BTreeMap<u32, Arc<ClassValues>>,
}

impl NodeClasses {
    /// Counts the classes of a node from the combinations, in lexicographic order of label numbers.
    pub fn of(problem: &Problem, node: &Node) -> Self {
        Self::with_class_of(problem, node).0
    }

    /// As `of`, with the class of each unit.
    pub(super) fn with_class_of(problem: &Problem, node: &Node) -> (Self, Vec<u32>) {
        let mut rollup = Rollup::new();
        let classes = rollup.number(problem, node.levels());
        let counts = people_by_class(rollup.class_of(), problem.unit_counts(), classes);
        let examples = examples(rollup.class_of(), classes);
        let attributes = if problem.people().is_some() { 0 } else { node.levels().len() };
        let labels = label_columns(attributes, &examples, |attribute| {
            let labels = problem.hierarchy(attribute).labels_of(node.levels()[attribute]);
            let codes = problem.histogram().column(attribute);
            move |item| labels[codes[item] as usize]
        });
        let values =
            problem.sensitive().map(|values| values.by_class(|_, unit| rollup.class_of()[unit as usize]));
        let classes = Self { node: node.clone(), labels, counts, values: values.unwrap_or_default() };
        (classes, rollup.into_class_of())
    }

    /// The classes of another node of the same problem.
    ///
    /// They are computed from these classes if the node generalizes this one and rows are counted,
    /// otherwise from the combinations.
    #[must_use]
    pub fn at(&self, problem: &Problem, node: &Node) -> Self {
        if !node.generalizes(&self.node) || problem.people().is_some() {
            return Self::of(problem, node);
        }
        let above = self.labels_above(problem, node);
        let mut numbering = Numbering::default();
        let classes = numbering.number(self.len(), self.digits_above(problem, node, &above));
        let counts = people_by_class(numbering.class_of(), &self.counts, classes);
        let examples = examples(numbering.class_of(), classes);
        let labels = label_columns(self.labels.len(), &examples, |attribute| {
            let (above, labels) = (&above[attribute], &self.labels[attribute]);
            move |item| above[labels[item] as usize]
        });
        let values = self.values_above(numbering.class_of());
        Self { node: node.clone(), labels, counts, values }
    }

    /// For each label of these classes, the label at a more general node.
    pub(super) fn labels_above(&self, problem: &Problem, node: &Node) -> Vec<Vec<u32>> {
        let levels = self.node.levels().iter().zip(node.levels()).enumerate();
        levels.map(|(a, (&from, &to))| problem.hierarchy(a).labels_above(from, to)).collect()
    }

    pub(super) fn digits_above<'a>(
        &'a self,
        problem: &Problem,
        node: &Node,
        above: &'a [Vec<u32>],
    ) -> impl Iterator<Item = Digit<'a>> {
        above.iter().zip(&self.labels).zip(node.levels()).enumerate().map(
            |(attribute, ((labels, codes), &level))| {
                let radix = problem.hierarchy(attribute).label_count(level) as u64;
                Digit { radix, codes, labels: Some(labels) }
            },
        )
    }

    /// The sensitive values of unions of these classes. `class_of` has the union of each class.
    pub(super) fn values_above(&self, class_of: &[u32]) -> BTreeMap<u32, Arc<ClassValues>> {
        let mut values: BTreeMap<u32, Arc<ClassValues>> = BTreeMap::new();
        for (&class, part) in &self.values {
            let united = values.entry(class_of[class as usize]);
            united
                .and_modify(|united| *united = Arc::new(united.united(part)))
                .or_insert_with(|| Arc::clone(part));
        }
        values
    }

    /// The data of each class, as criteria use them.
    pub fn data(&self) -> impl Iterator<Item = ClassData> + '_ {
        (0..).zip(&self.counts).map(|(class, &counts)| match self.values.get(&class) {
            Some(values) => ClassData::with_values(counts, Arc::clone(values)),
            None => counts.into(),
        })
    }

    /// The number of classes that break a policy.
    pub fn broken(&self, policy: &Policy) -> usize {
        broken(&self.counts, &self.values, policy)
    }

    /// The node of these classes.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Always false, because the public table has people.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The public and private people of each class.
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// The label number of each class in one quasi-identifier, at the node's level.
    ///
    /// # Panics
    /// If people are counted: their classes have the labels of several rows.
    pub fn labels(&self, attribute: usize) -> &[u32] {
        &self.labels[attribute]
    }
}

/// For each attribute, the label of each class. All items of a class have the same label.
fn label_columns<F: Fn(usize) -> u32>(
    attributes: usize,
    examples: &[u32],
    label_of: impl Fn(usize) -> F + Sync,
) -> Vec<Vec<u32>> {
    let column = |attribute: usize| {
        let label = label_of(attribute);
        examples.iter().map(|&item| label(item as usize)).collect()
    };
    if examples.len() < SHARED {
        (0..attributes).map(column).collect()
    } else {
        (0..attributes).into_par_iter().map(column).collect()
    }
}

/// The number of classes that break a policy, given the counts of all classes and the known
/// sensitive values.
pub(super) fn broken(counts: &[Counts], values: &BTreeMap<u32, Arc<ClassValues>>, policy: &Policy) -> usize {
    if values.is_empty() {
        let breaks = |counts: &&Counts| !policy.allows(**counts);
        return if counts.len() < SHARED {
            counts.iter().filter(breaks).count()
        } else {
            counts.par_iter().with_min_len(SHARED / 2).filter(breaks).count()
        };
    }
    let data = (0..).zip(counts).map(|(class, &counts)| match values.get(&class) {
        Some(values) => ClassData::with_values(counts, Arc::clone(values)),
        None => counts.into(),
    });
    data.filter(|class| !policy.allows(class)).count()
}

#[cfg(test)]
pub(super) mod tests;
