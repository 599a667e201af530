//! Numbers or dates between labels of one level: a range that means what it says, or a set of ranges and labels.

use palmtop_terms::{Kind, Level};
use rustc_hash::FxHashMap;

use super::description::{DescriptionTree, Form};
use super::hierarchy::Hierarchy;
use super::leaves::{Denoted, Leaf, Leaves};
use super::meaning::{Ended, Stretch};
use super::members::{first_string, member, string};

/// The labels of one level, and the values of P under them.
#[derive(Debug)]
pub(crate) struct Borders<'a> {
    hierarchy: &'a Hierarchy,
    level: Level,
    /// The labels with values that occur, in the order of their leaves. The label of missing values is not one of them.
    labels: Vec<Label<'a>>,
    by_text: FxHashMap<&'a str, usize>,
    /// The values of P that are numbers, dates or bands, in their order.
    values: Vec<(Leaf, Stretch)>,
    /// Whether these values ascend. If not, nothing is written as a range.
    has_ranges: bool,
    tree: DescriptionTree<'a>,
}

#[derive(Debug)]
struct Label<'a> {
    text: &'a str,
    /// The occurring leaves under the label.
    leaves: Vec<Leaf>,
}

impl<'a> Borders<'a> {
    /// Collects the labels of a level. `occurs` states for each leaf whether it occurs in P.
    pub(crate) fn new(hierarchy: &'a Hierarchy, occurs: &[bool], level: Level) -> Self {
        let groups = hierarchy.groups(level);
        let mut labels: Vec<Label> = Vec::new();
        let mut values = Vec::new();
        let mut last = None;
        for leaf in occurring(hierarchy, occurs) {
            match labels.last_mut() {
                Some(label) if last == Some(groups[leaf as usize]) => label.leaves.push(leaf),
                _ => labels.push(Label { text: hierarchy.label_of(leaf, level), leaves: vec![leaf] }),
            }
            last = Some(groups[leaf as usize]);
            if let Some(stretch) = Stretch::of(hierarchy.kind, hierarchy.text(leaf)) {
                values.push((leaf, stretch));
            }
        }
        let by_text = labels.iter().enumerate().map(|(index, label)| (label.text, index)).collect();
        let tree = DescriptionTree::new(hierarchy, occurs, level);
        let has_ranges = ascends(values.iter().map(|(_, stretch)| stretch));
        Self { hierarchy, level, labels, by_text, values, has_ranges, tree }
    }

    /// The values of P themselves, if a range cannot name any two of them: at level 0, because numbers or dates
    /// are beside a value that is neither; at a coarser level, because the labels are not in the order of their texts, or one has a
    /// comma and is no band. Labels out of order are in no range.
    pub(crate) fn of_odd_values(hierarchy: &'a Hierarchy, occurs: &[bool]) -> Option<Self> {
        let (kind, base) = (hierarchy.kind, hierarchy.base);
        let texts = || occurring(hierarchy, occurs).map(|leaf| hierarchy.text(leaf));
        if base == Level(0) {
            let is_plain = |text: &str| Stretch::of_value(kind, text).is_some();
            let is_odd = texts().any(is_plain) && texts().any(|text| !is_plain(text));
            return is_odd.then(|| Self::new(hierarchy, occurs, base));
        }
        let stretches: Vec<Stretch> = texts().filter_map(|text| Stretch::of(kind, text)).collect();
        let is_odd = !ascends(stretches.iter())
            || texts().any(|text| text.contains(", ") && Ended::of_label(kind, text).is_none());
        is_odd.then(|| Self { has_ranges: false, ..Self::new(hierarchy, occurs, base) })
    }

