//! The background jobs on releases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::history::{self, Entry};
use palmtop_release::pipeline::{self, ReadRelease, Together};
use palmtop_tables::read::hash_file;

use super::state::{Done, FilesScreen, Message};
use crate::kit::link::Link;
use crate::kit::terminal::Keeper as _;
use crate::kit::words::chain;
use crate::shared::command_line;
use crate::shared::intent::{Edit, Intent};
use crate::shared::reporting::{self, Reader};
use crate::shared::state::Shared;

impl FilesScreen {
    /// Reads the history after everything that waits for it is written.
    pub(super) fn read(&mut self, link: &Link<Message>, shared: &Shared) {
        let (saver, analysis) = (shared.saver.clone(), Arc::clone(&shared.analysis));
        self.reading.ask_first(link, Message::Listed, move |_| {
            if !saver.is_kept() {
                return Some(Err("a built-in project has no history".to_owned()));
            }
            saver.flush();
            let read = history::of_project(analysis.path()).and_then(|history| {
                history.check_taken()?;
                Ok(history.releases().iter().rev().cloned().collect())
            });
            Some(read.map_err(|error| chain(&error)))
        });
    }

    /// Recounts the selected file, under the δ that it was judged by.
    pub(super) fn verify(&mut self, link: &Link<Message>, shared: &Shared) -> Result<(), String> {
        let (entry, analysis) = (self.pointed()?.clone(), Arc::clone(&shared.analysis));
        self.work.ask(link, Message::Done, move |_| {
            let path = entry.path(analysis.path());
            let found = unchanged(&entry, &path).and_then(|()| {
                pipeline::export::verify(&analysis, entry.delta, &path).map_err(|error| chain(&error))
            });
            let (is_good, message) = match found {
                Ok(found) => {
                    let is_good = found.is_faithful() && found.is_present();
                    let verdict = if is_good { "✓ verified" } else { "✗ NOT verified" };
                    let (min, max) = (found.achieved_min, found.achieved_max);
                    let delta = entry.delta;
                    let looser = analysis.project().looser(delta).map_or_else(String::new, |project| {
                        format!(", LOOSER than the project's {} to {}", project.min(), project.max())
                    });
                    let under = format!("under δ {} to {}{looser}", delta.min(), delta.max());
                    (is_good, format!("{verdict} {under}: presence {min} to {max}, {} rows", found.rows))
                }
                Err(why) => (false, format!("✗ {why}")),
            };
            Some(Done { sha256: Some(entry.sha256), is_good, message })
        });
        Ok(())
    }

    /// Writes a report of the selected file, next to it under the first free name.
    pub(super) fn report(
        &mut self,
        link: &Link<Message>,
        shared: &Shared,
        reader: Reader,
    ) -> Result<(), String> {
        let (entry, analysis) = (self.pointed()?.clone(), Arc::clone(&shared.analysis));
        let saver = shared.saver.clone();
        self.work.ask(link, Message::Done, move |_| {
            let release = entry.path(analysis.path());
            let project = analysis.path().display().to_string();
            let asked =
                reporting::Asking { project: &project, release: &release, delta: entry.delta, reader };
            let mut removed = String::new();
            let mut say = |message: String| removed = format!("; {message}");
            let written = unchanged(&entry, &release)
                .and_then(|()| reporting::write(&analysis, &saver, asked, &mut say));
            let is_good = matches!(written, Ok((_, true)));
            let message = reporting::outcome(&written);
            Some(Done { sha256: Some(entry.sha256), is_good, message: message + &removed })
        });
        Ok(())
    }

    /// Notes the command that verifies the selected file, or that writes its report for a reader.
    pub(super) fn note(&self, shared: &Shared, reader: Option<Reader>) -> Result<Intent, String> {
        let (entry, project) = (self.pointed()?, shared.analysis.path());
        let path = entry.path(project);
        let delta = command_line::delta_options(&shared.analysis, entry.delta);
        let line = if let Some(reader) = reader {
            let report = reporting::first_name(&path, reader);
            let options = command_line::report_options(&path, reader, &report);
            shared.commands.command("report", &format!("{options}{delta}"))
        } else {
            shared.commands.command("verify", &format!(" {}{delta}", command_line::file(&path)))
        };
        Ok(Intent::Edit(Edit::Note(line)))
    }

    /// The files of the marked releases, the oldest first.
    pub(super) fn marked_files(&self, shared: &Shared) -> Result<Vec<PathBuf>, String> {
        let marked = self.entries()?.iter().rev().filter(|entry| self.marked.contains(&entry.sha256));
        Ok(marked.map(|entry| entry.path(shared.analysis.path())).collect())
    }

    /// Computes what the marked releases reveal together.
    pub(super) fn compose(&mut self, link: &Link<Message>, shared: &Shared) -> Result<(), String> {
        if let Some(refused) = shared.analysis.refusal(Feature::Command(Command::Compose)) {
            return Err(refused.to_string());
        }
        let paths = self.marked_files(shared)?;
        if paths.len() < 2 {
            return Err("mark two releases with Space first".to_owned());
        }
        let (analysis, bounds) = (Arc::clone(&shared.analysis), shared.problem.bounds());
        self.work.ask(link, Message::Done, move |job| {
            let read =
                |path: &PathBuf| pipeline::reading::read_watched(&analysis, path, &mut |_| job.go_on());
            let composed = paths.iter().map(read).collect::<Result<Vec<ReadRelease>, _>>().and_then(|all| {
                let all: Vec<&ReadRelease> = all.iter().collect();
                pipeline::together::of_releases(&analysis, &all, Together::default(), &mut |_| job.go_on())
            });
            let (is_good, message) = match composed.map(|composition| composition.judge(bounds)) {
                Ok(judged) if judged.holds() => {
                    (true, format!("✓ {} releases together keep everybody within δ", paths.len()))
                }
                Ok(judged) => {
                    let (certain, expected) =
                        (judged.certain.people, judged.exact.people + judged.estimated.people);
                    let people =
                        format!("{certain} people are outside δ for certain, {expected} by expectation");
                    (false, format!("✗ together: {people}; `palmtop compose` lists them"))
                }
                Err(error) => (false, format!("✗ {}", chain(&error))),
            };
            Some(Done { sha256: None, is_good, message })
        });
        Ok(())
    }
}

/// Refuses a file that has changed since it was written.
fn unchanged(entry: &Entry, path: &Path) -> Result<(), String> {
    let found = hash_file(path).map_err(|error| chain(&error))?;
    if found == entry.sha256 {
        return Ok(());
    }
    Err(format!("{} was changed after it was written: its SHA-256 differs", path.display()))
}
