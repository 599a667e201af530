//! Cautions: what a person has to know about a project or a release before signing, in one list for every command and screen.
//!
//! A caution has a stable key, a severity, one sentence with its figures, and what to do. A severe caution must be answered
//! before an export: with the remedy, or with [`Acceptance`], a reason that the session and the report quote.

mod facts;
mod headline;
mod project;
mod release;
mod size;
mod surroundings;
mod telling;
mod words;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::register::Accepted;
use palmtop_core::text;

pub use facts::{AlgorithmKnowledge, BlankColumn, Facts, MemberFacts, Presences, SessionFacts};
pub use headline::{at_least, at_most, headline, promise, recounted};
pub use project::{ProjectCautions, of_project};
pub use release::of_release;
pub use size::ReleaseSize;
pub use surroundings::{ReleaseFile, Surroundings};
pub use telling::{Cost, Telling, TellingColumn};

/// Whether a caution must be answered before an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It stops an export until it is answered.
    Severe,
    /// It is shown and stops nothing.
    Note,
}

/// Declares the keys once: the variant, its text in JSON and in `--accept`, its severity, and what it is about.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $severity:ident;)+) => {
        /// The stable key of a caution.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Key {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $variant,)+
        }

        impl Key {
            /// All keys, the severe ones first; lists of cautions have this order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The key as JSON, `--accept` and the references write it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// What it is about, in a sentence.
            pub fn meaning(self) -> String {
                let lines: &[&str] = match self { $(Self::$variant => &[$($doc),+]),+ };
                lines.concat().trim().to_owned()
            }

            /// Whether such a caution must be answered before an export.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),+ }
            }
        }
    };
}

keys! {
    /// A published column gives away a quasi-identifier, or a column of P that the project does not use.
    /// The sentence has the number of rows that then fit fewer than 1/δmax people.
    Betrays = "betrays", Severe;
    /// People are certain to be members: the achieved presence is 1.
    Certain = "certain", Severe;
    /// Nobody decided the role of a published column of T: `init --yes` chose it.
    Undecided = "undecided", Severe;
    /// δmax is 1/2 or above: people may be as likely members as not, or likelier.
    WeakDelta = "weak_delta", Note;
    /// δ is looser than the project's.
    LooserDelta = "looser_delta", Note;
    /// δ is looser than the prior and the acceptable misuse ask for.
    AdvisedDelta = "advised_delta", Note;
    /// Neither a prior nor a reason justifies δ.
    UnjustifiedDelta = "unjustified_delta", Note;
    /// δ was changed after the first search.
    ChangedDelta = "changed_delta", Note;
    /// An attacker who knows the algorithm is not ruled out, or an audit found people outside δ.
    KnowsAlgorithm = "knows_algorithm", Note;
    /// An attacker who knows that somebody is a member may find the row or read the sensitive value.
    /// The sentence compares the risks with the threshold 0.09.
    KnowsMember = "knows_member", Note;
    /// People are certain not to be members.
    CertainAbsent = "certain_absent", Note;
    /// Under the project's prior, the posterior of somebody is outside δ.
    Prior = "prior", Note;
    /// Columns are `*` in all rows, or in nearly all.
    SaysNothing = "says_nothing", Note;
    /// The labels of a row have more than 500 characters on average, or the release is ten times as large as T.
    /// palmtop asks about it before an export.
    LargeRelease = "large_release", Note;
    /// Members of T who are not in P have no row.
    LeftOut = "left_out", Note;
    /// Members of T who were not in P were added to it.
    Added = "added", Note;
    /// Members are withdrawn.
    Withdrawn = "withdrawn", Note;
    /// Another release of the same T exists; for a written file, an earlier one.
    EarlierRelease = "earlier_release", Note;
    /// δ was searched in another session of the same project.
    OtherSession = "other_session", Note;
    /// The session does not lead to this release.
    Session = "session", Note;
    /// Every row of P occurs twice or more often: people may be counted several times.
    DoubledPublic = "doubled_public", Note;
    /// An unused column of P looks like a count.
    CountLike = "count_like", Note;
    /// A published column has nearly the name of a column of P.
    NamedAlike = "named_alike", Note;
    /// A published column has a different value in nearly every row.
    UniqueColumn = "unique_column", Note;
    /// A published column or level is on HIPAA's Safe Harbor list.
    SafeHarbor = "safe_harbor", Note;
    /// Two identifiers differ only by spaces, zeros or unseen characters: one person may count as two.
    AlikeIdentifiers = "alike_identifiers", Note;
}

impl Key {
    /// Whether such a note is asked about before a release is written: nothing but a person's time is at risk, so it stops no
    /// command that runs without a terminal.
    pub const fn is_asked(self) -> bool {
        matches!(self, Self::LargeRelease)
    }
}

/// Something that a person has to know before signing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caution {
    /// Its stable key.
    pub key: Key,
    /// The column or attribute that it is about; `None` if it is about the whole release.
    #[serde(default)]
    pub subject: Option<String>,
    /// Whether it stops an export.
    pub severity: Severity,
    /// One sentence with its figures; no value of T.
    pub sentence: String,
    /// What to do about it.
    pub remedy: String,
    /// The reason it was accepted with, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
}

