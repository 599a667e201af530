//! What the history knows of a release and a recount cannot see: it was not δ-present, or its inputs were other files.

use super::words::listed;
use super::{Caution, Key};
use crate::history::Entry;
use crate::pipeline::Analysis;
use palmtop_project::PrivateSource;
use palmtop_tables::read::hash_file;
use palmtop_tables::write::is_same_file;

/// What the history knows of a written release. A changed T is left out: the recount compares each row with T.
pub(super) fn of_entry(analysis: &Analysis, entry: &Entry) -> Option<Caution> {
    let mut sentences = Vec::new();
    if !entry.is_present {
        let (min, max) = (entry.delta.min(), entry.delta.max());
        sentences.push(format!(
            "When this release was written, it did NOT keep δ {min} to {max} and the other criteria."
        ));
    }
    let others = other_inputs(analysis, entry);
    match others.len() {
        0 => {}
        1 => sentences.push(format!("It was written with another {} than today's.", listed(&others))),
        _ => sentences.push(format!("It was written with other files than today's: {}.", listed(&others))),
    }
    let remedy = "The verdict is about today's files: if these are not the right ones, restore the others, or write the release again.";
    (!sentences.is_empty()).then(|| Caution::new(Key::Registered, sentences.join(" "), remedy))
}

/// The names of the files of the entry, other than T's, that have changed or are missing.
fn other_inputs(analysis: &Analysis, entry: &Entry) -> Vec<String> {
    let private = match &analysis.project().private {
        PrivateSource::Table(private) => private.paths.as_slice(),
        PrivateSource::Member(_) => &[],
    };
    let other = entry.inputs.iter().filter(|input| {
        let path = entry.input_path(analysis.path(), input);
        let is_private = private.iter().any(|known| *known == path || is_same_file(known, &path));
        !is_private && !hash_file(&path).is_ok_and(|now| now == input.sha256)
    });
    other.map(|input| crate::history::without_machine(&input.path)).collect()
}
