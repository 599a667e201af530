//! Compares a report with a new report of the same release: every leaf of the JSON, except for those that nothing recounts.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::attackers::RECORDED;
use super::error::ReportError;
use super::json::{Strict, at, leaves};
use super::{RecipientReport, Report};
use crate::keys;
use palmtop_core::located::LocatedError;
use palmtop_core::model::Stakes;
use palmtop_tables::input;

/// The kind of a report that is compared with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// The signer's report, which `report --format json` writes.
    Signer,
    /// The recipient's report, which `report --for recipient --format json` writes.
    Recipient,
    /// A run's report, which `anonymize --report` and `replay --report` write.
    Run,
}

/// A part of a report that nothing recounts, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRecounted {
    /// The path in the JSON; `[]` stands for every index. The path includes all leaves below it.
    pub path: &'static str,
    /// The reason why this part is not recounted.
    pub why: &'static str,
}

/// Builds a row of the tables below.
const fn not_recounted(path: &'static str, why: &'static str) -> NotRecounted {
    NotRecounted { path, why }
}

const VERSION: &str = "the version of palmtop";
const TIME: &str = "a time or a duration";
const PATH: &str = "the name of a file; its SHA-256 is compared";
const ANALYST: &str = "a statement of the analyst";
const OF_RUN: &str = "a fact about the search, which the release does not show";

const SIGNER: &[NotRecounted] = &[
    not_recounted("palmtop", VERSION),
    not_recounted("made_at", TIME),
    not_recounted("release.file", PATH),
    not_recounted("made_by", "a quotation of the run's report"),
    not_recounted("inputs[].path", PATH),
    not_recounted("inputs[].modified", TIME),
    not_recounted("delta.advice.prior", ANALYST),
    not_recounted("delta.advice.cost", ANALYST),
    not_recounted("delta.advice.misuse", ANALYST),
    not_recounted("delta.advice.misuse_down", ANALYST),
    not_recounted("session", "a quotation of the session file"),
    not_recounted("check", "commands with names of files"),
];

const RECIPIENT: &[NotRecounted] =
    &[not_recounted("palmtop", VERSION), not_recounted("made_on", TIME), not_recounted("release.file", PATH)];

const RUN: &[NotRecounted] = &[
    not_recounted("strategy", OF_RUN),
    not_recounted("metric", OF_RUN),
    not_recounted("seed", OF_RUN),
    not_recounted("search", OF_RUN),
    not_recounted("taken_from", OF_RUN),
    not_recounted("beside", "a fact about two releases: `compose` recounts it"),
    not_recounted("seconds", TIME),
    not_recounted("load_seconds", TIME),
    not_recounted("bound_seconds", TIME),
    not_recounted("write_seconds", TIME),
    not_recounted("verify_seconds", TIME),
    not_recounted("decisions", "a quotation of the session file"),
    not_recounted("palmtop", VERSION),
    not_recounted("output", PATH),
    not_recounted("inputs[].path", PATH),
];

/// Leaves with values of T: a difference is reported without the value of T.
const VALUES_OF_T: &[&str] = &["fidelity.values[].value"];

impl ReportKind {
    /// The name of this kind of report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signer => "report",
            Self::Recipient => "recipient report",
            Self::Run => "run report",
        }
    }

    /// The parts of the report that nothing recounts. All other leaves are compared.
    pub fn not_recounted(self) -> &'static [NotRecounted] {
        match self {
            Self::Signer => SIGNER,
            Self::Recipient => RECIPIENT,
            Self::Run => RUN,
        }
    }
}

/// The result of comparing a report with a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The kind of the report.
    pub kind: ReportKind,
    /// The number of compared leaves of the JSON.
    pub compared: u64,
    /// The paths of leaves with the result of an audit. They are compared with the recorded result, which is not recounted.
    pub recorded: Vec<String>,
    /// The leaves that differ, or that only one of the two reports has.
    pub differences: Vec<Difference>,
}

keys! {
/// A leaf that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The path in the JSON: `criteria[1].achieved`.
    pub what: String,
    /// The value in the report.
    pub reported: String,
    /// The recounted value.
    pub found: String,
}
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = |leaf| if leaf == MISSING { "no such entry" } else { leaf };
        let (reported, found) = (words(self.reported.as_str()), words(self.found.as_str()));
        write!(f, "{}: the report has {reported}, but the recount has {found}", self.what)
    }
}

