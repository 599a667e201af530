//! Ranges of numbers or dates that begin and end at labels of one level.

use palmtop_terms::Level;
use rustc_hash::{FxHashMap, FxHashSet};

use super::description::{DescriptionTree, Form};
use super::hierarchy::Hierarchy;
use super::leaves::{Leaf, Leaves};
use super::members::member;

/// The labels of one level as the ends of ranges. The label with the missing values is no end.
#[derive(Debug)]
pub(super) struct Borders<'a> {
    hierarchy: &'a Hierarchy,
    level: Level,
    /// The labels in the order of their first leaves.
    labels: Vec<&'a str>,
    /// For each low end and each high end the indices of its labels.
    lows: FxHashMap<&'a str, Vec<usize>>,
    highs: FxHashMap<&'a str, Vec<usize>>,
    tree: DescriptionTree<'a>,
}

impl<'a> Borders<'a> {
    /// Collects the labels of a level. `occurs` states for each leaf whether it occurs in P.
    pub(super) fn new(hierarchy: &'a Hierarchy, occurs: &[bool], level: Level) -> Self {
        let groups = hierarchy.groups(level);
        let missing = hierarchy.missing.map(|leaf| groups[leaf as usize]);
        let mut known = FxHashSet::default();
        let mut labels = Vec::new();
        for (leaf, &label) in (0..).zip(groups) {
            if known.insert(label) && Some(label) != missing {
                labels.push(hierarchy.label_of(leaf, level));
            }
        }
        let (mut lows, mut highs) = (FxHashMap::<_, Vec<_>>::default(), FxHashMap::<_, Vec<_>>::default());
        for (index, label) in labels.iter().copied().enumerate() {
            let (low, high) = ends(label);
            lows.entry(low).or_default().push(index);
            highs.entry(high).or_default().push(index);
        }
        let tree = DescriptionTree::new(hierarchy, occurs, level);
        Self { hierarchy, level, labels, lows, highs, tree }
    }

    /// The leaves of a text that is not a label: a range, or the label of missing values beside a label or a range.
    ///
    /// # Errors
    /// The text that was expected, without any value.
    pub(super) fn leaves(&self, text: &str) -> Result<Leaves, String> {
        let level = self.level;
        let leaves =
            match (text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')), self.hierarchy.missing) {
                (Some(inner), Some(missing)) => self.with_missing(missing, inner),
                _ => self.range(text),
            };
        let leaves = leaves?.ok_or_else(|| {
            format!("expected a label or a range with ends of labels of level {level}, the `borders` of the project")
        })?;
        self.check(text, &leaves)?;
        Ok(leaves)
    }

    /// The inside of `{unknown, 20-24}` or `{unknown, [20, 34]}`. `None` if it has another form.
    fn with_missing(&self, missing: Leaf, inner: &str) -> Result<Option<Leaves>, String> {
        let label = member(self.hierarchy.text(missing));
        let Some(rest) = inner.strip_prefix(&label).and_then(|rest| rest.strip_prefix(", ")) else {
            return Ok(None);
        };
        let values = match self.labels.iter().position(|label| *label == rest) {
            Some(index) => Some(self.between(index, index)),
            None => self.range(rest)?,
        };
        Ok(values.map(|values| Leaves::united([&Leaves::from_ascending([missing]), &values])))
    }

