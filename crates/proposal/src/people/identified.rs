//! An identifier that several rows have, and what these rows are.

use palmtop_tables::literal::toml_string;

/// What rows with one value of an identifier are, by the analyst's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonRows {
    /// One person, counted once: the rows agree.
    Distinct,
    /// One person, whose first row by this column counts.
    FirstBy(String),
    /// All rows of a person.
    Entity,
    /// Different people, for a reason that is still to be written.
    Shared,
}

/// An identifier that several rows have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The name of the attribute; for a column that only P has, the name of the column.
    pub(crate) name: String,
    /// Its columns in P and in T.
    pub(crate) columns: [Option<String>; 2],
    /// Whether only its name or its values say that it identifies people.
    pub(crate) is_guess: bool,
    /// Whether its name says that it identifies people.
    pub(crate) is_named: bool,
    /// The columns by which the first row of a person can be taken.
    pub(crate) orders: Vec<String>,
}

impl PersonRows {
    /// The keys of an identifier in a project.
    pub(crate) fn keys(&self) -> String {
        match self {
            Self::Distinct => "distinct = true".to_owned(),
            Self::FirstBy(column) => format!("first_by = {}", toml_string(column)),
            Self::Entity => String::new(),
            Self::Shared => "repeats = \"\"".to_owned(),
        }
    }

    /// The meaning, as a comment.
    pub(crate) fn meaning(&self) -> &'static str {
        match self {
            Self::Distinct => "one person, counted once",
            Self::FirstBy(_) => "one row of each person counts, the first",
            Self::Entity => "all rows of a person",
            Self::Shared => "different people share a value: write the reason",
        }
    }
}
