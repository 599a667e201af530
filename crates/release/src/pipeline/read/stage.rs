//! The stages of loading and exporting, for progress reports.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

use crate::pipeline::PipelineError;
use palmtop_core::progress::{Meter, Observer, Progress};

/// Gets the progress of loading, and decides whether to continue.
///
/// Each stage is reported at its begin, at intervals, and at its end. Stages come in the order of
/// their declaration.
pub type LoadObserver<'a> = Observer<'a, LoadStage>;

/// Gets the progress of an export, and decides whether to continue.
pub type ExportObserver<'a> = Observer<'a, ExportStage>;

/// A stage of loading a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadStage {
    /// Reading the project file and the columns of the tables, as one unit.
    Project,
    /// Reading, checking and counting P, in bytes of its file.
    Public,
    /// Reading, checking and counting T, in bytes of its file. Omitted if T is part of P.
    Private,
    /// Reading the hierarchies, in files.
    Hierarchies,
    /// Joining T and P and checking T ⊆ P, as one unit.
    Joining,
    /// Reading the person of each row in both tables, in bytes of their files. Omitted if each row
    /// is a person.
    People,
}

/// A stage of writing a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExportStage {
    /// Checking that the inputs are unchanged since loading, in bytes of their files.
    Checking,
    /// Reading T's rows again and generalizing them, in rows.
    Reading,
    /// Writing the temporary file and syncing it to the disk, in bytes.
    Writing,
    /// Verifying the temporary file against the raw tables, in rows of these tables. The file gets
    /// its name afterwards.
    Verifying,
    /// Making the reports and the code list of a package, in documents. Omitted if a file is written.
    Documents,
}

impl LoadStage {
    /// All stages if each row is a person, in order.
    pub const ALL: [Self; 5] = [Self::Project, Self::Public, Self::Private, Self::Hierarchies, Self::Joining];

    /// The name of the stage for messages.
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
    /// All stages of a file, in order.
    pub const ALL: [Self; 4] = [Self::Checking, Self::Reading, Self::Writing, Self::Verifying];

    /// The name of the stage for messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Checking => "checking the inputs",
            Self::Reading => "reading the private table",
            Self::Writing => "writing the release",
            Self::Verifying => "verifying the release",
            Self::Documents => "making the documents",
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

/// Reports progress. Returns an error if the observer stops.
pub(in crate::pipeline) fn tell<S>(
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

/// Runs a stage. The stage reports to a meter how much of `total` is done; begin and end are
/// reported too.
pub(in crate::pipeline) fn metered<S: Copy, T>(
    observer: &mut Observer<S>,
    stage: S,
    total: u64,
    work: impl FnOnce(&mut Meter) -> Result<T, PipelineError>,
) -> Result<T, PipelineError> {
    tell(observer, stage, 0, total)?;
    // The work may exceed the expected total if a file grows meanwhile.
    let done = work(&mut |done| observer(Progress { stage, done: done.min(total), total }))?;
    tell(observer, stage, total, total)?;
    Ok(done)
}

/// The size of a file, for progress only; 0 if it is unknown, because the later reading reports the
/// error.
pub(in crate::pipeline) fn size_of(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
