//! The cuts of some values of a column whose published sets have a limit of terms.
//!
//! Values are divided between two neighbours, or into those of one label of any level and the rest. A cut
//! also divides the values of the cut box that no row has. Of the cuts that divide the rows alike, the first
//! permitted one is taken.

use std::ops::{Range, RangeInclusive};

use super::cut_boxes::{BoxRules, LimitedColumn};
use super::split_kind::Split;
use palmtop_core::model::description::Intervals;
use palmtop_core::model::{Code, CutBox, Hierarchy, Level, size};

/// Values in an order, and the cuts that divide them into consecutive values and the rest.
#[derive(Debug)]
pub(crate) struct ValueOrder {
    /// The index of each value.
    pub(crate) order: Vec<u32>,
    pub(crate) cuts: Vec<ValueCut>,
}

/// A cut of some values in two.
#[derive(Debug)]
pub(crate) struct ValueCut {
    /// The values that go left, as a range of the order.
    pub(crate) left: Range<usize>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Between two neighbouring values.
    Between(Code, Code),
    /// The label of a value against the rest. At each of these levels, it has the same values.
    Only(Code, RangeInclusive<u8>),
}

/// Every cut of some values, which ascend: between neighbours, then a label against the rest, from the
/// finest level upwards. O(levels · values · log values).
pub(crate) fn value_cuts(hierarchy: &Hierarchy, codes: &[Code]) -> Vec<ValueOrder> {
    let between = |(index, pair): (usize, &[Code])| ValueCut {
        left: 0..index + 1,
        kind: Kind::Between(pair[0], pair[1]),
    };
    let cuts = codes.windows(2).enumerate().map(between).collect();
    let mut orders = vec![ValueOrder { order: (0..size::number(codes.len())).collect(), cuts }];
    if codes.len() < 2 {
        return orders;
    }
    // For each value, the number of values with its label at the finer level.
    let mut finer = vec![0; codes.len()];
    for level in hierarchy.levels().take_while(|level| *level < hierarchy.top()) {
        let labels = hierarchy.labels_of(level);
        let label_of = |index: u32| labels[codes[index as usize] as usize];
        let mut order: Vec<u32> = (0..size::number(codes.len())).collect();
        order.sort_by_key(|&index| label_of(index));
        let mut cuts = Vec::new();
        let mut start = 0;
        for group in order.chunk_by(|&left, &right| label_of(left) == label_of(right)) {
            let left = start..start + group.len();
            start = left.end;
            // The same values have been considered at a finer level.
            let is_known = finer[group[0] as usize] == group.len();
            for &index in group {
                finer[index as usize] = group.len();
            }
            if is_known || group.len() == codes.len() {
                continue;
            }
            let code = codes[group[0] as usize];
            let same = same_levels(hierarchy, codes, code, level, group.len());
            cuts.push(ValueCut { left, kind: Kind::Only(code, same) });
        }
        orders.push(ValueOrder { order, cuts });
    }
    orders
}

/// The levels from the given one at which the label of a value has the same number of the values.
fn same_levels(
    hierarchy: &Hierarchy,
    codes: &[Code],
    code: Code,
    level: Level,
    count: usize,
) -> RangeInclusive<u8> {
    let is_same = |above: &u8| {
        let labels = hierarchy.labels_of(Level(*above));
        let label = labels[code as usize];
        codes.iter().filter(|&&other| labels[other as usize] == label).count() == count
    };
    let last = (level.0 + 1..hierarchy.top().0).take_while(is_same).last();
    level.0..=last.unwrap_or(level.0)
}

impl ValueCut {
    /// The first cut that divides these values so and is permitted in a box; `None` if none is.
    pub(crate) fn permitted(
        &self,
        boxes: &BoxRules,
        cut_box: &CutBox,
        column: usize,
        values: &[(u32, u32)],
    ) -> Option<Split> {
        let limited = boxes.limited(column)?;
        let is_permitted = |split: &Split| split.is_permitted(boxes, cut_box, column, values);
        match self.kind {
            Kind::Between(last, first) => limited.between(last, first).map(Split::At).find(is_permitted),
            Kind::Only(code, ref levels) => {
                let mut splits = levels.clone().map(|level| Split::Only(Level(level), code));
                splits.find(is_permitted)
            }
        }
    }
}

impl Split {
    /// The values of a limited column that go left. The parts of a split into labels have no left.
    pub(crate) fn left_values(self, limited: &LimitedColumn) -> Intervals {
        match self {
            Self::At(value) => limited.tree.below(value),
            Self::Only(level, value) => limited.label_of(value, level),
            Self::Labels(_) => Intervals::new(),
        }
    }

    /// The boxes of both halves of a region with this box, which is divided in two at a column.
    pub(crate) fn halves(
        self,
        boxes: &BoxRules,
        cut_box: Option<&CutBox>,
        column: usize,
        codes: impl Iterator<Item = Code>,
    ) -> [Option<CutBox>; 2] {
        let (Some(cut_box), Some(limited)) = (cut_box, boxes.limited(column)) else {
            return [cut_box.cloned(), cut_box.cloned()];
        };
        let left = self.left_values(limited);
        let Some(sides) = boxes.narrowed(cut_box, column, &left, &limited.tree.set(codes)) else {
            return boxes.halves(cut_box, column, &left).map(Some);
        };
        sides.map(|side| {
            let mut half = cut_box.to_vec();
            half[column] = side;
            Some(half.into())
        })
    }

    /// Whether both halves obey the limit of a column. `values` are those of the rows.
    pub(crate) fn is_permitted(
        self,
        boxes: &BoxRules,
        cut_box: &CutBox,
        column: usize,
        values: &[(u32, u32)],
    ) -> bool {
        let left = boxes.limited(column).map(|limited| self.left_values(limited));
        left.is_none_or(|left| boxes.narrowed(cut_box, column, &left, values).is_some())
    }
}

#[cfg(test)]
mod tests;
