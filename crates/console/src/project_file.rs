//! Opens and loads the project that the command line names.

use std::path::{Path, PathBuf};

use anyhow::Context;
use palmtop_flow::pipeline::{Analysis, LoadObserver, Overrides, PipelineError};

use crate::interrupt::Interrupt;
use crate::practice::Practice;
use crate::progress::ProgressLine;
use crate::say;

/// A project on disk: the analyst's file, or a built-in project that is unpacked until this value
/// is dropped.
pub struct ProjectFile {
    pub path: PathBuf,
    pub practice: Option<Practice>,
}

impl ProjectFile {
    /// Takes a project file of the analyst.
    pub fn at(path: PathBuf) -> Self {
        Self { path, practice: None }
    }

    /// Resolves the argument: the path of a file, or `@name` of a built-in project.
    pub fn find(typed: &str) -> anyhow::Result<Self> {
        let Some(name) = typed.strip_prefix('@') else {
            return Ok(Self::at(PathBuf::from(typed)));
        };
        let practice =
            Practice::unpack(name).with_context(|| format!("cannot open the built-in project {typed}"))?;
        Ok(Self { path: practice.project(), practice: Some(practice) })
    }
}

/// Loads a project; refuses people with several rows.
pub fn analysis(typed: &str, overrides: &Overrides) -> anyhow::Result<(Analysis, ProjectFile)> {
    let file = ProjectFile::find(typed)?;
    Ok((watched(&file, overrides, None)?, file))
}

/// Loads a project, also with several rows per person.
pub fn analysis_of_any_unit(typed: &str, overrides: &Overrides) -> anyhow::Result<(Analysis, ProjectFile)> {
    let file = ProjectFile::find(typed)?;
    Ok((watched_of_any_unit(&file, overrides, None)?, file))
}

/// Loads a project with a progress line; refuses people with several rows.
pub fn watched(
    file: &ProjectFile,
    overrides: &Overrides,
    interrupt: Option<Interrupt>,
) -> Result<Analysis, PipelineError> {
    load_by(Analysis::load_watched, (file, overrides), interrupt)
}

/// Loads a project with a progress line, also with several rows per person.
pub fn watched_of_any_unit(
    file: &ProjectFile,
    overrides: &Overrides,
    interrupt: Option<Interrupt>,
) -> Result<Analysis, PipelineError> {
    load_by(Analysis::load_any_unit, (file, overrides), interrupt)
}

/// A function that loads a project.
type Load = fn(&Path, &Overrides, &mut LoadObserver) -> Result<Analysis, PipelineError>;

fn load_by(
    load: Load,
    (file, overrides): (&ProjectFile, &Overrides),
    interrupt: Option<Interrupt>,
) -> Result<Analysis, PipelineError> {
    let mut progress = ProgressLine::start("loading", None).with_interrupt(interrupt);
    let analysis = load(&file.path, overrides, &mut |stage| progress.observe_stage(&stage))?;
    drop(progress);
    if let Some(message) = analysis.reduction().message() {
        say::message(&message);
    }
    if let Some(outsiders) = &analysis.notes().outsiders {
        say::message(&outsiders.to_string());
    }
    Ok(analysis)
}
