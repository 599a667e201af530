//! From a hierarchy file and the values that the tables hold to a [`Hierarchy`].

mod table;
mod interval;
mod mask;
mod date;
mod tree;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rust_decimal::Decimal;
use serde::Deserialize;

use super::error::{DataError, line_of};
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

/// A hierarchy over the values of the tables, and the leaf of every value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The hierarchy.
    pub hierarchy: Hierarchy,
    raised: HashMap<String, Code>,
}

impl Domain {
    /// The leaf of a value: itself, or the label at the base level that a finer private value is raised to.
    /// `None` for a value that does not occur in the public table and is no leaf.
    pub fn code(&self, value: &str) -> Option<Code> {
        self.hierarchy.code(value).or_else(|| self.raised.get(value).copied())
    }
}

/// A value's place in the order of values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(Decimal),
    Text(String),
    /// Positions of first appearance, from the top of the hierarchy down.
    Walk(Vec<usize>),
}

/// How a type of hierarchy generalizes a value.
trait Recipe {
    /// What its values are unless the project says otherwise.
    fn kind(&self) -> Kind;
    /// Its coarsest level.
    fn top(&self) -> Level;
    /// The labels of a text of `level`, from that level to the top; `None` for a text that this level does not have.
    fn chain(&self, text: &str, level: Level) -> Option<Vec<String>>;
    /// Every text of a level, where the file lists them all; else the tables say what occurs.
    fn listed(&self, _level: Level) -> Option<Vec<String>> {
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
    let recipe = read_recipe(&spec.path, public.texts, spec.base)?;
    let wrong = |detail: String| DataError::HierarchyFile { path: spec.path.clone(), line: None, detail };
    if spec.base > recipe.top() {
        let (base, top) = (spec.base, recipe.top());
        return Err(wrong(format!(
            "public_level = {base}, but its levels are 0 to {top}; correct the project"
        )));
    }
    let leaves = recipe.listed(spec.base).unwrap_or_else(|| public.texts.to_vec());
    let kind = spec.kind.unwrap_or_else(|| recipe.kind());
    check_values(spec, recipe.as_ref(), public, |text| recipe.chain(text, spec.base).is_some())?;
    let raise = |text: &str| raise(recipe.as_ref(), text, spec.base);
    check_values(spec, recipe.as_ref(), private, |text| raise(text).is_some())?;

    let model = |source| DataError::Hierarchy { path: spec.path.clone(), source };
    let chains = ordered_chains(recipe.as_ref(), leaves, spec.base, kind).map_err(model)?;
    let hierarchy = Hierarchy::new(kind, spec.base, &chains).map_err(model)?;
    let raised = private.texts.iter().filter_map(|text| Some((text.clone(), hierarchy.code(&raise(text)?)?)));
    let raised = if spec.base == Level(0) { HashMap::new() } else { raised.collect() };
    Ok(Domain { hierarchy, raised })
}

/// The label at `base` of a text of that level or a finer one.
fn raise(recipe: &dyn Recipe, text: &str, base: Level) -> Option<String> {
    (0..=base.0).rev().find_map(|level| {
        let chain = recipe.chain(text, Level(level))?;
        chain.into_iter().nth(usize::from(base.0 - level))
    })
}

/// Refuses, with all of them listed, values that the hierarchy cannot place.
fn check_values(
    spec: &HierarchySpec,
    recipe: &dyn Recipe,
    values: Values,
    is_placed: impl Fn(&str) -> bool,
) -> Result<(), DataError> {
    debug_assert!(spec.base <= recipe.top(), "checked before");
    let missing: Vec<String> = values.texts.iter().filter(|text| !is_placed(text)).cloned().collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(DataError::MissingValues {
        table: values.table.to_owned(),
        column: values.column.to_owned(),
        hierarchy: spec.path.clone(),
        values: missing,
    })
}

/// The chains of labels, in the order of values.
fn ordered_chains(
    recipe: &dyn Recipe,
    leaves: Vec<String>,
    base: Level,
    kind: Kind,
) -> Result<Vec<Vec<String>>, ModelError> {
    let mut placed = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let place = recipe.place(&leaf, base, kind);
        let place = place.ok_or_else(|| ModelError::NotOfKind { leaf: leaf.clone(), kind: kind.word() })?;
        placed.push((place, leaf));
    }
    placed.sort();
    if kind == Kind::Number
        && let Some(pair) = placed.windows(2).find(|pair| pair[0].0 == pair[1].0)
    {
        return Err(ModelError::EqualNumbers { first: pair[0].1.clone(), second: pair[1].1.clone() });
    }
    Ok(placed.into_iter().filter_map(|(_, leaf)| recipe.chain(&leaf, base)).collect())
}

/// The one key that every hierarchy in TOML has.
#[derive(Deserialize)]
struct TypeOnly {
    r#type: String,
}

fn read_recipe(path: &Path, public: &[String], base: Level) -> Result<Box<dyn Recipe>, DataError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let bytes = std::fs::read(path).map_err(DataError::io("read hierarchy", path))?;
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
        "interval" => Box::new(Intervals::new(from_toml(path, text)?, public, base).map_err(wrong)?),
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

/// A plain decimal: digits, perhaps a sign before and a fraction behind; no exponent, no blanks.
fn plain_decimal(text: &str) -> Option<Decimal> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if digits(whole) && digits(fraction) { Decimal::from_str_exact(text).ok() } else { None }
}

/// A date, or the month or year of one, as ISO 8601 writes it.
fn iso_date(text: &str) -> bool {
    let padded = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    padded.len() == 10 && chrono::NaiveDate::parse_from_str(&padded, "%Y-%m-%d").is_ok()
}

/// The place of a text that stands for itself.
fn own_place(text: &str, kind: Kind, category: Place) -> Option<Place> {
    match kind {
        Kind::Number => plain_decimal(text).map(Place::Number),
        Kind::Date => iso_date(text).then(|| Place::Text(text.to_owned())),
        Kind::Category => Some(category),
    }
}

#[cfg(test)]
mod tests;