impl Caution {
    /// A caution about the whole project or release.
    pub fn new(key: Key, sentence: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            key,
            subject: None,
            severity: key.severity(),
            sentence: sentence.into(),
            remedy: remedy.into(),
            accepted: None,
        }
    }

    /// The same caution about one column or attribute.
    #[must_use]
    pub fn about(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// What `--accept` calls it: `certain`, or `betrays:birthdate`.
    pub fn name(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{}:{subject}", self.key.as_str()),
            None => self.key.as_str().to_owned(),
        }
    }

    /// Whether it is severe and nobody accepted it: an export is refused then.
    pub fn is_open(&self) -> bool {
        self.severity == Severity::Severe && self.accepted.is_none()
    }

    /// Whether a person is asked about it before an export, and nobody accepted it.
    pub fn is_question(&self) -> bool {
        self.key.is_asked() && self.accepted.is_none()
    }
}

impl fmt::Display for Caution {
    /// One line: the sentence and the remedy; of an accepted caution the reason and the sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.accepted {
            None => write!(f, "{} {}", self.sentence, self.remedy),
            Some(reason) => write!(f, "Accepted: {} {}", with_point(reason), self.sentence),
        }
    }
}

/// A reason as a sentence.
fn with_point(reason: &str) -> String {
    let is_closed = reason.ends_with(['.', '!', '?']);
    if is_closed { reason.to_owned() } else { format!("{reason}.") }
}

/// A caution that the analyst accepts, and why: `KEY=REASON`, or `KEY:COLUMN=REASON` for one column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// The key.
    pub key: Key,
    /// The column or attribute. `None` answers a severe caution only if no other one of its key is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Why.
    pub reason: String,
}

impl Acceptance {
    /// What the register of releases has of it; `None` if this palmtop does not know the key, or the reason is no sentence.
    pub fn of_register(accepted: &Accepted) -> Option<Self> {
        let key = Key::ALL.iter().copied().find(|key| key.as_str() == accepted.key)?;
        let reason = text::reason(&accepted.reason).ok()?.to_owned();
        Some(Self { key, subject: accepted.subject.clone(), reason })
    }

    /// What a report has of a caution that was accepted; `None` if it was not, or the reason is no sentence.
    pub fn of_report(caution: &Caution) -> Option<Self> {
        let reason = text::reason(caution.accepted.as_ref()?).ok()?.to_owned();
        Some(Self { key: caution.key, subject: caution.subject.clone(), reason })
    }

    /// Whether it names a caution.
    fn names(&self, caution: &Caution) -> bool {
        self.key == caution.key && self.subject == caution.subject
    }

    /// Whether it names no column, and a caution has its key.
    fn has_key(&self, caution: &Caution) -> bool {
        self.key == caution.key && self.subject.is_none()
    }
}

impl FromStr for Acceptance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, reason) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` has no reason; expected KEY=REASON or KEY:COLUMN=REASON"))?;
        let (key, subject) = name.split_once(':').map_or((name, None), |(key, subject)| (key, Some(subject)));
        let reason =
            text::reason(reason).map_err(|expected| format!("`{name}` has no reason: {expected}"))?;
        let found = Key::ALL.iter().find(|known| known.as_str() == key.trim()).ok_or_else(|| {
            let severe = Key::ALL.iter().filter(|key| key.severity() == Severity::Severe);
            let severe: Vec<&str> = severe.map(|key| key.as_str()).collect();
            format!("no caution has the key `{}`; severe cautions are {}", key.trim(), severe.join(", "))
        })?;
        Ok(Self { key: *found, subject: subject.map(ToOwned::to_owned), reason: reason.to_owned() })
    }
}

/// Sorts cautions as [`Key::ALL`] does; those of one key keep their order.
pub fn sort(cautions: &mut [Caution]) {
    cautions.sort_by_key(|caution| caution.key);
}

/// Answers cautions: each that an acceptance names gets its reason. An acceptance of a key alone answers a severe caution
/// only if all open cautions of the key are of one column, so that no caution is answered by a reason for another one.
pub fn accept(cautions: &mut [Caution], acceptances: &[Acceptance]) {
    for caution in cautions.iter_mut() {
        if let Some(own) = acceptances.iter().find(|own| own.names(caution)) {
            caution.accepted = Some(own.reason.clone());
        }
    }
    for acceptance in acceptances {
        let is_asked = |own: &Caution| acceptance.has_key(own) && own.accepted.is_none();
        let open: Vec<&Caution> = cautions.iter().filter(|own| is_asked(own) && own.is_open()).collect();
        let is_vague = open.windows(2).any(|two| two[0].subject != two[1].subject);
        for caution in cautions.iter_mut().filter(|own| is_asked(own) && !is_vague) {
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
    fn an_accepted_caution_begins_with_its_reason_and_has_no_remedy() {
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
        // A key alone does not say which of two columns is meant.
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
