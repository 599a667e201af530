//! The verifier's reading of a project file.
//!
//! The engine has its own reader of project files (`palmtop-project`). This one shares no code with it, so that a mistake of
//! one reader is a disagreement and not a wrong verdict. It reads every key that decides which rows, values and bounds
//! count. Keys that decide nothing here (names, weights, reasons, the report) are accepted and ignored. Unknown keys are
//! refused.

mod attribute;
mod keys;
mod readings;
mod fetched;
mod spec;
pub(crate) mod identity;

pub use self::spec::VerifySpec;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern, glob_with};
use palmtop_terms::located::{Located, Place};
use palmtop_terms::{Delta, Presence, Role};
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use self::attribute::{attribute, repeated};
use self::keys::{byte, character, known, table, texts, word, wrong};
use self::readings::notation;
use crate::people::{AttributeSpec, CountSource, NotInPublic, PrivateSource, Repeated};
use crate::read::{NamedRow, Naming, RowsSource, TableSource};

/// A project file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("project {}: {detail}", path.display())]
pub struct ProjectError {
    /// The file.
    pub path: PathBuf,
    /// The problem, and the remedy.
    pub detail: String,
}

impl Located for ProjectError {
    fn places(&self) -> Vec<Place> {
        vec![Place::of(&self.path)]
    }
}

/// δ, if it is not the one of the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherDelta {
    /// δmin.
    pub min: Option<Presence>,
    /// δmax.
    pub max: Option<Presence>,
}

/// The keys of each table of a project file.
const ROOT: &[&str] =
    &["name", "missing", "private", "public", "delta", "search", "policy", "attribute", "report"];
const TABLE: &[&str] = &[
    "path",
    "separator",
    "quote",
    "encoding",
    "sheet",
    "header_row",
    "header",
    "leave_out",
    "keep_rows",
    "hidden_rows",
];
const PRIVATE: &[&str] = &["unlisted", "not_in_public"];
const PUBLIC: &[&str] = &["count", "counts", "person", "member", "cache", "sample_of", "source"];
const SOURCE: &[&str] = &["profile", "driver", "uri", "table", "query", "snapshot"];

/// The keys of older projects that others have replaced. The file on disk may still have them, and every export is recounted from
/// it, so they are read here, too.
const OLDER_TABLE: &[&str] = &["paths"];

/// The column of a snapshot that has the number of people.
const SNAPSHOT_COUNT: &str = "people";

impl VerifySpec {
    /// Reads a project file.
    ///
    /// # Errors
    /// A [`ProjectError`] that names the key.
    pub fn of_project(path: &Path, other: OtherDelta) -> Result<Self, ProjectError> {
        read(path, other).map_err(|detail| ProjectError { path: path.to_owned(), detail })
    }
}

/// The parts whose numbers are read by their digits: a float could round them.
#[derive(Deserialize)]
struct Exact {
    #[serde(default)]
    delta: BTreeMap<String, Spanned<Value>>,
    #[serde(default)]
    policy: BTreeMap<String, Spanned<Value>>,
}

