//! Takes over the sessions and the register of releases of palmtop 0.1.0, each once. The files stay where they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::names::{folder_of, path_of};
use super::written::{self, Kind};
use super::{History, HistoryError, Taken, Untaken};
use palmtop_core::located::LocatedError;
use palmtop_tables::input;
use palmtop_tables::read::hash_file;

/// A file of palmtop 0.1.0, or its name.
pub(super) struct OldFile {
    pub(super) path: PathBuf,
    pub(super) is_register: bool,
}

/// The sessions of a project by their numbers and its register, and the first of their names, which nothing else may take.
pub(super) fn files(project: &Path) -> Vec<OldFile> {
    let (folder, stem) = (folder_of(project), project.file_stem().unwrap_or_default().to_string_lossy());
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let mut numbers: Vec<u64> =
        entries.filter_map(|entry| number(entry.file_name().to_str()?, &stem)).chain([1]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let sessions = numbers
        .into_iter()
        .map(|number| OldFile { path: folder.join(name(&stem, number)), is_register: false });
    let register = OldFile { path: folder.join(format!("{stem}.releases.toml")), is_register: true };
    sessions.chain([register]).collect()
}

/// Adds what the files of palmtop 0.1.0 have to a history, unless it has it already. Returns the names of the new ones.
pub(super) fn take(project: &Path, history: &mut History) -> Vec<String> {
    let mut taken = Vec::new();
    // The sittings that the sessions became, so that releases find their steps.
    let mut places = BTreeMap::new();
    for OldFile { path, is_register } in files(project) {
        if path.symlink_metadata().is_err() {
            continue;
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kind = if is_register { Kind::Register(&places) } else { Kind::Session };
        match read(&path, &file, kind, &history.taken) {
            Ok(None) => {}
            Ok(Some((known, old))) => {
                places.insert(file.clone(), history.sittings.len());
                history.sittings.extend(old.sittings);
                let new = old
                    .releases
                    .into_iter()
                    .filter(|old| !history.releases.iter().any(|known| known.is(old)));
                let new: Vec<_> = new.collect();
                history.releases.extend(new);
                history.taken.push(known);
                taken.push(file);
            }
            Err(error) => {
                let why = palmtop_core::words::chain(&error);
                history.untaken.push(Untaken { path, is_register, why });
            }
        }
    }
    if !taken.is_empty() {
        history.releases.sort_by(|one, other| one.at.cmp(&other.at));
    }
    taken
}

/// What a file has; `None` if it was taken over before.
fn read(
    path: &Path,
    file: &str,
    kind: Kind,
    taken: &[Taken],
) -> Result<Option<(Taken, History)>, HistoryError> {
    let cannot = |error| LocatedError::cannot(&format!("read the {}", kind.noun()), path, error);
    // A pipe is not waited for.
    let bytes = input::read(path, input::MOST_TEXT).map_err(cannot)?;
    let known = Taken { file: file.to_owned(), sha256: hash_file(path)? };
    if taken.contains(&known) {
        return Ok(None);
    }
    Ok(Some((known, written::read(kind, path, &bytes)?)))
}

/// The line about files of palmtop 0.1.0 that were taken over; `None` if there are none.
pub fn message(project: &Path, taken: &[String]) -> Option<String> {
    let history = path_of(project);
    let name = history.file_name().unwrap_or_default().to_string_lossy();
    (!taken.is_empty()).then(|| {
        format!(
            "taken over into {name}: {}; palmtop does not read {} again",
            taken.join(", "),
            if taken.len() == 1 { "it" } else { "them" }
        )
    })
}

fn name(stem: &str, number: u64) -> String {
    if number == 1 { format!("{stem}.session.toml") } else { format!("{stem}.session-{number}.toml") }
}

/// The number of a session with this stem; `None` if the file is not named like one.
fn number(file: &str, stem: &str) -> Option<u64> {
    let between = file.strip_prefix(stem)?.strip_prefix(".session")?.strip_suffix(".toml")?;
    let number = if between.is_empty() { 1 } else { between.strip_prefix('-')?.parse().ok()? };
    (name(stem, number) == file).then_some(number)
}
