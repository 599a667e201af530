//! What was done to take a step: one of a few things, never a text of anybody's own.

use std::fmt;
use std::str::FromStr;

use palmtop_core::model::{Delta, TermError};
use palmtop_search::Strategy;
use palmtop_search::strategy::UnknownStrategy;

/// What was done to take a step.
///
/// In a file and on screen it is a few words, which read back as what they were written from; see [`FromStr`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// The session began: `start`.
    Start,
    /// An attribute was taken a level up: `coarser zip`.
    Coarser(String),
    /// An attribute was taken a level down: `finer zip`.
    Finer(String),
    /// From a release by region back to the node that was stood on before: `back to the node`.
    BackToNode,
    /// A node of the lattice was opened: `lattice`.
    Lattice,
    /// What a search found was opened: `search n2`.
    Search(Strategy),
    /// A candidate of the comparison was opened: `from the comparison`.
    Comparison,
    /// The release of the place was written: `export`.
    Exported,
    /// A release of the register was opened: `from the releases`.
    Registered,
    /// δ was written into the project file: `δ into the project`.
    IntoProject,
    /// The place is judged by another δ: `δ 1/2 to 2/3`.
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

impl fmt::Display for How {
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

/// A text that says nothing that can be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownHow {
    /// It is none of the forms.
    #[error(
        "`{text}` is nothing that a step can be; possible are `{START}`, `{COARSER}ATTRIBUTE`, `{FINER}ATTRIBUTE`, \
         `{BACK_TO_NODE}`, `{LATTICE}`, `{SEARCH}STRATEGY`, `{COMPARISON}`, `{EXPORTED}`, `{REGISTERED}`, `{INTO_PROJECT}` and `{DELTA}MIN to MAX`"
    )]
    Text {
        /// The text.
        text: String,
    },
    /// No strategy of that name.
    #[error(transparent)]
    Strategy(#[from] UnknownStrategy),
    /// No δ.
    #[error(transparent)]
    Delta(#[from] TermError),
}

impl FromStr for How {
    type Err = UnknownHow;

    fn from_str(text: &str) -> Result<Self, UnknownHow> {
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
                _ => return Err(UnknownHow::Text { text: text.to_owned() }),
            }
        };
        // Only what is written here reads back: no strategy by another of its names, no δ in another form.
        if how.to_string() == text { Ok(how) } else { Err(UnknownHow::Text { text: text.to_owned() }) }
    }
}
