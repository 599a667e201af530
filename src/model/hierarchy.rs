//! Generalization hierarchies: from the leaf as loaded to `*`, one label a level.

use std::collections::HashMap;
use std::fmt;

use super::error::ModelError;
use super::size;

/// A level of a hierarchy: 0 is the value as loaded, the top is `*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u8);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A leaf's place in its hierarchy's order of values, from 0.
pub type Code = u32;

/// What an attribute's values are, and so how they are ordered and how a part of them is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Ordered by value; a part is a range.
    Number,
    /// Ordered by time; a part is a range.
    Date,
    /// Ordered by a walk of the hierarchy; a part is a set.
    Category,
}

impl Kind {
    /// Whether a region's side is a range rather than a set.
    pub fn is_ordered(self) -> bool {
        !matches!(self, Self::Category)
    }

    /// The word for it in projects and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Category => "category",
        }
    }
}

/// One level of a hierarchy: the label of every leaf, and how many leaves each label denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tier {
    label_of: Vec<u32>,
    labels: Vec<String>,
    sizes: Vec<u32>,
}

/// A generalization hierarchy over leaves in the order of their values.
///
/// It exists only if it nests, ends in one label, and each label means one set of leaves.
/// Levels keep the numbers of the file: where the public table holds values of a coarser level, that
/// level is the [`base`](Self::base) and its labels are the leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hierarchy {
    kind: Kind,
    base: Level,
    tiers: Vec<Tier>,
    codes: HashMap<String, Code>,
    missing: Option<Code>,
}

impl Hierarchy {
    /// How many levels are possible, those below the base too.
    pub const MOST_LEVELS: usize = 250;

    /// A hierarchy from one chain of labels per leaf, from `base` to the top, leaves in the order of their values.
    ///
    /// # Errors
    /// A [`ModelError`] that names the leaf or label: no leaves or too many, uneven or too many levels, a repeated leaf, a level that
    /// is not a function of the one below it, no single top, a text with two meanings, a text that reads as a side.
    pub fn new<S: AsRef<str>>(kind: Kind, base: Level, chains: &[Vec<S>]) -> Result<Self, ModelError> {
        let first = chains.first().ok_or(ModelError::NoLeaves)?;
        let height = first.len();
        if height == 0 {
            return Err(ModelError::NoLeaves);
        }
        Self::check_height(height + usize::from(base.0))?;
        if u32::try_from(chains.len()).is_err() {
            return Err(ModelError::TooManyLeaves { found: chains.len(), most: u32::MAX });
        }
        if let Some(uneven) = chains.iter().find(|chain| chain.len() != height) {
            let leaf = uneven.first().map(|leaf| leaf.as_ref().to_owned()).unwrap_or_default();
            return Err(ModelError::UnevenLevels { leaf, found: uneven.len(), expected: height });
        }
        let tiers: Vec<Tier> = (0..height).map(|level| Tier::new(chains, level)).collect();
        let codes = Self::index_leaves(chains)?;
        let hierarchy = Self { kind, base, tiers, codes, missing: None };
        hierarchy.check_nesting()?;
        hierarchy.check_meanings()?;
        Ok(hierarchy)
    }

    /// Says that a leaf is not a value but who has none, where there is such a leaf: the first in the order of values.
    ///
    /// A part of ordered values that holds it is no range, and is not written as one: see [`Label::text`](super::Label::text).
    ///
    /// # Panics
    /// If it is not the first leaf.
    #[must_use]
    pub fn with_missing(mut self, leaf: &str) -> Self {
        self.missing = self.code(leaf);
        assert!(self.missing.unwrap_or(0) == 0, "who has no value stands before all values");
        self
    }

    /// The leaf of who has no value, where there is one; it is the first.
    pub fn missing(&self) -> Option<Code> {
        self.missing
    }

    /// Whether so many levels, from 0 on, are possible.
    ///
    /// # Errors
    /// [`ModelError::TooManyLevels`].
    pub(crate) fn check_height(levels: usize) -> Result<(), ModelError> {
        if levels > Self::MOST_LEVELS { Err(ModelError::TooManyLevels { found: levels }) } else { Ok(()) }
    }

