//! Opens and loads the project that the command line names.

use std::path::{Path, PathBuf};

use anyhow::Context;
use palmtop_core::words::plural;
use palmtop_project::OlderLines;
use palmtop_project::compatibility::Feature;
use palmtop_release::pipeline::{Analysis, Overrides, PipelineError};

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

/// Loads a project, if it combines with all that is asked for.
pub fn analysis(
    typed: &str,
    overrides: &Overrides,
    asked: &[Feature],
) -> anyhow::Result<(Analysis, ProjectFile)> {
    let file = ProjectFile::find(typed)?;
    Ok((watched((&file, overrides), asked, None)?, file))
}

/// [`analysis`] of a file, with a progress line that the interrupt can stop.
pub fn watched(
    (file, overrides): (&ProjectFile, &Overrides),
    asked: &[Feature],
    interrupt: Option<Interrupt>,
) -> Result<Analysis, PipelineError> {
    let mut progress = ProgressLine::start("loading", None).with_interrupt(interrupt);
    let observer = &mut |stage| progress.observe_stage(&stage);
    let analysis = Analysis::load_for(&file.path, overrides, asked, observer)?;
    drop(progress);
    tell_older(&file.path, &analysis.project().older);
    if let Some(message) = analysis.reduction().message() {
        say::message(&message);
    }
    if let Some(repeats) = analysis.notes().repeats {
        say::message(&repeats.to_string());
    }
    if let Some(outsiders) = &analysis.notes().outsiders {
        say::message(&outsiders.to_string());
    }
    for input in analysis.inputs().iter().filter(|input| input.left_out > 0) {
        let (file, rows) = (input.path.display(), plural(input.left_out, "row"));
        say::message(&format!("{file}: {rows} left out, as the project says"));
    }
    Ok(analysis)
}

/// Lists the lines of a project with keys of older projects, and what to write, if there are any.
fn tell_older(path: &Path, older: &[OlderLines]) {
    if !older.is_empty() {
        say::message(&format!(
            "{0} has keys of an older version; `palmtop check {0} --rewrite` replaces these lines:\n{1}",
            path.display(),
            changes(older)
        ));
    }
}

/// The lines that change, and what replaces them.
pub fn changes(older: &[OlderLines]) -> String {
    let group = |OlderLines { line, written, today }: &OlderLines| {
        let lines = |mark: char, lines: &[String]| {
            lines.iter().fold(String::new(), |text, line| text + &format!("  {mark} {line}\n"))
        };
        format!("  line {line}\n{}{}", lines('-', written), lines('+', today))
    };
    older.iter().map(group).collect::<String>().trim_end().to_owned()
}
