//! A release as utility sees it: rows that are alike, each with labels that denote some values.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::original::{OriginalTable, SparseCounts};
use palmtop_core::model::{Classes, Hierarchy, Label, Level, Problem, SensitiveValues, ValueCounts, size};

/// What is published for a quasi-identifier: a text, and the values that it denotes.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedLabel {
    text: String,
    /// The values that it denotes of those that occur in P, by their places, as runs from one up to and without another, ascending.
    runs: Vec<(u32, u32)>,
    /// How many they are.
    size: u32,
    /// (the leaves of the hierarchy that it denotes − 1) over (all leaves − 1).
    loss: f64,
}

/// Rows of a release that are alike in their quasi-identifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRow {
    /// Of each quasi-identifier its label, by its place among the labels.
    pub labels: Vec<u32>,
    /// How many rows there are.
    pub rows: u64,
    /// Of each sensitive attribute, how many of them have each text.
    pub values: Vec<Vec<(String, u64)>>,
}

/// A release: its classes with members that are not withdrawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedTable {
    /// Of each quasi-identifier.
    labels: Vec<Vec<PublishedLabel>>,
    /// Of each quasi-identifier and class, as an index into the labels.
    label_of: Vec<Vec<u32>>,
    /// The rows of each class.
    rows: Vec<u64>,
    /// Of each sensitive attribute and class; values that T lacks are numbered behind T's.
    sensitive: Vec<SparseCounts>,
    /// Of each sensitive attribute, how many values the release has that T lacks.
    foreign: Vec<usize>,
    total: u64,
}

impl PublishedLabel {
    /// From the places of the values that it denotes, as runs from one up to and without another, and the leaves of its hierarchy that it
    /// denotes, of so many.
    ///
    /// # Panics
    /// If runs do not ascend, or are empty.
    pub fn new(text: String, runs: Vec<(u32, u32)>, leaves: u64, of: u64) -> Self {
        assert!(runs.iter().all(|run| run.0 < run.1) && runs.is_sorted_by(|left, right| left.1 <= right.0));
        let (extra, whole) = (super::float(leaves.saturating_sub(1)), super::float(of.saturating_sub(1)));
        let size = runs.iter().map(|(begin, end)| end - begin).sum();
        Self { text, runs, size, loss: if of > 1 { extra / whole } else { 0.0 } }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The places of the values that it denotes, of those that occur in P.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(|&(begin, end)| begin..end)
    }

    pub(super) fn runs(&self) -> &[(u32, u32)] {
        &self.runs
    }

    /// How many values it denotes, of those that occur in P.
    pub(super) fn size(&self) -> f64 {
        f64::from(self.size)
    }

    pub(super) fn loss(&self) -> f64 {
        self.loss
    }
}

impl PublishedTable {
    /// The classes of a recoding of the problem that a table is of, with the sensitive values of its members. O(combinations), and the
    /// leaves of each distinct label.
    pub fn of(
        original: &OriginalTable,
        problem: &Problem,
        classes: &Classes,
        values: &SensitiveValues,
    ) -> Self {
        let is_released = |class: &u32| classes.counts(*class).private > 0 && classes.pool() != Some(*class);
        let released: Vec<u32> = (0..size::number(classes.len())).filter(is_released).collect();
        let rows: Vec<u64> = released.iter().map(|&class| classes.counts(class).private).collect();
        let (mut labels, mut label_of) = (Vec::new(), Vec::new());
        for attribute in 0..original.width() {
            let column = classes.labels(attribute);
            let mut denoting = Denoting { original, attribute, by_level: BTreeMap::new() };
            let mut number_of: Vec<Option<u32>> = vec![None; column.labels().len()];
            let mut known: Vec<PublishedLabel> = Vec::new();
            let number = |class: &u32| {
                let place = column.label_of()[*class as usize] as usize;
                *number_of[place].get_or_insert_with(|| {
                    known.push(denoting.label(problem.hierarchy(attribute), &column.labels()[place]));
                    size::number(known.len() - 1)
                })
            };
            label_of.push(released.iter().map(number).collect());
            labels.push(known);
        }
        let known = values.by_class(|_, combination| classes.class_of[combination as usize]);
        let of_column = |column: usize| {
            let mut counts = SparseCounts::default();
            for class in &released {
                let own = known.get(class).map(|values| &values.own()[column]);
                counts.push(own.into_iter().flat_map(ValueCounts::iter));
            }
            counts
        };
        let width = values.columns().len();
        Self {
            labels,
            label_of,
            sensitive: (0..width).map(of_column).collect(),
            foreign: vec![0; width],
            total: rows.iter().sum(),
            rows,
        }
    }

