//! The ranges of labels of one level that mean exactly the values of P under these labels.
//!
//! A range has the first end of its first label and the last end of its last label. It is written only if
//! the values of P between these ends are the values under its labels (docs/releases.md). Other labels are
//! written one by one.

use rustc_hash::FxHashMap;

use super::band::{Band, Border, Extent, half_open};
use super::hierarchy::{Code, Hierarchy, Level};
use super::size;

/// The ranges of labels of one level.
#[derive(Clone, Debug)]
pub struct Ranges {
    level: Level,
    /// The label of the missing value, which is in no range.
    missing: Option<u32>,
    ends: Vec<Ends>,
}

/// The facts about a label as an end of ranges.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    /// The first and the last value of P under the label, as indices of the values of P.
    values: Option<(u32, u32)>,
    /// The label's first end, if it is between the values before it and those under it.
    begins: Option<Border>,
    /// Where the label's last end begins, if this end is between the values under it and those after it.
    closes: Option<Border>,
    /// The number of P's values before the label, and up to its last one, that are neither numbers nor
    /// dates nor bands.
    unread: (u32, u32),
}

/// Two texts that would be alike: a range of labels, and a label with other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Collision {
    pub(super) range: String,
    /// The labels at the ends of the range.
    pub(super) labels: [String; 2],
    /// The level of the label with the same text.
    pub(super) level: Level,
}

impl Ranges {
    /// The ranges of labels of a level, which are runs of leaves. `occurs` states which leaves P has.
    /// O(leaves).
    pub fn of(hierarchy: &Hierarchy, level: Level, occurs: impl Fn(Code) -> bool) -> Self {
        let (kind, labels) = (hierarchy.kind(), hierarchy.labels_of(level));
        let values = values(hierarchy, occurs);
        let extents: Vec<Option<Extent>> =
            values.iter().map(|&code| Extent::of(kind, hierarchy.leaf(code))).collect();
        let ascends = ascend(&extents);
        // The borders of the nearest values before and after each value.
        let mut below: Vec<Border> = vec![Border::Start];
        below.extend(extents.iter().scan(Border::Start, |last, extent| {
            *last = extent.map_or(*last, |extent| extent.high);
            Some(*last)
        }));
        let mut above: Vec<Border> = vec![Border::End];
        above.extend(extents.iter().rev().scan(Border::End, |next, extent| {
            *next = extent.map_or(*next, |extent| extent.low);
            Some(*next)
        }));
        above.reverse();
        let mut ends = vec![Ends::default(); hierarchy.label_count(level)];
        let (mut first, mut unread) = (0, 0);
        for run in values.chunk_by(|&left, &right| labels[left as usize] == labels[right as usize]) {
            let label = labels[run[0] as usize];
            let last = first + run.len() - 1;
            let before = unread;
            unread += size::number(extents[first..=last].iter().filter(|one| one.is_none()).count());
            let band = Band::read(kind, &hierarchy.labels(level)[label as usize]).filter(|_| ascends);
            let begins = |band: Band| {
                let (extent, low) = (extents[first]?, band.extent.low);
                (below[first] <= low && low <= extent.low).then_some(low)
            };
            let closes = |band: Band| {
                let (extent, high) = (extents[last]?, band.extent.high);
                (extent.high <= high && high <= above[last + 1]).then_some(band.end)
            };
            ends[label as usize] = Ends {
                values: Some((size::number(first), size::number(last))),
                begins: band.and_then(begins),
                closes: band.and_then(closes),
                unread: (before, unread),
            };
            first = last + 1;
        }
        let missing = hierarchy.missing().map(|code| labels[code as usize]);
        Self { level, missing: missing.filter(|&label| hierarchy.label_size(level, label) == 1), ends }
    }

    /// The ranges of the values of P themselves, if a range cannot name any two of them: at level 0, because
    /// numbers or dates are beside a value that is neither; at a coarser level, because the labels are not in the order
    /// of their texts, or one has a comma and is no band. Labels out of order are written one by one.
    pub(super) fn of_odd_values(hierarchy: &Hierarchy, occurs: impl Fn(Code) -> bool) -> Option<Self> {
        let (kind, base) = (hierarchy.kind(), hierarchy.base());
        let values = values(hierarchy, &occurs);
        let texts = || values.iter().map(|&code| hierarchy.leaf(code));
        if base == Level(0) {
            let is_value = |text: &str| Extent::of_value(kind, text).is_some();
            let is_odd = texts().any(is_value) && !texts().all(is_value);
            return is_odd.then(|| Self::of(hierarchy, base, occurs));
        }
        let extents: Vec<Option<Extent>> = texts().map(|text| Extent::of(kind, text)).collect();
        let has_comma = |text: &str| text.contains(", ") && Band::read(kind, text).is_none();
        (texts().any(has_comma) || !ascend(&extents)).then(|| {
            let mut ranges = Self::of(hierarchy, base, occurs);
            ranges.ends.iter_mut().for_each(|ends| ends.begins = None);
            ranges
        })
    }

