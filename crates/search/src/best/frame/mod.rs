//! The constant facts of a search for regions: the policy, the quasi-identifiers, the metric.

mod cell_terms;

use std::sync::Arc;

use self::cell_terms::CellTerms;
use crate::counts::tally::Judge;
use crate::counts::value_judge::ValueJudge;
use crate::regions::column_table::ColumnTable;
use crate::regions::cut_boxes::BoxRules;
use crate::regions::label_tree::LabelTree;
use crate::regions::limits::blocks;
use crate::regions::split::Part;
use palmtop_core::metrics::loss::geometric;
use palmtop_core::metrics::{Metric, TERM_PRICE};
use palmtop_core::model::{Code, Counts, CutBox, Cuts, Hierarchy, Level, Problem};

/// A part of a split: its number of rows, its counts, and its cut box if terms are limited.
pub(super) type TreePart = (usize, Counts, Option<CutBox>);

/// The problem in the form that the search for regions needs.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) problem: Problem,
    judge: Judge,
    /// The limits of terms.
    pub(super) boxes: BoxRules,
    /// The criteria on sensitive values, if there are any.
    pub(super) values: Option<ValueJudge>,
    min: f64,
    max: f64,
    /// Whether δ permits a region without members.
    pub(super) empty: bool,
    pub(super) metric: Metric,
    /// The number of leaves of each quasi-identifier.
    pub(super) leaves: Vec<usize>,
    /// For each quasi-identifier whose leaves have different sizes, the sums of the sizes before
    /// each leaf, and the total.
    pub(super) before: Vec<Option<Arc<Vec<u32>>>>,
    /// For each quasi-identifier, whether a side is a range; if not, it is a set.
    pub(super) ordered: Vec<bool>,
    /// Whether some label of an ordered column skips leaves between its first and its last. The
    /// label may then be published in place of a range that costs more.
    pub(super) labels_skip: bool,
    /// The permitted cuts of each quasi-identifier.
    pub(super) cuts: Vec<Cuts>,
    /// The hierarchies of the quasi-identifiers whose sides are labels.
    pub(super) trees: Vec<Option<Arc<LabelTree>>>,
    /// The terms of published texts, if the metric counts them.
    pub(super) terms: Option<CellTerms>,
    /// For each extent, the loss that one more leaf (or term) adds for a row, with weights.
    units: Vec<f64>,
    /// The same loss without weights.
    plain: Vec<f64>,
    /// The weight of each extent.
    weights: Vec<f64>,
    rows: f64,
}

impl Frame {
    #[expect(clippy::cast_precision_loss, reason = "numbers of columns and rows, for costs")]
    pub(super) fn of(problem: &Problem, metric: Metric) -> Self {
        let (delta, width) = (problem.delta(), problem.quasi().len());
        let hierarchies = || problem.quasi().iter().map(|quasi| &quasi.hierarchy);
        let leaves: Vec<usize> = hierarchies().map(Hierarchy::leaf_count).collect();
        let mut weights = problem.weights().all_relative().to_vec();
        let plain = |hierarchy: &Hierarchy| match hierarchy.denoted_leaves() {
            0 | 1 => 0.0,
            leaves => 1.0 / (f64::from(leaves - 1) * width as f64),
        };
        let mut plain: Vec<f64> = hierarchies().map(plain).collect();
        let terms = CellTerms::of(problem, metric);
        if terms.is_some() {
            plain.push(TERM_PRICE / width as f64);
            weights.push(1.0);
        }
        let before = |hierarchy: &Hierarchy| {
            let is_sized = hierarchy.denoted_leaves() as usize != hierarchy.leaf_count();
            let sizes = (0..).take(hierarchy.leaf_count()).map(|code| hierarchy.leaf_size(code));
            let sums = std::iter::once(0).chain(sizes.scan(0, |sum, size| {
                *sum += size;
                Some(*sum)
            }));
            is_sized.then(|| Arc::new(sums.collect()))
        };
        let total = problem.histogram().total();
        let cuts: Vec<Cuts> = (0..width).map(|column| problem.cuts(column)).collect();
        // A column that is never cut may publish labels, too: those of its coarsest level.
        let tree = |(column, hierarchy): (usize, &Hierarchy)| {
            let is_tree = cuts[column] != Cuts::Values && problem.publishes_labels(column);
            is_tree.then(|| Arc::new(LabelTree::of(hierarchy)))
        };
        Self {
            trees: hierarchies().enumerate().map(tree).collect(),
            cuts,
            problem: problem.clone(),
            judge: Judge::of(problem),
            boxes: BoxRules::of(problem),
            values: ValueJudge::of(problem),
            min: delta.min().to_f64(),
            max: delta.max().to_f64(),
            empty: problem.bounds().floor().numerator() == 0,
            metric,
            terms,
            units: plain.iter().zip(&weights).map(|(unit, weight)| unit * weight).collect(),
            plain,
            weights,
            before: hierarchies().map(before).collect(),
            leaves,
            ordered: hierarchies().map(|hierarchy| hierarchy.kind().is_ordered()).collect(),
            labels_skip: hierarchies().any(|hierarchy| hierarchy.kind().is_ordered() && has_gaps(hierarchy)),
            rows: total.private as f64,
        }
    }

    /// The number of leaves from `low` to `high` in a column, minus one.
    pub(super) fn range(&self, column: usize, low: Code, high: Code) -> u32 {
        match &self.before[column] {
            Some(before) => before[high as usize + 1] - before[low as usize] - 1,
            None => high - low,
        }
    }

    /// The number of leaves that a value of a column stands for.
    pub(super) fn size(&self, column: usize, code: Code) -> u32 {
        self.before[column].as_ref().map_or(1, |before| before[code as usize + 1] - before[code as usize])
    }

