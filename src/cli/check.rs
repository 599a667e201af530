//! `check`: loads the project and both tables, and prints the findings.

mod attribute;
mod fetched;
mod limits;
mod published;

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, Utc};
use palmtop::caution::{self, Caution, Key, Surroundings};
use palmtop::columns::{Column, Table};
use palmtop::compatibility::{Command, Feature};
use palmtop::history;
use palmtop::keys;
use palmtop::model::{Classes, Counts, Cuts, Hierarchy, Problem, Recoding, Standing, Verdict};
use palmtop::pipeline::{self, Analysis, Reduction, SafeHarborNote};
use palmtop::progress::unwatched;
use palmtop::project::Attribute;
use palmtop::words::plural;
use serde::Serialize;

#[cfg(test)]
pub(super) use self::attribute::{COLUMNS as LABELS, LabelRow};
use self::fetched::CheckedFetch;
use self::limits::{feasible, limit_lines};
use self::published::PublishedLevel;
use super::args::DeltaArguments;
use super::cautions;
use super::history::Listing;
use super::load;
use clap::Args;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::output;
use palmtop_console::people::CheckedPeople;
use palmtop_console::project_file::changes;
use palmtop_console::result::{Bounds, PseudonymResult, is_nobody, members, rows_left_out};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// Only list the labels of this quasi-identifier, level by level, with the values and the people of P below each.
    #[arg(long, value_name = "NAME")]
    pub(crate) attribute: Option<String>,
    /// List the steps and the decisions on δ of the project's history instead; `anonymize --step` makes a step again.
    #[arg(long)]
    pub(crate) history: bool,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// First replace keys of older versions in the project file.
    #[arg(long)]
    pub(crate) rewrite: bool,
}

keys! {
#[derive(Serialize)]
pub(super) struct Checked {
    /// The name of the project.
    project: String,
    /// The people of rows; absent if each row is a person.
    #[serde(flatten)]
    people: Option<CheckedPeople>,
    /// The table P.
    public: Counted,
    /// The number of people for each text in P's `count` column that is not a number.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    count_texts: BTreeMap<String, u64>,
    /// The table T.
    private: Counted,
    /// The number of distinct combinations in P.
    combinations: usize,
    /// The quasi-identifiers, in the order of the levels of a node.
    attributes: Vec<CheckedHierarchy>,
    /// The number of nodes; null above 64 bits.
    lattice: Option<u64>,
    /// The δ.
    delta: Bounds,
    /// The enforced criteria other than δ.
    criteria: Vec<CheckedCriterion>,
    /// How many members may be withdrawn; may be absent if it is 0.
    #[serde(skip_serializing_if = "is_nobody")]
    suppressed_at_most: u64,
    /// |T|/|P|, an exact fraction.
    share: String,
    /// Whether a release can satisfy the policy.
    feasible: bool,
    /// Whether regions without members are possible: `allow` or `forbid`.
    empty_regions: &'static str,
    /// The columns of P that the project does not name.
    unused_public_columns: Vec<String>,
    /// The cautions about probable mistakes, as text.
    warnings: Vec<String>,
    /// The cautions; null if they were not computed.
    cautions: Vec<Caution>,
    /// Declarations that the project could have and lacks.
    notes: Vec<String>,
    /// The pseudonymized columns, in CSV as `patient (keyed)`; may be absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pseudonyms: Vec<PseudonymResult>,
    /// The attributes only of T that are published coarser; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    published: Vec<PublishedLevel>,
    /// What a release could publish finely: the items of HIPAA's Safe Harbor list.
    safe_harbor: Vec<CheckedNote>,
    /// Combinations with few people, as loaded.
    thin: Thin,
    /// The cached reduction of P; absent if P was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    reduced: Option<CheckedReduction>,
    /// The fetch of P from a database; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    fetched: Option<CheckedFetch>,
    /// The seconds of loading.
    load_seconds: f64,
}
}

keys! {
/// A note about a column that could be published finely. It changes no verdict.
#[derive(Serialize)]
struct CheckedNote {
    /// The attribute.
    attribute: String,
    /// What the list names.
    concern: &'static str,
    /// The note as text.
    note: String,
}
}

keys! {
/// The cached reduction of P, next to the project.
#[derive(Serialize)]
struct CheckedReduction {
    /// The file.
    path: String,
    /// The time of writing, in UTC.
    made: String,
}
}

