//! Numbers that no term can hold.

use super::presence::Presence;

/// A text or a pair of numbers that is no presence, no fraction or no δ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TermError {
    /// A text or ratio that is no number between 0 and 1.
    #[error(
        "{}: expected a fraction such as 2/3, a decimal such as 0.05 or a percentage such as 5%, from 0 to 1",
        invalid(what, text)
    )]
    NotAPresence {
        /// What it was given for: `presence`, `δmin`.
        what: &'static str,
        /// What was given.
        text: String,
    },
    /// A text that is no number of 0 or more.
    #[error(
        "{}: expected a fraction such as 3/2, a decimal such as 0.01 or a percentage such as 1%, of 0 or more",
        invalid(what, text)
    )]
    NotAFraction {
        /// What it was given for: `number`, `misuse`.
        what: &'static str,
        /// What was given.
        text: String,
    },
    /// δmin above δmax.
    #[error("δmin {min} is above δmax {max}: no class could keep both; lower δmin or raise δmax")]
    DeltaOrder {
        /// δmin as given.
        min: Presence,
        /// δmax as given.
        max: Presence,
    },
}

impl TermError {
    /// The same error, naming what the number was given for: `δmin`, `misuse`.
    #[must_use]
    pub fn given_for(self, what: &'static str) -> Self {
        match self {
            Self::NotAPresence { text, .. } => Self::NotAPresence { what, text },
            Self::NotAFraction { text, .. } => Self::NotAFraction { what, text },
            Self::DeltaOrder { .. } => self,
        }
    }
}

/// "invalid δmin `x`", or that nothing was given.
fn invalid(what: &str, text: &str) -> String {
    if text.is_empty() { format!("{what} is missing") } else { format!("invalid {what} `{text}`") }
}
