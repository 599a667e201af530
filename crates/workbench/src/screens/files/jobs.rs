//! The background jobs on releases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::history::{Entry, Moment};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::{self, ReadRelease, Together};
use palmtop_tables::read::hash_file;

use super::listing::{self, Listed};
use super::state::{Done, FilesScreen, Message, Work};
use crate::kit::link::Link;
use crate::kit::terminal::Keeper as _;
use crate::kit::text;
use crate::kit::words::chain;
use crate::shared::command_line;
use crate::shared::intent::{Edit, Intent};
use crate::shared::reporting;
use crate::shared::state::Shared;

impl FilesScreen {
    /// Reads the history after everything that waits for it is written.
    pub(super) fn read(&mut self, link: &Link<Message>, shared: &Shared) {
        let (saver, analysis) = (shared.saver.clone(), Arc::clone(&shared.analysis));
        self.is_to_read = false;
        self.reading.ask_first(link, Message::Listed, move |_| {
            if !saver.is_kept() {
                return Some(Err("a built-in project has no history".to_owned()));
            }
            saver.flush();
            Some(listing::read(&analysis))
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
                        format!(", LOOSER than the project's, {}", text::delta(project))
                    });
                    let under = format!("under δ {}{looser}", text::delta(delta));
                    (
                        is_good,
                        format!("{verdict} {under}: presence {}, {} rows", text::span(min, max), found.rows),
                    )
                }
                Err(why) => (false, format!("✗ {why}")),
            };
            Some(done(&[&entry.sha256], Work::Verify, is_good, message))
        });
        Ok(())
    }

    /// Writes papers of the selected file, each under its name beside the file.
    pub(super) fn write(
        &mut self,
        link: &Link<Message>,
        shared: &Shared,
        papers: Vec<Paper>,
    ) -> Result<(), String> {
        let (entry, analysis) = (self.pointed()?.clone(), Arc::clone(&shared.analysis));
        let saver = shared.saver.clone();
        self.work.ask(link, Message::Done, move |_| {
            let release = entry.path(analysis.path());
            let project = analysis.path().display().to_string();
            let asked = reporting::Asking {
                project: &project,
                release: &release,
                delta: entry.delta,
                papers: &papers,
            };
            let mut messages = Vec::new();
            let written = unchanged(&entry, &release)
                .and_then(|()| reporting::write(&analysis, &saver, asked, &mut |text| messages.push(text)));
            messages.insert(0, reporting::outcome(&written));
            let is_good = matches!(written, Ok((_, true)));
            Some(done(&[&entry.sha256], Work::Papers, is_good, messages.join("; ")))
        });
        Ok(())
    }

    /// Notes the command that verifies the selected file, or those that write papers.
    pub(super) fn note(&self, shared: &Shared, papers: &[Paper]) -> Result<Intent, String> {
        let (entry, project) = (self.pointed()?, shared.analysis.path());
        let path = entry.path(project);
        let delta = command_line::delta_options(&shared.analysis, entry.delta);
        let line = |paper: &Paper| {
            let options = match paper {
                Paper::CodeList => format!(" {} --with codebook", command_line::file(&path)),
                _ => command_line::report_options(&path, *paper, &paper.path(&path)),
            };
            shared.commands.command("report", &format!("{options}{delta}"))
        };
        let verify = || shared.commands.command("verify", &format!(" {}{delta}", command_line::file(&path)));
        let lines = if papers.is_empty() { vec![verify()] } else { papers.iter().map(line).collect() };
        Ok(Intent::Many(lines.into_iter().map(|line| Intent::Edit(Edit::Note(line))).collect()))
    }

    /// The marked releases and the selected one, the oldest first, each once.
    pub(super) fn to_compose(&self) -> Result<Vec<&Entry>, String> {
        let selected = &self.pointed()?.sha256;
        let mut entries: Vec<&Entry> = Vec::new();
        for Listed { entry, .. } in self.entries()?.iter().rev() {
            let is_meant = self.marked.contains(&entry.sha256) || entry.sha256 == *selected;
            if is_meant && entries.iter().all(|other| other.sha256 != entry.sha256) {
                entries.push(entry);
            }
        }
        if entries.len() < 2 { Err("mark another release with Space first".to_owned()) } else { Ok(entries) }
    }

    /// Computes what the selected release and the marked ones reveal together.
    pub(super) fn compose(&mut self, link: &Link<Message>, shared: &Shared) -> Result<(), String> {
        if let Some(refused) = shared.analysis.refusal(Feature::Command(Command::Compose)) {
            return Err(refused.to_string());
        }
        let entries = self.to_compose()?;
        let paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path(shared.analysis.path())).collect();
        let hashes: Vec<String> = entries.iter().map(|entry| entry.sha256.clone()).collect();
        let (analysis, bounds) = (Arc::clone(&shared.analysis), shared.problem.bounds());
        self.work.ask(link, Message::Done, move |job| {
            let read =
                |path: &PathBuf| pipeline::reading::read_watched(&analysis, path, &mut |_| job.go_on());
            let composed = paths.iter().map(read).collect::<Result<Vec<ReadRelease>, _>>().and_then(|all| {
                let all: Vec<&ReadRelease> = all.iter().collect();
                pipeline::together::of_releases(&analysis, &all, Together::default(), &mut |_| job.go_on())
            });
            let (is_good, message) = match composed.map(|composition| composition.judge(bounds)) {
                Ok(judged) if judged.holds() => (true, "together nobody is outside δ".to_owned()),
                Ok(judged) => {
                    let are = text::counted(judged.people(), "person is", "people are");
                    (false, format!("together {are} outside δ"))
                }
                Err(error) => (false, chain(&error)),
            };
            let hashes: Vec<&String> = hashes.iter().collect();
            Some(done(&hashes, Work::Compose, is_good, message))
        });
        Ok(())
    }
}

/// A result as of now.
fn done(of: &[&String], what: Work, is_good: bool, message: String) -> Done {
    Done { of: of.iter().map(|&hash| hash.clone()).collect(), what, is_good, message, at: Moment::now() }
}

/// Refuses a file that has changed since it was written.
fn unchanged(entry: &Entry, path: &Path) -> Result<(), String> {
    let found = hash_file(path).map_err(|error| chain(&error))?;
    if found == entry.sha256 {
        return Ok(());
    }
    Err(format!("{} was changed after it was written: its SHA-256 differs", path.display()))
}