keys! {
#[derive(Serialize)]
struct Counted {
    /// The number of people.
    people: u64,
    /// The number of rows; absent if each row is a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    /// Of T: the members who are left out because P lacks them.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<u64>,
    /// Of P: the members who are added to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<u64>,
    /// The rows that are no people.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_left_out: Option<u64>,
}
}

keys! {
/// An enforced criterion. `at_most` is its value if all of T is one class, an upper limit for every
/// release.
#[derive(Serialize)]
struct CheckedCriterion {
    /// The criterion.
    name: &'static str,
    /// What is required; null if it is only measured.
    required: String,
    /// What all of T in one class achieves, an upper limit for every release.
    at_most: Option<String>,
    /// Whether a release can satisfy it.
    feasible: bool,
}
}

keys! {
/// A quasi-identifier and its hierarchy.
#[derive(Serialize)]
pub(super) struct CheckedHierarchy {
    /// The quasi-identifier.
    name: String,
    /// The kind: `number`, `date` or `category`.
    kind: &'static str,
    /// Why it has this kind.
    kind_reason: &'static str,
    /// The number of values of its hierarchy.
    values: usize,
    /// The number of these values that occur in P.
    occurring: usize,
    /// The level that P holds.
    base: u8,
    /// The highest level.
    top: u8,
    /// The published levels, if people have several rows.
    #[serde(flatten)]
    published: Option<PublishedBetween>,
    /// The number of labels of each level.
    labels: Vec<usize>,
}
}

keys! {
/// The range of levels at which a quasi-identifier may be published.
#[derive(Serialize)]
struct PublishedBetween {
    /// The finest level that may be published.
    finest: u8,
    /// The coarsest level that may be published.
    coarsest: u8,
}
}

keys! {
/// Counts of combinations with few people, before any recoding. If people have several rows, counts
/// of multisets.
#[derive(Serialize)]
struct Thin {
    /// Combinations with one person in P.
    of_one: usize,
    /// Combinations with fewer than five people in P.
    below_five: usize,
    /// Combinations whose people in P are all in T.
    certain: usize,
    /// The members of T in the `certain` combinations.
    certain_people: u64,
}
}

pub(super) fn run(arguments: &CheckArguments) -> anyhow::Result<Status> {
    if let Some(attribute) = &arguments.attribute {
        return attribute::run(&arguments.project, &arguments.delta, attribute, arguments.format);
    }
    if arguments.rewrite {
        rewrite(&arguments.project)?;
    }
    if arguments.history {
        let file = load::ProjectFile::find(&arguments.project)?;
        let history = history::of_project(&file.path)?;
        history.untaken().iter().for_each(|untaken| say::message(&untaken.why));
        Listing::of(&history).print(arguments.format)?;
        return Ok(Status::Done);
    }
    let (analysis, _file) =
        load::analysis(&arguments.project, &(&arguments.delta).into(), &[Feature::Command(Command::Check)])?;
    pipeline::pseudonyms::check(&analysis)?;
    let checked = Checked::of(&analysis)?;
    Described { checked: &checked, analysis: &analysis }.print(arguments.format)?;
    Ok(Status::of_presence(checked.feasible))
}

/// Replaces keys of older versions in the project file, and lists the lines that changed.
fn rewrite(project: &str) -> anyhow::Result<()> {
    if project.starts_with('@') {
        return Err(Usage(format!("--rewrite needs a project file, and {project} comes with palmtop")).into());
    }
    let changed = pipeline::older_keys::rewrite(Path::new(project))?;
    say::message(&match changed.as_slice() {
        [] => format!("{project} has no key of an older version"),
        changed => format!("{project} was rewritten:\n{}", changes(changed)),
    });
    Ok(())
}

/// The result, and the analysis that its text describes.
struct Described<'a> {
    checked: &'a Checked,
    analysis: &'a Analysis,
}

impl Answer for Described<'_> {
    fn text(&self) -> String {
        self.checked.text(self.analysis)
    }

    fn table(&self) -> Table {
        let hierarchies = || Table::of(&HIERARCHIES, &self.checked.attributes);
        self.checked.people.as_ref().map_or_else(hierarchies, CheckedPeople::table)
    }

    fn object(&self) -> impl Serialize {
        self.checked
    }
}

