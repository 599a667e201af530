//! What to know before a release is written, one line each. Some lines need an answer; each has one kind of answer.

use palmtop_core::model::Presence;
use palmtop_release::caution::{Brief, Caution, Key};
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

/// A line before the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) about: About,
    /// The line.
    pub(crate) brief: Brief,
    /// Its sentences, without how to answer it.
    pub(crate) sentence: String,
    /// How it is answered; none if it needs no answer.
    pub(crate) answer: Option<Kind>,
    pub(crate) is_answered: bool,
}

/// The subject of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The release breaks the policy.
    NotPresent,
    /// δmax is 1, so δ promises nothing.
    NoPromise,
    /// A caution, with its key and its subject.
    Caution(Key, Option<String>),
    /// The cautions could not be counted.
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

impl Item {
    /// A line of the window's own.
    fn own(about: About, name: &str, figure: String, sentence: String, answer: Kind) -> Self {
        let remedy = match about {
            About::NotPresent => "choose a release that keeps δ",
            About::NoPromise => "choose a δmax below 1",
            About::Caution(..) | About::Uncounted => "count again",
        };
        let brief = Brief { name: name.to_owned(), figure, remedy };
        Self { about, brief, sentence, answer: Some(answer), is_answered: false }
    }

    /// The line of a caution.
    fn of(caution: &Caution, release: &Release) -> Self {
        let answer = match caution.key {
            _ if caution.is_open() => Some(Kind::Reason),
            _ if caution.is_question() => Some(Kind::Yes),
            Key::KnowsAlgorithm => knows_algorithm(release),
            _ => None,
        };
        Self {
            about: About::Caution(caution.key, caution.subject.clone()),
            brief: caution.brief(),
            sentence: caution.to_string(),
            answer,
            is_answered: false,
        }
    }

    /// Whether it needs an answer that is not there yet.
    pub(crate) fn is_unanswered(&self) -> bool {
        self.answer.is_some() && !self.is_answered
    }

    /// Whether its answer is typed and not there yet.
    pub(crate) fn is_typed(&self) -> bool {
        self.is_unanswered() && self.answer != Some(Kind::Yes)
    }

    /// The sentence that asks for the answer; empty if none is needed.
    pub(crate) fn question(&self) -> String {
        let subject = match &self.about {
            About::Caution(_, Some(subject)) => format!("`{}`", text::safe(subject)),
            _ => "this release".to_owned(),
        };
        match self.answer.filter(|_| !self.is_answered) {
            None => String::new(),
            Some(Kind::Yes) => "y accepts it, any other key goes back.".to_owned(),
            Some(Kind::Words(words)) => format!("Type `{words}` to write it all the same, Enter:"),
            Some(Kind::Reason) => {
                let words = palmtop_project::reason::LEAST_WORDS;
                format!(
                    "Type the reason why {subject} may be published all the same, in at least {words} words, Enter:"
                )
            }
        }
    }

    /// Checks a typed answer.
    ///
    /// # Errors
    /// What is wrong with the reason; `None` if the words are not complete yet.
    pub(crate) fn take(&self, typed: &str) -> Result<(), Option<String>> {
        match self.answer {
            Some(Kind::Words(words)) if words == typed.trim() => Ok(()),
            Some(Kind::Words(_) | Kind::Yes) | None => Err(None),
            Some(Kind::Reason) => {
                let read = palmtop_project::reason::read(typed).and_then(Reason::read);
                read.map(drop).map_err(|expected| Some(sentence(&expected)))
            }
        }
    }
}

/// How a release is answered for that may tell more to an attacker who knows the algorithm.
fn knows_algorithm(release: &Release) -> Option<Kind> {
    match release.knows_algorithm() {
        KnowsAlgorithm::Exact => None,
        KnowsAlgorithm::Audited(finding) => {
            let is_outside = finding.people.is_some_and(|people| people > 0);
            Some(if is_outside { Kind::Words(OUTSIDE) } else { Kind::Yes })
        }
        // The question about the broken δ covers this.
        KnowsAlgorithm::NotAudited if !release.is_present() => None,
        KnowsAlgorithm::NotAudited => Some(Kind::Yes),
    }
}

/// The lines of a release.
pub(crate) fn items(release: &Release, counted: &Counted) -> Vec<Item> {
    let mut items = Vec::new();
    let achieved = release.achieved;
    if !release.is_present() {
        let figure = format!("presence {} to {}", achieved.min, achieved.max);
        let sentence = "It is NOT δ-present: the release promises nothing about anybody.".to_owned();
        items.push(Item::own(About::NotPresent, "NOT δ-present", figure, sentence, Kind::Reason));
    } else if release.delta().max() == Presence::ONE {
        let sentence =
            "δmax is 1: this δ promises nothing, and people may be certain to be members.".to_owned();
        let words = Kind::Words(NO_PROMISE);
        items.push(Item::own(About::NoPromise, "no promise", "δmax 1".to_owned(), sentence, words));
    }
    match counted {
        Ok(known) => items.extend(known.cautions.iter().map(|caution| Item::of(caution, release))),
        Err(why) => {
            if let Some(answer) = knows_algorithm(release) {
                let about = About::Caution(Key::KnowsAlgorithm, None);
                let sentence = "An attacker who knows palmtop may learn more from the choice of the classes.";
                items.push(Item::own(about, "knows palmtop", String::new(), sentence.to_owned(), answer));
            }
            let sentence = format!("The cautions could not be counted: {why}.");
            items.push(Item::own(About::Uncounted, "not counted", String::new(), sentence, Kind::Yes));
        }
    }
    items
}
