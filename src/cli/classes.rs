//! `classes`: the equivalence classes of a node or of a strategy's release; which of them, and in what order.

use palmtop::listing::{Filter, Order, Ranking};
use palmtop::model::{Node, Problem};
use serde_json::{Map, Value, json};

use super::args::{ClassesArguments, Format};
use super::load::{self, Plan};
use super::output::{self, Rows};
use super::result::explain_none;
use super::say;
use super::status::{Status, Usage};

/// The columns behind the quasi-identifiers'.
const COUNTED: [&str; 4] = ["private", "public", "presence", "verdict"];

/// Runs the command.
pub(super) fn run(arguments: &ClassesArguments) -> anyhow::Result<Status> {
    let plan = Plan::of(&arguments.search, arguments.strategy.as_slice())?;
    let (analysis, _file) = load::analysis(&arguments.project, &(&arguments.delta).into())?;
    let problem = analysis.problem();
    let filter =
        Filter::parse(&arguments.filter, problem).map_err(|error| Usage(format!("--filter: {error}")))?;
    let order = Order::parse(&arguments.sort, problem).map_err(|error| Usage(format!("--sort: {error}")))?;
    let release = if let Some(strategy) = arguments.strategy {
        let found = load::search(&analysis, problem, strategy, &plan, None);
        let Some(release) = found.release else {
            say::message(&explain_none(problem, found.report.stop));
            return Ok(Status::NotPresent);
        };
        release
    } else {
        let lattice = problem.lattice();
        let node: Node = match &arguments.node {
            Some(levels) => lattice.node(&levels.0)?,
            None => lattice.bottom(),
        };
        analysis.by_hand(problem, node)
    };
    let ranking = Ranking::new(problem, &release);
    let listed = ranking.list(&filter, order);
    let rows = class_rows(problem, &ranking, &listed);
    match arguments.format {
        Format::Csv => rows.print_csv()?,
        Format::Json => output::print_json(&json!({ "rows": objects(&rows, problem.quasi().len()) }))?,
        Format::Table => output::print(&rows.to_table())?,
    }
    if !filter.is_empty() {
        say::message(&format!("{} of {} classes are listed", listed.len(), ranking.summary().classes));
    }
    Ok(Status::of_presence(release.is_present()))
}

fn class_rows(problem: &Problem, ranking: &Ranking, listed: &[u32]) -> Rows {
    let names = problem.quasi().iter().map(|quasi| quasi.name.clone());
    let row = |&class: &u32| {
        let counts = ranking.counts(class);
        let written = (0..problem.quasi().len()).map(|attribute| ranking.text(class, attribute).to_owned());
        let counted = [
            counts.private.to_string(),
            counts.public.to_string(),
            counts.presence().to_string(),
            ranking.verdict(class).word().to_owned(),
        ];
        written.chain(counted).collect()
    };
    Rows {
        header: names.chain(COUNTED.map(ToOwned::to_owned)).collect(),
        lines: listed.iter().map(row).collect(),
        numbers_from: problem.quasi().len(),
    }
}

/// The rows as JSON objects; counts are numbers.
fn objects(rows: &Rows, quasi: usize) -> Vec<Map<String, Value>> {
    let key = |place: usize, name: &String| {
        // A quasi-identifier of that name must not hide a count.
        if place < quasi && COUNTED.contains(&name.as_str()) {
            format!("{name} (quasi)")
        } else {
            name.clone()
        }
    };
    let value = |place: usize, text: &String| match text.parse::<u64>() {
        Ok(number) if place == quasi || place == quasi + 1 => json!(number),
        _ => json!(text),
    };
    let object = |row: &Vec<String>| {
        let cells = rows.header.iter().zip(row).enumerate();
        cells.map(|(place, (name, text))| (key(place, name), value(place, text))).collect()
    };
    rows.lines.iter().map(object).collect()
}
