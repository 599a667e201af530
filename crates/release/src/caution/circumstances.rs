//! What the project and the history know of a release beside its rows: why δ is this one, what was changed and seen before the
//! release was chosen, and what was accepted. The next release and a written file have it from the same functions.

use super::delta::looser_delta;
use super::headline::in_percent;
use super::{Acceptance, Caution, Facts, Key, NextRelease, Surroundings, WrittenRelease, registered};
use crate::history::{Accepted, Decision, Entry, History, Reason, RecodingRecipe, Stated, name_from_project};
use crate::pipeline::{Analysis, CautionBasis};
use palmtop_core::model::{Delta, Stakes, advise};

/// What the project and the history know of a release beside its rows.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// The earlier releases and the other sittings.
    pub(super) surroundings: Surroundings,
    /// Why δ is this one; `None` if neither a reason nor the input of the advisor was given.
    pub stated: Option<Stated>,
    /// Stakes that were given for the report alone.
    stakes: Option<Stakes>,
    /// How often δ was changed after the first search.
    changes: usize,
    /// How many other searches were seen before the release was chosen.
    pub seen: usize,
    /// The accepted cautions of the release.
    accepted: Vec<Acceptance>,
    /// What was accepted for releases of the present tables, first those with the rows of this one.
    known: Vec<Known>,
    /// What the history knows of a written file.
    registered: Option<Caution>,
}

/// What was accepted for a release of the present tables. What was accepted for other people answers nothing.
#[derive(Clone, Debug)]
struct Known {
    accepted: Accepted,
    /// Whether that release has the rows of this one. Else only a fact about the project is answered again.
    has_these_rows: bool,
}

impl Known {
    /// What was accepted up to an entry, first for releases by this recipe; of both, the newest first.
    fn before(
        analysis: &Analysis,
        history: &History,
        until: Option<&Entry>,
        recoding: Option<&RecodingRecipe>,
    ) -> Vec<Self> {
        let is_it = |entry: &Entry| until.is_some_and(|until| std::ptr::eq(until, entry));
        let is_alike = |entry: &Entry| is_it(entry) || recoding.is_some_and(|recoding| entry.is_of(recoding));
        let accepted = history.accepted(until);
        let of_these = accepted.filter(|(entry, _)| is_it(entry) || entry.has_tables_of(analysis));
        let known = of_these
            .map(|(entry, accepted)| Self { accepted: accepted.clone(), has_these_rows: is_alike(entry) });
        let mut known: Vec<Self> = known.collect();
        known.sort_by_key(|known| !known.has_these_rows);
        known
    }
}

impl Circumstances {
    /// The circumstances of a release that is made now.
    pub fn of_next(analysis: &Analysis, history: &History, next: &NextRelease) -> Self {
        let known = Known::before(analysis, history, None, Some(next.recoding));
        let reason = next.reason.or_else(|| looser_before(analysis, &known, next.delta));
        Self {
            surroundings: Surroundings::of_next(analysis, history, next),
            stated: stated(analysis, next.delta, || history.grounds_of(next.delta, None), reason),
            changes: history.changes(next.delta, None),
            seen: history.seen(next.recoding, None),
            known,
            ..Self::default()
        }
    }

