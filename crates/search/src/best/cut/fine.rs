//! Cuts that bins cannot express: between two values of a bin, or into labels that share a bin.

use std::ops::ControlFlow;

use super::Cutter;
use crate::best::frame::TreePart;
use crate::best::frame::minus;
use crate::regions::column_table::TableRows;
use crate::regions::label_tree::LabelTree;
use crate::regions::limited_cuts::value_cuts;
use crate::regions::split::Split;
use palmtop_core::model::{Code, Counts, CutBox, Cuts};

impl Cutter<'_> {
    /// Divides the rows at a cut that bins cannot express, if no cut between bins is valid: between
    /// two values of a bin, or into labels that share a bin.
    ///
    /// It takes the first column with such a cut, and there the cut that divides the members most
    /// evenly. Returns the number of rows and the counts of each part.
    pub(in crate::best) fn fine(
        &mut self,
        rows: &mut TableRows,
        counts: Counts,
        cut_box: Option<&CutBox>,
    ) -> ControlFlow<(), Option<Vec<TreePart>>> {
        for (column, packed) in self.block.columns.iter().enumerate().filter(|(_, packed)| packed.is_coarse())
        {
            self.pool.go_on()?;
            match (self.frame.cuts[column], &packed.labels) {
                (Cuts::Labels, Some(labels)) => {
                    if let Some(parts) = self.part_by_labels(rows, column, &labels.tree, cut_box) {
                        return ControlFlow::Continue(Some(parts));
                    }
                }
                (Cuts::Values, _) if self.frame.boxes.limited(column).is_some() => {
                    let cut_box = cut_box.filter(|_| self.live.contains(&column));
                    let found = cut_box.and_then(|cut_box| self.limited_split(rows, column, counts, cut_box));
                    if let Some((split, left)) = found {
                        let goes_left = split.goes_left(self.frame.hierarchy(column));
                        let values: Vec<Code> = rows.iter().map(|(codes, _)| codes[column]).collect();
                        let values = values.into_iter();
                        let middle = rows.divide(|codes| goes_left(codes[column]));
                        let [left_box, right_box] = split.halves(&self.frame.boxes, cut_box, column, values);
                        let right = (rows.len() - middle, minus(counts, left), right_box);
                        return ControlFlow::Continue(Some(vec![(middle, left, left_box), right]));
                    }
                }
                (Cuts::Values, _) if self.live.contains(&column) => {
                    if let Some((bound, left)) = self.between_values(rows, column, counts) {
                        let middle = rows.divide(|codes| codes[column] < bound);
                        let right = (rows.len() - middle, minus(counts, left), cut_box.cloned());
                        return ControlFlow::Continue(Some(vec![(middle, left, cut_box.cloned()), right]));
                    }
                }
                _ => {}
            }
        }
        ControlFlow::Continue(None)
    }

    /// Whether every part satisfies the criteria on sensitive values; `part` gives the part of a
    /// value.
    fn values_hold_by<K: Ord>(&self, rows: &TableRows, column: usize, part: impl Fn(Code) -> K) -> bool {
        let Some(judge) = &self.frame.values else { return true };
        let members: Vec<(Code, u32)> =
            rows.members().map(|(codes, combination)| (codes[column], combination)).collect();
        judge.all_hold(&members, |member| member.1, |member| part(member.0))
    }

    /// The valid cut between two values of a column that divides the members most evenly. Returns
    /// the least value on the right, and the counts on the left.
    fn between_values(&self, rows: &TableRows, column: usize, counts: Counts) -> Option<(Code, Counts)> {
        let mut values: Vec<(Code, Counts)> =
            rows.iter().map(|(codes, counts)| (codes[column], counts)).collect();
        values.sort_unstable_by_key(|&(code, _)| code);
        let mut left = Counts::default();
        let mut best: Option<(u64, Code, Counts)> = None;
        for pair in values.windows(2) {
            left += pair[0].1;
            let uneven = left.private.abs_diff(counts.private - left.private);
            let better = best.is_none_or(|(least, ..)| uneven < least);
            let (last, bound) = (pair[0].0, pair[1].0);
            let is_valid = last < bound && better && self.allows(counts, left);
            if is_valid && self.values_hold_by(rows, column, |code| code < bound) {
                best = Some((uneven, bound, left));
            }
        }
        best.map(|(_, bound, left)| (bound, left))
    }

    /// The valid cut of a column with a limit of terms that divides the members most evenly. Returns
    /// also the counts on the left.
    fn limited_split(
        &self,
        rows: &TableRows,
        column: usize,
        counts: Counts,
        cut_box: &CutBox,
    ) -> Option<(Split, Counts)> {
        let hierarchy = self.frame.hierarchy(column);
        let mut values: Vec<(Code, Counts)> =
            rows.iter().map(|(codes, counts)| (codes[column], counts)).collect();
        values.sort_unstable_by_key(|&(code, _)| code);
        let values: Vec<(Code, Counts)> = values
            .chunk_by(|left, right| left.0 == right.0)
            .map(|same| (same[0].0, same.iter().map(|&(_, counts)| counts).sum()))
            .collect();
        let codes: Vec<Code> = values.iter().map(|&(code, _)| code).collect();
        let set = self.frame.boxes.limited(column)?.tree.set(codes.iter().copied());
        let mut best: Option<(u64, Split, Counts)> = None;
        for order in value_cuts(hierarchy, &codes) {
            let mut sum = Counts::default();
            let sums = order.order.iter().map(|&index| {
                sum += values[index as usize].1;
                sum
            });
            let below: Vec<Counts> = std::iter::once(Counts::default()).chain(sums).collect();
            for cut in order.cuts {
                let left = minus(below[cut.left.end], below[cut.left.start]);
                let uneven = left.private.abs_diff(counts.private - left.private);
                if best.as_ref().is_none_or(|(least, ..)| uneven < *least)
                    && self.allows(counts, left)
                    && let Some(split) = cut.permitted(&self.frame.boxes, cut_box, column, &set)
                    && self.values_hold_by(rows, column, split.goes_left(hierarchy))
                {
                    best = Some((uneven, split, left));
                }
            }
        }
        best.map(|(_, split, left)| (split, left))
    }

    /// Divides rows into the labels directly below the label around them, if each part is valid.
    fn part_by_labels(
        &self,
        rows: &mut TableRows,
        column: usize,
        tree: &LabelTree,
        cut_box: Option<&CutBox>,
    ) -> Option<Vec<TreePart>> {
        let position = |codes: &[Code]| tree.position(codes[column]);
        let ends = (
            rows.iter().map(|(codes, _)| position(codes)).min()?,
            rows.iter().map(|(codes, _)| position(codes)).max()?,
        );
        let depth = tree.common(ends.0, ends.1).checked_sub(1)?;
        let mut people: Vec<(u32, Counts)> =
            rows.iter().map(|(codes, counts)| (tree.label(depth, position(codes)), counts)).collect();
        people.sort_unstable_by_key(|&(label, _)| label);
        let labels = people.chunk_by(|left, right| left.0 == right.0);
        let labels: Vec<(u32, Counts)> =
            labels.map(|some| (some[0].0, some.iter().map(|&(_, counts)| counts).sum())).collect();
        let label_of = |code: Code| tree.label(depth, tree.position(code));
        let is_broken = labels.iter().any(|&(_, counts)| !self.allows_part(counts));
        if is_broken || !self.values_hold_by(rows, column, label_of) {
            return None;
        }
        let (mut parts, length) = (Vec::with_capacity(labels.len()), rows.len());
        let mut start = 0;
        for (label, counts) in labels {
            let count = rows.part(start..length).divide(|codes| tree.label(depth, position(codes)) == label);
            parts.push((count, counts, cut_box.cloned()));
            start += count;
        }
        Some(parts)
    }
}
