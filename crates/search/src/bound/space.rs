//! The combinations in the form that the bound needs.

use palmtop_core::model::{Code, Counts, Hierarchy, Problem};

/// All combinations as rows, with the loss of one more leaf in each quasi-identifier.
pub(super) struct Space {
    pub(super) codes: Vec<Code>,
    pub(super) counts: Vec<Counts>,
    pub(super) units: Vec<f64>,
    /// Whether a side of a box is a range. If not, the number of its values counts.
    pub(super) ordered: Vec<bool>,
    /// The numerator and denominator of δmax.
    pub(super) max: (u64, u64),
}

impl Space {
    #[expect(clippy::cast_precision_loss, reason = "a number of columns, for a loss")]
    pub(super) fn of(problem: &Problem) -> Self {
        let histogram = problem.histogram();
        let width = histogram.width();
        let unit = |attribute: usize| match problem.hierarchy(attribute).denoted_leaves() {
            0 | 1 => 0.0,
            leaves => problem.weights().relative(attribute) / (f64::from(leaves - 1) * width as f64),
        };
        let max = problem.delta().max();
        Self {
            codes: histogram.codes_by_row(),
            counts: histogram.counts().to_vec(),
            units: (0..width).map(unit).collect(),
            ordered: (0..width).map(|attribute| is_range(problem.hierarchy(attribute))).collect(),
            max: (max.numerator(), max.denominator()),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.units.len()
    }

    pub(super) fn row(&self, row: usize) -> &[Code] {
        &self.codes[row * self.width()..(row + 1) * self.width()]
    }

    /// The least number of individuals in a class with this many members.
    pub(super) fn needed(&self, private: u64) -> u128 {
        let (numerator, denominator) = self.max;
        // With δmax = 0, no class with a member keeps δ, however large it is.
        if numerator == 0 {
            return u128::MAX;
        }
        (u128::from(private) * u128::from(denominator)).div_ceil(u128::from(numerator))
    }

    /// The loss of the box around two combinations.
    pub(super) fn distance(&self, left: &[Code], right: &[Code]) -> f64 {
        let sides = left.iter().zip(right).zip(self.units.iter().zip(&self.ordered));
        sides
            .map(|((&left, &right), (unit, &ordered))| {
                let apart = left.abs_diff(right);
                f64::from(if ordered { apart } else { apart.min(1) }) * unit
            })
            .sum()
    }
}

/// Whether every label of an attribute denotes all leaves between its ends. If a label has gaps,
/// only the number of values in a box is certain.
fn is_range(hierarchy: &Hierarchy) -> bool {
    let has_gaps = |level| {
        let labels = hierarchy.labels_of(level);
        let mut ends: Vec<Option<(usize, usize)>> = vec![None; hierarchy.label_count(level)];
        for (leaf, &label) in labels.iter().enumerate() {
            let end = &mut ends[label as usize];
            *end = Some(end.map_or((leaf, leaf), |(first, _)| (first, leaf)));
        }
        let sizes = (0..).map(|label| hierarchy.label_size(level, label) as usize);
        ends.iter().zip(sizes).any(|(ends, size)| ends.is_some_and(|(first, last)| last - first + 1 != size))
    };
    hierarchy.kind().is_ordered() && !hierarchy.levels().any(has_gaps)
}
