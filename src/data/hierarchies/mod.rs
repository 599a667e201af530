//! From a hierarchy file and the values that the tables hold to a [`Hierarchy`].

mod table;
mod interval;
mod mask;
mod date;
mod tree;
mod flat;
mod without;
mod rule;
pub mod build;
pub mod outline;
pub mod arx;
pub mod edit;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;

use super::error::{DataError, NotUtf8, line_of};
use super::input;
use super::refused::{Held, Refusal, RefusedValues};
use crate::model::size;
use crate::model::{Code, Hierarchy, Kind, Level, ModelError};
use crate::text::toml_string;

use self::date::DateLevels;
use self::edit::span::Span;
use self::flat::Flat;
use self::interval::Intervals;
use self::mask::Mask;
use self::table::Table;
use self::tree::Tree;
use self::without::WithoutValue;

pub use self::rule::{LevelRule, level_rule};

/// Which file, and how the project wants it read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchySpec {
    /// A `.csv` or `.toml` file.
    pub path: PathBuf,
    /// What the values are; by default what the type of the file says.
    pub kind: Option<Kind>,
    /// The level that the public table holds.
    pub base: Level,
    /// What no value is called, where a table may lack one.
    pub missing_label: Option<String>,
    /// Whether no value is to be `*` one level up.
    pub missing_at_top: bool,
    /// Whether people of T whom P lacks are added to P, so that T's values are P's, too.
    pub adds: bool,
}

impl HierarchySpec {
    /// A hierarchy over tables in which nobody lacks a value, and that hold all of T's people.
    pub fn of(path: PathBuf, kind: Option<Kind>, base: Level) -> Self {
        Self { path, kind, base, missing_label: None, missing_at_top: false, adds: false }
    }
}

/// The rest of a remedy: what to write if a text means no value.
fn declare_missing(text: &str) -> String {
    format!("write `missing = [{}]` under its [[attribute]] if that means no value", toml_string(text))
}

/// The distinct values of one column of one table.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The column.
    pub held: Held<'a>,
    /// Its distinct values, sorted.
    pub texts: &'a [String],
}

impl Values<'_> {
    /// Whether these are the values of the same column of the same table.
    fn is_of(&self, other: Values) -> bool {
        (self.held.table, self.held.column) == (other.held.table, other.held.column)
    }
}

/// A hierarchy over the values of the tables, and the leaf of every value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The hierarchy.
    pub hierarchy: Hierarchy,
    /// Why its values were taken for what they are.
    pub reason: KindReason,
    raised: HashMap<String, Code>,
}

impl Domain {
    /// The leaf of a value: itself, or the label at the base level that a finer private value is raised to.
    /// `None` for a value that does not occur in the public table and is no leaf.
    pub fn code(&self, value: &str) -> Option<Code> {
        self.hierarchy.code(value).or_else(|| self.raised.get(value).copied())
    }
}

/// Why an attribute's values were taken for numbers, dates or categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindReason {
    /// The project says so.
    Project,
    /// The type of the hierarchy, such as `interval`, is for such values.
    Type,
    /// Every value of the file is a number, and those of each label are neighbours.
    Numbers,
    /// Not every value of the file is a plain number.
    NotNumbers,
    /// The values are numbers, but some label has numbers that are no neighbours: codes, of which a range would mean nothing.
    Codes,
}

impl KindReason {
    /// The reason in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "as the project says",
            Self::Type => "by the type of its hierarchy",
            Self::Numbers => "numbers, grouped with their neighbours",
            Self::NotNumbers => "not all values are plain numbers",
            Self::Codes => "numbers grouped with others than their neighbours: codes",
        }
    }
}

/// A value's place in the order of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Of who has no value: before all others.
    NoValue,
    Number(Decimal),
    Day(NaiveDate),
    Text(String),
    /// Positions of first appearance, from the top of the hierarchy down.
    Walk(Vec<usize>),
}

