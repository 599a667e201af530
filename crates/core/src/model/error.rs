//! Errors of the model itself, without files or searches.

use palmtop_terms::{Kind, TermError};

/// An invalid value that the model refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An invalid presence, fraction or δ.
    #[error(transparent)]
    Term(#[from] TermError),
    /// A node whose levels the lattice does not have.
    #[error("{node} is no node of this lattice: {detail}")]
    NotANode {
        /// The node as given.
        node: String,
        /// A description of the error and of the possible levels.
        detail: String,
    },
    /// An invalid hierarchy, histogram, prior or problem, in words.
    #[error("{0}")]
    Invalid(String),
}

/// Errors that several constructors report.
impl ModelError {
    pub(super) fn no_leaves() -> Self {
        Self::Invalid("the hierarchy has no values".to_owned())
    }

    /// The table `private` or `public` has no people.
    pub(crate) fn empty(table: &str) -> Self {
        Self::Invalid(format!("the {table} table is empty"))
    }

    /// A combination, column or code that does not fit the attributes.
    pub(crate) fn histogram(detail: &str) -> Self {
        Self::Invalid(format!("the histogram does not fit the attributes: {detail}"))
    }

    /// A leaf that is not of the attribute's kind.
    pub fn not_of_kind(leaf: &str, kind: Kind) -> Self {
        Self::Invalid(format!("`{leaf}` is no {}; correct it, or set kind = \"category\"", kind.as_str()))
    }

    /// Two leaves that are one number or one day.
    pub fn equal_values(first: &str, second: &str, kind: Kind) -> Self {
        let remedy = match kind {
            Kind::Number => ", or have both read as one: `number = \"1234.5\"` under their [[attribute]]",
            Kind::Date | Kind::Category => "",
        };
        let kind = kind.as_str();
        Self::Invalid(format!(
            "`{first}` and `{second}` are the same {kind} written twice; write it one way{remedy}"
        ))
    }
}