/// The text instead of a leaf that one of the two reports does not have.
const MISSING: &str = "missing";

/// A report that was read from JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    kind: ReportKind,
    value: Value,
}

impl Reported {
    /// Reads a report in JSON.
    ///
    /// # Errors
    /// A [`ReportError`] if the file is not a report of palmtop.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let wrong = |detail: String| {
            let name = path.display();
            LocatedError::new(format!("{name} is not a report that can be compared with a release: {detail}"))
        };
        let bytes = input::read(path, input::MOST_TEXT).map_err(|error| wrong(error.to_string()))?;
        let Strict(value) = serde_json::from_slice(&bytes).map_err(|error| {
            wrong(format!("it is not JSON ({error}); give the file that `report --format json` wrote"))
        })?;
        Ok(Self::of(value).map_err(wrong)?)
    }

    /// Takes a report from its JSON.
    ///
    /// # Errors
    /// A description of the problem, if the JSON is not a report of palmtop.
    pub fn of(value: Value) -> Result<Self, String> {
        let kind = match value.get("document").and_then(Value::as_str) {
            Some(Report::DOCUMENT) => ReportKind::Signer,
            Some(RecipientReport::DOCUMENT) => ReportKind::Recipient,
            None if value.get("output_sha256").is_some() => ReportKind::Run,
            _ => {
                return Err(
                    "it was written neither by `report --format json` nor by `anonymize --report`".to_owned()
                );
            }
        };
        if kind != ReportKind::Run
            && value.get("form").and_then(Value::as_u64) != Some(u64::from(Report::FORM))
        {
            let form = value.get("form").map_or_else(|| "none".to_owned(), ToString::to_string);
            return Err(format!("it has form {form}, but this palmtop reads form {}", Report::FORM));
        }
        Ok(Self { kind, value })
    }

    /// The kind of the report.
    pub fn kind(&self) -> ReportKind {
        self.kind
    }

    /// The report as JSON.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The prior and the acceptable misuse in the report, which a new report needs; `None` if the report has none.
    pub fn stakes(&self) -> Option<Stakes> {
        let advice = self.value.get("delta")?.get("advice")?;
        let text = |key: &str| advice.get(key).and_then(Value::as_str);
        let misuse_down = match text("misuse_down") {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        Some(Stakes {
            prior: text("prior")?.parse().ok()?,
            cost: text("cost")?.parse().ok()?,
            misuse: text("misuse")?.parse().ok()?,
            misuse_down,
        })
    }

    /// Compares the report with a new one, leaf by leaf. Numbers are compared by their digits.
    pub fn against(&self, found: &Value) -> Comparison {
        let not_recounted: Vec<&str> = self.kind.not_recounted().iter().map(|part| part.path).collect();
        let (reported, found) = (leaves(&self.value), leaves(found));
        let paths: BTreeSet<&String> = reported.keys().chain(found.keys()).collect();
        let is_compared = |path: &&&String| !not_recounted.iter().any(|part| at(part, path));
        let compared = || paths.iter().filter(is_compared);
        let differences = compared().filter_map(|path| {
            let (reported, found) = (reported.get(*path), found.get(*path));
            if reported == found {
                return None;
            }
            let is_private = VALUES_OF_T.iter().any(|value| at(value, path));
            let found = match found {
                Some(_) if is_private => "a different value".to_owned(),
                found => shown(found),
            };
            Some(Difference { what: (*path).clone(), reported: shown(reported), found })
        });
        let is_recorded = |(path, leaf): &(&String, &String)| {
            leaf.contains(RECORDED) || (at("knows_algorithm.verdict", path) && leaf.contains("audited"))
        };
        let recorded = reported.iter().filter(is_recorded).map(|(path, _)| path.clone());
        Comparison {
            kind: self.kind,
            compared: compared().count() as u64,
            recorded: recorded.collect(),
            differences: differences.collect(),
        }
    }
}

fn shown(leaf: Option<&String>) -> String {
    leaf.map_or_else(|| MISSING.to_owned(), Clone::clone)
}
