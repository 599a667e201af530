//! `check`: what there is, in people and in rows, and whether anything can keep what is enforced.

use palmtop::model::Counts;
use palmtop::pipeline::EntityAnalysis;
use serde::Serialize;

use crate::cli::args::{CheckArguments, Format};
use crate::cli::output::{self, OutputRows};
use crate::cli::result::Bounds;
use crate::cli::status::Status;

#[derive(Serialize)]
struct Checked {
    project: String,
    /// The attribute by which both tables say whose rows are one person's.
    entity: String,
    public: Counted,
    private: Counted,
    combinations: usize,
    /// The distinct multisets of combinations.
    multisets: usize,
    attributes: Vec<String>,
    lattice: u64,
    delta: Bounds,
    /// What is enforced beside δ.
    criteria: String,
    /// The classes at the top of the lattice: people by how many rows they have, which every release shows.
    by_rows: Vec<ByRows>,
    feasible: bool,
    load_seconds: f64,
}

#[derive(Serialize)]
struct Counted {
    people: u64,
    rows: u64,
}

/// People with so many rows.
#[derive(Serialize)]
struct ByRows {
    rows: usize,
    public: u64,
    private: u64,
    presence: String,
    holds: bool,
}

/// Runs the command.
pub(in crate::cli) fn check(arguments: &CheckArguments) -> anyhow::Result<Status> {
    let analysis = super::load(&arguments.project, &(&arguments.delta).into(), None)??;
    analysis.check_pseudonyms()?;
    let checked = Checked::of(&analysis);
    match arguments.format {
        Format::Json => output::print_json(&checked)?,
        Format::Csv => checked.table().print_csv()?,
        Format::Table => output::print(&checked.text(&analysis))?,
    }
    Ok(Status::of_presence(checked.feasible))
}

impl Checked {
    fn of(analysis: &EntityAnalysis) -> Self {
        let problem = analysis.problem();
        let (rows, entities) = (problem.rows(), problem.entities());
        let counted = |of: fn(Counts) -> u64| Counted {
            people: of(entities.total()),
            rows: of(rows.histogram().total()),
        };
        let lattice = rows.lattice();
        let classes = problem.classes(&lattice.top());
        let by_rows = (0..).zip(classes.all()).map(|(class, data)| ByRows {
            rows: classes.rows(class).len(),
            public: data.counts().public,
            private: data.counts().private,
            presence: data.counts().presence().to_string(),
            holds: problem.policy().allows(data),
        });
        let mut by_rows: Vec<ByRows> = by_rows.collect();
        by_rows.sort_by_key(|own| own.rows);
        Self {
            project: analysis.name().to_owned(),
            entity: analysis.entity().to_owned(),
            public: counted(|counts| counts.public),
            private: counted(|counts| counts.private),
            combinations: rows.histogram().len(),
            multisets: entities.len(),
            attributes: rows.quasi().iter().map(|quasi| quasi.name.clone()).collect(),
            lattice: lattice.len(),
            delta: problem.policy().delta().into(),
            criteria: problem.policy().criteria().to_string(),
            feasible: by_rows.iter().all(|own| own.holds),
            by_rows,
            load_seconds: analysis.load_seconds(),
        }
    }

    fn table(&self) -> OutputRows {
        let header = ["rows of a person", "public", "private", "presence", "holds"];
        let row = |own: &ByRows| {
            let holds = if own.holds { "✓" } else { "✗" };
            let ByRows { rows, public, private, presence, .. } = own;
            vec![
                rows.to_string(),
                public.to_string(),
                private.to_string(),
                presence.clone(),
                holds.to_owned(),
            ]
        };
        OutputRows {
            header: header.map(ToOwned::to_owned).to_vec(),
            lines: self.by_rows.iter().map(row).collect(),
            numbers_from: 0,
        }
    }

    fn text(&self, analysis: &EntityAnalysis) -> String {
        let counted = |own: &Counted| format!("{} people in {} rows", own.people, own.rows);
        let mut text = format!(
            "{}\n\n\
             entity    `{}` says which rows are one person's: everything is counted in people\n\
             private   {}\n\
             public    {}, {} distinct combinations of a row, {} of a person\n\
             lattice   {} nodes of {}\n\
             δ         {} to {}\n\
             enforced  beside δ: {}\n\n{}",
            output::shown(&self.project),
            output::shown(&self.entity),
            counted(&self.private),
            counted(&self.public),
            self.combinations,
            self.multisets,
            self.lattice,
            output::shown(&self.attributes.join(", ")),
            self.delta.min,
            self.delta.max,
            self.criteria,
            self.table().to_table()
        );
        text += "\nWhatever is published of rows, a release shows how many each person has; these are the classes of the coarsest node.\n";
        if !self.feasible {
            text += &format!("\n✗ {}\n", super::why_infeasible(analysis));
        }
        text
    }
}
