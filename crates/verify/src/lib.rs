//! The independent verifier: recounts a written release from the raw tables, with code that shares nothing with the search.
//!
//! It re-reads the released file, P, T and the hierarchies, all with readers of its own; of the engine it uses only the
//! definitions' types, δ, presence, role, kind and level, and the type by which it shows how far it is. It is the last thing that stands between a wrong "safe" and its
//! recipient.

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
pub use self::error::{Place, VerifyError};
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

/// The adversary whom the verified presence holds against.
pub const ADVERSARY: &str = "knows the public table's columns exactly and nothing else, and sees one release";

/// The same where so many members of T whom P lacks were added to it.
pub fn adversary(added: u64) -> String {
    match added {
        0 => ADVERSARY.to_owned(),
        1 => format!("takes the public table to have the 1 member added, {ADVERSARY}"),
        added => format!("takes the public table to have the {added} members added, {ADVERSARY}"),
    }
}

/// What a release was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifySpec {
    /// The project file, if there is one: it is none of the tables' files, and no release.
    pub project: Option<PathBuf>,
    /// P.
    pub public: TableSource,
    /// What says for how many people a row of P stands; without it, for one.
    pub count: Option<CountSource>,
    /// T.
    pub private: PrivateSource,
    /// The attributes, in project order.
    pub attributes: Vec<AttributeSpec>,
    /// Whether columns of T that no attribute lists are dropped rather than refused.
    pub unlisted_dropped: bool,
    /// What becomes of people of T with a combination that T has more often than P.
    pub strangers: Strangers,
    /// The bounds that presence must keep.
    pub delta: Delta,
    /// Whether every class must hold somebody of T.
    pub forbids_empty: bool,
    /// Every other criterion that is enforced: its key in `[policy]`, and the text of its value as the project file has it.
    pub policy: Vec<(String, String)>,
    /// The share of T's members that may be withdrawn, as the project file has it; without it, every member has a row.
    pub suppress_at_most: Option<String>,
    /// How likely people are to be in T, if anything says so.
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

/// What becomes of people of T with a combination that T has more often than P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strangers {
    /// They are a problem.
    Refuse,
    /// All of such a combination are left out.
    Drop,
    /// As many as P lacks are counted as people of P, too.
    Add,
}

/// Where the people of T are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrivateSource {
    /// In a table of their own, a row a person.
    Table(TableSource),
    /// In the rows of P that a column marks. A row that stands for several people stands for as many of T.
    Member {
        /// The column.
        column: String,
        /// The texts that mark a person of T; where there are none, `true`, `yes`, `y` and `1` do.
        is: Vec<String>,
    },
}

/// A column of P that says for how many people a row stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountSource {
    /// The column.
    pub column: String,
    /// For how many people a row stands whose text there is no number.
    pub texts: BTreeMap<String, u64>,
}

/// One attribute: its role, its columns, and for a quasi-identifier its hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSpec {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Its column in P.
    pub public_column: String,
    /// Its column in T; where T is part of P, [`public_column`](Self::public_column) stands for both.
    pub private_column: String,
    /// Its hierarchy; quasi-identifiers have one, and attributes of T alone may.
    pub hierarchy: Option<HierarchySource>,
    /// The level of it that a release has of an attribute of T alone; 0 is the values as they are.
    pub publish: Level,
    /// What a release may have of it, for quasi-identifiers.
    pub limits: Limits,
    /// Whether it is the identifier by which both tables say which rows are one person's: then everything is counted in people.
    pub is_entity: bool,
    /// Whether several rows of T may share a value of it, for identifiers.
    pub repeats: bool,
    /// What a release has in place of an identifier; nothing without it.
    pub pseudonym: Option<PseudonymSpec>,
    /// How the tables write its values, for quasi-identifiers and for what is published coarser; others are as they stand.
    pub spelling: Spelling,
}

/// What a verification found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The least presence of anybody in P. Who matches no released row is in one class with all others who match none: its
    /// presence is 0, or where members are withdrawn, their share of it.
    pub achieved_min: Presence,
    /// The greatest presence of anybody in P. Where part of the file cannot be read, nobody's presence is known, and the
    /// worst is assumed: 0 to 1.
    pub achieved_max: Presence,
    /// The released rows.
    pub rows: u64,
    /// The distinct released rows, by their quasi-identifiers' texts.
    pub classes: u64,
    /// The people of P.
    pub public: u64,
    /// The people of T.
    pub private: u64,
    /// The people of T who are left out because P has not so many of their combination; they are not counted above.
    pub dropped: u64,
    /// The people of T whom P lacks and who were added to it; they are counted above.
    pub added: u64,
    /// The people of P who match no released row.
    pub unmatched: u64,
    /// The members of T among them: they are withdrawn, where that is allowed.
    pub withdrawn: u64,
    /// How many members may be withdrawn.
    pub withdrawn_at_most: u64,
    /// Where people have several rows, how many rows of P there are; classes and people are of people then, `rows` are rows.
    pub public_rows: Option<u64>,
    /// The columns that have pseudonyms in place of an identifier.
    pub pseudonyms: Vec<Pseudonymized>,
    /// The bounds that presence must keep.
    pub delta: Delta,
    /// Whether every class must hold somebody of T.
    pub forbids_empty: bool,
    /// The distinct texts of quasi-identifiers that are beyond the limits of the project.
    pub beyond_limits: u64,
    /// What became of every criterion beside δ, those that are only measured too.
    pub criteria: Vec<Outcome>,
    /// What it shows to an adversary with the prior; `None` where that was not asked for, or the file is no faithful release.
    pub under_prior: Option<UnderPrior>,
    /// All that makes the file no faithful release of T, and classes that are empty where none may be. Of each kind the
    /// first ten are listed.
    pub problems: Vec<Finding>,
}

