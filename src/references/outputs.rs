//! The columns and keys of the outputs, for `docs/outputs.md`.
//!
//! A name that several outputs have, with one meaning, is on the page once: in the list of recurring
//! names. So is a name that CSV and JSON of one output have.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use palmtop::columns::{Head, Shown};
use palmtop::figures::{Better, FIGURES};
use palmtop::keys::{Key, Keyed as _};
use palmtop_console::result::Bounds;

use super::markup::code;
use crate::cli::{Output, outputs};

/// A name in its list, and its meaning.
type Meant = (String, String);

/// The part of a path within the elements of its list: `delta.min` of `steps[].delta.min`.
fn in_list(path: &str) -> &str {
    path.rsplit_once("[].").map_or(path, |(_, rest)| rest)
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Whether a key is a bound of a δ or of a presence, which the page explains once.
fn is_bound(key: &Key) -> bool {
    let is_it = |bound: &Key| last(&key.path) == bound.path && key.meaning == bound.meaning;
    key.path.contains('.') && Bounds::keys().iter().any(is_it)
}

/// Whether the column is this key: a bound, or a name with the same meaning.
fn is_column(key: &Key, head: &Head) -> bool {
    is_bound_of(key, head) || (last(&key.path) == head.name && key.meaning == head.doc)
}

/// Whether the column is a bound of this key: `delta_max` of `delta.max`.
fn is_bound_of(key: &Key, head: &Head) -> bool {
    let path = in_list(&key.path);
    path.contains('.') && path.replace('.', "_") == head.name
}

/// The keys under a key.
fn under<'a>(keys: &'a [Key], parent: &Key) -> Vec<(&'a str, &'a str)> {
    let child = |key: &'a Key| {
        let rest = key.path.strip_prefix(parent.path.as_str())?;
        rest.starts_with(['.', '[']).then_some((rest, key.meaning.as_str()))
    };
    keys.iter().filter_map(child).collect()
}

/// The keys and the further columns of an output. Keys like those of an earlier key are left out.
fn rows(output: &Output) -> Vec<Key> {
    let mut rows: Vec<Key> = Vec::new();
    let mut left_out = BTreeSet::new();
    for (index, key) in output.keys.iter().enumerate() {
        if is_bound(key) || left_out.contains(&key.path) {
            continue;
        }
        let children = under(&output.keys, key);
        let same = |other: &&Key| !children.is_empty() && under(&output.keys, other) == children;
        let is_of_bounds = children.len() == 2 && output.keys[index + 1..].iter().take(2).all(is_bound);
        let mut meaning = key.meaning.clone();
        if let Some(earlier) = output.keys[..index].iter().find(same).filter(|_| !is_of_bounds) {
            write!(meaning, "; keys as of `{}`", earlier.path).unwrap();
            left_out.extend(children.iter().map(|(rest, _)| format!("{}{rest}", key.path)));
        }
        rows.push(Key { path: key.path.clone(), meaning });
    }
    let is_further = |head: &&Head| !output.keys.iter().any(|key| is_column(key, head));
    rows.extend(output.columns.iter().filter(is_further).map(Head::key));
    rows
}

/// The names that several outputs have, each with its shortest path. A name has one meaning here: that
/// of most outputs.
fn shared() -> BTreeMap<Meant, String> {
    let mut counts: BTreeMap<Meant, (usize, String)> = BTreeMap::new();
    for output in outputs() {
        let mut own: BTreeMap<Meant, String> = BTreeMap::new();
        for row in rows(&output) {
            own.entry((in_list(&row.path).to_owned(), row.meaning)).or_insert(row.path);
        }
        let is_bound = |head: &&Head| output.keys.iter().any(|key| is_bound_of(key, head));
        for head in output.columns.iter().filter(|head| !is_bound(head)) {
            own.entry((head.name.to_owned(), head.doc.to_owned())).or_insert_with(|| head.name.to_owned());
        }
        for (meant, path) in own {
            let (count, shortest) = counts.entry(meant).or_insert_with(|| (0, path.clone()));
            *count += 1;
            if path.len() < shortest.len() {
                *shortest = path;
            }
        }
    }
    let mut recurring: Vec<(Meant, (usize, String))> =
        counts.into_iter().filter(|(_, (count, path))| *count > 1 && !path.starts_with('[')).collect();
    recurring.sort_by_key(|(_, (count, _))| Reverse(*count));
    let mut names = BTreeSet::new();
    recurring.retain(|(_, (_, path))| names.insert(path.clone()));
    recurring.into_iter().map(|(meant, (_, path))| (meant, path)).collect()
}

