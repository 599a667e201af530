//! The action of a step: one of a fixed set, never a free text.

use std::fmt;
use std::str::FromStr;

use super::LoggedStrategy;
use palmtop_core::model::{Delta, TermError};
use palmtop_core::strategy::UnknownStrategy;

/// The action of a step.
///
/// In a file and on the screen, an action is a few words, which [`FromStr`] reads back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The sitting began: `start`.
    Start,
    /// The level of an attribute was raised by one: `coarser zip`.
    Coarser(String),
    /// The level of an attribute was lowered by one: `finer zip`.
    Finer(String),
    /// The analyst went from regions back to the node before them: `back to the node`.
    BackToNode,
    /// A node of the lattice was opened: `lattice`.
    Lattice,
    /// The result of a search was opened: `search n2`.
    Search(LoggedStrategy),
    /// A candidate of the comparison was opened: `from the comparison`.
    Comparison,
    /// The release was written: `export`.
    Exported,
    /// A release of the history was opened: `from the releases`.
    Registered,
    /// δ was written into the project file: `δ into the project`.
    IntoProject,
    /// The release is judged under another δ: `δ 1/2 to 2/3`.
    Delta(Delta),
}

const START: &str = "start";
const COARSER: &str = "coarser ";
const FINER: &str = "finer ";
const BACK_TO_NODE: &str = "back to the node";
const LATTICE: &str = "lattice";
const SEARCH: &str = "search ";
const COMPARISON: &str = "from the comparison";
const EXPORTED: &str = "export";
const REGISTERED: &str = "from the releases";
const INTO_PROJECT: &str = "δ into the project";
const DELTA: &str = "δ ";

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str(START),
            Self::Coarser(attribute) => write!(f, "{COARSER}{attribute}"),
            Self::Finer(attribute) => write!(f, "{FINER}{attribute}"),
            Self::BackToNode => f.write_str(BACK_TO_NODE),
            Self::Lattice => f.write_str(LATTICE),
            Self::Search(strategy) => write!(f, "{SEARCH}{strategy}"),
            Self::Comparison => f.write_str(COMPARISON),
            Self::Exported => f.write_str(EXPORTED),
            Self::Registered => f.write_str(REGISTERED),
            Self::IntoProject => f.write_str(INTO_PROJECT),
            Self::Delta(delta) => write!(f, "{DELTA}{} to {}", delta.min(), delta.max()),
        }
    }
}

/// A text that is not an action.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownAction {
    /// The text has none of the known forms.
    #[error(
        "`{text}` is not an action of a step; expected `{START}`, `{COARSER}ATTRIBUTE`, `{FINER}ATTRIBUTE`, \
         `{BACK_TO_NODE}`, `{LATTICE}`, `{SEARCH}STRATEGY`, `{COMPARISON}`, `{EXPORTED}`, `{REGISTERED}`, `{INTO_PROJECT}` or `{DELTA}MIN to MAX`"
    )]
    Text {
        /// The text that was read.
        text: String,
    },
    /// No strategy has this name.
    #[error(transparent)]
    Strategy(#[from] UnknownStrategy),
    /// The bounds are not a δ.
    #[error(transparent)]
    Delta(#[from] TermError),
}

impl FromStr for Action {
    type Err = UnknownAction;

    fn from_str(text: &str) -> Result<Self, UnknownAction> {
        let how = if let Some(attribute) = text.strip_prefix(COARSER) {
            Self::Coarser(attribute.to_owned())
        } else if let Some(attribute) = text.strip_prefix(FINER) {
            Self::Finer(attribute.to_owned())
        } else if let Some(strategy) = text.strip_prefix(SEARCH) {
            Self::Search(strategy.parse()?)
        } else if let Some((min, max)) = text.strip_prefix(DELTA).and_then(|rest| rest.split_once(" to ")) {
            Self::Delta(Delta::read(min, max)?)
        } else {
            match text {
                START => Self::Start,
                BACK_TO_NODE => Self::BackToNode,
                LATTICE => Self::Lattice,
                COMPARISON => Self::Comparison,
                EXPORTED => Self::Exported,
                REGISTERED => Self::Registered,
                INTO_PROJECT => Self::IntoProject,
                _ => return Err(UnknownAction::Text { text: text.to_owned() }),
            }
        };
        // Only the written form is accepted: no other name of a strategy, and no other form of δ.
        if how.to_string() == text { Ok(how) } else { Err(UnknownAction::Text { text: text.to_owned() }) }
    }
}
