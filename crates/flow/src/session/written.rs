//! The session as TOML: its written form, and the checks of a file that is read.
//!
//! ```toml
//! format = 1
//! palmtop = "0.1.0"
//! project = "paper.toml"
//! current = 1
//!
//! [policy]
//! k = "5"
//!
//! [[input]]
//! path = "public.csv"
//! sha256 = "51f0…"
//!
//! [[decision]]
//! at = "2026-03-01T12:00:00Z"
//! delta = ["1/2", "2/3"]
//!
//! [[step]]
//! how = "start"
//! delta = ["1/2", "2/3"]
//! node = [0, 0, 0]
//!
//! [[step]]
//! how = "search best"
//! delta = ["1/2", "2/3"]
//!
//! [step.search]
//! strategy = "best"
//! delta = ["1/2", "2/3"]
//! metric = "loss"
//! seed = 0
//! rounds = 20
//! complete = true
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::forms::{self, Bounds, Complaint, Named, WrittenInput, WrittenRecipe, WrittenSearch, with_key};
use super::{Action, Decision, Grounds, Log, LoggedInput, Moment, Reason, Search, SessionError, Step};
use palmtop_core::located::LocatedError;

/// The version of the format that this palmtop writes and reads.
const FORMAT: u64 = 1;
/// The first lines of the file, for a person who opens it.
const HEADER: &str =
    "# A session of palmtop: places and hashes, no rows. `palmtop replay` makes its releases again.\n";

impl Log {
    /// Reads a session file.
    ///
    /// # Errors
    /// A [`SessionError`] that names the file, the line, the key and what was expected.
    pub fn read(path: &Path) -> Result<Self, SessionError> {
        read(path).map(|(log, _)| log)
    }

    /// The session as TOML; [`read`](Self::read) gives the same log back.
    ///
    /// # Panics
    /// Never: a table of texts, numbers and lists is always TOML.
    pub fn render(&self) -> String {
        let text = toml::to_string(&SessionFile::from(self)).expect("texts, numbers and lists are TOML");
        format!("{HEADER}{text}")
    }
}

/// A session file's log and its text.
pub(super) fn read(path: &Path) -> Result<(Log, Vec<u8>), SessionError> {
    let io = |source: std::io::Error| LocatedError::cannot("read session", path, source);
    let bytes = palmtop_tables::input::read(path, palmtop_tables::input::MOST_TEXT).map_err(io)?;
    let wrong = |offset: Option<usize>, detail| {
        SessionError::from(forms::located("session", path, &bytes, (offset, detail)))
    };
    let log = forms::utf8(&bytes, "a session").and_then(|text| {
        parse(text).map_err(|Complaint { offset, detail }| Complaint {
            offset,
            detail: with_key(text, offset, detail),
        })
    });
    let log = log.map_err(|Complaint { offset, detail }| wrong(offset, detail))?;
    Ok((log, bytes))
}

fn parse(text: &str) -> Result<Log, Complaint> {
    forms::check_format(text, FORMAT)?;
    toml::from_str::<SessionFile>(text)?.check()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionFile {
    format: u64,
    palmtop: String,
    project: String,
    current: Spanned<usize>,
    anew: Option<Spanned<String>>,
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
    search: Vec<WrittenSearch>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDecision {
    at: String,
    delta: Bounds,
    reason: Option<String>,
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

impl From<&Log> for SessionFile {
    fn from(log: &Log) -> Self {
        let step = |step: &Step| {
            let WrittenRecipe { node, search } = (&step.recoding).into();
            WrittenStep { how: Named(step.action.clone()), delta: Bounds(step.delta), node, search }
        };
        Self {
            format: FORMAT,
            palmtop: log.palmtop.clone(),
            project: log.project.clone(),
            current: Spanned::new(0..0, log.current),
            anew: log.anew.as_ref().map(|reason| Spanned::new(0..0, reason.to_string())),
            policy: forms::policy(&log.criteria),
            input: log.inputs.iter().map(WrittenInput::from).collect(),
            decision: log.decisions.iter().map(|decision| Spanned::new(0..0, decision.into())).collect(),
            step: log.steps.iter().map(step).map(|step| Spanned::new(0..0, step)).collect(),
            pin: log.pins.iter().map(|recipe| Spanned::new(0..0, recipe.into())).collect(),
            search: log.searches.iter().map(WrittenSearch::from).collect(),
        }
    }
}

impl SessionFile {
    fn check(self) -> Result<Log, Complaint> {
        let (offset, current) = (self.current.span().start, self.current.into_inner());
        if current >= self.step.len() {
            let steps = match self.step.len() {
                0 => "the session has no [[step]], but needs at least one".to_owned(),
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
        let decision = |(index, written): (usize, Spanned<WrittenDecision>)| {
            let start = written.span().start;
            let complain = |detail| Complaint { offset: Some(start), detail };
            written.into_inner().check(index == 0).map_err(complain)
        };
        Ok(Log {
            anew: self.anew.map(anew).transpose()?,
            decisions: self
                .decision
                .into_iter()
                .enumerate()
                .map(decision)
                .collect::<Result<_, Complaint>>()?,
            criteria,
            palmtop: self.palmtop,
            project: self.project,
            inputs: self.input.into_iter().map(LoggedInput::from).collect(),
            pins: self.pin.into_iter().map(pin).collect::<Result<_, Complaint>>()?,
            searches: self.search.into_iter().map(Search::from).collect(),
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
            prior: decision.grounds.as_ref().map(|grounds| grounds.prior.clone()),
            misuse: decision.grounds.as_ref().map(|grounds| grounds.misuse.clone()),
            misuse_down: decision.grounds.as_ref().and_then(|grounds| grounds.misuse_down.clone()),
            cost: decision.grounds.as_ref().map(|grounds| grounds.cost.clone()),
        }
    }
}

impl WrittenDecision {
    fn check(self, is_first: bool) -> Result<Decision, String> {
        let reason = match (self.reason, is_first) {
            (None, true) => None,
            (Some(text), false) => Some(Reason::of_file(&text)?),
            (Some(_), true) => {
                return Err("the first [[decision]] is before any result, so it has no `reason`; remove it"
                    .to_owned());
            }
            (None, false) => return Err("a [[decision]] after the first needs a `reason`".to_owned()),
        };
        let grounds = match (self.prior, self.misuse, self.cost, self.misuse_down) {
            (Some(prior), Some(misuse), Some(cost), misuse_down) => {
                Some(Grounds { prior, misuse, misuse_down, cost })
            }
            (None, None, None, None) => None,
            _ => return Err("`prior`, `misuse` and `cost` go together; give all three or none".to_owned()),
        };
        Ok(Decision { at: Moment::read(&self.at)?, delta: self.delta.0, reason, grounds })
    }
}
