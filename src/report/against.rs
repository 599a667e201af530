//! A report held against a release: what it says of the file, its rows, presence, criteria and people, beside what was recounted.

use std::path::Path;

use serde::Deserialize;

use super::error::ReportError;
use super::sections::Bounds;
use super::{RecipientReport, Report};
use crate::data::input;
use crate::data::read::hash_file;
use crate::model::{Criteria, Criterion};
use crate::verify::Findings;

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

impl HeldKind {
    /// What of it is compared.
    pub fn compared(self) -> &'static str {
        match self {
            Self::Signer => "the file, its rows, the verdict, δ, presence, criteria and people",
            Self::Recipient => "the file, its rows, the verdict, δ and what is required",
            Self::Run => "the file, its rows, the verdict, δ, presence, criteria and who has no row",
        }
    }

    /// What it is called.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signer => "report",
            Self::Recipient => "recipient report",
            Self::Run => "run report",
        }
    }
}

/// What holding a report against a release showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// What was held against it.
    pub kind: HeldKind,
    /// What the report says and the release or the recount says otherwise.
    pub differences: Vec<Difference>,
}

/// A figure that the report has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is of.
    pub what: String,
    /// What the report says.
    pub reported: String,
    /// What is so.
    pub found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: the report says {}, and it is {}", self.what, self.reported, self.found)
    }
}

/// A run's report, as far as it is compared.
#[derive(Deserialize)]
struct RunReport {
    delta: Bounds,
    achieved: Bounds,
    present: bool,
    criteria: Vec<RunCriterion>,
    output_sha256: String,
    rows: u64,
    suppressed: u64,
    dropped: u64,
    added: u64,
}

#[derive(Deserialize)]
struct RunCriterion {
    name: String,
    required: Option<String>,
    achieved: Option<String>,
    holds: Option<bool>,
}

/// What was found, and what it is compared with.
struct Comparing<'a> {
    findings: &'a Findings,
    sha256: String,
    differences: Vec<Difference>,
}

/// Holds a report in JSON against a release and what the verifier found of it. The verdict is the verifier's alone; each figure that
/// the report has otherwise is a difference.
///
/// # Errors
/// [`ReportError::NoReport`] where the file is none of the reports that palmtop writes, and [`ReportError::Data`] where the release
/// cannot be read.
pub fn against(report: &Path, release: &Path, findings: &Findings) -> Result<Held, ReportError> {
    let wrong = |detail: String| ReportError::NoReport { path: report.to_owned(), detail };
    let bytes = input::read(report, input::MOST_TEXT).map_err(|error| wrong(error.to_string()))?;
    let value: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("it is no JSON ({error}); give what `report --format json` wrote")))?;
    let mut comparing = Comparing { findings, sha256: hash_file(release)?, differences: Vec::new() };
    let unread = |error: serde_json::Error| wrong(error.to_string());
    let kind = match value.get("document").and_then(serde_json::Value::as_str) {
        Some(Report::DOCUMENT | RecipientReport::DOCUMENT)
            if value.get("form").and_then(serde_json::Value::as_u64) != Some(u64::from(Report::FORM)) =>
        {
            let form = value.get("form").map_or_else(|| "none".to_owned(), ToString::to_string);
            return Err(wrong(format!("its form is {form}, and this palmtop reads form {}", Report::FORM)));
        }
        Some(Report::DOCUMENT) => {
            comparing.signer(&serde_json::from_value(value).map_err(unread)?);
            HeldKind::Signer
        }
        Some(RecipientReport::DOCUMENT) => {
            comparing.recipient(&serde_json::from_value(value).map_err(unread)?);
            HeldKind::Recipient
        }
        None if value.get("output_sha256").is_some() => {
            comparing.run(&serde_json::from_value(value).map_err(unread)?);
            HeldKind::Run
        }
        _ => {
            return Err(wrong(
                "it is neither what `report --format json` writes nor what `anonymize --report` does"
                    .to_owned(),
            ));
        }
    };
    Ok(Held { kind, differences: comparing.differences })
}

/// A requirement as the engine writes it, in whatever of several ways it was written; `nothing` where there is none.
fn requirement(name: &str, text: Option<&str>) -> String {
    let Some(text) = text else { return "nothing".to_owned() };
    let read = Criteria::read([(name, text)]).ok();
    read.and_then(|criteria| criteria.iter().next().map(Criterion::required))
        .unwrap_or_else(|| text.to_owned())
}

