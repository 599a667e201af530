//! Options of the commands that show tables and releases: `classes`, `lattice`, `risk` and `utility`.

use std::path::PathBuf;

use clap::Args;
use palmtop::listing::Column;
use palmtop::model::Fraction;
use palmtop::search::Strategy;
use palmtop::utility::Workload;

use super::shared::{ChartArguments, DeltaArguments, NodeArgument, SearchArguments};
use palmtop_console::format::Format;

/// What `--filter` takes.
const FILTERS: &str = "A filter is a list of terms, separated by blanks. A class is listed if all terms hold:\n  \
    presence>.4    its presence compares so: > >= < <= =, with a fraction, a decimal or a percentage\n  \
    private>=10    its number of members of T compares so; likewise public<5 for people of P\n  \
    posterior_max>.4  somebody's posterior compares so; likewise posterior_min<1%. This needs a prior\n  \
    age:45         the label is this value, or a label, range or set that covers it\n  \
    zip:479        479 is no value of zip, and the label contains this text, in any case\n  \
    zip=4790*      the label is exactly this text\n  \
    over, under, ok, broken, empty  it has this verdict; broken is over or under, empty has no member\n  \
    any other word  the label of some attribute contains it\n\
    ! before a term negates it. Double quotes keep blanks and operators in a value: education:\"first degree\". \
    The name of an attribute may be in any case, and may be shortened as long as it is unique.\n\n\
    The exit status judges all classes, listed or not.";

/// The help of `classes --sort`.
fn sort_help() -> String {
    let figures = |of_prior| {
        let figures = Column::ALL.into_iter().filter(|column| column.is_figure());
        let named = figures.filter(|column| column.needs_prior() == of_prior).map(Column::name);
        named.collect::<Vec<_>>().join(", ")
    };
    format!(
        "Sort by KEY: worst (farthest outside δ first), {} (highest first; with a prior also {}), or a \
         quasi-identifier (in the order of its values). A - before KEY reverses the order",
        figures(false),
        figures(true)
    )
}

#[derive(Debug, Args)]
#[command(after_help = FILTERS)]
pub(crate) struct ClassesArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The node: one level per quasi-identifier, separated by commas. By default the finest node.
    #[arg(long, value_name = "LEVELS", conflicts_with = "strategy")]
    pub(crate) node: Option<NodeArgument>,
    #[arg(long, value_name = "S", help = format!("List the release of this strategy: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// List only the classes for which all terms hold, such as 'broken private>=10 zip:479'. The terms are listed below.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    #[arg(long, value_name = "KEY", default_value = "worst", allow_hyphen_values = true, help = sort_help())]
    pub(crate) sort: String,
    #[command(flatten)]
    pub(crate) chart: ChartArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct LatticeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// Count the classes of every node, also if its verdict follows from another node.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

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

#[derive(Debug, Args)]
pub(crate) struct RiskArguments {
    #[command(flatten)]
    pub(crate) what: MeasuredArguments,
    /// The c of recursive (c, l)-diversity: the most frequent value must occur fewer than c times as often as the rarer values together.
    #[arg(long, value_name = "C", default_value = "3", allow_negative_numbers = true)]
    pub(crate) recursive_c: Fraction,
    /// List the N classes with the highest risk.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) worst: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct UtilityArguments {
    #[command(flatten)]
    pub(crate) what: MeasuredArguments,
    /// Ask N counting queries, drawn from --seed.
    #[arg(long, value_name = "N", default_value_t = Workload::QUERIES, value_parser = clap::value_parser!(u64).range(1..=Workload::MOST_QUERIES))]
    pub(crate) queries: u64,
    /// List the N classes with the highest loss, and the N queries with the largest error.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) worst: usize,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
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
        if let Ok(strategy) = text.parse() {
            return Ok(Self::Strategy(strategy));
        }
        Ok(text.parse().map_or_else(|_: String| Self::File(PathBuf::from(text)), Self::Node))
    }
}
