//! An `[[attribute]]` of a project file: the role of a column, its hierarchy, what a release may publish of it, and how its
//! values are written.

use std::path::Path;

use palmtop_terms::{Kind, Level, Role};
use toml::{Table, Value};

use super::keys::{flag, known, level, positive, word, wrong};
use super::readings::{OLDER_READING, READING, spelling};
use crate::labels::{HierarchySource, Limits};
use crate::people::{AttributeSpec, PseudonymSpec, Repeated};

const ATTRIBUTE: &[&str] = &[
    "name",
    "role",
    "hierarchy",
    "kind",
    "public_level",
    "public_column",
    "private_column",
    "distinct",
    "first_by",
    "repeats",
    "pseudonym",
    "shape",
    "levels",
    "terms",
    "borders",
    "accept",
    "publish",
    "weight",
    "missing_label",
    "missing_at",
    "public",
    "private",
];

/// The keys of older projects that others have replaced, as those of a table.
const OLDER_ATTRIBUTE: &[&str] = &["cuts", "uncut", "keep", "undecided"];

/// Reads an attribute. `missing` are the texts that mean no value in every column of the project.
pub(super) fn attribute(
    value: &Value,
    folder: &Path,
    missing: &[String],
    is_member: bool,
) -> Result<AttributeSpec, String> {
    let table = value.as_table().ok_or("[[attribute]] is no table")?;
    let name = word(table, "name")?.ok_or("an [[attribute]] has no `name`")?.to_owned();
    let read = || {
        known(table, &[ATTRIBUTE, READING, OLDER_ATTRIBUTE, OLDER_READING], "[[attribute]]")?;
        let (role, is_entity) = match word(table, "role")? {
            Some("quasi") => (Role::Quasi, false),
            // The values of an undecided column may be sensitive, so they are taken to be.
            Some("sensitive" | "undecided") => (Role::Sensitive, false),
            Some("insensitive") => (Role::Insensitive, false),
            Some("identifier") => (Role::Identifier, false),
            Some("withheld") => (Role::Withheld, false),
            Some("entity") => (Role::Identifier, true),
            Some(other) => return Err(wrong("role", other)),
            None => return Err("there is no `role`".to_owned()),
        };
        let role = once_undecided(table, role)?;
        let public_level = level(table, "public_level")?.unwrap_or(Level(0));
        let column = |key| Ok::<_, String>(word(table, key)?.map_or_else(|| name.clone(), str::to_owned));
        let public_column = column("public_column")?;
        Ok(AttributeSpec {
            role,
            private_column: if is_member { public_column.clone() } else { column("private_column")? },
            public_column,
            hierarchy: hierarchy(table, role, folder, public_level)?,
            publish: if role == Role::Quasi {
                Level(0)
            } else {
                level(table, "publish")?.unwrap_or(Level(0))
            },
            limits: limits(table, role, public_level)?,
            is_entity,
            repeated: match repeated(table)? {
                Repeated::Unsaid if is_entity => Repeated::Shared { is_reasoned: false },
                Repeated::Unsaid => Repeated::Unsaid,
                _ if role != Role::Identifier => {
                    return Err("only an identifier has `distinct`, `first_by` and `repeats`".to_owned());
                }
                _ if is_entity => return Err("an entity has several rows by its role".to_owned()),
                repeated => repeated,
            },
            pseudonym: match pseudonym(table, folder)? {
                None if is_entity => Some(PseudonymSpec::New),
                other => other,
            },
            spelling: spelling(table, missing, is_member, role == Role::Quasi && public_level > Level(0))?,
            name: name.clone(),
        })
    };
    read().map_err(|detail| format!("`{name}`: {detail}"))
}

/// The role of a column that an older project marks by `undecided = true`.
fn once_undecided(table: &Table, role: Role) -> Result<Role, String> {
    match flag(table, "undecided")? {
        Some(_) if !matches!(role, Role::Sensitive | Role::Insensitive) => {
            Err("`undecided` is for a published column".to_owned())
        }
        Some(_) if word(table, "role")? == Some("undecided") => {
            Err("`role = \"undecided\"` has replaced `undecided`; remove `undecided`".to_owned())
        }
        Some(true) => Ok(Role::Sensitive),
        None | Some(false) => Ok(role),
    }
}

/// What a release may publish of a quasi-identifier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Any set or range; also one that is never cut, which limits searches and no text.
    Any,
    /// Labels of the hierarchy.
    Labels,
    /// The level that P holds.
    Kept,
}

/// The shape, by the key of today or by those of older projects.
fn shape(table: &Table) -> Result<Shape, String> {
    let (cuts, uncut, keep) = (word(table, "cuts")?, flag(table, "uncut")?, flag(table, "keep")?);
    if let Some(shape) = word(table, "shape")? {
        if cuts.is_some() || uncut.is_some() || keep.is_some() {
            return Err("`shape` has replaced `cuts`, `uncut` and `keep`; remove them".to_owned());
        }
        return match shape {
            "any" | "whole" => Ok(Shape::Any),
            "labels" => Ok(Shape::Labels),
            "kept" => Ok(Shape::Kept),
            other => Err(wrong("shape", other)),
        };
    }
    let by_labels = match cuts {
        None | Some("values") => false,
        Some("labels") => true,
        Some(other) => return Err(wrong("cuts", other)),
    };
    if cuts.is_some() && uncut == Some(true) {
        return Err("`cuts` and `uncut` exclude each other; write `shape`".to_owned());
    }
    match (keep, by_labels) {
        (Some(true), _) => Ok(Shape::Kept),
        (_, true) => Ok(Shape::Labels),
        (_, false) => Ok(Shape::Any),
    }
}