    /// The hierarchy of a column.
    pub(super) fn hierarchy(&self, column: usize) -> &Hierarchy {
        self.problem.hierarchy(column)
    }

    /// The number of quasi-identifiers.
    pub(super) fn width(&self) -> usize {
        self.leaves.len()
    }

    /// The number of extents of a region: the leaves of each side minus one, and the terms beyond the
    /// first if the metric counts them.
    pub(super) fn extent_count(&self) -> usize {
        self.plain.len()
    }

    /// Whether a region with these counts satisfies δ and the criteria on counts. `empty` permits a
    /// region without members.
    pub(super) fn allows(&self, counts: Counts, empty: bool) -> bool {
        (empty || counts.private > 0) && self.judge.allows_counts(counts)
    }

    /// Moves the rows of each block of coarsest permitted labels together, and returns the blocks.
    pub(super) fn blocks(&self, table: &mut ColumnTable) -> Vec<TreePart> {
        let rows = table.rows();
        let total = rows.counts().iter().copied().sum();
        let blocks = blocks(&self.problem, &self.boxes, Part::of(rows, total, &self.boxes));
        blocks.iter().map(|part| (part.len(), part.counts(), part.cut_box().cloned())).collect()
    }

    /// The number of members that a region may gain, and the number that it may lose, within δ.
    #[expect(clippy::cast_precision_loss, reason = "a score, which only guides the search")]
    pub(super) fn slack(&self, counts: Counts) -> (f64, f64) {
        let (public, private) = (counts.public as f64, counts.private as f64);
        ((self.max * public - private).max(0.0), (private - self.min * public).max(0.0))
    }

    /// Whether δmin is above 0.
    pub(super) fn has_min(&self) -> bool {
        self.min > 0.0
    }

    /// The weight of one more leaf of a row in each column, and of one more term, if the regions have
    /// this cost: the slope of the metric, up to a factor.
    pub(super) fn pull(&self, cost: &Cost) -> Vec<f64> {
        let losses = self.losses(cost);
        let slope = |loss: f64| if self.metric == Metric::LossGeometric { 1.0 / (1.0 + loss) } else { 1.0 };
        losses.zip(&self.units).map(|(loss, unit)| unit * slope(loss)).collect()
    }

    /// The weight of a region in a search: its contribution to the metric, up to a factor.
    #[expect(clippy::cast_precision_loss, reason = "counts of private people of one region")]
    pub(super) fn weight(&self, pull: &[f64], counts: Counts, extents: &[u32]) -> f64 {
        let private = counts.private as f64;
        match self.metric {
            Metric::Discernibility => private * private,
            Metric::Loss | Metric::LossGeometric | Metric::Readable if counts.private == 0 => 0.0,
            Metric::Loss | Metric::LossGeometric | Metric::Readable => {
                private
                    * extents.iter().zip(pull).map(|(&extent, pull)| f64::from(extent) * pull).sum::<f64>()
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "costs to compare; a double holds them to 15 digits")]
    fn losses(&self, cost: &Cost) -> impl Iterator<Item = f64> {
        let share = self.width() as f64 / self.rows;
        cost.extents.iter().zip(&self.plain).map(move |(&extent, unit)| extent as f64 * unit * share)
    }

    /// The metric of regions with this cost.
    #[expect(clippy::cast_precision_loss, reason = "costs to compare; a double holds them to 15 digits")]
    pub(super) fn value(&self, cost: &Cost) -> f64 {
        let losses = || self.losses(cost);
        let width = self.width() as f64;
        match self.metric {
            Metric::Loss | Metric::Readable => {
                losses().zip(&self.weights).map(|(loss, weight)| weight * loss).sum::<f64>() / width
            }
            Metric::LossGeometric => geometric(&losses().collect::<Vec<f64>>(), &self.weights),
            Metric::Discernibility => cost.squares as f64,
        }
    }
}

/// The cost of regions in integers, so that parts can be exchanged without rounding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// For each quasi-identifier, Σ members × (leaves of their region's side − 1); then Σ members ×
    /// terms beyond the first, if the metric counts them.
    pub(super) extents: Vec<u64>,
    /// Σ members² over the regions.
    pub(super) squares: u64,
}

impl Cost {
    pub(super) fn none(extent_count: usize) -> Self {
        Self { extents: vec![0; extent_count], squares: 0 }
    }

    /// Adds the cost of a region.
    pub(super) fn add(&mut self, counts: Counts, extents: &[u32]) {
        for (sum, &extent) in self.extents.iter_mut().zip(extents) {
            *sum += counts.private * u64::from(extent);
        }
        self.squares += counts.private * counts.private;
    }

    /// The cost after one part is replaced by another.
    pub(super) fn exchange(&self, removed: &Self, added: &Self) -> Self {
        let extents = self.extents.iter().zip(&removed.extents).zip(&added.extents);
        Self {
            extents: extents.map(|((&sum, &removed), &added)| sum - removed + added).collect(),
            squares: self.squares - removed.squares + added.squares,
        }
    }
}

/// Whether the leaves of some label are not all beside each other.
fn has_gaps(hierarchy: &Hierarchy) -> bool {
    let levels = (0..=hierarchy.top().0).map(Level);
    levels.filter(|&level| level >= hierarchy.base()).any(|level| {
        let runs = hierarchy.labels_of(level).chunk_by(|left, right| left == right).count();
        runs != hierarchy.label_count(level)
    })
}

/// The counts of a class without those of a part.
pub(super) fn minus(all: Counts, part: Counts) -> Counts {
    Counts::new(all.public - part.public, all.private - part.private)
}
