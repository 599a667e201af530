//! The decisions of the analyst, and the ambiguities that ask for them.

use crate::hierarchies::hierarchy_source::HierarchySource;
use crate::people::identified::PersonRows;
use palmtop_core::model::{Presence, Role};
use palmtop_project::Limit;
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::reading::{DateForm, NumberForm};

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
    /// The possible answers, in the same order for each question of a kind; empty if only an edit of the tables or the project
    /// helps. The proposal knows the proposed one.
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

/// The answer that every column has.
pub(crate) const NEVER: &str = "never publish it";

impl Choice {
    /// The choice of a role.
    pub(crate) fn role(attribute: &str, role: Role, label: &str) -> Self {
        let decision = Decision::Role { attribute: attribute.to_owned(), role };
        Self { label: label.to_owned(), decision }
    }
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
    /// The role of a column in a project of another program, if the column can have it. A [`Role`](Self::Role) counts more.
    DeclaredRole {
        /// The name of the attribute.
        attribute: String,
        /// The declared role.
        role: Role,
        /// The program.
        origin: &'static str,
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
        /// The decided form. Its hundred years hold for both tables, its pattern for the tables that it fits.
        form: DateForm,
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
    /// The limit of an attribute's published sets or ranges, if its hierarchy permits it.
    Limit {
        /// The name of the attribute.
        attribute: String,
        /// The decided limit.
        limit: Limit,
    },
    /// The column of P that a column of T is; `None` if P does not have it.
    Pair {
        /// The name of T's column.
        private: String,
        /// The name of P's column.
        public: Option<String>,
    },
    /// Texts, as they are written, mean a missing value. The project then lists them under `missing`.
    Missing {
        /// The name of the attribute.
        attribute: String,
        /// The texts.
        texts: Vec<String>,
    },
    /// Texts that read like labels of a release are values. The project then spells them otherwise.
    Respell {
        /// The name of the attribute.
        attribute: String,
    },
    /// The values of T that P does not have stay unchanged.
    UnmatchedValues {
        /// The name of the attribute.
        attribute: String,
    },
    /// Which rows of a table are people, or where the names of its columns are.
    Rows {
        /// Whether the table is T.
        of_private: bool,
        /// The key of the project.
        key: &'static str,
        /// Its value, as a project file writes it.
        value: String,
    },
    /// What rows with one value of an identifier are.
    Repeats {
        /// The name of the attribute; for a column that only P has, the name of the column.
        column: String,
        /// What they are.
        rows: PersonRows,
    },
    /// The column of P with numbers of people; `None` if P has no such column.
    Count(Option<String>),
    /// The column of P that marks the people of T, if T is a part of P.
    Member(String),
    /// The rule for people of T who are not in P.
    NotInPublic(NotInPublic),
    /// The upper bound of δ.
    DeltaMax(Presence),
    /// δmin and δmax of a project of another program. A [`DeltaMax`](Self::DeltaMax) counts more; δmin is never above it.
    DeclaredDelta(Presence, Presence),
    /// A proposed answer was taken as it was. It counts as the decision in it, but is not called one.
    Accepted(Box<Decision>),
}

impl Decision {
    /// The decision, whether a person made it or accepted it.
    pub fn made(&self) -> &Self {
        match self {
            Self::Accepted(decision) => decision.made(),
            decision => decision,
        }
    }

    /// The decision as one that accepts what was proposed.
    #[must_use]
    pub fn accepted(self) -> Self {
        match self {
            Self::Accepted(_) => self,
            decision => Self::Accepted(Box::new(decision)),
        }
    }

    /// The attribute, or the column of T, that the decision is about.
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Self::Role { attribute: name, .. }
            | Self::DeclaredRole { attribute: name, .. }
            | Self::Kind { attribute: name, .. }
            | Self::Date { attribute: name, .. }
            | Self::Number { attribute: name, .. }
            | Self::Hierarchy { attribute: name, .. }
            | Self::Limit { attribute: name, .. }
            | Self::Pair { private: name, .. }
            | Self::Missing { attribute: name, .. }
            | Self::Respell { attribute: name }
            | Self::UnmatchedValues { attribute: name }
            | Self::Repeats { column: name, .. } => Some(name),
            Self::Accepted(decision) => decision.attribute(),
            Self::Rows { .. }
            | Self::Count(_)
            | Self::Member(_)
            | Self::NotInPublic(_)
            | Self::DeltaMax(_)
            | Self::DeclaredDelta(..) => None,
        }
    }
}

/// All decisions so far. If two decisions are about the same question, the last one counts.
#[derive(Clone, Debug, Default)]
pub struct Decisions(pub Vec<Decision>);

impl Decisions {
    /// The decisions, whether a person made or accepted them.
    pub(crate) fn made(&self) -> impl DoubleEndedIterator<Item = &Decision> {
        self.0.iter().map(Decision::made)
    }

