//! Writes the reduction of P on request.

use std::path::Path;

use super::PipelineError;
use super::reduction::{Reduction, When, refusal};
use super::stage::{LoadObserver, LoadStage};
use super::tables::Tables;
use crate::project::Project;
use palmtop_core::located::LocatedError;
use palmtop_core::progress::Progress;

/// The result of [`reduce`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Whether the reduction was written or already existed.
    pub reduction: Reduction,
    /// The number of rows of P.
    pub rows: u64,
    /// The number of distinct combinations of texts in P.
    pub combinations: usize,
}

/// Reduces P and writes the reduction into the project's folder, unless a matching one exists.
///
/// # Errors
/// A [`PipelineError`] of loading P; [`PipelineError::Located`] with the reason if the reduction
/// cannot be written.
pub fn reduce(project: &Path, observer: &mut LoadObserver) -> Result<Reduced, PipelineError> {
    let project = Project::read(project)?;
    let refused = |why: String| {
        let problem = format!("the reduction of P cannot be kept: {why}");
        LocatedError::new(problem).in_named("project", &project.path).into()
    };
    if let Some(why) = refusal(&project) {
        return Err(refused(why));
    }
    let mut opening = |_| observer(Progress { stage: LoadStage::Project, done: 0, total: 1 });
    let tables = Tables::open(&project, &mut opening)?;
    let (tally, reduction) = tables.public_tally(When::Always, observer)?;
    match reduction {
        Reduction::Failed { why, .. } => Err(refused(why)),
        reduction => Ok(Reduced { reduction, rows: tally.rows, combinations: tally.distinct_combinations }),
    }
}
