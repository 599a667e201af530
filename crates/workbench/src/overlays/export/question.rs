//! What is asked before a release is written: each question has one kind of answer, and they are asked one after the other.

use palmtop_core::model::Presence;
use palmtop_flow::caution::Key;
use palmtop_flow::session::Reason;
use palmtop_search::release::{KnowsAlgorithm, Release};

use super::counting::Counted;
use crate::kit::text;
use crate::kit::words::sentence;

/// What the analyst types to have a release written that is not δ-present.
pub(crate) const ADMISSION: &str = "not present";
/// What the analyst types if an audit found people outside δ.
pub(crate) const OUTSIDE: &str = "outside delta";
/// What the analyst types if δmax is 1.
pub(crate) const NO_PROMISE: &str = "no promise";

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// What it is about.
    pub(crate) about: About,
    /// The sentences of the question, without how to answer it.
    pub(crate) said: String,
}

/// What a question is about, and so how it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The release breaks the policy: [`ADMISSION`] is typed.
    NotPresent,
    /// δmax is 1, so nothing is promised: [`NO_PROMISE`] is typed.
    NoPromise,
    /// An audit found people outside δ: [`OUTSIDE`] is typed.
    OutsideDelta,
    /// Nobody knows what the release tells an attacker who knows the algorithm: `y` is pressed.
    KnowsAlgorithm,
    /// A severe caution, by its key and its subject: the reason to accept it is typed.
    Caution(Key, Option<String>),
    /// A note that is asked about, by its key: `y` is pressed.
    Note(Key),
    /// The cautions could not be counted: `y` is pressed.
    Uncounted,
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// These words are typed.
    Words(&'static str),
    /// A reason is typed.
    Reason,
    /// `y` is pressed.
    Yes,
}

impl About {
    /// How it is answered.
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::NotPresent => Kind::Words(ADMISSION),
            Self::NoPromise => Kind::Words(NO_PROMISE),
            Self::OutsideDelta => Kind::Words(OUTSIDE),
            Self::Caution(..) => Kind::Reason,
            Self::KnowsAlgorithm | Self::Note(_) | Self::Uncounted => Kind::Yes,
        }
    }

    /// What a typed reason has to say.
    pub(crate) fn reason_question(&self) -> String {
        let subject = match self {
            Self::Caution(_, Some(subject)) => format!("`{}`", text::safe(subject)),
            _ => "this release".to_owned(),
        };
        let words = palmtop_core::text::LEAST_WORDS;
        format!("Type the reason why {subject} may be published all the same, in at least {words} words")
    }

    /// Takes a typed text.
    ///
    /// # Errors
    /// What is wrong with it; nothing if the words are merely not complete.
    pub(crate) fn take(&self, typed: &str) -> Result<(), Option<String>> {
        match self.kind() {
            Kind::Words(words) if words == typed.trim() => Ok(()),
            Kind::Words(_) | Kind::Yes => Err(None),
            Kind::Reason => {
                let read = palmtop_core::text::reason(typed).and_then(Reason::read);
                read.map(drop).map_err(|expected| Some(sentence(&expected)))
            }
        }
    }
}

/// What has to be asked of a release before it is written.
pub(crate) fn questions(release: &Release, counted: &Counted) -> Vec<Question> {
    let mut asked = Vec::new();
    let mut ask = |about, said: String| asked.push(Question { about, said });
    let is_present = release.is_present();
    if !is_present {
        ask(About::NotPresent, "It is NOT δ-present.".to_owned());
    } else if release.delta().max() == Presence::ONE {
        let said = "δmax is 1: this δ promises nothing, and people may be certain to be members.";
        ask(About::NoPromise, said.to_owned());
    }
    match release.knows_algorithm() {
        KnowsAlgorithm::Exact => {}
        KnowsAlgorithm::Audited(finding) => {
            let is_outside = finding.people.is_some_and(|people| people > 0);
            let about = if is_outside { About::OutsideDelta } else { About::KnowsAlgorithm };
            ask(about, format!("An attacker who knows palmtop: {}.", finding.words()));
        }
        // It breaks δ as it is: that is asked.
        KnowsAlgorithm::NotAudited if !is_present => {}
        KnowsAlgorithm::NotAudited => ask(
            About::KnowsAlgorithm,
            "Not audited: who knows palmtop may learn more from where the edges fall.".to_owned(),
        ),
    }
    match counted {
        Err(why) => ask(About::Uncounted, format!("The cautions could not be counted: {why}.")),
        Ok(known) => {
            for caution in known.cautions.iter().filter(|own| own.is_open()) {
                let about = About::Caution(caution.key, caution.subject.clone());
                ask(about, format!("{} {}", caution.sentence, caution.remedy));
            }
            for caution in known.cautions.iter().filter(|own| own.is_question()) {
                ask(About::Note(caution.key), format!("{} {}", caution.sentence, caution.remedy));
            }
        }
    }
    asked
}
