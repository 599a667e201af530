//! Compares a report with a new report of the same release: every leaf of the JSON, except for those that nothing recounts.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::attackers::RECORDED;
use super::error::ReportError;
use super::json::{Strict, at, leaves};
use super::{RecipientReport, Report};
use palmtop_core::model::Stakes;
use palmtop_tables::input;

/// The kind of a report that is compared with a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldKind {
    /// The signer's report, which `report --format json` writes.
    Signer,
    /// The recipient's report, which `report --for recipient --format json` writes.
    Recipient,
    /// A run's report, which `anonymize --report` and `replay --report` write.
    Run,
}

/// A part of a report that nothing recounts, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The path in the JSON; `[]` stands for every index. The path includes all leaves below it.
    pub path: &'static str,
    /// The reason why this part is not recounted.
    pub why: &'static str,
}

/// Builds a row of the tables below.
const fn told(path: &'static str, why: &'static str) -> Told {
    Told { path, why }
}

const VERSION: &str = "the version of palmtop";
const TIME: &str = "a time or a duration";
const PATH: &str = "the name of a file; its SHA-256 is compared";
const ANALYST: &str = "a statement of the analyst";
const OF_RUN: &str = "a fact about the search, which the release does not show";

const SIGNER: &[Told] = &[
    told("palmtop", VERSION),
    told("made_at", TIME),
    told("release.file", PATH),
    told("made_by", "a quotation of the run's report"),
    told("inputs[].path", PATH),
    told("inputs[].modified", TIME),
    told("delta.advice.prior", ANALYST),
    told("delta.advice.cost", ANALYST),
    told("delta.advice.misuse", ANALYST),
    told("delta.advice.misuse_down", ANALYST),
    told("session", "a quotation of the session file"),
    told("check", "commands with names of files"),
];

const RECIPIENT: &[Told] = &[told("palmtop", VERSION), told("made_on", TIME), told("release.file", PATH)];

const RUN: &[Told] = &[
    told("strategy", OF_RUN),
    told("metric", OF_RUN),
    told("seed", OF_RUN),
    told("search", OF_RUN),
    told("taken_from", OF_RUN),
    told("beside", "a fact about two releases: `compose` recounts it"),
    told("seconds", TIME),
    told("load_seconds", TIME),
    told("bound_seconds", TIME),
    told("write_seconds", TIME),
    told("verify_seconds", TIME),
    told("decisions", "a quotation of the session file"),
    told("palmtop", VERSION),
    told("output", PATH),
    told("inputs[].path", PATH),
];

/// Leaves with values of T: a difference is reported without the value of T.
const VALUES_OF_T: &[&str] = &["fidelity.values[].value"];

impl HeldKind {
    /// The name of this kind of report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signer => "report",
            Self::Recipient => "recipient report",
            Self::Run => "run report",
        }
    }

    /// The parts of the report that nothing recounts. All other leaves are compared.
    pub fn told(self) -> &'static [Told] {
        match self {
            Self::Signer => SIGNER,
            Self::Recipient => RECIPIENT,
            Self::Run => RUN,
        }
    }
}

/// The result of comparing a report with a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The kind of the report.
    pub kind: HeldKind,
    /// The number of compared leaves of the JSON.
    pub compared: u64,
    /// The paths of leaves with the result of an audit. They are compared with the recorded result, which is not recounted.
    pub recorded: Vec<String>,
    /// The leaves that differ, or that only one of the two reports has.
    pub differences: Vec<Difference>,
}

/// A leaf that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path in the JSON: `criteria[1].achieved`.
    pub what: String,
    /// The value in the report.
    pub reported: String,
    /// The recounted value.
    pub found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = |leaf| if leaf == MISSING { "no such entry" } else { leaf };
        let (reported, found) = (words(self.reported.as_str()), words(self.found.as_str()));
        write!(f, "{}: the report has {reported}, but the recount has {found}", self.what)
    }
}

/// The text in place of a leaf that one of the two reports does not have.
const MISSING: &str = "missing";

/// A report that was read from JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    kind: HeldKind,
    value: Value,
}

impl Reported {
    /// Reads a report in JSON.
    ///
    /// # Errors
    /// [`ReportError::NoReport`] if the file is not a report of palmtop.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let wrong = |detail: String| ReportError::NoReport { path: path.to_owned(), detail };
        let bytes = input::read(path, input::MOST_TEXT).map_err(|error| wrong(error.to_string()))?;
        let Strict(value) = serde_json::from_slice(&bytes).map_err(|error| {
            wrong(format!("it is not JSON ({error}); give the file that `report --format json` wrote"))
        })?;
        Self::of(value).map_err(wrong)
    }

    /// Takes a report from its JSON.
    ///
    /// # Errors
    /// A description of the problem, if the JSON is not a report of palmtop.
    pub fn of(value: Value) -> Result<Self, String> {
        let kind = match value.get("document").and_then(Value::as_str) {
            Some(Report::DOCUMENT) => HeldKind::Signer,
            Some(RecipientReport::DOCUMENT) => HeldKind::Recipient,
            None if value.get("output_sha256").is_some() => HeldKind::Run,
            _ => {
                return Err(
                    "it was written neither by `report --format json` nor by `anonymize --report`".to_owned()
                );
            }
        };
        if kind != HeldKind::Run && value.get("form").and_then(Value::as_u64) != Some(u64::from(Report::FORM))
        {
            let form = value.get("form").map_or_else(|| "none".to_owned(), ToString::to_string);
            return Err(format!("it has form {form}, but this palmtop reads form {}", Report::FORM));
        }
        Ok(Self { kind, value })
    }

    /// The kind of the report.
    pub fn kind(&self) -> HeldKind {
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
    pub fn against(&self, found: &Value) -> Held {
        let not_recounted: Vec<&str> = self.kind.told().iter().map(|part| part.path).collect();
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
        Held {
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
