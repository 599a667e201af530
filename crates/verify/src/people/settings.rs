//! What the project says of the tables and of their columns.

use std::collections::BTreeMap;

use super::pseudonym::PseudonymSpec;
use crate::labels::{HierarchySource, Limits};
use crate::read::TableSource;
use crate::values::{Notation, Spelling};
use palmtop_terms::{Level, Role};

/// What the project says of the tables and of their columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources<'a> {
    pub(crate) public: &'a TableSource,
    pub(crate) private: &'a PrivateSource,
    /// The number of people that each row of P counts for.
    pub(crate) count: Option<&'a CountSource>,
    /// A column of P that says who is a person, and what rows with one value are.
    pub(crate) person: Option<&'a (String, Repeated)>,
    /// The texts that are no identifier, besides blank ones.
    pub(crate) missing: &'a [String],
    /// The attributes, in project order.
    pub(crate) attributes: &'a [AttributeSpec],
    /// Whether columns of T without an attribute are dropped.
    pub(crate) unlisted_dropped: bool,
    /// Whether members who are not in P are added to it, so that T's values are values of P.
    pub(crate) adds_private: bool,
}

/// What rows with one value of an identifier are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Repeated {
    /// The project does not say, so they are refused.
    #[default]
    Unsaid,
    /// Different people; whether the project gives the reason.
    Shared {
        /// Whether the project gives the reason.
        is_reasoned: bool,
    },
    /// One person, whose rows agree and count once.
    Distinct,
    /// One person, whose first row by this column counts.
    FirstBy(String),
}

/// The treatment of members of T who are not in P: T has more people with their combination than P has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInPublic {
    /// They are reported as a problem.
    Refuse,
    /// All members with such a combination are left out.
    Drop,
    /// The surplus members are added to P.
    Add,
}

/// The source of T's members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrivateSource {
    /// A separate table with one row per person.
    Table(TableSource),
    /// The rows of P that a column marks. If a marked row counts for several people, all of them are members.
    Member {
        /// The column of P.
        column: String,
        /// The texts that mark a member. If the list is empty, `true`, `yes`, `y` and `1` mark members.
        is: Vec<String>,
    },
}

/// A column of P with the number of people that each row counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountSource {
    /// The name of the column.
    pub column: String,
    /// The number of people for each text that is not a number.
    pub texts: BTreeMap<String, u64>,
    /// The notation of its numbers, if they are not plain.
    pub number: Option<Notation>,
    /// Whether `fetch` made it and counted people, so that it is no column of the database.
    pub is_fetched: bool,
}

impl CountSource {
    /// A column of plain numbers.
    pub fn of(column: &str) -> Self {
        Self { column: column.to_owned(), texts: BTreeMap::new(), number: None, is_fetched: false }
    }
}

/// An attribute: its role, its columns and its hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSpec {
    /// The name in the project.
    pub name: String,
    /// The role. Only quasi-identifiers are matched with P.
    pub role: Role,
    /// The column of P.
    pub public_column: String,
    /// The column of T. If T is part of P, [`public_column`](Self::public_column) is used instead.
    pub private_column: String,
    /// The hierarchy: required for quasi-identifiers, optional for attributes of T only.
    pub hierarchy: Option<HierarchySource>,
    /// The published level of an attribute of T only; 0 means the values unchanged.
    pub publish: Level,
    /// The limits of the published texts, for quasi-identifiers.
    pub limits: Limits,
    /// Whether it is the identifier that states which rows belong to one person. If so, everything is counted in people.
    pub is_entity: bool,
    /// What rows with one value are, for identifiers.
    pub repeated: Repeated,
    /// The pseudonyms that replace an identifier. Without them, the release lacks the column.
    pub pseudonym: Option<PseudonymSpec>,
    /// The notation of the values in the tables, for quasi-identifiers and attributes that are published coarser. Other
    /// attributes are compared as text.
    pub spelling: Spelling,
}
