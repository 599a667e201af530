//! `classes`: lists the equivalence classes of a node or of a strategy's release, with filter and
//! order.

use palmtop::compatibility::Command;
use palmtop::listing::{Cell, Column, Figure, Filter, Order, Probability, Ranking};
use palmtop::model::{Node, Problem, Verdict};
use palmtop::report::PresenceSection;
use serde_json::{Map, Value, json};

use super::args::{ChartArguments, DeltaArguments, NodeArgument, SearchArguments};
use super::drawing::Drawing;
use super::load::{self, Plan};
use clap::Args;
use palmtop::search::Strategy;
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::people;
use palmtop_console::result::{PriorResult, explain_none, members};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

/// The help of `classes --sort`.
fn sort_help() -> String {
    let figures = |of_prior| {
        let figures = Column::ALL.into_iter().filter(|column| column.is_figure());
        let named = figures.filter(|column| column.needs_prior() == of_prior).map(Column::name);
        named.collect::<Vec<_>>().join(", ")
    };
    format!(
        "Sort by KEY: worst (farthest outside δ first), {} (highest first; with a prior also {}), or a \
         quasi-identifier (in the order of its values). A - before KEY reverses the order",
        figures(false),
        figures(true)
    )
}

/// What `--filter` takes.
const FILTERS: &str = "A filter is a list of terms, separated by blanks. A class is listed if all terms hold:\n  \
    presence>.4    its presence compares so: > >= < <= =, with a fraction, a decimal or a percentage\n  \
    private>=10    its number of members of T compares so; likewise public<5 for people of P\n  \
    posterior_max>.4  somebody's posterior compares so; likewise posterior_min<1%. This needs a prior\n  \
    age:45         the label is this value, or a label, range or set that covers it\n  \
    zip:479        479 is no value of zip, and the label contains this text, in any case\n  \
    zip=4790*      the label is exactly this text\n  \
    over, under, ok, broken, empty  it has this verdict; broken is over or under, empty has no member\n  \
    any other word  the label of some attribute contains it\n\
    ! before a term negates it. Double quotes keep blanks and operators in a value: education:\"first degree\". \
    The name of an attribute may be in any case, and may be shortened as long as it is unique.\n\n\
    The exit status judges all classes, listed or not.";

#[derive(Debug, Args)]
#[command(after_help = FILTERS)]
pub(crate) struct ClassesArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The node: one level per quasi-identifier, separated by commas. By default the finest node.
    #[arg(long, value_name = "LEVELS", conflicts_with = "strategy")]
    pub(crate) node: Option<NodeArgument>,
    #[arg(long, value_name = "S", help = format!("List the release of this strategy: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// List only the classes for which all terms hold, such as 'broken private>=10 zip:479'. The terms are listed below.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    #[arg(long, value_name = "KEY", default_value = "worst", allow_hyphen_values = true, help = sort_help())]
    pub(crate) sort: String,
    #[command(flatten)]
    pub(crate) chart: ChartArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

pub(super) fn run(arguments: &ClassesArguments) -> anyhow::Result<Status> {
    let plan = Plan::of(&arguments.search)?;
    let asked = load::asked(Command::Classes, arguments.strategy.as_slice(), &arguments.search, &[])?;
    let (analysis, _file) = load::analysis(&arguments.project, &(&arguments.delta).into(), &asked)?;
    let drawing = Drawing::claim(&arguments.chart, &analysis)?;
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
    if let Some(drawing) = drawing {
        let node = release.recoding.node().map(|node| format!("node {node}"));
        let title = format!("{}: {}", analysis.name(), node.unwrap_or_else(|| release.origin.name()));
        let presence = PresenceSection::of(release.classes.all_counts(), release.delta());
        drawing.put(&presence.svg(&title, release.delta()))?;
    }
    let ranking = Ranking::new(problem, &release);
    let listed = ranking.list(&filter, order);
    let columns: Vec<Column> = Column::of(problem).collect();
    let under_prior = ranking.under_prior().map(PriorResult::from);
    let rows = |text: fn(Cell) -> String| class_rows(problem, &ranking, (&columns, &listed), text);
    match arguments.format {
        Format::Csv => rows(|cell| cell.to_string()).print_csv()?,
        Format::Json => {
            let rows = rows(|cell| cell.to_string());
            let objects = objects(problem, &ranking, (&columns, &listed), &rows);
            let mut answer = json!({ "rows": objects, "prior": under_prior });
            if problem.people().is_some() {
                answer["node"] = json!(release.recoding.node().map(ToString::to_string));
            }
            output::print_json(&answer)?;
        }
        Format::Table => output::print(&rows(for_people).to_table())?,
    }
    if let Some(under_prior) = under_prior {
        say::message(&format!("prior: {}", under_prior.words()));
    }
    if release.withdrawn() > 0 {
        say::message(&format!(
            "{} withdrawn. They, and the people in classes without members, match no row; they form one class in this list",
            members(release.withdrawn())
        ));
    }
    if !filter.is_empty() {
        say::message(&format!("{} of {} classes are listed", listed.len(), ranking.summary().classes));
    }
    Ok(Status::of_presence(release.is_present()))
}