/// How a type of hierarchy generalizes a value.
trait HierarchyBuilder {
    /// What its values are unless the project says otherwise.
    fn kind(&self) -> Kind;
    /// Why that.
    fn reason(&self) -> KindReason {
        KindReason::Type
    }
    /// How many levels it has above level 0; [`read`] checks that they are possible before anything else is asked.
    fn height(&self) -> usize;
    /// Its coarsest level.
    fn top(&self) -> Level {
        Level(size::steps(self.height()))
    }
    /// The labels of a text of `level`, from that level to the top; `None` for a text that this level does not have.
    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>>;
    /// The label at a coarser level of a text of `level`.
    fn label(&self, text: &str, level: Level, above: Level) -> Option<Arc<str>> {
        self.chain(text, level)?.into_iter().nth(usize::from(above.0 - level.0))
    }
    /// Every text of a level, where the file lists them all; else the tables say what occurs.
    fn listed(&self, _level: Level) -> Option<Vec<String>> {
        None
    }
    /// The finest values that the file itself names, where it names any: what its labels mean is checked over all of them.
    fn named_leaves(&self) -> Option<Vec<String>> {
        None
    }
    /// The label of its coarsest level.
    fn top_label(&self) -> Arc<str> {
        Arc::from("*")
    }
    /// What to do about a value that it cannot place, such as the line to write for it.
    fn remedy(&self, text: &str) -> String;
    /// What a label of ordered values holds, where it follows from a rule.
    fn span(&self, _text: &str, _level: Level) -> Option<Span> {
        None
    }
    /// How the labels of a level between the values and the top follow from the values, if a rule says so.
    fn rule(&self, _level: Level) -> Option<LevelRule> {
        None
    }
    /// The place of a text of `level` in the order of values of `kind`.
    fn place(&self, text: &str, level: Level, kind: Kind) -> Option<Place>;
}

/// Reads a hierarchy for the values that the two tables hold.
///
/// # Errors
/// A [`DataError`] that names the file, and the line and value where there is one: a file that cannot be read or does not
/// nest, and every value of a table that it lacks.
pub fn read(spec: &HierarchySpec, public: Values, private: Values) -> Result<Domain, DataError> {
    of_bytes(spec, &read_file(&spec.path)?, public, private)
}

/// The bytes of a hierarchy file.
///
/// # Errors
/// [`DataError::Io`]: it is missing, too large for a text, or no regular file.
pub fn read_file(path: &Path) -> Result<Vec<u8>, DataError> {
    input::read(path, input::MOST_TEXT).map_err(DataError::io("read hierarchy", path))
}

/// [`read`] of what stands in a file, or would: its name only says of what type it is.
///
/// # Errors
/// As [`read`] has them.
pub fn of_bytes(
    spec: &HierarchySpec,
    bytes: &[u8],
    public: Values,
    private: Values,
) -> Result<Domain, DataError> {
    let builder = read_recipe(&spec.path, bytes, &style_texts(spec, public.texts, private.texts), spec.base)?;
    let wrong = |detail: String| DataError::HierarchyFile { path: spec.path.clone(), line: None, detail };
    let model = |source| DataError::Hierarchy { path: spec.path.clone(), source };
    Hierarchy::check_height(builder.height() + 1).map_err(model)?;
    if spec.base > builder.top() {
        let (base, top) = (spec.base, builder.top());
        return Err(wrong(format!(
            "public_level = {base}, but its levels are 0 to {top}; correct the project"
        )));
    }
    let lacking = |label: &&String| public.texts.contains(*label) || private.texts.contains(*label);
    let builder = match spec.missing_label.as_ref().filter(lacking) {
        None => builder,
        Some(label) => {
            let is_of_public = public.texts.contains(label);
            let occurs = is_of_public || (spec.adds && private.texts.contains(label));
            let without = WithoutValue::new(builder, label, occurs).map_err(wrong)?;
            without.check_place(spec.base, spec.missing_at_top, is_of_public).map_err(wrong)?;
            Box::new(without)
        }
    };
    let kind = spec.kind.unwrap_or_else(|| builder.kind());
    // Where all that the file names are the leaves, the hierarchy over them checks the same.
    if spec.base > Level(0) || builder.listed(Level(0)).is_none() {
        check_named_leaves(builder.as_ref()).map_err(model)?;
    }
    let of_public = |text: &str| {
        // What the public table holds is of its level, and nothing finer.
        match builder.label(text, spec.base, spec.base) {
            Some(_) => agreed(builder.as_ref(), text, spec.base, Some(Arc::from(text))),
            None => Ok(None),
        }
    };
    let raise = |text: &str| agreed(builder.as_ref(), text, spec.base, None);
    let checked = [
        check_values(spec, builder.as_ref(), public, of_public),
        // Where T is part of P, its values have been looked at.
        if private.is_of(public) { Ok(()) } else { check_values(spec, builder.as_ref(), private, raise) },
    ];
    DataError::all(checked)?;
    let leaves = builder.listed(spec.base).unwrap_or_else(|| {
        let mut leaves: BTreeSet<String> = public.texts.iter().cloned().collect();
        if spec.adds {
            let raised = private.texts.iter().filter_map(|text| raise(text).ok()?);
            leaves.extend(raised.map(|label| label.to_string()));
        }
        leaves.into_iter().collect()
    });

    // The values that a file names are of its kind, each once, whatever level the public table holds.
    if let Some(named) = builder.listed(Level(0)).filter(|_| spec.base > Level(0) && kind.is_ordered()) {
        ordered_chains(builder.as_ref(), named, Level(0), kind).map_err(model)?;
    }
    let chains = ordered_chains(builder.as_ref(), leaves, spec.base, kind).map_err(model)?;
    let mut hierarchy = Hierarchy::new(kind, spec.base, &chains).map_err(model)?;
    if let Some(label) = &spec.missing_label {
        hierarchy = hierarchy.with_missing(label);
    }
    let raised = |text: &String| Some((text.clone(), hierarchy.code(&raise(text).ok()??)?));
    let raised = match spec.base {
        Level(0) => HashMap::new(),
        _ => private.texts.iter().filter_map(raised).collect(),
    };
    let reason = if spec.kind.is_some() { KindReason::Project } else { builder.reason() };
    Ok(Domain { hierarchy, reason, raised })
}

