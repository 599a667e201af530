//! The code list of a release: each label once with all its values, and each other text as a formula over labels. The page of the
//! recipient, CSV and JSON have the same list, and each decodes every cell of the file.
//!
//! The list follows from P, the hierarchies, and the set of texts in the release. So it has nothing of T
//! that the release lacks, and may go with the release. The people whom a project adds to P are
//! members of T; the list does not count them, and has no value that only they have.

mod form;
mod values;
mod text;
mod explain;
mod mapping;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::explain::Explainer;
use crate::columns::{Column, Table};
use crate::pipeline::{Analysis, PipelineError, ReadRelease};
use palmtop_core::model::{Code, Label, Problem};
use palmtop_project::Attribute;
use palmtop_project::keys;
use palmtop_search::release::Release;

pub use form::{CodebookForm, TextForm};
pub use mapping::{MappedAttribute, MappedRow, MappedValue, Mapping};
pub use text::CodedText;
pub use values::ValueRange;

keys! {
/// The texts of a release with their meanings.
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
    /// Whether no two texts of the release share a value of P.
    pub disjoint: bool,
    /// The texts of the release and the labels in them, in the order of the hierarchy.
    pub texts: Vec<CodedText>,
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
            let explainer = Explainer::of(hierarchy, &people[index]);
            CodedAttribute {
                column: project.private_column(attribute).to_owned(),
                kind: hierarchy.kind().as_str().to_owned(),
                hierarchy: file.map(|name| name.to_string_lossy().into_owned()),
                disjoint: explainer.are_disjoint(&texts[index]),
                texts: explainer.entries(&texts[index]),
            }
        };
        Self {
            counted: if problem.people().is_some() { "rows" } else { "people" }.to_owned(),
            attributes: project.quasi().zip(0..).map(of_attribute).collect(),
        }
    }

    /// The columns of the code list as CSV: a row for each text and label.
    pub const COLUMNS: [Column<CodedRow>; 8] = [
        Column::text("column", "the column of the release", |row| (&row.column).into()),
        Column::text("kind", "the kind: `number`, `date` or `category`", |row| (&row.kind).into()),
        Column::text("text", "the text", |row| (&row.text.text).into()),
        Column::text(
            "form",
            "`value` (of P), `missing` (the label of people without a value), `label`, `range`, `set` or `except`",
            |row| row.text.form.as_str().into(),
        ),
        Column::text(
            "means",
            "in CSV: what the text means, as a list of labels that have a row, values of P, and ranges `low to high`",
            |row| row.text.meaning().into(),
        ),
        Column::text("except", "the labels and values that the text leaves out", |row| {
            row.text.exceptions().into()
        }),
        Column::number("count", "the number of values of P that the text means", |row| row.text.count.into()),
        Column::number("people", "the people of P who have one of these values", |row| {
            row.text.people.into()
        }),
    ];

    /// The code list as a table with a row for each text and label.
    pub fn table(&self) -> Table {
        let rows: Vec<CodedRow> = self.attributes.iter().flat_map(CodedAttribute::rows).collect();
        Table::of(&Self::COLUMNS, &rows)
    }
}

/// A row of the code list as CSV.
#[derive(Clone, Debug)]
pub struct CodedRow {
    column: String,
    kind: String,
    text: CodedText,
}

impl CodedAttribute {
    fn rows(&self) -> impl Iterator<Item = CodedRow> {
        let row = |text: &CodedText| CodedRow {
            column: self.column.clone(),
            kind: self.kind.clone(),
            text: text.clone(),
        };
        self.texts.iter().map(row)
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
