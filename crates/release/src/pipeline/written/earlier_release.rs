//! Makes a release that keeps δ together with an earlier release, for an attacker who has both.

use std::path::Path;
use std::time::Instant;

use crate::pipeline::written::reading;
use crate::pipeline::written::together;
use crate::pipeline::{Analysis, Found, PipelineError, ReadRelease, Together};
use palmtop_core::located::LocatedError;
use palmtop_core::model::Problem;
use palmtop_core::progress::Meter;
use palmtop_project::compatibility::Feature;
use palmtop_search::compose::Composition;
use palmtop_search::release::Origin;
use palmtop_search::{self as search, Config, Observer, Strategy};

/// A written release as it was read back, and its composition with the earlier release.
#[derive(Clone, Debug, PartialEq)]
pub struct BothRead {
    /// The new release.
    pub release: ReadRelease,
    /// What both releases reveal together.
    pub composition: Composition,
}

/// Checks that a new release can be combined with an earlier one. The earlier one must be faithful
/// to the present T and keep the policy.
///
/// # Errors
/// [`PipelineError::UnusableEarlierRelease`] and [`PipelineError::Refused`], with the remedy.
pub fn allows(analysis: &Analysis, earlier: &ReadRelease) -> Result<(), PipelineError> {
    analysis.check(&[Feature::Beside])?;
    let why = if !earlier.is_faithful() {
        let problem = earlier.findings.problems.first().map(ToString::to_string).unwrap_or_default();
        format!(
            "is no faithful release of the present T: {problem}; `verify` says all that is wrong, and where T has changed \
             since, `compose --change` says what both tell"
        )
    } else if !earlier.findings.is_present() {
        let (min, max) = (earlier.findings.achieved_min, earlier.findings.achieved_max);
        format!(
            "does not keep the policy by itself: presence {min} to {max} under δ {}; give the δ that it was made under, \
             and see `verify`",
            analysis.problem.delta()
        )
    } else {
        return Ok(());
    };
    let problem = format!("nothing can be made beside it, as it {why}");
    Err(PipelineError::UnusableEarlierRelease(LocatedError::new(problem).in_file(&earlier.path)))
}

/// Runs a strategy within each class of an earlier release: see [`run_within_release`](search::run_within_release).
///
/// # Errors
/// As [`allows_beside`](allows).
///
/// # Panics
/// If the strategy finds no regions.
pub fn search(
    analysis: &Analysis,
    problem: &Problem,
    strategy: Strategy,
    config: &Config,
    earlier: &ReadRelease,
    observer: &mut Observer,
) -> Result<Found, PipelineError> {
    allows(analysis, earlier)?;
    let started = Instant::now();
    let (class_of, classes) = (earlier.class_of.as_slice(), earlier.classes.len());
    let found = search::run_within_release(strategy, problem, class_of, classes, config, observer);
    Ok(Analysis::measured(problem, Origin::WithinRelease(strategy, config.metric), found, started))
}

/// Reads a written file that has no name yet, and composes it with the earlier release.
pub(in crate::pipeline) fn check(
    analysis: &Analysis,
    earlier: &ReadRelease,
    unnamed: &Path,
    target: &Path,
    meter: &mut Meter,
) -> Result<BothRead, PipelineError> {
    let release = reading::read_watched(analysis, unnamed, meter)?;
    let release = ReadRelease { path: target.to_owned(), ..release };
    let composition = together::of_releases(analysis, &[earlier, &release], Together::default(), meter)?;
    let judgement = composition.judge(analysis.problem.bounds());
    let has_converged = composition.fit.is_none_or(|fit| fit.has_converged());
    if !judgement.holds() || !has_converged {
        return Err(PipelineError::NotPresentTogether {
            path: earlier.path.clone(),
            people: judgement.people(),
        });
    }
    Ok(BothRead { release, composition })
}