/// A text that can be read at two levels, and the different labels of the public level that it would have.
struct TwoReadings(Arc<str>, Arc<str>);

/// The label at `base` of a text of that level or a finer one: the same whatever level the text is read at. `None` where
/// no level has it. `known` is a label that it has already.
fn agreed(
    builder: &dyn HierarchyBuilder,
    text: &str,
    base: Level,
    known: Option<Arc<str>>,
) -> Result<Option<Arc<str>>, TwoReadings> {
    let readings = (0..=base.0).filter_map(|level| builder.label(text, Level(level), base));
    // A text that the public table holds must be a label of its level, whatever else it may be.
    let mut label = known;
    for reading in readings {
        match &label {
            Some(first) if *first != reading => return Err(TwoReadings(Arc::clone(first), reading)),
            _ => label = Some(reading),
        }
    }
    Ok(label)
}

/// Checks over everything that the file names, from level 0 up and whatever level the public table holds, that a text
/// has one meaning.
fn check_named_leaves(builder: &dyn HierarchyBuilder) -> Result<(), ModelError> {
    let Some(leaves) = builder.named_leaves() else { return Ok(()) };
    let chains: Vec<Vec<Arc<str>>> = leaves.iter().filter_map(|leaf| builder.chain(leaf, Level(0))).collect();
    Hierarchy::new(Kind::Category, Level(0), &chains).map(drop)
}

/// Refuses values that the hierarchy cannot place, and values that it can place in two ways.
fn check_values(
    spec: &HierarchySpec,
    builder: &dyn HierarchyBuilder,
    values: Values,
    label: impl Fn(&str) -> Result<Option<Arc<str>>, TwoReadings>,
) -> Result<(), DataError> {
    let mut missing = Vec::new();
    for text in values.texts {
        match label(text) {
            Ok(Some(_)) => {}
            Ok(None) => missing.push(text),
            Err(TwoReadings(first, second)) => {
                return Err(DataError::TwoReadings {
                    table: values.held.table.to_owned(),
                    column: values.held.column.to_owned(),
                    hierarchy: spec.path.clone(),
                    value: text.clone(),
                    labels: Box::new((first.to_string(), second.to_string())),
                });
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
            "these are of its level {level}: where the public table holds that level throughout, say `public_level = {level}`; the \
             private table must not be coarser"
        )];
    }
    Err(DataError::Refused(Box::new(refused)))
}

/// The texts that show how bands are written: P's, or those that P will have.
fn style_texts<'a>(spec: &HierarchySpec, public: &'a [String], private: &'a [String]) -> Cow<'a, [String]> {
    if spec.missing_label.is_none() && !spec.adds {
        return Cow::Borrowed(public);
    }
    let added: &[String] = if spec.adds && spec.base == Level(0) { private } else { &[] };
    let texts = public.iter().chain(added).filter(|text| Some(*text) != spec.missing_label.as_ref());
    Cow::Owned(texts.cloned().collect())
}

/// The chains of labels, in the order of values.
fn ordered_chains(
    builder: &dyn HierarchyBuilder,
    leaves: Vec<String>,
    base: Level,
    kind: Kind,
) -> Result<Vec<Vec<Arc<str>>>, ModelError> {
    // A month has no place among days. Labels of a file stand where their leaves do, which are looked at there.
    if kind == Kind::Date
        && (base == Level(0) || builder.listed(base).is_none())
        && builder.kind() != Kind::Date
        && let Some(other) = other_form(builder, &leaves, base)
    {
        return Err(ModelError::NotOfKind { leaf: other.clone(), kind: kind.as_str() });
    }
    let mut placed = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let place = builder.place(&leaf, base, kind);
        let place = place.ok_or_else(|| ModelError::NotOfKind { leaf: leaf.clone(), kind: kind.as_str() })?;
        placed.push((place, leaf));
    }
    placed.sort();
    if kind.is_ordered()
        && let Some(pair) = placed.windows(2).find(|pair| pair[0].0 == pair[1].0)
    {
        let (first, second, kind) = (pair[0].1.clone(), pair[1].1.clone(), kind.as_str());
        return Err(ModelError::EqualValues { first, second, kind });
    }
    Ok(placed.into_iter().filter_map(|(_, leaf)| builder.chain(&leaf, base)).collect())
}

