//! A history as TOML: its written form, and the checks of a file that is read.
//!
//! ```toml
//! format = 1
//!
//! [[sitting]]
//! at = "2026-03-01T12:00:00Z"
//! palmtop = "0.2.0"
//! current = 1
//!
//! [[sitting.input]]
//! path = "public.csv"
//! sha256 = "51f0…"
//!
//! [[sitting.decision]]
//! at = "2026-03-01T12:00:00Z"
//! delta = ["1/2", "2/3"]
//! reason = "the board asked for two in three"
//!
//! [[sitting.step]]
//! how = "start"
//! delta = ["1/2", "2/3"]
//! node = [0, 0, 0]
//!
//! [[sitting.step]]
//! how = "search best"
//! delta = ["1/2", "2/3"]
//!
//! [sitting.step.search]
//! strategy = "best"
//! delta = ["1/2", "2/3"]
//! metric = "loss"
//! seed = 0
//! rounds = 20
//! complete = true
//!
//! [[release]]
//! file = "clinic-release.csv"
//! sha256 = "51f0…"
//! at = "2026-03-01T12:00:00Z"
//! palmtop = "0.2.0"
//! delta = ["1/2", "2/3"]
//! present = true
//! rows = 800
//! sitting = 1
//! step = 1
//! ```
//!
//! A session of palmtop 0.1.0 is a sitting with `format` and `project`, and a register is a history with releases only, so the
//! same structures read them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::forms::{
    self, Bounds, Complaint, Hash, Named, WholeNumber, WrittenInput, WrittenRecipe, WrittenSearch, with_key,
};
use super::sitting::Ended;
use super::{
    Accepted, Action, AuditRecord, Decision, Entry, Grounds, History, HistoryError, LoggedInput, Moment,
    Reason, Recipe, ReportEntry, Search, Sitting, Step, StepName, Taken,
};

/// The version of the format that this palmtop writes and reads.
const FORMAT: u64 = 1;
/// The first line of the file, for a person who opens it.
const HEADER: &str =
    "# The history of this project: steps, decisions, releases, reports; hashes and settings, no rows.\n";

/// A file that is read into a history.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    /// A history.
    History,
    /// A session of palmtop 0.1.0.
    Session,
    /// A register of releases of palmtop 0.1.0, with the places of the sittings that its sessions became.
    Register(&'a BTreeMap<String, usize>),
}

impl Kind<'_> {
    /// The kind in messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::Session => "session",
            Self::Register(_) => "register of releases",
        }
    }
}

/// A history as TOML; [`read`] gives the same history back.
pub(super) fn render(history: &History) -> String {
    let text = toml::to_string(&HistoryFile::from(history)).expect("texts, numbers and lists are TOML");
    format!("{HEADER}{text}")
}

/// The history that a file's bytes give.
pub(super) fn read(kind: Kind, path: &Path, bytes: &[u8]) -> Result<History, HistoryError> {
    let wrong = |Complaint { offset, detail }: Complaint| {
        HistoryError::from(forms::located(kind.noun(), path, bytes, (offset, detail)))
    };
    let text = forms::utf8(bytes, "the file").map_err(wrong)?;
    parse(kind, text).map_err(|Complaint { offset, detail }| {
        wrong(Complaint { offset, detail: with_key(text, offset, detail) })
    })
}

