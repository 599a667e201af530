//! The inputs and the policy that a release is verified against.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::pseudonym::PseudonymSpec;
use crate::labels::{HierarchySource, Limits};
use crate::read::TableSource;
use crate::values::{Notation, Spelling};
use palmtop_terms::{Delta, Level, Role};

/// The inputs and the policy that a release is verified against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifySpec {
    /// The project file, if there is one. It must differ from the tables and from the release.
    pub project: Option<PathBuf>,
    /// The public table, P.
    pub public: TableSource,
    /// The number of people that each row of P counts for. Without it, a row is one person.
    pub count: Option<CountSource>,
    /// A column of P that says who is a person and that T lacks, and what rows with one value are.
    pub person: Option<(String, Repeated)>,
    /// The texts that are no identifier, besides blank ones.
    pub missing: Vec<String>,
    /// The private table, T.
    pub private: PrivateSource,
    /// The attributes, in project order.
    pub attributes: Vec<AttributeSpec>,
    /// Whether columns of T without an attribute are dropped. Otherwise they are an error.
    pub unlisted_dropped: bool,
    /// The treatment of members of T who are not in P.
    pub not_in_public: NotInPublic,
    /// The bounds of presence.
    pub delta: Delta,
    /// Whether every class must contain a member of T.
    pub forbids_empty: bool,
    /// The other criteria that are enforced, each as its key in `[policy]` and the text of its value in the project file.
    pub policy: Vec<(String, String)>,
    /// The share of T's members that may be withdrawn, as text of the project file. Without it, every member has a row.
    pub suppress_at_most: Option<String>,
}

impl VerifySpec {
    /// The first part in which two specifications differ, by its name in a project file.
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let parts = [
            ("[public]", self.public == other.public),
            ("`count`", self.count == other.count),
            ("`person`", self.person == other.person),
            ("`missing`", self.missing == other.missing),
            ("[private]", self.private == other.private),
            ("`unlisted`", self.unlisted_dropped == other.unlisted_dropped),
            ("`not_in_public`", self.not_in_public == other.not_in_public),
            ("[delta]", self.delta == other.delta),
            ("`empty_regions`", self.forbids_empty == other.forbids_empty),
            ("[policy]", self.policy == other.policy),
            ("`suppress_at_most`", self.suppress_at_most == other.suppress_at_most),
            ("the number of [[attribute]]", self.attributes.len() == other.attributes.len()),
        ];
        let part = parts.iter().find(|(_, is_same)| !is_same).map(|(part, _)| (*part).to_owned());
        let attributes = || {
            let mut pairs = self.attributes.iter().zip(&other.attributes);
            pairs.find(|(one, other)| one != other).map(|(one, _)| format!("[[attribute]] `{}`", one.name))
        };
        part.or_else(attributes)
    }
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
