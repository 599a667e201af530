//! Loading and exporting as their caller sees them: in stages.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

use super::PipelineError;
use palmtop_core::progress::{Meter, Observer, Progress};

/// Sees how far loading is and answers whether to go on. Every stage is told with nothing done, now and then while it lasts,
/// and with all of it done; stages come in the order of their declaration.
pub type LoadObserver<'a> = Observer<'a, LoadStage>;

/// The same of an export.
pub type ExportObserver<'a> = Observer<'a, ExportStage>;

/// A stage of loading a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadStage {
    /// Reading the project file and the tables' columns, as one.
    Project,
    /// Reading, checking and counting P, in bytes of its file.
    Public,
    /// Reading, checking and counting T, in bytes of its file. It is left out where T is part of P.
    Private,
    /// Reading the hierarchies, in files.
    Hierarchies,
    /// Joining T and P, checking T ⊆ P, as one.
    Joining,
    /// Where people have several rows, reading whose rows are whose in both tables, in bytes of their files. It is left out elsewhere.
    People,
}

/// A stage of writing a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportStage {
    /// Checking that the inputs are those that were loaded, in bytes of their files.
    Checking,
    /// Reading T's rows again and generalizing them, in rows.
    Reading,
    /// Writing the temporary file and bringing it to the disk, in bytes.
    Writing,
    /// Recounting the temporary file from the raw tables, in rows of these. Behind it the file gets its name.
    Verifying,
}

impl LoadStage {
    /// Every stage where a row is a person, in order.
    pub const ALL: [Self; 5] = [Self::Project, Self::Public, Self::Private, Self::Hierarchies, Self::Joining];

    /// What is being done, in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "reading the project",
            Self::Public => "reading the public table",
            Self::Private => "reading the private table",
            Self::Hierarchies => "reading the hierarchies",
            Self::Joining => "joining the tables",
            Self::People => "counting people",
        }
    }
}

impl ExportStage {
    /// Every stage, in order.
    pub const ALL: [Self; 4] = [Self::Checking, Self::Reading, Self::Writing, Self::Verifying];

    /// What is being done, in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Checking => "checking the inputs",
            Self::Reading => "reading the private table",
            Self::Writing => "writing the release",
            Self::Verifying => "verifying the release",
        }
    }
}

impl fmt::Display for LoadStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ExportStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Tells how far it is; an error where the observer says stop.
pub(super) fn tell<S>(
    observer: &mut Observer<S>,
    stage: S,
    done: u64,
    total: u64,
) -> Result<(), PipelineError> {
    match observer(Progress { stage, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(PipelineError::Cancelled),
    }
}

/// Does a stage that tells a meter how much of `total` is done, and tells of its beginning and its end.
pub(super) fn metered<S: Copy, T>(
    observer: &mut Observer<S>,
    stage: S,
    total: u64,
    work: impl FnOnce(&mut Meter) -> Result<T, PipelineError>,
) -> Result<T, PipelineError> {
    tell(observer, stage, 0, total)?;
    // What is told may be more than was expected, of a file that grows meanwhile.
    let done = work(&mut |done| observer(Progress { stage, done: done.min(total), total }))?;
    tell(observer, stage, total, total)?;
    Ok(done)
}

/// The size of a file, for progress only: 0 where nobody knows, as reading it will tell why.
pub(super) fn size_of(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
