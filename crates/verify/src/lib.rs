//! The independent verifier: it recounts the presence in a written release from the raw tables.
//!
//! The verifier shares no code with the searches. Its own readers read the release, P, T and the hierarchies again. From the
//! engine it uses only the types of `palmtop-terms`: δ, presence, role, kind, level and progress. It is the last check
//! before a release reaches its recipient.

mod error;
mod finding;
mod records;
mod file;
mod unpack;
mod identity;
mod encoding;
mod ratio;
mod value;
mod batch;
mod typed;
mod sheet;
mod table;
mod tally;
mod pseudonym;
mod hierarchy;
mod spelling;
mod layout;
mod published;
mod watch;
mod combinations;
mod keys;
mod people;
mod prior;
mod posterior;
mod denote;
mod limits;
mod matching;
mod release;
mod written;
mod classes;
mod criteria;
mod suppression;
mod entities;
mod matched;
mod project;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use palmtop_terms::progress::{Meter, unwatched};
use palmtop_terms::{Delta, Level, Presence, Role};

use self::classes::Classes;
use self::entities::Recount;
use self::finding::Problems;
use self::matched::matched;
use self::people::People;
use self::pseudonym::Pseudonyms;
use self::suppression::Allowed;

pub use self::criteria::Outcome;
pub use self::error::VerifyError;
pub use self::finding::Finding;
pub use self::hierarchy::HierarchySource;
pub use self::limits::Limits;
pub use self::matched::{
    DenotedText, DenotedTexts, Matched, MatchedCombination, MatchedCombinations, ReleasedRow,
};
pub use self::posterior::UnderPrior;
pub use self::prior::{PriorSource, PriorSpec};
pub use self::project::{OtherDelta, ProjectError};
pub use self::pseudonym::{PseudonymSpec, Pseudonymized};
pub use self::release::ReleaseForm;
pub use self::spelling::{Notation, Spelling, Writing};
pub use self::table::TableSource;
pub use self::typed::{panics_are_caught, try_typed};

/// The attacker model of a verified presence, as a verb phrase: "an attacker who …".
pub const ATTACKER: &str = "knows the public table's columns exactly and nothing else, and sees one release";

/// The attacker model if `added` members of T were not in P and were added to it.
pub fn attacker(added: u64) -> String {
    match added {
        0 => ATTACKER.to_owned(),
        1 => format!("counts the 1 added member in the public table, {ATTACKER}"),
        added => format!("counts the {added} added members in the public table, {ATTACKER}"),
    }
}

/// The inputs and the policy that a release is verified against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifySpec {
    /// The project file, if there is one. It must differ from the tables and from the release.
    pub project: Option<PathBuf>,
    /// The public table, P.
    pub public: TableSource,
    /// The number of people that each row of P counts for. Without it, a row is one person.
    pub count: Option<CountSource>,
    /// The private table, T.
    pub private: PrivateSource,
    /// The attributes, in project order.
    pub attributes: Vec<AttributeSpec>,
    /// Whether columns of T without an attribute are dropped. Otherwise they are an error.
    pub unlisted_dropped: bool,
    /// The treatment of members of T who are not in P.
    pub strangers: Strangers,
    /// The bounds of presence.
    pub delta: Delta,
    /// Whether every class must contain a member of T.
    pub forbids_empty: bool,
    /// The other criteria that are enforced, each as its key in `[policy]` and the text of its value in the project file.
    pub policy: Vec<(String, String)>,
    /// The share of T's members that may be withdrawn, as text of the project file. Without it, every member has a row.
    pub suppress_at_most: Option<String>,
    /// The prior of the individuals in P, if the project has one.
    pub prior: Option<PriorSpec>,
}

impl VerifySpec {
    /// The first part in which two specifications differ, by its name in a project file.
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let parts = [
            ("[public]", self.public == other.public),
            ("`count`", self.count == other.count),
            ("[private]", self.private == other.private),
            ("`unlisted`", self.unlisted_dropped == other.unlisted_dropped),
            ("`not_in_public`", self.strangers == other.strangers),
            ("[delta]", self.delta == other.delta),
            ("`empty_regions`", self.forbids_empty == other.forbids_empty),
            ("[policy]", self.policy == other.policy),
            ("`suppress_at_most`", self.suppress_at_most == other.suppress_at_most),
            ("the prior", self.prior == other.prior),
            ("the number of [[attribute]]", self.attributes.len() == other.attributes.len()),
        ];
        let part = parts.iter().find(|(_, is_same)| !is_same).map(|(part, _)| (*part).to_owned());
        let attributes = || {
            let mut pairs = self.attributes.iter().zip(&other.attributes);
            pairs.find(|(one, other)| one != other).map(|(one, _)| format!("[[attribute]] `{}`", one.name))
        };
        part.or_else(attributes)
    }
}

