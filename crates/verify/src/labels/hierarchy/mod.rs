//! Reads hierarchies, and finds the leaves that each label denotes.
//!
//! A file enters, a table of labels or a rule that computes them, with the values of the column in P and T. A [`Hierarchy`]
//! leaves, whose levels nest and in which no label means two sets.

mod source;
mod grid;
mod settings;
mod built;
mod listed;
mod tree;
mod flat;
mod interval;
mod mask;
mod date;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::leaves::{Leaf, Leaves};
use crate::problems::VerifyError;
use crate::read::line_ends;
use crate::read::text::file;
use palmtop_terms::LocatedError;
use palmtop_terms::words::{plural, short};
use palmtop_terms::{Kind, Level};

pub use self::source::HierarchySource;

use self::built::{Key, LabelRule};
use self::grid::{Grid, NONE, Words};
use self::listed::Listed;
use self::settings::Settings;

/// The label that all leaves share at the top.
const TOP_LABEL: &str = "*";

/// The distinct values in a column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnValues<'a> {
    /// The file of the table, for messages.
    pub(crate) table: &'a Path,
    pub(crate) column: &'a str,
    /// The values, sorted.
    pub(crate) texts: &'a [String],
}

/// The settings of the project for the values of a hierarchy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ValueRules<'a> {
    /// The label of missing values, if values may be missing.
    pub(crate) missing_label: Option<&'a str>,
    /// Whether missing values have the top label on all coarser levels.
    pub(crate) missing_at_top: bool,
    /// Whether values of T that P lacks become leaves.
    pub(crate) adds_private: bool,
}

/// A hierarchy: the leaves that the texts of one attribute denote.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    pub(crate) kind: Kind,
    /// The base level, which is that of the public table. Its labels are the leaves.
    pub(crate) base: Level,
    /// The texts of all labels.
    words: Words,
    /// For each text its leaf, or [`NONE`].
    codes: Vec<Leaf>,
    /// The leaf of missing values, which is neither a number nor a day.
    pub(crate) missing: Option<Leaf>,
    /// For each level from the base on: the number of each leaf's label.
    groups: Vec<Vec<u32>>,
    /// The leaves of each label that is not a leaf, by the number of its text.
    denoted: FxHashMap<u32, Leaves>,
    /// The leaf of each value of T; `None` if P lacks it.
    private_leaves: FxHashMap<String, Option<Leaf>>,
}

