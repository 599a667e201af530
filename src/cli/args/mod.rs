//! The command line: the program, and the arguments that several commands share. A command has its arguments in its file.

mod prepare;
mod hierarchy;
mod look;
mod make;
mod prove;
mod shared;

use clap::Parser;

pub(super) use hierarchy::{
    ColumnArgument, HierarchyBuildArguments, HierarchyCheckArguments, HierarchyCommand,
    HierarchyExportArguments, HierarchyImportArguments, HierarchyShowArguments, KindArgument,
};
pub(super) use look::{Measured, MeasuredArguments};
pub(super) use make::{AcceptArguments, CodebookArguments, PermissionArguments};
pub(super) use prepare::{
    BenchFrameArguments, NamedTables, RoleArgument, SettingArgument, TablesArguments, WorkbenchArguments,
};
pub(super) use prove::{AuditHow, ChangeArgument, Evidence, Reader, ReportFormat};
pub(super) use shared::{
    BoundArgument, ChartArguments, DeltaArguments, Minimized, NodeArgument, SearchArguments,
};

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
}