/// The treatment of members of T who are not in P: T has more people with their combination than P has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strangers {
    /// They are reported as a problem.
    Refuse,
    /// All members with such a combination are left out.
    Drop,
    /// The surplus members are added to P.
    Add,
}

/// The source of T's members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrivateSource {
    /// A separate table with one row per person.
    Table(TableSource),
    /// The rows of P that a column marks. If a marked row counts for several people, all of them are members.
    Member {
        /// The column of P.
        column: String,
        /// The texts that mark a member. If the list is empty, `true`, `yes`, `y` and `1` mark members.
        is: Vec<String>,
    },
}

/// A column of P with the number of people that each row counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountSource {
    /// The name of the column.
    pub column: String,
    /// The number of people for each text that is not a number.
    pub texts: BTreeMap<String, u64>,
}

/// An attribute: its role, its columns and its hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSpec {
    /// The name in the project.
    pub name: String,
    /// The role. Only quasi-identifiers are matched with P.
    pub role: Role,
    /// The column of P.
    pub public_column: String,
    /// The column of T. If T is part of P, [`public_column`](Self::public_column) is used instead.
    pub private_column: String,
    /// The hierarchy: required for quasi-identifiers, optional for attributes of T only.
    pub hierarchy: Option<HierarchySource>,
    /// The published level of an attribute of T only; 0 means the values unchanged.
    pub publish: Level,
    /// The limits of the published texts, for quasi-identifiers.
    pub limits: Limits,
    /// Whether it is the identifier that states which rows belong to one person. If so, everything is counted in people.
    pub is_entity: bool,
    /// Whether several rows of T may share a value, for identifiers.
    pub repeats: bool,
    /// The pseudonyms that replace an identifier. Without them, the release lacks the column.
    pub pseudonym: Option<PseudonymSpec>,
    /// The notation of the values in the tables, for quasi-identifiers and attributes that are published coarser. Other
    /// attributes are compared as text.
    pub spelling: Spelling,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The least presence in P. All individuals who match no released row form one class: its presence is 0, or if members
    /// are withdrawn, their share of it.
    pub achieved_min: Presence,
    /// The greatest presence in P. If part of the file cannot be read, the presence is unknown and the worst case is
    /// assumed: 0 to 1.
    pub achieved_max: Presence,
    /// The number of released rows.
    pub rows: u64,
    /// The number of classes: distinct combinations of published quasi-identifiers.
    pub classes: u64,
    /// The number of individuals in P.
    pub public: u64,
    /// The number of members of T.
    pub private: u64,
    /// The number of members left out because they are not in P. The other numbers do not include them.
    pub dropped: u64,
    /// The number of members who were not in P and were added to it. The other numbers include them.
    pub added: u64,
    /// The number of individuals in P who match no released row.
    pub unmatched: u64,
    /// The number of members of T among them, if the project allows withdrawals; else 0.
    pub withdrawn: u64,
    /// The number of members who may be withdrawn.
    pub withdrawn_at_most: u64,
    /// The number of rows of P, if people have several rows. Classes and people are then counted in people, `rows` in rows.
    pub public_rows: Option<u64>,
    /// The columns with pseudonyms instead of an identifier.
    pub pseudonyms: Vec<Pseudonymized>,
    /// The bounds of presence.
    pub delta: Delta,
    /// Whether every class must contain a member of T.
    pub forbids_empty: bool,
    /// The number of distinct texts of quasi-identifiers beyond the limits of the project.
    pub beyond_limits: u64,
    /// The outcome of every criterion except δ, including those that are measured but not enforced.
    pub criteria: Vec<Outcome>,
    /// The posteriors of an attacker with the prior. `None` if they were not requested, or the file is not faithful.
    pub under_prior: Option<UnderPrior>,
    /// The problems that make the file unfaithful or break a rule of the project. Of each kind the first ten are listed.
    pub problems: Vec<Finding>,
}

