//! A hierarchy during editing: its values, and the labels of each level, each with its label one
//! level up.
//!
//! The hierarchy always nests, because each label has one label above it. A [`Change`] returns a
//! new hierarchy or an error. In the result each text has one meaning, and its file is read back to
//! the same hierarchy.

mod bands;
mod change;
mod error;
mod history;
mod place;
mod written;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub use self::change::{Change, Edited};
pub use self::error::EditError;
pub use self::history::History;
pub use self::written::Written;
use super::builder::HierarchyBuilder;
use super::domain::{HierarchySpec, style_texts};
use super::recipe::read_recipe;
use super::span::{Point, Span};
use crate::error::DataError;
use palmtop_core::model::{Hierarchy, Kind, Level, size};

/// A hierarchy during editing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editable {
    kind: Kind,
    /// The level of the public table: its labels are the leaves, and finer levels do not change.
    base: Level,
    form: Form,
    missing: Option<String>,
    /// Whether the labels of ordered values are bands without gaps.
    is_banded: bool,
    /// Whether all values can be counted: integers or dates.
    is_integer: bool,
    leaves: Vec<Leaf>,
    /// The leaves, then the labels of each level up to the top; each level sorted by first leaf.
    tiers: Vec<Vec<Label>>,
    /// The level in the file of each tier, if it was there.
    origins: Vec<Option<Level>>,
}

/// The kind of file that the hierarchy came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A CSV file, which lists all its values.
    Csv,
    /// A tree in TOML, whose values are those of the tables.
    Tree,
    /// A rule for values.
    Rule,
}

/// A value of the public table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Leaf {
    /// For each known finer value, the texts below the leaf, finest first; empty if the leaf is of
    /// level 0.
    finer: Vec<Vec<String>>,
}

/// A label of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Label {
    text: String,
    /// The index of the label one level up.
    parent: usize,
    /// The range of its values, if they have an order.
    span: Option<Span>,
}

impl Editable {
    /// Reads a hierarchy file over the values of the tables. Values that it lacks are left out.
    ///
    /// # Errors
    /// A [`DataError`] if the file cannot be read or has no level `public_level`.
    pub fn read(
        spec: &HierarchySpec,
        bytes: &[u8],
        public: &[String],
        private: &[String],
    ) -> Result<Self, DataError> {
        let builder = read_recipe(&spec.path, bytes, &style_texts(spec, public, private), spec.base)?;
        let model = DataError::hierarchy_model(&spec.path);
        Hierarchy::check_height(builder.height() + 1).map_err(model)?;
        if spec.base > builder.top() {
            let detail = format!("public_level = {}, but its levels are 0 to {}", spec.base, builder.top());
            return Err(DataError::hierarchy(&spec.path, None, detail));
        }
        let is_csv = spec.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        let form = match (is_csv, builder.named_leaves()) {
            (true, _) => Form::Csv,
            (false, Some(_)) => Form::Tree,
            (false, None) => Form::Rule,
        };
        let kind = spec.kind.unwrap_or_else(|| builder.kind());
        let is_value = |text: &&String| Some(*text) != spec.missing_label.as_ref();
        let public: Vec<&String> = public.iter().filter(is_value).collect();
        let private: Vec<&String> = private.iter().filter(is_value).collect();
        let finer = finer(builder.as_ref(), spec.base, &public, &private);
        Ok(Self::new(builder.as_ref(), kind, spec, form, finer))
    }

