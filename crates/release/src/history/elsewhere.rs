//! Other projects in the folder of a project that have the same T: their releases and sittings.

use std::path::Path;

use super::names::{folder_of, path_of};
use super::{History, HistoryError, LoggedInput, Moment, OtherProject};
use crate::pipeline::Analysis;
use palmtop_project::PrivateSource;

/// The most histories of a folder that are read.
const MOST: usize = 100;

/// What other projects of the folder did with the same T, each with the project's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// The files of their releases.
    pub(crate) releases: Vec<String>,
    /// Their sittings that have searched.
    pub(crate) sittings: Vec<String>,
}

/// The histories of the other projects in the folder, by name. Those that cannot be read are left out.
pub(super) fn others(project: &Path, read: fn(&Path) -> Result<History, HistoryError>) -> Vec<OtherProject> {
    let own = path_of(project);
    let folder = folder_of(project);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(files) = folder.read_dir() else { return Vec::new() };
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter(|name| name.ends_with(".history.toml") && own.file_name() != Some(name.as_ref()))
        .collect();
    names.sort_unstable();
    let other = |name: &String| {
        let project = format!("{}.toml", name.strip_suffix(".history.toml")?);
        Some(OtherProject { project, history: read(&folder.join(name)).ok()? })
    };
    names.iter().take(MOST).filter_map(other).collect()
}

impl History {
    /// What the other projects of the folder did with the T of a loaded project until a moment: a T is the same if it has the
    /// same SHA-256. A release with the SHA-256 `own` is a copy, and is left out.
    pub(crate) fn elsewhere(
        &self,
        analysis: &Analysis,
        until: Option<&Moment>,
        own: Option<&str>,
    ) -> Elsewhere {
        let project = analysis.project();
        let tables = match &project.private {
            PrivateSource::Table(table) => &table.paths,
            PrivateSource::Member(_) => &project.public.table.paths,
        };
        let of_private = analysis.inputs().iter().filter(|input| tables.contains(&input.path));
        let hashes: Vec<&str> = of_private.map(|input| input.sha256.as_str()).collect();
        let has_private =
            |inputs: &[LoggedInput]| inputs.iter().any(|input| hashes.contains(&input.sha256.as_str()));
        let is_before = |at: &Moment| until.is_none_or(|until| at <= until);
        let mut found = Elsewhere::default();
        for OtherProject { project, history } in self.in_folder.iter() {
            for entry in
                history.releases().iter().filter(|entry| is_before(&entry.at) && has_private(&entry.inputs))
            {
                let name = format!("{} ({project})", entry.file);
                if Some(entry.sha256.as_str()) != own && !found.releases.contains(&name) {
                    found.releases.push(name);
                }
            }
            for searched in history.searched(None, until) {
                if has_private(&history.sittings[searched.number - 1].inputs) {
                    found
                        .sittings
                        .push(format!("sitting {} of {} ({project})", searched.number, searched.first));
                }
            }
        }
        found
    }
}
