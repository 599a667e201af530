//! A release as utility measures it: classes of equal rows, with labels that denote sets of values.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::original::{OriginalTable, SparseCounts};
use palmtop_core::model::{Classes, Hierarchy, Label, Level, Problem, SensitiveValues, ValueCounts, size};

/// A published text of a quasi-identifier, and the values that it denotes.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedLabel {
    text: String,
    /// The denoted values that occur in P: ascending runs of their indices, without the end.
    runs: Vec<(u32, u32)>,
    /// The number of these values.
    size: u32,
    /// (denoted leaves of the hierarchy − 1)/(all leaves − 1).
    loss: f64,
}

/// Rows of a release with equal quasi-identifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedRow {
    /// The label of each quasi-identifier, as an index into its labels.
    pub labels: Vec<u32>,
    /// The number of rows.
    pub rows: u64,
    /// The number of rows with each text, for each sensitive attribute.
    pub values: Vec<Vec<(String, u64)>>,
}

/// A release: its classes with members that are not withdrawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedTable {
    /// The labels of each quasi-identifier.
    labels: Vec<Vec<PublishedLabel>>,
    /// The label of each class, as an index into the labels, for each quasi-identifier.
    label_of: Vec<Vec<u32>>,
    /// The number of rows of each class.
    rows: Vec<u64>,
    /// The values of each class, for each sensitive attribute. Values that T lacks have higher
    /// numbers than the values of T.
    sensitive: Vec<SparseCounts>,
    /// The number of values that the release has and T lacks, for each sensitive attribute.
    foreign: Vec<usize>,
    total: u64,
}

impl PublishedLabel {
    /// A label that denotes the values in `runs` and, of the `of` leaves of its hierarchy, `leaves`
    /// leaves.
    ///
    /// Each run has an inclusive begin and an exclusive end, as indices of values that occur in P.
    ///
    /// # Panics
    /// If the runs are not ascending, or if a run is empty.
    pub fn new(text: String, runs: Vec<(u32, u32)>, leaves: u64, of: u64) -> Self {
        assert!(runs.iter().all(|run| run.0 < run.1) && runs.is_sorted_by(|left, right| left.1 <= right.0));
        let (extra, all) =
            (super::floats::float(leaves.saturating_sub(1)), super::floats::float(of.saturating_sub(1)));
        let size = runs.iter().map(|(begin, end)| end - begin).sum();
        Self { text, runs, size, loss: if of > 1 { extra / all } else { 0.0 } }
    }

    /// The text of the label in the release.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The indices of the denoted values that occur in P.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(|&(begin, end)| begin..end)
    }

    pub(super) fn runs(&self) -> &[(u32, u32)] {
        &self.runs
    }

    /// The number of denoted values that occur in P.
    pub(super) fn size(&self) -> f64 {
        f64::from(self.size)
    }

    pub(super) fn loss(&self) -> f64 {
        self.loss
    }
}

