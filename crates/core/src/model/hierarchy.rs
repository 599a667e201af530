//! Generalization hierarchies: each leaf has one label at every level, from its loaded value up to
//! `*`.

pub use palmtop_terms::{Kind, Level};

use super::chains::Chains;
use super::error::ModelError;
use super::size;
use super::texts::{TextIndex, Texts};

/// The position of a leaf in the hierarchy's order of values, from 0.
pub type Code = u32;

/// One level of a hierarchy: the label of every leaf, and how many leaves each label denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tier {
    label_of: Vec<u32>,
    labels: Texts,
    sizes: Vec<u32>,
}

/// A generalization hierarchy over leaves in the order of their values.
///
/// Every hierarchy nests and ends in one label, and each label denotes one set of leaves. Levels
/// keep the numbers of the file. If the public table holds values of a coarser level, that level is
/// the [`base`](Self::base), and its labels are the leaves.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    kind: Kind,
    base: Level,
    tiers: Vec<Tier>,
    /// Derived from the leaves.
    codes: TextIndex,
    missing: Option<Code>,
}

impl PartialEq for Hierarchy {
    fn eq(&self, other: &Self) -> bool {
        let parts = |hierarchy: &Self| (hierarchy.kind, hierarchy.base, hierarchy.missing);
        parts(self) == parts(other) && self.tiers == other.tiers
    }
}

impl Eq for Hierarchy {}

impl Hierarchy {
    /// The largest possible number of levels, including those below the base.
    pub const MOST_LEVELS: usize = size::MOST_LEVELS;

    /// Creates a hierarchy from one chain of labels for each leaf, from `base` to the top. Leaves
    /// are in the order of their values.
    ///
    /// # Errors
    /// A [`ModelError`] that names the leaf or label:
    ///
    /// - no leaves or too many, uneven or too many levels, a repeated leaf;
    /// - a level that is not a function of the level below it, or no single top;
    /// - a text with two meanings, or a text that reads as a side.
    pub fn new<S: AsRef<str>>(kind: Kind, base: Level, chains: &[Vec<S>]) -> Result<Self, ModelError> {
        let height = chains.first().map_or(0, Vec::len);
        Self::check_height(height + usize::from(base.0))?;
        Self::check_leaf_count(chains.len())?;
        Self::of_chains(kind, base, &Chains::of_lists(chains)?)
    }

    /// As [`new`](Self::new), for chains that are stored in columns.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new).
    pub fn of_chains(kind: Kind, base: Level, chains: &Chains) -> Result<Self, ModelError> {
        let (texts, columns) = (chains.texts(), chains.columns());
        if chains.leaf_count() == 0 {
            return Err(ModelError::no_leaves());
        }
        Self::check_height(columns.len() + usize::from(base.0))?;
        Self::check_leaf_count(chains.leaf_count())?;
        let (tiers, labels): (Vec<Tier>, Vec<Vec<u32>>) =
            columns.iter().map(|column| Tier::new(texts, column)).unzip();
        // Leaves have distinct texts.
        let repeated = (0..).zip(&tiers[0].label_of).find(|(code, label)| code != *label);
        if let Some((code, _)) = repeated {
            let text = columns[0][code as usize] as usize;
            let leaf = &texts[text];
            return Err(ModelError::Invalid(format!("`{leaf}` occurs twice; each value must occur once")));
        }
        let codes = TextIndex::of(&tiers[0].labels);
        let hierarchy = Self { kind, base, tiers, codes, missing: None };
        hierarchy.check_nesting()?;
        hierarchy.check_meanings(texts.len(), &labels)?;
        Ok(hierarchy)
    }

    /// Marks a leaf as the missing value, if the hierarchy has this leaf. It must be the first in
    /// the order of values.
    ///
    /// A part of ordered values that contains the missing value is not a range, and is written
    /// differently: see [`Label::text`](super::Label::text).
    ///
    /// # Panics
    /// If the leaf is not the first.
    #[must_use]
    pub fn with_missing(mut self, leaf: &str) -> Self {
        self.missing = self.code(leaf);
        assert!(self.missing.unwrap_or(0) == 0, "who has no value stands before all values");
        self
    }

    /// The leaf of the missing value, if there is one. It is the first leaf.
    pub fn missing(&self) -> Option<Code> {
        self.missing
    }

    /// Checks that a hierarchy may have this number of levels, counted from 0.
    ///
    /// # Errors
    /// A [`ModelError`] with the largest number.
    pub fn check_height(levels: usize) -> Result<(), ModelError> {
        let most = Self::MOST_LEVELS;
        if levels > most {
            let text = format!("the hierarchy has {levels} levels; at most {most} are possible");
            return Err(ModelError::Invalid(text));
        }
        Ok(())
    }

    fn check_leaf_count(found: usize) -> Result<(), ModelError> {
        let most = u32::MAX;
        if u32::try_from(found).is_err() {
            let text = format!("the hierarchy has {found} values; at most {most} are possible");
            return Err(ModelError::Invalid(text));
        }
        Ok(())
    }

