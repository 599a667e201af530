//! The command line of `palmtop-experiment`.

use std::path::PathBuf;

use clap::Parser;
use palmtop_console::format::Format;
use palmtop_core::metrics::Metric;
use palmtop_core::model::Presence;

use super::method::Method;

/// Repeats the experiments of the paper on a project: strategies over δmax and over δmin, as tables, charts and claims.
#[derive(Debug, Parser)]
#[command(version, name = "palmtop-experiment", max_term_width = 100)]
pub(crate) struct ExperimentArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = format!("Of {}; separated by commas, by default all", Method::names()))]
    pub(crate) strategies: Vec<Method>,
    /// The δmax of the first sweep, separated by commas, δmin held at the project's; by default from just above |T|/|P| to 0.9.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(crate) delta_max: Vec<Presence>,
    /// The δmin of the second sweep, δmax held at the project's; by default from 0 to just below |T|/|P|.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(crate) delta_min: Vec<Presence>,
    /// What the searches minimize: loss, `loss_geometric` or discernibility. The nine and Mondrian follow their own rules.
    #[arg(long, value_name = "M", default_value = "loss", value_parser = metric)]
    pub(crate) metric: Metric,
    /// The rounds of `best`: a number, not a time, so that the experiment gives the same releases anywhere.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) rounds: u64,
    /// The seed of `best`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Also write the table, and each figure as CSV and SVG, into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite files of these names.
    #[arg(long)]
    pub(crate) force: bool,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

fn metric(name: &str) -> Result<Metric, String> {
    let known = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    known.ok_or_else(|| "expected loss, loss_geometric, discernibility or readable".to_owned())
}
