//! The file of a history. It is written completely or not at all, and never over a change of another program.
//!
//! A change locks the file, reads it, and replaces it by a synced file of the new bytes. It is not appended to, because a step
//! that is undone and a release that gets its name change earlier lines, and because a killed program would leave half an entry.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::names::path_of;
use super::written::{self, Kind};
use super::{History, HistoryError, Sitting, elsewhere, takeover};
use crate::pipeline::reduced_name;
use palmtop_core::located::LocatedError;
use palmtop_tables::input;
use palmtop_tables::write::{Gate, RealDisk, TargetError, Ward, WriteError, keep_access};

/// The greatest number of attempts to change a history while other programs write.
const ATTEMPTS: usize = 1000;

/// A history that was changed.
#[derive(Debug)]
pub struct Changed<T> {
    /// The result of the edit.
    pub value: T,
    /// The files of palmtop 0.1.0 that this change took over.
    pub taken: Vec<String>,
    /// Unfinished files of killed programs, which were removed.
    pub removed: Vec<PathBuf>,
}

/// The history of a project, with the files of palmtop 0.1.0 that no program has taken over yet; empty if there is nothing.
///
/// # Errors
/// A [`HistoryError`] that names the file, the line, the key and what was expected.
pub fn of_project(project: &Path) -> Result<History, HistoryError> {
    let mut history = read_if_any(&path_of(project))?.unwrap_or_default();
    takeover::take(project, &mut history);
    history.settle(project);
    history.in_folder = elsewhere::others(project, read).into();
    Ok(history)
}

/// The history in a file.
///
/// # Errors
/// As [`of_project`]; and if there is no file.
pub fn read(path: &Path) -> Result<History, HistoryError> {
    read_if_any(path)?.ok_or_else(|| {
        let missing = std::io::Error::from(ErrorKind::NotFound);
        LocatedError::cannot("read the history", path, missing).into()
    })
}

fn read_if_any(path: &Path) -> Result<Option<History>, HistoryError> {
    match input::read(path, input::MOST_TEXT) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LocatedError::cannot("read the history", path, error).into()),
        Ok(bytes) => Ok(Some(written::read(Kind::History, path, &bytes)?)),
    }
}

/// Changes the history of a project. The edit may run again if another program wrote first.
///
/// # Errors
/// A [`HistoryError`]; then the file is unchanged. A history that cannot be read is not changed.
pub fn change<T>(
    project: &Path,
    mut edit: impl FnMut(&mut History) -> T,
) -> Result<Changed<T>, HistoryError> {
    let path = path_of(project);
    for _ in 0..ATTEMPTS {
        if let Some(changed) = attempt(project, &path, &mut edit)? {
            return Ok(changed);
        }
    }
    let busy = LocatedError::new("other programs wrote to it during every attempt").remedy("try again");
    Err(busy.in_named("history", &path).into())
}

/// Changes the history; `None` if another program wrote first.
fn attempt<T>(
    project: &Path,
    path: &Path,
    edit: &mut impl FnMut(&mut History) -> T,
) -> Result<Option<Changed<T>>, HistoryError> {
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(TargetError::IsNoFile { path: path.to_owned() }.into());
    }
    // The lock is on the file, not on its name. So the name is checked again while the lock is held. A file system without
    // locks cannot exclude a change in between.
    let held = input::open(path).ok();
    if let Some(held) = &held {
        let _ = held.lock();
        let inode = |found: std::io::Result<Metadata>| found.map(|found| found.ino()).ok();
        if inode(held.metadata()) != inode(path.metadata()) {
            return Ok(None);
        }
    }
    let found = read_if_any(path)?;
    let is_there = found.is_some();
    let mut history = found.unwrap_or_default();
    let taken = takeover::take(project, &mut history);
    history.settle(project);
    let value = edit(&mut history);
    let before = held.as_ref().and_then(|held| held.metadata().ok());
    let mut gate = Gate::of_history();
    match gate.put(&mut RealDisk, path, is_there, written::render(&history).as_bytes()) {
        Ok(()) => {
            if let Some(before) = before {
                keep_access(path, &before);
            }
            // The lock ends here.
            drop(held);
            Ok(Some(Changed { value, taken, removed: gate.take_removed() }))
        }
        Err(WriteError::Target(TargetError::Exists { .. })) => Ok(None),
        Err(WriteError::Target(error)) => Err(error.into()),
        Err(WriteError::Disk(error)) => Err(error.into()),
        Err(WriteError::Refused(never)) => match never {},
    }
}

/// A sitting of the workbench in the history of a project.
///
/// Two workbenches that continue one sitting do not overwrite each other: the second one that saves gets a sitting of its own.
#[derive(Debug)]
pub struct SittingFile {
    project: PathBuf,
    /// The place in the history, and what this program read or wrote there last; `None` before the first save.
    place: Option<(usize, Sitting)>,
}

impl SittingFile {
    /// A sitting that gets its place when it is saved first.
    pub fn new(project: &Path) -> Self {
        Self { project: project.to_owned(), place: None }
    }

    /// The newest sitting, to go on with it; `None` if there is none. Files of palmtop 0.1.0 are taken over first.
    ///
    /// # Errors
    /// A [`HistoryError`] if the history cannot be read.
    pub fn newest(project: &Path) -> Result<Option<(Self, Sitting)>, HistoryError> {
        let history = of_project(project)?;
        let Some((index, newest)) = history.sittings.iter().enumerate().next_back() else { return Ok(None) };
        let file = Self { project: project.to_owned(), place: Some((index, newest.clone())) };
        Ok(Some((file, newest.clone())))
    }

    /// The place in the history; `None` before the first save.
    pub fn index(&self) -> Option<usize> {
        self.place.as_ref().map(|(index, _)| *index)
    }

    /// Saves the sitting. The value is `true` if another program goes on with the sitting that this one had, so that this
    /// one now has its own. If this fails, the history stays as it was.
    ///
    /// # Errors
    /// A [`HistoryError`] if the history cannot be read or written.
    pub fn save(&mut self, sitting: &Sitting) -> Result<Changed<bool>, HistoryError> {
        let mut index = 0;
        let changed = change(&self.project, |history| {
            let own =
                self.place.as_ref().filter(|(place, known)| history.sittings.get(*place) == Some(known));
            if let Some((place, _)) = own {
                index = *place;
                sitting.clone_into(&mut history.sittings[index]);
            } else {
                index = history.sittings.len();
                history.sittings.push(sitting.clone());
            }
            own.is_none() && self.place.is_some()
        })?;
        self.place = Some((index, sitting.clone()));
        Ok(changed)
    }
}

/// Protects the history of a project, its files of palmtop 0.1.0 and its reduced P: no export, report or chart overwrites them
/// or takes their names.
pub fn guard(gate: &mut Gate, project: &Path) {
    for file in kept(project) {
        gate.guard(Ward::History, &file);
    }
    gate.guard(Ward::Input, &reduced_name(project));
}

/// The file of a project's history, and its files of palmtop 0.1.0.
pub fn kept(project: &Path) -> Vec<PathBuf> {
    let old = takeover::files(project).into_iter().map(|file| file.path);
    std::iter::once(path_of(project)).chain(old).collect()
}