fn read(path: &Path, other: OtherDelta) -> Result<VerifySpec, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read it: {error}"))?;
    let root: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let exact: Exact = toml::from_str(&text).map_err(|error| error.to_string())?;
    known(&root, &[ROOT], "the project")?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let empty = Table::new();
    let public = table(&root, "public")?.ok_or("there is no [public]")?;
    let private = table(&root, "private")?.unwrap_or(&empty);
    known(public, &[TABLE, OLDER_TABLE, PUBLIC], "[public]")?;
    known(private, &[TABLE, OLDER_TABLE, PRIVATE], "[private]")?;
    let source = table(public, "source")?;
    let is_member = public.contains_key("member");
    let missing = texts(&root, "missing")?.unwrap_or_default();
    let attributes = match root.get("attribute") {
        None => Vec::new(),
        Some(Value::Array(list)) => list
            .iter()
            .map(|value| attribute(value, folder, &missing, is_member))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err("`attribute` is no list; write [[attribute]]".to_owned()),
    };
    let (suppress_at_most, policy) = policy(&exact.policy, &text);
    let person = person(public)?;
    let is_its = |attribute: &&AttributeSpec| {
        let is_identifier = attribute.role == Role::Identifier;
        is_identifier && person.as_ref().is_some_and(|(column, _)| *column == attribute.public_column)
    };
    if let Some(AttributeSpec { name, .. }) = attributes.iter().find(is_its).filter(|_| !is_member) {
        return Err(format!(
            "`person` of [public] names the column of the attribute `{name}`; say there what its repeats mean, and remove `person`"
        ));
    }
    let tables = match source {
        Some(source) => snapshot(public, source, folder)?,
        None => files(public, "[public]", folder)?,
    };
    if source.is_some() {
        let identifiers = attributes.iter().filter(|attribute| attribute.role == Role::Identifier);
        let identifiers =
            identifiers.map(|attribute| (attribute.public_column.as_str(), &attribute.repeated));
        let of_public = person.iter().map(|(column, repeated)| (column.as_str(), repeated));
        fetched::check(&tables.paths[0], identifiers.chain(of_public), &missing)?;
    }
    Ok(VerifySpec {
        project: Some(path.to_owned()),
        public: tables,
        count: count(public, source.is_some())?,
        // A fetch has already counted the people of a database.
        person: person.filter(|_| source.is_none()),
        missing: missing.clone(),
        private: match (is_member, has_files(private)) {
            (true, false) => member(public)?,
            (false, true) => PrivateSource::Table(files(private, "[private]", folder)?),
            (true, true) => {
                return Err("T is given twice: `path` of [private] and `member` of [public]".to_owned());
            }
            (false, false) => {
                return Err("there is no T: no `path` of [private], and no `member` of [public]".to_owned());
            }
        },
        attributes,
        unlisted_dropped: match word(private, "unlisted")? {
            None | Some("refuse") => false,
            Some("drop") => true,
            Some(other) => return Err(wrong("unlisted", other)),
        },
        not_in_public: match word(private, "not_in_public")? {
            None | Some("refuse") => NotInPublic::Refuse,
            Some("drop") => NotInPublic::Drop,
            Some("add") => NotInPublic::Add,
            Some(other) => return Err(wrong("not_in_public", other)),
        },
        delta: delta(&exact.delta, &text, other)?,
        forbids_empty: forbids_empty(&root)?,
        policy,
        suppress_at_most,
    })
}

fn has_files(table: &Table) -> bool {
    table.contains_key("path") || table.contains_key("paths")
}

/// The files of a table, and how they are written.
fn files(table: &Table, part: &str, folder: &Path) -> Result<TableSource, String> {
    // `paths` is the older name of a list in `path`.
    let paths = match (table.get("path"), table.get("paths")) {
        (Some(Value::String(path)), None) => named_files(path, folder)?,
        (Some(_), None) => listed_files(table, "path", folder)?,
        (None, Some(_)) => listed_files(table, "paths", folder)?,
        _ => return Err(format!("{part} has to have a `path`")),
    };
    let mut source = TableSource { paths, ..TableSource::of(PathBuf::new()) };
    written_as(table, &mut source)?;
    Ok(source)
}

/// A list of files, none of which is a pattern.
fn listed_files(table: &Table, key: &str, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = texts(table, key)?.unwrap_or_default();
    if listed.is_empty() {
        return Err(format!("`{key}` names no file"));
    }
    Ok(listed.iter().map(|path| folder.join(path)).collect())
}

/// The keys that say how files are written.
fn written_as(table: &Table, source: &mut TableSource) -> Result<(), String> {
    source.separator = character(table, "separator")?.map(|mark| byte(mark, "separator")).transpose()?;
    source.quote = match word(table, "quote")? {
        None => source.quote,
        Some("") => None,
        Some(_) => character(table, "quote")?.map(|mark| byte(mark, "quote")).transpose()?,
    };
    source.encoding = word(table, "encoding")?.map(str::to_owned);
    source.sheet = word(table, "sheet")?.map(str::to_owned);
    if let Some(row) = table.get("header_row") {
        let row = row.as_integer().and_then(|row| u32::try_from(row).ok()).filter(|row| *row > 0);
        source.header_row = Some(row.ok_or("`header_row` is no row from 1")?);
    }
    source.rows = RowsSource {
        naming: match table.get("header") {
            None => Naming::Unsaid,
            Some(Value::Boolean(true)) => Naming::First,
            Some(Value::Boolean(false)) => Naming::Counted,
            Some(_) => Naming::Given(texts(table, "header")?.unwrap_or_default()),
        },
        leave_out: named_rows(table, "leave_out")?,
        keep: named_rows(table, "keep_rows")?,
        hidden_are_people: match word(table, "hidden_rows")? {
            None => None,
            Some("keep") => Some(true),
            Some("leave_out") => Some(false),
            Some(other) => return Err(wrong("hidden_rows", other)),
        },
    };
    Ok(())
}

