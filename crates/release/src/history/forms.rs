//! Values of a history as TOML, and complaints about them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

use super::{Action, LoggedInput, LoggedStrategy, RecodingRecipe, Search, UnknownAction};
use palmtop_core::located::LocatedError;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Criteria, Delta, Level, TermError};
use palmtop_core::strategy::UnknownStrategy;
use palmtop_tables::error::line_of;

/// The problem of a file, with the offset of its first byte.
pub(super) struct Complaint {
    pub(super) offset: Option<usize>,
    pub(super) detail: String,
}

impl From<toml::de::Error> for Complaint {
    fn from(error: toml::de::Error) -> Self {
        Self {
            offset: error.span().map(|span| span.start),
            detail: error.message().trim_end().replace('\n', "; "),
        }
    }
}

/// The text of a file that palmtop wrote, as UTF-8. `noun` names the kind of the file.
pub(super) fn utf8<'a>(bytes: &'a [u8], noun: &str) -> Result<&'a str, Complaint> {
    std::str::from_utf8(bytes).map_err(|error| Complaint {
        offset: Some(error.valid_up_to()),
        detail: format!("not UTF-8; save {noun} as UTF-8"),
    })
}

/// Checks the key `format` first, because a later format may have keys that are unknown here.
pub(super) fn check_format(text: &str, expected: u64) -> Result<(), Complaint> {
    #[derive(Deserialize)]
    struct Head {
        format: Spanned<u64>,
    }
    let format = toml::from_str::<Head>(text)?.format;
    if *format.get_ref() == expected {
        return Ok(());
    }
    let detail = format!(
        "this palmtop does not know format {}, expected {expected}; use the palmtop that wrote the file",
        format.get_ref()
    );
    Err(Complaint { offset: Some(format.span().start), detail })
}

/// The criteria that a file lists under `[policy]`.
pub(super) fn criteria(policy: &BTreeMap<String, Spanned<String>>) -> Result<Criteria, Complaint> {
    let settings = policy.iter().map(|(key, text)| (key.as_str(), text.get_ref().as_str()));
    Criteria::read(settings).map_err(|error| Complaint {
        offset: policy.get(&error.key).map(|text| text.span().start),
        detail: error.to_string(),
    })
}

/// The criteria in the form of a file's `[policy]`.
pub(super) fn policy(criteria: &Criteria) -> BTreeMap<String, Spanned<String>> {
    let settings = criteria.settings().into_iter();
    settings.map(|(key, required)| (key.to_owned(), Spanned::new(0..0, required))).collect()
}

