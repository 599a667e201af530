//! Hierarchies, read by the verifier for itself: what each label denotes, as a set of leaves.

mod grid;
mod settings;
mod listed;
mod tree;
mod flat;
mod built;
mod interval;
mod mask;
mod date;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::denote::Leaves;
use super::error::VerifyError;
use super::file;
use super::records::line_ends;
use super::value::{Day, Number};
use palmtop_terms::{Kind, Level};

use self::built::Built;
use self::grid::{Grid, NONE, Words};
use self::listed::Listed;
use self::settings::Settings;

/// What everybody is at the top.
const EVERYBODY: &str = "*";

/// A leaf's place in the order of values, from 0.
pub(super) type Leaf = u32;

/// Which hierarchy a quasi-identifier has, and how the project wants it read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchySource {
    /// A `.csv` or `.toml` file.
    pub path: PathBuf,
    /// What the values are; by default what the file says.
    pub kind: Option<Kind>,
    /// The level that the public table holds.
    pub public_level: Level,
}

/// The distinct values of one column of one table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<'a> {
    /// The table, for messages.
    pub(super) table: &'a Path,
    pub(super) column: &'a str,
    /// Sorted.
    pub(super) texts: &'a [String],
}

/// What the project says of a hierarchy's values beside its file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Whole<'a> {
    /// What people without a value are called, where there may be some.
    pub(super) missing: Option<&'a str>,
    /// Whether they are to be as everybody from the next level on.
    pub(super) at_top: bool,
    /// Whether the values of T are values of P, too.
    pub(super) adds: bool,
}

/// A value's place in the order of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// Without a value: first of all.
    None,
    Number(Number),
    Day(Day),
    Text(String),
    /// Where its label of each level first stands, from the top down.
    Walk(Vec<u32>),
    /// The only one.
    Whole,
}

/// What the texts of one quasi-identifier denote.
#[derive(Debug)]
pub(super) struct Hierarchy {
    pub(super) kind: Kind,
    /// The level that the public table holds: its labels are the leaves.
    pub(super) base: Level,
    /// The texts of all labels.
    words: Words,
    /// Of each text, its leaf, or [`NONE`].
    codes: Vec<Leaf>,
    /// The leaf of people without a value: no number and no day.
    pub(super) missing: Option<Leaf>,
    /// Of each level from the base on, the number of each leaf's label.
    groups: Vec<Vec<u32>>,
    /// What each label above the base level denotes, if it is no leaf, by the number of its text.
    denoted: FxHashMap<u32, Leaves>,
    /// T's values: the leaf of each, or none where P has not its label.
    raised: FxHashMap<String, Option<Leaf>>,
}

impl Hierarchy {
    /// Reads a hierarchy for the values that the two tables hold.
    pub(super) fn read(
        source: &HierarchySource,
        whole: &Whole,
        public: Held,
        private: Held,
    ) -> Result<Self, VerifyError> {
        let wrong = |detail| VerifyError::Hierarchy { path: source.path.clone(), line: None, detail };
        let base = source.public_level.0;
        let content = Content::read(source, &whole.shown(source, public.texts, private.texts))?;
        let top = content.top();
        if base > top {
            return Err(wrong(format!(
                "public_level = {base}, but its levels are 0 to {top}; correct the project"
            )));
        }
        // A label that nobody needs may be anything.
        let missing = whole.missing.filter(|missing| {
            [public, private].iter().any(|held| held.texts.iter().any(|text| text == missing))
        });
        // A top with a name means the values below it alone; nobody without a value is one of these.
        let is_named = content.top_label() != EVERYBODY;
        let reader = Reader { source, content: &content, missing, is_named };
        let public_leaves = reader.read_all(public, true)?;
        let private_leaves = reader.read_all(private, false)?;
        let mut occurring: BTreeSet<&str> = public_leaves.iter().map(AsRef::as_ref).collect();
        if whole.adds {
            occurring.extend(private_leaves.iter().map(AsRef::as_ref));
        }
        let lacking = missing.filter(|label| (base < top || is_named) && occurring.remove(label));
        let is_raised = lacking.is_some() && is_named;
        let top = top + u8::from(is_raised);
        if let Some(label) = missing {
            check_missing(&content, label, (whole, is_named), (base, top)).map_err(wrong)?;
        }
        let kind = source.kind.unwrap_or_else(|| content.kind());
        let grid = match &content {
            Content::Listed(listed) => listed.above(base, &occurring),
            Content::Built(built) => built::above(built.as_ref(), &occurring, base).map(Cow::Owned),
        };
        let mut grid = grid.map_err(wrong)?;
        if is_raised {
            grid = Cow::Owned(grid.into_owned().raise().map_err(wrong)?);
        }
        if let Some(label) = lacking {
            let below = std::iter::repeat_n(label, usize::from(top - base));
            grid.to_mut().push(below.chain([EVERYBODY])).map_err(wrong)?;
        }
        // What was read is checked; what was made of it is checked again.
        if let Cow::Owned(grid) = &grid {
            check(grid, base).map_err(wrong)?;
        }
        let order = match &content {
            Content::Listed(listed) if kind == Kind::Category => listed.walk(base),
            _ => None,
        };
        let order = match order {
            Some(walk) => Ok(lacking.map(|_| grid.height() - 1).into_iter().chain(walk).collect()),
            None => order_by(&grid, kind, |leaf| match &content {
                _ if Some(leaf) == lacking => Some(Key::None),
                Content::Listed(listed) => listed.key(leaf, base, kind),
                Content::Built(built) => built.key(leaf, base, kind),
            }),
        };
        let mut hierarchy =
            Self::of(&grid, kind, source.public_level, &order.map_err(wrong)?).map_err(wrong)?;
        let leaves = private_leaves.iter().map(|label| hierarchy.leaf(label));
        let raised = private.texts.iter().cloned().zip(leaves).collect();
        hierarchy.missing = lacking.and_then(|label| hierarchy.leaf(label));
        hierarchy.raised = raised;
        Ok(hierarchy)
    }

