//! `lattice`: lists every node with its verdict and loss.

use std::ops::ControlFlow;

use palmtop::columns::{Column, Table};
use palmtop::compatibility::{Command, Feature};
use palmtop::metrics::NodeLosses;
use palmtop::model::{Counts, Criterion, Node, NodeClasses, Presence, Problem, Verdict};
use palmtop::search::{LatticeSurvey, survey};
use serde::Serialize;
use serde_json::json;

use super::args::DeltaArguments;
use super::load;
use clap::{Args, ValueEnum};
use palmtop_console::answer::{Answer, Listing};
use palmtop_console::format::Format;
use palmtop_console::progress::ProgressLine;
use palmtop_console::status::{Status, Usage};

#[derive(Debug, Args)]
pub(crate) struct LatticeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// Also count the classes of each node whose verdict follows from another node.
    #[arg(long, value_enum)]
    pub(crate) show: Option<ShowCounts>,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What to show of every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowCounts {
    /// The numbers of classes, and their presences.
    Counts,
}

pub(super) struct NodeLine {
    node: Node,
    verdict: String,
    how: &'static str,
    counted: Option<CountedNode>,
    losses: Vec<f64>,
    loss: f64,
    loss_geometric: f64,
}

/// The counts of a node's classes.
pub(super) struct CountedNode {
    min: Presence,
    max: Presence,
    classes: usize,
    released: usize,
}

pub(super) fn run(arguments: &LatticeArguments) -> anyhow::Result<Status> {
    let (analysis, _file) = load::analysis(
        &arguments.project,
        &(&arguments.delta).into(),
        &[Feature::Command(Command::Lattice)],
    )?;
    let problem = analysis.problem();
    let lattice = problem.lattice();
    if !LatticeSurvey::fits(&lattice) {
        let (nodes, limit) = (lattice.len_text(|nodes| nodes.to_string()), LatticeSurvey::LIMIT);
        return Err(Usage(format!(
            "the lattice has {nodes} nodes, more than the {limit} that can be listed; `anonymize --strategy spalm` can search it"
        ))
        .into());
    }
    let (survey, _) = {
        let mut progress = ProgressLine::start("lattice", None);
        survey(problem, &mut |step| {
            let _ = progress.observe(step);
            ControlFlow::Continue(())
        })
    };
    let losses = NodeLosses::of(problem);
    let lines: Vec<NodeLine> = lattice
        .nodes()
        .zip(0..)
        .map(|(node, rank)| node_line(problem, &survey, &losses, node, rank, arguments.show.is_some()))
        .collect();
    listing(&lines, problem).print(arguments.format)?;
    Ok(Status::of_presence(lines.iter().any(|line| line.verdict == "present")))
}

fn node_line(
    problem: &Problem,
    survey: &LatticeSurvey,
    losses: &NodeLosses,
    node: Node,
    rank: u64,
    all: bool,
) -> NodeLine {
    let state = survey.state(rank);
    let counted = all || state.is_checked();
    let (verdict, counted) = if counted {
        let classes = NodeClasses::of(problem, &node);
        (verdict(problem, &classes), Some(CountedNode::of(classes.counts())))
    } else {
        ((if state.is_present() { "present" } else { "fails" }).to_owned(), None)
    };
    let loss = losses.of_node(&node);
    NodeLine {
        verdict,
        how: if counted.is_some() { "checked" } else { "implied" },
        counted,
        losses: loss.by_attribute().to_vec(),
        loss: loss.mean(),
        loss_geometric: loss.geometric(),
        node,
    }
}

/// `present`, or the broken criteria. δ is `over`, `under` or `both`; other criteria follow with
/// their keys, as in `over+k`.
fn verdict(problem: &Problem, classes: &NodeClasses) -> String {
    let verdicts: Vec<Verdict> = classes.data().map(|class| problem.policy().judge(class)).collect();
    let has = |verdict| verdicts.contains(&verdict);
    let of_delta = match (has(Verdict::Over), has(Verdict::Under)) {
        (false, false) => None,
        (true, false) => Some("over"),
        (false, true) => Some("under"),
        (true, true) => Some("both"),
    };
    let others = problem.policy().criteria().iter().map(Criterion::key);
    let broken: Vec<&str> =
        of_delta.into_iter().chain(others.filter(|&key| has(Verdict::Breaks(key)))).collect();
    if broken.is_empty() { "present".to_owned() } else { broken.join("+") }
}

impl CountedNode {
    fn of(counts: &[Counts]) -> Self {
        let presences = || counts.iter().map(|counts| counts.presence());
        Self {
            min: presences().min().unwrap_or(Presence::ZERO),
            max: presences().max().unwrap_or(Presence::ZERO),
            classes: counts.len(),
            released: counts.iter().filter(|counts| counts.private > 0).count(),
        }
    }
}

/// The columns, without the losses of the quasi-identifiers.
pub(super) const COLUMNS: [Column<NodeLine>; 9] = [
    Column::text("node", "the levels of the node, in JSON a list; none for regions", |line| {
        line.node.to_string().into()
    }),
    Column::text("verdict", "`present`, or the broken criteria; `fails` if they were not counted", |line| {
        (&line.verdict).into()
    }),
    Column::text("how", "`checked`, or `implied` by the verdict of another node", |line| line.how.into()),
    Column::number("presence_min", "the lowest presence of a class", |line| {
        line.counted.as_ref().map(|counted| counted.min).into()
    }),
    Column::number("presence_max", "the highest presence of a class", |line| {
        line.counted.as_ref().map(|counted| counted.max).into()
    }),
    Column::number("classes", "the number of classes", |line| {
        line.counted.as_ref().map(|counted| counted.classes).into()
    }),
    Column::number("released_classes", "the number of classes that have members", |line| {
        line.counted.as_ref().map(|counted| counted.released).into()
    }),
    Column::number(
        "loss",
        "the mean loss of the quasi-identifiers, by weight: 0 as loaded, 1 everything `*`",
        |line| line.loss.into(),
    ),
    Column::number("loss_geometric", "the geometric loss of the quasi-identifiers", |line| {
        line.loss_geometric.into()
    }),
];

/// All nodes, with the losses of the quasi-identifiers in the last columns.
fn listing(lines: &[NodeLine], problem: &Problem) -> Listing<impl Serialize> {
    let attributes = problem.quasi().iter().enumerate();
    let table = attributes.fold(Table::of(&COLUMNS, lines), |table, (index, quasi)| {
        table.with(format!("loss_{}", quasi.name), lines.iter().map(|line| line.losses[index].into()))
    });
    let mut rows = table.objects();
    for (row, line) in rows.iter_mut().zip(lines) {
        row["node"] = line.node.levels().iter().map(|level| level.0).collect();
    }
    Listing { table, object: json!({ "rows": rows }) }
}