/// The rows that a key names, by numbers and texts.
fn named_rows(table: &Table, key: &str) -> Result<Vec<NamedRow>, String> {
    let row = |value: &Value| match value {
        Value::Integer(number) => {
            u64::try_from(*number).ok().filter(|number| *number > 0).map(NamedRow::Number)
        }
        Value::String(text) => Some(NamedRow::Text(text.clone())),
        _ => None,
    };
    match table.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(rows)) => {
            let rows: Option<Vec<NamedRow>> = rows.iter().map(row).collect();
            rows.ok_or_else(|| format!("`{key}` names a row by a number from 1 or by the text of a cell"))
        }
        Some(_) => Err(format!("`{key}` is no list")),
    }
}

/// The snapshot of a database: one Parquet file.
fn snapshot(public: &Table, source: &Table, folder: &Path) -> Result<TableSource, String> {
    known(source, &[SOURCE], "[public.source]")?;
    let path = word(source, "snapshot")?.ok_or("[public.source] has no `snapshot`")?;
    if has_files(public) {
        return Err("[public] has both `path` and [public.source]".to_owned());
    }
    let mut table = TableSource::of(folder.join(path));
    written_as(public, &mut table)?;
    Ok(table)
}

/// One file, or the files of a pattern in the order of their names. An existing file wins over a pattern.
fn named_files(path: &str, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let file = folder.join(path);
    if !path.contains(['*', '?', '[']) || file.symlink_metadata().is_ok() {
        return Ok(vec![file]);
    }
    if path.contains("**") {
        return Err(format!("pattern {path:?}: `**` is not possible"));
    }
    let pattern = if Path::new(path).is_absolute() || folder.as_os_str().is_empty() {
        path.to_owned()
    } else {
        let folder = folder.to_str().ok_or("the name of the project's folder is not UTF-8")?;
        format!("{}/{path}", Pattern::escape(folder))
    };
    let options = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let found = glob_with(&pattern, options).map_err(|error| format!("pattern {path:?}: {error}"))?;
    let mut files: Vec<PathBuf> =
        found.collect::<Result<_, _>>().map_err(|error| format!("pattern {path:?}: {error}"))?;
    files.sort_unstable();
    if files.is_empty() { Err(format!("pattern {path:?}: no file has such a name")) } else { Ok(files) }
}

fn count(public: &Table, is_snapshot: bool) -> Result<Option<CountSource>, String> {
    match (word(public, "counts")?, public.contains_key("count")) {
        (None, false) | (Some("people"), true) => {}
        (Some(_), false) => return Err("`counts` needs `count`".to_owned()),
        (None, true) => {
            return Err("the project must say that `count` counts each person once: `counts = \"people\"` under [public]"
                .to_owned());
        }
        (Some("rows"), true) => {
            return Err("`count` counts rows, and a person may have several; count people and write `counts = \"people\"`"
                .to_owned());
        }
        (Some(other), true) => {
            return Err(format!("`counts` cannot be {other:?}; it is \"people\" or \"rows\""));
        }
    }
    match public.get("count") {
        None if is_snapshot => Ok(Some(CountSource { is_fetched: true, ..CountSource::of(SNAPSHOT_COUNT) })),
        None => Ok(None),
        Some(Value::String(column)) => Ok(Some(CountSource::of(column))),
        Some(Value::Table(table)) => {
            known(table, &[&["column", "texts", "number"]], "`count`")?;
            let column = word(table, "column")?.ok_or("`count` has no `column`")?.to_owned();
            let mut people = BTreeMap::new();
            for (text, number) in self::table(table, "texts")?.unwrap_or(&Table::new()) {
                let number = number.as_integer().and_then(|number| u32::try_from(number).ok());
                people.insert(
                    text.clone(),
                    u64::from(number.ok_or_else(|| format!("`count`: {text:?} has no number"))?),
                );
            }
            let number = table.get("number").map(notation).transpose()?;
            Ok(Some(CountSource { texts: people, number, ..CountSource::of(&column) }))
        }
        Some(_) => Err("`count` is no column".to_owned()),
    }
}