impl Findings {
    /// The adversary whom the verified presence holds against.
    pub fn adversary(&self) -> String {
        adversary(self.added)
    }

    /// Whether the file is a faithful release of T: it says of T what is so, in the form that a release has. A faithful
    /// release need not keep δ.
    pub fn is_faithful(&self) -> bool {
        !self.problems.iter().any(Finding::is_unfaithful)
    }

    /// Whether all that is enforced is satisfied: [δ](Self::keeps_delta), every other criterion and the limits. This says nothing good
    /// about a file that is not [faithful](Self::is_faithful).
    pub fn is_present(&self) -> bool {
        self.keeps_delta() && self.beyond_limits == 0 && self.criteria.iter().all(|outcome| outcome.holds)
    }

    /// Takes what was counted in people, where they have several rows.
    fn count_in_people(&mut self, spec: &VerifySpec, recount: &Recount) {
        (self.achieved_min, self.achieved_max) = (recount.least, recount.greatest);
        (self.classes, self.unmatched) = (recount.classes, recount.unmatched);
        self.criteria = criteria::outcomes(&spec.policy, recount.released.as_ref());
    }

    /// Whether everybody's presence is within δ, and no class is empty where none may be.
    pub fn keeps_delta(&self) -> bool {
        let are_filled = !self.forbids_empty || self.unmatched == 0 || self.withdrawn > 0;
        are_filled && self.delta.min() <= self.achieved_min && self.achieved_max <= self.delta.max()
    }
}

/// Recounts a written release from the raw tables.
///
/// # Errors
/// A [`VerifyError`] where an input, or the release, cannot be read, or the inputs do not fit together. What is wrong with
/// the release itself is no error: it is among the findings' problems.
pub fn verify(spec: &VerifySpec, release: &Path) -> Result<Findings, VerifyError> {
    verify_watched(spec, release, &mut unwatched)
}

/// [`verify`], telling a meter of the rows of P and T that are read, now and then.
///
/// # Errors
/// As [`verify`]; [`VerifyError::Cancelled`] where the meter says stop.
pub fn verify_watched(spec: &VerifySpec, release: &Path, meter: &mut Meter) -> Result<Findings, VerifyError> {
    verify_as(spec, release, ReleaseForm::of(release), meter)
}

/// [`verify_watched`] of a file whose name does not say its form.
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

/// Reads a written release for whoever asks which row of it each person of P matches. It need not be faithful to T: the
/// findings say whether it is.
///
/// # Errors
/// As [`verify`], and [`VerifyError::Unread`] where a part of the file cannot be read, a column does not belong in a
/// release, somebody matches two rows, or nobody matches one; [`VerifyError::Cancelled`] where the meter says stop.
pub fn match_release(spec: &VerifySpec, release: &Path, meter: &mut Meter) -> Result<Matched, VerifyError> {
    if let Some(own) = entities::attribute(spec)? {
        let setting = "what is read of a release row by row";
        return Err(VerifyError::NotOfEntities { attribute: own.name.clone(), setting });
    }
    let (findings, people, classes) = recount(spec, release, ReleaseForm::of(release), meter)?;
    matched(release, findings, people, classes)
}

/// [`verify`] and, if each row is a person and the file can be read, what [`match_release`] reads of it: one recount for both.
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

/// Reads everything, and compares it.
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
    progress.tell()?;
    let withdrawn_at_most = allowed.of(people.private);
    // Of people where they have several rows, else of rows.
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
        pseudonyms: people.pseudonyms.iter().map(Pseudonyms::told).collect(),
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
        progress.tell()?;
        classes.count(&people, withdrawn_at_most, &mut problems, &mut progress)?;
        progress.tell()?;
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
        progress.tell()?;
        findings.under_prior = Some(posterior::judge(&believed, spec.delta));
    }
    Ok((findings, people, classes))
}

/// The rows that are read, for whoever is told of them.
struct Rows<'a, 'm> {
    read: u64,
    ticks: u64,
    meter: &'a mut Meter<'m>,
}

impl Rows<'_, '_> {
    /// How many rows are read between two tellings.
    const STRIDE: u64 = 1 << 14;

    /// Notes some more rows.
    fn add(&mut self, rows: u64) -> Result<(), VerifyError> {
        let before = self.read / Self::STRIDE;
        self.read += rows;
        if self.read / Self::STRIDE > before { self.tell() } else { Ok(()) }
    }

    /// Notes a row of the release, which is none of those that are told of: only whoever says stop is listened to.
    fn tick(&mut self) -> Result<(), VerifyError> {
        self.step(1)
    }

    /// Notes work as long as that with so many rows of a release.
    fn step(&mut self, rows: usize) -> Result<(), VerifyError> {
        let before = self.ticks / Self::STRIDE;
        self.ticks += rows as u64;
        if self.ticks / Self::STRIDE > before { self.tell() } else { Ok(()) }
    }

    /// Tells how many it are; an error where the meter says stop.
    fn tell(&mut self) -> Result<(), VerifyError> {
        if (self.meter)(self.read).is_break() { Err(VerifyError::Cancelled) } else { Ok(()) }
    }
}