    /// Checks that no range of labels has the text of a label with other values.
    ///
    /// # Errors
    /// The range and the label.
    pub(crate) fn check_texts(&self) -> Result<(), String> {
        let hierarchy = self.hierarchy;
        for level in (hierarchy.base.0..=hierarchy.top().0).map(Level) {
            let mut below: FxHashMap<u32, Vec<Leaf>> = FxHashMap::default();
            for leaf in self.labels.iter().flat_map(|label| label.leaves.iter().copied()) {
                below.entry(hierarchy.groups(level)[leaf as usize]).or_default().push(leaf);
            }
            let bracketed = |group: &u32| Ended::of_range(hierarchy.kind, hierarchy.word(*group)).is_some();
            let mut numbers: Vec<u32> = hierarchy.groups(level).iter().copied().filter(bracketed).collect();
            numbers.sort_unstable();
            numbers.dedup();
            for number in numbers {
                let text = hierarchy.word(number);
                let leaves = below.get(&number).map_or(&[][..], Vec::as_slice);
                if let Some((first, last)) = self.range_with_text(text)
                    && !self.labels[first..=last].iter().flat_map(|label| &label.leaves).eq(leaves)
                {
                    let (first, last) = (self.labels[first].text, self.labels[last].text);
                    return Err(format!(
                        "with `borders = {}`, `{text}` is a label of level {level} and the range from `{first}` to \
                         `{last}`, which has other values; rename the label",
                        self.level
                    ));
                }
            }
        }
        Ok(())
    }

    /// The labels of the range with this text, if a release could have it.
    fn range_with_text(&self, text: &str) -> Option<(usize, usize)> {
        let values = self.values_between(text)?;
        let index_of =
            |leaf: Leaf| self.labels.partition_point(|label| label.leaves[0] <= leaf).checked_sub(1);
        let (first, last) = (index_of(values.first()?.0)?, index_of(values.last()?.0)?);
        (first < last && self.range(first, last).as_deref() == Some(text)).then_some((first, last))
    }

    /// What a text denotes that is not a label: a range, or a set of ranges and labels.
    ///
    /// # Errors
    /// The text that was expected, without any value.
    pub(crate) fn read(&self, text: &str) -> Result<Denoted, String> {
        let members = match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(inner) => members(inner)?,
            None => vec![text.to_owned()],
        };
        let sets = members.iter().map(|member| self.member(member)).collect::<Result<Vec<_>, _>>()?;
        let leaves = Leaves::united(&sets);
        self.check(text, &leaves)?;
        Ok(Denoted { leaves, terms: members.len() })
    }

    /// The occurring leaves of a label, or of a range by the values of its ends.
    fn member(&self, text: &str) -> Result<Leaves, String> {
        if let Some(&index) = self.by_text.get(text) {
            return Ok(Leaves::from_ascending(self.labels[index].leaves.iter().copied()));
        }
        if let Some(missing) = self.hierarchy.missing.filter(|&leaf| self.hierarchy.text(leaf) == text) {
            return Ok(Leaves::of_run(missing, missing));
        }
        let values = self.values_between(text).ok_or_else(|| {
            let level = self.level;
            format!(
                "expected a label of level {level}, or a range between two of them whose ends are numbers or dates, as \
                 the project's limits require"
            )
        })?;
        Ok(Leaves::from_ascending(values.iter().map(|(leaf, _)| *leaf)))
    }

    /// The values of P in a range. `None` if it is no range of values, or cuts through a value.
    fn values_between(&self, text: &str) -> Option<&[(Leaf, Stretch)]> {
        let range = Ended::of_range(self.hierarchy.kind, text).filter(|_| self.has_ranges)?.stretch;
        let from = self.values.partition_point(|(_, value)| value.is_before(&range));
        let to = from + self.values[from..].partition_point(|(_, value)| !range.is_before(value));
        let inside = &self.values[from..to];
        // The values ascend, so those between the first and the last are inside if both are.
        let ends = inside.first().into_iter().chain(inside.last());
        ends.into_iter().all(|(_, value)| value.is_within(&range)).then_some(inside)
    }

    /// The range from one label to another, if its values are those under these labels.
    fn range(&self, first: usize, last: usize) -> Option<String> {
        let kind = self.hierarchy.kind;
        let low = Ended::of_label(kind, self.labels[first].text)?;
        let high = Ended::of_label(kind, self.labels[last].text)?;
        let text = format!("[{}, {}{}", low.first, high.last, high.bracket);
        let (values, labels) = (self.values_between(&text)?, &self.labels[first..=last]);
        let count: usize = labels.iter().map(|label| label.leaves.len()).sum();
        let ends = [values.first()?.0, values.last()?.0];
        let is_exact = values.len() == count
            && labels.first()?.leaves.first() == Some(&ends[0])
            && labels.last()?.leaves.last() == Some(&ends[1]);
        is_exact.then_some(text)
    }

    /// The only text of the labels from one to another, with the missing value before them or without.
    fn expected(&self, missing: Option<Leaf>, first: usize, last: usize) -> String {
        let kind = self.hierarchy.kind;
        // Each member as it is written alone and in a set.
        let alone = |text: &str| (text.to_owned(), ordered_member(kind, text));
        let mut members = Vec::new();
        members.extend(missing.map(|leaf| alone(self.hierarchy.text(leaf))));
        let mut next = first;
        while next <= last {
            let longest = (next + 1..=last).rev().find_map(|end| Some((self.range(next, end)?, end)));
            if let Some((text, end)) = longest {
                members.push((text.clone(), text));
                next = end;
            } else {
                members.push(alone(self.labels[next].text));
            }
            next += 1;
        }
        if let [(only, _)] = members.as_slice() {
            return only.clone();
        }
        format!("{{{}}}", members.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", "))
    }

    /// Checks that the text is the only one of its occurring leaves.
    fn check(&self, text: &str, leaves: &Leaves) -> Result<(), String> {
        let none = || "expected a range with values that occur in P".to_owned();
        let description = self.tree.shortest(leaves).ok_or_else(none)?;
        if description.form == Form::Label {
            return Err("one label has the values of its range; expected the label".to_owned());
        }
        let missing = self.hierarchy.missing.filter(|&leaf| leaves.contains(leaf));
        let is_touched = |label: &Label| label.leaves.iter().any(|&leaf| leaves.contains(leaf));
        let first = self.labels.iter().position(is_touched).ok_or_else(none)?;
        let last = self.labels.iter().rposition(is_touched).ok_or_else(none)?;
        if self.expected(missing, first, last) == text {
            return Ok(());
        }
        Err(format!(
            "expected the only text of its values: the longest ranges that begin and end at labels of level {} with values \
             that occur in P, and single labels where no range means exactly these values",
            self.level
        ))
    }
}