/// The columns of CSV.
pub(super) const HIERARCHIES: [Column<CheckedHierarchy>; 8] = [
    Column::text("attribute", "the quasi-identifier", |found| (&found.name).into()),
    Column::text("kind", "the kind: `number`, `date` or `category`", |found| found.kind.into()),
    Column::number("base", "the level that P holds", |found| found.base.into()),
    Column::number("top", "the highest level", |found| found.top.into()),
    Column::number("values", "the number of values of its hierarchy", |found| found.values.into()),
    Column::number("occurring", "the number of these values that occur in P", |found| found.occurring.into()),
    Column::number("labels", "the number of labels of each level", |found| {
        let labels: Vec<String> = found.labels.iter().map(ToString::to_string).collect();
        labels.join(" → ").into()
    }),
    Column::number("reason for the kind", "why it has this kind", |found| found.kind_reason.into()),
];

fn criteria(problem: &Problem) -> Vec<CheckedCriterion> {
    // People with different numbers of rows are never in one class. So the coarsest node has
    // several classes.
    let coarsest = if problem.people().is_none() {
        vec![problem.feasibility().everybody]
    } else {
        let classes = Classes::of(problem, &Recoding::Node(problem.lattice().top()));
        classes.spread().iter().map(|(data, _)| data.clone()).collect()
    };
    let standings = problem.policy().standings(&coarsest).into_iter().filter(|standing| !standing.is_delta());
    let enforced = standings.filter_map(|standing| {
        let Standing { criterion: name, required, achieved: at_most, holds: feasible } = standing;
        Some(CheckedCriterion { name, required: required?, at_most, feasible })
    });
    enforced.collect()
}

impl Checked {
    fn of(analysis: &Analysis) -> anyhow::Result<Self> {
        let history = cautions::history_of(analysis.path(), cautions::IGNORED);
        let surroundings = Surroundings::of_project(analysis, &history, None);
        let known = caution::of_project(analysis, &mut unwatched)?.with_surroundings(&surroundings);
        let cautions = known.list;
        let problem = analysis.problem();
        let (histogram, feasibility) = (problem.histogram(), problem.feasibility());
        let attributes = problem.quasi().iter().enumerate().map(|(index, quasi)| CheckedHierarchy {
            name: quasi.name.clone(),
            kind: quasi.hierarchy.kind().as_str(),
            kind_reason: analysis.notes().kinds[index].reason.as_str(),
            values: quasi.hierarchy.leaf_count(),
            occurring: (0..)
                .take(quasi.hierarchy.leaf_count())
                .filter(|&code| problem.occurs(index, code))
                .count(),
            base: quasi.hierarchy.base().0,
            top: quasi.hierarchy.top().0,
            published: problem.people().map(|_| PublishedBetween {
                finest: problem.finest(index).0,
                coarsest: problem.coarsest(index).0,
            }),
            labels: quasi.hierarchy.levels().map(|level| quasi.hierarchy.label_count(level)).collect(),
        });
        let (units, total) = (problem.unit_counts(), problem.total());
        let rows = |of: fn(Counts) -> u64| problem.people().map(|_| of(histogram.total()));
        let count = |is_thin: fn(&&Counts) -> bool| units.iter().filter(is_thin).count();
        let certain = units.iter().filter(|counts| counts.private == counts.public);
        Ok(Self {
            project: analysis.name().to_owned(),
            people: CheckedPeople::of(analysis),
            public: Counted {
                people: total.public,
                rows: rows(|counts| counts.public),
                dropped: None,
                added: Some(analysis.notes().added()).filter(|&added| added > 0),
                rows_left_out: Some(analysis.notes().rows_left_out.0).filter(|&rows| rows > 0),
            },
            private: Counted {
                people: total.private,
                rows: rows(|counts| counts.private),
                dropped: Some(analysis.notes().dropped()).filter(|&dropped| dropped > 0),
                added: None,
                rows_left_out: Some(analysis.notes().rows_left_out.1).filter(|&rows| rows > 0),
            },
            count_texts: analysis.count_texts(),
            combinations: histogram.len(),
            attributes: attributes.collect(),
            lattice: problem.lattice().checked_len(),
            delta: problem.delta().into(),
            criteria: criteria(problem),
            suppressed_at_most: problem.policy().suppression().most(histogram.total().private),
            share: feasibility.share().to_string(),
            feasible: palmtop::search::is_feasible(problem),
            empty_regions: match problem.empty_regions() {
                palmtop::model::EmptyRegions::Allow => "allow",
                palmtop::model::EmptyRegions::Forbid => "forbid",
            },
            unused_public_columns: analysis.notes().unused.clone(),
            warnings: cautions
                .iter()
                .filter(|caution| is_warning(caution))
                .map(ToString::to_string)
                .collect(),
            cautions,
            notes: uncommon_parts(analysis)
                .filter(|_| problem.people().is_none())
                .chain(pipeline::formulas::of_private(analysis, &mut unwatched)?.warning())
                .collect(),
            pseudonyms: pipeline::pseudonyms::notes(analysis).iter().map(PseudonymResult::from).collect(),
            published: PublishedLevel::list(pipeline::published::coarser(analysis)),
            safe_harbor: known.safe_harbor.into_iter().map(CheckedNote::from).collect(),
            thin: Thin {
                of_one: count(|counts| counts.public == 1),
                below_five: count(|counts| counts.public < 5),
                certain: certain.clone().count(),
                certain_people: certain.map(|counts| counts.private).sum(),
            },
            reduced: CheckedReduction::of(analysis.reduction()),
            fetched: CheckedFetch::of(analysis),
            load_seconds: analysis.load_seconds(),
        })
    }