    fn new(
        builder: &dyn HierarchyBuilder,
        kind: Kind,
        spec: &HierarchySpec,
        form: Form,
        finer: BTreeMap<String, BTreeSet<Vec<String>>>,
    ) -> Self {
        let base = spec.base;
        let mut sorted: Vec<_> = finer
            .into_iter()
            .map(|(text, finer)| (builder.position(&text, base, kind), text, finer))
            .collect();
        sorted.sort_by(|left, right| (&left.0, &left.1).cmp(&(&right.0, &right.1)));
        let height = usize::from(builder.top().0 - base.0) + 1;
        let mut tiers: Vec<Vec<Label>> = vec![Vec::new(); height];
        let mut known: Vec<HashMap<String, usize>> = vec![HashMap::new(); height];
        let mut leaves = Vec::with_capacity(sorted.len());
        for (_, text, finer) in sorted {
            let Some(chain) = builder.chain(&text, base) else { continue };
            leaves.push(Leaf { finer: finer.into_iter().collect() });
            let mut child: Option<usize> = None;
            for (tier, label) in chain.iter().enumerate() {
                let index = *known[tier].entry(label.to_string()).or_insert_with(|| {
                    let level = Level(base.0 + size::steps(tier));
                    let span = builder.span(label, level);
                    tiers[tier].push(Label { text: label.to_string(), parent: 0, span });
                    tiers[tier].len() - 1
                });
                if let Some(child) = child.replace(index) {
                    tiers[tier - 1][child].parent = index;
                }
            }
        }
        let origins = (base.0..=builder.top().0).map(|level| Some(Level(level))).collect();
        let missing = spec.missing_label.clone();
        let mut editable =
            Self { kind, base, form, missing, is_banded: false, is_integer: false, leaves, tiers, origins };
        editable.measure();
        editable
    }

    /// Determines whether the labels are bands of ordered values, and the range of each.
    fn measure(&mut self) {
        if !self.kind.is_ordered() || self.leaves.is_empty() {
            return;
        }
        if self.base == Level(0) {
            let points: Option<Vec<Point>> =
                self.tiers[0].iter().map(|leaf| Point::parse(self.kind, &leaf.text)).collect();
            let Some(points) = points else { return };
            self.is_integer = points.iter().all(|point| point.is_integer());
            for (index, leaf) in self.tiers[0].iter_mut().enumerate() {
                let next = points.get(index + 1).copied();
                let high = if self.is_integer { points[index].next() } else { next };
                leaf.span = Some(Span { low: Some(points[index]), high });
            }
        } else {
            let ends = self.tiers[0].iter().filter_map(|leaf| leaf.span);
            let mut ends = ends.flat_map(|span| [span.low, span.high]).flatten();
            self.is_integer = ends.all(Point::is_integer);
        }
        if self.tiers[0].iter().any(|leaf| leaf.span.is_none()) || !self.has_runs() {
            return;
        }
        self.is_banded = true;
        for tier in 1..self.tiers.len() {
            for label in 0..self.tiers[tier].len() {
                if self.tiers[tier][label].span.is_none() {
                    self.tiers[tier][label].span = self.extent(tier, label);
                }
            }
        }
    }

    /// The range from the first part of a label to the last.
    fn extent(&self, tier: usize, label: usize) -> Option<Span> {
        let mut within = self.tiers[tier - 1].iter().filter(|child| child.parent == label);
        let first = within.next()?;
        Some(first.span?.to(within.next_back().unwrap_or(first).span?))
    }

    /// Whether the parts of each label are neighbours, at every level.
    fn has_runs(&self) -> bool {
        let is_run = |tier: &Vec<Label>| {
            let mut ended = BTreeSet::new();
            tier.windows(2).all(|pair| {
                let is_new = pair[0].parent != pair[1].parent;
                if is_new {
                    ended.insert(pair[0].parent);
                }
                !is_new || !ended.contains(&pair[1].parent)
            })
        };
        self.tiers.iter().all(is_run)
    }

    /// The kind of its values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The level of the public table.
    pub fn base(&self) -> Level {
        self.base
    }

    /// The coarsest level.
    pub fn top(&self) -> Level {
        self.level(self.tiers.len() - 1)
    }

    /// Whether borders can define its labels.
    pub fn is_banded(&self) -> bool {
        self.is_banded
    }

