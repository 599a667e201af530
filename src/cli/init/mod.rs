//! `init`: proposes a project from two raw tables or from a project of ARX, and writes it for `check`.

mod arx;
mod ask;
mod shown;

use anyhow::Context;
use palmtop::model::Role;
use palmtop::pipeline::PipelineError;
use palmtop::progress::unwatched;
use palmtop::proposal::{Aspect, Decision, Decisions, Proposal, Sources, UNREADABLE, absolute};
use palmtop::words::plural;

use super::args::{DeltaArguments, NamedTables, RoleArgument};
use super::check;
use super::check::CheckArguments;
use clap::Args;
use palmtop::data::write::Gate;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use palmtop_console::written::{not_written, say_removed};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(
    after_long_help = "The proposal gives a reason for each choice. If a choice is doubtful and stdin is a terminal, the command \
    asks, a line for each choice; Enter takes the proposed answer, which never publishes a column in doubt. With --yes, or \
    without a terminal, the command accepts every proposal, and lists the doubtful ones on stderr with the alternative. Neither \
    the project nor its hierarchies take a value from T.\n\n\
    P may be a project of ARX (PROJECT.deid): palmtop takes P, the roles, the hierarchies and the privacy models from it, and writes \
    P to NAME-public.csv next to the project NAME.toml, without the columns that are identifying, sensitive or insensitive in ARX. \
    T is then an existing table, or a new CSV file for the research subset of ARX. stderr and the project name what cannot be \
    carried over.\n\n\
    Exit status: that of `palmtop check` for the project."
)]
pub(crate) struct InitArguments {
    /// The public table P, or a project of ARX; as --public.
    #[arg(value_name = "P", conflicts_with = "public", required_unless_present = "public")]
    pub(crate) first: Option<PathBuf>,
    /// The private table T; as --private.
    #[arg(value_name = "T", conflicts_with_all = ["private", "member"])]
    pub(crate) second: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) named: NamedTables,
    /// Accept every proposal without asking.
    ///
    /// A role that is not decided is `undecided` in the project.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Assign a role to a column, such as `diagnosis=sensitive`.
    ///
    /// ROLE is withheld (never published), sensitive, insensitive, identifier (never published, and one person each) or quasi.
    #[arg(long = "role", id = "role", value_name = "COLUMN=ROLE")]
    pub(crate) roles: Vec<RoleArgument>,
    /// The project file to write.
    ///
    /// Hierarchies that are built go to a folder next to it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Overwrite existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

impl InitArguments {
    /// The tables, however they are named.
    fn tables(&self) -> NamedTables {
        let mut tables = self.named.clone();
        tables.public.extend(self.first.clone());
        tables.private.extend(self.second.clone());
        tables
    }

    /// The project of ARX, if P is one.
    fn arx(&self) -> Option<PathBuf> {
        let is_of_arx =
            |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("deid"));
        self.tables().public.into_iter().find(|path| is_of_arx(path))
    }
}

