//! `check`: what there is, in people and in rows, and whether anything can keep what is enforced.

use palmtop::caution::{self, Caution, ReleaseFile};
use palmtop::model::Counts;
use palmtop::pipeline::EntityAnalysis;
use palmtop::progress::unwatched;
use serde::Serialize;

use crate::cli::args::CheckArguments;
use crate::cli::cautions;
use crate::cli::check::PublishedLevel;
use palmtop_console::format::Format;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::result::{Bounds, PseudonymResult};
use palmtop_console::status::Status;

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
    attributes: Vec<Quasi>,
    lattice: u64,
    delta: Bounds,
    /// What is enforced beside δ.
    criteria: Vec<Enforced>,
    /// The columns that a release has pseudonyms in.
    pseudonyms: Vec<PseudonymResult>,
    /// The columns that only T has and that are published at a level of a hierarchy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    published: Vec<PublishedLevel>,
    /// The classes of the coarsest node: people by how many rows they have, which every release shows.
    coarsest: Vec<Coarsest>,
    feasible: bool,
    /// What has to be known before a release is signed.
    cautions: Vec<Caution>,
    load_seconds: f64,
}

#[derive(Serialize)]
struct Counted {
    people: u64,
    rows: u64,
}

/// A quasi-identifier, and between which levels it is published.
#[derive(Serialize)]
struct Quasi {
    name: String,
    finest: u8,
    coarsest: u8,
}

#[derive(Serialize)]
struct Enforced {
    name: &'static str,
    required: String,
}

/// A class of the coarsest node.
#[derive(Serialize)]
struct Coarsest {
    /// How many rows each of its people has.
    rows: usize,
    /// What these are published as.
    published: String,
    public: u64,
    private: u64,
    presence: String,
    holds: bool,
}

/// Runs the command.
pub(in crate::cli) fn check(arguments: &CheckArguments) -> anyhow::Result<Status> {
    let analysis = super::load(&arguments.project, &(&arguments.delta).into(), None)?;
    analysis.check_pseudonyms()?;
    let surroundings = cautions::surroundings(analysis.path(), ReleaseFile::default());
    let cautions = caution::of_people_project(&analysis, &mut unwatched)?.beside(&surroundings).list;
    let checked = Checked::of(&analysis, cautions);
    match arguments.format {
        Format::Json => output::print_json(&checked)?,
        Format::Csv => checked.table().print_csv()?,
        Format::Table => output::print(&checked.text(&analysis))?,
    }
    Ok(Status::of_presence(checked.feasible))
}

impl Checked {
    fn of(analysis: &EntityAnalysis, cautions: Vec<Caution>) -> Self {
        let problem = analysis.problem();
        let (rows, entities) = (problem.rows(), problem.entities());
        let counted = |of: fn(Counts) -> u64| Counted {
            people: of(entities.total()),
            rows: of(rows.histogram().total()),
        };
        let lattice = rows.lattice();
        let classes = problem.classes(&lattice.top());
        let coarsest = (0..).zip(classes.all()).map(|(class, data)| Coarsest {
            rows: classes.rows(class).len(),
            published: super::rows_of(analysis, &classes, class),
            public: data.counts().public,
            private: data.counts().private,
            presence: data.counts().presence().to_string(),
            holds: problem.policy().allows(data),
        });
        let mut coarsest: Vec<Coarsest> = coarsest.collect();
        coarsest.sort_by_key(|own| own.rows);
        let attributes = rows.quasi().iter().enumerate().map(|(place, quasi)| Quasi {
            name: quasi.name.clone(),
            finest: rows.finest(place).0,
            coarsest: rows.coarsest(place).0,
        });
        let criteria = problem.policy().criteria().settings().into_iter();
        Self {
            project: analysis.name().to_owned(),
            entity: analysis.entity().to_owned(),
            public: counted(|counts| counts.public),
            private: counted(|counts| counts.private),
            combinations: rows.histogram().len(),
            multisets: entities.len(),
            attributes: attributes.collect(),
            lattice: lattice.len(),
            delta: problem.policy().delta().into(),
            criteria: criteria.map(|(name, required)| Enforced { name, required }).collect(),
            pseudonyms: analysis.pseudonyms().iter().map(PseudonymResult::from).collect(),
            published: PublishedLevel::list(analysis.published_coarser()),
            feasible: coarsest.iter().all(|own| own.holds),
            coarsest,
            cautions,
            load_seconds: analysis.load_seconds(),
        }
    }

    fn table(&self) -> OutputRows {
        let header = ["rows of a person", "published", "public", "private", "presence", "holds"];
        let row = |own: &Coarsest| {
            let holds = if own.holds { "✓" } else { "✗" };
            let Coarsest { rows, published, public, private, presence, .. } = own;
            vec![
                rows.to_string(),
                published.clone(),
                public.to_string(),
                private.to_string(),
                presence.clone(),
                holds.to_owned(),
            ]
        };
        OutputRows {
            header: header.map(ToOwned::to_owned).to_vec(),
            lines: self.coarsest.iter().map(row).collect(),
            numbers_from: 0,
        }
    }

    fn text(&self, analysis: &EntityAnalysis) -> String {
        let counted = |own: &Counted| format!("{} people in {} rows", own.people, own.rows);
        let attributes =
            self.attributes.iter().map(|own| format!("{} {}-{}", own.name, own.finest, own.coarsest));
        let enforced = self.criteria.iter().map(|own| format!("{} = {}", own.name, own.required));
        let enforced: Vec<String> = enforced.collect();
        let mut text = format!(
            "{}\n\n\
             entity    `{}` says which rows are one person's: everything is counted in people\n\
             private   {}\n\
             public    {}, {} distinct combinations of a row, {} of a person\n\
             lattice   {} of the levels {}\n\
             δ         {} to {}\n\
             enforced  beside δ: {}\n\
             coded     pseudonyms of {}\n{}\n{}",
            output::shown(&self.project),
            output::shown(&self.entity),
            counted(&self.private),
            counted(&self.public),
            self.combinations,
            self.multisets,
            if self.lattice == 1 { "1 node".to_owned() } else { format!("{} nodes", self.lattice) },
            output::shown(&attributes.collect::<Vec<_>>().join(", ")),
            self.delta.min,
            self.delta.max,
            if enforced.is_empty() { "nothing".to_owned() } else { enforced.join(", ") },
            output::shown(&PseudonymResult::listed(&self.pseudonyms)),
            PublishedLevel::lines(&self.published),
            self.table().to_table()
        );
        text += "\nWhatever is published of rows, a release shows how many each person has; these are the classes of the coarsest node.\n";
        if !self.feasible {
            text += &format!("\n✗ {}\n", super::why_infeasible(analysis));
        }
        for caution in &self.cautions {
            text += &format!("\n{}\n", output::shown(&format!("caution   {}: {caution}", caution.name())));
        }
        text
    }
}