    /// The leaves of a grid, whose rows have an order.
    fn of(grid: &Grid, kind: Kind, base: Level, order: &[usize]) -> Result<Self, String> {
        let mut codes = vec![NONE; grid.words().len()];
        for (code, &row) in (0..).zip(order) {
            if std::mem::replace(&mut codes[grid.cell(row, 0) as usize], code) != NONE {
                return Err(format!("`{}` occurs twice", grid.label(row, 0)));
            }
        }
        let mut denoted: FxHashMap<u32, Leaves> = FxHashMap::default();
        let mut groups = Vec::with_capacity(grid.width());
        for level in 0..grid.width() {
            let of_level: Vec<u32> = order.iter().map(|&row| grid.cell(row, level)).collect();
            let mut found: FxHashMap<u32, Leaves> = FxHashMap::default();
            for run in runs(&of_level) {
                // A leaf denotes itself, and a text means the same at every level.
                if codes[run.number as usize] == NONE && !denoted.contains_key(&run.number) {
                    found.entry(run.number).or_default().push_run(run.first, run.last);
                }
            }
            denoted.extend(found);
            groups.push(of_level);
        }
        let (words, raised) = (grid.words().clone(), FxHashMap::default());
        Ok(Self { kind, base, words, codes, missing: None, groups, denoted, raised })
    }

    /// The coarsest level.
    pub(super) fn top(&self) -> Level {
        let steps = u8::try_from(self.groups.len().saturating_sub(1)).unwrap_or_default();
        Level(self.base.0 + steps)
    }

    /// The number of each leaf's label at a level that the hierarchy has.
    pub(super) fn groups(&self, level: Level) -> &[u32] {
        &self.groups[usize::from(level.0 - self.base.0)]
    }

    pub(super) fn leaf_count(&self) -> usize {
        self.groups.first().map_or(0, Vec::len)
    }

    pub(super) fn text(&self, leaf: Leaf) -> &str {
        self.label_of(leaf, self.base)
    }

    /// The leaf that a text is, as the public table has it.
    pub(super) fn leaf(&self, text: &str) -> Option<Leaf> {
        let number = self.words.find(text)?;
        Some(self.codes[number as usize]).filter(|leaf| *leaf != NONE)
    }

    /// The text of a leaf's label at a level that the hierarchy has.
    pub(super) fn label_of(&self, leaf: Leaf, level: Level) -> &str {
        self.words.text(self.groups(level)[leaf as usize])
    }

    /// The number of a leaf's label at each level from the base on.
    pub(super) fn label_numbers(&self, leaf: Leaf) -> Vec<u32> {
        self.groups.iter().map(|labels| labels[leaf as usize]).collect()
    }

    /// The leaf of a value of T: itself, or the one that it is raised to. `None` for one that nobody in P has.
    pub(super) fn private_leaf(&self, text: &str) -> Option<Leaf> {
        self.raised.get(text).copied().flatten()
    }

