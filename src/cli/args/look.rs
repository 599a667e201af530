//! What `risk` and `utility` measure: a node, the release of a strategy, or a written file.

use std::path::PathBuf;

use clap::Args;
use palmtop::search::Strategy;
use palmtop::search::strategy::GONE;

use super::shared::{DeltaArguments, NodeArgument, SearchArguments};

/// What is measured, for `risk` and `utility`.
#[derive(Debug, Args)]
pub(crate) struct MeasuredArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// What to measure: a node (3,2,2), a strategy, or a written release; by default the finest node. Write ./best for a file
    /// whose name is that of a strategy.
    #[arg(value_name = "WHAT")]
    pub(crate) measured: Vec<Measured>,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
}

/// What is measured: a node, a strategy's release, or a written file.
#[derive(Clone, Debug)]
pub(crate) enum Measured {
    Node(NodeArgument),
    Strategy(Strategy),
    File(PathBuf),
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
