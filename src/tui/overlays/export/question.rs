//! What is asked before a release is written: each question has one kind of answer, and they are asked one after the other.

use palmtop::model::Presence;
use palmtop::release::{KnowsAlgorithm, Release};

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
}

impl About {
    /// The words that have to be typed; `None` if `y` is enough.
    pub(crate) fn words(&self) -> Option<&'static str> {
        match self {
            Self::NotPresent => Some(ADMISSION),
            Self::NoPromise => Some(NO_PROMISE),
            Self::OutsideDelta => Some(OUTSIDE),
            Self::KnowsAlgorithm => None,
        }
    }

    /// Whether a typed text answers it.
    pub(crate) fn takes(&self, typed: &str) -> bool {
        self.words().is_some_and(|words| words == typed.trim())
    }
}

/// What has to be asked of a release before it is written.
pub(crate) fn questions(release: &Release) -> Vec<Question> {
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
    asked
}
