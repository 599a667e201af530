//! The questions before a release is written. The dialog asks them one after the other; each has one kind of answer.

use palmtop_core::model::Presence;
use palmtop_release::caution::Key;
use palmtop_release::history::Reason;
use palmtop_search::release::{KnowsAlgorithm, Release};

use super::counting::Counted;
use crate::kit::text;
use crate::kit::words::sentence;

/// The key under which a release that is not δ-present is accepted with a reason.
pub(crate) const NOT_PRESENT: &str = "not_present";
/// The words that permit a release for which an audit found people outside δ.
pub(crate) const OUTSIDE: &str = "outside delta";
/// The words that permit a release under δmax = 1.
pub(crate) const NO_PROMISE: &str = "no promise";

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) about: About,
    /// The sentences of the question, without how to answer it.
    pub(crate) sentence: String,
}

/// The subject of a question; it decides how the question is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The release breaks the policy: the analyst types a reason to write it.
    NotPresent,
    /// δmax is 1, so δ promises nothing: the analyst types [`NO_PROMISE`].
    NoPromise,
    /// An audit found people outside δ: the analyst types [`OUTSIDE`].
    OutsideDelta,
    /// It is not known what the release reveals to an attacker who knows the algorithm: the analyst presses `y`.
    KnowsAlgorithm,
    /// A severe caution, with its key and its subject: the analyst types a reason to accept it.
    Caution(Key, Option<String>),
    /// A note that needs an answer, with its key: the analyst presses `y`.
    Note(Key),
    /// The cautions could not be counted: the analyst presses `y`.
    Uncounted,
}

/// A kind of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The analyst types these words.
    Words(&'static str),
    /// The analyst types a reason.
    Reason,
    /// The analyst presses `y`.
    Yes,
}

impl About {
    /// The kind of answer.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::NoPromise => Kind::Words(NO_PROMISE),
            Self::OutsideDelta => Kind::Words(OUTSIDE),
            Self::NotPresent | Self::Caution(..) => Kind::Reason,
            Self::KnowsAlgorithm | Self::Note(_) | Self::Uncounted => Kind::Yes,
        }
    }

    /// The sentence that asks for a reason.
    pub(crate) fn reason_question(&self) -> String {
        let subject = match self {
            Self::Caution(_, Some(subject)) => format!("`{}`", text::safe(subject)),
            _ => "this release".to_owned(),
        };
        let words = palmtop_project::reason::LEAST_WORDS;
        format!("Type the reason why {subject} may be published all the same, in at least {words} words")
    }

    /// Checks a typed answer.
    ///
    /// # Errors
    /// What is wrong with the reason; `None` if the words are not complete yet.
    pub(crate) fn take(&self, typed: &str) -> Result<(), Option<String>> {
        match self.kind() {
            Kind::Words(words) if words == typed.trim() => Ok(()),
            Kind::Words(_) | Kind::Yes => Err(None),
            Kind::Reason => {
                let read = palmtop_project::reason::read(typed).and_then(Reason::read);
                read.map(drop).map_err(|expected| Some(sentence(&expected)))
            }
        }
    }
}

/// The questions to answer before a release is written.
pub(crate) fn questions(release: &Release, counted: &Counted) -> Vec<Question> {
    let mut asked = Vec::new();
    let mut ask = |about, sentence: String| asked.push(Question { about, sentence });
    let is_present = release.is_present();
    if !is_present {
        ask(About::NotPresent, "It is NOT δ-present.".to_owned());
    } else if release.delta().max() == Presence::ONE {
        let sentence = "δmax is 1: this δ promises nothing, and people may be certain to be members.";
        ask(About::NoPromise, sentence.to_owned());
    }
    match release.knows_algorithm() {
        KnowsAlgorithm::Exact => {}
        KnowsAlgorithm::Audited(finding) => {
            let is_outside = finding.people.is_some_and(|people| people > 0);
            let about = if is_outside { About::OutsideDelta } else { About::KnowsAlgorithm };
            ask(about, format!("An attacker who knows palmtop: {}.", finding.words()));
        }
        // The question about the broken δ covers this.
        KnowsAlgorithm::NotAudited if !is_present => {}
        KnowsAlgorithm::NotAudited => ask(
            About::KnowsAlgorithm,
            "Not audited: an attacker who knows palmtop may learn more from the choice of the classes."
                .to_owned(),
        ),
    }
    match counted {
        Err(why) => ask(About::Uncounted, format!("The cautions could not be counted: {why}.")),
        Ok(known) => {
            for caution in known.cautions.iter().filter(|caution| caution.is_open()) {
                let about = About::Caution(caution.key, caution.subject.clone());
                ask(about, format!("{} {}", caution.sentence, caution.remedy));
            }
            for caution in known.cautions.iter().filter(|caution| caution.is_question()) {
                ask(About::Note(caution.key), format!("{} {}", caution.sentence, caution.remedy));
            }
        }
    }
    asked
}
