//! `classes`: lists the equivalence classes of a node or of a strategy's release, with filter and
//! order.

use palmtop::columns::{Table, Value as Figure};
use palmtop::compatibility::Command;
use palmtop::listing::{self, Cell, Column, Filter, Order, Ranking};
use palmtop::model::{Node, Problem, Verdict};
use palmtop::release::Release;
use palmtop::report::PresenceSection;
use serde_json::{Value, json};

use super::args::{ChartArguments, DeltaArguments, NodeArgument, SearchArguments};
use super::drawing::Drawing;
use super::load::{self, Plan};
use clap::Args;
use palmtop::search::Strategy;
use palmtop_console::answer::{Answer, Listing};
use palmtop_console::format::Format;
use palmtop_console::people;
use palmtop_console::result::{explain_none, members};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

/// The help of `classes --sort`.
fn sort_help() -> String {
    let figures: Vec<&str> = Column::figures().map(Column::name).collect();
    format!(
        "Sort by KEY: worst (farthest outside δ first), {} (highest first), or a quasi-identifier (in the order of its \
         values). A - before KEY reverses the order",
        figures.join(", ")
    )
}

/// What `--filter` takes.
const FILTERS: &str = "A filter is a list of terms, separated by blanks. A class is listed if all terms hold:\n  \
    presence>.4    its presence compares so: > >= < <= =, with a fraction, a decimal or a percentage\n  \
    private>=10    its number of members of T compares so; likewise public<5 for people of P\n  \
    age:45         the label is this value, or a label, range or set that covers it\n  \
    zip:479        479 is no value of zip, and the label contains this text, in any case\n  \
    zip=4790*      the label is exactly this text\n  \
    over, under, ok, broken, empty  it has this verdict; broken is over or under, empty has no member\n  \
    any other word  the label of some attribute contains it\n\
    ! before a term negates it. Double quotes keep blanks and operators in a value: education:\"first degree\". \
    The name of an attribute may be in any case, and may be shortened as long as it is unique.\n\n\
    The exit status judges all classes, listed or not.";

#[derive(Debug, Args)]
#[command(after_long_help = FILTERS)]
pub(crate) struct ClassesArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The node: one level per quasi-identifier, separated by commas.
    ///
    /// By default the finest node.
    #[arg(long, value_name = "LEVELS", conflicts_with = "strategy")]
    pub(crate) node: Option<NodeArgument>,
    #[arg(long, value_name = "S", help = "List the release of this strategy", long_help = format!("List the release of this strategy: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// List only the classes for which all terms hold, such as 'broken private>=10 zip:479'.
    ///
    /// The terms are listed below.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    #[arg(long, value_name = "KEY", default_value = "worst", allow_hyphen_values = true, help = "Sort by worst, a figure, or a quasi-identifier; a - before it reverses the order", long_help = sort_help())]
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
    let plan = Plan::of(&arguments.search);
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
    listing((problem, &release), (&ranking, &listed)).print(arguments.format)?;
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

/// The listed classes: their labels, their figures, and everything as JSON. If people have several
/// rows, the labels are those of each row of a person, and JSON has them as a list of lists, in
/// project order, repeated rows included.
fn listing(
    (problem, release): (&Problem, &Release),
    (ranking, listed): (&Ranking, &[u32]),
) -> Listing<Value> {
    let is_of_people = problem.people().is_some();
    let labels = if is_of_people {
        let rows = listed.iter().map(|&class| [people::rows_of(problem, &ranking.class(class))]);
        Table::of_texts(["rows of each person"], rows)
    } else {
        let texts = |&class: &u32| (0..problem.quasi().len()).map(move |index| ranking.text(class, index));
        Table::of_texts(problem.quasi().iter().map(|quasi| quasi.name.as_str()), listed.iter().map(texts))
    };
    let with_figures = |labels: Table| {
        Column::ALL.into_iter().fold(labels, |table, column| {
            table.with(column.name(), listed.iter().map(|&class| figure(ranking, class, column)))
        })
    };
    let mut of_json = labels.clone();
    for head in &mut of_json.heads {
        if is_of_people {
            "rows".clone_into(&mut head.name);
        // A quasi-identifier with the name of a figure must not replace that figure.
        } else if Column::ALL.iter().any(|column| column.name() == head.name) {
            head.name += " (quasi)";
        }
    }
    let mut rows = with_figures(of_json).objects();
    if is_of_people {
        for (row, &class) in rows.iter_mut().zip(listed) {
            row["rows"] = json!(ranking.class(class).row_texts(problem));
        }
    }
    let mut object = json!({ "rows": rows });
    if is_of_people {
        object["node"] = json!(release.recoding.node().map(ToString::to_string));
    }
    Listing { table: with_figures(labels), object }
}

/// The figure of a class. The pool, the people of P who match no released row, is `withdrawn` if it
/// keeps δ.
fn figure(ranking: &Ranking, class: u32, column: Column) -> Figure {
    match ranking.cell(class, column) {
        Cell::Verdict(Verdict::Ok) if ranking.is_pool(class) => "withdrawn".into(),
        Cell::Verdict(verdict) => verdict.as_str().into(),
        Cell::Figure(listing::Figure::People(people)) => people.into(),
        Cell::Figure(listing::Figure::Share(share)) => share.into(),
    }
}
