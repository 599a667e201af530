//! The cautions of a release, counted while the analyst types the name of its file.

use palmtop_core::progress::Meter;
use palmtop_release::caution::{Basis, Judged};
use palmtop_release::history::{RecodingRecipe, Sitting};
use palmtop_release::pipeline::{Analysis, PipelineError};
use palmtop_search::release::Release;

use crate::shared::existing::Existing;
use crate::shared::saver::Saver;

/// What to know about a release before it is written, or why it could not be counted.
pub(crate) type Counted = Result<Judged, String>;

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
