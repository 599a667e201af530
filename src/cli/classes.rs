//! `classes`: the equivalence classes of a node or of a strategy's release; which of them, and in what order.

use palmtop::listing::{Cell, Column, Figure, Filter, Order, Ranking};
use palmtop::model::{Node, Problem};
use serde_json::{Map, Value, json};

use super::args::{ClassesArguments, Format};
use super::load::{self, Plan};
use super::output::{self, OutputRows};
use super::result::explain_none;
use super::say;
use super::status::{Status, Usage};

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
        Format::Json => {
            let rows = objects(&ranking, &listed, &rows, problem.quasi().len());
            output::print_json(&json!({ "rows": rows }))?;
        }
        Format::Table => output::print(&rows.to_table())?,
    }
    if !filter.is_empty() {
        say::message(&format!("{} of {} classes are listed", listed.len(), ranking.summary().classes));
    }
    Ok(Status::of_presence(release.is_present()))
}

fn class_rows(problem: &Problem, ranking: &Ranking, listed: &[u32]) -> OutputRows {
    let names = problem.quasi().iter().map(|quasi| quasi.name.clone());
    let row = |&class: &u32| {
        let written = (0..problem.quasi().len()).map(|attribute| ranking.text(class, attribute).to_owned());
        written.chain(Column::ALL.map(|column| ranking.cell(class, column).to_string())).collect()
    };
    OutputRows {
        header: names.chain(Column::ALL.map(|column| column.name().to_owned())).collect(),
        lines: listed.iter().map(row).collect(),
        numbers_from: problem.quasi().len(),
    }
}

/// The rows as JSON objects; counts are numbers.
fn objects(ranking: &Ranking, listed: &[u32], rows: &OutputRows, quasi: usize) -> Vec<Map<String, Value>> {
    let key = |place: usize, name: &String| {
        // A quasi-identifier of that name must not hide a count.
        if place < quasi && Column::ALL.iter().any(|column| column.name() == name) {
            format!("{name} (quasi)")
        } else {
            name.clone()
        }
    };
    let value = |cell: Cell| match cell {
        Cell::Figure(Figure::People(people)) => json!(people),
        Cell::Figure(Figure::Share(_)) | Cell::Verdict(_) => json!(cell.to_string()),
    };
    let object = |(&class, row): (&u32, &Vec<String>)| {
        let written = row[..quasi].iter().map(|text| json!(text));
        let values = written.chain(Column::ALL.map(|column| value(ranking.cell(class, column))));
        let keys = rows.header.iter().enumerate().map(|(place, name)| key(place, name));
        keys.zip(values).collect()
    };
    listed.iter().zip(&rows.lines).map(object).collect()
}
