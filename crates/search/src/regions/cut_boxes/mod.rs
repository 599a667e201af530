//! The cut boxes of regions, in the quasi-identifiers whose published sets have a limit of terms.
//!
//! A cut divides the box of a region in two. It is permitted only if both sides have a description of at
//! most as many terms as the limit. Then a published set exists between the values of each half and its side
//! ([`DescriptionTree::published`]), whatever is cut afterwards in other columns. Boxes are functions of P and
//! of the cuts.
//!
//! The searches that read T also permit a cut if a side that breaks the limit can be narrowed to a set that
//! obeys it and contains the values of the rows ([`BoxRules::narrowed`]).

use std::sync::Arc;

use palmtop_core::model::description::{Intervals, common, minus};
use palmtop_core::model::{Code, CutBox, DescriptionTree, Level, Problem};

/// The largest number of ranges of values for which a narrower side is searched.
const SCATTERED: usize = 16;

/// The limits of terms of a problem, and the cuts of boxes that they permit.
#[derive(Clone, Debug)]
pub struct BoxRules {
    columns: Arc<[Option<LimitedColumn>]>,
}

#[derive(Debug)]
pub(crate) struct LimitedColumn {
    pub(crate) tree: DescriptionTree,
    terms: usize,
}

impl BoxRules {
    /// The limits of a problem. O(leaves) for each limited quasi-identifier.
    pub fn of(problem: &Problem) -> Self {
        let column = |attribute| {
            let terms = problem.terms(attribute)?;
            Some(LimitedColumn { tree: DescriptionTree::of(problem, attribute), terms })
        };
        Self { columns: (0..problem.quasi().len()).map(column).collect() }
    }

    /// The limit of a column; `None` if its sets are not limited.
    pub(crate) fn limited(&self, column: usize) -> Option<&LimitedColumn> {
        self.columns[column].as_ref()
    }

    /// Whether a column is limited.
    pub(crate) fn has_limits(&self) -> bool {
        self.columns.iter().any(Option::is_some)
    }

    /// The box around everything.
    pub(crate) fn everything(&self) -> CutBox {
        if !self.has_limits() {
            return Vec::new().into();
        }
        let side = |column: &Option<LimitedColumn>| {
            column.as_ref().map_or_else(Vec::new, |column| column.tree.all())
        };
        self.columns.iter().map(side).collect()
    }

    /// The box around everything; `None` if no column is limited.
    pub fn start(&self) -> Option<CutBox> {
        self.has_limits().then(|| self.everything())
    }

    /// The boxes of both halves of a cut of a column between two neighbouring values, `last` and `first`, of
    /// the rows with these codes; `None` if no cut there is permitted.
    pub fn between(
        &self,
        cut_box: &CutBox,
        column: usize,
        [last, first]: [Code; 2],
        codes: impl Iterator<Item = Code>,
    ) -> Option<[CutBox; 2]> {
        let Some(limited) = self.limited(column) else {
            return Some([Arc::clone(cut_box), Arc::clone(cut_box)]);
        };
        let values = limited.tree.set(codes);
        let sides = limited
            .between(last, first)
            .find_map(|at| self.narrowed(cut_box, column, &limited.tree.below(at), &values))?;
        Some(sides.map(|side| with_side(cut_box, column, side)))
    }

    /// The part of a box in which a column has the label of a value at a level.
    pub fn under_label(&self, cut_box: &CutBox, column: usize, level: Level, code: Code) -> CutBox {
        let Some(limited) = self.limited(column) else { return Arc::clone(cut_box) };
        let left = limited.label_of(code, level);
        match self.narrowed(cut_box, column, &left, &[]) {
            Some([inside, _]) => with_side(cut_box, column, inside),
            None => with_side(cut_box, column, common(&cut_box[column], &left)),
        }
    }

