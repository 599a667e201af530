//! Checks that the inputs are different files: none is a file of P or T twice, and the release is not an input.

use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::spec::VerifySpec;
use crate::people::PrivateSource;
use crate::problems::VerifyError;
use crate::read::text::unpack;
use palmtop_terms::LocatedError;

/// The number of bytes that are compared first. Only files that agree in them are compared to the end.
const HEAD: u64 = 1 << 15;

/// A file that the project names.
struct Named<'a> {
    /// Its part in the project, for messages: `a file of P`.
    part: String,
    path: &'a Path,
    /// Whether it is a file of P or T.
    is_table: bool,
}

/// Refuses two inputs that are the same file or have the same content if one of them is a file of P or T. Refuses a release
/// that is an input.
pub(crate) fn check(spec: &VerifySpec, release: &Path) -> Result<(), VerifyError> {
    let named = named(spec);
    let mut known: BTreeMap<(u64, u64), &Named> = BTreeMap::new();
    for file in &named {
        let Some(id) = identify(file.path) else { continue };
        match known.get(&id) {
            Some(earlier) if file.is_table || earlier.is_table => return Err(shared(earlier, file, false)),
            Some(_) => {}
            None => drop(known.insert(id, file)),
        }
    }
    if let Some(input) = identify(release).and_then(|id| known.get(&id)) {
        return Err(is_input(release, input, false));
    }
    let mut by_head: BTreeMap<Vec<u8>, Vec<&Named>> = BTreeMap::new();
    for file in &named {
        let Some(head) = head(file.path) else { continue };
        let alike = by_head.entry(head).or_default();
        let counts_twice = |earlier: &Named| match (file.is_table, earlier.is_table) {
            (false, false) => false,
            (true, true) => file.part == earlier.part || spec.public.paths.len() > 1,
            _ => true,
        };
        let is_copy = |earlier: &&&Named| counts_twice(earlier) && have_same_bytes(file.path, earlier.path);
        if let Some(earlier) = alike.iter().find(is_copy) {
            return Err(shared(earlier, file, true));
        }
        alike.push(file);
    }
    // If P has several files, one may be a copy of the release by mistake, and its people would count twice.
    if let [_, _, ..] = spec.public.paths.as_slice()
        && let Some(alike) = head(release).and_then(|head| by_head.get(&head))
    {
        let is_public = |file: &&&Named| spec.public.paths.iter().any(|path| path == file.path);
        let copy = alike.iter().filter(is_public).find(|file| have_same_bytes(file.path, release));
        if let Some(input) = copy {
            return Err(is_input(release, input, true));
        }
    }
    Ok(())
}

fn named(spec: &VerifySpec) -> Vec<Named<'_>> {
    let table = |part: &'static str| {
        move |path| Named { part: part.to_owned(), path: PathBuf::as_path(path), is_table: true }
    };
    let mut all: Vec<Named> = spec.public.paths.iter().map(table("a file of P")).collect();
    if let PrivateSource::Table(source) = &spec.private {
        all.extend(source.paths.iter().map(table("a file of T")));
    }
    let mut add = |part: String, path| all.push(Named { part, path, is_table: false });
    for attribute in &spec.attributes {
        if let Some(source) = &attribute.hierarchy {
            add(format!("the hierarchy of `{}`", attribute.name), &source.path);
        }
    }
    if let Some(path) = &spec.project {
        add("the project file".to_owned(), path);
    }
    all
}

/// Device and inode of a file. `None` if the file is missing; its reader reports that.
fn identify(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// The first bytes of a file, decompressed. `None` if it cannot be read; its reader reports that.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    unpack::open(path).ok()?.take(HEAD).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether two files have the same bytes, decompressed.
fn have_same_bytes(left: &Path, right: &Path) -> bool {
    let (Ok(left), Ok(right)) = (unpack::open(left), unpack::open(right)) else { return false };
    let mut right = BufReader::new(right).bytes();
    for byte in BufReader::new(left).bytes() {
        match (byte, right.next()) {
            (Ok(left), Some(Ok(right))) if left == right => {}
            _ => return false,
        }
    }
    right.next().is_none()
}

fn shared(first: &Named, second: &Named, is_copy: bool) -> VerifyError {
    let found = if is_copy { "have the same content" } else { "are the same file" };
    LocatedError::new(format!(
        "{}, {}, and {}, {}, {found}, so its rows would count twice",
        first.path.display(),
        first.part,
        second.path.display(),
        second.part
    ))
    .remedy("give P and T different files")
    .into()
}

fn is_input(release: &Path, input: &Named, is_copy: bool) -> VerifyError {
    let found = if is_copy { "has the same content as" } else { "is the same file as" };
    LocatedError::new(format!(
        "{} {found} {}, {}: a file cannot be verified against itself",
        release.display(),
        input.path.display(),
        input.part
    ))
    .remedy(
        "give the release another folder or name that the project's `path` does not match, and verify it there",
    )
    .into()
}
