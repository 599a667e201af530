//! The command line: the program, and the arguments that several commands share. A command has its arguments in its file.

mod prepare;
mod hierarchy;
mod look;
mod make;
mod prove;
mod shared;

use std::ffi::OsString;

use clap::{Parser, ValueEnum};

pub(super) use hierarchy::{
    ColumnArgument, HierarchyBuildArguments, HierarchyCheckArguments, HierarchyCommand,
    HierarchyExportArguments, HierarchyImportArguments, HierarchyShowArguments, KindArgument,
};
pub(super) use look::Measured;
pub(super) use make::{AcceptArguments, CodebookArguments, PermissionArguments};
pub(super) use prepare::{
    BenchFrameArguments, NamedTables, RoleArgument, SettingArgument, TablesArguments, WorkbenchArguments,
};
pub(super) use prove::{AuditHow, ChangeArgument, Reader, ReportFormat};
pub(super) use shared::{ChartArguments, DeltaArguments, NodeArgument, SearchArguments};

/// A terminal workbench for δ-presence: releases a table if presence in the table is itself sensitive.
///
/// Without a command, palmtop opens the workbench with PROJECT, or with a practice project. Every command has --help.
#[derive(Debug, Parser)]
#[command(version, bin_name = "palmtop", args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "PROJECT is a project file, or one of the built-in examples @clinic, @paper, @trial.\n\n\
    Exit status: 0 done and δ-present; 1 an error; 2 wrong usage; 3 δ or the prior is infeasible, no release exists, or the \
    release is not δ-present or not faithful."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) workbench: WorkbenchArguments,
    #[command(subcommand)]
    pub(crate) command: Option<super::Command>,
    /// The form of messages on stderr. `json`, one object a line, is for a program that runs palmtop.
    #[arg(long, global = true, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) messages: Messages,
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
