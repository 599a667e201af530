//! Cautions: what a signer must know about a project or a release. Every command and screen shows the same list.
//!
//! A caution has a stable key, a severity, a text with figures, and a remedy. A severe caution must be answered before an
//! export: by the remedy, or by an [`Acceptance`], whose reason the history and the report quote.
//!
//! Each file has the sentences of one source: `project`, `release`, or the history (`surroundings`, `circumstances`,
//! `registered`). Search the folder for `Key::NAME`.

mod presences;
mod births;
mod headline;
mod delta;
mod facts;
mod project;
mod release;
mod size;
mod surroundings;
mod registered;
mod missing_code;
mod revealing;
mod same_people;
mod circumstances;
mod judge;
mod brief;
pub(crate) mod words;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::history::Accepted;
use palmtop_project::reason;

pub use births::LastBirth;
pub use births::names_birth;
pub use brief::{Brief, Line};
pub use circumstances::Circumstances;
pub use facts::{AlgorithmKnowledge, BlankColumn, Facts, MemberFacts};
pub use headline::{at_least, at_most, at_most_short, headline, promise, recounted, typed};
pub use judge::{Basis, Judged, LISTS_DIFFER, judge, of_file};
pub use presences::Presences;
pub use project::{ProjectCautions, of_project};
pub use release::of_release;
pub use revealing::{Cost, RevealingColumn, RevealingColumns, attacker_limited_to, limited_to};
pub use size::ReleaseSize;
pub use surroundings::{NextRelease, Surroundings, WrittenRelease};

/// Whether a caution must be answered before an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The caution stops an export until it is answered.
    Severe,
    /// The caution is shown and does not stop an export.
    Note,
}

/// Declares each key once: its variant, its text in JSON and in `--accept`, its severity, and its meaning.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $severity:ident;)+) => {
        /// The stable key of a caution.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Key {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $variant,)+
        }

        impl Key {
            /// All keys, severe ones first. Lists of cautions have this order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The key as it is written in JSON, in `--accept` and in the docs.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The meaning of the key in one or two sentences: its doc comment.
            pub fn meaning(self) -> String {
                let lines: &[&str] = match self { $(Self::$variant => &[$($doc),+]),+ };
                lines.concat().trim().to_owned()
            }

            /// The severity of every caution with this key.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),+ }
            }
        }
    };
}

keys! {
    /// A published column reveals a quasi-identifier, or an unused column of P. Withhold it, or publish it coarser.
    Betrays = "betrays", Severe;
    /// Some people are certain to be members: their presence is 1. Choose a δmax below 1.
    Certain = "certain", Severe;
    /// Under an identifier that both tables have, P has members with other values, or lacks them: T is no part of P. Correct T or P.
    OtherPeople = "other_people", Severe;
    /// Births are after the day of the release: years of two digits, or days and months, are misread. Mend `date`.
    FutureBirth = "future_birth", Severe;
    /// Nobody decided the role of a published column of T: `init --yes` chose it. Write its `role`.
    Undecided = "undecided", Severe;
    /// δmax is 1/2 or more: a person may be a member with a probability of 50 % or more. Choose a δmax below 1/2.
    WeakDelta = "weak_delta", Note;
    /// δ is looser than the project's δ. Write it into the project, with a reason.
    LooserDelta = "looser_delta", Note;
    /// δ is looser than the one that follows from the prior and the misuse. Give a reason.
    AdvisedDelta = "advised_delta", Note;
    /// Neither a prior nor a reason justifies δ. Give one.
    UnjustifiedDelta = "unjustified_delta", Note;
    /// δ was changed after the first search. Read the reasons.
    ChangedDelta = "changed_delta", Note;
    /// Other searches were seen before this release was chosen. Ask why this one was.
    SeenSearches = "seen_searches", Note;
    /// Against an attacker who knows the algorithm, nothing is proven, or an audit found people outside δ. Use `simulatable`.
    KnowsAlgorithm = "knows_algorithm", Note;
    /// An attacker who knows that a person is a member may find the row or the sensitive value: a risk above 1/11.
    /// Enforce `k`, `l` or `t`.
    KnowsMember = "knows_member", Note;
    /// Some people are certain not to be members: their presence is 0. If this is sensitive, set δmin above 0.
    CertainAbsent = "certain_absent", Note;
    /// Columns are `*` in all rows, or nearly all. Leave out columns, or choose another δ without looking at T.
    SaysNothing = "says_nothing", Note;
    /// A row has more than 500 characters on average, or the release is ten times as large as T: palmtop asks first.
    LargeRelease = "large_release", Note;
    /// The history has this file as not δ-present, or with another P, hierarchy or project than today's.
    Registered = "registered", Note;
    /// Members of T whom P lacks are left out of the release. Complete P.
    LeftOut = "left_out", Note;
    /// Members of T whom P lacks were added to it. Complete P.
    Added = "added", Note;
    /// Members of T are withdrawn: they have no row in the release. Tell the recipient.
    Withdrawn = "withdrawn", Note;
    /// The project has another release; for a written file, an earlier one, also one that it replaced. Judge them together by `compose`.
    EarlierRelease = "earlier_release", Note;
    /// Another sitting of the same project has searched before.
    OtherSession = "other_session", Note;
    /// Every row of P occurs two or more times, or those of members do: people may be counted several times. Remove the repetitions.
    DoubledPublic = "doubled_public", Note;
    /// An unused column of P looks like a count. If it is one, name it by `count`.
    CountLike = "count_like", Note;
    /// A value may mean that there is none, such as `999` among ages. Then list it in `missing`.
    MissingCode = "missing_code", Note;
    /// A published column has nearly the name of a column of P. Make it a quasi-identifier, or withhold it.
    NamedAlike = "named_alike", Note;
    /// A published column has a different value in nearly every row. Withhold it.
    UniqueColumn = "unique_column", Note;
    /// A column is published finely: dates finer than a year, areas of few people, ages of 90 and more.
    SafeHarbor = "safe_harbor", Note;
    /// Two identifiers differ only by spaces, zeros or invisible characters: one person may count twice. Write each in one way.
    AlikeIdentifiers = "alike_identifiers", Note;
}