fn hierarchy(
    table: &Table,
    role: Role,
    folder: &Path,
    public_level: Level,
) -> Result<Option<HierarchySource>, String> {
    let kind = match word(table, "kind")? {
        None => None,
        Some("number") => Some(Kind::Number),
        Some("date") => Some(Kind::Date),
        Some("category") => Some(Kind::Category),
        Some(other) => return Err(wrong("kind", other)),
    };
    match (word(table, "hierarchy")?, role) {
        (None, Role::Quasi) => Err("there is no `hierarchy`".to_owned()),
        (Some(_), Role::Identifier | Role::Withheld) => {
            Err("a column that is never published has no hierarchy".to_owned())
        }
        (None, _) => Ok(None),
        (Some(path), Role::Quasi) => {
            Ok(Some(HierarchySource { path: folder.join(path), kind, public_level }))
        }
        (Some(path), _) => {
            Ok(Some(HierarchySource { path: folder.join(path), kind: None, public_level: Level(0) }))
        }
    }
}

fn limits(table: &Table, role: Role, public_level: Level) -> Result<Limits, String> {
    let (mut finest, mut coarsest) = (None, None);
    if let Some(text) = word(table, "levels")? {
        let bound = |part: &str| {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            match part.parse::<u8>() {
                _ if part.is_empty() => Ok(None),
                Ok(level) if is_number => Ok(Some(Level(level))),
                _ => Err(wrong("levels", text)),
            }
        };
        (finest, coarsest) = match text.split_once('-') {
            Some((first, last)) => (bound(first)?, bound(last)?),
            None => (bound(text)?, bound(text)?),
        };
        if finest.is_none() && coarsest.is_none() {
            return Err(wrong("levels", text));
        }
    }
    let shape = shape(table)?;
    if shape == Shape::Kept {
        coarsest = Some(public_level);
    }
    let by_labels = shape == Shape::Labels;
    let (terms, borders) = (positive(table, "terms")?, level(table, "borders")?);
    if by_labels && terms.is_some_and(|terms| terms > 1) {
        return Err(
            "`shape = \"labels\"` publishes one label, and `terms` permits several; remove one".to_owned()
        );
    }
    if borders.is_some() && (by_labels || terms == Some(1) || finest.is_some()) {
        return Err("with `borders`, ranges are published; `shape = \"labels\"`, `terms = 1` and a finest level publish labels; remove one"
            .to_owned());
    }
    Ok(Limits {
        finest,
        coarsest,
        labels: by_labels || (role == Role::Quasi && finest > Some(public_level)),
        terms,
        borders,
    })
}

fn pseudonym(table: &Table, folder: &Path) -> Result<Option<PseudonymSpec>, String> {
    match table.get("pseudonym") {
        None => Ok(None),
        Some(Value::String(word)) if word == "new" => Ok(Some(PseudonymSpec::New)),
        Some(Value::Table(keyed)) => {
            known(keyed, &[&["key", "domain", "form"]], "`pseudonym`")?;
            let text = |key| word(keyed, key)?.ok_or_else(|| format!("`pseudonym` has no `{key}`"));
            let are_digits = match word(keyed, "form")? {
                None | Some("letters") => false,
                Some("digits") => true,
                Some(other) => return Err(wrong("form", other)),
            };
            Ok(Some(PseudonymSpec::Keyed {
                key: folder.join(text("key")?),
                domain: text("domain")?.to_owned(),
                are_digits,
            }))
        }
        Some(other) => Err(format!("`pseudonym = {other}` is not known here")),
    }
}

/// What rows with one identifier are.
pub(super) fn repeated(table: &Table) -> Result<Repeated, String> {
    let mut said = Vec::new();
    if flag(table, "distinct")? == Some(true) {
        said.push(Repeated::Distinct);
    }
    said.extend(word(table, "first_by")?.map(|column| Repeated::FirstBy(column.to_owned())));
    match table.get("repeats") {
        None | Some(Value::Boolean(false)) => {}
        Some(Value::Boolean(true)) => said.push(Repeated::Shared { is_reasoned: false }),
        Some(Value::String(reason)) if is_reason(reason) => {
            said.push(Repeated::Shared { is_reasoned: true });
        }
        Some(other) => return Err(format!("`repeats = {other}` is no reason of three words or more")),
    }
    match said.len() {
        0 | 1 => Ok(said.pop().unwrap_or_default()),
        _ => Err("`distinct`, `first_by` and `repeats` exclude each other".to_owned()),
    }
}

/// Whether a text has three words and ten letters.
fn is_reason(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    words.count() >= 3 && text.chars().filter(|letter| letter.is_alphabetic()).count() >= 10
}