impl PublishedTable {
    /// The classes of a recoding of the problem of `original`, with the sensitive values of their
    /// members.
    ///
    /// Takes O(combinations), plus the leaves of each distinct label.
    pub fn of(
        original: &OriginalTable,
        problem: &Problem,
        classes: &Classes,
        values: &SensitiveValues,
    ) -> Self {
        // A release publishes rows, also if a person has several.
        let classes = classes.of_rows();
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
                let label = column.label_of()[*class as usize] as usize;
                *number_of[label].get_or_insert_with(|| {
                    known.push(denoting.label(problem.hierarchy(attribute), &column.labels()[label]));
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
                let values = known.get(class).map(|values| &values.counts()[column]);
                counts.push(values.into_iter().flat_map(ValueCounts::iter));
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

    /// A release that was read from a file, by its labels and its distinct rows.
    ///
    /// # Panics
    /// If a row has an unknown label, or a wrong number of labels or of sensitive attributes.
    pub fn of_rows(
        original: &OriginalTable,
        labels: Vec<Vec<PublishedLabel>>,
        read: &[PublishedRow],
    ) -> Self {
        let width = original.width();
        assert_eq!(labels.len(), width, "labels of every quasi-identifier");
        let label_of = (0..width).map(|attribute| {
            let labels_of_rows = read.iter().map(|row| row.labels[attribute]);
            labels_of_rows
                .inspect(|label| assert!((*label as usize) < labels[attribute].len(), "a label"))
                .collect()
        });
        let label_of = label_of.collect();
        let (mut sensitive, mut foreign) = (Vec::new(), Vec::new());
        for (nth, attribute) in original.attributes()[width..].iter().enumerate() {
            let texts = attribute.values.iter().map(String::as_str);
            let mut numbers: FxHashMap<&str, u32> = texts.zip(0..).collect();
            let mut counts = SparseCounts::default();
            for row in read {
                let value_rows = row.values[nth].iter().map(|(text, rows)| {
                    let next = size::number(numbers.len());
                    (*numbers.entry(text).or_insert(next), *rows)
                });
                let value_rows = ValueCounts::of(value_rows.collect::<Vec<_>>());
                counts.push(value_rows.iter());
            }
            sensitive.push(counts);
            foreign.push(numbers.len() - attribute.values.len());
        }
        let rows: Vec<u64> = read.iter().map(|row| row.rows).collect();
        Self { labels, label_of, sensitive, foreign, total: rows.iter().sum(), rows }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.total
    }

    /// The number of classes that have rows.
    pub fn classes(&self) -> usize {
        self.rows.len()
    }

    /// The number of rows of each class.
    pub(super) fn rows_of(&self) -> &[u64] {
        &self.rows
    }

    pub(super) fn labels(&self, attribute: usize) -> &[PublishedLabel] {
        &self.labels[attribute]
    }

    /// The label of each class, as an index into the labels.
    pub(super) fn label_of(&self, attribute: usize) -> &[u32] {
        &self.label_of[attribute]
    }

    /// The number of quasi-identifiers.
    pub(super) fn width(&self) -> usize {
        self.labels.len()
    }

    /// The values of each class. `nth` counts the sensitive attributes from 0.
    pub(super) fn sensitive(&self, nth: usize) -> &SparseCounts {
        &self.sensitive[nth]
    }

    /// The number of values of a sensitive attribute that the release has and T lacks.
    pub(super) fn foreign(&self, nth: usize) -> usize {
        self.foreign[nth]
    }
}

/// The values that the labels of a quasi-identifier denote.
struct Denoting<'a> {
    original: &'a OriginalTable,
    attribute: usize,
    /// The runs of each label, by level.
    by_level: BTreeMap<Level, Vec<Vec<(u32, u32)>>>,
}

impl Denoting<'_> {
    fn label(&mut self, hierarchy: &Hierarchy, label: &Label) -> PublishedLabel {
        let (original, attribute) = (self.original, self.attribute);
        let run = |low, high| (original.value_index(attribute, low), original.index_after(attribute, high));
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
            Label::Span(..) | Label::Union(_) | Label::Except(..) => {
                let mut runs = Vec::new();
                label.codes(hierarchy).into_iter().for_each(|code| append(&mut runs, run(code, code)));
                runs
            }
            Label::Rows(_) => unreachable!("a released row has the label of one row"),
        };
        let (leaves, of) = (label.leaves(hierarchy), hierarchy.denoted_leaves());
        PublishedLabel::new(label.text(hierarchy), runs, leaves.into(), of.into())
    }
}

/// Appends a run to runs before it. Merges it with the last run if both touch.
fn append(runs: &mut Vec<(u32, u32)>, run: (u32, u32)) {
    match runs.last_mut() {
        _ if run.0 == run.1 => {}
        Some(last) if last.1 == run.0 => last.1 = run.1,
        _ => runs.push(run),
    }
}