impl Key {
    /// Whether palmtop asks about a note with this key before it writes a release. Such a note risks only the reader's time, so
    /// it does not stop a command that runs without a terminal.
    pub const fn is_asked(self) -> bool {
        matches!(self, Self::LargeRelease)
    }
}

palmtop_project::keys! {
/// A fact that the signer of a release must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caution {
    /// The stable key.
    pub key: Key,
    /// The column or attribute; null for the whole project or release.
    #[serde(default)]
    pub subject: Option<String>,
    /// `severe` stops an export, `note` does not.
    pub severity: Severity,
    /// The fact with its figures, without values of T.
    pub sentence: String,
    /// The figure of the sentence in a few words, as a signer reads it; empty if it has none.
    #[serde(default)]
    pub figure: String,
    /// What the analyst can do.
    pub remedy: String,
    /// The reason of an accepted caution; absent if it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
}
}

palmtop_project::values!(Key, Severity);

impl Caution {
    /// A caution about the whole project or release.
    pub fn new(key: Key, sentence: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            key,
            subject: None,
            severity: key.severity(),
            sentence: sentence.into(),
            figure: String::new(),
            remedy: remedy.into(),
            accepted: None,
        }
    }

    /// The same caution with the figure of its sentence.
    #[must_use]
    pub fn with(self, figure: impl Into<String>) -> Self {
        Self { figure: figure.into(), ..self }
    }

    /// The same caution about one column or attribute.
    #[must_use]
    pub fn about(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// The name for `--accept`: `certain`, or `betrays:birthdate`.
    pub fn name(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{}:{subject}", self.key.as_str()),
            None => self.key.as_str().to_owned(),
        }
    }

    /// The SHA-256 of the sentence: the fact with its figures, without a word of it.
    pub fn fact(&self) -> String {
        palmtop_tables::sha256(self.sentence.as_bytes())
    }

    /// Whether the caution is severe and nobody accepted it. Then an export is refused.
    pub fn is_open(&self) -> bool {
        self.severity == Severity::Severe && self.accepted.is_none()
    }

    /// Whether palmtop asks about the caution before an export, and nobody accepted it.
    pub fn is_question(&self) -> bool {
        self.key.is_asked() && self.accepted.is_none()
    }
}

impl fmt::Display for Caution {
    /// One line: the sentence and the remedy, or the reason and the sentence if the caution is accepted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.accepted {
            None => write!(f, "{} {}", self.sentence, self.remedy),
            Some(reason) => write!(f, "Accepted: {} {}", with_point(reason), self.sentence),
        }
    }
}

/// The reason with a full stop at its end.
fn with_point(reason: &str) -> String {
    let is_closed = reason.ends_with(['.', '!', '?']);
    if is_closed { reason.to_owned() } else { format!("{reason}.") }
}

/// A caution that the analyst accepts, with the reason: `KEY=REASON`, or `KEY:COLUMN=REASON` for one column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The key of the accepted caution.
    pub key: Key,
    /// The column or attribute. `None` answers a severe caution only if no other one of its key is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The reason, a sentence that reports quote.
    pub reason: String,
}

impl Acceptance {
    /// Reads an acceptance of the history; `None` if this palmtop does not know the key, or the reason is not a
    /// sentence.
    pub fn of_history(accepted: &Accepted) -> Option<Self> {
        let key = Key::ALL.iter().copied().find(|key| key.as_str() == accepted.key)?;
        let reason = reason::read(&accepted.reason).ok()?.to_owned();
        Some(Self { key, subject: accepted.subject.clone(), reason })
    }

