//! The count and the member mark of each row of P.

use std::collections::BTreeMap;

use crate::people::settings::{CountSource, PrivateSource};
use crate::problems::VerifyError;
use crate::read::{Batch, Table};
use crate::values::{Notation, value};
use palmtop_terms::LocatedError;

/// The columns of P with facts about each row.
pub(crate) struct FactColumns {
    pub(crate) count: Option<usize>,
    /// The number of people for texts of the count column that are not numbers.
    count_texts: BTreeMap<String, u64>,
    /// The notation of the counts, if they are not plain.
    count_number: Option<Notation>,
    pub(crate) member: Option<usize>,
    /// The texts that mark a member, if the project lists them.
    member_texts: Vec<String>,
}

impl FactColumns {
    /// Finds the columns of P that the project names.
    pub(crate) fn find(
        count_source: Option<&CountSource>,
        private: &PrivateSource,
        public: &Table,
    ) -> Result<Self, VerifyError> {
        let count = count_source.map(|count| public.column_index(&count.column, "count")).transpose()?;
        let (member, member_texts) = match private {
            PrivateSource::Member { column, is } => {
                (Some(public.column_index(column, "member")?), is.clone())
            }
            PrivateSource::Table(_) => (None, Vec::new()),
        };
        Ok(Self {
            count,
            count_texts: count_source.map_or_else(BTreeMap::new, |count| count.texts.clone()),
            count_number: count_source.and_then(|count| count.number.clone()),
            member,
            member_texts,
        })
    }

    /// Whether each row of P is one person of P, without a count or a member mark.
    pub(crate) fn count_rows_only(&self) -> bool {
        self.count.is_none() && self.member.is_none()
    }
}

/// The counts and member marks in a batch, read once for each distinct text.
pub(crate) struct RowFacts<'a> {
    columns: &'a FactColumns,
    public: &'a Table,
    batch: &'a Batch,
    /// The part with the count, and the number of people for each text.
    counts: Option<(usize, Vec<Option<u64>>)>,
    /// The part that marks members, and whether each text marks one.
    members: Option<(usize, Vec<Option<bool>>)>,
}

impl<'a> RowFacts<'a> {
    /// The count and the member mark are the last parts of the batch, from `first` on.
    pub(crate) fn read(columns: &'a FactColumns, public: &'a Table, batch: &'a Batch, first: usize) -> Self {
        let mut parts = first..;
        let count = |text: &str| {
            columns.count_texts.get(text).copied().or_else(|| match &columns.count_number {
                None => value::people(text),
                Some(notation) => value::people(&notation.number(text)?),
            })
        };
        let member = |text: &str| {
            if columns.member_texts.is_empty() {
                value::membership(text)
            } else {
                Some(columns.member_texts.iter().any(|known| known == text))
            }
        };
        let counts = columns.count.and_then(|_| parts.next());
        let members = columns.member.and_then(|_| parts.next());
        Self {
            columns,
            public,
            batch,
            counts: counts.map(|part| (part, batch.column(part).map(count))),
            members: members.map(|part| (part, batch.column(part).map(member))),
        }
    }

    /// The number of people that a row counts for.
    pub(crate) fn count(&self, row: usize) -> Result<u64, VerifyError> {
        let Some((part, counts)) = &self.counts else { return Ok(1) };
        let cells = self.batch.column(*part);
        counts[cells.numbers()[row] as usize].ok_or_else(|| {
            let problem = format!("`{}` is not a count", cells.cell(row));
            self.error(row, self.columns.count, &problem)
                .expected(
                    "a whole number from 0 to 4294967295, or one of the `texts` of the project's `count`",
                )
                .into()
        })
    }

    pub(crate) fn is_member(&self, row: usize) -> Result<bool, VerifyError> {
        let Some((part, members)) = &self.members else { return Ok(false) };
        let cells = self.batch.column(*part);
        members[cells.numbers()[row] as usize].ok_or_else(|| {
            let problem = format!("`{}` is not a membership", cells.cell(row));
            self.error(row, self.columns.member, &problem)
                .expected("true, yes, y or 1 for members, or false, no, n, 0 or an empty field for others")
                .into()
        })
    }

    fn error(&self, row: usize, column: Option<usize>, problem: &str) -> LocatedError {
        let name = column.map_or("", |column| self.public.columns[column].as_str());
        self.public.error_at(self.batch.location(row), name, problem)
    }
}
