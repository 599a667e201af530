//! The code list of a release: each published text with the values of P that it means.
//!
//! The list follows from P, the hierarchies, and the set of texts in the release. So it has nothing of T
//! that the release lacks, and may go with the release. The people whom a project adds to P are
//! members of T; the list does not count them, and has no value that only they have.

mod form;
mod markdown;
mod mapping;
mod values;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::columns::{Column, Table};
use crate::pipeline::{Analysis, PipelineError, ReadRelease};
use palmtop_core::model::{Code, Label, Problem};
use palmtop_project::Attribute;
use palmtop_project::keys;
use palmtop_search::release::Release;

pub use form::{CodebookForm, TextForm};
pub use mapping::{MappedAttribute, MappedRow, MappedValue, Mapping};
pub use values::ValueRange;

keys! {
/// The texts of a release, each with the values of P that it means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Codebook {
    /// What the numbers of people count: `people`, or `rows` of P if people have several rows.
    pub counted: String,
    /// The published quasi-identifiers, in project order.
    pub attributes: Vec<CodedAttribute>,
}
}

keys! {
/// A published quasi-identifier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedAttribute {
    /// The column of the release.
    pub column: String,
    /// The kind: `number`, `date` or `category`.
    pub kind: String,
    /// The file name of the hierarchy.
    pub hierarchy: Option<String>,
    /// The label of people without a value, if the release has it.
    pub missing: Option<String>,
    /// The texts of the release, in the order of the hierarchy.
    pub texts: Vec<CodedText>,
}
}

keys! {
/// A text of the release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedText {
    /// The text in the release.
    pub text: String,
    /// `label`, `range`, `set` or `except`.
    pub form: TextForm,
    /// The number of values of P that the text means.
    pub count: u64,
    /// These values one by one, without those in `ranges`.
    pub values: Vec<String>,
    /// Ranges of these values; P has no other value between the ends.
    pub ranges: Vec<ValueRange>,
    /// The lowest of these values; none for categories.
    pub low: Option<String>,
    /// The highest of these values; none for categories.
    pub high: Option<String>,
    /// The ends in the text, if they are borders and not values of P.
    pub borders: Option<ValueRange>,
    /// The people of P who have one of these values.
    pub people: u64,
}
}

/// The published texts of each quasi-identifier, each with the values of P that it denotes.
type Texts = Vec<BTreeMap<String, Vec<Code>>>;

impl Codebook {
    /// The code list of a release of this problem.
    pub fn of_release(analysis: &Analysis, release: &Release) -> Self {
        Self::of(analysis, &texts_of(analysis.problem(), release))
    }

    /// The code list of a written release.
    ///
    /// # Errors
    /// [`PipelineError::InputChanged`] if the release was read with another P.
    pub fn of_file(analysis: &Analysis, read: &ReadRelease) -> Result<Self, PipelineError> {
        Ok(Self::of(analysis, &texts_of_file(analysis, read)?))
    }

    fn of(analysis: &Analysis, texts: &Texts) -> Self {
        let problem = analysis.problem();
        let people = people_of(analysis);
        let project = analysis.project();
        let of_attribute = |((attribute, _), index): ((&Attribute, _), usize)| {
            let hierarchy = problem.hierarchy(index);
            let file = attribute.hierarchy.as_ref().and_then(|file| file.path.file_name());
            let missing =
                hierarchy.missing().filter(|code| texts[index].values().any(|entry| entry.contains(code)));
            // A value that only added members have is not a value of P.
            let of_public = |codes: &[Code]| -> Vec<Code> {
                codes.iter().copied().filter(|&code| people[index][code as usize] > 0).collect()
            };
            let explain = |(text, codes): (&String, &Vec<Code>)| {
                let codes = of_public(codes);
                let entry = CodedText::of(problem, index, (text, &codes), &people[index]);
                (codes, entry)
            };
            let mut texts: Vec<(Vec<Code>, CodedText)> = texts[index].iter().map(explain).collect();
            // A wider text precedes the texts inside it.
            texts.sort_by_cached_key(|(codes, entry)| {
                (codes.first().copied().unwrap_or(Code::MAX), Reverse(codes.len()), entry.text.clone())
            });
            CodedAttribute {
                column: project.private_column(attribute).to_owned(),
                kind: hierarchy.kind().as_str().to_owned(),
                hierarchy: file.map(|name| name.to_string_lossy().into_owned()),
                missing: missing.map(|code| hierarchy.leaf(code).to_owned()),
                texts: texts.into_iter().map(|(_, text)| text).collect(),
            }
        };
        Self {
            counted: if problem.people().is_some() { "rows" } else { "people" }.to_owned(),
            attributes: project.quasi().zip(0..).map(of_attribute).collect(),
        }
    }