pub(super) fn run(arguments: &InitArguments) -> anyhow::Result<Status> {
    let target = absolute(&arguments.output)?;
    let Opened { mut gate, mut sources, declared } = open(arguments, &target)?;
    let decided = arguments.roles.iter();
    let decided =
        decided.map(|decided| Decision::Role { attribute: decided.column.clone(), role: decided.role });
    let mut decisions = Decisions(declared.0.into_iter().chain(decided).collect());
    let (mut proposal, _) = sources.propose(&decisions, &mut unwatched)?;
    let is_left_out = |argument: &RoleArgument| {
        // A table from a project of ARX lacks its identifying columns. A name that no table has was refused before.
        let is_known = proposal.attributes.iter().any(|attribute| attribute.name == argument.column);
        arguments.arx().is_some() && argument.role.is_left_out() && !is_known
    };
    for argument in arguments.roles.iter().filter(|argument| !is_left_out(argument)) {
        check_role(argument, &sources, &decisions, &proposal)?;
    }
    output::print(&shown::table(&proposal))?;
    if ask::is_possible(arguments.yes) {
        let before = decisions.0.len();
        proposal = ask::settle(&mut sources, &mut decisions, proposal)?;
        if decisions.0.len() > before {
            output::print(&shown::table(&proposal))?;
        }
    }
    for (path, why) in &sources.at_hand.refused {
        let what = format!("{}: not used as a hierarchy: {why}", path.display());
        let remedy = "correct the file, or take it out of the folder";
        say::question(None, (&what, remedy), &format!("palmtop: {what}"));
    }
    shown::say_ambiguities(&proposal);
    shown::say_notes(&proposal);
    let tables = arx::files(&sources)?;
    arx::check_targets(arguments, &gate, &target, &sources)?;
    // A signal waits until all files are written: there are all of them, or none.
    let interrupt = Interrupt::watch()?;
    let put = proposal.put_with_tables(&mut gate, &target, &tables, arguments.force);
    say_removed(&mut gate);
    let written = put.map_err(not_written)?;
    let project = arguments.output.display();
    say::line(&format!(
        "{project}: written{}",
        match written.hierarchies.len() {
            0 => String::new(),
            count => format!(", with {} in {}", plural(count as u64, "hierarchy"), written.folder.display()),
        }
    ));
    for listed in sources.listed() {
        let rows = plural(listed.row_count() as u64, "row");
        let name = listed.files.name().file_name().unwrap_or_default().to_string_lossy().into_owned();
        say::line(&format!("{name}: written, {rows} with {}", listed.columns.join(", ")));
    }
    if let Some(signal) = interrupt.signal() {
        return Ok(Status::Signal(signal));
    }
    let undecided = proposal.attributes.iter().filter(|attribute| attribute.undecided);
    let undecided: Vec<String> = undecided.map(|attribute| format!("`{}`", attribute.name)).collect();
    if !undecided.is_empty() {
        say::line(&format!(
            "the role of {} is not decided: decide, and write it instead of `undecided`, or run `init` again with --role COLUMN=ROLE",
            undecided.join(", ")
        ));
    }
    let status = check::run(&CheckArguments {
        history: false,
        project: arguments.output.to_string_lossy().into_owned(),
        attribute: None,
        delta: DeltaArguments::default(),
        format: Format::Table,
        rewrite: false,
    })
    .with_context(|| format!("{project} is written, but is not complete yet; edit it or the tables, then run `palmtop check {project}`"))?;
    say::line(&format!(
        "next: read {project}; `palmtop advise {project} --prior D --misuse M` for δ; `palmtop {project}` for the workbench"
    ));
    Ok(status)
}

/// What a proposal is made from.
struct Opened {
    /// The gate, which guards the inputs.
    gate: Gate,
    sources: Sources,
    /// The decisions of a project of ARX.
    declared: Decisions,
}

/// Reads the tables, or the project of ARX.
fn open(arguments: &InitArguments, target: &Path) -> anyhow::Result<Opened> {
    if let Some(project) = arguments.arx() {
        return arx::open(arguments, &project, target);
    }
    let named = arguments.tables().named()?;
    let gate = named.gate();
    gate.check(target, arguments.force).map_err(PipelineError::from)?;
    Ok(Opened { gate, sources: Sources::read(&named, &mut unwatched)?, declared: Decisions::default() })
}

/// Refuses a role that is impossible for the column.
fn check_role(
    argument: &RoleArgument,
    sources: &Sources,
    decisions: &Decisions,
    proposal: &Proposal,
) -> Result<(), Usage> {
    let RoleArgument { column, role } = argument;
    let wrong = |why: String| Usage(format!("--role {column}={}: {why}", role.as_str()));
    let Some(attribute) = proposal.attributes.iter().find(|attribute| attribute.name == *column) else {
        if proposal.unreadable.contains(column) {
            return Err(wrong(UNREADABLE.to_owned()));
        }
        let names: Vec<&str> = proposal.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
        return Err(wrong(format!("T has no such column; its columns are {}", names.join(", "))));
    };
    let choices = sources.choices(proposal, decisions, (attribute, Aspect::Role));
    let possible = choices.iter().filter_map(|choice| match choice.decision {
        Decision::Role { role, .. } => Some(role),
        _ => None,
    });
    let possible: Vec<Role> = possible.collect();
    // An identifier whose values people share is written as withheld.
    if possible.contains(role) || *role == Role::Identifier {
        return Ok(());
    }
    let has = if attribute.public_column.is_some() { "P has the column" } else { "P lacks the column" };
    let possible: Vec<&str> = possible.into_iter().map(Role::as_str).collect();
    Err(wrong(format!("{has}, so its role is {}", possible.join(" or "))))
}
