//! Columns that only T has and that reveal a proposed quasi-identifier. They are withheld until a person decides.

use super::{Ambiguity, Decision, Proposal};
use crate::pipeline::scale::scale;
use palmtop_core::model::Role;
use palmtop_measure::betrayal::{self, Column, Quasi};
use palmtop_tables::written::MISSING;

/// The greatest number of rows of T that are compared.
const MOST_ROWS: usize = 200_000;

/// A column that reveals quasi-identifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Betrayer {
    /// The name of the column.
    column: String,
    /// The revealed quasi-identifiers, with figures and without values.
    sentence: String,
    /// The remedy.
    remedy: String,
}

/// The columns that only T has and that may be published, row by row, with the values of the quasi-identifiers.
#[derive(Debug, Default)]
pub(super) struct PrivateColumns {
    /// The names of these columns.
    pub(super) names: Vec<String>,
    columns: Vec<Column>,
    /// For each quasi-identifier, the number of the value in each row.
    quasi: Vec<Vec<u32>>,
    rows: usize,
}

impl PrivateColumns {
    /// An empty table. Columns that a person withheld, and columns that name people, are left out.
    pub(super) fn of(proposal: &Proposal, quasi: usize) -> Self {
        let is_open = |name: &str| {
            proposal.ambiguities.iter().any(|open| open.attribute.as_deref() == Some(name) && open.is_asked())
        };
        let may_be = proposal.attributes.iter().filter(|attribute| {
            attribute.public_column.is_none()
                && (attribute.role.is_kept() || (is_open(&attribute.name) && !attribute.names_people))
        });
        let names: Vec<String> = may_be.map(|attribute| attribute.name.clone()).collect();
        let columns = names.iter().map(Column::new).collect();
        Self { names, columns, quasi: vec![Vec::new(); quasi], rows: 0 }
    }

    /// Adds the texts of a row, and the numbers of its quasi-identifiers' values.
    pub(super) fn push(&mut self, texts: &[&str], quasi: &[u32]) {
        if self.rows == MOST_ROWS || self.columns.is_empty() {
            return;
        }
        self.rows += 1;
        for (column, text) in self.columns.iter_mut().zip(texts) {
            column.push(Some(text.trim()).filter(|text| !MISSING.contains(text)));
        }
        for (column, code) in self.quasi.iter_mut().zip(quasi) {
            column.push(*code);
        }
    }

    /// Finds the columns that reveal a quasi-identifier. `quasi` has the name of each quasi-identifier, its values by their numbers, and
    /// the number of the missing value.
    pub(super) fn find<'a>(
        self,
        quasi: impl Iterator<Item = (&'a str, Vec<String>, Option<u32>)>,
    ) -> Vec<Betrayer> {
        let Self { mut columns, quasi: cells, .. } = self;
        if columns.is_empty() {
            return Vec::new();
        }
        for column in &mut columns {
            column.scale = scale(&column.texts);
        }
        let known = quasi.zip(cells).map(|((name, texts, missing), cells)| {
            let scale = scale(&texts);
            Quasi { missing, ..Quasi::of(Column::numbered(name, texts, cells, scale)) }
        });
        let mut betrayers: Vec<Betrayer> = Vec::new();
        for found in betrayal::find(&columns, &known.collect::<Vec<_>>()) {
            match betrayers.iter_mut().find(|known| known.column == found.column) {
                Some(known) => known.sentence = format!("{}; {}", known.sentence, found.sentence()),
                None => betrayers.push(Betrayer {
                    column: found.column.clone(),
                    sentence: found.sentence(),
                    remedy: found.remedy(),
                }),
            }
        }
        betrayers
    }
}

/// Withholds each column that reveals a quasi-identifier and is still open. For a decided column, it adds a caution.
pub(super) fn settle(proposal: &mut Proposal, betrayers: &[Betrayer]) {
    for Betrayer { column, sentence, remedy } in betrayers {
        let is_about = |open: &&mut Ambiguity| open.attribute.as_ref() == Some(column) && open.is_asked();
        let Some(open) = proposal.ambiguities.iter_mut().find(is_about) else {
            proposal.ambiguities.push(Ambiguity::of(column, sentence, remedy));
            continue;
        };
        let is_withheld =
            |decision: &Decision| matches!(decision, Decision::Role { role: Role::Identifier, .. });
        open.what = format!("{sentence}; proposed: withheld");
        open.remedy.clone_from(remedy);
        // The proposed answer comes first.
        open.choices.sort_by_key(|choice| !is_withheld(&choice.decision));
        for attribute in proposal.attributes.iter_mut().filter(|attribute| attribute.name == *column) {
            (attribute.role, attribute.repeats, attribute.undecided) = (Role::Identifier, true, false);
            attribute.reason = format!("{}; {sentence}", attribute.reason);
        }
    }
}
