//! Builds a [`Hierarchy`] from a hierarchy file and the values of the tables.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::builder::{HierarchyBuilder, KindReason, Order, Position};
use super::recipe::{read_file, read_recipe};
use super::without::WithoutValue;
use crate::error::DataError;
use crate::error::refused::{Held, Refusal, RefusedValues};
use crate::values::same_number::same_numbers;
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Code, Hierarchy, Kind, Level, ModelError};

/// A hierarchy file and the project's settings for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchySpec {
    /// A `.csv` or `.toml` file.
    pub path: PathBuf,
    /// The kind of the values; by default the type of the file determines it.
    pub kind: Option<Kind>,
    /// The level of the values in the public table.
    pub base: Level,
    /// The label for missing values, if a value may be missing in a table.
    pub missing_label: Option<String>,
    /// Whether missing values become `*` one level up.
    pub missing_at_top: bool,
    /// Whether members of T who are not in P are added to P, so P has T's values, too.
    pub adds: bool,
}

impl HierarchySpec {
    /// Settings for tables without missing values, in which P has all members of T.
    pub fn of(path: PathBuf, kind: Option<Kind>, base: Level) -> Self {
        Self { path, kind, base, missing_label: None, missing_at_top: false, adds: false }
    }
}

/// The distinct values of one column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The column and how it is read.
    pub held: Held<'a>,
    /// The distinct values, sorted.
    pub texts: &'a [String],
}

impl Values<'_> {
    /// Whether both are values of the same column of the same table.
    fn is_of(&self, other: Values) -> bool {
        (self.held.table, self.held.column) == (other.held.table, other.held.column)
    }
}

/// A hierarchy over the values of the tables, with the leaf of each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The hierarchy.
    pub hierarchy: Hierarchy,
    /// The reason for the kind of its values.
    pub reason: KindReason,
    raised: FxHashMap<String, Code>,
}

impl Domain {
    /// The leaf of a value: itself, or the label at the base level to which a finer private value
    /// is raised. `None` if the value is neither a leaf nor in the public table.
    pub fn code(&self, value: &str) -> Option<Code> {
        self.hierarchy.code(value).or_else(|| self.raised.get(value).copied())
    }
}

/// Reads a hierarchy file for the values of both tables.
///
/// # Errors
/// A [`DataError`] with the file, and with line and value if known: the file cannot be read or does
/// not nest, or it lacks values of a table.
pub fn read(spec: &HierarchySpec, public: Values, private: Values) -> Result<Domain, DataError> {
    of_bytes(spec, &read_file(&spec.path)?, public, private)
}

/// As [`read`], for given bytes; the path only determines the type.
///
/// # Errors
/// As [`read`].
pub fn of_bytes(
    spec: &HierarchySpec,
    bytes: &[u8],
    public: Values,
    private: Values,
) -> Result<Domain, DataError> {
    let builder = read_builder(spec, bytes, public, private)?;
    let builder = builder.as_ref();
    let model = DataError::hierarchy_model(&spec.path);
    // If the file names exactly the leaves, the check of the hierarchy over them covers this one.
    if spec.base > Level(0) || !builder.is_listed() {
        check_named_leaves(builder).map_err(&model)?;
    }
    let of_public = |text: &str| {
        // Values of the public table are of its level, never finer.
        match builder.label(text, spec.base, spec.base) {
            // A value of level 0 has only one reading.
            Some(label) if spec.base == Level(0) && label == text => Ok(Some(label)),
            Some(_) => agreed(builder, text, spec.base, Some(Cow::Owned(text.to_owned()))),
            None => Ok(None),
        }
    };
    let raise = |text: &str| agreed(builder, text, spec.base, None);
    let checked = [
        check_values(spec, builder, public, of_public),
        // If T is part of P, its values are already checked.
        if private.is_of(public) { Ok(()) } else { check_values(spec, builder, private, raise) },
    ];
    DataError::all(checked)?;

    let mut hierarchy = hierarchy_over(spec, builder, public, private).map_err(model)?;
    if let Some(label) = &spec.missing_label {
        hierarchy = hierarchy.with_missing(label);
    }
    let raised = |text: &String| Some((text.clone(), hierarchy.code(&raise(text).ok()??)?));
    let raised = match spec.base {
        Level(0) => FxHashMap::default(),
        _ => private.texts.iter().filter_map(raised).collect(),
    };
    let reason = if spec.kind.is_some() { KindReason::Project } else { builder.reason() };
    Ok(Domain { hierarchy, reason, raised })
}