    /// The leaves of `[low, high]` or `[low, high)`. `None` if no two labels have such ends. An end may contain `, `, so
    /// every split is tried.
    fn range(&self, text: &str) -> Result<Option<Leaves>, String> {
        let Some(rest) = text.strip_prefix('[') else { return Ok(None) };
        let (inner, is_open) = match (rest.strip_suffix(')'), rest.strip_suffix(']')) {
            (Some(inner), _) => (inner, true),
            (_, Some(inner)) => (inner, false),
            _ => return Ok(None),
        };
        let mut found = Vec::new();
        for (position, comma) in inner.match_indices(", ") {
            let (low, high) = (&inner[..position], &inner[position + comma.len()..]);
            let (Some(lows), Some(highs)) = (self.lows.get(low), self.highs.get(high)) else { continue };
            let pairs = lows.iter().flat_map(|&low| highs.iter().map(move |&high| (low, high)));
            found.extend(pairs.filter(|&(low, high)| {
                (is_half_open(self.labels[low]) && is_half_open(self.labels[high])) == is_open
            }));
        }
        match found[..] {
            [] => Ok(None),
            [(low, high)] if low < high => Ok(Some(self.between(low, high))),
            [(low, high)] if low == high => Err("a range of one label; expected the label".to_owned()),
            [_] => Err("the ends of its range are reversed; expected `[low, high]`".to_owned()),
            _ => Err("its range can be read in two ways; rename labels of the hierarchy".to_owned()),
        }
    }

    /// The leaves of the labels from one to another.
    fn between(&self, low: usize, high: usize) -> Leaves {
        let labels = self.labels[low..=high].iter().filter_map(|label| self.hierarchy.label(label));
        let labels: Vec<_> = labels.collect();
        Leaves::united(labels.iter().map(AsRef::as_ref))
    }

    /// Checks that the text is the only one of its occurring leaves.
    fn check(&self, text: &str, leaves: &Leaves) -> Result<(), String> {
        let none = || "expected a range with values that occur in P".to_owned();
        let description = self.tree.shortest(leaves).ok_or_else(none)?;
        if description.form == Form::Label {
            return Err("one label has the values of its range; expected the label".to_owned());
        }
        let labels = self.tree.floor_labels(leaves).ok_or_else(none)?;
        let (missing, labels) = match *labels {
            [first, ref rest @ ..] if Some(first) == self.hierarchy.missing => (Some(first), rest),
            _ => (None, labels.as_slice()),
        };
        let range = match *labels {
            [] => return Err(none()),
            [only] => self.tree.floor_text(only).to_owned(),
            [low, .., high] => range_text(self.tree.floor_text(low), self.tree.floor_text(high)),
        };
        let expected = match missing {
            Some(leaf) => format!("{{{}, {range}}}", member(self.hierarchy.text(leaf))),
            None => range,
        };
        if expected == text {
            return Ok(());
        }
        Err("expected a range that begins and ends at labels with values that occur in P".to_owned())
    }
}

/// The text of a range from one label to another.
fn range_text(low: &str, high: &str) -> String {
    let close = if is_half_open(low) && is_half_open(high) { ')' } else { ']' };
    format!("[{}, {}{close}", ends(low).0, ends(high).1)
}

/// The low end and the high end of a label: its numbers if it is an interval, else the whole label for both.
fn ends(label: &str) -> (&str, &str) {
    half_open(label).or_else(|| closed(label)).unwrap_or((label, label))
}

/// Whether a label has the form `[a, b)`.
fn is_half_open(label: &str) -> bool {
    half_open(label).is_some()
}

/// The ends of a label `[a, b)`. A label with several commas has no such ends.
fn half_open(label: &str) -> Option<(&str, &str)> {
    let inner = label.strip_prefix('[')?.strip_suffix(')')?;
    let mut parts = inner.split(", ");
    let ends = (parts.next()?, parts.next()?);
    parts.next().is_none().then_some(ends)
}

/// The ends of a label `a-b` with digits only and a below b.
fn closed(label: &str) -> Option<(&str, &str)> {
    let (low, high) = label.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Of two numbers without leading zeros, the one with more digits is greater.
    let size = |text: &str| text.trim_start_matches('0').len();
    let digits = |text: &str| text.trim_start_matches('0').to_owned();
    let ascends = size(low) < size(high) || (size(low) == size(high) && digits(low) < digits(high));
    (is_number(low) && is_number(high) && ascends).then_some((low, high))
}