    /// Whether every range of labels can be written as one range.
    pub(super) fn are_always_one(&self) -> bool {
        let mut with_people = self.ends.iter().filter(|ends| ends.values.is_some());
        let mut latest = Border::Start;
        with_people.all(|ends| {
            let (Some(begins), Some(closes)) = (ends.begins, ends.closes) else { return false };
            let is_range = ends.unread.1 == 0 && latest < closes;
            latest = latest.max(begins);
            is_range
        })
    }

    /// The level of the labels.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The members of the text of the labels from one to another, as the first and the last label of each:
    /// the label of the missing value, then the longest range that begins at the next label, or that label.
    pub fn members(&self, low: u32, high: u32) -> Vec<(u32, u32)> {
        let has_people = |label: &u32| self.ends[*label as usize].values.is_some();
        let labels: Vec<u32> =
            (low..=high).filter(|label| Some(*label) != self.missing && has_people(label)).collect();
        let mut members: Vec<(u32, u32)> = self
            .missing
            .filter(|label| (low..=high).contains(label))
            .map(|label| (label, label))
            .into_iter()
            .collect();
        let mut next = 0;
        while let Some(&label) = labels.get(next) {
            let end = (next + 1..labels.len()).rev().find(|&end| self.is_range(label, labels[end]));
            members.push((label, labels[end.unwrap_or(next)]));
            next = end.unwrap_or(next) + 1;
        }
        members
    }

    fn is_range(&self, low: u32, high: u32) -> bool {
        let (low, high) = (&self.ends[low as usize], &self.ends[high as usize]);
        let ends = low.begins.zip(high.closes);
        ends.is_some_and(|(first, last)| first < last) && low.unread.0 == high.unread.1
    }

    /// A range whose text is also a label with other values.
    pub(super) fn collision(
        &self,
        hierarchy: &Hierarchy,
        occurs: impl Fn(Code) -> bool,
    ) -> Option<Collision> {
        let texts = hierarchy.labels(self.level);
        let mut first: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        let mut last: FxHashMap<(&str, char), Vec<u32>> = FxHashMap::default();
        for (label, ends) in (0..).zip(&self.ends) {
            let Some(band) = Band::read(hierarchy.kind(), &texts[label as usize]) else { continue };
            if ends.begins.is_some() {
                first.entry(band.low).or_default().push(label);
            }
            if ends.closes.is_some() {
                last.entry((band.high, band.close)).or_default().push(label);
            }
        }
        let values = values(hierarchy, occurs);
        for level in hierarchy.levels() {
            let mut under: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            for (value, &code) in (0..).zip(&values) {
                under.entry(hierarchy.labels_of(level)[code as usize]).or_default().push(value);
            }
            for (label, text) in (0..).zip(hierarchy.labels(level).iter()) {
                let Some((inner, close)) = half_open(text) else { continue };
                let Some((from, to)) = inner.split_once(", ") else { continue };
                let (Some(lows), Some(highs)) = (first.get(from), last.get(&(to, close))) else { continue };
                let pairs = lows.iter().flat_map(|&low| highs.iter().map(move |&high| (low, high)));
                let mut written = pairs.filter(|&(low, high)| low < high && self.is_range(low, high));
                let Some((low, high)) = written.next() else { continue };
                let from = self.ends[low as usize].values.map_or(0, |values| values.0);
                let to = self.ends[high as usize].values.map_or(0, |values| values.1);
                let of_label = under.get(&label).map_or(&[][..], Vec::as_slice);
                if !of_label.iter().copied().eq(from..=to) {
                    let labels = [low, high].map(|label| texts[label as usize].to_owned());
                    return Some(Collision { range: text.to_owned(), labels, level });
                }
            }
        }
        None
    }
}

/// The text of a range from one label to another, both of which have two ends.
pub(super) fn range_text(hierarchy: &Hierarchy, low: &str, high: &str) -> Option<String> {
    let (low, high) = (Band::read(hierarchy.kind(), low)?, Band::read(hierarchy.kind(), high)?);
    Some(format!("[{}, {}{}", low.low, high.high, high.close))
}

/// Whether a label is written in a set as it is, although it has a comma: `[20, 25)`.
pub(super) fn is_plain_in_set(hierarchy: &Hierarchy, label: &str) -> bool {
    Band::read(hierarchy.kind(), label).is_some_and(|band| band.is_half_open())
}

/// The leaves that occur in P, without the missing value.
fn values(hierarchy: &Hierarchy, occurs: impl Fn(Code) -> bool) -> Vec<Code> {
    let leaves = 0..size::number(hierarchy.leaf_count());
    leaves.filter(|&code| Some(code) != hierarchy.missing() && occurs(code)).collect()
}

/// Whether each extent ends before the next one begins. Texts without an extent are left out.
fn ascend(extents: &[Option<Extent>]) -> bool {
    let read: Vec<&Extent> = extents.iter().flatten().collect();
    read.windows(2).all(|pair| pair[0].high <= pair[1].low)
}

#[cfg(test)]
mod tests;