/// Refuses texts of the column, in either table, that are one number: they may be one value or several
/// codes. A project with `kind = "category"` has decided for codes.
///
/// # Errors
/// A [`DataError`] with the texts.
pub fn check_numbers(spec: &HierarchySpec, public: Values, private: Values) -> Result<(), DataError> {
    if spec.kind == Some(Kind::Category) {
        return Ok(());
    }
    let tables = [Some(public), Some(private).filter(|private| !private.is_of(public))];
    let texts = tables.iter().flatten().flat_map(|values| values.texts.iter().map(String::as_str));
    let same: BTreeSet<&str> = same_numbers(texts).into_iter().flatten().collect();
    if same.is_empty() {
        return Ok(());
    }
    let refused = |values: &Values| {
        let texts: Vec<&String> = values.texts.iter().filter(|text| same.contains(text.as_str())).collect();
        if texts.is_empty() {
            return Ok(());
        }
        let refused = RefusedValues::new(&values.held, Refusal::SameNumber, &texts, &|_| false, &[], None);
        Err(DataError::Refused(Box::new(refused)))
    };
    DataError::all(tables.iter().flatten().map(refused))
}

/// Reads a file, and adds a leaf for missing values if the tables need one.
fn read_builder(
    spec: &HierarchySpec,
    bytes: &[u8],
    public: Values,
    private: Values,
) -> Result<Box<dyn HierarchyBuilder>, DataError> {
    let builder = read_recipe(&spec.path, bytes, &style_texts(spec, public.texts, private.texts), spec.base)?;
    let wrong = |detail: String| DataError::hierarchy(&spec.path, None, detail);
    Hierarchy::check_height(builder.height() + 1).map_err(DataError::hierarchy_model(&spec.path))?;
    if spec.base > builder.top() {
        let (base, top) = (spec.base, builder.top());
        return Err(wrong(format!(
            "public_level = {base}, but its levels are 0 to {top}; correct the project"
        )));
    }
    let lacking = |label: &&String| public.texts.contains(*label) || private.texts.contains(*label);
    let Some(label) = spec.missing_label.as_ref().filter(lacking) else { return Ok(builder) };
    let is_of_public = public.texts.contains(label);
    let occurs = is_of_public || (spec.adds && private.texts.contains(label));
    let without = WithoutValue::new(builder, label, occurs).map_err(wrong)?;
    without.check_position(spec.base, spec.missing_at_top, is_of_public).map_err(wrong)?;
    Ok(Box::new(without))
}

/// The hierarchy over all values of the file, or over those of the tables if the file lists none.
fn hierarchy_over(
    spec: &HierarchySpec,
    builder: &dyn HierarchyBuilder,
    public: Values,
    private: Values,
) -> Result<Hierarchy, ModelError> {
    let kind = spec.kind.unwrap_or_else(|| builder.kind());
    // All values that a file names must be of its kind, each once, at any level of the public
    // table.
    if spec.base > Level(0)
        && kind.is_ordered()
        && let Some(named) = builder.all(Level(0), Order::Values(kind))
    {
        named?;
    }
    if let Some(chains) = builder.all(spec.base, Order::Values(kind)) {
        return Hierarchy::of_chains(kind, spec.base, &chains?);
    }
    let mut leaves: BTreeSet<String> = public.texts.iter().cloned().collect();
    if spec.adds {
        let raised = private.texts.iter().filter_map(|text| agreed(builder, text, spec.base, None).ok()?);
        leaves.extend(raised.map(Cow::into_owned));
    }
    let chains = ordered_chains(builder, leaves.into_iter().collect(), spec.base, kind)?;
    Hierarchy::new(kind, spec.base, &chains)
}

