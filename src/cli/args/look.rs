//! What `compare` measures: a node, the release of a strategy, or a written file.

use std::path::PathBuf;

use palmtop::search::Strategy;
use palmtop::strategy::GONE;

use super::shared::NodeArgument;

/// What is measured: a node, a strategy's release, or a written file.
#[derive(Clone, Debug)]
pub(crate) enum Measured {
    Node(NodeArgument),
    Strategy(Strategy),
    File(PathBuf),
}

impl Measured {
    /// The strategy, if it is one.
    pub(crate) fn strategy(&self) -> Option<Strategy> {
        if let Self::Strategy(strategy) = self { Some(*strategy) } else { None }
    }
}

impl std::str::FromStr for Measured {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<Strategy>() {
            Ok(strategy) => return Ok(Self::Strategy(strategy)),
            Err(gone) if GONE.contains(&text) => return Err(gone.to_string()),
            Err(_) => {}
        }
        Ok(text.parse().map_or_else(|_: String| Self::File(PathBuf::from(text)), Self::Node))
    }
}
