//! What is counted while the window is open: the cautions of the release, and what it reveals together with earlier ones.

use std::path::Path;

use palmtop_core::progress::Meter;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::caution::{Basis, Judged};
use palmtop_release::history::{self, RecodingRecipe, Sitting};
use palmtop_release::pipeline::{self, Analysis, PipelineError};
use palmtop_search::release::Release;

use crate::kit::terminal::Keeper as _;
use crate::kit::words::chain;
use crate::shared::existing::Existing;
use crate::shared::saver::Saver;

/// What to know about a release before it is written, or why it could not be counted.
pub(crate) type Counted = Result<Judged, String>;

/// Earlier releases of the same T, with the number of people outside δ for an attacker who has them and the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Together {
    /// Their names.
    pub(crate) files: Vec<String>,
    /// The number of people, or why it is not known.
    pub(crate) people: Result<u64, String>,
}

/// Judges a release that is made in a sitting; `log` is the sitting as it is now.
pub(super) fn count(
    analysis: &Analysis,
    (recipe, release): (&RecodingRecipe, &Release),
    log: &Sitting,
    saver: &Saver,
    meter: &mut Meter,
) -> Result<Judged, PipelineError> {
    let known = Existing::read(analysis, saver).circumstances((analysis, log), recipe, release.delta());
    Ok(Basis::of(analysis, meter)?.judge(analysis, release, &known))
}

/// Composes a release with the earlier ones of the history; `None` if there is none.
pub(super) fn compose(
    analysis: &Analysis,
    (recipe, release): (&RecodingRecipe, &Release),
    target: &Path,
    saver: &Saver,
    meter: &mut Meter,
) -> Option<Together> {
    if analysis.refusal(Feature::Command(Command::Compose)).is_some() {
        return None;
    }
    saver.flush();
    // The next export reports a history that cannot be read.
    let earlier = history::of_project(analysis.path()).ok()?.releases_beside(analysis, recipe);
    if earlier.is_empty() {
        return None;
    }
    let name =
        |path: &std::path::PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let people = pipeline::beside::people_outside(analysis, release, &earlier, target, meter);
    Some(Together {
        files: earlier.iter().map(name).collect(),
        people: people.map_err(|error| chain(&error)),
    })
}