/// A text that two levels have, and its different labels at the public level.
struct TwoReadings(String, String);

/// The label at `base` of a text of that level or a finer one, which must be the same for each
/// level that has the text. `None` if no level has it. `known` is a label that the text already
/// has.
fn agreed<'a>(
    builder: &'a dyn HierarchyBuilder,
    text: &str,
    base: Level,
    known: Option<Cow<'a, str>>,
) -> Result<Option<Cow<'a, str>>, TwoReadings> {
    let readings = (0..=base.0).filter_map(|level| builder.label(text, Level(level), base));
    // A text of the public table must be a label of its level.
    let mut label = known;
    for reading in readings {
        match &label {
            Some(first) if *first != reading => {
                return Err(TwoReadings(first.to_string(), reading.into_owned()));
            }
            _ => label = Some(reading),
        }
    }
    Ok(label)
}

/// Checks over all texts that the file names, from level 0 up and for any level of the public
/// table, that each text has one meaning.
pub(super) fn check_named_leaves(builder: &dyn HierarchyBuilder) -> Result<(), ModelError> {
    if let Some(chains) = builder.all(Level(0), Order::File) {
        return Hierarchy::of_chains(Kind::Category, Level(0), &chains?).map(drop);
    }
    let Some(leaves) = builder.named_leaves() else { return Ok(()) };
    let chains: Vec<Vec<Arc<str>>> = leaves.iter().filter_map(|leaf| builder.chain(leaf, Level(0))).collect();
    Hierarchy::new(Kind::Category, Level(0), &chains).map(drop)
}

/// Refuses values that the hierarchy lacks, and values with two meanings.
fn check_values<'a>(
    spec: &HierarchySpec,
    builder: &dyn HierarchyBuilder,
    values: Values,
    label: impl Fn(&str) -> Result<Option<Cow<'a, str>>, TwoReadings>,
) -> Result<(), DataError> {
    let mut missing = Vec::new();
    for text in values.texts {
        match label(text) {
            Ok(Some(_)) => {}
            Ok(None) => missing.push(text),
            Err(TwoReadings(first, second)) => {
                let hierarchy = spec.path.display();
                return Err(LocatedError::new(format!(
                    "`{text}` has two meanings in hierarchy {hierarchy}: `{first}` or `{second}` at the level of the \
                     public table"
                ))
                .in_file(values.held.table)
                .at_column(values.held.column)
                .remedy("rename one of them in the hierarchy and in the tables")
                .into());
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let is_of = |level: &u8| missing.iter().all(|text| builder.chain(text, Level(*level)).is_some());
    let labels = builder.listed(spec.base).or_else(|| builder.named_leaves()).unwrap_or_default();
    let is_known = |text: &str| matches!(label(text), Ok(Some(_)));
    let refusal = Refusal::Lacking(spec.path.clone());
    let remedy = missing.first().map(|text| builder.remedy(text));
    let mut refused = RefusedValues::new(&values.held, refusal, &missing, &is_known, &labels, remedy);
    if let Some(level) = (0..=builder.top().0).find(is_of) {
        refused.advice = vec![format!(
            "these are labels of level {level}: if every row of the public table has that level, write `public_level = {level}`; the \
             private table must not be coarser"
        )];
    }
    Err(DataError::Refused(Box::new(refused)))
}

/// The texts that show how bands are written: those that P has, or will have.
pub(super) fn style_texts<'a>(
    spec: &HierarchySpec,
    public: &'a [String],
    private: &'a [String],
) -> Cow<'a, [String]> {
    if spec.missing_label.is_none() && !spec.adds {
        return Cow::Borrowed(public);
    }
    let added: &[String] = if spec.adds && spec.base == Level(0) { private } else { &[] };
    let texts = public.iter().chain(added).filter(|text| Some(*text) != spec.missing_label.as_ref());
    Cow::Owned(texts.cloned().collect())
}

/// The chains of labels, in the order of the values.
fn ordered_chains(
    builder: &dyn HierarchyBuilder,
    leaves: Vec<String>,
    base: Level,
    kind: Kind,
) -> Result<Vec<Vec<Arc<str>>>, ModelError> {
    // A month has no position among dates.
    if kind == Kind::Date
        && builder.kind() != Kind::Date
        && let Some(other) = other_form(builder, &leaves, base)
    {
        return Err(ModelError::not_of_kind(other, kind));
    }
    let mut sorted = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let position = builder.position(&leaf, base, kind);
        sorted.push((position.ok_or_else(|| ModelError::not_of_kind(&leaf, kind))?, leaf));
    }
    sorted.sort();
    if kind.is_ordered()
        && let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0)
    {
        return Err(ModelError::equal_values(&pair[0].1, &pair[1].1, kind));
    }
    Ok(sorted.into_iter().filter_map(|(_, leaf)| builder.chain(&leaf, base)).collect())
}