    /// The columns of the code list as CSV: a row for each text.
    pub const COLUMNS: [Column<(CodedAttribute, CodedText)>; 11] = [
        Column::text("column", "the column of the release", |(attribute, _)| (&attribute.column).into()),
        Column::text("kind", "the kind: `number`, `date` or `category`", |(attribute, _)| {
            (&attribute.kind).into()
        }),
        Column::text("hierarchy", "the file name of the hierarchy", |(attribute, _)| {
            attribute.hierarchy.as_ref().into()
        }),
        Column::text("text", "the text in the release", |(_, text)| (&text.text).into()),
        Column::text("form", "`label`, `range`, `set` or `except`", |(_, text)| text.form.as_str().into()),
        Column::text("values", "in CSV: the values of P that the text means, as a set", |(_, text)| {
            text.members().into()
        }),
        Column::number("count", "the number of values of P that the text means", |(_, text)| {
            text.count.into()
        }),
        Column::text("low", "the lowest of these values; none for categories", |(_, text)| {
            text.low.as_ref().into()
        }),
        Column::text("high", "the highest of these values; none for categories", |(_, text)| {
            text.high.as_ref().into()
        }),
        Column::text(
            "borders",
            "the ends in the text, if they are borders and not values of P",
            |(_, text)| text.border_words().into(),
        ),
        Column::number("people", "the people of P who have one of these values", |(_, text)| {
            text.people.into()
        }),
    ];

    /// The code list as a table with a row for each text.
    pub fn table(&self) -> Table {
        let rows: Vec<(CodedAttribute, CodedText)> = self
            .attributes
            .iter()
            .flat_map(|attribute| {
                let head = CodedAttribute { texts: Vec::new(), ..attribute.clone() };
                attribute.texts.iter().map(move |text| (head.clone(), text.clone()))
            })
            .collect();
        Table::of(&Self::COLUMNS, &rows)
    }
}

/// The texts of a release's rows, each with the values of P that it denotes.
fn texts_of(problem: &Problem, release: &Release) -> Texts {
    let classes = release.classes.of_rows();
    let counts = classes.all_counts().zip(0_u32..);
    let released: Vec<u32> = counts
        .filter(|(counts, class)| counts.private > 0 && classes.pool() != Some(*class))
        .map(|(_, class)| class)
        .collect();
    let of_attribute = |attribute: usize| {
        let (column, hierarchy) = (classes.labels(attribute), problem.hierarchy(attribute));
        let mut is_released = vec![false; column.labels().len()];
        for &class in &released {
            is_released[column.label_of()[class as usize] as usize] = true;
        }
        let published = column.labels().iter().zip(is_released).filter(|(_, is_released)| *is_released);
        let text = |(label, _): (&Label, bool)| {
            let mut codes = label.codes(hierarchy);
            codes.retain(|&code| problem.occurs(attribute, code));
            (label.text(hierarchy), codes)
        };
        published.map(text).collect()
    };
    (0..problem.quasi().len()).map(of_attribute).collect()
}

/// The texts of a file, each with the values of P that it denotes.
fn texts_of_file(analysis: &Analysis, read: &ReadRelease) -> Result<Texts, PipelineError> {
    let texts = read.codes_by_text(analysis)?.into_iter();
    let owned = |entry: BTreeMap<&str, Vec<Code>>| {
        entry.into_iter().map(|(text, codes)| (text.to_owned(), codes)).collect()
    };
    Ok(texts.map(owned).collect())
}

/// The people of P with each value of each quasi-identifier, without the members who are added to P.
fn people_of(analysis: &Analysis) -> Vec<Vec<u64>> {
    let problem = analysis.problem();
    let counts = |attribute| problem.leaf_counts(attribute).iter().map(|counts| counts.public).collect();
    let mut people: Vec<Vec<u64>> = (0..problem.quasi().len()).map(counts).collect();
    let outsiders = analysis.notes().outsiders.iter();
    for (codes, added) in outsiders.flat_map(|outsiders| &outsiders.added) {
        for (people, &code) in people.iter_mut().zip(codes) {
            people[code as usize] -= added;
        }
    }
    people
}
