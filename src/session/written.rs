//! The session as TOML: what is written, and what is accepted back.
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
use std::fmt;
use std::path::Path;

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

use super::{Decision, How, Log, LoggedInput, Moment, Place, Reason, Search, SessionError, Step, UnknownHow};
use crate::data::error::line_of;
use crate::metrics::Metric;
use crate::model::{Criteria, Delta, Level, ModelError};
use crate::search::Strategy;
use crate::search::strategy::UnknownStrategy;

/// The form of the file that this palmtop writes and reads.
const FORMAT: u64 = 1;
/// What stands above it, for whoever opens the file.
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
    /// Never: tables of texts, numbers and lists are always TOML.
    pub fn render(&self) -> String {
        let text = toml::to_string(&SessionFile::from(self)).expect("texts, numbers and lists are TOML");
        format!("{HEADER}{text}")
    }
}

/// A session file's log and its text.
pub(super) fn read(path: &Path) -> Result<(Log, Vec<u8>), SessionError> {
    let io = |source| SessionError::Io { path: path.to_owned(), source };
    let bytes = crate::data::input::read(path, crate::data::input::MOST_TEXT).map_err(io)?;
    let wrong = |place: Option<usize>, detail| {
        let line = place.map(|place| line_of(&bytes, place));
        SessionError::Text { path: path.to_owned(), line, detail }
    };
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        wrong(Some(error.valid_up_to()), "not UTF-8; a session is saved as UTF-8".to_owned())
    })?;
    let log =
        parse(text).map_err(|Complaint { place, detail }| wrong(place, with_key(text, place, detail)))?;
    Ok((log, bytes))
}

/// What is wrong, and the byte where.
struct Complaint {
    place: Option<usize>,
    detail: String,
}

impl From<toml::de::Error> for Complaint {
    fn from(error: toml::de::Error) -> Self {
        Self { place: error.span().map(|span| span.start), detail: error.message().replace('\n', "; ") }
    }
}

/// The form is looked at first: a later one may have keys that are unknown here.
fn parse(text: &str) -> Result<Log, Complaint> {
    #[derive(Deserialize)]
    struct Head {
        format: Spanned<u64>,
    }
    let format = toml::from_str::<Head>(text)?.format;
    if *format.get_ref() != FORMAT {
        let detail = format!(
            "{} is a form that this palmtop does not know, expected {FORMAT}; take the palmtop that wrote it",
            format.get_ref()
        );
        return Err(Complaint { place: Some(format.span().start), detail });
    }
    toml::from_str::<SessionFile>(text)?.check()
}

