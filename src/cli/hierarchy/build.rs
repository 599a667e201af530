//! `hierarchy build`: builds a hierarchy over the values of a column.

use std::path::Path;

use palmtop::data::hierarchies::build::{Recipe, ValueKind};
use palmtop::data::hierarchies::{self, HierarchySpec, Values};
use palmtop::data::refused::Held;
use palmtop::data::write::{Gate, RealDisk, Ward};
use palmtop::model::Level;

use super::super::args::{HierarchyBuildArguments, KindArgument};
use palmtop_console::output;
use palmtop_console::status::{Status, Usage};
use palmtop_console::written::{not_written, say_removed};

pub(super) fn run(arguments: &HierarchyBuildArguments) -> anyhow::Result<Status> {
    let HierarchyBuildArguments { values: column, output: target, .. } = arguments;
    if target.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("toml")) {
        return Err(Usage(
            "-o needs a name that ends in .toml; `hierarchy export` writes ARX's CSV".to_owned(),
        )
        .into());
    }
    let mut gate = Gate::guarding(Ward::Input, [column.table.as_path()]);
    gate.check(target, arguments.force).map_err(palmtop::pipeline::PipelineError::from)?;
    let texts = super::distinct(column)?;
    let known = || texts.iter().map(String::as_str);
    let kind = arguments.kind.map_or_else(|| ValueKind::of(&known()), KindArgument::of_values);
    let recipe = Recipe::build(known(), kind, arguments.levels)?;
    let text = recipe.to_toml();
    let values = Values { held: Held::plain(&column.table, &column.column), texts: &texts };
    let spec = HierarchySpec::of(target.clone(), None, Level(0));
    // A file that palmtop could not read again is not written.
    hierarchies::of_bytes(&spec, text.as_bytes(), values, values)?;
    write(&mut gate, target, arguments.force, text.as_bytes())?;
    let count = texts.len();
    output::print(&format!(
        "{}: {} ({count} values, {})\n",
        target.display(),
        recipe.describe(),
        kind.as_str()
    ))?;
    Ok(Status::Done)
}

/// Writes a file through the gate.
pub(super) fn write(gate: &mut Gate, target: &Path, force: bool, content: &[u8]) -> anyhow::Result<()> {
    let put = gate.put(&mut RealDisk, target, force, content);
    say_removed(gate);
    put.map_err(not_written)
}