    /// What a label denotes.
    pub(super) fn label(&self, text: &str) -> Option<Cow<'_, Leaves>> {
        let number = self.words.find(text)?;
        match self.codes[number as usize] {
            NONE => self.denoted.get(&number).map(Cow::Borrowed),
            leaf => Some(Cow::Owned(Leaves::from_ascending([leaf]))),
        }
    }

    /// Whether a text is a label of some leaves, neither a leaf itself nor everybody.
    pub(super) fn is_coarser_label(&self, text: &str) -> bool {
        text != EVERYBODY && self.words.find(text).is_some_and(|number| self.denoted.contains_key(&number))
    }

    /// Whether a text that is no label is a value of T all the same, and so finer than the public table's.
    pub(super) fn is_finer(&self, text: &str) -> bool {
        self.raised.contains_key(text)
    }
}

/// Neighbours of one label.
struct Run {
    number: u32,
    first: Leaf,
    last: Leaf,
}

/// The runs of neighbours that have one label, from the numbers of the leaves' labels.
fn runs(numbers: &[u32]) -> impl Iterator<Item = Run> {
    let mut next = 0;
    numbers.chunk_by(|left, right| left == right).map(move |run| {
        let first = next;
        next += run.len();
        let leaf = |place: usize| Leaf::try_from(place).unwrap_or(Leaf::MAX);
        Run { number: run[0], first: leaf(first), last: leaf(next - 1) }
    })
}

/// Checks that each text means one thing, and that each label has one parent.
fn check(grid: &Grid, base: u8) -> Result<(), String> {
    grid.check_meanings(base)?;
    if let Some(two) = grid.two_parents() {
        let (level, label) = (two.level + usize::from(base), &two.label);
        let (first, second) = (&two.first.1, &two.second.1);
        return Err(format!("level {level} `{label}` belongs to both `{first}` and `{second}`"));
    }
    Ok(())
}

/// The rows of a grid in the order of values.
fn order_by(grid: &Grid, kind: Kind, key: impl Fn(&str) -> Option<Key>) -> Result<Vec<usize>, String> {
    let mut order = Vec::with_capacity(grid.height());
    for row in 0..grid.height() {
        let leaf = grid.label(row, 0);
        let key = key(leaf).ok_or_else(|| {
            format!(
                "`{leaf}` is no {}, which the attribute's kind asks for; correct one of them",
                kind.as_str()
            )
        })?;
        order.push((key, leaf, row));
    }
    order.sort_unstable();
    if kind.is_ordered()
        && let Some(pair) = order.windows(2).find(|pair| pair[0].0 == pair[1].0)
    {
        let what = if kind == Kind::Number { "number" } else { "day" };
        let (first, second) = (pair[0].1, pair[1].1);
        return Err(format!("`{first}` and `{second}` are the same {what}; write it in one way"));
    }
    Ok(order.into_iter().map(|(.., row)| row).collect())
}

impl Whole<'_> {
    /// The values that show how bands are written: those of P, or those that P will have, and nobody without one.
    fn shown<'a>(
        &self,
        source: &HierarchySource,
        public: &'a [String],
        private: &'a [String],
    ) -> Cow<'a, [String]> {
        if self.missing.is_none() && !self.adds {
            return Cow::Borrowed(public);
        }
        let own = if self.adds && source.public_level.0 == 0 { private } else { &[] };
        let values = public.iter().chain(own).filter(|text| Some(text.as_str()) != self.missing);
        Cow::Owned(values.cloned().collect())
    }
}

/// What people without a value are called must be no label, and must have a place to stand.
fn check_missing(
    content: &Content,
    label: &str,
    (whole, is_named): (&Whole, bool),
    (base, top): (u8, u8),
) -> Result<(), String> {
    // Whatever a table calls so is nobody's value, so that only a file that lists its values can have it at level 0.
    let lowest = u8::from(matches!(content, Content::Built(_)));
    if let Some(level) = (lowest..=content.top()).find(|&level| content.raise(label, level, level).is_some())
    {
        return Err(format!(
            "`{label}` is a label of level {level}, and people without a value are called so, too"
        ));
    }
    if is_named && label == EVERYBODY {
        return Err(format!("`{label}` is what everybody is, and people without a value are called so, too"));
    }
    if whole.at_top && top > base + 1 {
        return Err(format!(
            "missing_at = \"top\": `{EVERYBODY}` would mean nobody but people without a value at level {}, and everybody at level \
             {top}",
            base + 1
        ));
    }
    Ok(())
}

/// What a hierarchy file says.
enum Content {
    /// Every leaf and its labels.
    Listed(Listed),
    /// How the labels of any value are made.
    Built(Box<dyn Built>),
}

