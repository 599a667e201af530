//! What is known of a written file: its entry in the history, whether it is the same, and its papers.

use palmtop_project::Project;
use palmtop_release::history::{self, Entry, History};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::Analysis;
use palmtop_search::Strategy;
use palmtop_tables::read::hash_file;

use crate::kit::words::chain;

/// A file, compared with its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnDisk {
    Same,
    Changed,
    Missing,
}

/// A written release.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) entry: Entry,
    pub(crate) on_disk: OnDisk,
    /// Which papers it has, in the order of [`Paper::ALL`].
    pub(crate) papers: [bool; 3],
}

impl Listed {
    /// The strategy that made it, marked if δ holds against an attacker who knows it.
    pub(crate) fn how(&self) -> String {
        let Some(search) = self.entry.recipe.search() else { return "by hand ?".to_owned() };
        let is_exact = search.strategy == Strategy::RECOMMENDED.into()
            && search.delta == self.entry.delta
            && self.entry.is_present;
        format!("{} {}", search.strategy, if is_exact { "◈" } else { "?" })
    }

    /// The name of the file, without its folders.
    pub(crate) fn name(&self) -> &str {
        self.entry.file.rsplit('/').next().unwrap_or(&self.entry.file)
    }

    /// The papers that it lacks.
    pub(crate) fn lacks(&self) -> Vec<Paper> {
        Paper::ALL.into_iter().zip(self.papers).filter(|(_, has)| !has).map(|(paper, _)| paper).collect()
    }
}

/// The releases of the history, the newest first.
///
/// # Errors
/// Why the history cannot be read.
pub(super) fn read(analysis: &Analysis) -> Result<Vec<Listed>, String> {
    let project = analysis.project();
    let read = history::of_project(analysis.path()).and_then(|history| {
        history.check_taken()?;
        Ok(history.releases().iter().rev().map(|entry| listed(project, &history, entry)).collect())
    });
    read.map_err(|error| chain(&error))
}

fn listed(project: &Project, history: &History, entry: &Entry) -> Listed {
    let path = entry.path(&project.path);
    let on_disk = match hash_file(&path) {
        Err(_) => OnDisk::Missing,
        Ok(found) if found == entry.sha256 => OnDisk::Same,
        Ok(_) => OnDisk::Changed,
    };
    let folder = project.path.parent().unwrap_or_else(|| std::path::Path::new(""));
    let has = |paper: Paper| match paper.reader() {
        None => paper.path(&path).exists(),
        Some(reader) => history.reports.iter().any(|report| {
            report.release == entry.sha256 && report.reader == reader && folder.join(&report.file).exists()
        }),
    };
    Listed { entry: entry.clone(), on_disk, papers: Paper::ALL.map(has) }
}
