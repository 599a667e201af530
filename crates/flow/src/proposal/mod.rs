//! From two tables to a proposed project: the role of each column, the reading of its values, its hierarchy, and the reason for
//! each. An ambiguity is named with its remedy.
//!
//! A [`Proposal`] depends only on two surveys, the hierarchies at hand and the decisions so far. To change a proposal, decide and
//! propose again. A proposal has no value of T, only counts of rows.

mod words;
mod survey;
mod opened;
mod reading;
mod numbers;
mod spelling;
mod alone;
mod dirt;
mod pairs;
mod roles;
mod private_only;
mod found;
mod carried;
mod attributes;
mod betrayals;
mod people;
mod sources;
mod choices;
mod examples;
mod toml;
mod put;

use std::path::PathBuf;

use palmtop_core::model::{Presence, Role};
use palmtop_tables::hierarchies::build::{Recipe, ValueKind};
use palmtop_tables::read::TableSpec;
pub use palmtop_tables::reading::NumberForm;

pub use self::attributes::{NoProposal, Private, propose};
pub use self::carried::CARRIED;
pub use self::choices::Aspect;
pub use self::found::{AtHand, Candidate};
pub use self::opened::Opened;
pub use self::people::Meeting;
pub use self::reading::Reading;
pub use self::sources::{Named, ProposalError, Sources, SurveyStage, absolute};
pub use self::survey::{Column, Rows, Survey};
pub use self::toml::Written;

/// The proposed project for two tables.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The files of P.
    pub public: TableSpec,
    /// The files of T; `None` if T is a part of P.
    pub private: Option<TableSpec>,
    /// The column of P with the number of people for whom a row stands.
    pub count: Option<String>,
    /// A column of P that may be such a column; its name leaves this open.
    pub maybe_count: Option<String>,
    /// The column of P that marks the people of T.
    pub member: Option<String>,
    /// The attributes, in the order of T's columns.
    pub attributes: Vec<ProposedAttribute>,
    /// The columns that are not used, each with the reason.
    pub ignored: Vec<(String, String)>,
    /// The rule for people of T who are not in P.
    pub not_in_public: NotInPublic,
    /// δmin and δmax: initial values until a person decides.
    pub delta: (Presence, Presence),
    /// Whether a person decided δmax.
    pub is_delta_decided: bool,
    /// The ambiguities of the proposal.
    pub ambiguities: Vec<Ambiguity>,
}

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
    /// For a quasi-identifier: the kind of its values.
    pub kind: ValueKind,
    /// For a quasi-identifier: how the texts of P and of T become values.
    pub readings: (Reading, Reading),
    /// The label of a missing value, if a value already has the default label.
    pub missing_label: Option<&'static str>,
    /// For a quasi-identifier: its hierarchy.
    pub hierarchy: Option<ProposedHierarchy>,
    /// For an identifier: whether several people may have the same value.
    pub repeats: bool,
    /// For a published column that only T has: whether nobody decided its role. Then the project marks the column.
    pub undecided: bool,
    /// For a column that only T has by the user's decision: the columns of P that it may be.
    pub resembles: Vec<String>,
    /// For a column that only T has: whether each value belongs to one person.
    pub(super) names_people: bool,
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

/// The source of a proposed hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HierarchySource {
    /// A file of the analyst. It is not copied.
    File(PathBuf),
    /// A hierarchy of palmtop, by its file name. It is written into a folder next to the project.
    Carried(&'static str),
    /// A hierarchy that is built from P's values. It is written into a folder next to the project.
    Built(Recipe),
}

/// The rule for people of T who are not in P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInPublic {
    /// `check` reports an error.
    Refuse,
    /// These people are left out, and every result has their number.
    Drop,
}

/// An ambiguity of the tables, with the remedy if the proposal is wrong.
#[derive(Clone, Debug)]
pub struct Ambiguity {
    /// The attribute; `None` if the ambiguity is not about one attribute.
    pub attribute: Option<String>,
    /// The open question and the proposed answer. It has no value of T, except for a text that is taken for a missing value.
    pub what: String,
    /// The remedy if the proposed answer is wrong.
    pub remedy: String,
    /// The possible answers, the proposed one first; empty if only an edit of the tables or the project helps.
    pub choices: Vec<Choice>,
}

/// A possible answer to an ambiguity.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The answer in a few words.
    pub label: String,
    /// The decision that this answer makes.
    pub decision: Decision,
}

