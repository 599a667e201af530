//! Finds the columns of the attributes in both tables, and reads the tables accordingly.
//!
//! What the project says of the tables and columns enters [`Layout::open`]; after that the layout alone knows it. Tallies of both
//! tables leave, with values instead of texts, and the hierarchies of their quasi-identifiers.

mod row_facts;
mod same_number;
mod columns;
mod who;
mod tables;
mod quasi;

use self::row_facts::FactColumns;
use super::count::Stop;
use super::persons::Identifier;
use super::settings::{AttributeSpec, PrivateSource, Sources};
use crate::labels::{Hierarchy, Limits};
use crate::problems::VerifyError;
use crate::read::Table;

/// A column that a release must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) part: Part,
}

/// The content of a column: a quasi-identifier or a kept column, each with its index from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Quasi(usize),
    Kept(usize),
    /// New pseudonyms, which do not depend on T.
    Drawn,
}

/// A quasi-identifier with its hierarchy and its limits.
#[derive(Debug)]
pub(crate) struct Quasi {
    pub(crate) name: String,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) limits: Limits,
}

/// The opened tables and the indices of the columns that are read.
pub(crate) struct Layout<'a> {
    /// The attributes, in project order.
    pub(crate) attributes: &'a [AttributeSpec],
    /// The texts that are no identifier, besides blank ones.
    pub(crate) missing: &'a [String],
    /// Whether T's values are values of P.
    adds_private: bool,
    pub(crate) public: Table,
    /// `None` if T is part of P.
    private: Option<Table>,
    pub(crate) columns: Vec<Column>,
    pub(crate) identifiers: Vec<String>,
    /// The columns of the quasi-identifiers in P, in project order.
    public_indices: Vec<usize>,
    /// The columns of the quasi-identifiers in T, in project order, then the kept columns in T's order.
    private_indices: Vec<usize>,
    /// The identifiers of P and of T that nobody may share.
    watched: (Vec<Identifier>, Vec<Identifier>),
    /// The columns of P that may say who is a person.
    maybe_persons: Vec<Identifier>,
    /// The columns of the entity in P and in T, if people have several rows.
    entity_indices: Option<(usize, usize)>,
    /// The columns of P with facts about each row.
    facts: FactColumns,
}

impl<'a> Layout<'a> {
    /// Opens the tables and finds the columns. Reads the tables once if the project counts one row of each person.
    pub(crate) fn open(sources: &Sources<'a>, stop: &Stop) -> Result<Self, VerifyError> {
        let public = Table::open(sources.public)?;
        let facts = FactColumns::find(sources.count, sources.private, &public)?;
        let private = match sources.private {
            PrivateSource::Table(source) => Some(Table::open(source)?),
            PrivateSource::Member { .. } => None,
        };
        let mut layout = Self {
            attributes: sources.attributes,
            missing: sources.missing,
            adds_private: sources.adds_private,
            public,
            private,
            columns: Vec::new(),
            identifiers: Vec::new(),
            public_indices: Vec::new(),
            private_indices: Vec::new(),
            watched: (Vec::new(), Vec::new()),
            maybe_persons: Vec::new(),
            entity_indices: None,
            facts,
        };
        layout.find_attributes()?;
        layout.assign_parts(sources.unlisted_dropped)?;
        layout.leave_out_repeats(sources.person, sources.count, stop)?;
        layout.watch(sources);
        Ok(layout)
    }

    /// The table of T, if it is not part of P.
    pub(crate) fn separate(&self) -> Option<&Table> {
        self.private.as_ref()
    }

    /// The table with T.
    pub(crate) fn private(&self) -> &Table {
        self.private.as_ref().unwrap_or(&self.public)
    }

    /// The rows of P's files and of T's that the project leaves out, once they were read.
    pub(crate) fn left_out(&self) -> (u64, u64) {
        (self.public.left_out(), self.private.as_ref().map_or(0, Table::left_out))
    }

    /// The number of rows of P and of T that repeat a person.
    pub(crate) fn repeats(&self) -> (u64, u64) {
        let count = |table: &Table| table.repeats.len() as u64;
        (count(&self.public), self.private.as_ref().map_or(0, count))
    }

    /// The name of an attribute's column in T.
    pub(crate) fn private_column<'b>(&self, attribute: &'b AttributeSpec) -> &'b str {
        if self.private.is_some() { &attribute.private_column } else { &attribute.public_column }
    }

    pub(crate) fn quasi_count(&self) -> usize {
        self.public_indices.len()
    }

    /// The number of kept columns of T, including pseudonyms made by a key.
    pub(crate) fn kept_count(&self) -> usize {
        self.private_indices.len() - self.quasi_count()
    }

    /// The index of a kept column in T's tally.
    pub(crate) fn kept_index(&self, column: &str) -> Option<usize> {
        let known = self.columns.iter().find(|known| known.name == column)?;
        match known.part {
            Part::Kept(nth) => Some(self.quasi_count() + nth),
            Part::Quasi(_) | Part::Drawn => None,
        }
    }
}
