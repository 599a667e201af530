//! The types of a proposal.

use crate::decision::{Ambiguity, Decision, NotInPublic};
use crate::hierarchies::hierarchy_source::HierarchySource;
use crate::hierarchies::limit::ProposedLimit;
use crate::people::identified::{Candidate, PersonRows};
use crate::sources::declared::Declared;
use crate::values::reading::Reading;
use palmtop_core::model::{Level, Presence, Role};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::read::TableSpec;
use palmtop_tables::reading::NumberForm;

/// The proposed project for two tables.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The files of P.
    pub public: TableSpec,
    /// The files of T; `None` if T is a part of P.
    pub private: Option<TableSpec>,
    /// The column of P with the number of people for whom a row stands.
    pub count: Option<String>,
    /// How its numbers are written, if they have thousands separators.
    pub count_number: Option<NumberForm>,
    /// A column of P that may be such a column; its name leaves this open.
    pub maybe_count: Option<String>,
    /// Whether the analyst said that the count column counts people.
    pub is_count_decided: bool,
    /// The column of P that marks the people of T.
    pub member: Option<String>,
    /// The column that only P has and that says who is a person, and what rows with one value are.
    pub person: Option<(String, PersonRows)>,
    /// The identifiers that several rows have.
    pub(crate) candidates: Vec<Candidate>,
    /// The attributes, in the order of T's columns.
    pub attributes: Vec<ProposedAttribute>,
    /// The columns that are not used, each with the reason.
    pub ignored: Vec<(String, String)>,
    /// The columns of P that no attribute uses.
    pub(crate) spare: Vec<String>,
    /// The columns of T that are in no attribute, because their types cannot be read as text.
    pub unreadable: Vec<String>,
    /// The rule for people of T who are not in P.
    pub not_in_public: NotInPublic,
    /// δmin and δmax: initial values until a person decides.
    pub delta: (Presence, Presence),
    /// Who decided δ.
    pub delta_origin: DeltaOrigin,
    /// The ambiguities of the proposal.
    pub ambiguities: Vec<Ambiguity>,
    /// Further settings from a project of another program.
    pub declared: Option<Declared>,
}

impl Proposal {
    /// Whether the proposal already is as a decision would make it.
    pub fn follows(&self, decision: &Decision) -> bool {
        let about = decision.attribute();
        let mut attributes = self.attributes.iter();
        let attribute = attributes.find(|attribute| about.is_some_and(|name| attribute.name == name));
        let readings = attribute.map(|attribute| [&attribute.readings.0, &attribute.readings.1]);
        let mut readings = readings.into_iter().flatten();
        match decision {
            Decision::Role { role, .. } => attribute.is_some_and(|own| own.role == *role && !own.undecided),
            Decision::Kind { kind, .. } => attribute.is_some_and(|own| own.kind == *kind),
            Decision::Date { form, .. } => readings.any(|reading| reading.date.as_ref() == Some(form)),
            Decision::Number { form, .. } => readings.any(|reading| reading.number == Some(*form)),
            Decision::Hierarchy { source, .. } => {
                let own = attribute.and_then(|own| own.hierarchy.as_ref());
                own.is_some_and(|own| own.source == *source)
            }
            Decision::Limit { limit, .. } => {
                attribute.and_then(|own| own.limit.as_ref()).is_some_and(|own| own.limit == *limit)
            }
            Decision::Pair { public, .. } => attribute.is_some_and(|own| own.public_column == *public),
            Decision::Count(column) => self.count == *column,
            Decision::Member(column) => self.member.as_ref() == Some(column),
            Decision::NotInPublic(way) => self.not_in_public == *way,
            _ => false,
        }
    }

    /// The index of the proposed answer to a question: the one that the proposal follows until a person answers.
    pub fn proposed_answer(&self, question: &Ambiguity) -> usize {
        question.choices.iter().position(|choice| self.follows(&choice.decision)).unwrap_or(0)
    }
}

/// Who decided the δ of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeltaOrigin {
    /// Nobody: it is a starting point.
    Proposed,
    /// A person accepted the starting point as it was.
    Accepted,
    /// A person gave another δmax.
    Decided,
    /// The project of another program.
    Declared,
}

/// The reason why a column of T is in no attribute, with the remedy.
pub const UNREADABLE: &str = "its type cannot be read as text; write it as text, numbers or dates in T, leave it out of T, or \
                              set `unlisted = \"drop\"` under [private]";

/// A proposed attribute.
#[derive(Clone, Debug)]
pub struct ProposedAttribute {
    /// The name of the attribute: the name of T's column.
    pub name: String,
    /// The name of its column in P; `None` if P does not have it.
    pub public_column: Option<String>,
    /// The name of its column in T; `None` if T is a part of P.
    pub private_column: Option<String>,
    /// The proposed role.
    pub role: Role,
    /// For a quasi-identifier: the level of P's values.
    pub public_level: Level,
    /// For a quasi-identifier: the kind of its values.
    pub kind: ValueKind,
    /// For a quasi-identifier: how the texts of P and of T become values.
    pub readings: (Reading, Reading),
    /// The label of a missing value, if a value already has the default label.
    pub missing_label: Option<&'static str>,
    /// For a quasi-identifier: its hierarchy.
    pub hierarchy: Option<ProposedHierarchy>,
    /// For a quasi-identifier: the limit of its published sets or ranges.
    pub limit: Option<ProposedLimit>,
    /// For an identifier: what rows with one value are, by the analyst's decision.
    pub rows: Option<PersonRows>,
    /// For a published column that only T has: whether nobody decided its role. Then the project marks the column.
    pub undecided: bool,
    /// For a column that only T has by the user's decision: the columns of P that it may be.
    pub resembles: Vec<String>,
    /// For a column that only T has: whether each value belongs to one person.
    pub(crate) names_people: bool,
    /// The reason for this role and this kind, as a sentence.
    pub reason: String,
}

/// The proposed hierarchy of a quasi-identifier, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedHierarchy {
    /// The source of the hierarchy.
    pub source: HierarchySource,
    /// The reason for this hierarchy, as a sentence.
    pub reason: String,
    /// Whether the hierarchy has labels between a value and `*`.
    pub has_labels: bool,
}
