//! Ready lists: what common codes stand for, from public sources.
//!
//! A list is a file of `hierarchies/`, made by `make.py` there; its first lines name the sources and their dates. It is proposed if
//! it has the values of nearly all people of P, in upper or lower case. The project gets a `tree` of the list and of P's values.
//! A tree takes its leaves from P, so the rest of a list costs nothing, and values that only T has are still read. Values of P
//! that a list lacks have a branch of their own below `*`, and a question names them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::hierarchies::found::hierarchy_of;
use crate::words;
use crate::{Ambiguity, Choice, Decision, HierarchySource, ReadyHierarchy};
use palmtop_tables::hierarchies::build::{Recipe, ValueKind};
use palmtop_tables::hierarchies::tree_of;

struct List {
    name: &'static str,
    text: &'static str,
    /// Words of the names of columns that have such values.
    columns: &'static [&'static str],
    /// Whether the list has categories, the first three characters of the values.
    has_categories: bool,
}

/// A file of `hierarchies/`.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../hierarchies/", $name, ".toml"))
    };
}

const COUNTRY: &[&str] = &[
    "country",
    "countries",
    "nation",
    "nationality",
    "citizenship",
    "birthplace",
    "land",
    "pays",
    "iso",
    "iso2",
    "iso3",
];

/// The lists. If two lists have the same values, the name of the column decides, then this order.
static LISTS: [List; 8] = [
    List::new("country-iso2", file!("country-iso2"), COUNTRY),
    List::new("country-iso3", file!("country-iso3"), COUNTRY),
    List::new("country-ioc", file!("country-ioc"), &["noc", "ioc"]),
    List::new("country-name", file!("country-name"), COUNTRY),
    List::new("us-state", file!("us-state"), &["state", "states"]),
    List::new("month", file!("month"), &["month", "monat", "mois"]),
    List::new("weekday", file!("weekday"), &["weekday", "dayofweek", "wochentag", "jour"]),
    List {
        has_categories: true,
        ..List::new("icd-10", file!("icd-10"), &["icd", "icd10", "diagnosis", "diagnose", "diagnostic"])
    },
];

/// A list is proposed if at most one in this number of people has another value.
const OTHERS: u64 = 20;

/// The same for a column whose name fits: a column of states of the US also has the provinces of Canada.
const OTHERS_OF_NAMED: u64 = 5;

/// A list is proposed from this number of its values, or first letters of categories, or if the column's name fits.
const TELLING: usize = 5;

/// A list can be chosen if it has at least one in this number of the values.
const LEAST: usize = 4;

/// The most values that a question names.
const SHOWN: usize = 20;

/// Possible labels of the values that a list lacks.
const NOT_LISTED: [&str; 2] = ["not listed", "not in the list"];

/// What follows a category if a value of P has its text.
const ENDINGS: [&str; 3] = ["", ".-", ".*"];

