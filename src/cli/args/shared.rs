//! Options that several commands have: δ, the search, a node, a chart.

use std::path::PathBuf;

use clap::Args;
use palmtop::compatibility::Feature;
use palmtop::metrics::Metric;
use palmtop::model::{Level, Presence};
use palmtop::search::Budget;
use palmtop::utility::Workload;

#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct DeltaArguments {
    /// Use this δmin: 2/3, 0.05 or 5%.
    ///
    /// A fraction, a decimal or a percentage.
    ///
    /// By default the project's.
    #[arg(long, value_name = "D")]
    pub(crate) delta_min: Option<Presence>,
    /// Use this δmax; by default the project's.
    #[arg(long, value_name = "D")]
    pub(crate) delta_max: Option<Presence>,
}

/// The options of a search.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SearchArguments {
    /// What the search minimizes.
    ///
    /// Loss, `loss_geometric`, discernibility or readable.
    ///
    /// Loss is the weighted mean of the attributes' losses, `loss_geometric` Π(1 + loss)^(w/W) − 1,
    /// discernibility (Σ t² over classes with t members), or readable (the loss, and 0.01 for each term of a cell beyond the first, as
    /// the mean over cells; for nodes this is the loss).
    ///
    /// The nine strategies of the paper follow their own rules.
    #[arg(long, value_name = "M", default_value = "loss", value_parser = minimized)]
    pub(crate) metric: Metric,
    /// When a search stops: 5s, or for best 40rounds or 120steps.
    ///
    /// Stop each search after this time (5s), or `best` after this work (40rounds, 120steps), and take the best release found so far.
    ///
    /// By default, `best` takes 5s, and `spalm` at most 60s. A run of `best` that time stopped prints the work that repeats it, on every
    /// machine.
    #[arg(long, value_name = "BUDGET", allow_hyphen_values = true)]
    pub(crate) budget: Option<Budget>,
    /// The seed of random draws.
    ///
    /// They are the moves of `best`, and the queries of `compare`.
    ///
    /// No other strategy draws.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// A node as typed: its levels, not yet checked against a lattice.
#[derive(Clone, Debug)]
pub(crate) struct NodeArgument(pub(crate) Vec<Level>);

impl std::str::FromStr for NodeArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let level = |part: &str| {
            let number = part.trim().parse();
            number.map(Level).map_err(|_| format!("`{part}` is not a level; expected numbers, such as 3,2,2"))
        };
        text.split(',').map(level).collect::<Result<_, _>>().map(Self)
    }
}

fn minimized(name: &str) -> Result<Metric, String> {
    if name == Workload::QUERY_ERROR {
        return Err("it is measured by `compare`, and no longer searched for; search for loss".to_owned());
    }
    let known = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    known.ok_or_else(|| "expected loss, loss_geometric, discernibility or readable".to_owned())
}

impl SearchArguments {
    /// Each option that may exclude others, and whether it is given.
    pub(crate) fn features(&self) -> [(bool, Feature); 2] {
        [
            (matches!(self.budget, Some(Budget::Seconds(_))), Feature::Seconds),
            (matches!(self.budget, Some(Budget::Rounds(_) | Budget::Steps(_))), Feature::Rounds),
        ]
    }
}

/// Where a chart of the result goes.
#[derive(Clone, Debug, Args)]
pub(crate) struct ChartArguments {
    /// Also draw a chart, as SVG.
    ///
    /// `classes` draws the people of P by presence, `compare` the loss of each release.
    ///
    /// With several δmax, `compare` draws the loss of each strategy by δmax.
    #[arg(short = 'o', long = "output", value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, requires = "svg")]
    pub(crate) force: bool,
}
