//! What has to be known of a release before it is written, counted while its name is typed.

use palmtop::caution::{self, Caution, Facts, ReleaseFile, Surroundings, Telling};
use palmtop::pipeline::{Analysis, PipelineError};
use palmtop::progress::Meter;
use palmtop::register;
use palmtop::release::Release;

/// What was counted, or why it could not be.
pub(crate) type Counted = Result<Known, String>;

/// What has to be known of a release.
pub(crate) struct Known {
    /// What the release says of a person under δ, in one sentence or two.
    pub(crate) headline: String,
    /// Its cautions, the severe ones first.
    pub(crate) cautions: Vec<Caution>,
    /// The published columns that the headline leaves out.
    pub(crate) telling: Telling,
}

/// Counts the cautions of a release that is made in a session. Only a project that is kept has a register and sessions.
pub(super) fn count(
    analysis: &Analysis,
    release: &Release,
    (is_kept, session): (bool, Option<&std::path::Path>),
    meter: &mut Meter,
) -> Result<Known, PipelineError> {
    let mut project = caution::of_project(analysis, meter)?;
    if is_kept {
        // A register that cannot be read is said when it is written to.
        let register = register::of_project(analysis.path()).unwrap_or_default();
        let file = ReleaseFile { session, ..ReleaseFile::default() };
        project = project.beside(&Surroundings::of(analysis.path(), &register, file));
    }
    let risk = analysis.risk_classes(release)?;
    let facts = Facts::of_release(analysis, release, &risk, &project);
    let headline = facts.presences.as_ref().map_or_else(String::new, |_| facts.headline());
    let cautions = caution::of_release(&facts, &project);
    Ok(Known { headline, cautions, telling: facts.telling })
}
