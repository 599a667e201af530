//! `fetch`: reads P from its database, and writes it as a snapshot next to the project.

mod statements;

use palmtop::fetch::{self, FetchError, FetchStage, Fetched, Statements, dialect_of, record_path, source_of};
use palmtop::progress::Progress;
use palmtop::project::{Connection, Project};
use palmtop::sql::{Dialect, Histogram};

use clap::Args;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output::{self, shown};
use palmtop_console::progress::ProgressLine;
use palmtop_console::say;
use palmtop_console::status::Status;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct FetchArguments {
    /// The project file, with the database of P under `[public.source]`. With --dry-run, any project.
    pub(crate) project: PathBuf,
    /// Print the statements, and send nothing to any database.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: print the statement for this database.
    ///
    /// It is one of ansi, postgresql, sqlserver, oracle, mysql, spark, bigquery (untried),
    /// duckdb or sqlite.
    ///
    /// By default that of `[public.source]`, or ansi.
    #[arg(long, value_name = "DIALECT", requires = "dry_run")]
    pub(crate) dialect: Option<Dialect>,
    /// With --dry-run: the table in the database that has the rows of P, or a file with a query for them.
    ///
    /// By default that of `[public.source]`, or a table named as P's file.
    #[arg(long, value_name = "TABLE|FILE.sql", requires = "dry_run")]
    pub(crate) table: Option<String>,
    /// Overwrite an existing snapshot.
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(arguments: &FetchArguments) -> anyhow::Result<Status> {
    let project = Project::read(&arguments.project)?;
    if arguments.dry_run {
        let is_of_source = arguments.dialect.is_none() && arguments.table.is_none();
        if is_of_source && project.public.source.is_some() {
            return dry_run(&project);
        }
        output::print(&statements::histogram(&project, arguments)?)?;
        return Ok(Status::Done);
    }
    let interrupt = Interrupt::watch()?;
    let mut line = ProgressLine::start("fetching", None).with_interrupt(Some(interrupt.clone()));
    let mut asked = false;
    let fetched = fetch::fetch(&project, arguments.force, &mut |stage| {
        if let (FetchStage::Grouping { combinations }, false) = (stage, asked) {
            asked = true;
            say::message(&format!("the database will send {combinations} combinations"));
        }
        line.observe_stage(&progress(stage))
    });
    drop(line);
    let fetched = match fetched {
        Err(FetchError::Cancelled) => return Ok(interrupt.stopped()),
        fetched => fetched?,
    };
    let Fetched { snapshot, record } = &fetched;
    let text = format!(
        "{} people in {} combinations from {} ({}): {}\nthe record of what was asked: {}\n",
        record.people,
        record.combinations,
        record.server,
        record.driver,
        snapshot.display(),
        record_path(snapshot).display()
    );
    output::print(&text)?;
    Ok(Status::Done)
}

fn progress(stage: FetchStage) -> Progress<String> {
    let (text, done, total) = match stage {
        FetchStage::Connecting => ("connecting".to_owned(), 0, 1),
        FetchStage::Counting => ("counting combinations".to_owned(), 0, 1),
        FetchStage::Grouping { combinations } => {
            (format!("grouping into {combinations} combinations"), 0, combinations)
        }
        FetchStage::Reading { rows, combinations } => ("reading combinations".to_owned(), rows, combinations),
        FetchStage::Writing => ("writing the snapshot".to_owned(), 1, 1),
    };
    Progress { stage: text, done, total }
}

/// Prints the query without a connection to the database.
fn dry_run(project: &Project) -> anyhow::Result<Status> {
    let (source, histogram) = source_of(project)?;
    let named = source.connection.name();
    let is_profile = matches!(source.connection, Connection::Profile(_));
    let dialect = dialect_of(named);
    let statements = Statements::of(&histogram, dialect);
    let others = if histogram.may_ask_others() {
        format!(
            "-- Only if no identifier says who is a person, for each other column whose name does (here `COLUMN`). The second only if the first \
             finds people:\n{};\n\n{};\n\n",
            histogram.values("COLUMN", dialect),
            histogram.repeats("COLUMN", dialect)
        )
    } else {
        String::new()
    };
    let note = if is_profile { "-- The dialect follows from the database of the profile.\n" } else { "" };
    let repeats = statements.repeats.iter().map(|(column, statement)| {
        format!("-- Only if P has the column `{}`:\n{statement};\n\n", shown(column))
    });
    let columns = std::iter::once(format!("{};\n\n", statements.columns));
    output::print(&format!(
        "{note}-- Asked of {}, and nothing else:\n{}{others}{}",
        shown(named),
        columns.chain(repeats).collect::<String>(),
        counting(&histogram, dialect)
    ))?;
    Ok(Status::Done)
}

/// The statements that count combinations, and people or rows.
fn counting(histogram: &Histogram, dialect: Dialect) -> String {
    let both = |note: String, histogram: &Histogram| {
        let Statements { combinations, histogram, .. } = Statements::of(histogram, dialect);
        format!("{note}{combinations};\n\n{histogram};\n")
    };
    let Some(person) = histogram.one_person() else { return both(String::new(), histogram) };
    let once = histogram.clone().of_distinct(&person.column);
    if person.is_of_public {
        return both(String::new(), &once);
    }
    let column = shown(&person.column);
    let has = both(format!("-- If P has the column `{column}`:\n"), &once);
    let lacks = both(format!("-- If P does not have the column `{column}`:\n"), histogram);
    format!("{has}\n{lacks}")
}
