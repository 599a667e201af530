//! The register as TOML: its written form, and the checks of a file that is read.
//!
//! ```toml
//! format = 1
//!
//! [[release]]
//! file = "clinic-release.csv"
//! sha256 = "51f0…"
//! at = "2026-03-01T12:00:00Z"
//! palmtop = "0.1.0"
//! delta = ["0", "1/10"]
//! reason = "the board asked for one in ten"
//! present = true
//! rows = 800
//! session = "clinic.session.toml"
//! step = 4
//!
//! [release.search]
//! strategy = "simulatable"
//! delta = ["0", "1/10"]
//! metric = "loss"
//! seed = 0
//! complete = true
//!
//! [release.audit]
//! verdict = "audited"
//! method = "the answers alone make this release again, whatever T: 81 questions"
//! people = 0
//! members = 0
//! doubtful = 0
//!
//! [[release.accepted]]
//! key = "certain"
//! reason = "these people agreed in writing"
//!
//! [[release.input]]
//! path = "clinic.toml"
//! sha256 = "51f0…"
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::{Accepted, AuditRecord, Entry, Recipe, Register, RegisterError, SessionStep};
use crate::session::forms::{
    self, Bounds, Complaint, Hash, WholeNumber, WrittenInput, WrittenRecipe, WrittenSearch, with_key,
};
use crate::session::{LoggedInput, Moment};

/// The version of the format that this palmtop writes and reads.
const FORMAT: u64 = 1;
/// The first lines of the file.
pub(super) const HEADER: &str =
    "# The releases of this project, as palmtop wrote them: hashes and settings, no rows.\n";

/// The register as TOML.
pub(super) fn render(register: &Register) -> String {
    let file = RegisterFile { format: FORMAT, release: register.entries.iter().map(spanned).collect() };
    toml::to_string(&file).expect("texts, numbers and lists are TOML")
}

/// The register of a file's bytes.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Register, RegisterError> {
    let wrong = |Complaint { offset, detail }: Complaint| {
        RegisterError::from(forms::located("register of releases", path, bytes, (offset, detail)))
    };
    let text = forms::utf8(bytes, "a register of releases").map_err(wrong)?;
    let parsed = parse(text);
    parsed.map_err(|Complaint { offset, detail }| {
        wrong(Complaint { offset, detail: with_key(text, offset, detail) })
    })
}

fn parse(text: &str) -> Result<Register, Complaint> {
    forms::check_format(text, FORMAT)?;
    let file: RegisterFile = toml::from_str(text)?;
    let entries = file.release.into_iter().map(|written| {
        let start = written.span().start;
        written.into_inner().check(start)
    });
    Ok(Register { entries: entries.collect::<Result<_, _>>()? })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisterFile {
    format: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    release: Vec<Spanned<WrittenEntry>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    session: Option<String>,
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
}

fn spanned(entry: &Entry) -> Spanned<WrittenEntry> {
    Spanned::new(0..0, entry.into())
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
            session: entry.session.as_ref().map(|session| session.file.clone()),
            step: entry.session.as_ref().map(|session| session.step),
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
        let Accepted { key, subject, reason } = accepted.clone();
        Self { key, subject, reason }
    }
}

impl WrittenEntry {
    /// Checks the entry; `start` is the offset of its first byte.
    fn check(self, start: usize) -> Result<Entry, Complaint> {
        let complain = |detail: String| Complaint { offset: Some(start), detail };
        let session = match (self.session, self.step) {
            (Some(file), Some(step)) => Some(SessionStep { file, step }),
            (None, None) => None,
            (Some(_), None) => return Err(complain("`session` needs the number of its `step`".to_owned())),
            (None, Some(_)) => return Err(complain("`step` needs the file of its `session`".to_owned())),
        };
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
            recipe,
            inputs: self.input.into_iter().map(LoggedInput::from).collect(),
            audit: self.audit.map(|audit| audit.check().map_err(complain)).transpose()?,
            accepted: self.accepted.into_iter().map(WrittenAccepted::into).collect(),
            session,
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
        let WrittenAccepted { key, subject, reason } = written;
        Self { key, subject, reason }
    }
}
