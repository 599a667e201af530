//! Options of the commands that help to decide on δ: `advise`, `unique`, `estimate` and `compare`.

use std::num::NonZeroU64;

use clap::Args;
use palmtop::model::{Fraction, Presence};
use palmtop::search::Strategy;

use super::shared::{BoundArgument, ChartArguments, DeltaArguments, NodeArgument, SearchArguments};
use palmtop_console::format::Format;

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("of").required(true).args(["project", "share"]))]
pub(crate) struct AdviseArguments {
    /// Take |T|/|P| from this project: its file, or @clinic, @paper, @trial. The project needs no δ.
    pub(crate) project: Option<String>,
    /// |T|/|P|, without a project: a fraction (1/25), a decimal (0.04) or a percentage (4%).
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) share: Option<Presence>,
    /// The prior belief that a random person of P has the property that all of T has.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) prior: Presence,
    /// The acceptable misuse if belief rises: with a cost of 1, how far belief may rise. This bounds δmax.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) misuse: Fraction,
    /// The acceptable misuse if belief falls. This bounds δmin; by default δmin is 0.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) misuse_down: Option<Fraction>,
    /// The cost of one wrongly changed belief, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", allow_negative_numbers = true)]
    pub(crate) cost: Fraction,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct UniqueArguments {
    /// The number of people.
    #[arg(long, value_name = "N")]
    pub(crate) people: NonZeroU64,
    /// The number of possible combinations: multiply the numbers of values of all attributes.
    #[arg(long, value_name = "D")]
    pub(crate) combinations: NonZeroU64,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What `estimate` says, in its help.
const ESTIMATING: &str = "If the project says `sample_of = N` under [public], P is a random sample of N people. The command then \
    bounds the presence of each class from above, and estimates from P how many people are unique in the population. \
    Without `sample_of`, the command does not use P: it takes T for a random sample of --population N people, which never \
    gives a δ.\n\n\
    Exit status: 0 estimates were made, whatever they are; 1 an error; 2 wrong usage, for example a δ if P is no sample.";

#[derive(Debug, Args)]
#[command(after_help = ESTIMATING)]
pub(crate) struct EstimateArguments {
    /// The project file, or @clinic, @paper, @trial. The project needs no δ.
    pub(crate) project: String,
    /// The node: one level per quasi-identifier, separated by commas. By default the finest node.
    #[arg(long, visible_alias = "levels", value_name = "LEVELS")]
    pub(crate) node: Option<NodeArgument>,
    /// The size of the population; by default the project's `sample_of`. T counts as a random sample of this population.
    #[arg(long, value_name = "N")]
    pub(crate) population: Option<u64>,
    /// The k of the k-map test.
    #[arg(long, value_name = "K", default_value_t = 11)]
    pub(crate) k_map: u64,
    /// The error rate of the k-map test: how often it may take a class of only k people for a larger one.
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// The confidence of all bounds of presence together, if P is a sample; by default 0.95.
    #[arg(long, value_name = "C")]
    pub(crate) confidence: Option<f64>,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = format!("Run these strategies, separated by commas; by default all. They are {}", Strategy::names()))]
    pub(crate) strategies: Vec<Strategy>,
    /// Use this δmin; by default the project's.
    #[arg(long, value_name = "D")]
    pub(crate) delta_min: Option<Presence>,
    /// Use these δmax, separated by commas; by default the project's.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(crate) delta_max: Vec<Presence>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) bound: BoundArgument,
    #[command(flatten)]
    pub(crate) chart: ChartArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
