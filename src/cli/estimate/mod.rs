//! `estimate`: estimates for a project whose P is not fully known. It never gives a verdict.

mod figures;
mod view;

use palmtop::estimate::{Confidence, EstimateError, KMapTest};
use palmtop::model::Presence;
use palmtop::pipeline::{Estimation, Overrides};

use super::args::{DeltaArguments, NodeArgument};
use super::load::ProjectFile;
use clap::Args;
use figures::{Asked, Estimated};
#[cfg(test)]
pub(super) use figures::{COLUMNS, EstimateResult};
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::progress::ProgressLine;
use palmtop_console::status::{Status, Usage};

/// What `estimate` says, in its help.
const ESTIMATING: &str = "If the project says `sample_of = N` under [public], P is a random sample of N people. The command then \
    bounds the presence of each class from above, and estimates from P how many people are unique in the population. \
    Without `sample_of`, the command does not use P: it takes T for a random sample of --population N people, which never \
    gives a δ.\n\n\
    Exit status: 0 estimates were made, whatever they are; 1 an error; 2 wrong usage, for example a δ if P is no sample.";

#[derive(Debug, Args)]
#[command(after_long_help = ESTIMATING)]
pub(crate) struct EstimateArguments {
    /// The project file, or @clinic, @paper, @trial. The project needs no δ.
    pub(crate) project: String,
    /// The node: one level per quasi-identifier, separated by commas.
    ///
    /// By default the finest node.
    #[arg(long, visible_alias = "levels", value_name = "LEVELS")]
    pub(crate) node: Option<NodeArgument>,
    /// The size of the population; by default the project's `sample_of`.
    ///
    /// T counts as a random sample of this population.
    #[arg(long, value_name = "N")]
    pub(crate) population: Option<u64>,
    /// The k of the k-map test.
    #[arg(long, value_name = "K", default_value_t = 11)]
    pub(crate) k_map: u64,
    /// The confidence of bounds and tests.
    ///
    /// It is that of all bounds of presence together, if P is a sample; and of the k-map test: at most the rest of 1 may be the
    /// chance that it takes a class of only k people for a larger one.
    #[arg(long, value_name = "C", default_value_t = 0.95)]
    pub(crate) confidence: f64,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// The error if the size of the population is unknown.
const NO_POPULATION: &str = "nothing says how large the population is: give --population N if T is a random sample of N people; or \
    write `sample_of = N` under [public] of the project if P is one";

/// The error if δ is given but P is not a sample.
const NO_DELTA: &str = "δ is never inferred from T alone: T does not say who of the population is not in it, so that a class of \
    any size may consist of members only. δ is for a P that is a sample (`sample_of = N` under [public]); \
    where P is all of the population, `palmtop classes` has the presences themselves";

pub(super) fn run(arguments: &EstimateArguments) -> anyhow::Result<Status> {
    let usage = |error: EstimateError| Usage(error.to_string());
    let confidence = Confidence::new(arguments.confidence).map_err(usage)?;
    // The difference is no round number.
    let alpha = ((1.0 - arguments.confidence) * 1e12).round() / 1e12;
    let overrides: Overrides = (&arguments.delta).into();
    let file = ProjectFile::find(&arguments.project)?;
    let mut progress = ProgressLine::start("loading", None);
    let estimation = Estimation::load(&file.path, &overrides, &mut |stage| progress.observe_stage(&stage))?;
    drop(progress);
    let population = population(&estimation, arguments.population)?;
    if estimation.sample().is_none() && overrides != Overrides::default() {
        return Err(Usage(NO_DELTA.to_owned()).into());
    }
    if overrides.delta_min.is_some_and(|min| min > Presence::ZERO) {
        let why = "--delta-min: `estimate` bounds presence from above only, and cannot judge δmin";
        return Err(Usage(why.to_owned()).into());
    }
    let node = estimation.node(arguments.node.as_ref().map(|levels| levels.0.as_slice()))?;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let sampling = estimation.members() as f64 / population as f64;
    let test = KMapTest::new(arguments.k_map, sampling, alpha).map_err(usage)?;
    let asked = Asked { population, sampling, confidence, k_map: arguments.k_map, alpha };
    let estimated = Estimated::of(&estimation, &node, &test, &asked)?;
    estimated.print(arguments.format)?;
    Ok(Status::Done)
}

/// The size of the population, from the project or from the option.
fn population(estimation: &Estimation, given: Option<u64>) -> anyhow::Result<u64> {
    let population = match (estimation.sample(), given) {
        (Some(sample), Some(given)) if given != sample.population() => {
            let declared = sample.population();
            return Err(Usage(format!(
                "--population {given}: the project says `sample_of = {declared}`; give only one of them"
            ))
            .into());
        }
        (Some(sample), _) => sample.population(),
        (None, Some(given)) => given,
        (None, None) => return Err(Usage(NO_POPULATION.to_owned()).into()),
    };
    let known = estimation.members();
    if population < known {
        let error = EstimateError::Population { population, known };
        return Err(Usage(format!("--population: {error}")).into());
    }
    Ok(population)
}