    /// Whether the acceptance has the key and the column of a caution.
    fn names(&self, caution: &Caution) -> bool {
        self.key == caution.key && self.subject == caution.subject
    }

    /// Whether the acceptance has no column, and the key of a caution.
    fn has_key(&self, caution: &Caution) -> bool {
        self.key == caution.key && self.subject.is_none()
    }
}

impl FromStr for Acceptance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, reason) = text.split_once('=').ok_or_else(|| {
            format!("`{text}` has no reason: write KEY=REASON, or KEY:COLUMN=REASON for one column")
        })?;
        let (key, subject) = name.split_once(':').map_or((name, None), |(key, subject)| (key, Some(subject)));
        let reason =
            reason::read(reason).map_err(|expected| format!("`{name}` has no reason: {expected}"))?;
        let found = Key::ALL.iter().find(|known| known.as_str() == key.trim()).ok_or_else(|| {
            let severe = Key::ALL.iter().filter(|key| key.severity() == Severity::Severe);
            let severe: Vec<&str> = severe.map(|key| key.as_str()).collect();
            format!(
                "no caution has the key `{}`; the keys of severe cautions are {}",
                key.trim(),
                severe.join(", ")
            )
        })?;
        Ok(Self { key: *found, subject: subject.map(ToOwned::to_owned), reason: reason.to_owned() })
    }
}

/// Sorts cautions by their key, in the order of [`Key::ALL`]; cautions with the same key keep their order.
pub fn sort(cautions: &mut [Caution]) {
    cautions.sort_by_key(|caution| caution.key);
}

/// Gives each accepted caution its reason. An acceptance without a column answers a severe caution only if all open cautions
/// with this key are of one column. So no caution is answered by a reason for another one.
pub fn accept(cautions: &mut [Caution], acceptances: &[Acceptance]) {
    for caution in cautions.iter_mut() {
        if let Some(acceptance) = acceptances.iter().find(|acceptance| acceptance.names(caution)) {
            caution.accepted = Some(acceptance.reason.clone());
        }
    }
    for acceptance in acceptances {
        let is_named = |caution: &Caution| acceptance.has_key(caution) && caution.accepted.is_none();
        let open = cautions.iter().filter(|caution| is_named(caution) && caution.is_open());
        let open: Vec<&Caution> = open.collect();
        let is_vague = open.windows(2).any(|two| two[0].subject != two[1].subject);
        for caution in cautions.iter_mut().filter(|caution| is_named(caution) && !is_vague) {
            caution.accepted = Some(acceptance.reason.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_read_back() {
        for (index, key) in Key::ALL.iter().enumerate() {
            assert!(Key::ALL[..index].iter().all(|other| other.as_str() != key.as_str()), "{key:?}");
            let read: Acceptance = format!("{}=the board decided so", key.as_str()).parse().unwrap();
            assert_eq!((read.key, read.subject), (*key, None));
        }
        assert!(Key::ALL.windows(2).all(|pair| pair[0].severity() <= pair[1].severity()));
    }

    #[test]
    fn accepted_caution_shows_its_reason_without_a_remedy() {
        let open = Caution::new(Key::Betrays, "`a` gives `b` away.", "Withhold `a`.").about("a");
        assert_eq!(open.to_string(), "`a` gives `b` away. Withhold `a`.");
        for reason in ["the board decided so", "the board decided so."] {
            let accepted = Caution { accepted: Some(reason.to_owned()), ..open.clone() };
            assert_eq!(accepted.to_string(), "Accepted: the board decided so. `a` gives `b` away.");
        }
    }

    #[test]
    fn an_acceptance_answers_its_key_and_column_alone() {
        let of = |column: &str| Caution::new(Key::Betrays, "…", "…").about(column);
        let mut cautions = [of("birthdate"), of("village"), Caution::new(Key::Certain, "…", "…")];
        // Two columns have open cautions with this key: an acceptance without a column answers neither.
        accept(&mut cautions, &["betrays=all are public".parse().unwrap()]);
        assert_eq!(cautions.iter().map(Caution::is_open).collect::<Vec<_>>(), [true, true, true]);
        accept(&mut cautions, &["betrays:village=villages are public".parse().unwrap()]);
        assert_eq!(cautions.iter().map(Caution::is_open).collect::<Vec<_>>(), [true, false, true]);
        accept(&mut cautions, &["betrays=all are public".parse().unwrap()]);
        assert_eq!(cautions[1].accepted.as_deref(), Some("villages are public"));
        assert_eq!(cautions.iter().map(Caution::is_open).collect::<Vec<_>>(), [false, false, true]);
        for wrong in ["betrays", "unknown=the board decided so", "certain=x", "certain=as it is", ""] {
            assert!(wrong.parse::<Acceptance>().is_err(), "{wrong}");
        }
    }
}
