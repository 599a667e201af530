//! `hierarchy check`: checks that the levels of a file nest, and that it has every value of a
//! column.

use palmtop::data::hierarchies::outline::Outline;
use palmtop::data::hierarchies::{self, HierarchySpec, Values};
use palmtop::data::refused::Held;
use palmtop::model::Level;

use super::super::args::HierarchyCheckArguments;
use palmtop_console::output;
use palmtop_console::status::Status;

pub(super) fn run(arguments: &HierarchyCheckArguments) -> anyhow::Result<Status> {
    let file = &arguments.file;
    let Some(column) = &arguments.values else {
        let outline = Outline::read(file)?;
        let leaves = match outline.leaves {
            Some(leaves) => format!("{leaves} values"),
            None => "built from the data".to_owned(),
        };
        output::print(&format!("{}: ✓ nests; levels 0 to {}, {leaves}\n", file.display(), outline.top))?;
        return Ok(Status::Done);
    };
    let texts = super::distinct(column)?;
    let values = Values { held: Held::plain(&column.table, &column.column), texts: &texts };
    let at = |level| HierarchySpec::of(file.clone(), arguments.kind.map(Into::into), Level(level));
    // The column may have labels of a higher level; if it has those of none, the error is that of level 0.
    let read = |level| hierarchies::read(&at(level), values, values);
    let domain = match read(0) {
        Err(error) => (1..=Outline::read(file)?.top.0).find_map(|level| read(level).ok()).ok_or(error)?,
        domain => domain?,
    };
    let hierarchy = &domain.hierarchy;
    let labels: Vec<String> =
        hierarchy.levels().map(|level| hierarchy.label_count(level).to_string()).collect();
    output::print(&format!(
        "{}: ✓ nests, and has all {} values of {}\n\
         levels  {} to {}: {} labels\n\
         kind    {}: {}\n",
        file.display(),
        texts.len(),
        column,
        hierarchy.base(),
        hierarchy.top(),
        labels.join(" → "),
        hierarchy.kind().as_str(),
        domain.reason.as_str(),
    ))?;
    Ok(Status::Done)
}
