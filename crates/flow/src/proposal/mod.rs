//! From two tables to a proposed project: which column is what, how its values are written, which hierarchy it gets, and
//! why; what could be meant in two ways is named with its remedy.
//!
//! A [`Proposal`] follows from two surveys, from the hierarchies that are at hand and from what was decided so far, and from
//! nothing else. To change it, decide and propose again. No value of T goes into it but as a count of rows.

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

/// What is proposed for two tables.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// P's files.
    pub public: TableSpec,
    /// T's files; `None` where T is part of P.
    pub private: Option<TableSpec>,
    /// The column of P that says for how many people a row stands.
    pub count: Option<String>,
    /// One whose name leaves that open.
    pub maybe_count: Option<String>,
    /// The column of P that says who is in T.
    pub member: Option<String>,
    /// The attributes, in the order of T's columns.
    pub attributes: Vec<ProposedAttribute>,
    /// The columns that are not used, each with the reason.
    pub ignored: Vec<(String, String)>,
    /// What becomes of people of T whom P lacks.
    pub not_in_public: NotInPublic,
    /// δmin and δmax: placeholders until somebody decides.
    pub delta: (Presence, Presence),
    /// Whether somebody decided δmax.
    pub is_delta_decided: bool,
    /// What could be meant in two ways.
    pub ambiguities: Vec<Ambiguity>,
}

/// One attribute as it is proposed.
#[derive(Clone, Debug)]
pub struct ProposedAttribute {
    /// Its name: that of T's column.
    pub name: String,
    /// Its column in P, where it has one.
    pub public_column: Option<String>,
    /// Its column in T; `None` where T is part of P.
    pub private_column: Option<String>,
    /// What it is to the adversary and to the release.
    pub role: Role,
    /// Of a quasi-identifier, what its values are.
    pub kind: ValueKind,
    /// Of a quasi-identifier, how the texts of P and of T are read.
    pub readings: (Reading, Reading),
    /// What no value is called, where a value has the usual name for that.
    pub missing_label: Option<&'static str>,
    /// Of a quasi-identifier, its hierarchy.
    pub hierarchy: Option<ProposedHierarchy>,
    /// Of an identifier, whether several people may share a value.
    pub repeats: bool,
    /// Of a published column that only T has, whether nobody decided its role; the project has a mark then.
    pub undecided: bool,
    /// Of a column that only T has by your word, the columns of P that it may be.
    pub resembles: Vec<String>,
    /// Of a column that only T has, whether each of its values is one person's.
    pub(super) names_people: bool,
    /// Why this role and this kind: a sentence.
    pub reason: String,
}

/// The hierarchy of a quasi-identifier, and why that one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedHierarchy {
    /// Where it is from.
    pub source: HierarchySource,
    /// Why: a sentence.
    pub reason: String,
    /// Whether it has labels between a value and `*`.
    pub has_labels: bool,
}

/// Where a proposed hierarchy is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HierarchySource {
    /// A file of the analyst's, which stays where it is.
    File(PathBuf),
    /// One that palmtop carries, by its file's name; it is written beside the project.
    Carried(&'static str),
    /// Built from P's values; it is written beside the project.
    Built(Recipe),
}

/// What becomes of people of T whom P lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInPublic {
    /// `check` refuses.
    Refuse,
    /// They are left out, and every result says so.
    Drop,
}

/// Something that could be meant in two ways, and what to do where the proposal is not what is meant.
#[derive(Clone, Debug)]
pub struct Ambiguity {
    /// The attribute, where it is about one.
    pub attribute: Option<String>,
    /// What is open, and what was taken. It holds no value of T, but for a text that is taken for no value.
    pub what: String,
    /// What to do otherwise.
    pub remedy: String,
    /// What may be decided, first what was taken; empty where only the tables or the project can be edited.
    pub choices: Vec<Choice>,
}

/// One way to settle an ambiguity.
#[derive(Clone, Debug)]
pub struct Choice {
    /// It in a few words.
    pub label: String,
    /// What is then decided.
    pub decision: Decision,
}

/// Something that the analyst decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// A column's role; no quasi-identifier can be made of a column that P lacks.
    Role {
        /// The attribute.
        attribute: String,
        /// Its role.
        role: Role,
    },
    /// What the values of an attribute are, where they can be that.
    Kind {
        /// The attribute.
        attribute: String,
        /// Its kind.
        kind: ValueKind,
    },
    /// The form of an attribute's dates.
    Date {
        /// The attribute.
        attribute: String,
        /// The form, as `chrono` has it.
        form: &'static str,
    },
    /// How an attribute's numbers are written.
    Number {
        /// The attribute.
        attribute: String,
        /// The form.
        form: NumberForm,
    },
    /// The hierarchy of an attribute, where that has all of its values.
    Hierarchy {
        /// The attribute.
        attribute: String,
        /// Where it is from.
        source: HierarchySource,
    },
    /// Which column of P a column of T is; `None`: none.
    Pair {
        /// T's column.
        private: String,
        /// P's.
        public: Option<String>,
    },
    /// A text of T, as it is spelled there, means that there is no value. The project then has it under `missing`.
    Missing {
        /// The attribute.
        attribute: String,
        /// The text.
        text: String,
    },
    /// The values of T that P has nowhere stay as they are.
    Strangers {
        /// The attribute.
        attribute: String,
    },
    /// The column of P with people's numbers; `None`: none.
    Count(Option<String>),
    /// The column of P that says who is in T, where T is part of P.
    Member(String),
    /// What becomes of people of T whom P lacks.
    NotInPublic(NotInPublic),
    /// δmax.
    DeltaMax(Presence),
}

/// All that was decided so far; of what was decided twice, the last.
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
    /// Whether it is about δ, which is typed.
    pub fn is_about_delta(&self) -> bool {
        self.attribute.is_none() && self.what.starts_with("δmax ")
    }

    /// Whether a choice settles it.
    pub fn is_asked(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Whether a person can answer it here; a note can only be read, and an edit of the tables settles it.
    pub fn is_question(&self) -> bool {
        self.is_asked() || self.is_about_delta()
    }

    /// One that only an edit settles.
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
    /// It in a few words: its file's name without the folder, or what it does.
    pub fn describe(&self) -> String {
        match self {
            Self::File(path) => attributes::shown(path),
            Self::Carried(name) => format!("palmtop's own {name}"),
            Self::Built(recipe) => recipe.describe(),
        }
    }

    /// The same, short enough for a column of a table.
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
