//! `classes`: the classes of people at a node, or of what SPALM finds, the worst first.

use palmtop::model::Verdict;
use palmtop::pipeline::{EntityAnalysis, EntityRelease};
use serde_json::{Value, json};

use crate::cli::args::ClassesArguments;
use crate::cli::load::Plan;
use palmtop_console::format::Format;
use palmtop_console::output::short;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::say;
use palmtop_console::status::Status;

/// Runs the command.
pub(in crate::cli) fn classes(arguments: &ClassesArguments) -> anyhow::Result<Status> {
    super::only_spalm(arguments.strategy)?;
    super::refuse(&[
        (!arguments.filter.is_empty(), "--filter"),
        (arguments.sort != "worst", "--sort"),
        (arguments.chart.svg.is_some(), "--svg"),
    ])?;
    super::refuse_metric(&arguments.search)?;
    let plan = Plan::of(&arguments.search, arguments.strategy.as_slice())?;
    let analysis = super::load(&arguments.project, &(&arguments.delta).into(), None)?;
    let lattice = analysis.problem().rows().lattice();
    let release = match (arguments.strategy, &arguments.node) {
        (Some(strategy), _) => {
            let found = super::search(&analysis, strategy, &plan, None);
            let Some(release) = found.release else {
                say::message(&super::explain_none(&analysis, found.report.stop));
                return Ok(Status::NotPresent);
            };
            release
        }
        (None, Some(levels)) => analysis.by_hand(lattice.node(&levels.0)?),
        (None, None) => analysis.by_hand(lattice.bottom()),
    };
    match arguments.format {
        Format::Json => output::print_json(
            &json!({ "node": release.node.to_string(), "rows": objects(&analysis, &release) }),
        )?,
        Format::Csv => table(&analysis, &release).print_csv()?,
        Format::Table => output::print(&table(&analysis, &release).to_table())?,
    }
    Ok(Status::of_presence(release.is_present()))
}

fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Ok => "ok".to_owned(),
        Verdict::Over => "over".to_owned(),
        Verdict::Under => "under".to_owned(),
        Verdict::Breaks(criterion) => format!("breaks {criterion}"),
    }
}

fn table(analysis: &EntityAnalysis, release: &EntityRelease) -> OutputRows {
    let header = ["rows of each person", "public", "private", "presence", "share", "verdict"];
    let line = |class: u32| {
        let data = release.classes.data(class);
        let counts = data.counts();
        vec![
            super::rows_of(analysis, &release.classes, class),
            counts.public.to_string(),
            counts.private.to_string(),
            counts.presence().to_string(),
            short(counts.presence().to_f64()),
            verdict(release.policy.judge(data)),
        ]
    };
    OutputRows {
        header: header.map(ToOwned::to_owned).to_vec(),
        lines: release.classes.worst_first(&release.policy).into_iter().map(line).collect(),
        numbers_from: 1,
    }
}

/// Each class as an object; its rows are lists of labels in project order, each as often as a person has it.
fn objects(analysis: &EntityAnalysis, release: &EntityRelease) -> Vec<Value> {
    let object = |class: u32| {
        let data = release.classes.data(class);
        let rows = release.classes.rows(class).iter();
        let rows: Vec<Vec<String>> =
            rows.map(|&row| analysis.row_texts(release.classes.of_rows(), row)).collect();
        json!({
            "rows": rows,
            "public": data.counts().public,
            "private": data.counts().private,
            "presence": data.counts().presence().to_string(),
            "verdict": verdict(release.policy.judge(data)),
        })
    };
    release.classes.worst_first(&release.policy).into_iter().map(object).collect()
}