impl Findings {
    /// The attacker model of the verified presence, as a verb phrase.
    pub fn attacker(&self) -> String {
        attacker(self.added)
    }

    /// Whether the file is a faithful release of T: its content agrees with T, and it has the form of a release. A faithful
    /// release may break δ.
    pub fn is_faithful(&self) -> bool {
        !self.problems.iter().any(Finding::is_unfaithful)
    }

    /// Whether the policy holds: [δ](Self::keeps_delta), every other criterion and the limits. The answer is meaningful only
    /// for a [faithful](Self::is_faithful) file.
    pub fn is_present(&self) -> bool {
        self.keeps_delta() && self.beyond_limits == 0 && self.criteria.iter().all(|outcome| outcome.holds)
    }

    /// Replaces the counts of rows by counts of people, for people who have several rows.
    fn count_in_people(&mut self, spec: &VerifySpec, recount: &Recount) {
        (self.achieved_min, self.achieved_max) = (recount.least, recount.greatest);
        (self.classes, self.unmatched) = (recount.classes, recount.unmatched);
        self.criteria = criteria::outcomes(&spec.policy, recount.released.as_ref());
    }

    /// Whether every presence is within δ, and no class is empty if empty classes are forbidden.
    pub fn keeps_delta(&self) -> bool {
        let are_filled = !self.forbids_empty || self.unmatched == 0 || self.withdrawn > 0;
        are_filled && self.delta.min() <= self.achieved_min && self.achieved_max <= self.delta.max()
    }
}

/// Recounts a written release from the raw tables.
///
/// # Errors
/// A [`VerifyError`] if an input or the release cannot be read, or the inputs contradict each other. Problems of the release
/// itself are no errors: they are in [`Findings::problems`].
pub fn verify(spec: &VerifySpec, release: &Path) -> Result<Findings, VerifyError> {
    verify_watched(spec, release, &mut unwatched)
}

/// [`verify`] with a meter, which regularly receives the number of rows of P and T that have been read.
///
/// # Errors
/// As [`verify`]; [`VerifyError::Cancelled`] if the meter asks to stop.
pub fn verify_watched(spec: &VerifySpec, release: &Path, meter: &mut Meter) -> Result<Findings, VerifyError> {
    verify_as(spec, release, ReleaseForm::of(release), meter)
}

/// [`verify_watched`] for a file whose name does not show its form.
///
/// # Errors
/// As [`verify_watched`].
pub fn verify_as(
    spec: &VerifySpec,
    release: &Path,
    form: ReleaseForm,
    meter: &mut Meter,
) -> Result<Findings, VerifyError> {
    recount(spec, release, form, meter).map(|(findings, ..)| findings)
}

/// Reads a written release and finds the row that each individual in P matches. The release may be unfaithful to T; the
/// findings show whether it is.
///
/// # Errors
/// As [`verify`]. [`VerifyError::Unread`] if a part of the file cannot be read, a column does not belong in a release, an
/// individual matches two rows, or nobody matches some row. [`VerifyError::Cancelled`] if the meter asks to stop.
pub fn match_release(spec: &VerifySpec, release: &Path, meter: &mut Meter) -> Result<Matched, VerifyError> {
    if let Some(entity) = entities::attribute(spec)? {
        let setting = "a measure that takes each row for a person";
        return Err(VerifyError::not_of_entities(&entity.name, setting));
    }
    let (findings, people, classes) = recount(spec, release, ReleaseForm::of(release), meter)?;
    matched(release, findings, people, classes)
}

/// Both [`verify`] and [`match_release`] with one recount. There is no match if people have several rows, or if the file
/// cannot be matched.
///
/// # Errors
/// As [`verify`].
pub fn verify_and_match(
    spec: &VerifySpec,
    release: &Path,
) -> Result<(Findings, Option<Matched>), VerifyError> {
    let has_entities = entities::attribute(spec)?.is_some();
    let (findings, people, classes) = recount(spec, release, ReleaseForm::of(release), &mut unwatched)?;
    if has_entities {
        return Ok((findings, None));
    }
    match matched(release, findings.clone(), people, classes) {
        Ok(matched) => Ok((findings, Some(matched))),
        Err(VerifyError::Unread { .. }) => Ok((findings, None)),
        Err(error) => Err(error),
    }
}