impl Hierarchy {
    /// Reads a hierarchy for the values of both tables.
    pub(crate) fn read(
        source: &HierarchySource,
        rules: &ValueRules,
        public: ColumnValues,
        private: ColumnValues,
    ) -> Result<Self, VerifyError> {
        let wrong = |detail: String| VerifyError::hierarchy(&source.path, None, detail);
        let base = source.public_level.0;
        let content = Content::read(source, &rules.shown_values(source, public.texts, private.texts))?;
        let top = content.top();
        if base > top {
            return Err(wrong(format!(
                "public_level = {base}, but the hierarchy has levels 0 to {top}; correct the project"
            )));
        }
        // If no value is missing, the label of missing values has no effect.
        let missing = rules.missing_label.filter(|missing| {
            [public, private].iter().any(|column| column.texts.iter().any(|text| text == missing))
        });
        // A top other than `*` covers only the values of the file, not missing values.
        let is_named = content.top_label() != TOP_LABEL;
        let reader = Reader { source, content: &content, missing, is_named };
        let public_labels = reader.read_all(public, true)?;
        let private_labels = reader.read_all(private, false)?;
        let mut occurring: BTreeSet<&str> = public_labels.iter().map(AsRef::as_ref).collect();
        if rules.adds_private {
            occurring.extend(private_labels.iter().map(AsRef::as_ref));
        }
        let added = missing.filter(|label| (base < top || is_named) && occurring.remove(label));
        let has_new_top = added.is_some() && is_named;
        let top = top + u8::from(has_new_top);
        if let Some(label) = missing {
            check_missing_label(&content, label, is_named).map_err(wrong)?;
            if rules.missing_at_top {
                check_missing_level(base, top).map_err(wrong)?;
            }
        }
        let kind = source.kind.unwrap_or_else(|| content.kind());
        let grid = match &content {
            Content::Listed(listed) => listed.above(base, &occurring),
            Content::Rule(rule) => built::above(rule.as_ref(), &occurring, base).map(Cow::Owned),
        };
        let mut grid = grid.map_err(wrong)?;
        if has_new_top {
            grid = Cow::Owned(grid.into_owned().with_star().map_err(wrong)?);
        }
        if let Some(label) = added {
            let below = std::iter::repeat_n(label, usize::from(top - base));
            grid.to_mut().push(below.chain([TOP_LABEL])).map_err(wrong)?;
        }
        // The file was checked when it was read. A grid that differs from it is checked again.
        if let Cow::Owned(grid) = &grid {
            check(grid, base).map_err(wrong)?;
        }
        let walk = match &content {
            Content::Listed(listed) if kind == Kind::Category => listed.walk(base),
            _ => None,
        };
        let order = match (walk, &content) {
            (Some(walk), _) => Ok(added.map(|_| grid.height() - 1).into_iter().chain(walk).collect()),
            (None, Content::Listed(listed)) => {
                let keys = listed.sort_keys(base, kind);
                order_by(&grid, kind, added, |leaf| keys.of(leaf))
            }
            (None, Content::Rule(rule)) => order_by(&grid, kind, added, |leaf| rule.key(leaf, base, kind)),
        };
        let mut hierarchy =
            Self::of(&grid, kind, source.public_level, &order.map_err(wrong)?).map_err(wrong)?;
        let leaves = private_labels.iter().map(|label| hierarchy.leaf(label));
        let private_leaves = private.texts.iter().cloned().zip(leaves).collect();
        hierarchy.missing = added.and_then(|label| hierarchy.leaf(label));
        hierarchy.private_leaves = private_leaves;
        Ok(hierarchy)
    }

    /// The hierarchy of a grid whose leaves have this order of rows.
    fn of(grid: &Grid, kind: Kind, base: Level, order: &[usize]) -> Result<Self, String> {
        let mut codes = vec![NONE; grid.words().len()];
        for (code, &row) in (0..).zip(order) {
            if std::mem::replace(&mut codes[grid.cell(row, 0) as usize], code) != NONE {
                return Err(format!("`{}` occurs twice; remove one", grid.label(row, 0)));
            }
        }
        let mut denoted: FxHashMap<u32, Leaves> = FxHashMap::default();
        let mut groups = Vec::with_capacity(grid.width());
        for level in 0..grid.width() {
            let of_level: Vec<u32> = order.iter().map(|&row| grid.cell(row, level)).collect();
            let mut found: FxHashMap<u32, Leaves> = FxHashMap::default();
            for run in runs(&of_level) {
                // A leaf denotes itself. A text has the same meaning at every level.
                if codes[run.number as usize] == NONE && !denoted.contains_key(&run.number) {
                    found.entry(run.number).or_default().push_run(run.first, run.last);
                }
            }
            denoted.extend(found);
            groups.push(of_level);
        }
        let (words, private_leaves) = (grid.words().clone(), FxHashMap::default());
        Ok(Self { kind, base, words, codes, missing: None, groups, denoted, private_leaves })
    }

    /// The coarsest level.
    pub(crate) fn top(&self) -> Level {
        let steps = u8::try_from(self.groups.len().saturating_sub(1)).unwrap_or_default();
        Level(self.base.0 + steps)
    }

    /// The number of each leaf's label at a level of the hierarchy.
    pub(crate) fn groups(&self, level: Level) -> &[u32] {
        &self.groups[usize::from(level.0 - self.base.0)]
    }

    pub(crate) fn leaf_count(&self) -> usize {
        self.groups.first().map_or(0, Vec::len)
    }