impl Comparing<'_> {
    fn same(&mut self, what: &str, reported: &impl ToString, found: &impl ToString) {
        let (reported, found) = (reported.to_string(), found.to_string());
        if reported != found {
            self.differences.push(Difference { what: what.to_owned(), reported, found });
        }
    }

    fn file(&mut self, sha256: &str, rows: u64) {
        let (own, found) = (self.sha256.clone(), self.findings.rows);
        self.same("SHA-256 of the release", &sha256, &own);
        self.same("rows", &rows, &found);
    }

    fn delta(&mut self, delta: &Bounds) {
        let own = self.findings.delta;
        self.same("δmin", &delta.min, &own.min());
        self.same("δmax", &delta.max, &own.max());
    }

    fn achieved(&mut self, achieved: &Bounds) {
        let own = self.findings;
        self.same("least presence", &achieved.min, &own.achieved_min);
        self.same("greatest presence", &achieved.max, &own.achieved_max);
    }

    /// What is said of a criterion: what is required, achieved, and whether it holds.
    fn criterion(&mut self, name: &str, reported: [Option<&str>; 2], holds: Option<bool>) {
        let found = self.findings.criteria.iter().find(|own| own.criterion == name);
        let Some(found) = found.cloned() else {
            self.same(&format!("criterion {name}"), &"that it was judged", &"unknown to this palmtop");
            return;
        };
        let text = |text: Option<&str>| text.unwrap_or("nothing").to_owned();
        let [required, achieved] = reported;
        let (reported, own) = (requirement(name, required), requirement(name, found.required.as_deref()));
        self.same(&format!("{name} required"), &reported, &own);
        self.same(&format!("{name} achieved"), &text(achieved), &text(found.achieved.as_deref()));
        let found_holds = found.required.is_some().then_some(found.holds);
        let word = |holds: Option<bool>| match holds {
            Some(true) => "satisfied",
            Some(false) => "broken",
            None => "not required",
        };
        self.same(name, &word(holds), &word(found_holds));
    }

    /// Each criterion that the verifier judged is in the report.
    fn has_all<'b>(&mut self, names: impl Iterator<Item = &'b str>) {
        let names: Vec<&str> = names.collect();
        let required = self.findings.criteria.iter().filter(|own| own.required.is_some());
        let missing: Vec<&str> =
            required.map(|own| own.criterion).filter(|own| !names.contains(own)).collect();
        for name in missing {
            self.same(&format!("criterion {name}"), &"nothing", &"required");
        }
    }

    /// What is said of δ among the criteria.
    fn presence(&mut self, required: Option<&str>, achieved: Option<&str>, holds: Option<bool>) {
        let found = self.findings;
        let text = |text: Option<&str>| text.unwrap_or("nothing").to_owned();
        self.same("presence required", &text(required), &found.delta);
        let own = format!("({}, {})", found.achieved_min, found.achieved_max);
        self.same("presence achieved", &text(achieved), &own);
        self.same("presence", &format!("{holds:?}"), &format!("{:?}", Some(found.keeps_delta())));
    }

    fn verdict(&mut self, verified: bool) {
        let word = |verified: bool| if verified { "verified" } else { "refused" };
        let found = self.findings.is_faithful() && self.findings.is_present();
        self.same("verdict", &word(verified), &word(found));
    }

    fn signer(&mut self, report: &Report) {
        self.file(&report.release.sha256, report.release.rows);
        self.verdict(report.verdict.verified);
        self.delta(&report.delta.enforced);
        self.achieved(&report.delta.achieved);
        for own in &report.criteria {
            if own.name == "presence" {
                self.presence(own.required.as_deref(), own.achieved.as_deref(), own.holds);
            } else {
                self.criterion(&own.name, [own.required.as_deref(), own.achieved.as_deref()], own.holds);
            }
        }
        self.has_all(report.criteria.iter().map(|own| own.name.as_str()));
        let people = &report.people;
        let found = self.findings;
        self.same("whether presence is told in bars", &report.presence.is_some(), &found.is_faithful());
        for (what, reported, found) in [
            ("individuals in P", people.public, found.public),
            ("members of T", people.private, found.private),
            ("members excluded", people.dropped, found.dropped),
            ("members added to P", people.added, found.added),
            ("individuals in P without a row", people.unmatched, found.unmatched),
            ("members withdrawn", people.withdrawn, found.withdrawn),
            ("members that may be withdrawn", people.withdrawn_at_most, found.withdrawn_at_most),
        ] {
            self.same(what, &reported, &found);
        }
    }

    fn recipient(&mut self, report: &RecipientReport) {
        self.file(&report.release.sha256, report.release.rows);
        self.verdict(report.verified);
        let Some(guarantee) = &report.guarantee else {
            if report.verified {
                self.same("guarantee", &"nothing", &"what the verdict is of");
            }
            return;
        };
        self.delta(&guarantee.delta);
        for own in &guarantee.criteria {
            let found = self.findings.criteria.iter().find(|found| found.criterion == own.name);
            let found = requirement(&own.name, found.and_then(|found| found.required.as_deref()));
            self.same(
                &format!("{} required", own.name),
                &requirement(&own.name, Some(&own.required)),
                &found,
            );
        }
        self.has_all(guarantee.criteria.iter().map(|own| own.name.as_str()));
    }

    fn run(&mut self, report: &RunReport) {
        self.file(&report.output_sha256, report.rows);
        self.verdict(report.present);
        self.delta(&report.delta);
        self.achieved(&report.achieved);
        for own in report.criteria.iter().filter(|own| own.name != "presence") {
            self.criterion(&own.name, [own.required.as_deref(), own.achieved.as_deref()], own.holds);
        }
        self.has_all(report.criteria.iter().map(|own| own.name.as_str()));
        let found = self.findings;
        for (what, reported, found) in [
            ("members withdrawn", report.suppressed, found.withdrawn),
            ("members excluded", report.dropped, found.dropped),
            ("members added to P", report.added, found.added),
        ] {
            self.same(what, &reported, &found);
        }
    }
}