/// Reads the inputs and the release, and compares them.
fn recount(
    spec: &VerifySpec,
    release: &Path,
    form: ReleaseForm,
    meter: &mut Meter,
) -> Result<(Findings, People, Option<Classes>), VerifyError> {
    let mut progress = Rows { read: 0, ticks: 0, meter };
    identity::check(spec, release)?;
    criteria::check(&spec.policy)?;
    let has_entities = entities::attribute(spec)?.is_some();
    let allowed = Allowed::read(spec.suppress_at_most.as_deref())?;
    let mut people = People::read(spec, &mut progress)?;
    let mut problems = Problems::default();
    let (dropped, added) = match spec.strangers {
        Strangers::Refuse => (0, 0),
        Strangers::Drop => (people.drop_strangers()?, 0),
        Strangers::Add => (0, people.add_strangers()),
    };
    people.check_possible()?;
    people.check_subset(&mut problems);
    if let Some(entities) = &people.entities {
        entities.check_subset(&mut problems);
    }
    progress.report()?;
    let withdrawn_at_most = allowed.of(people.private);
    // Counted in people if they have several rows, else in rows.
    let totals = people.entities.as_ref().map_or((people.public, people.private), entities::Entities::totals);
    let read = Classes::read(release, form, &people, &mut problems, &mut progress)?;
    let mut findings = Findings {
        achieved_min: Presence::ZERO,
        achieved_max: Presence::ONE,
        rows: read.rows,
        classes: 0,
        public: totals.0,
        private: totals.1,
        dropped,
        added,
        unmatched: totals.0,
        withdrawn: 0,
        withdrawn_at_most,
        public_rows: has_entities.then_some(people.public),
        pseudonyms: people.pseudonyms.iter().map(Pseudonyms::describe).collect(),
        delta: spec.delta,
        forbids_empty: spec.forbids_empty,
        beyond_limits: 0,
        criteria: criteria::outcomes(&spec.policy, None),
        under_prior: None,
        problems: Vec::new(),
    };
    let mut classes = read.classes;
    let mut believed = None;
    if let Some(classes) = &mut classes {
        progress.report()?;
        classes.match_people(&people, withdrawn_at_most, &mut problems, &mut progress)?;
        progress.report()?;
        classes.compare(&people, &mut problems);
        findings.withdrawn = classes.withdrawn();
        findings.beyond_limits = classes.beyond_limits();
        if let Some(entities) = &people.entities {
            let both = (&mut problems, &mut progress);
            let recount = entities.recount(&people, classes, spec.forbids_empty, both)?;
            findings.count_in_people(spec, &recount);
        } else {
            if spec.forbids_empty {
                classes.check_filled(&people, &mut problems);
            }
            (findings.achieved_min, findings.achieved_max) = classes.presence(&people);
            findings.criteria = criteria::outcomes(&spec.policy, classes.recounted(&people).as_ref());
            believed = classes.believed(&people);
            findings.classes = classes.len();
            findings.unmatched = people.public - classes.matched_public();
        }
    }
    findings.problems = problems.into_list();
    if let Some(believed) = believed.filter(|_| findings.is_faithful()) {
        progress.report()?;
        findings.under_prior = Some(posterior::judge(&believed, spec.delta));
    }
    Ok((findings, people, classes))
}

/// The progress of reading, which it reports to a meter.
struct Rows<'a, 'm> {
    read: u64,
    ticks: u64,
    meter: &'a mut Meter<'m>,
}

impl Rows<'_, '_> {
    /// The number of rows between two reports.
    const STRIDE: u64 = 1 << 14;

    /// Counts rows of P or T.
    fn add(&mut self, rows: u64) -> Result<(), VerifyError> {
        let before = self.read / Self::STRIDE;
        self.read += rows;
        if self.read / Self::STRIDE > before { self.report() } else { Ok(()) }
    }

    /// Counts a row of the release. The meter does not see the number, but may stop the work.
    fn tick(&mut self) -> Result<(), VerifyError> {
        self.step(1)
    }

    /// Counts work that takes about as long as `rows` rows of a release.
    fn step(&mut self, rows: usize) -> Result<(), VerifyError> {
        let before = self.ticks / Self::STRIDE;
        self.ticks += rows as u64;
        if self.ticks / Self::STRIDE > before { self.report() } else { Ok(()) }
    }

    /// Reports the number of rows read; an error if the meter asks to stop.
    fn report(&mut self) -> Result<(), VerifyError> {
        if (self.meter)(self.read).is_break() { Err(VerifyError::Cancelled) } else { Ok(()) }
    }
}
