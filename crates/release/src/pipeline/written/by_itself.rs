//! Verifies a written release without loading the project for a search.

use std::path::Path;

use crate::pipeline::PipelineError;
use crate::pipeline::analysis::read_for;
use crate::pipeline::read::inputs::Overrides;
use crate::pipeline::written::spec;
use palmtop_project::PrivateSource;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_tables::trial;
use palmtop_verify::{self as verify, Findings, VerifyError, VerifySpec};

/// Verifies a written release of a project without loading the project for a search.
///
/// # Errors
/// A [`PipelineError`] if the project or an input cannot be read. Faults of the release are
/// findings.
pub fn verify_file(project: &Path, overrides: &Overrides, written: &Path) -> Result<Findings, PipelineError> {
    let (findings, _) = verify_by_itself(project, overrides, written, verify::verify)?;
    Ok(findings)
}

/// Runs a function of the verifier on a release. Also returns the SHA-256 of the files of P that
/// were opened in a trial.
pub(in crate::pipeline) fn verify_by_itself<T>(
    project: &Path,
    overrides: &Overrides,
    written: &Path,
    verify: impl FnOnce(&VerifySpec, &Path) -> Result<T, VerifyError>,
) -> Result<(T, Vec<String>), PipelineError> {
    let project = read_for(project, &[Feature::Command(Command::Verify)])?;
    let delta = project.delta(overrides.delta_min, overrides.delta_max)?;
    let tried = trial::check_files(&project.public.table)?;
    if let PrivateSource::Table(table) = &project.private {
        trial::check_files(table)?;
    }
    trial::check_release(written)?;
    let spec = spec::verify_spec(&project, delta)?;
    Ok((verify(&spec, written)?, tried))
}
