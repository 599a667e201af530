//! `hierarchy import`: translates a hierarchy of ARX into a file of palmtop.

use std::path::Path;

use palmtop::data::arx::{self, Form};
use palmtop::data::hierarchies::{self, HierarchySpec, Values};
use palmtop::data::refused::Held;
use palmtop::data::write::{Gate, Ward};
use palmtop::model::Level;

use super::super::args::HierarchyImportArguments;
use palmtop_console::output;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

pub(super) fn run(arguments: &HierarchyImportArguments) -> anyhow::Result<Status> {
    let HierarchyImportArguments { file, values: column, output: target, force } = arguments;
    let ending = target.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let form = match ending.to_ascii_lowercase().as_str() {
        "toml" => Form::Toml,
        "csv" => Form::Csv,
        _ => return Err(Usage("-o needs a name that ends in .toml or .csv".to_owned()).into()),
    };
    let inputs = std::iter::once(file.as_path()).chain(column.iter().map(|column| column.table.as_path()));
    let mut gate = Gate::guarding(Ward::Input, inputs);
    gate.check(target, *force).map_err(palmtop::pipeline::PipelineError::from)?;
    let texts = column.as_ref().map(super::distinct_in_order).transpose()?;
    let imported = arx::import(file, texts.as_deref(), form)?;
    let held = match column {
        Some(column) => Held::plain(&column.table, &column.column),
        None => Held::plain(Path::new(""), ""),
    };
    let values = Values { held, texts: &imported.values };
    let spec = HierarchySpec::of(target.clone(), None, Level(0));
    if imported.values.is_empty() {
        hierarchies::outline::Outline::of_bytes(target, &imported.bytes)?;
    } else {
        // A file that palmtop could not read again is not written.
        hierarchies::of_bytes(&spec, &imported.bytes, values, values)?;
    }
    super::build::write(&mut gate, target, *force, &imported.bytes)?;
    output::print(&format!("{}: {}\n", target.display(), imported.summary))?;
    for note in &imported.notes {
        say::message(note);
    }
    Ok(Status::Done)
}
