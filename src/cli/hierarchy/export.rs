//! `hierarchy export`: writes a project's hierarchy in ARX's format.

use palmtop::compatibility::{Command, Feature};
use palmtop::data::hierarchies::{self, HierarchySpec, Values, arx};
use palmtop::data::refused::Held;
use palmtop::history;
use palmtop::model::Level;
use palmtop::pipeline::{self, Overrides, PipelineError};
use palmtop::words::plural;
use std::path::Path;

use super::super::args::HierarchyExportArguments;
use super::super::load;
use palmtop_console::output;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

pub(super) fn run(arguments: &HierarchyExportArguments) -> anyhow::Result<Status> {
    let HierarchyExportArguments { attribute, output: target, .. } = arguments;
    if target.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("csv")) {
        return Err(
            Usage("-o needs a name that ends in .csv: ARX reads hierarchies as CSV".to_owned()).into()
        );
    }
    let overrides: Overrides = (&arguments.delta).into();
    let (analysis, _file) =
        load::analysis(&arguments.project, &overrides, &[Feature::Command(Command::Hierarchy)])?;
    let mut gate = pipeline::export::gate(&analysis);
    history::guard(&mut gate, analysis.path());
    gate.check(target, arguments.force).map_err(PipelineError::from)?;
    let hierarchy = analysis.problem().hierarchy(super::attribute_index(&analysis, attribute)?);
    let content = arx::to_csv(hierarchy)?;
    let values = Values { held: Held::plain(Path::new(""), attribute), texts: &[] };
    let spec = HierarchySpec::of(target.clone(), None, Level(0));
    let again = hierarchies::of_bytes(&spec, &content, values, values)?.hierarchy;
    super::build::write(&mut gate, target, arguments.force, &content)?;
    output::print(&format!(
        "{}: {}, {}\n",
        target.display(),
        plural(hierarchy.leaf_count() as u64, "value"),
        plural(hierarchy.levels().count() as u64, "level")
    ))?;
    if again.kind() != hierarchy.kind() {
        let kind = hierarchy.kind().as_str();
        say::message(&format!(
            "this file cannot hold the kind: write `kind = \"{kind}\"` in each project that reads it"
        ));
    }
    Ok(Status::Done)
}