impl List {
    const fn new(name: &'static str, text: &'static str, columns: &'static [&'static str]) -> Self {
        Self { name, text, columns, has_categories: false }
    }

    /// Whether a column has such values, by its name.
    fn suits(&self, column: &str) -> bool {
        let plain = words::plain(column);
        self.columns.iter().any(|name| plain == *name || words::words(column).iter().any(|word| word == name))
    }

    /// The labels of each value above itself, finest first; `None` if the list lacks it.
    fn labels(&self, rows: &[Vec<String>], texts: &[String]) -> Vec<Option<Vec<String>>> {
        let known = Known::of(rows);
        let find = |text: &str| known.find(if self.has_categories { category(text)? } else { text });
        let found: Vec<Option<&Vec<String>>> = texts.iter().map(|text| find(text)).collect();
        // A level of categories, unless all values are categories.
        let are_longer = texts.iter().zip(&found).any(|(text, row)| row.is_some() && text.len() > 3);
        if !self.has_categories || !are_longer {
            return found.into_iter().map(|row| Some(row?[1..].to_vec())).collect();
        }
        let has = |text: String| texts.binary_search(&text).is_ok();
        let is_free = |ending: &&str| found.iter().flatten().all(|row| !has(format!("{}{ending}", row[0])));
        let ending = ENDINGS.into_iter().find(is_free).unwrap_or_default();
        let above = |row: &Vec<String>| {
            std::iter::once(format!("{}{ending}", row[0])).chain(row[1..].iter().cloned()).collect()
        };
        found.into_iter().map(|row| row.map(above)).collect()
    }

    /// The list over P's sorted values; `None` if it is no hierarchy of them.
    fn over(&self, kind: ValueKind, texts: &[String]) -> Option<ReadyHierarchy> {
        if !matches!(kind, ValueKind::Category | ValueKind::Code) {
            return None;
        }
        let rows = rows(self.text);
        let labels = self.labels(&rows, texts);
        let height = labels.iter().flatten().map(Vec::len).next()?;
        let known = labels.iter().flatten().count();
        if known < TELLING.min(texts.len().div_ceil(2)) || known.saturating_mul(LEAST) < texts.len() {
            return None;
        }
        let other = NOT_LISTED.into_iter().find(|label| texts.iter().all(|text| text != label))?;
        // The whole list is written, unless P's codes are finer than the list and need a level of their own.
        let mut written: Vec<Vec<String>> = rows.into_iter().filter(|row| row.len() == height + 1).collect();
        let named: BTreeSet<String> = written.iter().map(|row| row[0].clone()).collect();
        let mut lacking = Vec::new();
        for (text, labels) in texts.iter().zip(labels).filter(|(text, _)| !named.contains(*text)) {
            let labels = labels.unwrap_or_else(|| {
                lacking.push(text.clone());
                vec![other.to_owned(); height]
            });
            written.push(std::iter::once(text.clone()).chain(labels).collect());
        }
        let text = self.head() + &tree_of(&written);
        hierarchy_of(Path::new("ready.toml"), text.as_bytes(), kind, texts)?;
        let origin = self.text.lines().find_map(|line| line.strip_prefix("# Source: "));
        let origin = origin
            .map(|origin| origin.split_once("),").map_or(origin, |(origin, _)| origin).replace(" (", ", "));
        Some(ReadyHierarchy {
            list: self.name,
            origin: origin.unwrap_or_default(),
            text: text.into(),
            lacking,
        })
    }

    /// Whether enough sorted values show the list. Sites `S01` to `S52` are like codes of ICD-10, but those have many letters.
    fn is_told_by(&self, texts: &[String], lacking: &[String]) -> bool {
        let known = texts.iter().filter(|text| lacking.binary_search(text).is_err());
        let length = if self.has_categories { 1 } else { usize::MAX };
        let shown: BTreeSet<String> = known.map(|text| text.chars().take(length).collect()).collect();
        shown.len() >= TELLING
    }

    /// The first lines of the written file: the list and its sources.
    fn head(&self) -> String {
        let list = self.text.lines().take_while(|line| line.starts_with('#'));
        list.flat_map(|line| [line, "\n"]).collect()
    }
}

/// The rows of a list by their values.
struct Known<'a> {
    exact: FxHashMap<&'a str, &'a Vec<String>>,
    /// By lower case; `None` if two cases have different labels.
    folded: FxHashMap<String, Option<&'a Vec<String>>>,
}

impl<'a> Known<'a> {
    fn of(rows: &'a [Vec<String>]) -> Self {
        let exact = rows.iter().map(|row| (row[0].as_str(), row)).collect();
        let mut folded: FxHashMap<String, Option<&Vec<String>>> = FxHashMap::default();
        for row in rows {
            let first = folded.entry(row[0].to_lowercase()).or_insert(Some(row));
            if first.is_some_and(|first| first[1..] != row[1..]) {
                *first = None;
            }
        }
        Self { exact, folded }
    }

    fn find(&self, text: &str) -> Option<&'a Vec<String>> {
        self.exact.get(text).copied().or_else(|| self.folded.get(&text.to_lowercase()).copied().flatten())
    }
}

/// The rows of a list: each value with its labels.
fn rows(text: &str) -> Vec<Vec<String>> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let levels = table.get("level").and_then(toml::Value::as_array);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for level in levels.into_iter().flatten().filter_map(toml::Value::as_table) {
        let parts = level.iter().flat_map(|(label, parts)| {
            let parts = parts.as_array().into_iter().flatten().filter_map(toml::Value::as_str);
            parts.map(move |part| (part, label))
        });
        if rows.is_empty() {
            rows = parts.map(|(part, label)| vec![part.to_owned(), label.clone()]).collect();
        } else {
            let above: BTreeMap<&str, &String> = parts.collect();
            for row in &mut rows {
                let label = row.last().and_then(|part| above.get(part.as_str()));
                row.extend(label.map(|label| (*label).clone()));
            }
        }
    }
    rows
}