    pub(crate) fn text(&self, leaf: Leaf) -> &str {
        self.label_of(leaf, self.base)
    }

    /// The leaf with this text.
    pub(crate) fn leaf(&self, text: &str) -> Option<Leaf> {
        let number = self.words.find(text)?;
        Some(self.codes[number as usize]).filter(|leaf| *leaf != NONE)
    }

    /// The text of a leaf's label at a level of the hierarchy.
    pub(crate) fn label_of(&self, leaf: Leaf, level: Level) -> &str {
        self.words.text(self.groups(level)[leaf as usize])
    }

    /// The text of a label with this number.
    pub(crate) fn word(&self, number: u32) -> &str {
        self.words.text(number)
    }

    /// The numbers of a leaf's labels at all levels from the base on.
    pub(crate) fn label_numbers(&self, leaf: Leaf) -> Vec<u32> {
        self.groups.iter().map(|labels| labels[leaf as usize]).collect()
    }

    /// The leaf of a value of T, generalized to the base level. `None` for a value that nobody in P has.
    pub(crate) fn private_leaf(&self, text: &str) -> Option<Leaf> {
        self.private_leaves.get(text).copied().flatten()
    }

    /// The leaves that a label denotes; `None` for a text that is not a label.
    pub(crate) fn label(&self, text: &str) -> Option<Cow<'_, Leaves>> {
        let number = self.words.find(text)?;
        match self.codes[number as usize] {
            NONE => self.denoted.get(&number).map(Cow::Borrowed),
            leaf => Some(Cow::Owned(Leaves::from_ascending([leaf]))),
        }
    }

    /// The levels at which a text is a label, ascending. Empty for a text that is not a label.
    pub(crate) fn levels_of(&self, text: &str) -> Vec<Level> {
        let Some(first) = self.label(text).and_then(|leaves| leaves.first()) else { return Vec::new() };
        let is_at = |level: &Level| self.label_of(first, *level) == text;
        (self.base.0..=self.top().0).map(Level).filter(is_at).collect()
    }

    /// Whether a text is a label that is neither a leaf nor the top label `*`.
    pub(crate) fn is_coarser_label(&self, text: &str) -> bool {
        text != TOP_LABEL && self.words.find(text).is_some_and(|number| self.denoted.contains_key(&number))
    }

    /// Whether a text is a value of T. If it is not a label, it is finer than the values of P.
    pub(crate) fn is_finer(&self, text: &str) -> bool {
        self.private_leaves.contains_key(text)
    }
}

/// Consecutive leaves with the same label.
struct Run {
    number: u32,
    first: Leaf,
    last: Leaf,
}

/// The runs of consecutive leaves with the same label, from the labels' numbers in the order of leaves.
fn runs(numbers: &[u32]) -> impl Iterator<Item = Run> {
    let mut next = 0;
    numbers.chunk_by(|left, right| left == right).map(move |run| {
        let first = next;
        next += run.len();
        let leaf = |index: usize| Leaf::try_from(index).unwrap_or(Leaf::MAX);
        Run { number: run[0], first: leaf(first), last: leaf(next - 1) }
    })
}

/// Checks that each text has one meaning and each label one parent.
fn check(grid: &Grid, base: u8) -> Result<(), String> {
    grid.check_meanings(base)?;
    if let Some(two) = grid.two_parents() {
        let (level, label) = (two.level + usize::from(base), &two.label);
        let (first, second) = (&two.first.1, &two.second.1);
        return Err(format!(
            "level {level} `{label}` has two parents, `{first}` and `{second}`; give it one parent"
        ));
    }
    Ok(())
}

