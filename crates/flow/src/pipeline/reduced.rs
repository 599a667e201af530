//! P's reduction, kept beside the project: whether it is P's still, and when it is made.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::PipelineError;
use super::stage::{LoadObserver, LoadStage};
use super::tables::{self, Tables};
use crate::project::Project;
use palmtop_core::progress::{Meter, Progress};
use palmtop_tables::error::DataError;
use palmtop_tables::read::Table;
use palmtop_tables::reduced::{self, Kept, Stale};
use palmtop_tables::tally::{Tally, TallySpec};
use palmtop_tables::write::Gate;

/// What is kept of P's reduction beside the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Nothing.
    #[default]
    Nothing,
    /// It was P's, and P was not read.
    Used {
        /// Its file.
        path: PathBuf,
        /// When that was written.
        made: Option<SystemTime>,
    },
    /// P was read, and it was made.
    Made {
        /// Its file.
        path: PathBuf,
        /// The bytes of that.
        bytes: u64,
        /// Why the one that was there was not P's, where there was one.
        stale: Option<Stale>,
        /// Unfinished files of runs that were killed, which were removed.
        removed: Vec<PathBuf>,
    },
    /// P was read, and it could not be kept.
    Failed {
        /// The file that it would have.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

/// P reduced, as [`reduce`] left it beside the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Whether it was made, or was there.
    pub reduction: Reduction,
    /// P's rows.
    pub rows: u64,
    /// Its distinct combinations of texts.
    pub combinations: usize,
}

/// When the reduction of a P that was read is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Where reading took long, or an outdated one is there.
    Slow,
    /// In any case.
    Always,
}

/// A pass over P that takes longer is not made again where it need not be.
const LONG: Duration = Duration::from_secs(5);

/// Reduces P and keeps that beside the project, where what is there is not P's already.
///
/// # Errors
/// A [`PipelineError`] as loading has it, as far as P goes; [`PipelineError::NotReduced`] where P cannot be kept, with the reason.
pub fn reduce(project: &Path, observer: &mut LoadObserver) -> Result<Reduced, PipelineError> {
    let project = Project::read(project)?;
    let refused = |why: String| PipelineError::NotReduced { path: project.path.clone(), why };
    if let Some(why) = refusal(&project) {
        return Err(refused(why.to_owned()));
    }
    let mut opening = |_| observer(Progress { stage: LoadStage::Project, done: 0, total: 1 });
    let tables = Tables::open(&project, &mut opening)?;
    let (tally, reduction) = tables.public_tally(When::Always, observer)?;
    match reduction {
        Reduction::Failed { why, .. } => Err(refused(why)),
        reduction => Ok(Reduced { reduction, rows: tally.rows, combinations: tally.distinct_combinations }),
    }
}

/// P's tally before its texts are read: that which is kept, where it is P's, else by a pass over P.
pub(super) fn tally(
    project: &Project,
    table: &Table,
    spec: &TallySpec,
    when: When,
    meter: &mut Meter,
) -> Result<(Tally, Reduction), PipelineError> {
    // Who only asks whether to go on takes nothing back of what was told.
    let mut most = 0;
    let meter: &mut Meter = &mut |done: u64| {
        most = most.max(done);
        meter(most)
    };
    let path = file(project);
    let may_be_kept = refusal(project).is_none();
    let kept = if may_be_kept { reduced::find(&path, table, spec, meter)? } else { Kept::Nothing };
    let stale = match kept {
        Kept::Good(tally, is_renewed) => {
            let made = path.metadata().and_then(|found| found.modified()).ok();
            if is_renewed {
                // Where that fails, the files are hashed again the next time.
                let _ = reduced::put(&mut Gate::default(), &path, table, spec, &tally, meter);
            }
            return Ok((*tally, Reduction::Used { path, made }));
        }
        Kept::Stale(why) => Some(why),
        Kept::Nothing | Kept::Foreign => None,
    };
    let started = Instant::now();
    let tally = table.tally(spec, meter)?;
    if tally.rows == 0 {
        return Err(tables::empty(table, "public").into());
    }
    let is_wanted = when == When::Always || stale.is_some() || started.elapsed() > LONG;
    let reduction = if may_be_kept && is_wanted {
        keep(path, table, spec, &tally, stale, meter)
    } else {
        Reduction::Nothing
    };
    if meter(0).is_break() {
        return Err(DataError::Cancelled.into());
    }
    Ok((tally, reduction))
}

/// The SHA-256 of the files of P that were read to their end before, where they are kept reduced: they need no trial.
pub(super) fn tried(project: &Project) -> Vec<String> {
    if refusal(project).is_none() { reduced::tried(&file(project)) } else { Vec::new() }
}

fn keep(
    path: PathBuf,
    table: &Table,
    spec: &TallySpec,
    tally: &Tally,
    stale: Option<Stale>,
    meter: &mut Meter,
) -> Reduction {
    let mut gate = Gate::default();
    if !reduced::can_be_kept(tally) {
        let why = "its quasi-identifiers' values need more than 128 bits together".to_owned();
        return Reduction::Failed { path, why };
    }
    match reduced::put(&mut gate, &path, table, spec, tally, meter) {
        Ok(bytes) => Reduction::Made { path, bytes, stale, removed: gate.take_removed() },
        Err(error) => {
            let why = if path.symlink_metadata().is_ok() && !reduced::is_kept(&path) {
                format!("{} is something else, and is never overwritten; move it away", path.display())
            } else {
                error.to_string()
            };
            Reduction::Failed { path, why }
        }
    }
}

/// The file beside a project.
fn file(project: &Project) -> PathBuf {
    let stem = project.path.file_stem().unwrap_or_default().to_string_lossy();
    project.path.with_file_name(format!(".{stem}.reduced"))
}

/// Why the P of a project is never kept.
fn refusal(project: &Project) -> Option<&'static str> {
    if !project.public.may_be_kept {
        Some("`cache = false` stands under [public]; take that line out")
    } else if project.member().is_some() {
        Some("T is part of it (`member`), and nothing of T is kept")
    } else if project.prior_column().is_some() {
        Some("its column of priors is read row by row with it")
    } else if project.entity().is_some() {
        Some("whose rows are whose is read row by row with it (`role = \"entity\"`)")
    } else {
        None
    }
}

impl Reduction {
    /// What is said of it: nothing where it was used, or nothing was kept.
    pub fn message(&self) -> Option<String> {
        match self {
            Self::Nothing | Self::Used { .. } => None,
            Self::Made { path, stale, removed, .. } => {
                let mut text = match stale {
                    Some(why) => {
                        format!(
                            "{} was not used, as {why}: P was read, and it was made again",
                            path.display()
                        )
                    }
                    None => format!(
                        "P is kept reduced in {} and not read again until it changes; it is as sensitive as P \
                         (`cache = false` under [public] keeps none)",
                        path.display()
                    ),
                };
                for path in removed {
                    text += &format!("; removed {}, unfinished by a run that was killed", path.display());
                }
                Some(text)
            }
            Self::Failed { why, .. } => Some(format!("P was read, and cannot be kept reduced: {why}")),
        }
    }
}