/// The leaves that occur in P, except that of missing values.
fn occurring<'a>(hierarchy: &'a Hierarchy, occurs: &'a [bool]) -> impl Iterator<Item = Leaf> + 'a {
    let leaves = (0..).zip(occurs).filter(|(_, occurs)| **occurs).map(|(leaf, _)| leaf);
    leaves.filter(|leaf| Some(*leaf) != hierarchy.missing)
}

fn ascends<'a>(stretches: impl Iterator<Item = &'a Stretch> + Clone) -> bool {
    stretches.clone().zip(stretches.skip(1)).all(|(left, right)| left.is_before(right))
}

/// A label as a member of a set of numbers or dates: a half-open band as it is, and any other text that begins with
/// a bracket as a JSON string.
pub(crate) fn ordered_member(kind: Kind, text: &str) -> String {
    if !text.starts_with('[') {
        return member(text);
    }
    if Ended::of_label(kind, text).is_some() { text.to_owned() } else { string(text) }
}

/// The members of a set of numbers or dates. A range is not quoted, although it has a comma.
fn members(inner: &str) -> Result<Vec<String>, String> {
    let mut members = Vec::new();
    let mut rest = inner;
    loop {
        let (member, after) = if rest.starts_with('"') {
            first_string(rest)?
        } else {
            let (member, after) =
                rest.split_at(range_end(rest).or_else(|| rest.find(',')).unwrap_or(rest.len()));
            (member.to_owned(), after)
        };
        members.push(member);
        if after.is_empty() {
            return Ok(members);
        }
        rest = after.strip_prefix(", ").ok_or("expected `, ` between the members of a set")?;
    }
}

/// The length of the range with which a text begins: to the bracket after its first comma.
fn range_end(text: &str) -> Option<usize> {
    let comma = text.starts_with('[').then(|| text.find(", ")).flatten()?;
    let end = comma + text[comma..].find(['[', ']', ')'])? + 1;
    (text[end..].is_empty() || text[end..].starts_with(", ")).then_some(end)
}