/// The rows of a grid in the order of their sort keys. The leaf `missing` sorts first.
fn order_by(
    grid: &Grid,
    kind: Kind,
    missing: Option<&str>,
    key: impl Fn(&str) -> Option<Key>,
) -> Result<Vec<usize>, String> {
    let mut order = Vec::with_capacity(grid.height());
    for row in 0..grid.height() {
        let leaf = grid.label(row, 0);
        let key = if Some(leaf) == missing { Some(Key::Missing) } else { key(leaf) };
        let key = key.ok_or_else(|| {
            format!(
                "`{leaf}` is not a {}, as the attribute's kind requires; correct one of them",
                kind.as_str()
            )
        })?;
        order.push((key, leaf, row));
    }
    order.sort_unstable();
    if kind.is_ordered()
        && let Some(pair) = order.windows(2).find(|pair| pair[0].0 == pair[1].0)
    {
        let noun = if kind == Kind::Number { "number" } else { "day" };
        let (first, second) = (pair[0].1, pair[1].1);
        return Err(format!("`{first}` and `{second}` are the same {noun}; write it in one way"));
    }
    Ok(order.into_iter().map(|(.., row)| row).collect())
}

impl ValueRules<'_> {
    /// The values that decide the form of labels: those of P, and those of T if they become leaves. Missing values do not count.
    fn shown_values<'a>(
        &self,
        source: &HierarchySource,
        public: &'a [String],
        private: &'a [String],
    ) -> Cow<'a, [String]> {
        if self.missing_label.is_none() && !self.adds_private {
            return Cow::Borrowed(public);
        }
        let added = if self.adds_private && source.public_level.0 == 0 { private } else { &[] };
        let values = public.iter().chain(added).filter(|text| Some(text.as_str()) != self.missing_label);
        Cow::Owned(values.cloned().collect())
    }
}

/// Checks that the label of missing values is no other label.
fn check_missing_label(content: &Content, label: &str, is_named: bool) -> Result<(), String> {
    // A computed hierarchy accepts any text at level 0, so only listed values are checked there.
    let lowest = u8::from(matches!(content, Content::Rule(_)));
    if let Some(level) =
        (lowest..=content.top()).find(|&level| content.generalize(label, level, level).is_some())
    {
        return Err(format!(
            "`{label}` is a label of level {level} and also the label of missing values; choose another `missing_label`"
        ));
    }
    if is_named && label == TOP_LABEL {
        return Err(format!(
            "`{label}` is the top label and also the label of missing values; choose another `missing_label`"
        ));
    }
    Ok(())
}

/// Checks that `missing_at = "top"` leaves a level for the other values.
fn check_missing_level(base: u8, top: u8) -> Result<(), String> {
    if top > base + 1 {
        return Err(format!(
            "missing_at = \"top\": `{TOP_LABEL}` would mean only missing values at level {}, but all values at level {top}; \
             remove `missing_at`",
            base + 1
        ));
    }
    Ok(())
}

/// The content of a hierarchy file.
enum Content {
    /// Every leaf and its labels.
    Listed(Listed),
    /// The rule that computes the labels of any value.
    Rule(Box<dyn LabelRule>),
}

impl Content {
    fn read(source: &HierarchySource, public: &[String]) -> Result<Self, VerifyError> {
        let path = &source.path;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if extension.eq_ignore_ascii_case("csv") {
            return Ok(Self::Listed(listed::read(source)?));
        }
        if !extension.eq_ignore_ascii_case("toml") {
            let detail = "expected a name ending in .csv (one leaf per line) or .toml (a type with settings)";
            return Err(VerifyError::hierarchy(path, None, detail));
        }
        let bytes = file::read(path, file::MOST_TEXT)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + line_ends(&bytes[..error.valid_up_to()]);
            LocatedError::new("not UTF-8").in_file(path).at_line(line).remedy("save the file as UTF-8")
        })?;
        let settings = Settings::parse(path, text)?;
        let base = source.public_level.0;
        Ok(match settings.text_of("type")? {
            "interval" => Self::Rule(Box::new(interval::read(&settings, public, base)?)),
            "mask" => Self::Rule(Box::new(mask::read(&settings)?)),
            "date" => Self::Rule(Box::new(date::read(&settings)?)),
            "tree" => Self::Listed(tree::read(&settings)?),
            "flat" => Self::Rule(Box::new(flat::read(&settings, public, base)?)),
            unknown => {
                let detail =
                    format!("type `{unknown}` is unknown; expected interval, mask, date, tree or flat");
                return Err(settings.wrong(None, detail));
            }
        })
    }

    fn top(&self) -> u8 {
        match self {
            Self::Listed(listed) => listed.top(),
            Self::Rule(rule) => rule.top(),
        }
    }

    fn top_label(&self) -> String {
        match self {
            Self::Listed(listed) => listed.top_label(),
            Self::Rule(_) => TOP_LABEL.to_owned(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Listed(listed) => listed.kind(),
            Self::Rule(rule) => rule.kind(),
        }
    }

    /// The label at level `base` of a text of level `level`.
    fn generalize(&self, text: &str, level: u8, base: u8) -> Option<Cow<'_, str>> {
        match self {
            Self::Listed(listed) => listed.generalize(text, level, base).map(Cow::Borrowed),
            Self::Rule(rule) => rule.generalize(text, level, base).map(Cow::Owned),
        }
    }
}