/// The column of P that says who is a person, if T lacks it.
fn person(public: &Table) -> Result<Option<(String, Repeated)>, String> {
    let Some(table) = table(public, "person")? else { return Ok(None) };
    known(table, &[&["column", "distinct", "first_by", "repeats"]], "`person`")?;
    let column = word(table, "column")?.ok_or("`person` has no `column`")?;
    match repeated(table)? {
        Repeated::Unsaid | Repeated::Shared { is_reasoned: false } => {
            Err("`person` does not say what rows with one value are".to_owned())
        }
        repeated => Ok(Some((column.to_owned(), repeated))),
    }
}

fn member(public: &Table) -> Result<PrivateSource, String> {
    let (column, is) = match public.get("member") {
        Some(Value::String(column)) => (column.clone(), Vec::new()),
        Some(Value::Table(table)) => {
            known(table, &[&["column", "is"]], "`member`")?;
            let column = word(table, "column")?.ok_or("`member` has no `column`")?.to_owned();
            let is = match table.get("is") {
                Some(Value::String(text)) => vec![text.clone()],
                _ => texts(table, "is")?.filter(|texts| !texts.is_empty()).ok_or("`member` has no `is`")?,
            };
            (column, is)
        }
        _ => return Err("`member` is no column".to_owned()),
    };
    Ok(PrivateSource::Member { column, is })
}

fn forbids_empty(root: &Table) -> Result<bool, String> {
    let Some(search) = table(root, "search")? else { return Ok(false) };
    // What `simulatable` believes changes no promise.
    known(search, &[&["empty_regions", "belief"]], "[search]")?;
    match word(search, "empty_regions")? {
        None | Some("allow") => Ok(false),
        Some("forbid") => Ok(true),
        Some(other) => Err(wrong("empty_regions", other)),
    }
}

/// The text of a value: a text without its quotes, a number by its digits.
fn digits(value: &Spanned<Value>, file: &str) -> String {
    match value.get_ref() {
        Value::String(text) => text.clone(),
        _ => file[value.span()].to_owned(),
    }
}

/// The keys of `[delta]`. Those after the bounds say why δ is this one, and no verdict depends on them.
const DELTA: [&str; 7] = ["min", "max", "prior", "misuse", "misuse_down", "cost", "reason"];

fn delta(written: &BTreeMap<String, Spanned<Value>>, file: &str, other: OtherDelta) -> Result<Delta, String> {
    if let Some(key) = written.keys().find(|key| !DELTA.contains(&key.as_str())) {
        return Err(format!("[delta] has the key `{key}`, which is not known here"));
    }
    let bound = |key: &str| -> Result<Option<Presence>, String> {
        let text = written.get(key).map(|value| digits(value, file));
        text.map(|text| text.parse().map_err(|error| format!("[delta] {key}: {error}"))).transpose()
    };
    let (min, max) = (other.min.or(bound("min")?), other.max.or(bound("max")?));
    let max = max.ok_or("there is no δmax, neither in [delta] nor on the command line")?;
    Delta::new(min.unwrap_or(Presence::ZERO), max).map_err(|error| error.to_string())
}

/// The share of members that may be withdrawn, and the other keys of `[policy]` with the text of their values.
fn policy(written: &BTreeMap<String, Spanned<Value>>, file: &str) -> (Option<String>, Vec<(String, String)>) {
    const SHARE: &str = "suppress_at_most";
    let share = written.get(SHARE).map(|value| digits(value, file));
    let others = written.iter().filter(|(key, _)| *key != SHARE);
    let text = |value: &Spanned<Value>| match value.get_ref() {
        nested @ (Value::Table(_) | Value::Array(_)) => one_line(nested),
        _ => file[value.span()].to_owned(),
    };
    (share, others.map(|(key, value)| (key.clone(), text(value))).collect())
}

/// A table or a list on one line.
fn one_line(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Table(table) if table.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let entry = |(key, value): (&String, &Value)| {
                let is_bare =
                    key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
                let key = if is_bare && !key.is_empty() {
                    key.clone()
                } else {
                    Value::String(key.clone()).to_string()
                };
                format!("{key} = {}", one_line(value))
            };
            format!("{{ {} }}", joined(table.iter().map(entry).collect()))
        }
        Value::Array(list) => format!("[{}]", joined(list.iter().map(one_line).collect())),
        other => other.to_string(),
    }
}