/// A day of another form than the first; who has no value has none of any.
fn other_form<'a>(builder: &dyn HierarchyBuilder, leaves: &'a [String], base: Level) -> Option<&'a String> {
    let is_value = |leaf: &&String| builder.place(leaf, base, Kind::Date) != Some(Place::NoValue);
    let mut values = leaves.iter().filter(is_value);
    let first = values.next()?;
    values.find(|leaf| leaf.len() != first.len())
}

/// The one key that every hierarchy in TOML has.
#[derive(Deserialize)]
struct TypeOnly {
    r#type: String,
}

fn read_recipe(
    path: &Path,
    bytes: &[u8],
    public: &[String],
    base: Level,
) -> Result<Box<dyn HierarchyBuilder>, DataError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if extension.eq_ignore_ascii_case("csv") {
        return Ok(Box::new(Table::read(path, bytes)?));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        DataError::NotUtf8(Box::new(NotUtf8::new(path, line, None, bytes, error))).of_hierarchy()
    })?;
    if !extension.eq_ignore_ascii_case("toml") {
        let detail =
            "expected a name ending in .csv (as ARX writes hierarchies) or .toml (built from the data)";
        return Err(DataError::HierarchyFile {
            path: path.to_owned(),
            line: None,
            detail: detail.to_owned(),
        });
    }
    let wrong = |detail: String| DataError::HierarchyFile { path: path.to_owned(), line: None, detail };
    let TypeOnly { r#type } = from_toml(path, text)?;
    Ok(match r#type.as_str() {
        "interval" => Box::new(Intervals::new(&from_toml(path, text)?, text, public, base).map_err(wrong)?),
        "mask" => Box::new(Mask::new(&from_toml(path, text)?).map_err(wrong)?),
        "date" => Box::new(DateLevels::new(from_toml(path, text)?).map_err(wrong)?),
        "tree" => Box::new(Tree::new(&from_toml(path, text)?).map_err(wrong)?),
        "flat" => Box::new(Flat::new(&from_toml(path, text)?, public, base)),
        other => {
            let types = "interval, mask, date, tree and flat";
            return Err(wrong(format!("type `{other}` is unknown; types are {types}")));
        }
    })
}

fn from_toml<T: serde::de::DeserializeOwned>(path: &Path, text: &str) -> Result<T, DataError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
        let detail = error.message().replace('\n', "; ");
        DataError::HierarchyFile { path: path.to_owned(), line, detail }
    })
}

/// A plain decimal: digits, perhaps a sign before and a fraction behind, at most 28 digits; no exponent, no blanks.
fn plain_decimal(text: &str) -> Option<Decimal> {
    /// What fits any decimal exactly.
    const MOST_DIGITS: usize = 28;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let count = unsigned.len() - usize::from(unsigned.contains('.'));
    let is_plain = digits(whole) && digits(fraction) && count <= MOST_DIGITS;
    if is_plain { Decimal::from_str_exact(text).ok() } else { None }
}

/// The first day of a day, a month or a year, as ISO 8601 writes it: `2024-01-05`, `2024-01`, `2024`, and nothing else.
fn first_day(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    let is_form = matches!(bytes.len(), 4 | 7 | 10)
        && bytes.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_form {
        return None;
    }
    let part = |from: usize, to: usize| text.get(from..to).map_or(Some(1), |part| part.parse::<u32>().ok());
    NaiveDate::from_ymd_opt(i32::try_from(part(0, 4)?).ok()?, part(5, 7)?, part(8, 10)?)
}

/// The day of a text that is one: `2024-01-05`.
fn day(text: &str) -> Option<NaiveDate> {
    if text.len() == 10 { first_day(text) } else { None }
}

/// Whether somebody could read a text as a number or a day, where values of that kind are expected.
pub fn reads_as(text: &str, kind: Kind) -> bool {
    let text = text.trim();
    match kind {
        Kind::Number => text.bytes().any(|byte| byte.is_ascii_digit()) && text.parse::<f64>().is_ok(),
        Kind::Date => first_day(text).is_some(),
        Kind::Category => false,
    }
}

/// The place of a text that stands for itself.
fn own_place(text: &str, kind: Kind, category: Place) -> Option<Place> {
    match kind {
        Kind::Number => plain_decimal(text).map(Place::Number),
        Kind::Date => day(text).map(Place::Day),
        Kind::Category => Some(category),
    }
}

#[cfg(test)]
mod tests;
