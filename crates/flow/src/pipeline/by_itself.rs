//! Verifies a written release without loading the project for a search.

use std::path::Path;

use super::PipelineError;
use super::analysis::read_for;
use super::inputs::Overrides;
use super::spec;
use crate::compatibility::{Command, Feature};
use crate::project::{PriorSource, PrivateSource};
use palmtop_core::located::LocatedError;
use palmtop_tables::read::TableSpec;
use palmtop_tables::trial;
use palmtop_verify::{self as verify, Findings, VerifyError, VerifySpec};

/// The assumed belief of an attacker about people before the release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    /// Each person is equally likely to be in T.
    Uniform,
    /// The project's prior. It is an error if the project has none.
    Prior,
}

/// Verifies a written release of a project without loading the project for a search.
///
/// # Errors
/// A [`PipelineError`] if the project or an input cannot be read. Faults of the release are
/// findings.
pub fn verify_file(project: &Path, overrides: &Overrides, written: &Path) -> Result<Findings, PipelineError> {
    let (findings, _) = verify_by_itself(project, overrides, written, Under::Uniform, verify::verify)?;
    Ok(findings)
}

/// [`verify_file`], which also computes what the release reveals to an attacker with the project's
/// prior.
///
/// # Errors
/// As [`verify_file`], and if the project has no prior or its prior does not fit the tables.
pub fn verify_file_under_prior(
    project: &Path,
    overrides: &Overrides,
    written: &Path,
) -> Result<Findings, PipelineError> {
    let (findings, _) = verify_by_itself(project, overrides, written, Under::Prior, verify::verify)?;
    Ok(findings)
}

/// Runs a function of the verifier on a release. Also returns the SHA-256 of the files of P that
/// were opened in a trial.
pub(super) fn verify_by_itself<T>(
    project: &Path,
    overrides: &Overrides,
    written: &Path,
    under: Under,
    verify: impl FnOnce(&VerifySpec, &Path) -> Result<T, VerifyError>,
) -> Result<(T, Vec<String>), PipelineError> {
    let project = read_for(project, &[Feature::Command(Command::Verify)])?;
    let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
    let under_prior = match under {
        Under::Uniform => false,
        Under::Prior => true,
    };
    let tried = trial::check_files(&project.public.table)?;
    if let PrivateSource::Table(table) = &project.private {
        trial::check_files(table)?;
    }
    if let Some(PriorSource::Rates(path)) = project.prior.as_ref().filter(|_| under_prior) {
        trial::check_files(&TableSpec::of_all_rows(path.clone()))?;
    }
    trial::check_release(written)?;
    let mut spec = spec::verify_spec(&project, delta)?;
    if under_prior {
        let no_prior = || {
            let remedy = "set `prior` under [public], or add [prior] with `rates`";
            VerifyError::from(LocatedError::new("the project has no prior").remedy(remedy))
        };
        spec.prior.as_mut().ok_or_else(no_prior)?.is_judged = true;
    }
    Ok((verify(&spec, written)?, tried))
}