    pub(crate) fn last<'a, T>(&'a self, of: impl Fn(&'a Decision) -> Option<T>) -> Option<T> {
        self.made().rev().find_map(of)
    }

    /// Who made the last decision of a kind, as a reason: what a person only accepted is not called a decision.
    pub(crate) fn reason(&self, is_it: impl Fn(&Decision) -> bool) -> &'static str {
        if self.is_accepted(is_it) { "proposed, and accepted" } else { "by your decision" }
    }

    /// Whether the last decision of a kind only accepts what was proposed.
    pub(crate) fn is_accepted(&self, is_it: impl Fn(&Decision) -> bool) -> bool {
        let last = self.0.iter().rfind(|decision| is_it(decision.made()));
        matches!(last, Some(Decision::Accepted(_)))
    }

    /// The decisions about the rows of both tables: the key and value of each.
    pub(crate) fn rows(&self) -> Vec<Decision> {
        self.made().filter(|decision| matches!(decision, Decision::Rows { .. })).cloned().collect()
    }

    pub(crate) fn role(&self, name: &str) -> Option<Role> {
        self.last(|decision| match decision {
            Decision::Role { attribute, role } if attribute == name => Some(*role),
            _ => None,
        })
    }

    /// The role that another program has for a column, and the name of the program.
    pub(crate) fn declared_role(&self, name: &str) -> Option<(Role, &'static str)> {
        self.last(|decision| match decision {
            Decision::DeclaredRole { attribute, role, origin } if attribute == name => Some((*role, *origin)),
            _ => None,
        })
    }

    pub(crate) fn kind(&self, name: &str) -> Option<ValueKind> {
        self.last(|decision| match decision {
            Decision::Kind { attribute, kind } if attribute == name => Some(*kind),
            _ => None,
        })
    }

    /// The forms of its dates, the last decision first.
    pub(crate) fn dates(&self, name: &str) -> impl Iterator<Item = &DateForm> {
        self.made().rev().filter_map(move |decision| match decision {
            Decision::Date { attribute, form } if attribute == name => Some(form),
            _ => None,
        })
    }

    pub(crate) fn number(&self, name: &str) -> Option<NumberForm> {
        self.last(|decision| match decision {
            Decision::Number { attribute, form } if attribute == name => Some(*form),
            _ => None,
        })
    }

    pub(crate) fn missing(&self, name: &str) -> impl Iterator<Item = &str> {
        let texts = self.made().filter_map(move |decision| match decision {
            Decision::Missing { attribute, texts } if attribute == name => Some(texts),
            _ => None,
        });
        texts.flatten().map(String::as_str)
    }

    pub(crate) fn leaves_strangers(&self, name: &str) -> bool {
        self.made()
            .any(|decision| matches!(decision, Decision::UnmatchedValues { attribute } if attribute == name))
    }

    pub(crate) fn hierarchy(&self, name: &str) -> Option<&HierarchySource> {
        self.last(|decision| match decision {
            Decision::Hierarchy { attribute, source } if attribute == name => Some(source),
            _ => None,
        })
    }

    pub(crate) fn limit(&self, name: &str) -> Option<Limit> {
        self.last(|decision| match decision {
            Decision::Limit { attribute, limit } if attribute == name => Some(*limit),
            _ => None,
        })
    }

    pub(crate) fn member(&self) -> Option<&str> {
        self.last(|decision| match decision {
            Decision::Member(column) => Some(column.as_str()),
            _ => None,
        })
    }

    #[expect(clippy::option_option, reason = "not decided, decided for none, decided for one")]
    pub(crate) fn pair(&self, name: &str) -> Option<Option<&str>> {
        self.last(|decision| match decision {
            Decision::Pair { private, public } if private == name => Some(public.as_deref()),
            _ => None,
        })
    }

    #[expect(clippy::option_option, reason = "not decided, decided for none, decided for one")]
    pub(crate) fn count(&self) -> Option<Option<&str>> {
        self.last(|decision| match decision {
            Decision::Count(column) => Some(column.as_deref()),
            _ => None,
        })
    }

    pub(crate) fn not_in_public(&self) -> Option<NotInPublic> {
        self.last(|decision| match decision {
            Decision::NotInPublic(what) => Some(*what),
            _ => None,
        })
    }

    pub(crate) fn delta_max(&self) -> Option<Presence> {
        self.last(|decision| match decision {
            Decision::DeltaMax(max) => Some(*max),
            _ => None,
        })
    }

    pub(crate) fn declared_delta(&self) -> Option<(Presence, Presence)> {
        self.last(|decision| match decision {
            Decision::DeclaredDelta(min, max) => Some((*min, *max)),
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
    pub(crate) fn of(attribute: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            attribute: Some(attribute.to_owned()),
            what: what.into(),
            remedy: remedy.into(),
            choices: Vec::new(),
        }
    }
}
