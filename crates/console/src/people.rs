//! People with several rows (`role = "entity"`): the text of their classes.

use palmtop_core::model::{Classes, EquivalenceClass, Feasibility, Presence, Problem, Recoding, Verdict};
use palmtop_project::keys;
use palmtop_release::columns::{Column, Table, Value};
use palmtop_release::pipeline::Analysis;
use palmtop_search::release::Release;
use serde::Serialize;

use crate::output::{self, short};

/// The rows of each person in a class, as text: `(17***, [40, 50)) ×2 · (42***, [40, 50))`.
pub fn rows_of(problem: &Problem, class: &EquivalenceClass) -> String {
    let rows = class.row_texts(problem);
    let text = |alike: &[Vec<String>]| {
        let times = if alike.len() > 1 { format!(" ×{}", alike.len()) } else { String::new() };
        format!("({}){times}", alike[0].join(", "))
    };
    rows.chunk_by(|left, right| left == right).map(text).collect::<Vec<_>>().join(" · ")
}

/// Explains why no node keeps the policy, with a class of the coarsest node. Every release reveals
/// how many rows each person has.
pub fn why_infeasible(problem: &Problem, feasibility: &Feasibility) -> String {
    let Some(class) = &feasibility.blocked else { return "infeasible".to_owned() };
    let classes = Classes::of(problem, &Recoding::Node(problem.lattice().top()));
    let same = classes.iter().position(|other| other == *class);
    let verdict = same.and_then(|index| u32::try_from(index).ok());
    let broken = match verdict.map(|index| classes.judge(&feasibility.policy, index)) {
        Some(Verdict::Breaks(criterion)) => format!("`{criterion}` under [policy]"),
        _ => format!("δ = {}", feasibility.policy.delta()),
    };
    let people = if class.counts.public == 1 { "person has" } else { "people have" };
    let what = format!(
        "infeasible: at {}, the coarsest node, {} {people} the rows {}, {} of them in T, presence {}, which breaks {broken}",
        problem.lattice().top(),
        class.counts.public,
        output::shown(&rows_of(problem, class)),
        class.counts.private,
        as_both(class.counts.presence()),
    );
    let remedy = if problem.levels_reach_the_top() {
        "whatever is published of rows, it shows how many a person has: merge or drop rows in both tables until people have like numbers, \
         or ask for less"
    } else {
        "`levels` and `shape` permit no coarser one: permit coarser levels, merge or drop rows in both tables until people have like numbers, \
         or ask for less"
    };
    format!("{what}; {remedy}")
}

/// The presence as fraction and decimal: `2/5 = 0.4000`.
fn as_both(presence: Presence) -> String {
    format!("{presence} = {}", short(presence.to_f64()))
}

keys! {
/// The numbers of people and rows of a release, if people have several rows.
#[derive(Clone, Debug, Serialize)]
pub struct ReleasedPeople {
    /// The attribute that identifies the person of each row in both tables.
    pub entity: String,
    /// The number of people of P.
    pub public: u64,
    /// The number of members of T.
    pub private: u64,
    /// The number of released rows.
    pub rows: u64,
    /// The number of distinct released rows.
    pub distinct_rows: usize,
}
}

impl ReleasedPeople {
    /// Counts a release; `None` if each row is a person.
    pub fn of(entity: Option<&str>, problem: &Problem, release: &Release) -> Option<Self> {
        let total = problem.people()?.total();
        Some(Self {
            entity: entity?.to_owned(),
            public: total.public,
            private: total.private,
            rows: problem.histogram().total().private,
            distinct_rows: usize::try_from(release.classes.of_rows().released()).ok()?,
        })
    }
}

keys! {
/// The findings of `check` about people with several rows.
#[derive(Serialize)]
pub struct CheckedPeople {
    /// The attribute that identifies the person of each row in both tables.
    entity: String,
    /// The number of distinct multisets of combinations.
    multisets: usize,
    /// The classes of the coarsest node, by rows per person.
    coarsest: Vec<Coarsest>,
}
}

keys! {
/// A class of the coarsest node.
#[derive(Serialize)]
pub struct Coarsest {
    /// The number of rows of each person in the class.
    rows: usize,
    /// The published rows, as text.
    published: String,
    /// The people of P in the class.
    public: u64,
    /// The members in the class.
    private: u64,
    /// The presence of the class.
    presence: String,
    /// Whether the class satisfies the policy.
    holds: bool,
}
}

/// The columns of `check` if people have several rows.
pub const COARSEST: [Column<Coarsest>; 6] = [
    Column::number("rows of a person", "the number of rows of each person in the class", |class| {
        class.rows.into()
    }),
    Column::number("published", "the published rows, as text", |class| (&class.published).into()),
    Column::number("public", "the people of P in the class", |class| class.public.into()),
    Column::number("private", "the members in the class", |class| class.private.into()),
    Column::number("presence", "the presence of the class", |class| (&class.presence).into()),
    Column::number("holds", "whether the class satisfies the policy", |class| {
        Value::from(if class.holds { "✓" } else { "✗" })
    }),
];

impl CheckedPeople {
    /// Counts the coarsest node; `None` if each row is a person.
    pub fn of(analysis: &Analysis) -> Option<Self> {
        let problem = analysis.problem();
        let (entity, people) = (analysis.entity()?, problem.people()?);
        let classes = Classes::of(problem, &Recoding::Node(problem.lattice().top()));
        let coarsest = (0..).zip(classes.iter()).map(|(number, class)| Coarsest {
            rows: class.row_texts(problem).len(),
            published: rows_of(problem, &class),
            public: class.counts.public,
            private: class.counts.private,
            presence: class.counts.presence().to_string(),
            holds: classes.judge(problem.policy(), number) == Verdict::Ok,
        });
        let mut coarsest: Vec<Coarsest> = coarsest.collect();
        coarsest.sort_by_key(|class| class.rows);
        Some(Self { entity: entity.to_owned(), multisets: people.len(), coarsest })
    }

    /// Two lines: the attribute, and the number of multisets.
    pub fn lines(&self) -> String {
        format!(
            "entity    `{}` says which rows are one person's: everything is counted in people\n\
             multisets {} distinct ones of a person's combinations\n",
            output::shown(&self.entity),
            self.multisets
        )
    }

    /// The classes of the coarsest node as a table.
    pub fn table(&self) -> Table {
        Table::of(&COARSEST, &self.coarsest)
    }

    /// The table with its heading and, if no release is possible, the reason.
    pub fn text(&self, problem: &Problem) -> String {
        let feasibility = problem.feasibility();
        let why = if feasibility.holds() {
            String::new()
        } else {
            format!("\n✗ {}\n", why_infeasible(problem, &feasibility))
        };
        format!(
            "{}\nWhatever is published of rows, a release shows how many each person has; these are the classes of the coarsest node.\n{why}\n",
            output::to_table(&self.table())
        )
    }
}