/// A date of another form than the first one; a missing value has no form.
fn other_form<'a>(builder: &dyn HierarchyBuilder, leaves: &'a [String], base: Level) -> Option<&'a String> {
    let is_value = |leaf: &&String| builder.position(leaf, base, Kind::Date) != Some(Position::NoValue);
    let mut values = leaves.iter().filter(is_value);
    let first = values.next()?;
    values.find(|leaf| leaf.len() != first.len())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use palmtop_core::model::chains::Chains;

    proptest! {
        /// Leaves in any order, under labels whose leaves need not be neighbours.
        #[test]
        fn values_of_a_file_keep_their_order(
            order in Just((0..24_u32).collect::<Vec<_>>()).prop_shuffle(),
            parents in prop::collection::vec(0..6_u32, 24),
            grandparents in prop::collection::vec(0..3_u32, 6),
        ) {
            let line = |&leaf: &u32| {
                let parent = parents[leaf as usize];
                format!("{leaf};p{parent};g{};*\n", grandparents[parent as usize])
            };
            let file: String = order.iter().map(line).collect();
            let builder = read_recipe(Path::new("h.csv"), file.as_bytes(), &[], Level(0)).unwrap();
            for kind in [Kind::Category, Kind::Number] {
                for level in (0..4).map(Level) {
                    let listed = builder.listed(level).unwrap();
                    let chains = ordered_chains(builder.as_ref(), listed, level, kind).unwrap();
                    let all = builder.all(level, Order::Values(kind)).unwrap().unwrap();
                    prop_assert_eq!(lists(&all), chains);
                }
            }
            let in_file = builder.all(Level(0), Order::File).unwrap().unwrap();
            prop_assert_eq!(lists(&in_file).len(), 24);
            prop_assert_eq!(lists(&in_file)[0][0].to_string(), order[0].to_string());
            prop_assert!(builder.all(Level(4), Order::Values(Kind::Category)).is_none());
        }
    }

    /// The labels of each leaf.
    fn lists(chains: &Chains) -> Vec<Vec<Arc<str>>> {
        let label = |column: &Vec<u32>, leaf: usize| Arc::from(&chains.texts()[column[leaf] as usize]);
        let list = |leaf| chains.columns().iter().map(|column| label(column, leaf)).collect();
        (0..chains.leaf_count()).map(list).collect()
    }

    /// The labels for missing values in addition to the file's own values: in columns and one by
    /// one.
    #[test]
    fn missing_value_stands_before_all_values_of_file() {
        for (file, label) in [("2;few;all\n1;few;all\n", "unknown"), ("b;x;*\na;y;*\n", "none")] {
            for kind in [Kind::Category, Kind::Number].into_iter().take(if label == "none" { 1 } else { 2 }) {
                let inner = read_recipe(Path::new("h.csv"), file.as_bytes(), &[], Level(0)).unwrap();
                let without = WithoutValue::new(inner, label, true).unwrap();
                for level in (0..without.top().0).map(Level) {
                    let Some(listed) = without.listed(level) else {
                        assert!(without.all(level, Order::Values(kind)).is_none());
                        continue;
                    };
                    let chains = ordered_chains(&without, listed, level, kind).unwrap();
                    assert_eq!(lists(&without.all(level, Order::Values(kind)).unwrap().unwrap()), chains);
                }
            }
        }
    }
}
