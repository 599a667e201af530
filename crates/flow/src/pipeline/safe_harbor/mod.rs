//! Notes for whoever has to satisfy HIPAA's Safe Harbor (45 CFR 164.514(b)(2)): what a release of this project may publish that
//! stands on its list of identifiers. They are hints from names and looks of columns: never a verdict, and never complete.

mod columns;
mod quasi;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use self::columns::Looks;
use super::members::FirstTexts;
use super::published::Publisher;
use super::{Analysis, PipelineError, Which};
use crate::project::Attribute;
use palmtop_core::model::{Code, Counts, Problem, Role};

/// What of the list a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Dates finer than a year.
    Date,
    /// Ages above 89.
    Age,
    /// Zip codes finer than three digits, or zones of few people.
    Zip,
    /// Names.
    Name,
    /// Email addresses.
    Mail,
    /// Telephone and fax numbers.
    Phone,
    /// Numbers of accounts, records, certificates, licences, social security.
    Account,
    /// Numbers of devices and vehicles, network addresses.
    Device,
    /// Street addresses.
    Address,
    /// Free text, which may describe somebody.
    Text,
}

impl Concern {
    /// Its name, in small letters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::Age => "age",
            Self::Zip => "zip",
            Self::Name => "name",
            Self::Mail => "mail",
            Self::Phone => "phone",
            Self::Account => "account",
            Self::Device => "device",
            Self::Address => "address",
            Self::Text => "text",
        }
    }
}

/// Something that an attribute may publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafeHarborNote {
    /// The attribute.
    pub attribute: String,
    /// What of the list it is.
    pub concern: Concern,
    /// What was found, without any value of T.
    pub text: String,
}

/// What a release of this project may publish that stands on Safe Harbor's list: by the levels of its quasi-identifiers, and by names
/// and values of the columns that are published unchanged. One pass over T where there are such.
///
/// # Errors
/// A [`PipelineError`] where T cannot be read again.
pub fn notes(analysis: &Analysis) -> Result<Vec<SafeHarborNote>, PipelineError> {
    let problem = &analysis.problem;
    let people: Vec<Vec<Counts>> = (0..problem.quasi().len()).map(|nth| people_of(problem, nth)).collect();
    let mut notes = quasi::notes(problem, &people);
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

/// The people of each value of a quasi-identifier. A person with several rows has each value of them, and counts once for each.
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