fn parse(kind: Kind, text: &str) -> Result<History, Complaint> {
    forms::check_format(text, FORMAT)?;
    match kind {
        Kind::History => toml::from_str::<HistoryFile>(text)?.check(&BTreeMap::new()),
        Kind::Register(places) => toml::from_str::<HistoryFile>(text)?.check(places),
        Kind::Session => {
            let sittings = vec![toml::from_str::<WrittenSitting>(text)?.check()?];
            Ok(History { sittings, ..History::default() })
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HistoryFile {
    format: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    taken: Vec<WrittenTaken>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sitting: Vec<WrittenSitting>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    release: Vec<Spanned<WrittenEntry>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    report: Vec<Spanned<WrittenReport>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTaken {
    file: String,
    sha256: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenReport {
    file: String,
    sha256: Hash,
    at: String,
    reader: String,
    release: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSitting {
    /// Only in a session of palmtop 0.1.0, as `project`.
    #[serde(rename = "format", skip_serializing)]
    _format: Option<u64>,
    #[serde(rename = "project", skip_serializing)]
    _project: Option<String>,
    at: Option<Spanned<String>>,
    palmtop: String,
    current: Spanned<usize>,
    anew: Option<Spanned<String>>,
    stated: Option<Spanned<WrittenDecision>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    policy: BTreeMap<String, Spanned<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    input: Vec<WrittenInput>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    decision: Vec<Spanned<WrittenDecision>>,
    step: Vec<Spanned<WrittenStep>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pin: Vec<Spanned<WrittenRecipe>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    search: Vec<Spanned<WrittenSearch>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDecision {
    at: String,
    delta: Bounds,
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    in_file: bool,
    prior: Option<String>,
    misuse: Option<String>,
    misuse_down: Option<String>,
    cost: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    how: Named<Action>,
    delta: Bounds,
    node: Option<Vec<u8>>,
    search: Option<WrittenSearch>,
}

impl From<&Sitting> for WrittenSitting {
    fn from(log: &Sitting) -> Self {
        let step = |step: &Step| {
            let WrittenRecipe { node, search } = (&step.recoding).into();
            WrittenStep { how: Named(step.action.clone()), delta: Bounds(step.delta), node, search }
        };
        let at = log.begun.as_ref().map(|at| Spanned::new(0..0, at.to_string()));
        Self {
            _format: None,
            _project: None,
            at,
            palmtop: log.palmtop.clone(),
            current: Spanned::new(0..0, log.current),
            anew: log.anew.as_ref().map(|reason| Spanned::new(0..0, reason.to_string())),
            stated: log.stated.as_ref().map(|stated| Spanned::new(0..0, stated.into())),
            policy: forms::policy(&log.criteria),
            input: log.inputs.iter().map(WrittenInput::from).collect(),
            decision: log.decisions.iter().map(|decision| Spanned::new(0..0, decision.into())).collect(),
            step: log.steps.iter().map(step).map(|step| Spanned::new(0..0, step)).collect(),
            pin: log.pins.iter().map(|recipe| Spanned::new(0..0, recipe.into())).collect(),
            search: log.searches.iter().map(|ended| Spanned::new(0..0, ended.into())).collect(),
        }
    }
}

impl WrittenSitting {
    fn check(self) -> Result<Sitting, Complaint> {
        let (offset, current) = (self.current.span().start, self.current.into_inner());
        if current >= self.step.len() {
            let steps = match self.step.len() {
                0 => "there is no `step`, but one is needed".to_owned(),
                1 => "there is only step 0".to_owned(),
                count => format!("the steps are 0 to {}", count - 1),
            };
            return Err(Complaint {
                offset: Some(offset),
                detail: format!("there is no step {current}: {steps}"),
            });
        }
        let step = |written: Spanned<WrittenStep>| {
            let start = written.span().start;
            let WrittenStep { how, delta, node, search } = written.into_inner();
            Ok(Step { action: how.0, recoding: WrittenRecipe { node, search }.check(start)?, delta: delta.0 })
        };
        let pin = |written: Spanned<WrittenRecipe>| {
            let start = written.span().start;
            written.into_inner().check(start)
        };
        let criteria = forms::criteria(&self.policy)?;
        let anew = |text: Spanned<String>| {
            let offset = Some(text.span().start);
            Reason::of_file(text.get_ref()).map_err(|detail| Complaint { offset, detail })
        };
        let begun = |text: Spanned<String>| {
            let offset = Some(text.span().start);
            Moment::read(text.get_ref()).map_err(|detail| Complaint { offset, detail })
        };
        let ended = |written: Spanned<WrittenSearch>| {
            let offset = Some(written.span().start);
            let written = written.into_inner();
            let at = written.at.as_deref().map(Moment::read).transpose();
            Ok(Ended {
                at: at.map_err(|detail| Complaint { offset, detail })?,
                search: Search::from(written),
            })
        };
        let decision = |(index, written): (usize, Spanned<WrittenDecision>)| {
            let start = written.span().start;
            let complain = |detail| Complaint { offset: Some(start), detail };
            written.into_inner().check(index == 0).map_err(complain)
        };
        Ok(Sitting {
            begun: self.at.map(begun).transpose()?,
            anew: self.anew.map(anew).transpose()?,
            stated: self.stated.map(|stated| decision((0, stated))).transpose()?,
            decisions: self
                .decision
                .into_iter()
                .enumerate()
                .map(decision)
                .collect::<Result<_, Complaint>>()?,
            criteria,
            palmtop: self.palmtop,
            inputs: self.input.into_iter().map(LoggedInput::from).collect(),
            pins: self.pin.into_iter().map(pin).collect::<Result<_, Complaint>>()?,
            searches: self.search.into_iter().map(ended).collect::<Result<_, Complaint>>()?,
            steps: self.step.into_iter().map(step).collect::<Result<_, Complaint>>()?,
            current,
        })
    }
}

impl From<&Decision> for WrittenDecision {
    fn from(decision: &Decision) -> Self {
        Self {
            at: decision.at.to_string(),
            delta: Bounds(decision.delta),
            reason: decision.reason.as_ref().map(ToString::to_string),
            in_file: decision.in_file,
            prior: decision.grounds.as_ref().map(|grounds| grounds.prior.clone()),
            misuse: decision.grounds.as_ref().map(|grounds| grounds.misuse.clone()),
            misuse_down: decision.grounds.as_ref().and_then(|grounds| grounds.misuse_down.clone()),
            cost: decision.grounds.as_ref().map(|grounds| grounds.cost.clone()),
        }
    }
}

impl WrittenDecision {
    fn check(self, is_first: bool) -> Result<Decision, String> {
        let reason = self.reason.as_deref().map(Reason::of_file).transpose()?;
        if reason.is_none() && !is_first && !self.in_file {
            return Err("a decision after the first needs a `reason`, or `in_file`".to_owned());
        }
        let grounds = match (self.prior, self.misuse, self.cost, self.misuse_down) {
            (Some(prior), Some(misuse), Some(cost), misuse_down) => {
                Some(Grounds { prior, misuse, misuse_down, cost })
            }
            (None, None, None, None) => None,
            _ => return Err("`prior`, `misuse` and `cost` go together; give all three or none".to_owned()),
        };
        Ok(Decision {
            at: Moment::read(&self.at)?,
            delta: self.delta.0,
            reason,
            in_file: self.in_file,
            grounds,
        })
    }
}

impl From<&Ended> for WrittenSearch {
    fn from(ended: &Ended) -> Self {
        let mut written = Self::from(&ended.search);
        written.at = ended.at.as_ref().map(ToString::to_string);
        written
    }
}

impl From<&History> for HistoryFile {
    fn from(history: &History) -> Self {
        let pending = history.unfinished.iter().map(|entry| WrittenEntry { pending: true, ..entry.into() });
        let releases = history.releases.iter().map(WrittenEntry::from).chain(pending);
        Self {
            format: FORMAT,
            taken: history.taken.iter().map(WrittenTaken::from).collect(),
            sitting: history.sittings.iter().map(WrittenSitting::from).collect(),
            release: releases.map(|entry| Spanned::new(0..0, entry)).collect(),
            report: history.reports.iter().map(|report| Spanned::new(0..0, report.into())).collect(),
        }
    }
}

impl HistoryFile {
    fn check(self, places: &BTreeMap<String, usize>) -> Result<History, Complaint> {
        let sittings: Result<_, Complaint> = self.sitting.into_iter().map(WrittenSitting::check).collect();
        let mut history = History { sittings: sittings?, ..History::default() };
        history.taken = self.taken.into_iter().map(Taken::from).collect();
        for written in self.release {
            let start = written.span().start;
            let written = written.into_inner();
            let list = if written.pending { &mut history.unfinished } else { &mut history.releases };
            list.push(written.check(start, places)?);
        }
        for written in self.report {
            let offset = Some(written.span().start);
            let checked = written.into_inner().check().map_err(|detail| Complaint { offset, detail });
            history.reports.push(checked?);
        }
        Ok(history)
    }
}

impl From<&Taken> for WrittenTaken {
    fn from(taken: &Taken) -> Self {
        Self { file: taken.file.clone(), sha256: Hash(taken.sha256.clone()) }
    }
}

impl From<WrittenTaken> for Taken {
    fn from(written: WrittenTaken) -> Self {
        Self { file: written.file, sha256: written.sha256.0 }
    }
}

impl From<&ReportEntry> for WrittenReport {
    fn from(report: &ReportEntry) -> Self {
        let ReportEntry { file, sha256, at, reader, release } = report.clone();
        Self { file, sha256: Hash(sha256), at: at.to_string(), reader, release: Hash(release) }
    }
}

impl WrittenReport {
    fn check(self) -> Result<ReportEntry, String> {
        let Self { file, sha256, at, reader, release } = self;
        Ok(ReportEntry { file, sha256: sha256.0, at: Moment::read(&at)?, reader, release: release.0 })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the keys of an entry")]
struct WrittenEntry {
    file: String,
    sha256: Hash,
    at: String,
    palmtop: String,
    delta: Bounds,
    reason: Option<String>,
    present: bool,
    rows: WholeNumber,
    withdrawn: Option<WholeNumber>,
    /// Older entries have neither this nor `highest`.
    loss: Option<f64>,
    highest: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
    /// Only in a register of palmtop 0.1.0.
    #[serde(skip_serializing)]
    session: Option<String>,
    /// From 1.
    sitting: Option<std::num::NonZeroUsize>,
    step: Option<usize>,
    node: Option<Vec<u8>>,
    k: Option<WholeNumber>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    for_use: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    beside: bool,
    search: Option<WrittenSearch>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    policy: BTreeMap<String, Spanned<String>>,
    audit: Option<WrittenAudit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    accepted: Vec<WrittenAccepted>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    input: Vec<WrittenInput>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAudit {
    verdict: String,
    method: String,
    people: Option<WholeNumber>,
    members: WholeNumber,
    doubtful: WholeNumber,
    worst: Option<f64>,
    worst_people: Option<WholeNumber>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAccepted {
    key: String,
    subject: Option<String>,
    reason: String,
    /// The SHA-256 of the sentence; older entries have none.
    fact: Option<Hash>,
}

impl From<&Entry> for WrittenEntry {
    fn from(entry: &Entry) -> Self {
        let WrittenRecipe { node, search } = (&entry.recipe.recoding).into();
        Self {
            file: entry.file.clone(),
            sha256: Hash(entry.sha256.clone()),
            at: entry.at.to_string(),
            palmtop: entry.palmtop.clone(),
            delta: Bounds(entry.delta),
            reason: entry.reason.clone(),
            present: entry.is_present,
            rows: WholeNumber(entry.rows),
            withdrawn: (entry.withdrawn > 0).then_some(WholeNumber(entry.withdrawn)),
            loss: entry.loss,
            highest: entry.highest.map(|highest| highest.to_string()),
            pending: false,
            session: None,
            sitting: entry.step.map(|name| std::num::NonZeroUsize::MIN.saturating_add(name.sitting)),
            step: entry.step.map(|name| name.step),
            node,
            k: entry.recipe.k.map(WholeNumber),
            for_use: entry.recipe.for_use,
            beside: entry.recipe.has_earlier_release,
            search,
            policy: forms::policy(&entry.criteria),
            audit: entry.audit.as_ref().map(WrittenAudit::from),
            accepted: entry.accepted.iter().map(WrittenAccepted::from).collect(),
            input: entry.inputs.iter().map(WrittenInput::from).collect(),
        }
    }
}

impl From<&AuditRecord> for WrittenAudit {
    fn from(audit: &AuditRecord) -> Self {
        Self {
            verdict: audit.verdict.clone(),
            method: audit.method.clone(),
            people: audit.people.map(WholeNumber),
            members: WholeNumber(audit.members),
            doubtful: WholeNumber(audit.doubtful),
            worst: audit.worst.map(|(worst, _)| worst),
            worst_people: audit.worst.map(|(_, people)| WholeNumber(people)),
        }
    }
}

impl From<&Accepted> for WrittenAccepted {
    fn from(accepted: &Accepted) -> Self {
        let Accepted { key, subject, reason, fact } = accepted.clone();
        Self { key, subject, reason, fact: fact.map(Hash) }
    }
}

impl WrittenEntry {
    /// Checks the entry; `start` is the offset of its first byte, and `places` has the sittings of sessions.
    fn check(self, start: usize, places: &BTreeMap<String, usize>) -> Result<Entry, Complaint> {
        let complain = |detail: String| Complaint { offset: Some(start), detail };
        let of_session = |file: String| places.get(&file).copied();
        let sitting =
            self.sitting.map(|number| number.get() - 1).or_else(|| self.session.and_then(of_session));
        let step = sitting.zip(self.step).map(|(sitting, step)| StepName { sitting, step });
        let recoding = WrittenRecipe { node: self.node, search: self.search }.check(start)?;
        let recipe = Recipe {
            recoding,
            k: self.k.map(|k| k.0),
            for_use: self.for_use,
            has_earlier_release: self.beside,
        };
        Ok(Entry {
            file: self.file,
            sha256: self.sha256.0,
            at: Moment::read(&self.at).map_err(complain)?,
            palmtop: self.palmtop,
            delta: self.delta.0,
            reason: self.reason,
            criteria: forms::criteria(&self.policy)?,
            is_present: self.present,
            rows: self.rows.0,
            withdrawn: self.withdrawn.map_or(0, |withdrawn| withdrawn.0),
            loss: self.loss,
            highest: self
                .highest
                .map(|text| text.parse().map_err(|error| complain(format!("`highest`: {error}"))))
                .transpose()?,
            recipe,
            inputs: self.input.into_iter().map(LoggedInput::from).collect(),
            audit: self.audit.map(|audit| audit.check().map_err(complain)).transpose()?,
            accepted: self.accepted.into_iter().map(WrittenAccepted::into).collect(),
            step,
        })
    }
}

impl WrittenAudit {
    fn check(self) -> Result<AuditRecord, String> {
        let worst = match (self.worst, self.worst_people) {
            (Some(worst), Some(people)) if (0.0..=1.0).contains(&worst) => Some((worst, people.0)),
            (None, None) => None,
            (Some(worst), Some(_)) => {
                return Err(format!("`worst` is {worst}; expected a number from 0 to 1"));
            }
            _ => return Err("`worst` and `worst_people` go together; give both or neither".to_owned()),
        };
        Ok(AuditRecord {
            verdict: self.verdict,
            method: self.method,
            people: self.people.map(|people| people.0),
            members: self.members.0,
            doubtful: self.doubtful.0,
            worst,
        })
    }
}

impl From<WrittenAccepted> for Accepted {
    fn from(written: WrittenAccepted) -> Self {
        let WrittenAccepted { key, subject, reason, fact } = written;
        Self { key, subject, reason, fact: fact.map(|fact| fact.0) }
    }
}