/// A complaint about a value, with the key that stands before it on its line.
fn with_key(text: &str, place: Option<usize>, detail: String) -> String {
    let key = place.and_then(|place| {
        let line = text[..place].rsplit('\n').next()?;
        let key = line.split_once('=')?.0.trim();
        (!key.is_empty()).then_some(key)
    });
    match key {
        Some(key) if !detail.contains(&format!("`{key}`")) => format!("`{key}`: {detail}"),
        _ => detail,
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionFile {
    format: u64,
    palmtop: String,
    project: String,
    current: Spanned<usize>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    policy: BTreeMap<String, Spanned<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    input: Vec<WrittenInput>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    decision: Vec<Spanned<WrittenDecision>>,
    step: Vec<Spanned<WrittenStep>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pin: Vec<Spanned<WrittenPlace>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    search: Vec<WrittenSearch>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenInput {
    path: String,
    sha256: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDecision {
    at: String,
    delta: Bounds,
    reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    how: Named<How>,
    delta: Bounds,
    node: Option<Vec<u8>>,
    search: Option<WrittenSearch>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    node: Option<Vec<u8>>,
    search: Option<WrittenSearch>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSearch {
    strategy: Named<Strategy>,
    delta: Bounds,
    metric: Named<Metric>,
    seed: Whole,
    rounds: Option<Whole>,
    opening: Option<Whole>,
    complete: bool,
    node: Option<Vec<u8>>,
}

impl From<&Log> for SessionFile {
    fn from(log: &Log) -> Self {
        let step = |step: &Step| {
            let WrittenPlace { node, search } = (&step.place).into();
            WrittenStep { how: Named(step.how.clone()), delta: Bounds(step.delta), node, search }
        };
        let input = |input: &LoggedInput| WrittenInput {
            path: input.path.clone(),
            sha256: Hash(input.sha256.clone()),
        };
        Self {
            format: FORMAT,
            palmtop: log.palmtop.clone(),
            project: log.project.clone(),
            current: Spanned::new(0..0, log.current),
            policy: log
                .criteria
                .settings()
                .into_iter()
                .map(|(key, required)| (key.to_owned(), Spanned::new(0..0, required)))
                .collect(),
            input: log.inputs.iter().map(input).collect(),
            decision: log.decisions.iter().map(|own| Spanned::new(0..0, own.into())).collect(),
            step: log.steps.iter().map(step).map(|step| Spanned::new(0..0, step)).collect(),
            pin: log.pins.iter().map(|place| Spanned::new(0..0, place.into())).collect(),
            search: log.searches.iter().map(WrittenSearch::from).collect(),
        }
    }
}

impl SessionFile {
    fn check(self) -> Result<Log, Complaint> {
        let (place, current) = (self.current.span().start, self.current.into_inner());
        if current >= self.step.len() {
            let steps = match self.step.len() {
                0 => "there is no [[step]], and a session has at least one".to_owned(),
                1 => "there is only step 0".to_owned(),
                count => format!("the steps are 0 to {}", count - 1),
            };
            return Err(Complaint {
                place: Some(place),
                detail: format!("there is no step {current}: {steps}"),
            });
        }
        let step = |written: Spanned<WrittenStep>| {
            let start = written.span().start;
            let WrittenStep { how, delta, node, search } = written.into_inner();
            Ok(Step { how: how.0, place: WrittenPlace { node, search }.check(start)?, delta: delta.0 })
        };
        let pin = |written: Spanned<WrittenPlace>| {
            let start = written.span().start;
            written.into_inner().check(start)
        };
        let settings = self.policy.iter().map(|(key, text)| (key.as_str(), text.get_ref().as_str()));
        let criteria = Criteria::read(settings).map_err(|error| Complaint {
            place: self.policy.get(&error.key).map(|text| text.span().start),
            detail: error.to_string(),
        })?;
        let decision = |(place, written): (usize, Spanned<WrittenDecision>)| {
            let start = written.span().start;
            written.into_inner().check(place == 0).map_err(|detail| Complaint { place: Some(start), detail })
        };
        Ok(Log {
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
        }
    }
}

impl WrittenDecision {
    fn check(self, is_first: bool) -> Result<Decision, String> {
        let reason = match (self.reason, is_first) {
            (None, true) => None,
            (Some(text), false) => Some(Reason::read(&text)?),
            (Some(_), true) => {
                return Err("the first [[decision]] stands before any result and has no `reason`".to_owned());
            }
            (None, false) => return Err("a [[decision]] behind the first has a `reason`".to_owned()),
        };
        Ok(Decision { at: Moment::read(&self.at)?, delta: self.delta.0, reason })
    }
}

impl From<WrittenInput> for LoggedInput {
    fn from(written: WrittenInput) -> Self {
        Self { path: written.path, sha256: written.sha256.0 }
    }
}

impl From<&Place> for WrittenPlace {
    fn from(place: &Place) -> Self {
        match place {
            Place::Node(levels) => Self { node: Some(numbers(levels)), search: None },
            Place::Search(search) => Self { node: None, search: Some(search.into()) },
        }
    }
}

impl WrittenPlace {
    fn check(self, start: usize) -> Result<Place, Complaint> {
        match (self.node, self.search) {
            (Some(node), None) => Ok(Place::Node(levels(node))),
            (None, Some(search)) => Ok(Place::Search(search.into())),
            (node, _) => {
                let both = if node.is_some() { "both `node` and `search`" } else { "no place" };
                let detail = format!("there is {both}; expected either `node` or `search`");
                Err(Complaint { place: Some(start), detail })
            }
        }
    }
}

impl From<&Search> for WrittenSearch {
    fn from(search: &Search) -> Self {
        Self {
            strategy: Named(search.strategy),
            delta: Bounds(search.delta),
            metric: Named(search.metric),
            seed: Whole(search.seed),
            rounds: search.rounds.map(Whole),
            opening: search.opening.map(Whole),
            complete: search.complete,
            node: search.node.as_deref().map(numbers),
        }
    }
}

impl From<WrittenSearch> for Search {
    fn from(written: WrittenSearch) -> Self {
        Self {
            strategy: written.strategy.0,
            delta: written.delta.0,
            metric: written.metric.0,
            seed: written.seed.0,
            rounds: written.rounds.map(|rounds| rounds.0),
            opening: written.opening.map(|opening| opening.0),
            node: written.node.map(levels),
            complete: written.complete,
        }
    }
}

fn numbers(levels: &[Level]) -> Vec<u8> {
    levels.iter().map(|level| level.0).collect()
}

fn levels(numbers: Vec<u8>) -> Vec<Level> {
    numbers.into_iter().map(Level).collect()
}

/// δ as its two bounds, each a text in lowest terms.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "[String; 2]", into = "[String; 2]")]
struct Bounds(Delta);

impl Clone for Bounds {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl From<Bounds> for [String; 2] {
    fn from(Bounds(delta): Bounds) -> Self {
        [delta.min().to_string(), delta.max().to_string()]
    }
}

impl TryFrom<[String; 2]> for Bounds {
    type Error = ModelError;

    fn try_from([min, max]: [String; 2]) -> Result<Self, ModelError> {
        Delta::read(&min, &max).map(Self)
    }
}

/// Something that is written by its name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[serde(bound(
    serialize = "Self: Clone + Into<String>",
    deserialize = "Self: TryFrom<String>, <Self as TryFrom<String>>::Error: fmt::Display"
))]
struct Named<T>(T);

impl From<Named<Strategy>> for String {
    fn from(Named(strategy): Named<Strategy>) -> Self {
        strategy.to_string()
    }
}

impl TryFrom<String> for Named<Strategy> {
    type Error = UnknownStrategy;

    fn try_from(name: String) -> Result<Self, UnknownStrategy> {
        name.parse().map(Self)
    }
}

impl From<Named<How>> for String {
    fn from(Named(how): Named<How>) -> Self {
        how.to_string()
    }
}

impl TryFrom<String> for Named<How> {
    type Error = UnknownHow;

    fn try_from(text: String) -> Result<Self, UnknownHow> {
        text.parse().map(Self)
    }
}

impl From<Named<Metric>> for String {
    fn from(Named(metric): Named<Metric>) -> Self {
        metric.name().to_owned()
    }
}

impl TryFrom<String> for Named<Metric> {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let known = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        let unknown =
            || format!("`{name}` is no metric; possible are loss, loss_geometric and discernibility");
        known.map(Self).ok_or_else(unknown)
    }
}

/// A SHA-256 in hexadecimal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Hash(String);

impl From<Hash> for String {
    fn from(Hash(text): Hash) -> Self {
        text
    }
}

impl TryFrom<String> for Hash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 64 && text.bytes().all(is_digit) {
            Ok(Self(text))
        } else {
            Err(format!("`{text}` is no SHA-256; expected 64 of the digits 0 to 9 and a to f"))
        }
    }
}

/// A whole number up to `u64::MAX`: a text where it is above TOML's own, which end at `i64::MAX`.
struct Whole(u64);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) => serializer.serialize_i64(number),
            Err(_) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from 0")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Whole, E> {
                let negative = |_| E::invalid_value(serde::de::Unexpected::Signed(number), &self);
                u64::try_from(number).map(Whole).map_err(negative)
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Whole, E> {
                Ok(Whole(number))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Whole, E> {
                let wrong = |_| E::invalid_value(serde::de::Unexpected::Str(text), &self);
                text.parse().map(Whole).map_err(wrong)
            }
        }
        deserializer.deserialize_any(Read).map_err(D::Error::custom)
    }
}
