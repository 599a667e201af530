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
use super::members::FirstTexts;
use super::published_columns::Publisher;
use super::{Analysis, PipelineError, Which};
use crate::project::Attribute;
use palmtop_core::model::{Code, Counts, Problem, Role};

/// The items of Safe Harbor's list that a release of this project may publish.
///
/// The notes on quasi-identifiers follow from their levels. The notes on unchanged columns follow
/// from their names and values. T is read once if there are unchanged columns.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read again.
pub fn notes(analysis: &Analysis) -> Result<Vec<SafeHarborNote>, PipelineError> {
    let problem = &analysis.problem;
    let mut notes = quasi::notes(problem, &people(problem));
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
    let publishers: Vec<Publisher> =
        names.iter().map(|column| super::published::publisher(analysis, column)).collect();
    let entity = super::members::entity_column(analysis);
    let columns: Vec<&str> = names.iter().copied().chain(entity).collect();
    let mut first = FirstTexts::default();
    super::find::visit_rows(analysis, Which::Private, &columns, &mut |texts| {
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

/// The items of Safe Harbor's list that the rows of one release publish in its quasi-identifiers.
/// `texts` has the texts of each quasi-identifier, in project order.
pub fn of_release(problem: &Problem, texts: &[PublishedTexts]) -> Vec<SafeHarborNote> {
    published::notes(problem, &people(problem), texts)
}

/// The people of each value of each quasi-identifier.
fn people(problem: &Problem) -> Vec<Vec<Counts>> {
    (0..problem.quasi().len()).map(|nth| people_of(problem, nth)).collect()
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
