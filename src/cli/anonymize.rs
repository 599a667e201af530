//! `anonymize`: searches, writes the release, verifies the written file, prints the result.

use std::path::Path;

use anyhow::Context;
use palmtop::data::write::{self, RealDisk, WriteError};
use palmtop::pipeline::{Analysis, ExportOptions, Found, Written};
use palmtop::release::Release;
use palmtop::search::SearchReport;
use palmtop::verify::ADVERSARY;
use serde::Serialize;

use super::args::{AnonymizeArguments, Format};
use super::interrupt::Interrupt;
use super::load::{self, Plan};
use super::output;
use super::result::{RunFacts, RunResult, explain_none};
use super::status::{Status, Usage};

/// The result with what makes it repeatable: versions, and the hashes of all inputs.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    result: &'a RunResult,
    palmtop: &'static str,
    output: String,
    output_sha256: String,
    rows: u64,
    adversary: &'static str,
    inputs: Vec<Input>,
}

#[derive(Serialize)]
struct Input {
    path: String,
    sha256: String,
    rows: Option<u64>,
}

/// Runs the command.
pub(super) fn run(arguments: &AnonymizeArguments) -> anyhow::Result<Status> {
    let plan = Plan::of(&arguments.search, arguments.strategy.as_slice())?;
    refuse_taken(&arguments.output, arguments.force)?;
    if let Some(report) = &arguments.report {
        if *report == arguments.output {
            return Err(Usage("--report and --output name the same file".to_owned()).into());
        }
        refuse_taken(report, arguments.force)?;
    }
    let (analysis, _file) = load::analysis(&arguments.project, &(&arguments.delta).into())?;
    let interrupt = Interrupt::watch()?;
    let (found, by_search) = find(arguments, &analysis, &plan, &interrupt)?;
    let problem = analysis.problem();
    let facts = RunFacts {
        metric: plan.config.metric,
        report: by_search,
        bound: load::bound(problem, Some(interrupt.clone())),
        seed: plan.config.seed,
        seconds: by_search.map(|_| found.seconds),
        load_seconds: analysis.load_seconds(),
    };
    let name = arguments.strategy.map_or_else(|| "node".to_owned(), |strategy| strategy.to_string());
    let result = RunResult::new(name, problem, found.release.as_ref(), facts);
    let Some(release) = found.release else {
        print_result(arguments.format, &result)?;
        eprintln!("palmtop: {}; nothing was written", explain_none(problem, found.report.stop));
        return Ok(Status::NotPresent);
    };
    if let Some(signal) = interrupt.signal() {
        eprintln!("palmtop: stopped by a signal; nothing was written");
        return Ok(Status::Signal(signal));
    }
    let options = ExportOptions { force: arguments.force, allow_not_present: arguments.allow_not_present };
    let written = analysis.export(&release, &arguments.output, options);
    print_result(arguments.format, &result)?;
    let written = written?;
    if let Some(path) = &arguments.report {
        write_report(&analysis, &result, &written, path, arguments.force).with_context(|| {
            format!("the release {} was written and verified, its report was not", written.path.display())
        })?;
    }
    eprintln!(
        "{}: {} rows written and verified: presence {} to {}, for an adversary who {ADVERSARY}",
        written.path.display(),
        written.rows,
        written.verification.achieved.min,
        written.verification.achieved.max
    );
    if !release.is_present() {
        eprintln!("palmtop: it is NOT δ-present; it was written because --allow-not-present says so");
    }
    Ok(Status::of_presence(release.is_present()))
}

/// The release of the strategy or of the node, and what the search did where there was one.
fn find(
    arguments: &AnonymizeArguments,
    analysis: &Analysis,
    plan: &Plan,
    interrupt: &Interrupt,
) -> anyhow::Result<(Found, Option<SearchReport>)> {
    let problem = analysis.problem();
    if let Some(strategy) = arguments.strategy {
        let found = load::search(analysis, problem, strategy, plan, Some(interrupt.clone()));
        let report = found.report;
        return Ok((found, Some(report)));
    }
    let levels = arguments.node.as_ref().map(|node| node.0.as_slice()).unwrap_or_default();
    let release: Release = analysis.by_hand(problem, problem.lattice().node(levels)?);
    let report = SearchReport::without_nodes(palmtop::search::StopReason::Done);
    Ok((Found { release: Some(release), report, seconds: 0.0 }, None))
}

fn print_result(format: Format, result: &RunResult) -> anyhow::Result<()> {
    match format {
        Format::Json => output::print_json(result),
        Format::Table => output::print(&result.lines()),
        Format::Csv => {
            let rows = output::Rows {
                header: super::result::compared_columns(),
                lines: vec![result.cells()],
                numbers_from: 0,
            };
            rows.print_csv()
        }
    }
}

/// Refuses a taken name before the search rather than after it.
fn refuse_taken(path: &Path, force: bool) -> anyhow::Result<()> {
    if !force && path.symlink_metadata().is_ok() {
        return Err(palmtop::pipeline::PipelineError::Exists { path: path.to_owned() }.into());
    }
    Ok(())
}

fn write_report(
    analysis: &Analysis,
    result: &RunResult,
    written: &Written,
    path: &Path,
    force: bool,
) -> anyhow::Result<()> {
    let input = |input: &palmtop::pipeline::InputFile| Input {
        path: input.path.display().to_string(),
        sha256: input.sha256.clone(),
        rows: input.rows,
    };
    let report = Report {
        result,
        palmtop: env!("CARGO_PKG_VERSION"),
        output: written.path.display().to_string(),
        output_sha256: palmtop::data::read::hash_file(&written.path)?,
        rows: written.rows,
        adversary: ADVERSARY,
        inputs: analysis.inputs().iter().map(input).collect(),
    };
    let mut text = serde_json::to_string_pretty(&report)?;
    text.push('\n');
    let unchecked = |_: &Path| Ok::<(), std::convert::Infallible>(());
    write::write_whole(&mut RealDisk, path, force, text.as_bytes(), unchecked).map_err(|error| match error {
        WriteError::Disk(error) => anyhow::Error::new(error),
        other => anyhow::Error::msg(other.to_string()),
    })
}