/// Reads the values of a table as labels of the base level.
struct Reader<'a> {
    source: &'a HierarchySource,
    content: &'a Content,
    missing: Option<&'a str>,
    /// Whether the top of the file has a label other than `*`. It does not cover missing values then.
    is_named: bool,
}

impl<'a> Reader<'a> {
    /// The number of missing values that a message lists.
    const NAMED: usize = 10;

    /// The label of every value at the base level. The values of P must be labels of the base level.
    fn read_all(&self, column: ColumnValues, is_public: bool) -> Result<Vec<Cow<'a, str>>, VerifyError> {
        let mut labels = Vec::with_capacity(column.texts.len());
        let mut missing: Vec<&String> = Vec::new();
        for text in column.texts {
            match self.read(text, is_public) {
                Ok(Some(label)) => labels.push(label),
                Ok(None) => missing.push(text),
                Err([first, second]) => {
                    let hierarchy = self.source.path.display();
                    let problem =
                        format!("`{text}` can mean both `{first}` and `{second}` of hierarchy {hierarchy}");
                    return Err(LocatedError::new(problem)
                        .in_file(column.table)
                        .at_column(column.column)
                        .remedy("rename labels so that each text means one set of values")
                        .into());
                }
            }
        }
        if missing.is_empty() {
            return Ok(labels);
        }
        let quoted = |value: &&String| match short(value) {
            part if part == *value => format!("{value:?}"),
            part => format!("{part:?}…"),
        };
        let listed: Vec<String> = missing.iter().take(Self::NAMED).map(quoted).collect();
        Err(LocatedError::new(format!(
            "{} that hierarchy {} lacks: {}{}",
            plural(missing.len() as u64, "value"),
            self.source.path.display(),
            listed.join(", "),
            if missing.len() > listed.len() { ", …" } else { "" }
        ))
        .in_file(column.table)
        .at_column(column.column)
        .remedy("correct the table or the hierarchy")
        .into())
    }

    /// Reads a value as a label of every level up to the base. All readings must give the same label.
    fn read(&self, text: &str, is_public: bool) -> Result<Option<Cow<'a, str>>, [String; 2]> {
        let base = self.source.public_level.0;
        if let Some(label) = self.missing.filter(|label| *label == text) {
            let is_top = base == self.content.top() && !self.is_named;
            return Ok(match (is_top, is_public) {
                (false, _) => Some(Cow::Borrowed(label)),
                (true, false) => Some(Cow::Owned(self.content.top_label())),
                (true, true) => None,
            });
        }
        let mut label = self.content.generalize(text, base, base);
        if is_public && label.is_none() {
            return Ok(None);
        }
        for level in 0..base {
            match (self.content.generalize(text, level, base), &label) {
                (Some(found), Some(known)) if found != *known => {
                    return Err([known.to_string(), found.into_owned()]);
                }
                (Some(found), None) => label = Some(found),
                _ => {}
            }
        }
        Ok(label)
    }
}

#[cfg(test)]
pub(crate) mod tests;
