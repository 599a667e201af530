//! `hierarchy show`: lists the labels of a level, with the number of values below each.

use palmtop::compatibility::{Command, Feature};
use palmtop::model::{Hierarchy, Level, Problem};
use palmtop::pipeline::Overrides;
use serde::Serialize;

use super::super::args::HierarchyShowArguments;
use super::super::load;
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::status::{Status, Usage};

#[derive(Serialize)]
struct LabelRow {
    level: u8,
    label: String,
    /// The number of values below the label.
    leaves: u32,
    /// The number of these values that occur in P.
    occurring: usize,
    /// The number of people in P with one of these values.
    public: u64,
}

pub(super) fn run(arguments: &HierarchyShowArguments) -> anyhow::Result<Status> {
    let overrides: Overrides = (&arguments.delta).into();
    let (analysis, _file) =
        load::analysis(&arguments.project, &overrides, &[Feature::Command(Command::Hierarchy)])?;
    let problem = analysis.problem();
    let place = super::place(&analysis, &arguments.attribute)?;
    let hierarchy = problem.hierarchy(place);
    let labels: Vec<LabelRow> = match arguments.level {
        Some(level) if hierarchy.levels().any(|known| known == Level(level)) => {
            of_level(problem, place, Level(level))
        }
        Some(level) => {
            let (base, top) = (hierarchy.base(), hierarchy.top());
            return Err(Usage(format!("no level {level}; its levels are {base} to {top}")).into());
        }
        None => hierarchy.levels().flat_map(|level| of_level(problem, place, level)).collect(),
    };
    match arguments.format {
        Format::Json => output::print_json(&labels)?,
        Format::Csv => rows(&labels).print_csv()?,
        Format::Table => output::print(&rows(&labels).to_table())?,
    }
    Ok(Status::Done)
}

fn of_level(problem: &Problem, place: usize, level: Level) -> Vec<LabelRow> {
    let hierarchy: &Hierarchy = problem.hierarchy(place);
    let mut labels: Vec<LabelRow> = (0..)
        .zip(hierarchy.labels(level).iter())
        .map(|(number, label)| LabelRow {
            level: level.0,
            label: label.to_owned(),
            leaves: hierarchy.label_size(level, number),
            occurring: 0,
            public: 0,
        })
        .collect();
    for (&label, counts) in hierarchy.labels_of(level).iter().zip(problem.leaf_counts(place)) {
        let label = &mut labels[label as usize];
        label.occurring += usize::from(counts.public > 0);
        label.public += counts.public;
    }
    labels
}

fn rows(labels: &[LabelRow]) -> OutputRows {
    let header = ["level", "label", "values", "in P", "people of P"];
    let row = |label: &LabelRow| {
        let LabelRow { level, label, leaves, occurring, public } = label;
        vec![level.to_string(), label.clone(), leaves.to_string(), occurring.to_string(), public.to_string()]
    };
    OutputRows {
        header: header.map(ToOwned::to_owned).to_vec(),
        lines: labels.iter().map(row).collect(),
        numbers_from: 2,
    }
}