/// The columns after the quasi-identifiers, and the indices of the listed classes.
type Listed<'a> = (&'a [Column], &'a [u32]);

fn class_rows(
    problem: &Problem,
    ranking: &Ranking,
    (columns, listed): Listed,
    text: fn(Cell) -> String,
) -> OutputRows {
    let names: Vec<String> = match problem.people() {
        None => problem.quasi().iter().map(|quasi| quasi.name.clone()).collect(),
        Some(_) => vec!["rows of each person".to_owned()],
    };
    let numbers_from = names.len();
    let row = |&class: &u32| {
        let written: Vec<String> = match problem.people() {
            None => (0..numbers_from).map(|attribute| ranking.text(class, attribute).to_owned()).collect(),
            Some(_) => vec![people::rows_of(problem, &ranking.class(class))],
        };
        let cell = |column: &Column| match ranking.cell(class, *column) {
            Some(cell) if is_withdrawn(ranking, class, cell) => WITHDRAWN.to_owned(),
            cell => cell.map(text).unwrap_or_default(),
        };
        written.into_iter().chain(columns.iter().map(cell)).collect()
    };
    OutputRows {
        header: names.into_iter().chain(columns.iter().map(|column| column.name().to_owned())).collect(),
        lines: listed.iter().map(row).collect(),
        numbers_from,
    }
}

/// The verdict on the pool, the people of P who match no released row, if δ is kept.
const WITHDRAWN: &str = "withdrawn";

/// Whether the cell is the verdict of a pool that keeps δ.
fn is_withdrawn(ranking: &Ranking, class: u32, cell: Cell) -> bool {
    ranking.is_pool(class) && cell == Cell::Verdict(Verdict::Ok)
}

/// The cell as text; a probability is rounded to its first digits.
fn for_people(cell: Cell) -> String {
    match cell {
        Cell::Figure(Figure::Probability(Probability(number))) => output::short(number),
        cell => cell.to_string(),
    }
}

/// The rows as JSON objects, with counts and probabilities as numbers. If people have several rows,
/// `rows` is a list of lists: the labels of each row in project order, repeated rows included.
fn objects(
    problem: &Problem,
    ranking: &Ranking,
    (columns, listed): Listed,
    rows: &OutputRows,
) -> Vec<Map<String, Value>> {
    let quasi = rows.numbers_from;
    let key = |place: usize, name: &String| {
        if problem.people().is_some() && place == 0 {
            "rows".to_owned()
        // A quasi-identifier with the name of a figure must not replace that figure.
        } else if place < quasi && Column::ALL.iter().any(|column| column.name() == name) {
            format!("{name} (quasi)")
        } else {
            name.clone()
        }
    };
    let value = |cell: Cell| match cell {
        Cell::Figure(Figure::People(people)) => json!(people),
        Cell::Figure(Figure::Probability(Probability(number))) => json!(number),
        Cell::Figure(Figure::Share(_)) | Cell::Verdict(_) => json!(cell.to_string()),
    };
    let object = |(&class, row): (&u32, &Vec<String>)| {
        let written: Vec<Value> = match problem.people() {
            None => row[..quasi].iter().map(|text| json!(text)).collect(),
            Some(_) => vec![json!(ranking.class(class).row_texts(problem))],
        };
        let cell = |column: &Column| match ranking.cell(class, *column) {
            Some(cell) if is_withdrawn(ranking, class, cell) => json!(WITHDRAWN),
            cell => cell.map_or(Value::Null, value),
        };
        let values = written.into_iter().chain(columns.iter().map(cell));
        let keys = rows.header.iter().enumerate().map(|(place, name)| key(place, name));
        keys.zip(values).collect()
    };
    listed.iter().zip(&rows.lines).map(object).collect()
}
