//! A report held against what is made again of the same release: every leaf of its JSON is compared, but those that are only told.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::adversaries::RECORDED;
use super::error::ReportError;
use super::json::{Strict, at, leaves};
use super::{RecipientReport, Report};
use palmtop_core::model::Stakes;
use palmtop_tables::input;

/// What kind of report was held against a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldKind {
    /// That of the person who signs, which `report --format json` writes.
    Signer,
    /// The recipient's.
    Recipient,
    /// That of a run, which `anonymize --report` and `replay --report` write.
    Run,
}

/// A part of a report that nothing recounts, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its path in the JSON; `[]` stands for every index. All under it is meant, too.
    pub path: &'static str,
    /// Why it is not recounted.
    pub why: &'static str,
}

/// Shortens the tables below.
const fn told(path: &'static str, why: &'static str) -> Told {
    Told { path, why }
}

const VERSION: &str = "which palmtop made it";
const TIME: &str = "a time";
const PATH: &str = "the name of a file, which its SHA-256 identifies";
const ANALYST: &str = "the analyst's statement";
const OF_RUN: &str = "how the search went, which the release does not show";

const SIGNER: &[Told] = &[
    told("palmtop", VERSION),
    told("made_at", TIME),
    told("release.file", PATH),
    told("made_by", "what the run's report says of the making"),
    told("inputs[].path", PATH),
    told("inputs[].modified", TIME),
    told("delta.advice.prior", ANALYST),
    told("delta.advice.cost", ANALYST),
    told("delta.advice.misuse", ANALYST),
    told("delta.advice.misuse_down", ANALYST),
    told("session", "what the session's file says"),
    told("check", "commands, with the names of files"),
];

const RECIPIENT: &[Told] = &[told("palmtop", VERSION), told("made_on", TIME), told("release.file", PATH)];

const RUN: &[Told] = &[
    told("strategy", OF_RUN),
    told("metric", OF_RUN),
    told("seed", OF_RUN),
    told("search", OF_RUN),
    told("taken_from", OF_RUN),
    told("beside", "it is of another release, too: `compose` recounts it"),
    told("seconds", TIME),
    told("load_seconds", TIME),
    told("bound_seconds", TIME),
    told("write_seconds", TIME),
    told("verify_seconds", TIME),
    told("decisions", "what the session's file says"),
    told("palmtop", VERSION),
    told("output", PATH),
    told("inputs[].path", PATH),
];

/// Leaves with values of T: a difference is named, and what is in T is not.
const VALUES_OF_T: &[&str] = &["fidelity.values[].value"];

impl HeldKind {
    /// What it is called.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signer => "report",
            Self::Recipient => "recipient report",
            Self::Run => "run report",
        }
    }

    /// What of it is told, and not recounted: a small list, and all else is compared.
    pub fn told(self) -> &'static [Told] {
        match self {
            Self::Signer => SIGNER,
            Self::Recipient => RECIPIENT,
            Self::Run => RUN,
        }
    }
}

/// What holding a report against a release showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// What was held against it.
    pub kind: HeldKind,
    /// How many leaves of the JSON were compared.
    pub compared: u64,
    /// The leaves with what an audit found: they are compared with what is recorded, which is not recounted.
    pub recorded: Vec<String>,
    /// Each leaf that the report has otherwise, has too much, or lacks.
    pub differences: Vec<Difference>,
}

/// A leaf that the report has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its path in the JSON: `criteria[1].achieved`.
    pub what: String,
    /// What the report says.
    pub reported: String,
    /// What was made again.
    pub found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: the report says {}, and it is {}", self.what, self.reported, self.found)
    }
}

/// What a leaf is called that only one of the two has.
const MISSING: &str = "missing";

/// A report in JSON as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    kind: HeldKind,
    value: Value,
}

impl Reported {
    /// Reads a report in JSON.
    ///
    /// # Errors
    /// [`ReportError::NoReport`] if the file is none of the reports that palmtop writes.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let wrong = |detail: String| ReportError::NoReport { path: path.to_owned(), detail };
        let bytes = input::read(path, input::MOST_TEXT).map_err(|error| wrong(error.to_string()))?;
        let Strict(value) = serde_json::from_slice(&bytes).map_err(|error| {
            wrong(format!("it is no JSON ({error}); give what `report --format json` wrote"))
        })?;
        Self::of(value).map_err(wrong)
    }

    /// A report by its JSON.
    ///
    /// # Errors
    /// What is wrong, if it is none of the reports that palmtop writes.
    pub fn of(value: Value) -> Result<Self, String> {
        let kind = match value.get("document").and_then(Value::as_str) {
            Some(Report::DOCUMENT) => HeldKind::Signer,
            Some(RecipientReport::DOCUMENT) => HeldKind::Recipient,
            None if value.get("output_sha256").is_some() => HeldKind::Run,
            _ => {
                return Err(
                    "it is neither what `report --format json` writes nor what `anonymize --report` does"
                        .to_owned(),
                );
            }
        };
        if kind != HeldKind::Run && value.get("form").and_then(Value::as_u64) != Some(u64::from(Report::FORM))
        {
            let form = value.get("form").map_or_else(|| "none".to_owned(), ToString::to_string);
            return Err(format!("its form is {form}, and this palmtop reads form {}", Report::FORM));
        }
        Ok(Self { kind, value })
    }

    /// What kind of report it is.
    pub fn kind(&self) -> HeldKind {
        self.kind
    }

    /// Its JSON.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The prior and the acceptable misuse that it was made with, to make it again; `None` without them.
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

    /// Compares it with what was made again, leaf by leaf; numbers as they are written.
    pub fn against(&self, found: &Value) -> Held {
        let told: Vec<&str> = self.kind.told().iter().map(|told| told.path).collect();
        let (reported, found) = (leaves(&self.value), leaves(found));
        let paths: BTreeSet<&String> = reported.keys().chain(found.keys()).collect();
        let is_compared = |path: &&&String| !told.iter().any(|told| at(told, path));
        let compared = || paths.iter().filter(is_compared);
        let differences = compared().filter_map(|path| {
            let (reported, found) = (reported.get(*path), found.get(*path));
            if reported == found {
                return None;
            }
            let is_private = VALUES_OF_T.iter().any(|value| at(value, path));
            let found = match found {
                Some(_) if is_private => "another value".to_owned(),
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
