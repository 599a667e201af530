//! Writes the release, or the package, in the background.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use palmtop_core::progress::Progress;
use palmtop_release::history::{self, Draft, Recipe, Wrote};
use palmtop_release::package::{self, Package, WrotePackage};
use palmtop_release::pipeline::{self, Analysis, Export, ExportOptions, ExportStage, PipelineError};
use palmtop_tables::write::{RealDisk, TargetError};

use super::state::{Done, ExportDialog, ExportFailure, Exported, Message, Stage};
use crate::kit::words::chain;
use crate::shared::saver::describe_removed;

impl ExportDialog {
    /// Stops writing. If it is not too late, nothing gets the name.
    pub(crate) fn cancel(&self) {
        self.exports.stop();
    }

    /// Writes and verifies in the background.
    pub(super) fn write(&mut self, analysis: &Arc<Analysis>, force: bool) {
        self.stage = Stage::Running { started: Instant::now(), progress: None };
        let (analysis, release) = (Arc::clone(analysis), Arc::clone(&self.release));
        let (target, papers) = (self.path(), self.papers());
        // The analyst has answered the question about it.
        let options = ExportOptions { force, allow_not_present: !release.is_present() };
        let draft = self.saver.is_kept().then(|| Draft {
            recipe: Recipe::of(self.recipe.clone()),
            reason: self.reason.clone(),
            // The step is saved after the release.
            step: None,
            accepted: self.accepted.clone(),
        });
        let (saver, say) = (self.saver.clone(), self.say.clone());
        let (project, next) = (self.project.clone(), self.next.clone());
        self.exports.ask(&self.link, Message::Exported, move |job| {
            let mut last_stage = None;
            let mut observer = |progress: Progress<ExportStage>| {
                // Each stage is reported once, and progress within a stage at intervals.
                if last_stage.replace(progress.stage) == Some(progress.stage) {
                    job.tell(Exported::Progress(progress));
                } else {
                    job.part(Exported::Progress(progress));
                }
                if job.is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let mut gate = pipeline::export::gate(&analysis);
            saver.guard(&mut gate);
            let export = Export { release: &release, target: &target, options, earlier: None };
            let disk = &mut RealDisk;
            let done = if papers.is_empty() {
                let wrote =
                    history::write(&analysis, export, draft.as_ref(), (&mut gate, disk), &mut observer);
                wrote.map(|Wrote { written, entry, taken, .. }| {
                    (Done { written, folder: None, pseudonyms: None, entry }, taken)
                })
            } else {
                let sitting = saver.is_kept().then(|| (saver.index(), &next));
                let package = Package { export, papers: &papers, project: &project, sitting };
                let wrote =
                    package::write(&analysis, &package, draft.as_ref(), (&mut gate, disk), &mut observer);
                wrote.map(|WrotePackage { wrote, folder, pseudonyms, .. }| {
                    let Wrote { written, entry, taken, .. } = wrote;
                    (Done { written, folder: Some(folder), pseudonyms, entry }, taken)
                })
            };
            if let Some(message) = describe_removed(&gate.take_removed()) {
                say.send(message);
            }
            let done = done.map(|(done, taken)| {
                if let Some(message) = history::taken_over(analysis.path(), &taken) {
                    say.send(message);
                }
                Box::new(done)
            });
            Some(Exported::Ended(done.map_err(|error| match error {
                PipelineError::Target(TargetError::Exists { .. }) => ExportFailure::Exists,
                PipelineError::Cancelled => ExportFailure::Cancelled,
                other => ExportFailure::Other(chain(&other)),
            })))
        });
    }
}
