//! `compare`: several strategies under several δmax, a line each.

use palmtop::model::Delta;
use palmtop::pipeline::Overrides;
use palmtop::search::{Config, Strategy};
use serde_json::json;

use super::args::{CompareArguments, Format};
use super::load;
use super::output::{self, Rows};
use super::result::{RunFacts, RunResult, compared_columns};
use super::status::{Status, Usage};

/// Runs the command.
pub(super) fn run(arguments: &CompareArguments) -> anyhow::Result<Status> {
    let overrides =
        Overrides { delta_min: arguments.delta_min, delta_max: arguments.delta_max.first().copied() };
    let (analysis, _file) = load::analysis(&arguments.project, &overrides)?;
    let strategies: Vec<Strategy> = if arguments.strategies.is_empty() {
        Strategy::all().collect()
    } else {
        arguments.strategies.clone()
    };
    let project_delta = analysis.problem().delta();
    let maxima =
        if arguments.delta_max.is_empty() { vec![project_delta.max()] } else { arguments.delta_max.clone() };
    let deltas: Vec<Delta> = maxima
        .into_iter()
        .map(|max| Delta::new(project_delta.min(), max))
        .collect::<Result<_, _>>()
        .map_err(|error| Usage(error.to_string()))?;
    let config = Config { metric: arguments.metric.metric };
    let mut runs = Vec::new();
    for delta in deltas {
        let problem = analysis.problem().with_delta(delta);
        for &strategy in &strategies {
            let found = load::search(&analysis, &problem, strategy, &config, None, None);
            let facts = RunFacts {
                metric: config.metric,
                report: Some(found.report),
                seed: 0,
                seconds: Some(found.seconds),
                load_seconds: analysis.load_seconds(),
            };
            runs.push(RunResult::new(strategy.to_string(), &problem, found.release.as_ref(), facts));
        }
    }
    let all_present = runs.iter().all(|run| run.present);
    match arguments.format {
        Format::Json => output::print_json(&json!({ "runs": runs }))?,
        Format::Csv => rows(&runs).print_csv()?,
        Format::Table => output::print(&for_people(&runs).to_table())?,
    }
    Ok(Status::of_presence(all_present))
}

fn rows(runs: &[RunResult]) -> Rows {
    Rows { header: compared_columns(), lines: runs.iter().map(RunResult::cells).collect(), numbers_from: 5 }
}

/// The same, with numbers cut to what a person compares.
fn for_people(runs: &[RunResult]) -> Rows {
    let mut rows = rows(runs);
    let is_measure =
        |name: &str| name.starts_with("loss") || matches!(name, "average_class_size" | "precision");
    for row in &mut rows.lines {
        for (name, text) in rows.header.iter().zip(row) {
            if let (true, Ok(value)) = (is_measure(name), text.parse()) {
                *text = output::short(value);
            }
        }
    }
    rows.header = rows.header.iter().map(|name| name.replace('_', " ")).collect();
    rows
}