    fn text(&self, analysis: &Analysis) -> String {
        let share = analysis.problem().total().presence();
        let feasibility = analysis.problem().feasibility();
        let mark = feasible(!matches!(feasibility.verdict(), Verdict::Over | Verdict::Under));
        format!(
            "{}\n\n\
             private   {} ({})\n\
             public    {} ({}), {} distinct combinations\n{}{}\
             lattice   {} nodes\n\
             δ         {} to {}; |T|/|P| = {} = {:.6}: {mark}\n{}{}\
             empty     regions without members: {}\n{}\
             thin      as loaded, {} {} have one public person, {} fewer than five;\n          \
             {} have only members ({}): their presence is 1\n\n{}{}{}",
            output::shown(&self.project),
            self.private.text(),
            output::shown(&analysis.private_name()),
            self.public.text(),
            output::shown(&analysis.public_name()),
            self.combinations,
            self.fetched.as_ref().map(CheckedFetch::line).unwrap_or_default(),
            self.counted(),
            analysis.problem().lattice().len_text(|nodes| nodes.to_string()),
            self.delta.min,
            self.delta.max,
            self.share,
            share.to_f64(),
            self.enforced(),
            limit_lines(analysis),
            self.empty_regions,
            self.pseudonym_line() + &PublishedLevel::lines(&self.published),
            self.thin.of_one,
            if self.people.is_some() { "multisets" } else { "combinations" },
            self.thin.below_five,
            self.thin.certain,
            plural(self.thin.certain_people, "person"),
            self.people.as_ref().map(|people| people.text(analysis.problem())).unwrap_or_default(),
            output::to_table(&Table::of(&HIERARCHIES, &self.attributes)),
            self.footnotes()
        )
    }

    /// The lines on counts: the unit, texts in P's counts, members whom P lacks, and the cached
    /// reduction.
    fn counted(&self) -> String {
        let rule = |(text, people): (&String, &u64)| {
            format!(
                "count     {} in the public table counts as {}\n",
                output::shown(&format!("{text:?}")),
                plural(*people, "person")
            )
        };
        let rules: String = self.count_texts.iter().map(rule).collect();
        let kept = self.reduced.as_ref().map(|reduced| {
            let CheckedReduction { path, made } = reduced;
            format!("reduced   {}, made {made}: P was not read\n", output::shown(path))
        });
        let people = self.people.as_ref().map(CheckedPeople::lines).unwrap_or_default();
        people + &rules + &self.not_in_public() + &self.left_out() + &kept.unwrap_or_default()
    }

    fn not_in_public(&self) -> String {
        match (self.private.dropped, self.public.added) {
            (Some(dropped), _) => format!("not in P  {} of T, excluded\n", members(dropped)),
            (None, Some(added)) => format!(
                "not in P  {} of T, added to P: the result holds for an attacker whose P includes them\n",
                members(added)
            ),
            (None, None) => String::new(),
        }
    }

