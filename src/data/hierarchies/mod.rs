//! From a hierarchy file and the values that the tables hold to a [`Hierarchy`].

mod table;
mod interval;
mod mask;
mod date;
mod tree;
mod guess;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;

use super::error::{DataError, Missing, MissingValues, line_of};
use super::input;
use crate::model::size;
use crate::model::{Code, Hierarchy, Kind, Level, ModelError};

use self::date::DateLevels;
use self::interval::Intervals;
use self::mask::Mask;
use self::table::Table;
use self::tree::Tree;

/// Which file, and how the project wants it read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchySpec {
    /// A `.csv` or `.toml` file.
    pub path: PathBuf,
    /// What the values are; by default what the type of the file says.
    pub kind: Option<Kind>,
    /// The level that the public table holds.
    pub base: Level,
}

/// The distinct values of one column of one table.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The table's file, for messages.
    pub table: &'a Path,
    /// The column's name in it.
    pub column: &'a str,
    /// Its distinct values, sorted.
    pub texts: &'a [String],
}

impl Values<'_> {
    /// Whether these are the values of the same column of the same table.
    fn is_of(&self, other: Values) -> bool {
        (self.table, self.column) == (other.table, other.column)
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
    /// Every text of a level, where the file lists them all; else the tables say what occurs.
    fn listed(&self, _level: Level) -> Option<Vec<String>> {
        None
    }
    /// The finest values that the file itself names, where it names any: what its labels mean is checked over all of them.
    fn named_leaves(&self) -> Option<Vec<String>> {
        None
    }
    /// What to do about a value that it cannot place, such as the line to write for it.
    fn remedy(&self, text: &str) -> String;
    /// The place of a text of `level` in the order of values of `kind`.
    fn place(&self, text: &str, level: Level, kind: Kind) -> Option<Place>;
}

/// Reads a hierarchy for the values that the two tables hold.
///
/// # Errors
/// A [`DataError`] that names the file, and the line and value where there is one: a file that cannot be read or does not
/// nest, and every value of a table that it lacks.
pub fn read(spec: &HierarchySpec, public: Values, private: Values) -> Result<Domain, DataError> {
    let builder = read_recipe(&spec.path, public.texts, spec.base)?;
    let wrong = |detail: String| DataError::HierarchyFile { path: spec.path.clone(), line: None, detail };
    let model = |source| DataError::Hierarchy { path: spec.path.clone(), source };
    Hierarchy::check_height(builder.height() + 1).map_err(model)?;
    if spec.base > builder.top() {
        let (base, top) = (spec.base, builder.top());
        return Err(wrong(format!(
            "public_level = {base}, but its levels are 0 to {top}; correct the project"
        )));
    }
    let leaves = builder.listed(spec.base).unwrap_or_else(|| public.texts.to_vec());
    let kind = spec.kind.unwrap_or_else(|| builder.kind());
    // Where all that the file names are the leaves, the hierarchy over them checks the same.
    if spec.base > Level(0) || builder.listed(Level(0)).is_none() {
        check_named_leaves(builder.as_ref()).map_err(model)?;
    }
    let of_public = |text: &str| {
        // What the public table holds is of its level, and nothing finer.
        match builder.chain(text, spec.base) {
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

    // The values that a file names are of its kind, each once, whatever level the public table holds.
    if let Some(named) = builder.listed(Level(0)).filter(|_| spec.base > Level(0) && kind.is_ordered()) {
        ordered_chains(builder.as_ref(), named, Level(0), kind).map_err(model)?;
    }
    let chains = ordered_chains(builder.as_ref(), leaves, spec.base, kind).map_err(model)?;
    let hierarchy = Hierarchy::new(kind, spec.base, &chains).map_err(model)?;
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
    let readings = (0..=base.0)
        .filter_map(|level| builder.chain(text, Level(level))?.into_iter().nth(usize::from(base.0 - level)));
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
                    table: values.table.to_owned(),
                    column: values.column.to_owned(),
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
    Err(DataError::MissingValues(Box::new(MissingValues {
        table: values.table.to_owned(),
        column: values.column.to_owned(),
        hierarchy: spec.path.clone(),
        count: missing.len(),
        remedy: remedy(builder, &missing, &|text| matches!(label(text), Ok(Some(_)))),
        values: missing.iter().take(MissingValues::LISTED).map(|&text| Missing::new(text)).collect(),
    })))
}

/// What to do about values that a hierarchy cannot place.
fn remedy(builder: &dyn HierarchyBuilder, missing: &[&String], is_known: &dyn Fn(&str) -> bool) -> String {
    let is_of = |level: &u8| missing.iter().all(|text| builder.chain(text, Level(*level)).is_some());
    if let Some(level) = (0..=builder.top().0).find(is_of) {
        return format!(
            "these are of its level {level}: where the public table holds that level throughout, say `public_level = {level}`; the \
             private table must not be coarser"
        );
    }
    if let Some(form) = guess::guess(missing, is_known) {
        return format!("they look like {form}");
    }
    match missing.first() {
        Some(text) if text.is_empty() && missing.len() == 1 => {
            format!("the cell is empty: fill it, or give what is missing a label ({})", builder.remedy(text))
        }
        Some(text) => builder.remedy(missing.iter().find(|text| !text.is_empty()).unwrap_or(text)),
        None => String::new(),
    }
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
        && let Some(other) = leaves.iter().find(|leaf| leaf.len() != leaves[0].len())
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

/// The one key that every hierarchy in TOML has.
#[derive(Deserialize)]
struct TypeOnly {
    r#type: String,
}

fn read_recipe(path: &Path, public: &[String], base: Level) -> Result<Box<dyn HierarchyBuilder>, DataError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let bytes = input::read(path, input::MOST_TEXT).map_err(DataError::io("read hierarchy", path))?;
    if extension.eq_ignore_ascii_case("csv") {
        return Ok(Box::new(Table::read(path, &bytes)?));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = line_of(&bytes, error.valid_up_to());
        DataError::NotUtf8 { path: path.to_owned(), line, column: None }
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
        other => {
            return Err(wrong(format!("type `{other}` is unknown; types are interval, mask, date and tree")));
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