    fn check_nesting(&self) -> Result<(), ModelError> {
        for (level, pair) in (self.base.0..).zip(self.tiers.windows(2)) {
            let (fine, coarse) = (&pair[0], &pair[1]);
            let mut parent: Vec<Option<u32>> = vec![None; fine.labels.len()];
            for (&label, &above) in fine.label_of.iter().zip(&coarse.label_of) {
                let known = parent[label as usize].get_or_insert(above);
                if *known != above {
                    return Err(ModelError::Invalid(format!(
                        "`{}` at level {level} belongs to both `{}` and `{}` one level up; it must belong to one",
                        &fine.labels[label as usize],
                        &coarse.labels[*known as usize],
                        &coarse.labels[above as usize]
                    )));
                }
            }
        }
        match self.tiers.last().map(|tier| &tier.labels) {
            Some(labels) if labels.len() > 1 => Err(ModelError::Invalid(format!(
                "the last level has more than one label (`{}`, `{}`); it must be one label for everything",
                &labels[0], &labels[1]
            ))),
            _ => Ok(()),
        }
    }

    /// Checks that each text denotes one set of leaves, and that no text reads as a range or a set.
    /// `labels` has the text number of each label, below `text_count`.
    fn check_meanings(&self, text_count: usize, labels: &[Vec<u32>]) -> Result<(), ModelError> {
        // The first occurrence of each text: its depth, and its label there.
        let mut first_of: Vec<Option<(u8, u32)>> = vec![None; text_count];
        for ((depth, tier), texts) in (0_u8..).zip(&self.tiers).zip(labels) {
            let mut is_known = false;
            for ((label, label_text), &text) in (0..).zip(tier.labels.iter()).zip(texts) {
                if let Some(reads_as) = reads_as_side(label_text) {
                    let text = format!("`{label_text}` reads as a {reads_as} in a release; rename it");
                    return Err(ModelError::Invalid(text));
                }
                is_known |= *first_of[text as usize].get_or_insert((depth, label)) != (depth, label);
            }
            if is_known {
                self.check_meaning(depth, |label| first_of[texts[label as usize] as usize])?;
            }
        }
        Ok(())
    }