    fn left_out(&self) -> String {
        let rows = |counted: &Counted| counted.rows_left_out.unwrap_or_default();
        let line = rows_left_out((rows(&self.public), rows(&self.private)));
        line.map(|line| format!("rows out  {line}\n")).unwrap_or_default()
    }

    /// The line of the pseudonymized columns; empty if no column has pseudonyms.
    fn pseudonym_line(&self) -> String {
        if self.pseudonyms.is_empty() {
            return String::new();
        }
        format!("coded     pseudonyms of {}\n", output::shown(&PseudonymResult::listed(&self.pseudonyms)))
    }

    /// The enforced criteria other than δ, a line each, and the permitted withdrawals.
    fn enforced(&self) -> String {
        let line = |criterion: &CheckedCriterion| {
            let CheckedCriterion { name, required, at_most, feasible: is_feasible } = criterion;
            let mark = feasible(*is_feasible);
            let at_most = at_most.as_deref().unwrap_or("nothing");
            let coarsest = if self.people.is_some() { "the coarsest node" } else { "all of T in one class" };
            format!("{name:9} {required} is enforced; {coarsest} achieves {at_most}: {mark}\n")
        };
        let withdrawn = match self.suppressed_at_most {
            0 => String::new(),
            most => format!("withdrawn at most {} by `suppress_at_most`\n", members(most)),
        };
        self.criteria.iter().map(line).chain([withdrawn]).collect()
    }

    /// The lines on unused columns, warnings, cautions and notes.
    fn footnotes(&self) -> String {
        let mut lines = Vec::new();
        if !self.unused_public_columns.is_empty() {
            let columns = self.unused_public_columns.join(", ");
            lines.push(format!("unused    public columns without an attribute in the project: {columns}"));
        }
        lines.extend(self.warnings.iter().map(|warning| format!("warning   {warning}")));
        // The JSON key `warnings` has these cautions too, so they are not printed twice.
        let others = self.cautions.iter().filter(|caution| !is_warning(caution));
        lines.extend(others.map(|caution| format!("caution   {}: {caution}", caution.name())));
        lines.extend(self.notes.iter().map(|note| format!("note      {note}")));
        lines.iter().fold(String::new(), |text, line| text + "\n" + &output::shown(line) + "\n")
    }
}

impl Counted {
    /// `3 people`, or `3 people in 6 rows` if people have several rows.
    fn text(&self) -> String {
        let rows = self.rows.map_or_else(String::new, |rows| format!(" in {}", plural(rows, "row")));
        plural(self.people, "person") + &rows
    }
}

impl From<SafeHarborNote> for CheckedNote {
    fn from(found: SafeHarborNote) -> Self {
        let SafeHarborNote { attribute, concern, text } = found;
        Self { attribute, concern: concern.as_str(), note: text }
    }
}

impl CheckedReduction {
    fn of(reduction: &Reduction) -> Option<Self> {
        let Reduction::Used { path, made } = reduction else { return None };
        let made = made.map(DateTime::<Utc>::from);
        let made = made.map_or_else(|| "unknown".to_owned(), |made| made.format("%F %H:%M UTC").to_string());
        Some(Self { path: path.display().to_string(), made })
    }
}

/// Whether a caution is about a probable mistake in the project. The output lists it as a warning.
fn is_warning(caution: &Caution) -> bool {
    matches!(caution.key, Key::CountLike | Key::DoubledPublic | Key::AlikeIdentifiers)
}

/// Notes on unordered attributes with more than two levels whose values regions may combine freely.
fn uncommon_parts(analysis: &Analysis) -> impl Iterator<Item = String> + '_ {
    let quasi = analysis.project().quasi().zip(analysis.problem().quasi());
    let is_free = |hierarchy: &Hierarchy, attribute: &Attribute| {
        attribute.cuts == Cuts::Values
            && attribute.terms.is_none()
            && !hierarchy.kind().is_ordered()
            && hierarchy.levels().count() > 2
    };
    quasi.filter(move |((attribute, _), quasi)| is_free(&quasi.hierarchy, attribute)).map(|((attribute, _), _)| {
        format!(
            "regions may publish long sets of values of `{}`; `terms = 3` under it permits at most 3 labels, values and exceptions",
            attribute.name
        )
    })
}