impl Content {
    fn read(source: &HierarchySource, public: &[String]) -> Result<Self, VerifyError> {
        let path = &source.path;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if extension.eq_ignore_ascii_case("csv") {
            return Ok(Self::Listed(listed::read(source)?));
        }
        if !extension.eq_ignore_ascii_case("toml") {
            let detail = "expected a name ending in .csv (a leaf a line) or .toml (built from the data)";
            return Err(VerifyError::Hierarchy { path: path.clone(), line: None, detail: detail.to_owned() });
        }
        let bytes = file::read(path, file::MOST_TEXT)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + line_ends(&bytes[..error.valid_up_to()]);
            VerifyError::Form {
                path: path.clone(),
                line,
                detail: "not UTF-8; save the file as UTF-8".to_owned(),
            }
        })?;
        let settings = Settings::parse(path, text)?;
        let base = source.public_level.0;
        Ok(match settings.text_of("type")? {
            "interval" => Self::Built(Box::new(interval::read(&settings, public, base)?)),
            "mask" => Self::Built(Box::new(mask::read(&settings)?)),
            "date" => Self::Built(Box::new(date::read(&settings)?)),
            "tree" => Self::Listed(tree::read(&settings)?),
            "flat" => Self::Built(Box::new(flat::read(&settings, public, base)?)),
            other => {
                let detail =
                    format!("type `{other}` is unknown; types are interval, mask, date, tree and flat");
                return Err(settings.wrong(None, detail));
            }
        })
    }

    fn top(&self) -> u8 {
        match self {
            Self::Listed(listed) => listed.top(),
            Self::Built(built) => built.top(),
        }
    }

    fn top_label(&self) -> String {
        match self {
            Self::Listed(listed) => listed.top_label(),
            Self::Built(_) => "*".to_owned(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Listed(listed) => listed.kind(),
            Self::Built(built) => built.kind(),
        }
    }

    /// The label of level `base` that a text of a level stands for.
    fn raise(&self, text: &str, level: u8, base: u8) -> Option<Cow<'_, str>> {
        match self {
            Self::Listed(listed) => listed.raise(text, level, base).map(Cow::Borrowed),
            Self::Built(built) => built.raise(text, level, base).map(Cow::Owned),
        }
    }
}

/// Reads the values of a table as labels of the base level.
struct Reader<'a> {
    source: &'a HierarchySource,
    content: &'a Content,
    missing: Option<&'a str>,
    /// Whether the file's top means the values below it, and nobody without one.
    is_named: bool,
}

impl<'a> Reader<'a> {
    /// How many values are named that a hierarchy lacks.
    const NAMED: usize = 10;

    /// The label of every value, which must be one of the base level itself where the table is public.
    fn read_all(&self, held: Held, is_public: bool) -> Result<Vec<Cow<'a, str>>, VerifyError> {
        let mut labels = Vec::with_capacity(held.texts.len());
        let mut missing: Vec<&String> = Vec::new();
        for text in held.texts {
            match self.read(text, is_public) {
                Ok(Some(label)) => labels.push(label),
                Ok(None) => missing.push(text),
                Err(labels) => {
                    return Err(VerifyError::TwoReadings {
                        table: held.table.to_owned(),
                        column: held.column.to_owned(),
                        hierarchy: self.source.path.clone(),
                        value: text.clone(),
                        labels: Box::new(labels),
                    });
                }
            }
        }
        if missing.is_empty() {
            return Ok(labels);
        }
        Err(VerifyError::MissingValues {
            table: held.table.to_owned(),
            column: held.column.to_owned(),
            hierarchy: self.source.path.clone(),
            count: missing.len(),
            values: missing.into_iter().take(Self::NAMED).cloned().collect(),
        })
    }

    /// Reads a value at every level that it may be of: all readings must lead to one label.
    fn read(&self, text: &str, is_public: bool) -> Result<Option<Cow<'a, str>>, [String; 2]> {
        let base = self.source.public_level.0;
        if let Some(label) = self.missing.filter(|label| *label == text) {
            let is_everybody = base == self.content.top() && !self.is_named;
            return Ok(match (is_everybody, is_public) {
                (false, _) => Some(Cow::Borrowed(label)),
                (true, false) => Some(Cow::Owned(self.content.top_label())),
                (true, true) => None,
            });
        }
        let own = self.content.raise(text, base, base);
        if is_public && own.is_none() {
            return Ok(None);
        }
        let mut label = own;
        for level in 0..base {
            match (self.content.raise(text, level, base), &label) {
                (Some(other), Some(known)) if other != *known => {
                    return Err([known.to_string(), other.into_owned()]);
                }
                (Some(other), None) => label = Some(other),
                _ => {}
            }
        }
        Ok(label)
    }
}

#[cfg(test)]
mod tests;
