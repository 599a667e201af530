//! Values that a hierarchy lacks: the nearest label, and how to add them.

use super::{EditError, Editable, Label, Leaf};
use crate::hierarchies::span::Point;
use crate::values::guess::edits;
use palmtop_core::model::Level;

/// The most values among which the nearest spelling is searched for.
const MOST: usize = 5_000;

impl Editable {
    /// The level of the labels to which a value can be added: one above the public table's, or that
    /// level for a finer value of T.
    pub fn level_of_places(&self, is_finer: bool) -> Level {
        self.level(usize::from(!is_finer).min(self.last()))
    }

    /// The nearest label for a value. For numbers and dates it is the band that contains the value,
    /// or its neighbour. For codes it is the label of the code with the longest common beginning,
    /// if that is at least half of the code. Otherwise it is the label with the most similar
    /// spelling, if at most a quarter of the characters differ. A less similar word means something
    /// else.
    pub fn nearest(&self, value: &str, is_finer: bool) -> Option<&str> {
        let tier = usize::from(!is_finer).min(self.last());
        if self.kind.is_ordered() && !is_finer && Point::parse(self.kind, value).is_none() {
            return None;
        }
        let leaf = self.nearest_leaf(value);
        if let Some(leaf) = leaf.filter(|_| self.kind.is_ordered() || is_code(value)) {
            return Some(self.above(leaf, tier));
        }
        let wanted: Vec<char> = value.trim().to_lowercase().chars().collect();
        let similar = |text: &str| {
            let letters: Vec<char> = text.to_lowercase().chars().collect();
            let far = edits(&wanted, &letters);
            (4 * far <= wanted.len().max(letters.len())).then_some(far)
        };
        let values = self.tiers[0].iter().enumerate().take(MOST);
        let values = values.filter_map(|(leaf, value)| Some((similar(&value.text)?, self.above(leaf, tier))));
        let labels =
            self.tiers[tier].iter().filter_map(|label| Some((similar(&label.text)?, label.text.as_str())));
        values.chain(labels).min().map(|(_, label)| label)
    }

    /// The leaf with the nearest position; for codes, the one with the longest common beginning.
    fn nearest_leaf(&self, value: &str) -> Option<usize> {
        if let Some(point) = Point::parse(self.kind, value) {
            let low = |leaf: &Label| leaf.span.and_then(|span| span.low);
            let after = self.tiers[0].iter().position(|leaf| low(leaf).is_some_and(|low| low > point));
            let before = after.unwrap_or(self.tiers[0].len()).checked_sub(1);
            return match (before, after) {
                (Some(before), Some(after)) => {
                    // The neighbouring leaf whose band reaches the value.
                    let tier = 1.min(self.last());
                    let band = self.tiers[tier][self.labels_of_leaves(tier)[after]].span;
                    Some(if band.is_some_and(|band| band.low.is_none_or(|low| low <= point)) {
                        after
                    } else {
                        before
                    })
                }
                (before, after) => before.or(after),
            };
        }
        let common = |leaf: &Label| {
            leaf.text.chars().zip(value.chars()).take_while(|(one, other)| one == other).count()
        };
        let leaves = self.tiers[0].iter().enumerate().map(|(index, leaf)| (common(leaf), index));
        let best = leaves.max_by_key(|&(common, index)| (common, std::cmp::Reverse(index)))?;
        (best.0 > 0 && 2 * best.0 >= value.chars().count()).then_some(best.1)
    }

    /// The label of a leaf at a level.
    fn above(&self, leaf: usize, tier: usize) -> &str {
        let index = (0..tier).fold(leaf, |index, tier| self.tiers[tier][index].parent);
        &self.tiers[tier][index].text
    }

    /// The hierarchy with added values: each with its label, and whether it is a finer value of T.
    ///
    /// # Errors
    /// An [`EditError`] with the value that cannot be added.
    pub fn with_places<'a>(
        &self,
        places: impl IntoIterator<Item = (&'a str, &'a str, bool)>,
    ) -> Result<Self, EditError> {
        let mut next = self.clone();
        for (value, under, is_finer) in places {
            next.place(value, under, is_finer)?;
        }
        next.settle();
        next.check()?;
        Ok(next)
    }

    /// Adds a value below a label.
    pub(super) fn place(
        &mut self,
        value: &str,
        under: &str,
        is_finer: bool,
    ) -> Result<Vec<String>, EditError> {
        let (_, label) = self.find(self.level_of_places(is_finer), under)?;
        if is_finer && self.base > Level(0) {
            let finer = vec![value.to_owned(); usize::from(self.base.0)];
            if self.leaves.iter().any(|leaf| leaf.finer.contains(&finer)) {
                return Err(EditError::has_place(value));
            }
            self.leaves[label].finer.push(finer);
            return Ok(Vec::new());
        }
        if self.tiers[0].iter().any(|leaf| leaf.text == value) {
            return Err(EditError::has_place(value));
        }
        let point = Point::parse(self.kind, value);
        let expected =
            "value of the same kind as its other values; correct the table, or list it under `missing`";
        if self.kind.is_ordered() && point.is_none() {
            return Err(EditError::no_border(value, expected));
        }
        let at = if self.is_banded {
            self.tiers[0].partition_point(|leaf| leaf.span.and_then(|span| span.low) < point)
        } else {
            let last = self.tiers[0].iter().rposition(|leaf| leaf.parent == label);
            last.map_or(self.tiers[0].len(), |last| last + 1)
        };
        self.tiers[0].insert(at, Label { text: value.to_owned(), parent: label, span: None });
        self.leaves.insert(at, Leaf::default());
        if self.is_banded && !self.has_runs() {
            let second = self.tiers[0].iter().find(|leaf| leaf.parent == label && leaf.text != value);
            return Err(EditError::not_neighbours(value, second.map_or("", |leaf| &leaf.text)));
        }
        self.measure();
        Ok(Vec::new())
    }
}

/// Whether a value looks like a code: it has digits, and otherwise only letters, digits and
/// separators.
fn is_code(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'/');
    text.bytes().all(is_part) && text.bytes().any(|byte| byte.is_ascii_digit())
}
