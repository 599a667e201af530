//! What rows with one value of an identifier are.

use palmtop_tables::read::OneRow;

/// What rows with one value of an identifier are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Repeated {
    /// Nobody said, so that such rows are refused.
    #[default]
    Unsaid,
    /// Different people, for the reason that the project gives.
    Shared(Option<String>),
    /// One person, for whom one row counts.
    Person(OneRow),
}

/// A column of P that says who is a person, and that T lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonColumn {
    /// The column.
    pub column: String,
    /// What rows with one value are.
    pub repeated: Repeated,
}
