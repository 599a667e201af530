//! Errors of numbers that are not a presence, a fraction or δ.

/// A text or a pair of numbers that is not a presence, a fraction or δ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TermError {
    /// A text or ratio that is not a number from 0 to 1.
    #[error(
        "{}: expected a fraction such as 2/3, a decimal such as 0.05 or a percentage such as 5%, from 0 to 1",
        invalid(what, text)
    )]
    NotAPresence {
        /// The name of the number: `presence`, `δmin`.
        what: &'static str,
        /// The given text.
        text: String,
    },
    /// A text that is not a number of at least 0.
    #[error(
        "{}: expected a fraction such as 3/2, a decimal such as 0.01 or a percentage such as 1%, of 0 or more",
        invalid(what, text)
    )]
    NotAFraction {
        /// The name of the number: `number`, `misuse`.
        what: &'static str,
        /// The given text.
        text: String,
    },
    /// δmin is above δmax.
    #[error("δmin {min} is above δmax {max}: no class could keep both; lower δmin or raise δmax")]
    DeltaOrder {
        /// The given δmin.
        min: String,
        /// The given δmax.
        max: String,
    },
}

impl TermError {
    /// The same error with the name of the number: `δmin`, `misuse`.
    #[must_use]
    pub fn given_for(self, what: &'static str) -> Self {
        match self {
            Self::NotAPresence { text, .. } => Self::NotAPresence { what, text },
            Self::NotAFraction { text, .. } => Self::NotAFraction { what, text },
            Self::DeltaOrder { .. } => self,
        }
    }
}

/// "invalid δmin `x`", or "δmin is missing" for an empty text.
fn invalid(what: &str, text: &str) -> String {
    if text.is_empty() { format!("{what} is missing") } else { format!("invalid {what} `{text}`") }
}
