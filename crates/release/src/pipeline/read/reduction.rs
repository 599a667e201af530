//! The cached reduction of P in the project's folder: whether it still matches P, and when it is
//! written.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::pipeline::PipelineError;
use palmtop_core::progress::Meter;
use palmtop_project::Project;
use palmtop_tables::error::DataError;
use palmtop_tables::read::Table;
use palmtop_tables::reduced::{self, Kept, Stale};
use palmtop_tables::tally::{Tally, TallySpec};
use palmtop_tables::write::Gate;

/// The state of the cached reduction of P.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// There is no cached reduction.
    #[default]
    Nothing,
    /// The cached reduction matched P, so P was not read.
    Used {
        /// The file of the reduction.
        path: PathBuf,
        /// The time when the file was written, if it is known.
        made: Option<SystemTime>,
    },
    /// P was read, and its reduction was written.
    Made {
        /// The file of the reduction.
        path: PathBuf,
        /// The size of the file in bytes.
        bytes: u64,
        /// The reason why an earlier reduction did not match P; `None` if there was no earlier one.
        stale: Option<Stale>,
        /// The removed unfinished files of runs that were killed.
        removed: Vec<PathBuf>,
    },
    /// P was read, and its reduction could not be written.
    Failed {
        /// The file that was to be written.
        path: PathBuf,
        /// The reason, in words.
        why: String,
    },
}

/// Refuses a tally before it is cached.
pub(in crate::pipeline) type Check<'a> = dyn FnMut(&Tally, &mut Meter) -> Result<(), PipelineError> + 'a;

/// P's tally before its texts are read: from the cached reduction if it matches P, else by a pass
/// over P, whose tally `check` may refuse.
pub(in crate::pipeline) fn tally(
    project: &Project,
    (table, spec): (&Table, &TallySpec),
    check: &mut Check,
    meter: &mut Meter,
) -> Result<(Tally, Reduction), PipelineError> {
    // Some callers of the meter only ask whether to continue. They must not lower the reported
    // progress.
    let mut most = 0;
    let meter: &mut Meter = &mut |done: u64| {
        most = most.max(done);
        meter(most)
    };
    let path = file(project);
    let above = kept_above(project);
    let kept = if above.is_some() { reduced::find(&path, table, spec, meter)? } else { Kept::Nothing };
    let stale = match kept {
        Kept::Good(tally, is_renewed) => {
            let made = path.metadata().and_then(|found| found.modified()).ok();
            if is_renewed {
                // If this fails, the next run hashes the files again.
                let _ = reduced::put(&mut Gate::default(), &path, table, spec, &tally, meter);
            }
            return Ok((*tally, Reduction::Used { path, made }));
        }
        Kept::Stale(why) => Some(why),
        Kept::Nothing | Kept::Foreign => None,
    };
    let tally = table.tally(spec, meter)?;
    if tally.rows == 0 {
        return Err(empty(table, "public").into());
    }
    check(&tally, &mut |_| meter(0))?;
    let reduction = if above.is_some_and(|above| stale.is_some() || tally.rows > above) {
        keep(path, table, spec, &tally, stale, meter)
    } else {
        Reduction::Nothing
    };
    if meter(0).is_break() {
        return Err(DataError::Cancelled.into());
    }
    Ok((tally, reduction))
}

/// The SHA-256 of P's files that an earlier run read completely, if the project can be cached. They
/// need no trial.
pub(in crate::pipeline) fn tried(project: &Project) -> Vec<String> {
    if kept_above(project).is_some() { reduced::tried(&file(project)) } else { Vec::new() }
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

/// The file of the reduction for a project.
fn file(project: &Project) -> PathBuf {
    reduced_name(&project.path)
}

/// The path of the reduced P of a project file.
pub(crate) fn reduced_name(project: &Path) -> PathBuf {
    let stem = project.file_stem().unwrap_or_default().to_string_lossy();
    project.with_file_name(format!(".{stem}.reduced"))
}

/// The number of rows above which the P of a project is cached; `None` if it never is. A reduction
/// keeps neither the rows of a person nor data of T.
fn kept_above(project: &Project) -> Option<u64> {
    let needs_rows = project.entity().is_some() || project.member().is_some();
    project.public.kept_above.filter(|_| !needs_rows)
}

impl Reduction {
    /// A message about the reduction; `None` if it was used or if nothing was written.
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

/// The error of a table without rows.
pub(in crate::pipeline) fn empty(table: &Table, which: &'static str) -> DataError {
    DataError::empty_table(table.path(), which)
}
