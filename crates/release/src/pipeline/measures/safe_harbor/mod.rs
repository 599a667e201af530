//! Notes on HIPAA's Safe Harbor (45 CFR 164.514(b)(2)): which of its listed identifiers a release
//! of this project may publish.
//!
//! The notes are hints from the names and the values of columns. They are never a verdict and never
//! complete.

mod concern;
mod quasi;
mod published;
mod columns;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

pub use self::concern::{Concern, SafeHarborNote};
pub use self::published::{PublishedText, PublishedTexts};

use self::columns::Looks;
use self::quasi::Column;
use crate::pipeline::read::published_columns::Publisher;
use crate::pipeline::rows::find;
use crate::pipeline::rows::members;
use crate::pipeline::rows::members::FirstTexts;
use crate::pipeline::rows::published::publisher;
use crate::pipeline::{Analysis, PipelineError, Which};
use palmtop_core::model::{Code, Counts, Problem, Role};
use palmtop_project::Attribute;

/// The items of Safe Harbor's list that a release of this project may publish.
///
/// The notes on quasi-identifiers follow from their levels. The notes on unchanged columns follow
/// from their names and values. T is read once if there are unchanged columns.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again.
pub fn notes(analysis: &Analysis) -> Result<Vec<SafeHarborNote>, PipelineError> {
    let problem = &analysis.problem;
    let quasi = (0..problem.quasi().len()).filter_map(|attribute| note(problem, attribute, quasi::concern));
    let mut notes: Vec<SafeHarborNote> = quasi.collect();
    let kept = |role| matches!(role, Role::Sensitive | Role::Insensitive);
    let kept: Vec<(&Attribute, &str)> = analysis
        .project
        .attributes
        .iter()
        .filter(|attribute| kept(attribute.role))
        .map(|attribute| (attribute, analysis.project.private_column(attribute)))
        .collect();
    if kept.is_empty() {
        return Ok(notes);
    }
    let names: Vec<&str> = kept.iter().map(|(_, column)| *column).collect();
    let mut looks = vec![Looks::default(); kept.len()];
    let publishers: Vec<Publisher> = names.iter().map(|column| publisher(analysis, column)).collect();
    let entity = members::entity_column(analysis);
    let columns: Vec<&str> = names.iter().copied().chain(entity).collect();
    let mut first = FirstTexts::default();
    find::visit_rows(analysis, Which::Private, &columns, &mut |texts| {
        let person = entity.map(|_| texts[names.len()]);
        for (nth, ((looks, publisher), text)) in looks.iter_mut().zip(&publishers).zip(texts).enumerate() {
            if first.is_first(nth, person, text) {
                looks.add(publisher.text(text).unwrap_or(text));
            }
        }
        ControlFlow::Continue(())
    })?;
    for ((attribute, column), looks) in kept.iter().zip(&looks) {
        let found = columns::concern(column, attribute.publish, looks);
        notes.extend(found.map(|(concern, text)| SafeHarborNote {
            attribute: attribute.name.clone(),
            concern,
            text,
        }));
    }
    Ok(notes)
}

/// The item of Safe Harbor's list that the rows of one release publish in a quasi-identifier with these texts.
pub fn of_release(problem: &Problem, attribute: usize, texts: &PublishedTexts) -> Option<SafeHarborNote> {
    note(problem, attribute, |column| published::concern(column, texts))
}

/// The note on a quasi-identifier, if something is found.
fn note(
    problem: &Problem,
    attribute: usize,
    find: impl FnOnce(&Column) -> Option<(Concern, String)>,
) -> Option<SafeHarborNote> {
    let (quasi, people) = (&problem.quasi()[attribute], people_of(problem, attribute));
    let (concern, text) = find(&Column { name: &quasi.name, hierarchy: &quasi.hierarchy, people: &people })?;
    Some(SafeHarborNote { attribute: quasi.name.clone(), concern, text })
}

/// The people of each value of a quasi-identifier. A person whose rows have several values counts
/// once for each value.
fn people_of(problem: &Problem, attribute: usize) -> Vec<Counts> {
    let Some(people) = problem.people() else { return problem.leaf_counts(attribute).to_vec() };
    let codes = problem.histogram().column(attribute);
    let mut counts = vec![Counts::default(); problem.hierarchy(attribute).leaf_count()];
    for (multiset, &alike) in people.multisets().zip(people.counts()) {
        let values: BTreeSet<Code> = multiset.iter().map(|&row| codes[row as usize]).collect();
        for code in values {
            counts[code as usize] += alike;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use palmtop_core::model::{
        Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, Problem, QuasiIdentifier,
    };

    /// A problem with one quasi-identifier: the labels above each value, and its people of P. One of them is in T.
    pub(super) fn problem(name: &str, kind: Kind, chains: &[(&[&str], u64)]) -> Problem {
        let leaves: Vec<Vec<&str>> = chains.iter().map(|(chain, _)| chain.to_vec()).collect();
        let hierarchy = Hierarchy::new(kind, Level(0), &leaves).unwrap();
        let codes = chains.iter().map(|(chain, _)| hierarchy.code(chain[0]).unwrap()).collect();
        let counts = chains.iter().map(|&(_, people)| Counts::new(people, 1)).collect();
        let histogram = Histogram::new(vec![codes], counts).unwrap();
        let quasi = vec![QuasiIdentifier { name: name.to_owned(), hierarchy }];
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }
}