    /// The boxes of both halves of a cut of a column; `left` has the values that go left. The column need not
    /// be limited.
    pub(crate) fn halves(&self, cut_box: &CutBox, column: usize, left: &[(u32, u32)]) -> [CutBox; 2] {
        if self.limited(column).is_none() {
            return [Arc::clone(cut_box), Arc::clone(cut_box)];
        }
        [common(&cut_box[column], left), minus(&cut_box[column], left)]
            .map(|side| with_side(cut_box, column, side))
    }

    /// The sides of both halves of a cut of a limited column, if both obey the limit. `values` are those of the
    /// rows.
    ///
    /// A side that breaks the limit is narrowed to the set that would be published for the half now. This set is
    /// a function of P and the cuts, too, and contains the values of the half.
    pub(crate) fn narrowed(
        &self,
        cut_box: &CutBox,
        column: usize,
        left: &[(u32, u32)],
        values: &[(u32, u32)],
    ) -> Option<[Intervals; 2]> {
        let limited = self.limited(column)?;
        let side = &cut_box[column];
        // Values may be given that no row of the region has, because they share a bin with others.
        let values = || common(side, values);
        let first = limited.within(common(side, left), || common(&values(), left))?;
        Some([first, limited.within(minus(side, left), || minus(&values(), left))?])
    }

    /// Whether both sides of a cut of a column obey the limit; `left` has the values that go left.
    pub(crate) fn permits(&self, cut_box: &CutBox, column: usize, left: &[(u32, u32)]) -> bool {
        let Some(LimitedColumn { tree, terms }) = self.limited(column) else { return true };
        let side = &cut_box[column];
        tree.has_at_most(&common(side, left), *terms) && tree.has_at_most(&minus(side, left), *terms)
    }
}

impl LimitedColumn {
    /// The limit.
    pub(crate) fn terms(&self) -> usize {
        self.terms
    }

    /// A side that obeys the limit, or a set inside it that does and contains the values. Values that are too
    /// scattered are not tried, because the search for a set takes the square of their ranges.
    fn within(&self, side: Intervals, values: impl FnOnce() -> Intervals) -> Option<Intervals> {
        if self.tree.has_at_most(&side, self.terms) {
            return Some(side);
        }
        let values = values();
        if values.len() > SCATTERED {
            return None;
        }
        let published = self.tree.published(&values, &side, self.terms);
        self.tree.has_at_most(&published, self.terms).then_some(published)
    }

    /// The set that is published for some values within a side, if it is not these values themselves.
    pub(crate) fn published(&self, values: &[(u32, u32)], side: &[(u32, u32)]) -> Option<Intervals> {
        let is_short = self.tree.has_at_most(values, self.terms);
        (!is_short).then(|| self.tree.published(values, side, self.terms))
    }

    /// The occurring values of a label.
    pub(crate) fn label(&self, labels: &[u32], label: u32) -> Intervals {
        self.tree.set((0..).zip(labels).filter(|&(_, &found)| found == label).map(|(code, _)| code))
    }

    /// The occurring values of the label that a leaf has at a level.
    pub(crate) fn label_of(&self, code: Code, level: Level) -> Intervals {
        self.tree.position(code).map(|position| self.tree.under_label(position, level)).into_iter().collect()
    }

    /// The leaves at which a cut between two values may begin, best first: at the largest label that separates
    /// them, or at the second value itself.
    pub(crate) fn between(&self, last: Code, first: Code) -> impl Iterator<Item = Code> {
        let border = self.tree.position(last).zip(self.tree.position(first)).and_then(|(end, position)| {
            let apart = self.tree.nodes_above(position).take_while(|&(low, _)| low > end).last();
            apart.map(|(low, _)| self.tree.leaf(low))
        });
        border.filter(|&border| last < border && border < first).into_iter().chain([first])
    }
}

/// The box with another side in a column.
fn with_side(cut_box: &CutBox, column: usize, side: Intervals) -> CutBox {
    let mut sides = cut_box.to_vec();
    sides[column] = side;
    sides.into()
}

#[cfg(test)]
mod tests;
