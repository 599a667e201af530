//! Shrinks a project on which two readings disagree.

use std::path::Path;

use super::compare::{Depth, Disagreement, compare};
use super::random::{PROJECT, Project};

/// The smallest project found with a disagreement of the same kind.
pub(crate) fn shrink(
    mut project: Project,
    seed: u64,
    folder: &Path,
    mut found: Disagreement,
) -> (Project, Disagreement) {
    let try_one = |smaller: &Project, kind: &str| -> Option<Disagreement> {
        let path = smaller.write(folder).ok()?;
        compare(Depth::Full, &path, &smaller.guesses, seed).err().filter(|other| other.kind == kind)
    };
    let mut tries = 0;
    loop {
        let before = (project.files.clone(), project.guesses.len());
        for nth in (0..project.guesses.len()).rev() {
            let mut smaller = project.clone();
            smaller.guesses.remove(nth);
            if let Some(other) = try_one(&smaller, found.kind) {
                (project, found) = (smaller, other);
            }
        }
        for name in project.files.keys().cloned().collect::<Vec<_>>() {
            let mut at = 0;
            while let Some(smaller) = without(&project, &name, at) {
                tries += 1;
                match try_one(&smaller, found.kind).filter(|_| tries < 2000) {
                    Some(other) => (project, found) = (smaller, other),
                    None => at += 1,
                }
            }
        }
        if (project.files.clone(), project.guesses.len()) == before || tries >= 2000 {
            return (project, found);
        }
    }
}

/// The project without one part of a file: a paragraph of the project file, or a line of another
/// file.
fn without(project: &Project, name: &str, at: usize) -> Option<Project> {
    let content = project.files.get(name)?;
    let parts = parts(content, if name == PROJECT { b"\n\n" } else { b"\n" });
    if at >= parts.len() {
        return None;
    }
    let rest =
        parts.iter().enumerate().filter(|(nth, _)| *nth != at).flat_map(|(_, part)| part.iter().copied());
    let mut smaller = project.clone();
    smaller.files.insert(name.to_owned(), rest.collect());
    Some(smaller)
}

/// The content split after every separator.
fn parts<'a>(content: &'a [u8], separator: &[u8]) -> Vec<&'a [u8]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < content.len() {
        if content[at..].starts_with(separator) {
            at += separator.len();
            parts.push(&content[start..at]);
            start = at;
        } else {
            at += 1;
        }
    }
    if start < content.len() {
        parts.push(&content[start..]);
    }
    parts
}
