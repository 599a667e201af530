//! `lattice`: lists every node with its verdict and loss.

use std::ops::ControlFlow;

use palmtop::metrics::NodeLosses;
use palmtop::model::{Counts, Criterion, Node, NodeClasses, Presence, Problem, Verdict};
use palmtop::search::{LatticeSurvey, survey};
use serde_json::{Map, Value, json};

use super::args::LatticeArguments;
use super::load;
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::progress::ProgressLine;
use palmtop_console::status::{Status, Usage};

struct NodeLine {
    node: Node,
    verdict: String,
    how: &'static str,
    counted: Option<CountedNode>,
    losses: Vec<f64>,
    loss: f64,
    loss_geometric: f64,
}

/// The counts of a node's classes.
struct CountedNode {
    min: Presence,
    max: Presence,
    classes: usize,
    released: usize,
}

pub(super) fn run(arguments: &LatticeArguments) -> anyhow::Result<Status> {
    let (analysis, _file) = load::analysis_of_any_unit(&arguments.project, &(&arguments.delta).into())?;
    let problem = analysis.problem();
    let lattice = problem.lattice();
    if !LatticeSurvey::fits(&lattice) {
        let (nodes, limit) = (lattice.len(), LatticeSurvey::LIMIT);
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
        .map(|(node, rank)| node_line(problem, &survey, &losses, node, rank, arguments.all))
        .collect();
    let names: Vec<String> = problem.quasi().iter().map(|quasi| format!("loss_{}", quasi.name)).collect();
    match arguments.format {
        Format::Json => {
            let rows: Vec<Map<String, Value>> = lines.iter().map(|line| line.object(&names)).collect();
            output::print_json(&json!({ "rows": rows }))?;
        }
        Format::Csv => rows(&lines, &names, |value| value.to_string()).print_csv()?,
        Format::Table => output::print(&rows(&lines, &names, output::short).to_table())?,
    }
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

impl NodeLine {
    fn object(&self, names: &[String]) -> Map<String, Value> {
        let counted = self.counted.as_ref();
        let levels: Vec<u8> = self.node.levels().iter().map(|level| level.0).collect();
        let mut object = Map::new();
        object.insert("node".to_owned(), json!(levels));
        object.insert("verdict".to_owned(), json!(self.verdict));
        object.insert("how".to_owned(), json!(self.how));
        object.insert("presence_min".to_owned(), json!(counted.map(|counted| counted.min.to_string())));
        object.insert("presence_max".to_owned(), json!(counted.map(|counted| counted.max.to_string())));
        object.insert("classes".to_owned(), json!(counted.map(|counted| counted.classes)));
        object.insert("released_classes".to_owned(), json!(counted.map(|counted| counted.released)));
        object.insert("loss".to_owned(), json!(self.loss));
        object.insert("loss_geometric".to_owned(), json!(self.loss_geometric));
        object.extend(std::iter::zip(names, &self.losses).map(|(name, loss)| (name.clone(), json!(loss))));
        object
    }
}

fn rows(lines: &[NodeLine], names: &[String], number: impl Fn(f64) -> String) -> OutputRows {
    let header = [
        "node",
        "verdict",
        "how",
        "presence_min",
        "presence_max",
        "classes",
        "released_classes",
        "loss",
        "loss_geometric",
    ];
    let row = |line: &NodeLine| {
        let counted = |text: fn(&CountedNode) -> String| line.counted.as_ref().map(text).unwrap_or_default();
        let mut row = vec![
            line.node.to_string(),
            line.verdict.clone(),
            line.how.to_owned(),
            counted(|counted| counted.min.to_string()),
            counted(|counted| counted.max.to_string()),
            counted(|counted| counted.classes.to_string()),
            counted(|counted| counted.released.to_string()),
            number(line.loss),
            number(line.loss_geometric),
        ];
        row.extend(line.losses.iter().map(|&loss| number(loss)));
        row
    };
    OutputRows {
        header: header.map(ToOwned::to_owned).into_iter().chain(names.iter().cloned()).collect(),
        lines: lines.iter().map(row).collect(),
        numbers_from: 3,
    }
}
