//! The bins of a column with a limit of terms: their ends, and the labels that consist of bins.

use std::cmp::Reverse;
use std::ops::Range;

use palmtop_core::model::{Code, Hierarchy, Level};

/// The values of the bins of a column of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct BinGroups {
    /// The first and the last value of each bin.
    pub(crate) ends: Vec<(Code, Code)>,
    /// Each value, in ascending order, and its bin.
    pub(crate) values: Vec<(Code, u8)>,
    /// Each label, from the finest level upwards, that has all values of some bins, and no value of the
    /// others: these bins, one bit each, the level, and a value with this label.
    pub(crate) labels: Vec<(u64, Level, Code)>,
}

impl BinGroups {
    /// Finds the labels of bins. `values` are those of the block in ascending order, each with its bin.
    /// O(levels · values · log values).
    pub(crate) fn number(&mut self, hierarchy: &Hierarchy, values: &[(Code, u8)]) {
        self.ends.clear();
        self.values.clear();
        self.values.extend_from_slice(values);
        self.labels.clear();
        for same in values.chunk_by(|left, right| left.1 == right.1) {
            self.ends.push((same[0].0, same[same.len() - 1].0));
        }
        let mut pairs: Vec<(u32, u8, Code)> = Vec::with_capacity(values.len());
        for level in hierarchy.levels().take_while(|level| *level < hierarchy.top()) {
            let labels = hierarchy.labels_of(level);
            // The bins with values of several labels.
            let mixed = values.windows(2).filter(|pair| {
                pair[0].1 == pair[1].1 && labels[pair[0].0 as usize] != labels[pair[1].0 as usize]
            });
            let mixed = mixed.fold(0, |bins, pair| bins | 1 << (pair[0].1 & 63));
            pairs.clear();
            pairs.extend(values.iter().map(|&(code, bin)| (labels[code as usize], bin, code)));
            pairs.sort_unstable();
            for same in pairs.chunk_by(|left, right| left.0 == right.0) {
                let bins: u64 = same.iter().fold(0, |bins, &(_, bin, _)| bins | 1 << (bin & 63));
                if bins & mixed == 0 {
                    self.labels.push((bins, level, same[0].2));
                }
            }
        }
    }
}

/// Divides values, which ascend, into at most `most` bins of consecutive values. `values` has the number of rows
/// of each. Returns the index of the first value of each bin.
///
/// A cut is rarely permitted unless it is at a label, so the bins follow the labels: the largest bin is
/// divided by the labels below it, as long as there is room. If a bin has too many labels, those with the most
/// rows get bins of their own.
pub(crate) fn bins_along_labels(hierarchy: &Hierarchy, values: &[(Code, u32)], most: usize) -> Vec<usize> {
    let mut open = vec![(0..values.len(), hierarchy.top())];
    // The bins that have too many labels, with the first value of each label.
    let mut full: Vec<Vec<usize>> = Vec::new();
    let mut starts = Vec::new();
    loop {
        let largest = (0..open.len()).max_by_key(|&index| (open[index].0.len(), Reverse(index)));
        let Some((range, level)) = largest.map(|index| open.swap_remove(index)) else { break };
        let (below, firsts) = labels_below(hierarchy, values, range.clone(), level);
        let count = open.len() + full.len() + starts.len() + firsts.len();
        if firsts.len() < 2 {
            starts.push(range.start);
        } else if count <= most {
            let ends = firsts.iter().skip(1).copied().chain([range.end]);
            open.extend(firsts.iter().zip(ends).map(|(&start, end)| (start..end, below)));
        } else {
            full.push(firsts.into_iter().chain([range.end]).collect());
        }
    }
    let mut left = full.len();
    let mut room = most - starts.len() - full.len();
    for ends in full {
        let rows = |label: usize| -> u32 {
            values[ends[label]..ends[label + 1]].iter().map(|&(_, rows)| rows).sum()
        };
        let mut labels: Vec<usize> = (0..ends.len() - 1).collect();
        labels.sort_by_key(|&label| (Reverse(rows(label)), label));
        // A label alone also begins the bin after it.
        labels.truncate(room / left / 2);
        let alone = labels.into_iter().flat_map(|label| [ends[label], ends[label + 1]]);
        let mut own: Vec<usize> = alone.chain([ends[0]]).filter(|start| Some(start) != ends.last()).collect();
        own.sort_unstable();
        own.dedup();
        room -= own.len() - 1;
        left -= 1;
        starts.extend(own);
    }
    starts.sort_unstable();
    starts
}

/// The coarsest level below the given one at which some values have several labels, and the index of the first
/// value of each run of one label.
fn labels_below(
    hierarchy: &Hierarchy,
    values: &[(Code, u32)],
    range: Range<usize>,
    level: Level,
) -> (Level, Vec<usize>) {
    for below in (hierarchy.base().0..level.0).rev().map(Level) {
        let labels = hierarchy.labels_of(below);
        let label = |index: usize| labels[values[index].0 as usize];
        let is_first = |&index: &usize| index == range.start || label(index - 1) != label(index);
        let firsts: Vec<usize> = range.clone().filter(is_first).collect();
        if firsts.len() > 1 {
            return (below, firsts);
        }
    }
    (hierarchy.base(), vec![range.start])
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::Kind;

    #[test]
    fn labels_that_split_a_bin_are_left_out() {
        let chains: Vec<Vec<String>> = (0..8)
            .map(|leaf| {
                vec![leaf.to_string(), format!("p{}", leaf / 2), format!("h{}", leaf / 4), "*".to_owned()]
            })
            .collect();
        let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
        let mut groups = BinGroups::default();
        // 0 and 1 are a pair; 2 and 4 share a bin, so that neither half consists of bins; 5.
        groups.number(&hierarchy, &[(0, 0), (1, 0), (2, 1), (4, 1), (5, 2)]);
        assert_eq!(groups.ends, [(0, 1), (2, 4), (5, 5)]);
        assert_eq!(groups.labels, [(0b100, Level(0), 5), (0b001, Level(1), 0)]);
    }

    #[test]
    fn bins_follow_labels_with_frequent_values_alone() {
        // Two groups: of four values, and of 36.
        let chains: Vec<Vec<String>> = (0..40)
            .map(|leaf| vec![leaf.to_string(), if leaf < 4 { "a" } else { "b" }.to_owned(), "*".to_owned()])
            .collect();
        let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
        let rows = |code: Code| if code == 20 || code == 39 { 9 } else { 1 };
        let values: Vec<(Code, u32)> = (0..40).map(|code| (code, rows(code))).collect();
        let bins = |most| bins_along_labels(&hierarchy, &values, most);
        assert_eq!(bins(2), [0, 4]);
        assert_eq!(bins(5), [0, 1, 2, 3, 4]);
        assert_eq!(bins(9), [0, 1, 2, 3, 4, 20, 21, 39]);
        assert_eq!(bins(64).len(), 40);
        let flat: Vec<(Code, u32)> = values[4..].to_vec();
        assert_eq!(bins_along_labels(&hierarchy, &flat, 4), [0, 16, 17]);
    }
}