    /// The circumstances of a written file when it was written. Without an entry in the history it is not known what was seen
    /// before, unless a step of a sitting makes the file.
    pub fn of_file<'a>(
        basis: impl Into<CautionBasis<'a>>,
        history: &History,
        WrittenRelease { file, sha256, delta, found }: WrittenRelease,
    ) -> Self {
        let analysis = basis.into().analysis();
        let name = name_from_project(analysis.path(), file).ok();
        let entry = history.find(sha256, name.as_deref());
        let until = entry.map(|entry| &entry.at);
        let sitting = match entry {
            Some(entry) => entry.step.map(|step| step.sitting),
            None => found.map(|(sitting, _)| sitting),
        };
        let recoding = entry.map(|entry| &entry.recipe.recoding).or(found.map(|(_, recoding)| recoding));
        let reason = entry.filter(|entry| entry.delta == delta).and_then(of_command);
        Self {
            surroundings: Surroundings::of_file(analysis, history, (entry, sitting), name.as_deref(), sha256),
            stated: stated(analysis, delta, || history.grounds_of(delta, until), reason),
            changes: recoding.map_or(0, |_| history.changes(delta, until)),
            seen: recoding.map_or(0, |recoding| history.seen(recoding, until)),
            accepted: entry
                .into_iter()
                .flat_map(|entry| &entry.accepted)
                .filter_map(Acceptance::of_history)
                .collect(),
            known: Known::before(analysis, history, entry, recoding),
            registered: entry.and_then(|entry| registered::of_entry(analysis, entry)),
            stakes: None,
        }
    }

    /// With the stakes that were given for one report.
    #[must_use]
    pub fn with_stakes(self, stakes: Option<&Stakes>) -> Self {
        Self { stakes: stakes.cloned(), ..self }
    }

    /// With the cautions that are accepted now.
    #[must_use]
    pub fn with_accepted(self, accepted: &[Acceptance]) -> Self {
        Self { accepted: accepted.to_vec(), ..self }
    }

    /// The stakes that justify δ; `None` without any, or if no δ follows from recorded ones.
    fn stakes(&self, facts: &Facts) -> Option<Stakes> {
        let recorded = || {
            let grounds = self.stated.as_ref()?.grounds.as_ref()?;
            grounds.stakes().ok().filter(|stakes| advise(facts.share, stakes).is_ok())
        };
        self.stakes.clone().or_else(recorded)
    }

    /// The cautions about δ and the choice of the release.
    pub(super) fn cautions(&self, facts: &Facts) -> Vec<Caution> {
        let stakes = self.stakes(facts);
        let advised = stakes.as_ref().and_then(|stakes| advise(facts.share, stakes).ok());
        let advised = advised.map(|advice| advice.delta()).filter(|advised| !facts.delta.is_within(*advised));
        let has_reason = self.stated.as_ref().is_some_and(|stated| stated.reason.is_some());
        let mut cautions: Vec<Caution> = advised.map(stricter).into_iter().collect();
        if stakes.is_none() && !has_reason {
            let has_grounds = self.stated.as_ref().is_some_and(|stated| stated.grounds.is_some());
            let sentence = if has_grounds {
                "δ is not justified: no δ follows from the prior and the acceptable misuse that are given."
            } else {
                "δ is not justified: neither a prior with an acceptable misuse nor a reason is given."
            };
            cautions.push(Caution::new(
                Key::UnjustifiedDelta,
                sentence,
                "Write `prior` and `misuse`, or a `reason`, under [delta] of the project.",
            ));
        }
        cautions.extend(changed(self.changes));
        cautions.extend(seen(self.seen));
        cautions.extend(self.registered.clone());
        cautions
    }

    /// Gives each accepted caution its reason: the reason for this release, else the newest one for the same fact of the same
    /// rows, or for the same fact of the project.
    pub(super) fn accept(&self, cautions: &mut [Caution], of_project: &[Caution]) {
        super::accept(cautions, &self.accepted);
        for caution in cautions.iter_mut().filter(|caution| caution.accepted.is_none()) {
            let is_of_project =
                of_project.iter().any(|other| (other.key, &other.subject) == (caution.key, &caution.subject));
            let mut known = self.known.iter().filter(|known| known.has_these_rows || is_of_project);
            let same = known.find(|known| known.accepted.is_about(caution));
            caution.accepted =
                same.and_then(|known| Acceptance::of_history(&known.accepted)).map(|known| known.reason);
        }
    }
}

impl Accepted {
    /// Whether exactly this fact was accepted: key, column and sentence with all its figures are the same.
    fn is_about(&self, caution: &Caution) -> bool {
        let is_of_key = (self.key.as_str(), &self.subject) == (caution.key.as_str(), &caution.subject);
        is_of_key && self.fact.as_ref().is_some_and(|fact| *fact == caution.fact())
    }
}

/// The reason of a command for the δ of an entry: that of `--accept looser_delta`, or another. On the workbench, a decision has
/// the reason.
fn of_command(entry: &Entry) -> Option<&str> {
    let accepted = entry.accepted.iter().find(|accepted| accepted.key == Key::LooserDelta.as_str());
    let typed = accepted.map(|accepted| accepted.reason.as_str());
    typed.or_else(|| entry.reason.as_deref().filter(|_| entry.step.is_none()))
}

/// The reason with which a δ that is looser than the project's was accepted before.
fn looser_before<'a>(analysis: &Analysis, known: &'a [Known], delta: Delta) -> Option<&'a str> {
    let caution = looser_delta(delta, analysis.project().looser(delta)?);
    let accepted = known.iter().map(|known| &known.accepted).find(|accepted| accepted.is_about(&caution));
    accepted.map(|accepted| accepted.reason.as_str())
}

/// Why the δ of a release is this one: by the project, by a decision until then, or by the command that makes the release.
fn stated<'a>(
    analysis: &Analysis,
    delta: Delta,
    decided: impl FnOnce() -> Option<&'a Decision>,
    reason: Option<&str>,
) -> Option<Stated> {
    let in_project = Stated::of(analysis.project()).filter(|stated| stated.delta == delta);
    let by_command = || {
        let reason = Reason::read(reason?).ok()?;
        Some(Stated { delta, reason: Some(reason), grounds: None })
    };
    in_project.or_else(|| decided().map(Decision::stated)).or_else(by_command)
}

fn stricter(advised: Delta) -> Caution {
    let (min, max) = (advised.min(), advised.max());
    Caution::new(
        Key::AdvisedDelta,
        format!("The prior and the acceptable misuse require a stricter δ: {min} to {max}."),
        "Release under the stricter δ, or give a reason for this one.",
    )
    .with(in_percent(advised))
}

fn changed(changes: usize) -> Option<Caution> {
    let times = match changes {
        0 => return None,
        1 => "once".to_owned(),
        _ => format!("{changes} times"),
    };
    let remedy = "Read the reasons in the history: a δ that was adjusted to a result promises less.";
    let sentence = format!("δ was changed {times} after the first search.");
    Some(Caution::new(Key::ChangedDelta, sentence, remedy).with(times))
}

/// The caution about searches whose results the analyst could compare.
fn seen(searches: usize) -> Option<Caution> {
    let (figure, were) = match searches {
        0 => return None,
        1 => ("1 other search".to_owned(), "was"),
        _ => (format!("{searches} other searches"), "were"),
    };
    let sentence = format!("{figure} {were} seen before this release was chosen.");
    let remedy = "A choice by results tells more than the release: choose the strategy before you search.";
    Some(Caution::new(Key::SeenSearches, sentence, remedy).with(figure))
}
