//! What has to be known of a release before it is written, counted while its name is typed.

use palmtop::caution::{self, Caution, Facts};
use palmtop::pipeline::{Analysis, PipelineError};
use palmtop::progress::Meter;
use palmtop::register;
use palmtop::release::Release;
use palmtop::session;

/// What was counted, or why it could not be.
pub(crate) type Counted = Result<Known, String>;

/// What has to be known of a release.
pub(crate) struct Known {
    /// What the release says of a person under δ, in one sentence or two.
    pub(crate) headline: String,
    /// Its cautions, the severe ones first.
    pub(crate) cautions: Vec<Caution>,
}

/// Counts the cautions of a release; `own` is the session that it is made in.
pub(super) fn count(
    analysis: &Analysis,
    release: &Release,
    (is_kept, own): (bool, Option<&std::path::Path>),
    meter: &mut Meter,
) -> Result<Known, PipelineError> {
    let project = caution::of_project(analysis, meter)?;
    let risk = analysis.risk_classes(release)?;
    let mut facts = Facts::of_release(analysis, release, &risk, &project);
    if is_kept {
        // A register that cannot be read is said when it is written to.
        let register = register::of_project(analysis.path()).unwrap_or_default();
        facts.earlier_releases = register.entries().iter().map(|entry| entry.file.clone()).collect();
        let others = session::siblings(analysis.path()).into_iter();
        let others = others.filter(|other| other.has_searched() && Some(other.path.as_path()) != own);
        facts.other_sessions = others.map(|other| other.path.display().to_string()).collect();
    }
    let presences = facts.presences.as_ref();
    let headline = presences.map_or_else(String::new, |own| caution::headline(release.delta(), own));
    Ok(Known { headline, cautions: caution::of_release(&facts, &project) })
}