    /// A release as it was read: its labels, and its distinct rows.
    ///
    /// # Panics
    /// If rows have labels that there are not, or not as many as there are quasi-identifiers and sensitive attributes.
    pub fn of_rows(
        original: &OriginalTable,
        labels: Vec<Vec<PublishedLabel>>,
        read: &[PublishedRow],
    ) -> Self {
        let width = original.width();
        assert_eq!(labels.len(), width, "labels of every quasi-identifier");
        let label_of = (0..width).map(|attribute| {
            let own = read.iter().map(|row| row.labels[attribute]);
            own.inspect(|label| assert!((*label as usize) < labels[attribute].len(), "a label")).collect()
        });
        let label_of = label_of.collect();
        let (mut sensitive, mut foreign) = (Vec::new(), Vec::new());
        for (nth, attribute) in original.attributes()[width..].iter().enumerate() {
            let texts = attribute.values.iter().map(String::as_str);
            let mut numbers: FxHashMap<&str, u32> = texts.zip(0..).collect();
            let mut counts = SparseCounts::default();
            for row in read {
                let own = row.values[nth].iter().map(|(text, rows)| {
                    let next = size::number(numbers.len());
                    (*numbers.entry(text).or_insert(next), *rows)
                });
                let own = ValueCounts::of(own.collect::<Vec<_>>());
                counts.push(own.iter());
            }
            sensitive.push(counts);
            foreign.push(numbers.len() - attribute.values.len());
        }
        let rows: Vec<u64> = read.iter().map(|row| row.rows).collect();
        Self { labels, label_of, sensitive, foreign, total: rows.iter().sum(), rows }
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.total
    }

    /// How many classes have rows.
    pub fn classes(&self) -> usize {
        self.rows.len()
    }

    /// The rows of each class.
    pub(super) fn rows_of(&self) -> &[u64] {
        &self.rows
    }

    /// The distinct labels of a quasi-identifier.
    pub(super) fn labels(&self, attribute: usize) -> &[PublishedLabel] {
        &self.labels[attribute]
    }

    /// Of each class its label of a quasi-identifier, as an index into the labels.
    pub(super) fn label_of(&self, attribute: usize) -> &[u32] {
        &self.label_of[attribute]
    }

    /// How many quasi-identifiers there are.
    pub(super) fn width(&self) -> usize {
        self.labels.len()
    }

    /// The values of a sensitive attribute by class, counted from the first sensitive one on.
    pub(super) fn sensitive(&self, nth: usize) -> &SparseCounts {
        &self.sensitive[nth]
    }

    /// How many values of a sensitive attribute it has that T lacks.
    pub(super) fn foreign(&self, nth: usize) -> usize {
        self.foreign[nth]
    }
}

/// Which values labels of a quasi-identifier denote.
struct Denoting<'a> {
    original: &'a OriginalTable,
    attribute: usize,
    /// Of each label of a level.
    by_level: BTreeMap<Level, Vec<Vec<(u32, u32)>>>,
}

impl Denoting<'_> {
    fn label(&mut self, hierarchy: &Hierarchy, label: &Label) -> PublishedLabel {
        let (original, attribute) = (self.original, self.attribute);
        let run = |low, high| (original.place(attribute, low), original.place_after(attribute, high));
        let runs = match label {
            Label::Of(level, label) => {
                let of_level = || {
                    let mut runs = vec![Vec::new(); hierarchy.label_count(*level)];
                    for (code, &label) in (0..).zip(hierarchy.labels_of(*level)) {
                        append(&mut runs[label as usize], run(code, code));
                    }
                    runs
                };
                self.by_level.entry(*level).or_insert_with(of_level)[*label as usize].clone()
            }
            Label::Range(low, high) => vec![run(*low, *high)],
            Label::Set(codes) => {
                let mut runs = Vec::new();
                for &code in codes {
                    append(&mut runs, run(code, code));
                }
                runs
            }
            Label::Rows(_) => unreachable!("a released row has the label of one row"),
        };
        let (leaves, of) = (label.leaves(hierarchy), hierarchy.denoted_leaves());
        PublishedLabel::new(label.text(hierarchy), runs, leaves.into(), of.into())
    }
}

/// Puts a run behind others that are before it.
fn append(runs: &mut Vec<(u32, u32)>, run: (u32, u32)) {
    match runs.last_mut() {
        _ if run.0 == run.1 => {}
        Some(last) if last.1 == run.0 => last.1 = run.1,
        _ => runs.push(run),
    }
}
