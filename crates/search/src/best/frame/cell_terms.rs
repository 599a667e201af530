//! The number of terms of a region's published texts, for the metric that counts them.

use std::sync::Arc;

use crate::regions::column_table::TableRows;
use crate::regions::cut_boxes::BoxRules;
use palmtop_core::metrics::Metric;
use palmtop_core::model::size::number;
use palmtop_core::model::{Code, CutBox, Problem, Side, SideLabels};

/// For each quasi-identifier, what finds the text of a side; `None` if every text has one term.
#[derive(Clone, Debug)]
pub(crate) struct CellTerms {
    columns: Arc<[Option<SideLabels>]>,
}

impl CellTerms {
    /// `None` unless the metric counts terms. O(leaves) for each quasi-identifier.
    pub(crate) fn of(problem: &Problem, metric: Metric) -> Option<Self> {
        let column = |attribute: usize| {
            let hierarchy = problem.hierarchy(attribute);
            if problem.publishes_labels(attribute) {
                return None;
            }
            let labels = SideLabels::of(problem, attribute);
            // A range of values has one term, unless it begins with the missing value.
            let has_one_term = hierarchy.kind().is_ordered()
                && hierarchy.missing().is_none()
                && !labels.has_sets_of_ranges();
            (!has_one_term).then_some(labels)
        };
        (metric == Metric::Readable)
            .then(|| Self { columns: (0..problem.quasi().len()).map(column).collect() })
    }

    /// The number of terms beyond the first in the texts of the published box around some rows, summed
    /// over the quasi-identifiers. O(rows · log rows + leaves) for each.
    pub(crate) fn beyond_the_first(
        &self,
        problem: &Problem,
        boxes: &BoxRules,
        rows: &TableRows,
        cut_box: Option<&CutBox>,
    ) -> u32 {
        let columns = self.columns.iter().enumerate();
        let labels = columns.filter_map(|(column, labels)| Some((column, labels.as_ref()?)));
        let extra = labels.map(|(column, labels)| {
            let side = published_side(problem, boxes, column, rows, cut_box);
            labels.label(problem, &side).terms(problem.hierarchy(column)) - 1
        });
        number(extra.sum())
    }
}

/// The side that is published for some rows, as [`Partition::within`] finds it.
///
/// [`Partition::within`]: palmtop_core::model::Partition::within
fn published_side(
    problem: &Problem,
    boxes: &BoxRules,
    column: usize,
    rows: &TableRows,
    cut_box: Option<&CutBox>,
) -> Side {
    let mut codes: Vec<Code> = rows.iter().map(|(codes, _)| codes[column]).collect();
    codes.sort_unstable();
    codes.dedup();
    if problem.hierarchy(column).kind().is_ordered() {
        let (low, high) = (codes.first().copied(), codes.last().copied());
        return Side::between(problem, column, low.unwrap_or_default(), high.unwrap_or_default());
    }
    let published = boxes.limited(column).zip(cut_box).and_then(|(limited, cut_box)| {
        let set = limited.published(&limited.tree.set(codes.iter().copied()), &cut_box[column])?;
        Some(limited.tree.codes(&set))
    });
    Side::Set(published.unwrap_or(codes))
}