/// The category of a code of ICD-10 such as `J45`, `J45.0`, `J450` or `J45.0G`.
fn category(text: &str) -> Option<&str> {
    let rest = text.get(3..)?;
    let is_end = |byte: u8| byte.is_ascii_alphanumeric() || b".-+*!#".contains(&byte);
    (rest.len() <= 5 && rest.bytes().all(is_end)).then(|| text.get(..3)).flatten()
}

/// The list that nearly all people of P have a value of; `people` has P's values and the people with each.
pub(crate) fn fitting(
    column: &str,
    kind: ValueKind,
    people: &BTreeMap<String, u64>,
) -> Option<ReadyHierarchy> {
    let texts: Vec<String> = people.keys().cloned().collect();
    let all: u64 = people.values().sum();
    let best = LISTS.iter().zip(0..).filter_map(|(list, order)| {
        let suits = list.suits(column);
        let ready = list.over(kind, &texts)?;
        let others: u64 = ready.lacking.iter().filter_map(|text| people.get(text)).sum();
        let is_telling = suits || list.is_told_by(&texts, &ready.lacking);
        let share = if suits { OTHERS_OF_NAMED } else { OTHERS };
        (is_telling && others.saturating_mul(share) <= all).then_some(((others, !suits, order), ready))
    });
    best.min_by_key(|(rank, _)| *rank).map(|(_, ready)| ready)
}

/// Whether a text that may mean a missing value is a code of the list that fits the other texts of a column, such as `NA` for Namibia.
pub(crate) fn has(text: &str, column: &str, people: &BTreeMap<String, u64>) -> bool {
    let mut others = people.clone();
    let of_text = others.remove(text).unwrap_or_default();
    let all: u64 = people.values().sum();
    let list =
        fitting(column, ValueKind::Category, &others).filter(|_| of_text.saturating_mul(OTHERS) <= all);
    let list = list.and_then(|ready| LISTS.iter().find(|list| list.name == ready.list));
    list.is_some_and(|list| rows(list.text).iter().any(|row| row[0] == text))
}

/// The list of this name over some sorted values; `None` if it lacks most of them.
pub(crate) fn of(name: &str, kind: ValueKind, texts: &[String]) -> Option<ReadyHierarchy> {
    LISTS.iter().find(|list| list.name == name)?.over(kind, texts)
}

/// The lists that can be chosen for these sorted values.
pub(crate) fn possible(kind: ValueKind, texts: &[String]) -> Vec<ReadyHierarchy> {
    LISTS.iter().filter_map(|list| list.over(kind, texts)).collect()
}

/// The question about P's values that the list lacks; `None` if it has all.
pub(crate) fn question(ready: &ReadyHierarchy, attribute: &str, values: usize) -> Option<Ambiguity> {
    if ready.lacking.is_empty() {
        return None;
    }
    let choice = |label: &str, source| Choice {
        label: label.to_owned(),
        decision: Decision::Hierarchy { attribute: attribute.to_owned(), source },
    };
    let texts: Vec<String> = ready.lacking.iter().take(SHOWN).map(|text| format!("{text:?}")).collect();
    let more = ready.lacking.len() - texts.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Some(Ambiguity {
        attribute: Some(attribute.to_owned()),
        what: format!(
            "the list {} lacks {} of {values} values: {}{more}; they become one group below `*`",
            ready.list,
            ready.lacking.len(),
            texts.join(", ")
        ),
        remedy: "map another spelling to a listed value in `values`, list a text for a missing value in `missing`, or move the \
                 values on the hierarchies screen"
            .to_owned(),
        choices: vec![
            choice("keep these values as one group", HierarchySource::Ready(ready.clone())),
            choice("no list: the value, then *", HierarchySource::Built(Recipe::Flat)),
        ],
    })
}

#[cfg(test)]
mod tests;