/// A list of keys with their meanings.
fn list(keys: impl IntoIterator<Item = Key>) -> String {
    let mut list = String::new();
    for Key { path, meaning } in keys {
        writeln!(list, "- {}: {meaning}", code(&path)).unwrap();
    }
    list
}

/// The names that several outputs have.
pub(super) fn recurring() -> String {
    let mut keys: Vec<Key> = shared().into_iter().map(|((_, meaning), path)| Key { path, meaning }).collect();
    keys.sort_by(|one, other| one.path.cmp(&other.path));
    list(keys)
}

/// Names as code, with commas.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// A section for each output: its columns, its recurring keys, and a list of the rest.
pub(super) fn each() -> String {
    let shared = shared();
    let section = |output: Output| {
        let is_shared = |key: &Key| {
            let has = |name: &str| shared.contains_key(&(name.to_owned(), key.meaning.clone()));
            let is_column = output.columns.iter().any(|head| is_column(key, head));
            has(in_list(&key.path)) || (is_column && has(last(&key.path)))
        };
        let (recurring, rest): (Vec<Key>, Vec<Key>) = rows(&output).into_iter().partition(is_shared);
        let mut text = format!("### {}\n\n", output.heading);
        if !output.columns.is_empty() {
            writeln!(text, "Columns: {}.\n", listed(output.columns.iter().map(|head| head.name))).unwrap();
        }
        // A key is not listed if the key that it is under is.
        let is_inner = |key: &Key| {
            recurring.iter().any(|other| {
                let rest = key.path.strip_prefix(other.path.as_str());
                rest.is_some_and(|rest| rest.starts_with(['.', '[']))
            })
        };
        let is_key = |key: &&Key| output.keys.iter().any(|other| other.path == key.path);
        let also = recurring.iter().filter(is_key).filter(|key| !is_inner(key));
        let also: Vec<&str> = also.map(|key| key.path.as_str()).collect();
        if !also.is_empty() {
            writeln!(text, "Recurring keys: {}.\n", listed(also)).unwrap();
        }
        if output.columns.iter().any(|head| head.name == "discernibility") {
            text += &headings(&output.columns);
        }
        if !rest.is_empty() {
            text += &list(rest);
        }
        text.trim_end().to_owned() + "\n"
    };
    outputs().into_iter().map(section).collect::<Vec<_>>().join("\n")
}

/// The headings that are not the names of their columns, and the better direction of the figures.
fn headings(columns: &[Head]) -> String {
    let named = |heading: &str, name: &str| format!("`{heading}` is `{name}`");
    let shown = columns.iter().filter(|head| head.shown != Shown::Never && head.heading != head.name);
    let shown: Vec<String> = shown.map(|head| named(head.heading, head.name)).collect();
    let is_other = |heading: &str, name: &str| !heading.is_empty() && heading != name;
    let screen = FIGURES
        .iter()
        .filter(|figure| is_other(figure.screen, figure.head.name) && figure.screen != figure.head.heading);
    let screen: Vec<String> = screen.map(|figure| named(figure.screen, figure.head.name)).collect();
    let more = FIGURES.iter().filter(|figure| figure.better == Better::More);
    let more = listed(more.map(|figure| figure.head.name));
    format!(
        "In the table for people, {}. On the screen *compare*, {}. More is better for {more}, and less \
         for every other key of `metrics`.\n\n",
        shown.join(", "),
        screen.join(", ")
    )
}

#[test]
fn the_page_has_every_column_and_key() {
    let page = format!("{}{}", recurring(), each());
    for output in outputs() {
        let keys = output.keys.iter().filter(|key| !is_bound(key)).map(|key| last(&key.path));
        for name in keys.chain(output.columns.iter().map(|head| head.name)) {
            let name = name.trim_end_matches("[]");
            assert!(page.contains(&format!("{name}`")), "{}: {name}", output.heading);
        }
    }
}
