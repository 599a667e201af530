//! The independent verifier: it recounts the presence in a written release from the raw tables.
//!
//! The verifier shares no code with the searches. Its own readers read the release, P, T and the hierarchies again. From the
//! engine it uses only the types of `palmtop-terms`: δ, presence, role, kind, level and progress. It is the last check
//! before a release reaches its recipient.

mod problems;
mod values;
mod read;
mod labels;
mod people;
mod matching;
mod judge;
mod project;
#[cfg(test)]
mod messages;

use std::path::Path;

use palmtop_terms::Presence;
use palmtop_terms::progress::{Meter, unwatched};

use self::judge::{Classes, Rules, in_people, matched};
use self::people::{Entities, People, Pseudonyms, Rows};
use self::problems::Problems;
use self::project::identity;

pub use self::judge::{
    ATTACKER, DenotedText, DenotedTexts, Findings, Matched, MatchedCombination, MatchedCombinations, Outcome,
    ReleasedPerson, ReleasedRow, attacker,
};
pub use self::labels::{HierarchySource, Limits};
pub use self::people::{
    AttributeSpec, CountSource, NotInPublic, PrivateSource, PseudonymSpec, Pseudonymized, Repeated,
};
pub use self::problems::{Finding, FindingKind, VerifyError};
pub use self::project::{OtherDelta, ProjectError, VerifySpec};
pub use self::read::{
    NamedRow, Naming, ReleaseForm, RowsSource, TRIAL, TableSource, panics_are_caught, run_trial,
    set_trial_program, try_typed,
};
pub use self::values::{DateNotation, Notation, Spelling, TableNotation};

/// Recounts a written release from the raw tables.
///
/// # Errors
/// A [`VerifyError`] if an input or the release cannot be read, or the inputs contradict each other. Problems of the release
/// itself are no errors: they are in [`Findings::problems`].
pub fn verify(spec: &VerifySpec, release: &Path) -> Result<Findings, VerifyError> {
    verify_as(spec, release, ReleaseForm::of(release), &mut unwatched)
}

/// [`verify`] for a file whose name does not show its form, with a meter. The meter regularly receives the number of rows of P
/// and T that have been read.
///
/// # Errors
/// As [`verify`]; [`VerifyError::Cancelled`] if the meter asks to stop.
pub fn verify_as(
    spec: &VerifySpec,
    release: &Path,
    form: ReleaseForm,
    meter: &mut Meter,
) -> Result<Findings, VerifyError> {
    recount(spec, release, form, meter).map(|(findings, ..)| findings)
}

/// Reads a written release and finds the row that each individual in P matches. The release may be unfaithful to T; the
/// findings show whether it is.
///
/// # Errors
/// As [`verify`]. [`VerifyError::Unread`] if a part of the file cannot be read, a column does not belong in a release, an
/// individual matches two rows, or nobody matches some row. [`VerifyError::Cancelled`] if the meter asks to stop.
pub fn match_release(spec: &VerifySpec, release: &Path, meter: &mut Meter) -> Result<Matched, VerifyError> {
    let (findings, people, classes) = recount(spec, release, ReleaseForm::of(release), meter)?;
    matched(release, findings, people, classes)
}

/// Both [`verify`] and [`match_release`] with one recount. There is no match if the file cannot be matched.
///
/// # Errors
/// As [`verify`].
pub fn verify_and_match(
    spec: &VerifySpec,
    release: &Path,
) -> Result<(Findings, Option<Matched>), VerifyError> {
    verify_and_match_as(spec, release, ReleaseForm::of(release), &mut unwatched)
}

/// [`verify_and_match`] for a file whose name does not show its form, with a meter as for [`verify_as`].
///
/// # Errors
/// As [`verify_as`].
pub fn verify_and_match_as(
    spec: &VerifySpec,
    release: &Path,
    form: ReleaseForm,
    meter: &mut Meter,
) -> Result<(Findings, Option<Matched>), VerifyError> {
    let (findings, people, classes) = recount(spec, release, form, meter)?;
    match matched(release, findings.clone(), people, classes) {
        Ok(matched) => Ok((findings, Some(matched))),
        Err(VerifyError::Unread { .. }) => Ok((findings, None)),
        Err(error) => Err(error),
    }
}

/// Reads the inputs and the release, and compares them.
fn recount(
    spec: &VerifySpec,
    release: &Path,
    form: ReleaseForm,
    meter: &mut Meter,
) -> Result<(Findings, People, Option<Classes>), VerifyError> {
    let mut progress = Rows::new(meter);
    identity::check(spec, release)?;
    let suppress_at_most = spec.suppress_at_most.as_deref();
    let rules = Rules::read(spec.delta, spec.forbids_empty, &spec.policy, suppress_at_most)?;
    let sources = spec.sources(&rules.allowed)?;
    let (mut people, entities) = people::read(&sources, &mut progress)?;
    let mut problems = Problems::default();
    let (dropped, added) = match spec.not_in_public {
        NotInPublic::Refuse => (0, 0),
        NotInPublic::Drop => (people.drop_excess_members()?, 0),
        NotInPublic::Add => (0, people.add_excess_members()),
    };
    people.check_subset(&mut problems);
    if let Some(entities) = &entities {
        entities.check_subset(&mut problems);
    }
    progress.report()?;
    let withdrawn_at_most = rules.allowed.of(people.private);
    // Counted in people if they have several rows, else in rows.
    let totals = entities.as_ref().map_or((people.public, people.private), Entities::totals);
    let read = Classes::read(release, form, &people, &mut problems, &mut progress)?;
    let mut findings = Findings {
        achieved_min: Presence::ZERO,
        achieved_max: Presence::ONE,
        rows: read.rows,
        classes: 0,
        public: totals.0,
        private: totals.1,
        dropped,
        added,
        left_out: people.left_out,
        repeats: people.repeats,
        unmatched: totals.0,
        withdrawn: 0,
        withdrawn_at_most,
        public_rows: entities.is_some().then_some(people.public),
        pseudonyms: people.pseudonyms.iter().map(Pseudonyms::describe).collect(),
        delta: rules.delta,
        forbids_empty: rules.forbids_empty,
        beyond_limits: 0,
        criteria: rules.outcomes(None),
        problems: Vec::new(),
    };
    let mut classes = read.classes;
    if let Some(classes) = &mut classes {
        progress.report()?;
        classes.match_people(&people, withdrawn_at_most, &mut problems, &mut progress)?;
        progress.report()?;
        classes.compare(&people, &mut problems);
        findings.withdrawn = classes.withdrawn();
        findings.beyond_limits = classes.beyond_limits();
        if let Some(entities) = &entities {
            let recount = in_people::recount(
                entities,
                &people,
                classes,
                rules.forbids_empty,
                &mut problems,
                &mut progress,
            )?;
            findings.count_in_people(&rules, &recount);
        } else {
            if rules.forbids_empty {
                classes.check_filled(&people, &mut problems);
            }
            (findings.achieved_min, findings.achieved_max) = classes.presence(&people);
            findings.criteria = rules.outcomes(classes.recounted(&people).as_ref());
            findings.classes = classes.len();
            findings.unmatched = people.public - classes.matched_public();
        }
    }
    findings.problems = problems.into_list();
    Ok((findings, people, classes))
}