/// A complaint about a value, with the key before the value on its line.
pub(super) fn with_key(text: &str, offset: Option<usize>, detail: String) -> String {
    let key = offset.and_then(|offset| {
        let line = text[..offset].rsplit('\n').next()?;
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
pub(super) struct WrittenInput {
    pub(super) path: String,
    pub(super) sha256: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRecipe {
    pub(super) node: Option<Vec<u8>>,
    pub(super) search: Option<WrittenSearch>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenSearch {
    /// When it ended, in the list of searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
    strategy: Named<LoggedStrategy>,
    delta: Bounds,
    metric: Named<Metric>,
    seed: WholeNumber,
    rounds: Option<WholeNumber>,
    opening: Option<WholeNumber>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rehearsed: Option<u32>,
    /// Of older files; what a rehearsal chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chosen: Option<String>,
    complete: bool,
    node: Option<Vec<u8>>,
}

impl From<&LoggedInput> for WrittenInput {
    fn from(input: &LoggedInput) -> Self {
        Self { path: input.path.clone(), sha256: Hash(input.sha256.clone()) }
    }
}

impl From<WrittenInput> for LoggedInput {
    fn from(written: WrittenInput) -> Self {
        Self { path: written.path, sha256: written.sha256.0 }
    }
}

impl From<&RecodingRecipe> for WrittenRecipe {
    fn from(recipe: &RecodingRecipe) -> Self {
        match recipe {
            RecodingRecipe::Node(levels) => Self { node: Some(numbers(levels)), search: None },
            RecodingRecipe::Search(search) => Self { node: None, search: Some(search.into()) },
        }
    }
}

impl WrittenRecipe {
    pub(super) fn check(self, start: usize) -> Result<RecodingRecipe, Complaint> {
        match (self.node, self.search) {
            (Some(node), None) => Ok(RecodingRecipe::Node(levels(node))),
            (None, Some(search)) => Ok(RecodingRecipe::Search(search.into())),
            (node, _) => {
                let found =
                    if node.is_some() { "both `node` and `search`" } else { "neither `node` nor `search`" };
                let detail = format!("there is {found}; expected one of them");
                Err(Complaint { offset: Some(start), detail })
            }
        }
    }
}

impl From<&Search> for WrittenSearch {
    fn from(search: &Search) -> Self {
        Self {
            at: None,
            strategy: Named(search.strategy),
            delta: Bounds(search.delta),
            metric: Named(search.metric),
            seed: WholeNumber(search.seed),
            rounds: search.rounds.map(WholeNumber),
            opening: search.opening.map(WholeNumber),
            rehearsed: search.rehearsed,
            chosen: None,
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
            rehearsed: written.rehearsed.filter(|draws| *draws > 0),
            node: written.node.map(levels),
            complete: written.complete,
        }
    }
}

pub(super) fn numbers(levels: &[Level]) -> Vec<u8> {
    levels.iter().map(|level| level.0).collect()
}

pub(super) fn levels(numbers: Vec<u8>) -> Vec<Level> {
    numbers.into_iter().map(Level).collect()
}

/// δ as its two bounds, each a text in lowest terms.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "[String; 2]", into = "[String; 2]")]
pub(super) struct Bounds(pub(super) Delta);

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
    type Error = TermError;

    fn try_from([min, max]: [String; 2]) -> Result<Self, TermError> {
        Delta::read(&min, &max).map(Self)
    }
}

/// A value that is written by its name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[serde(bound(
    serialize = "Self: Clone + Into<String>",
    deserialize = "Self: TryFrom<String>, <Self as TryFrom<String>>::Error: fmt::Display"
))]
pub(super) struct Named<T>(pub(super) T);

impl From<Named<LoggedStrategy>> for String {
    fn from(Named(strategy): Named<LoggedStrategy>) -> Self {
        strategy.to_string()
    }
}

impl TryFrom<String> for Named<LoggedStrategy> {
    type Error = UnknownStrategy;

    fn try_from(name: String) -> Result<Self, UnknownStrategy> {
        name.parse().map(Self)
    }
}

impl From<Named<Action>> for String {
    fn from(Named(how): Named<Action>) -> Self {
        how.to_string()
    }
}

impl TryFrom<String> for Named<Action> {
    type Error = UnknownAction;

    fn try_from(text: String) -> Result<Self, UnknownAction> {
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
            || format!("`{name}` is not a metric; expected loss, loss_geometric, discernibility or readable");
        known.map(Self).ok_or_else(unknown)
    }
}

/// A SHA-256 in hexadecimal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Hash(pub(super) String);

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
            Err(format!("`{text}` is not a SHA-256; expected 64 of the digits 0 to 9 and a to f"))
        }
    }
}

/// A whole number up to `u64::MAX`. TOML's integers end at `i64::MAX`, so a greater number is written as a text.
pub(super) struct WholeNumber(pub(super) u64);

impl Serialize for WholeNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) => serializer.serialize_i64(number),
            Err(_) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = WholeNumber;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from 0")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<WholeNumber, E> {
                let negative = |_| E::invalid_value(serde::de::Unexpected::Signed(number), &self);
                u64::try_from(number).map(WholeNumber).map_err(negative)
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<WholeNumber, E> {
                Ok(WholeNumber(number))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<WholeNumber, E> {
                let wrong = |_| E::invalid_value(serde::de::Unexpected::Str(text), &self);
                text.parse().map(WholeNumber).map_err(wrong)
            }
        }
        deserializer.deserialize_any(Read).map_err(D::Error::custom)
    }
}

/// The error of a file of TOML, with its line if the complaint is about an offset.
pub(super) fn located(
    lead: &str,
    path: &Path,
    bytes: &[u8],
    (offset, detail): (Option<usize>, String),
) -> LocatedError {
    let error = LocatedError::new(detail).in_named(lead, path);
    match offset {
        Some(offset) => error.at_line(line_of(bytes, offset)),
        None => error,
    }
}
