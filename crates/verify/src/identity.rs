//! Which file is which: no input is a file of P or T a second time, and no release is an input.

use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::VerifyError;
use super::prior::PriorSource;
use super::unpack;
use super::{PrivateSource, VerifySpec};

/// So many bytes of every file are compared with each other's; only files that agree in them are compared to their ends.
const HEAD: u64 = 1 << 15;

/// A file that the project names.
struct Named<'a> {
    what: String,
    path: &'a Path,
    /// Whether people are counted in it.
    is_table: bool,
}

/// Refuses inputs that are the same file or have the same content, where one of them is a file of P or T, and a release that is
/// an input.
pub(super) fn check(spec: &VerifySpec, release: &Path) -> Result<(), VerifyError> {
    let named = named(spec);
    let mut known: BTreeMap<(u64, u64), &Named> = BTreeMap::new();
    for own in &named {
        let Some(id) = identify(own.path) else { continue };
        match known.get(&id) {
            Some(other) if own.is_table || other.is_table => return Err(shared(other, own, false)),
            Some(_) => {}
            None => drop(known.insert(id, own)),
        }
    }
    if let Some(input) = identify(release).and_then(|id| known.get(&id)) {
        return Err(is_input(release, input, false));
    }
    let mut by_head: BTreeMap<Vec<u8>, Vec<&Named>> = BTreeMap::new();
    for own in &named {
        let Some(head) = head(own.path) else { continue };
        let alike = by_head.entry(head).or_default();
        let counts_twice = |other: &Named| match (own.is_table, other.is_table) {
            (false, false) => false,
            (true, true) => own.what == other.what || spec.public.paths.len() > 1,
            _ => true,
        };
        let is_copy = |other: &&&Named| counts_twice(other) && have_same_bytes(own.path, other.path);
        if let Some(other) = alike.iter().find(is_copy) {
            return Err(shared(other, own, true));
        }
        alike.push(own);
    }
    // Of several files of P one may be a copy of the release, whose people would count twice. A P of one file is what it is.
    if let [_, _, ..] = spec.public.paths.as_slice()
        && let Some(alike) = head(release).and_then(|head| by_head.get(&head))
    {
        let is_public = |own: &&&Named| spec.public.paths.iter().any(|path| path == own.path);
        let copy = alike.iter().filter(is_public).find(|own| have_same_bytes(own.path, release));
        if let Some(input) = copy {
            return Err(is_input(release, input, true));
        }
    }
    Ok(())
}

fn named(spec: &VerifySpec) -> Vec<Named<'_>> {
    let table = |what: &'static str| {
        move |path| Named { what: what.to_owned(), path: PathBuf::as_path(path), is_table: true }
    };
    let mut all: Vec<Named> = spec.public.paths.iter().map(table("a file of P")).collect();
    if let PrivateSource::Table(source) = &spec.private {
        all.extend(source.paths.iter().map(table("a file of T")));
    }
    let mut add = |what: String, path| all.push(Named { what, path, is_table: false });
    for attribute in &spec.attributes {
        if let Some(source) = &attribute.hierarchy {
            add(format!("the hierarchy of `{}`", attribute.name), &source.path);
        }
    }
    if let Some(PriorSource::Rates(source)) = spec.prior.as_ref().map(|prior| &prior.source) {
        source.paths.iter().for_each(|path| add("the table of rates".to_owned(), path));
    }
    if let Some(path) = &spec.project {
        add("the project file".to_owned(), path);
    }
    all
}

/// Device and inode; none of a file that cannot be found, which its own reader says.
fn identify(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// The first bytes of a file, unpacked; none where it cannot be read, which its own reader says.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    unpack::open(path).ok()?.take(HEAD).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether two files have the same bytes once they are unpacked.
fn have_same_bytes(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (unpack::open(one), unpack::open(other)) else { return false };
    let mut others = BufReader::new(other).bytes();
    for byte in BufReader::new(one).bytes() {
        match (byte, others.next()) {
            (Ok(own), Some(Ok(other))) if own == other => {}
            _ => return false,
        }
    }
    others.next().is_none()
}

fn shared(first: &Named, second: &Named, is_copy: bool) -> VerifyError {
    VerifyError::SharedInput {
        first: (first.path.to_owned(), first.what.clone()),
        second: (second.path.to_owned(), second.what.clone()),
        is_copy,
    }
}

fn is_input(release: &Path, input: &Named, is_copy: bool) -> VerifyError {
    let (release, input) = (release.to_owned(), (input.path.to_owned(), input.what.clone()));
    VerifyError::ReleaseIsInput { release, input, is_copy }
}