/// A decision of the analyst.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The role of a column. A column that P does not have cannot be a quasi-identifier.
    Role {
        /// The name of the attribute.
        attribute: String,
        /// The decided role.
        role: Role,
    },
    /// The kind of an attribute's values, if the values permit it.
    Kind {
        /// The name of the attribute.
        attribute: String,
        /// The decided kind.
        kind: ValueKind,
    },
    /// The form of an attribute's dates.
    Date {
        /// The name of the attribute.
        attribute: String,
        /// The form in the notation of `chrono`.
        form: &'static str,
    },
    /// The form of an attribute's numbers.
    Number {
        /// The name of the attribute.
        attribute: String,
        /// The decided form.
        form: NumberForm,
    },
    /// The hierarchy of an attribute, if it has all values of the attribute.
    Hierarchy {
        /// The name of the attribute.
        attribute: String,
        /// The source of the hierarchy.
        source: HierarchySource,
    },
    /// The column of P that a column of T is; `None` if P does not have it.
    Pair {
        /// The name of T's column.
        private: String,
        /// The name of P's column.
        public: Option<String>,
    },
    /// A text of T, as it is written there, means a missing value. The project then lists it under `missing`.
    Missing {
        /// The name of the attribute.
        attribute: String,
        /// The text in T.
        text: String,
    },
    /// The values of T that P does not have stay unchanged.
    Strangers {
        /// The name of the attribute.
        attribute: String,
    },
    /// The column of P with numbers of people; `None` if P has no such column.
    Count(Option<String>),
    /// The column of P that marks the people of T, if T is a part of P.
    Member(String),
    /// The rule for people of T who are not in P.
    NotInPublic(NotInPublic),
    /// The upper bound of δ.
    DeltaMax(Presence),
}

/// All decisions so far. If two decisions are about the same question, the last one counts.
#[derive(Clone, Debug, Default)]
pub struct Decisions(pub Vec<Decision>);

impl Decisions {
    fn last<'a, T>(&'a self, of: impl Fn(&'a Decision) -> Option<T>) -> Option<T> {
        self.0.iter().rev().find_map(of)
    }

    fn role(&self, name: &str) -> Option<Role> {
        self.last(|decision| match decision {
            Decision::Role { attribute, role } if attribute == name => Some(*role),
            _ => None,
        })
    }

    fn kind(&self, name: &str) -> Option<ValueKind> {
        self.last(|decision| match decision {
            Decision::Kind { attribute, kind } if attribute == name => Some(*kind),
            _ => None,
        })
    }

    fn date(&self, name: &str) -> Option<&'static str> {
        self.last(|decision| match decision {
            Decision::Date { attribute, form } if attribute == name => Some(*form),
            _ => None,
        })
    }

    fn number(&self, name: &str) -> Option<NumberForm> {
        self.last(|decision| match decision {
            Decision::Number { attribute, form } if attribute == name => Some(*form),
            _ => None,
        })
    }

    fn missing(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(move |decision| match decision {
            Decision::Missing { attribute, text } if attribute == name => Some(text.as_str()),
            _ => None,
        })
    }

    fn leaves_strangers(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|decision| matches!(decision, Decision::Strangers { attribute } if attribute == name))
    }

    fn hierarchy(&self, name: &str) -> Option<&HierarchySource> {
        self.last(|decision| match decision {
            Decision::Hierarchy { attribute, source } if attribute == name => Some(source),
            _ => None,
        })
    }

    fn member(&self) -> Option<&str> {
        self.last(|decision| match decision {
            Decision::Member(column) => Some(column.as_str()),
            _ => None,
        })
    }

    #[expect(clippy::option_option, reason = "not decided, decided for none, decided for one")]
    fn pair(&self, name: &str) -> Option<Option<&str>> {
        self.last(|decision| match decision {
            Decision::Pair { private, public } if private == name => Some(public.as_deref()),
            _ => None,
        })
    }

    #[expect(clippy::option_option, reason = "not decided, decided for none, decided for one")]
    fn count(&self) -> Option<Option<&str>> {
        self.last(|decision| match decision {
            Decision::Count(column) => Some(column.as_deref()),
            _ => None,
        })
    }

    fn not_in_public(&self) -> Option<NotInPublic> {
        self.last(|decision| match decision {
            Decision::NotInPublic(what) => Some(*what),
            _ => None,
        })
    }

    fn delta_max(&self) -> Option<Presence> {
        self.last(|decision| match decision {
            Decision::DeltaMax(max) => Some(*max),
            _ => None,
        })
    }
}

impl Ambiguity {
    /// Whether the ambiguity is about δ, for which the user types a value.
    pub fn is_about_delta(&self) -> bool {
        self.attribute.is_none() && self.what.starts_with("δmax ")
    }

    /// Whether the ambiguity has possible answers.
    pub fn is_asked(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Whether the user can answer the ambiguity here. Other ambiguities need an edit of the tables or the project.
    pub fn is_question(&self) -> bool {
        self.is_asked() || self.is_about_delta()
    }

    /// An ambiguity that needs an edit of the tables or the project.
    fn of(attribute: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            attribute: Some(attribute.to_owned()),
            what: what.into(),
            remedy: remedy.into(),
            choices: Vec::new(),
        }
    }
}

impl HierarchySource {
    /// The source in a few words: the name of its file, or the method that builds it.
    pub fn describe(&self) -> String {
        match self {
            Self::File(path) => attributes::shown(path),
            Self::Carried(name) => format!("palmtop's {name}"),
            Self::Built(recipe) => recipe.describe(),
        }
    }

    /// The source in fewer words, for a column of a table.
    pub fn brief(&self) -> String {
        match self {
            Self::File(path) => attributes::shown(path),
            Self::Carried(name) => (*name).to_owned(),
            Self::Built(recipe) => recipe.brief(),
        }
    }
}

#[cfg(test)]
mod tests;