    /// The values of P, or of T, that the hierarchy lacks.
    pub fn lacking<'a>(&self, values: &'a [String], is_private: bool) -> Vec<&'a String> {
        let mut known: HashSet<&str> = self.tiers[0].iter().map(|leaf| leaf.text.as_str()).collect();
        if is_private {
            let finer = self.leaves.iter().flat_map(|leaf| &leaf.finer);
            known.extend(finer.flatten().map(String::as_str));
        }
        known.extend(self.missing.as_deref());
        values.iter().filter(|value| !known.contains(value.as_str())).collect()
    }

    /// The labels of a level, in the order of values; empty if there is no such level.
    pub fn labels(&self, level: Level) -> Vec<&str> {
        let tier = level.0.checked_sub(self.base.0).and_then(|tier| self.tiers.get(usize::from(tier)));
        tier.into_iter().flatten().map(|label| label.text.as_str()).collect()
    }

    /// The labels one level below that belong to a label.
    pub fn parts(&self, level: Level, label: &str) -> Vec<&str> {
        let Ok((tier, index)) = self.find(level, label) else { return Vec::new() };
        let Some(below) = tier.checked_sub(1) else { return Vec::new() };
        let parts = self.tiers[below].iter().filter(|part| part.parent == index);
        parts.map(|part| part.text.as_str()).collect()
    }

    /// The borders between the labels of a level, if they are bands.
    pub fn borders(&self, level: Level) -> Vec<Point> {
        let Ok(tier) = self.tier(level) else { return Vec::new() };
        let spans = self.tiers[tier].iter().filter_map(|label| label.span);
        let mut borders: Vec<Point> = spans.flat_map(|span| [span.low, span.high]).flatten().collect();
        borders.sort_unstable();
        borders.dedup();
        borders
    }

    /// The name of some labels of a level when joined, if they are bands.
    pub fn suggested_name(&self, level: Level, labels: &[String]) -> Option<String> {
        let indices = labels.iter().map(|label| self.find(level, label).ok());
        let mut indices: Vec<(usize, usize)> = indices.collect::<Option<_>>()?;
        indices.sort_unstable();
        let span = |&(tier, index): &(usize, usize)| self.tiers[tier][index].span;
        Some(span(indices.first()?)?.to(span(indices.last()?)?).label(self.is_integer))
            .filter(|_| self.is_banded)
    }

    /// The current level of a level of the file: itself, or the nearest coarser one if it was
    /// removed.
    pub fn level_of(&self, level: Level) -> Level {
        let is_it = |origin: &Option<Level>| origin.is_some_and(|origin| origin >= level);
        self.origins.iter().position(is_it).map_or(self.top(), |tier| self.level(tier))
    }

    /// The hierarchy over the leaves of another one, in their order: the other one is the hierarchy
    /// before editing.
    ///
    /// # Errors
    /// [`EditError`] if this hierarchy lacks a leaf of the other one, or is not valid over its leaves.
    pub fn over(&self, other: &Hierarchy) -> Result<Hierarchy, EditError> {
        let indices: HashMap<&str, usize> =
            (0..).zip(&self.tiers[0]).map(|(index, leaf)| (leaf.text.as_str(), index)).collect();
        let mut chains: Vec<Vec<&str>> = Vec::with_capacity(other.leaf_count());
        // A named top excludes missing values: `*` is added above it.
        let is_raised = other.missing().is_some() && self.top_label() != "*";
        for code in 0..size::number(other.leaf_count()) {
            let leaf = other.leaf(code);
            if other.missing() == Some(code) {
                let mut chain = vec![leaf; self.tiers.len() - usize::from(!is_raised)];
                chain.push("*");
                chains.push(chain);
                continue;
            }
            let index = indices.get(leaf).copied();
            let index = index.ok_or_else(|| EditError::no_label(self.base, leaf))?;
            let mut chain = self.chain(index);
            chain.extend(is_raised.then_some("*"));
            chains.push(chain);
        }
        let hierarchy = Hierarchy::new(other.kind(), self.base, &chains)?;
        Ok(match other.missing() {
            Some(code) => hierarchy.with_missing(other.leaf(code)),
            None => hierarchy,
        })
    }

    /// The labels of a leaf, from itself to the top.
    fn chain(&self, leaf: usize) -> Vec<&str> {
        let mut index = leaf;
        let label = |tier: &'_ Vec<Label>, index: &mut usize| -> usize {
            let here = *index;
            *index = tier[here].parent;
            here
        };
        self.tiers.iter().map(|tier| tier[label(tier, &mut index)].text.as_str()).collect()
    }

    /// All known values, from level 0 to the top.
    fn rows(&self) -> Vec<Vec<&str>> {
        let mut rows = Vec::with_capacity(self.leaves.len());
        for (index, leaf) in self.leaves.iter().enumerate() {
            let above = self.chain(index);
            if self.base == Level(0) {
                rows.push(above);
            } else if leaf.finer.is_empty() {
                // If no finer value is known, the label represents itself.
                rows.push([vec![above[0]; usize::from(self.base.0)], above].concat());
            } else {
                let finer = leaf.finer.iter();
                rows.extend(
                    finer
                        .map(|texts| texts.iter().map(String::as_str).chain(above.iter().copied()).collect()),
                );
            }
        }
        rows
    }

    /// Checks that each text has one meaning, over all known values.
    fn check(&self) -> Result<(), EditError> {
        for (tier, labels) in self.tiers.iter().enumerate().skip(1) {
            let mut seen = BTreeSet::new();
            for label in labels {
                if !seen.insert(&label.text) {
                    return Err(EditError::taken(self.level(tier), &label.text));
                }
                if Some(&label.text) == self.missing.as_ref() {
                    return Err(EditError::missing(&label.text));
                }
            }
        }
        Hierarchy::new(Kind::Category, Level(0), &self.rows())?;
        Ok(())
    }

    fn top_label(&self) -> &str {
        self.tiers.last().and_then(|tier| tier.first()).map_or("*", |label| label.text.as_str())
    }

    fn last(&self) -> usize {
        self.tiers.len() - 1
    }

    fn level(&self, tier: usize) -> Level {
        Level(self.base.0 + size::steps(tier))
    }

    fn no_level(&self, level: Level, why: &str) -> EditError {
        EditError(format!("level {level} {why}; its levels are {} to {}", self.base, self.top()))
    }

    /// The index of a level, counted from the base.
    fn tier(&self, level: Level) -> Result<usize, EditError> {
        let tier = level.0.checked_sub(self.base.0).map(usize::from).filter(|tier| *tier < self.tiers.len());
        tier.ok_or_else(|| self.no_level(level, "is none that can be changed"))
    }

    /// Checks that a label is not the one for missing values, which no change can touch.
    ///
    /// # Errors
    /// An [`EditError`] that names the label.
    pub fn check_can_change(&self, label: &str) -> Result<(), EditError> {
        if self.missing.as_deref() == Some(label) { Err(EditError::missing(label)) } else { Ok(()) }
    }

    /// The tier and the index of a label.
    fn find(&self, level: Level, label: &str) -> Result<(usize, usize), EditError> {
        let tier = self.tier(level)?;
        self.check_can_change(label)?;
        let index = self.tiers[tier].iter().position(|known| known.text == label);
        let index = index.ok_or_else(|| EditError::no_label(level, label))?;
        Ok((tier, index))
    }
}

/// For each known label of the base level, its finer texts.
fn finer(
    builder: &dyn HierarchyBuilder,
    base: Level,
    public: &[&String],
    private: &[&String],
) -> BTreeMap<String, BTreeSet<Vec<String>>> {
    let depth = usize::from(base.0);
    let mut finer: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    let mut add = |text: &str, level: u8| {
        let Some(chain) = builder.chain(text, Level(level)) else { return false };
        let position = depth - usize::from(level);
        let Some(label) = chain.get(position) else { return false };
        let known = finer.entry(label.to_string()).or_default();
        if position > 0 {
            // The finer levels of a text coarser than level 0 are unknown: the text represents
            // itself.
            let below = std::iter::repeat_n(text.to_owned(), usize::from(level));
            known.insert(below.chain(chain[..position].iter().map(ToString::to_string)).collect());
        }
        true
    };
    for text in builder.named_leaves().unwrap_or_default() {
        add(&text, 0);
    }
    for text in public {
        add(text, base.0);
    }
    for text in private {
        let _ = (0..=base.0).any(|level| add(text, level));
    }
    finer
}