    fn index_leaves<S: AsRef<str>>(chains: &[Vec<S>]) -> Result<HashMap<String, Code>, ModelError> {
        let mut codes = HashMap::with_capacity(chains.len());
        for (code, chain) in (0..).zip(chains) {
            let leaf = chain[0].as_ref();
            if codes.insert(leaf.to_owned(), code).is_some() {
                return Err(ModelError::RepeatedLeaf { leaf: leaf.to_owned() });
            }
        }
        Ok(codes)
    }

    fn check_nesting(&self) -> Result<(), ModelError> {
        for (level, pair) in (self.base.0..).zip(self.tiers.windows(2)) {
            let (fine, coarse) = (&pair[0], &pair[1]);
            let mut parent: Vec<Option<u32>> = vec![None; fine.labels.len()];
            for (&label, &above) in fine.label_of.iter().zip(&coarse.label_of) {
                let known = parent[label as usize].get_or_insert(above);
                if *known != above {
                    return Err(ModelError::NotNested {
                        label: fine.labels[label as usize].clone(),
                        level: Level(level),
                        first: coarse.labels[*known as usize].clone(),
                        second: coarse.labels[above as usize].clone(),
                    });
                }
            }
        }
        match self.tiers.last().map(|tier| tier.labels.as_slice()) {
            Some([first, second, ..]) => {
                Err(ModelError::NoTop { first: first.clone(), second: second.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Each text means one set of leaves, and none reads as a range or a set.
    fn check_meanings(&self) -> Result<(), ModelError> {
        let mut first_seen: HashMap<&str, (usize, u32)> = HashMap::new();
        for (depth, tier) in self.tiers.iter().enumerate() {
            for (label, text) in (0..).zip(&tier.labels) {
                if let Some(reads_as) = reads_as_side(text) {
                    return Err(ModelError::ReadsAsSide { label: text.clone(), reads_as });
                }
                first_seen.entry(text).or_insert((depth, label));
            }
            for (leaf, &label) in tier.label_of.iter().enumerate() {
                let text = tier.labels[label as usize].as_str();
                let (known_depth, known_label) = first_seen[text];
                let known = &self.tiers[known_depth];
                let same = known.label_of[leaf] == known_label
                    && known.sizes[known_label as usize] == tier.sizes[label as usize];
                if !same {
                    return Err(ModelError::AmbiguousLabel {
                        label: text.to_owned(),
                        first: self.level_at(known_depth),
                        second: self.level_at(depth),
                    });
                }
            }
        }
        Ok(())
    }

    fn level_at(&self, depth: usize) -> Level {
        Level(self.base.0 + size::steps(depth))
    }

    fn tier(&self, level: Level) -> &Tier {
        &self.tiers[usize::from(level.0 - self.base.0)]
    }

    /// What the values are.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The finest level: 0, or the level that the public table holds.
    pub fn base(&self) -> Level {
        self.base
    }

    /// The coarsest level, where one label stands for everything.
    pub fn top(&self) -> Level {
        self.level_at(self.tiers.len() - 1)
    }

    /// Every level, finest first.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = Level> + use<> {
        (self.base.0..=self.top().0).map(Level)
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        self.tiers[0].labels.len()
    }

    /// The text of a leaf.
    pub fn leaf(&self, code: Code) -> &str {
        &self.tiers[0].labels[code as usize]
    }

    /// The code of a leaf's text.
    pub fn code(&self, leaf: &str) -> Option<Code> {
        self.codes.get(leaf).copied()
    }

    /// The label of every leaf at `level`, as a number below [`label_count`](Self::label_count).
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    pub fn labels_of(&self, level: Level) -> &[u32] {
        &self.tier(level).label_of
    }

    /// The texts of the labels at `level`.
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    pub fn labels(&self, level: Level) -> &[String] {
        &self.tier(level).labels
    }

    /// How many labels `level` has.
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    pub fn label_count(&self, level: Level) -> usize {
        self.tier(level).labels.len()
    }

    /// How many leaves a label of `level` denotes.
    ///
    /// # Panics
    /// If the hierarchy has no such level or label.
    pub fn label_size(&self, level: Level, label: u32) -> u32 {
        self.tier(level).sizes[label as usize]
    }

    /// Of each label at `from`, the label at the coarser level `to` that its leaves have.
    ///
    /// # Panics
    /// If the hierarchy lacks one of the levels.
    pub fn labels_above(&self, from: Level, to: Level) -> Vec<u32> {
        let mut above = vec![0; self.label_count(from)];
        for (&finer, &coarser) in self.labels_of(from).iter().zip(self.labels_of(to)) {
            above[finer as usize] = coarser;
        }
        above
    }
}

impl Tier {
    fn new<S: AsRef<str>>(chains: &[Vec<S>], level: usize) -> Self {
        let mut known: HashMap<&str, u32> = HashMap::new();
        let (mut label_of, mut labels, mut sizes) =
            (Vec::with_capacity(chains.len()), Vec::new(), Vec::new());
        for chain in chains {
            let text = chain[level].as_ref();
            let label = *known.entry(text).or_insert_with(|| {
                labels.push(text.to_owned());
                sizes.push(0);
                size::number(labels.len() - 1)
            });
            sizes[label as usize] += 1;
            label_of.push(label);
        }
        Self { label_of, labels, sizes }
    }
}

/// Whether a text would be taken for a range `[low, high]` or a set `{a, b}` in a release.
pub(crate) fn reads_as_side(text: &str) -> Option<&'static str> {
    if text.starts_with('{') && text.ends_with('}') {
        Some("set")
    } else if text.starts_with('[') && text.ends_with(']') {
        Some("range")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chains(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|&text| text.to_owned()).collect()).collect()
    }

    fn refusal(rows: &[&[&str]]) -> String {
        Hierarchy::new(Kind::Category, Level(0), &chains(rows)).unwrap_err().to_string()
    }

    #[test]
    fn levels_keep_the_numbers_of_the_file() {
        let rows = chains(&[&["N. America", "America", "*"], &["Europe", "Europe", "*"]]);
        let hierarchy = Hierarchy::new(Kind::Category, Level(1), &rows).unwrap();
        assert_eq!((hierarchy.base(), hierarchy.top()), (Level(1), Level(3)));
        assert_eq!(hierarchy.labels(Level(2)), ["America", "Europe"]);
        assert_eq!(hierarchy.label_size(Level(3), 0), 2);
        assert_eq!(hierarchy.code("Europe"), Some(1));
    }

    #[test]
    fn one_leaf_alone_under_its_own_name_is_no_second_meaning() {
        assert!(
            Hierarchy::new(Kind::Category, Level(0), &chains(&[&["a", "a", "*"], &["b", "c", "*"]])).is_ok()
        );
    }

    #[test]
    fn refuses_with_the_value_named() {
        assert_eq!(refusal(&[]), "the hierarchy has no values");
        assert!(refusal(&[&["a", "*"], &["b"]]).starts_with("`b` has 1 levels, expected 2"));
        assert!(refusal(&[&["a", "*"], &["a", "*"]]).starts_with("`a` occurs twice"));
        assert!(refusal(&[&["a", "x"], &["b", "y"]]).contains("(`x`, `y`)"));
        assert!(
            refusal(&[&["a", "x", "p", "*"], &["b", "x", "q", "*"]])
                .starts_with("`x` at level 1 belongs to both `p` and `q`")
        );
        assert!(
            refusal(&[&["a", "b", "*"], &["b", "c", "*"]])
                .starts_with("`b` means one set of values at level 0")
        );
        assert!(refusal(&[&["{a}", "*"], &["b", "*"]]).contains("reads as a set"));
        assert!(refusal(&[&["a", "[1, 2]", "*"], &["b", "c", "*"]]).contains("reads as a range"));
    }
}
