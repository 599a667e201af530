//! The command line: the program, and the arguments that several commands share. A command has its arguments in its file.

mod prepare;
mod hierarchy;
mod look;
mod make;
mod prove;
mod shared;

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command, CommandFactory as _, Parser, ValueEnum};

pub(super) use hierarchy::{
    ColumnArgument, HierarchyBuildArguments, HierarchyCheckArguments, HierarchyCommand,
    HierarchyExportArguments, HierarchyImportArguments, KindArgument,
};
pub(super) use look::Measured;
pub(super) use make::{AcceptArgument, AcceptArguments, StepArgument, WithArguments, WithFile};
pub(super) use prepare::{
    BenchFrameArguments, NamedTables, RoleArgument, SettingArgument, TablesArguments, WorkbenchArguments,
};
pub(super) use prove::{AuditHow, ChangeArgument, Reader, ReportFormat};
pub(super) use shared::{ChartArguments, DeltaArguments, NodeArgument, SearchArguments};

/// A terminal workbench for δ-presence, and its commands.
///
/// palmtop releases a table if presence in the table is itself sensitive.
///
/// Without a command, palmtop opens the workbench with PROJECT, or with a practice project. `palmtop COMMAND --help` is
/// short, and `palmtop help COMMAND` has every detail.
#[derive(Debug, Parser)]
#[command(version, bin_name = "palmtop", args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_long_help = "PROJECT is a project file, or one of the built-in examples @clinic, @paper, @trial.\n\n\
    Exit status: 0 done and δ-present; 1 an error; 2 wrong usage; 3 δ or the prior is infeasible, no release exists, or the \
    release is not δ-present or not faithful."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) workbench: WorkbenchArguments,
    #[command(subcommand)]
    pub(crate) command: Option<super::Command>,
    /// Messages on stderr: text or json.
    ///
    /// `json`, one object a line, is for a program that runs palmtop.
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "FORM",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) messages: Messages,
}

/// The command line. `-h` and `--help` print a page, and `palmtop help COMMAND` everything.
pub(super) fn program() -> Command {
    with_short_help(Arguments::command())
}

fn with_short_help(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command =
        names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_short_help));
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
    command.disable_help_flag(true).arg(help.help("Print this page; `palmtop help` has the details"))
}

/// The form of messages on stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Messages {
    /// Lines for a person.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl Messages {
    /// Whether a command line asks for JSON. Its errors have this form, too, so this looks before the command line is read.
    pub(crate) fn are_json(arguments: impl Iterator<Item = OsString>) -> bool {
        let words: Vec<OsString> = arguments.collect();
        let in_one = words.iter().any(|word| word == "--messages=json");
        in_one || words.windows(2).any(|pair| pair[0] == "--messages" && pair[1] == "json")
    }
}
