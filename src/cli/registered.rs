//! By which δ a written release is judged: that of the options, of a session, of the register of releases, or the project's.

use std::path::{Path, PathBuf};

use palmtop::data::read::hash_file;
use palmtop::data::write;
use palmtop::model::Delta;
use palmtop::pipeline::Overrides;
use palmtop::project::Project;
use palmtop::register::{self, Entry};
use palmtop::session::Log;
use palmtop::text;
use serde_json::{Value, json};

use super::args::{DeltaArguments, Evidence};
use palmtop_console::result::Bounds;
use palmtop_console::say;

/// The δ that a written release is judged by, and where it is from.
pub(super) struct Judged {
    pub(super) overrides: Overrides,
    /// Where δ is from, if it is neither the project's nor that of the options.
    pub(super) taken: Option<Taken>,
}

/// A δ of a session or of the register.
pub(super) struct Taken {
    /// The file that has it.
    source: PathBuf,
    delta: Delta,
    /// The project's δ, if it has one.
    own: Option<Delta>,
    /// Whether it is looser than the project's.
    is_looser: bool,
    reason: Option<String>,
}

impl Judged {
    /// Finds the δ of a release. Options come first, then the session that is named, then the register.
    ///
    /// **A looser δ than the project's is never taken in silence**: the register's counts only if it has the reason that the
    /// analyst gave, and every verdict then names both.
    pub(super) fn find(
        project: &Path,
        release: &Path,
        options: &DeltaArguments,
        evidence: &Evidence,
    ) -> anyhow::Result<Self> {
        let session = evidence.session.as_deref();
        let by_project = Self { overrides: options.into(), taken: None };
        if options.delta_min.is_some() || options.delta_max.is_some() {
            return Ok(by_project);
        }
        let entry = entry_of(project, release);
        let found = match session {
            Some(path) => Some(of_session(project, path, entry.as_ref())?),
            None => entry.map(|entry| {
                // A reason that is no sentence is none, as everywhere else.
                let reason = entry.reason.filter(|reason| text::reason(reason).is_ok());
                (register::path_of(project), entry.delta, reason)
            }),
        };
        let Some((source, delta, reason)) = found else { return Ok(by_project) };
        let read = Project::read(project)?;
        let own = read.delta(None, None).ok();
        if own == Some(delta) {
            return Ok(by_project);
        }
        let is_looser = read.looser(delta).is_some();
        if is_looser && reason.is_none() && session.is_none() {
            say::message(&format!(
                "{} has this release under the looser δ {} to {}, and no reason for it. The project's δ is used. To judge the \
                 release by the looser δ, give --delta-min {} --delta-max {}",
                source.display(),
                delta.min(),
                delta.max(),
                delta.min(),
                delta.max()
            ));
            return Ok(by_project);
        }
        let overrides = Overrides { delta_min: Some(delta.min()), delta_max: Some(delta.max()) };
        Ok(Self { overrides, taken: Some(Taken { source, delta, own, is_looser, reason }) })
    }
}

/// The entry of the register for a release. A register that cannot be read is a warning: the project's δ is enough to judge.
fn entry_of(project: &Path, release: &Path) -> Option<Entry> {
    let register = register::of_project(project)
        .map_err(|error| say::message(&format!("{:#}; its δ is not used", anyhow::Error::from(error))))
        .ok()?;
    if register.entries().is_empty() {
        return None;
    }
    // A release that cannot be read is the verifier's to refuse.
    register.find(&hash_file(release).ok()?).cloned()
}

/// The δ of the step of a session that made the release: the step that the register names, else where the session is.
fn of_session(
    project: &Path,
    path: &Path,
    entry: Option<&Entry>,
) -> anyhow::Result<(PathBuf, Delta, Option<String>)> {
    let log = Log::read(path)?;
    let is_it = |own: PathBuf| write::is_same_place(&own, path);
    let step = entry
        .filter(|entry| entry.session_path(project).is_some_and(is_it))
        .and_then(|entry| entry.session.as_ref())
        .and_then(|session| log.steps().get(session.step))
        .unwrap_or_else(|| &log.steps()[log.current()]);
    Ok((path.to_owned(), step.delta, log.reason_of(step.delta)))
}

impl Taken {
    /// Where δ is from, in words: for a line of its own.
    pub(super) fn words(&self) -> String {
        let Self { source, delta, own, is_looser, reason } = self;
        let own = own.map_or_else(
            || "the project has none".to_owned(),
            |own| {
                let looser = if *is_looser { "looser than" } else { "not" };
                format!("{looser} the project's {} to {}", own.min(), own.max())
            },
        );
        let reason = reason.as_ref().map_or_else(String::new, |reason| format!("; reason: {reason}"));
        format!("δ {} to {} is of {}; it is {own}{reason}", delta.min(), delta.max(), source.display())
    }

    /// What a verdict adds: the δ that it is of, and that it is not the project's.
    pub(super) fn in_verdict(&self) -> String {
        let Self { delta, own, is_looser, .. } = self;
        let own = own.map_or_else(String::new, |own| {
            let looser = if *is_looser { ", which is LOOSER than" } else { ", in place of" };
            format!("{looser} the project's {} to {}", own.min(), own.max())
        });
        format!(" under δ {} to {}{own}", delta.min(), delta.max())
    }

    /// The same as JSON.
    pub(super) fn object(&self) -> Value {
        json!({
            "source": self.source.display().to_string(),
            "project": self.own.map(Bounds::from),
            "looser": self.is_looser,
            "reason": self.reason,
        })
    }
}
