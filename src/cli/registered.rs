//! Chooses the δ that judges a written release: from the options, the history, or the project.

use std::path::{Path, PathBuf};

use palmtop::data::read::hash_file;
use palmtop::history::{self, Entry};
use palmtop::keys;
use palmtop::model::Delta;
use palmtop::pipeline::Overrides;
use palmtop::project::Project;
use palmtop::project::reason;
use serde::Serialize;

use super::args::DeltaArguments;
use palmtop_console::result::Bounds;
use palmtop_console::say;

/// The δ that judges a written release, and its source.
pub(super) struct Judged {
    pub(super) overrides: Overrides,
    /// Set if δ is not the project's.
    pub(super) taken: Option<Taken>,
}

/// A δ that is not the project's.
pub(super) struct Taken {
    source: Source,
    delta: Delta,
    /// The project's δ, if it has one.
    project_delta: Option<Delta>,
    is_looser: bool,
    reason: Option<String>,
}

/// Where a δ comes from that is not the project's.
enum Source {
    /// The options of the command line.
    Options,
    /// The history.
    File(PathBuf),
}

impl Judged {
    /// Finds the δ of a release: from the options first, then from the history of the project, or from
    /// a named one.
    ///
    /// **A δ that is looser than the project's is used only if the command line asks for it.** So
    /// whoever can write to the folder does not choose the exit status, and `palmtop-verify`, which
    /// reads the project alone, has the same one.
    pub(super) fn find(
        project: &Path,
        release: &Path,
        options: &DeltaArguments,
        named: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let by_project = Self { overrides: options.into(), taken: None };
        let is_asked = options.delta_min.is_some() || options.delta_max.is_some();
        let entry = if is_asked { None } else { entry_of(project, release, named)? };
        let found = entry.map(|entry| {
            // A reason that is not a sentence is ignored, as in all other checks.
            let reason = entry.reason.filter(|reason| reason::read(reason).is_ok());
            (named.map_or_else(|| history::path_of(project), Path::to_owned), entry.delta, reason)
        });
        if found.is_none() && !is_asked {
            return Ok(by_project);
        }
        let read = Project::read(project)?;
        let (source, delta, reason) = match found {
            Some((path, delta, reason)) => (Source::File(path), delta, reason),
            None => (Source::Options, read.delta(options.delta_min, options.delta_max)?, None),
        };
        let project_delta = read.delta(None, None).ok();
        if project_delta == Some(delta) {
            return Ok(by_project);
        }
        let is_looser = read.looser(delta).is_some();
        if let (Source::File(path), true, Some(_)) = (&source, is_looser, project_delta) {
            let (min, max) = (delta.min(), delta.max());
            let reason = reason.map_or_else(String::new, |reason| format!(" (reason: {reason})"));
            say::message(&format!(
                "{} has this release under the looser δ {min} to {max}{reason}. The project's δ, which is stricter, judges it. To \
                 judge it by the looser δ, give --delta-min {min} --delta-max {max}",
                path.display()
            ));
            return Ok(by_project);
        }
        let overrides = Overrides { delta_min: Some(delta.min()), delta_max: Some(delta.max()) };
        Ok(Self { overrides, taken: Some(Taken { source, delta, project_delta, is_looser, reason }) })
    }
}

/// The entry of a release. If the history of the project cannot be read, it prints a warning and
/// returns `None`: the project's δ is enough.
fn entry_of(project: &Path, release: &Path, named: Option<&Path>) -> anyhow::Result<Option<Entry>> {
    let history = match named {
        Some(path) => history::read(path)?,
        None => super::cautions::history_of(project, "its δ is not used"),
    };
    if history.releases().is_empty() {
        return Ok(None);
    }
    let name = history::name_from_project(project, release).ok();
    // A release that cannot be read is refused later, by the verifier.
    let found = hash_file(release).ok();
    Ok(found.and_then(|sha256| history.find(&sha256, name.as_deref()).cloned()))
}

impl Taken {
    /// The source of δ, as a line of text.
    pub(super) fn words(&self) -> String {
        let Self { source, delta, project_delta, is_looser, reason } = self;
        let project_delta = project_delta.map_or_else(
            || "the project has none".to_owned(),
            |project_delta| {
                let looser = if *is_looser { "looser than" } else { "not" };
                format!("{looser} the project's {} to {}", project_delta.min(), project_delta.max())
            },
        );
        let reason = reason.as_ref().map_or_else(String::new, |reason| format!("; reason: {reason}"));
        format!("δ {} to {} is of {}; it is {project_delta}{reason}", delta.min(), delta.max(), source.name())
    }

    /// The addition to a verdict: its δ, and the project's δ.
    pub(super) fn in_verdict(&self) -> String {
        let Self { delta, project_delta, is_looser, .. } = self;
        let project_delta = project_delta.map_or_else(String::new, |project_delta| {
            let looser = if *is_looser { ", which is LOOSER than" } else { ", in place of" };
            format!("{looser} the project's {} to {}", project_delta.min(), project_delta.max())
        });
        format!(" under δ {} to {}{project_delta}", delta.min(), delta.max())
    }

    /// The source of δ as JSON.
    pub(super) fn result(&self) -> TakenResult {
        TakenResult {
            source: self.source.name(),
            project: self.project_delta.map(Bounds::from),
            looser: self.is_looser,
            reason: self.reason.clone(),
        }
    }
}

impl Source {
    fn name(&self) -> String {
        match self {
            Self::Options => "the command line".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

keys! {
/// The source of δ as JSON.
#[derive(Serialize)]
pub(super) struct TakenResult {
    /// `the command line`, or the history.
    source: String,
    /// The δ of the project; null if it has none.
    project: Option<Bounds>,
    /// Whether δ is looser than that of the project.
    looser: bool,
    /// The reason for δ.
    reason: Option<String>,
}
}
