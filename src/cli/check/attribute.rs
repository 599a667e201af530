//! `check --attribute`: lists the labels of a quasi-identifier, with the number of values below each.

use palmtop::columns::{Column, Table};
use palmtop::compatibility::{Command, Feature};
use palmtop::keys;
use palmtop::model::{Hierarchy, Level, Problem};
use serde::Serialize;

use crate::cli::args::DeltaArguments;
use crate::cli::{hierarchy, load};
use palmtop_console::answer::{Answer, Listing};
use palmtop_console::format::Format;
use palmtop_console::status::Status;

keys! {
#[derive(Serialize)]
pub(in crate::cli) struct LabelRow {
    /// The level.
    level: u8,
    /// The label.
    label: String,
    /// The number of values below the label.
    leaves: u32,
    /// The number of these values that occur in P.
    occurring: usize,
    /// The number of people in P with one of these values.
    public: u64,
}
}

/// The columns of CSV.
pub(in crate::cli) const COLUMNS: [Column<LabelRow>; 5] = [
    Column::text("level", "the level", |row| row.level.into()),
    Column::text("label", "the label", |row| (&row.label).into()),
    Column::number("values", "the number of values below the label", |row| u64::from(row.leaves).into()),
    Column::number("in P", "the number of these values that occur in P", |row| row.occurring.into()),
    Column::number("people of P", "the number of people in P with one of these values", |row| {
        row.public.into()
    }),
];

/// Lists the labels of each level of a quasi-identifier.
pub(super) fn run(
    project: &str,
    delta: &DeltaArguments,
    attribute: &str,
    format: Format,
) -> anyhow::Result<Status> {
    // The labels count rows.
    let asked = [Feature::Command(Command::Check), Feature::RowCount];
    let (analysis, _file) = load::analysis(project, &delta.into(), &asked)?;
    let problem = analysis.problem();
    let index = hierarchy::attribute_index(&analysis, attribute)?;
    let levels = problem.hierarchy(index).levels();
    let labels: Vec<LabelRow> = levels.flat_map(|level| of_level(problem, index, level)).collect();
    Listing { table: Table::of(&COLUMNS, &labels), object: &labels }.print(format)?;
    Ok(Status::Done)
}

fn of_level(problem: &Problem, index: usize, level: Level) -> Vec<LabelRow> {
    let hierarchy: &Hierarchy = problem.hierarchy(index);
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
    for (&label, counts) in hierarchy.labels_of(level).iter().zip(problem.leaf_counts(index)) {
        let label = &mut labels[label as usize];
        label.occurring += usize::from(counts.public > 0);
        label.public += counts.public;
    }
    labels
}