    /// Checks that a text which also occurs at a finer level denotes the same leaves there.
    fn check_meaning(
        &self,
        depth: u8,
        first_of: impl Fn(u32) -> Option<(u8, u32)>,
    ) -> Result<(), ModelError> {
        let tier = &self.tiers[usize::from(depth)];
        for (leaf, &label) in tier.label_of.iter().enumerate() {
            let Some((known_depth, known_label)) = first_of(label).filter(|(first, _)| *first != depth)
            else {
                continue;
            };
            let known = &self.tiers[usize::from(known_depth)];
            let is_same = known.label_of[leaf] == known_label
                && known.sizes[known_label as usize] == tier.sizes[label as usize];
            if !is_same {
                let [first, second] = [known_depth, depth].map(|depth| self.level_at(usize::from(depth)));
                return Err(ModelError::Invalid(format!(
                    "`{}` means one set of values at level {first} and another at level {second}; rename one of them",
                    &tier.labels[label as usize]
                )));
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

    /// The kind of the values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The finest level: 0, or the level of the values in the public table.
    pub fn base(&self) -> Level {
        self.base
    }

    /// The coarsest level, which has one label for all leaves.
    pub fn top(&self) -> Level {
        self.level_at(self.tiers.len() - 1)
    }

    /// All levels, finest first.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = Level> + use<> {
        (self.base.0..=self.top().0).map(Level)
    }

    /// The number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.tiers[0].labels.len()
    }

    /// The text of a leaf.
    pub fn leaf(&self, code: Code) -> &str {
        &self.tiers[0].labels[code as usize]
    }

    /// The code of the leaf with this text.
    pub fn code(&self, leaf: &str) -> Option<Code> {
        self.codes.find(&self.tiers[0].labels, leaf)
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
    pub fn labels(&self, level: Level) -> &Texts {
        &self.tier(level).labels
    }

    /// The number of labels at `level`.
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    pub fn label_count(&self, level: Level) -> usize {
        self.tier(level).labels.len()
    }

    /// The number of leaves that a label of `level` denotes.
    ///
    /// # Panics
    /// If the hierarchy has no such level or label.
    pub fn label_size(&self, level: Level, label: u32) -> u32 {
        self.tier(level).sizes[label as usize]
    }

    /// The hierarchy from `level` upwards. The labels of `level` become its leaves, and each still
    /// counts as the leaves that it denotes here.
    ///
    /// If these labels are not ranges of ordered values, the new leaves are categories.
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    #[must_use]
    pub fn raised(&self, level: Level) -> Self {
        let leaves = self.labels_of(level);
        let mut example = vec![0; self.label_count(level)];
        (0..).zip(leaves).for_each(|(code, &label)| example[label as usize] = code);
        let is_apart = |code: Code| self.label_size(level, leaves[code as usize]) == 1;
        let missing = self.missing.filter(|&code| is_apart(code)).map(|code| leaves[code as usize]);
        let tiers = &self.tiers[usize::from(level.0 - self.base.0)..];
        let raise = |tier: &Tier| Tier {
            label_of: example.iter().map(|&code: &Code| tier.label_of[code as usize]).collect(),
            labels: tier.labels.clone(),
            sizes: tier.sizes.clone(),
        };
        Self {
            kind: if leaves.is_sorted() { self.kind } else { Kind::Category },
            base: level,
            codes: TextIndex::of(self.labels(level)),
            tiers: tiers.iter().map(raise).collect(),
            missing,
        }
    }

    /// The number of leaves that all labels of a level denote, including those below the base of a
    /// [raised](Self::raised) hierarchy. Losses are shares of this number.
    pub fn denoted_leaves(&self) -> u32 {
        self.label_size(self.top(), 0)
    }

    /// The number of leaves that a leaf counts as: 1, unless this hierarchy was
    /// [raised](Self::raised).
    pub fn leaf_size(&self, code: Code) -> u32 {
        self.label_size(self.base, code)
    }

    /// The number of leaves that the leaves from `low` to `high` count as, both included.
    pub fn leaves_between(&self, low: Code, high: Code) -> u32 {
        if self.denoted_leaves() as usize == self.leaf_count() {
            high - low + 1
        } else {
            (low..=high).map(|code| self.leaf_size(code)).sum()
        }
    }

    /// The finest label, at `finest` or a coarser level, that denotes all of these leaves. If there
    /// are no leaves, the label of leaf 0. O(leaves + levels).
    ///
    /// # Panics
    /// If the hierarchy has no such level.
    pub fn label_around(&self, finest: Level, codes: impl IntoIterator<Item = Code>) -> (Level, u32) {
        let mut codes = codes.into_iter();
        let first = codes.next().unwrap_or(0) as usize;
        let mut level = finest;
        for code in codes {
            // The loop ends, because the top has one label.
            while self.labels_of(level)[code as usize] != self.labels_of(level)[first] {
                level.0 += 1;
            }
        }
        (level, self.labels_of(level)[first])
    }

    /// The coarsest level at which these leaves have different labels: the level below their finest
    /// common label. `None` if they are one leaf. O(leaves + levels).
    pub fn parting_level(&self, codes: impl IntoIterator<Item = Code>) -> Option<Level> {
        let (level, _) = self.label_around(self.base, codes);
        (level > self.base).then(|| Level(level.0 - 1))
    }

    /// For each label at `from`, the label of its leaves at the coarser level `to`.
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
    /// Creates one level from its column of texts, with the text number of each label. Labels are
    /// numbered in the order of the leaves.
    fn new(texts: &Texts, column: &[u32]) -> (Self, Vec<u32>) {
        const UNKNOWN: u32 = u32::MAX;
        let mut number_of = vec![UNKNOWN; texts.len()];
        let (mut label_of, mut labels, mut sizes) =
            (Vec::with_capacity(column.len()), Vec::new(), Vec::new());
        for &text in column {
            let label = &mut number_of[text as usize];
            if *label == UNKNOWN {
                *label = size::number(labels.len());
                labels.push(text);
                sizes.push(0);
            }
            sizes[*label as usize] += 1;
            label_of.push(*label);
        }
        let released = labels.iter().map(|&text| &texts[text as usize]).collect();
        (Self { label_of, labels: released, sizes }, labels)
    }
}

/// Whether a release would read a text as a range `[low, high]` or a set `{a, b}`.
pub fn reads_as_side(text: &str) -> Option<&'static str> {
    if text.ends_with('}') && (text.starts_with('{') || text.contains(" except {")) {
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
        assert_eq!(*hierarchy.labels(Level(2)), ["America", "Europe"]);
        assert_eq!(hierarchy.label_size(Level(3), 0), 2);
        assert_eq!(hierarchy.code("Europe"), Some(1));
    }

    #[test]
    fn label_around_leaves_is_the_finest_covering_all() {
        let rows = chains(&[
            &["a", "x", "p", "*"],
            &["b", "x", "p", "*"],
            &["c", "y", "p", "*"],
            &["d", "z", "q", "*"],
        ]);
        let hierarchy = Hierarchy::new(Kind::Category, Level(0), &rows).unwrap();
        let around = |codes: &[Code]| {
            let (level, label) = hierarchy.label_around(Level(0), codes.iter().copied());
            (&hierarchy.labels(level)[label as usize], hierarchy.parting_level(codes.iter().copied()))
        };
        assert_eq!(around(&[1]), ("b", None));
        assert_eq!(around(&[1, 1]), ("b", None));
        assert_eq!(around(&[0, 1]), ("x", Some(Level(0))));
        assert_eq!(around(&[0, 2]), ("p", Some(Level(1))));
        assert_eq!(around(&[0, 3, 1]), ("*", Some(Level(2))));
    }

    #[test]
    fn label_of_one_leaf_may_repeat_its_name() {
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
