//! `hierarchy`: checks, builds, imports and exports generalization hierarchies.

mod check;
mod build;
mod import;
mod export;

use std::collections::HashSet;

use anyhow::Context;
use palmtop::data::read::{Table, TableSpec};
use palmtop::pipeline::Analysis;
use palmtop::progress::unwatched;

use super::args::{ColumnArgument, HierarchyCommand};
use palmtop_console::status::{Status, Usage};

pub(super) fn run(command: &HierarchyCommand) -> anyhow::Result<Status> {
    match command {
        HierarchyCommand::Check(arguments) => check::run(arguments),
        HierarchyCommand::Build(arguments) => build::run(arguments),
        HierarchyCommand::Import(arguments) => import::run(arguments),
        HierarchyCommand::Export(arguments) => export::run(arguments),
    }
}

/// The index of a quasi-identifier in a project.
pub(super) fn attribute_index(analysis: &Analysis, attribute: &str) -> anyhow::Result<usize> {
    let names = || analysis.problem().quasi().iter().map(|quasi| quasi.name.as_str());
    let found = names().position(|name| name == attribute);
    found.ok_or_else(|| {
        let known: Vec<&str> = names().collect();
        Usage(format!("no quasi-identifier `{attribute}`; there are {}", known.join(", "))).into()
    })
}

/// The distinct texts of a column, sorted.
fn distinct(argument: &ColumnArgument) -> anyhow::Result<Vec<String>> {
    let mut texts = distinct_in_order(argument)?;
    texts.sort_unstable();
    Ok(texts)
}

/// The distinct texts of a column, in the order of the table.
fn distinct_in_order(argument: &ColumnArgument) -> anyhow::Result<Vec<String>> {
    let ColumnArgument { table, column } = argument;
    let table = Table::open(&TableSpec::of_all_rows(table.clone()))?;
    table.require(column, "column on the command line")?;
    let (mut known, mut texts) = (HashSet::new(), Vec::new());
    table
        .visit(&[column], &mut unwatched, &mut |_, row| {
            if let Some(text) = row.first().filter(|text| !known.contains(**text)) {
                known.insert((*text).to_owned());
                texts.push((*text).to_owned());
            }
            Ok(())
        })
        .with_context(|| format!("cannot read column {column}"))?;
    Ok(texts)
}
