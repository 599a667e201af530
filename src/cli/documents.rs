//! `completions` and `man`: print documents that are generated from the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::args::Arguments;
use palmtop_console::output;
use palmtop_console::status::Status;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

/// The manual page has no options.
#[derive(Debug, Args)]
pub(crate) struct ManArguments {}

/// Prints a completion script.
pub(super) fn completions(arguments: &CompletionsArguments) -> anyhow::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "palmtop", &mut script);
    output::print_raw(&String::from_utf8_lossy(&script))?;
    Ok(Status::Done)
}

/// Prints the manual page: the program's sections, then those of the commands.
pub(super) fn man(_: &ManArguments) -> anyhow::Result<Status> {
    let mut page = Vec::new();
    let mut program = Arguments::command();
    program.build();
    clap_mangen::Man::new(program.clone()).render(&mut page)?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let page_of_command = clap_mangen::Man::new(command.clone());
        page_of_command.render_synopsis_section(&mut page)?;
        page_of_command.render_description_section(&mut page)?;
        page_of_command.render_options_section(&mut page)?;
    }
    output::print_raw(&String::from_utf8_lossy(&page))?;
    Ok(Status::Done)
}
