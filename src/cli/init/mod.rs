//! `init`: from two raw tables to a project that `check` reads.

mod ask;
mod shown;

use anyhow::Context;
use palmtop::pipeline::PipelineError;
use palmtop::progress::unwatched;
use palmtop::proposal::{Decisions, Sources, absolute};

use super::args::{CheckArguments, DeltaArguments, Format, InitArguments};
use super::check;
use super::delivery::{not_written, say_removed};
use super::output;
use super::say;
use super::status::Status;

/// Runs the command.
pub(super) fn run(arguments: &InitArguments) -> anyhow::Result<Status> {
    let target = absolute(&arguments.output)?;
    let named = arguments.tables.named()?;
    let mut gate = named.gate();
    gate.check(&target, arguments.force).map_err(PipelineError::from)?;
    let sources = Sources::read(&named, &mut unwatched)?;
    let mut decisions = Decisions::default();
    let (mut proposal, _) = sources.propose(&decisions, &mut unwatched)?;
    output::print(&shown::table(&proposal))?;
    if ask::is_possible(arguments.yes) {
        let before = decisions.0.len();
        proposal = ask::settle(&sources, &mut decisions, proposal)?;
        if decisions.0.len() > before {
            output::print(&shown::table(&proposal))?;
        }
    }
    for (path, why) in &sources.at_hand.refused {
        say::message(&format!("{}: not taken for a hierarchy: {why}", path.display()));
    }
    shown::say_ambiguities(&proposal);
    let put = proposal.put(&mut gate, &target, arguments.force);
    say_removed(&mut gate);
    let written = put.map_err(not_written)?;
    let project = arguments.output.display();
    say::line(&format!(
        "{project}: written{}",
        match written.hierarchies.len() {
            0 => String::new(),
            count => format!(", with {count} hierarchies in {}", written.folder.display()),
        }
    ));
    let status = check::run(&CheckArguments {
        project: arguments.output.to_string_lossy().into_owned(),
        delta: DeltaArguments::default(),
        format: Format::Table,
    })
    .with_context(|| format!("{project} is written, but not whole yet; edit it or the tables, then run `palmtop check {project}`"))?;
    say::line(&format!(
        "next: read {project}; `palmtop advise {project} --prior D --misuse M` for δ; `palmtop {project}` for the workbench"
    ));
    Ok(status)
}
