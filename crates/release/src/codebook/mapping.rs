//! The mapping of a release: each value of P with the texts that publish it.

use serde::{Deserialize, Serialize};

use super::{Codebook, Texts, people_of, texts_of, texts_of_file};
use crate::columns::{Column, Table};
use crate::pipeline::{Analysis, PipelineError, ReadRelease};
use palmtop_core::model::{Code, size};
use palmtop_project::keys;
use palmtop_search::release::Release;

keys! {
/// The values of P, each with the texts of the release that mean it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// What the numbers of people count: `people`, or `rows` of P if people have several rows.
    pub counted: String,
    /// The published quasi-identifiers, in project order.
    pub attributes: Vec<MappedAttribute>,
}
}

keys! {
/// A published quasi-identifier.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappedAttribute {
    /// The column of the release.
    pub column: String,
    /// The values of P, in the order of the hierarchy.
    pub values: Vec<MappedValue>,
}
}

keys! {
/// A value of P.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappedValue {
    /// The value of P.
    pub value: String,
    /// The people of P who have the value.
    pub people: u64,
    /// The texts of the release that mean the value; the list may be empty.
    pub texts: Vec<String>,
}
}

/// A row of the mapping as CSV.
#[derive(Clone, Debug)]
pub struct MappedRow {
    column: String,
    value: String,
    people: u64,
    text: Option<String>,
}

impl Mapping {
    /// The mapping of a release of this problem.
    pub fn of_release(analysis: &Analysis, release: &Release) -> Self {
        Self::of(analysis, &texts_of(analysis.problem(), release))
    }

    /// The mapping of a written release.
    ///
    /// # Errors
    /// [`PipelineError::InputChanged`] if the release was read with another P.
    pub fn of_file(analysis: &Analysis, read: &ReadRelease) -> Result<Self, PipelineError> {
        Ok(Self::of(analysis, &texts_of_file(analysis, read)?))
    }

    fn of(analysis: &Analysis, texts: &Texts) -> Self {
        let Codebook { counted, attributes } = Codebook::of(analysis, texts);
        let people = people_of(analysis);
        let of_attribute = |(index, coded): (usize, super::CodedAttribute)| {
            let hierarchy = analysis.problem().hierarchy(index);
            let mut texts_of: Vec<Vec<String>> = vec![Vec::new(); hierarchy.leaf_count()];
            // A label that is only in other texts is no text of the release.
            for (entry, codes) in
                coded.texts.iter().filter_map(|entry| Some((entry, texts[index].get(&entry.text)?)))
            {
                for &code in codes {
                    texts_of[code as usize].push(entry.text.clone());
                }
            }
            let value = |(code, texts): (Code, Vec<String>)| {
                let people = people[index][code as usize];
                (people > 0).then(|| MappedValue { value: hierarchy.leaf(code).to_owned(), people, texts })
            };
            let codes = 0..size::number(texts_of.len());
            MappedAttribute { column: coded.column, values: codes.zip(texts_of).filter_map(value).collect() }
        };
        Self { counted, attributes: attributes.into_iter().enumerate().map(of_attribute).collect() }
    }

    /// The columns of the mapping as CSV: a row for each value and each of its texts.
    pub const COLUMNS: [Column<MappedRow>; 4] = [
        Column::text("column", "the column of the release", |row| (&row.column).into()),
        Column::text("value", "the value of P", |row| (&row.value).into()),
        Column::number("people", "the people of P who have the value", |row| row.people.into()),
        Column::text("text", "a text of the release that means the value, if there is one", |row| {
            row.text.as_ref().into()
        }),
    ];

    /// The mapping as a table with a row for each value and each of its texts.
    pub fn table(&self) -> Table {
        let mut rows = Vec::new();
        for MappedAttribute { column, values } in &self.attributes {
            for MappedValue { value, people, texts } in values {
                let row = |text: Option<&String>| MappedRow {
                    column: column.clone(),
                    value: value.clone(),
                    people: *people,
                    text: text.cloned(),
                };
                match texts.as_slice() {
                    [] => rows.push(row(None)),
                    texts => rows.extend(texts.iter().map(|text| row(Some(text)))),
                }
            }
        }
        Table::of(&Self::COLUMNS, &rows)
    }
}
