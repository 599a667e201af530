//! A project: the tables, δ, and the role of every attribute.

use std::num::NonZeroU32;
use std::path::PathBuf;

use super::decided::Decided;
use super::older::OlderLines;
use super::repeated::{PersonColumn, Repeated};
use super::source::PublicSource;
use super::stated::Statements;
use crate::compatibility::Feature;
use palmtop_core::located::LocatedError;
use palmtop_core::model::criterion::Needs;
use palmtop_core::model::{
    Criteria, Cuts, Delta, EmptyRegions, Kind, Level, Levels, Presence, Role, Suppression, TermError,
};
use palmtop_tables::encode::Readings;
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::pseudonym::PseudonymRule;
use palmtop_tables::read::{OneRow, TableSpec};
use palmtop_tables::weight::{CountColumn, MemberColumn};

/// One analysis: the tables, δ, and the role of every attribute. Paths are relative to the project file's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The path of the project file.
    pub path: PathBuf,
    /// The name of the project; by default the file's name.
    pub name: String,
    /// The source of T's people.
    pub private: PrivateSource,
    /// The public table, P.
    pub public: PublicTable,
    /// The texts that mean "no value" in every quasi-identifier, and no identifier in an identifier.
    pub missing: Vec<String>,
    /// Whether columns of T without an attribute are dropped. If not, they are an error.
    pub drop_unlisted: bool,
    /// The rule for people of T who are not in P.
    pub outsiders: OutsiderRule,
    /// δmin; `None` if the project has none.
    pub delta_min: Option<Presence>,
    /// δmax; `None` if the project has none.
    pub delta_max: Option<Presence>,
    /// Why δ is this one.
    pub decided: Decided,
    /// Whether regions without members are allowed.
    pub empty_regions: EmptyRegions,
    /// The file of rates that `simulatable` believes; `None` if all people are equally likely to it.
    pub belief: Option<PathBuf>,
    /// The enforced criteria other than δ.
    pub criteria: Criteria,
    /// The criteria as they are written: each key of `[policy]` with the text of its value.
    pub policy: Vec<(String, String)>,
    /// The share of T's members who may be withdrawn.
    pub suppression: Suppression,
    /// This share as it is written, without quotes.
    pub suppress_at_most: Option<String>,
    /// The attributes, in project order.
    pub attributes: Vec<Attribute>,
    /// The analyst's statements for the report.
    pub stated: Statements,
    /// The lines of the file with keys of older projects.
    pub older: Vec<OlderLines>,
}

/// The source of T's people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrivateSource {
    /// T is a separate table.
    Table(TableSpec),
    /// T is a part of P: the rows that this column marks.
    Member(MemberColumn),
}

/// P: its files, and the meaning of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicTable {
    /// The files of P.
    pub table: TableSpec,
    /// The column with the number of people for whom a row stands.
    pub count: Option<CountColumn>,
    /// The column that says who is a person, if T lacks it.
    pub person: Option<PersonColumn>,
    /// The number of rows above which the reduction of P is cached in the project's folder; `None` if
    /// it never is.
    pub kept_above: Option<u64>,
    /// The database from which P is fetched; `None` if P is in files.
    pub source: Option<PublicSource>,
    /// The size of the population if P is a sample of it. Then the counts of classes are estimates.
    pub sample_of: Option<u64>,
}

/// One attribute of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name of the attribute.
    pub name: String,
    /// The role of the attribute.
    pub role: Role,
    /// The name of its column in P.
    pub public_column: String,
    /// The name of its column in T.
    pub private_column: String,
    /// Whether it is the identifier that shows which rows belong to one person (`role = "entity"`).
    pub is_entity: bool,
    /// For an identifier: what rows with the same value are.
    pub repeated: Repeated,
    /// For an identifier: the rule for its pseudonyms. `None` leaves the identifier out of the release.
    pub pseudonym: Option<PseudonymRule>,
    /// The hierarchy of a quasi-identifier; `None` for other roles.
    pub hierarchy: Option<HierarchyFile>,
    /// For an attribute that only T has: its hierarchy. A release has the labels of the level [`publish`](Self::publish), and
    /// t-closeness takes the distances of values from it.
    pub value_tree: Option<PathBuf>,
    /// For an attribute that only T has: the published level of its hierarchy; 0 publishes the values unchanged.
    pub publish: Level,
    /// The analyst's reason for publishing a column that reveals a quasi-identifier (`accept`): one sentence.
    pub accepted: Option<String>,
    /// For a published column: whether nobody decided its role yet (`role = "undecided"`).
    pub undecided: bool,
    /// The positions at which regions may be cut in this attribute.
    pub cuts: Cuts,
    /// The largest number of terms of a published set: its labels, values and exceptions.
    pub terms: Option<NonZeroU32>,
    /// The level at whose labels ranges begin and end.
    pub borders: Option<Level>,
    /// The levels at which the attribute may be published.
    pub levels: Levels,
    /// The weight of its loss, from 1 to [`Weights::MOST`](palmtop_core::model::Weights::MOST).
    pub weight: u32,
    /// How texts become values, for quasi-identifiers and columns that are published coarser. Other texts are not changed.
    pub readings: Readings,
}

/// The hierarchy of a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyFile {
    /// The path of the hierarchy file.
    pub path: PathBuf,
    /// The kind of the values; `None` if the project does not set it.
    pub kind: Option<Kind>,
    /// The level of the values in P.
    pub public_level: Level,
}

impl PublicTable {
    /// Whether a count column is part of the data, and not made by `fetch`.
    fn has_own_count(&self) -> bool {
        match &self.source {
            Some(source) => source.count.is_some(),
            None => self.count.is_some(),
        }
    }
}

impl Project {
    /// δ, in which the given bounds replace the project's bounds.
    ///
    /// # Errors
    /// A [`LocatedError`] if there is no δmax, or δmin is above δmax.
    pub fn delta(&self, min: Option<Presence>, max: Option<Presence>) -> Result<Delta, LocatedError> {
        let wrong = |detail: String| LocatedError::new(detail).in_named("project", &self.path);
        let max = max.or(self.delta_max).ok_or_else(|| {
            wrong(
                "there is no δ; add `[delta]` with `min` and `max`, or give --delta-min and --delta-max"
                    .to_owned(),
            )
        })?;
        let min = min.or(self.delta_min).unwrap_or(Presence::ZERO);
        Delta::new(min, max).map_err(|error: TermError| wrong(error.to_string()))
    }

    /// The project's δ, if `delta` is looser: `delta` permits a presence that the project's δ does not permit.
    pub fn looser(&self, delta: Delta) -> Option<Delta> {
        let (min, max) = (self.delta_min.unwrap_or(Presence::ZERO), self.delta_max.unwrap_or(Presence::ONE));
        let project_delta = Delta::new(min, max).ok()?;
        (!delta.is_within(project_delta)).then_some(project_delta)
    }

    /// The column of P that marks the people of T; `None` if T is a separate table.
    pub fn member(&self) -> Option<&MemberColumn> {
        match &self.private {
            PrivateSource::Member(member) => Some(member),
            PrivateSource::Table(_) => None,
        }
    }

    /// The name of the column of P that marks the people of T.
    pub fn member_column(&self) -> Option<&str> {
        self.member().map(|member| member.column.as_str())
    }

    /// The name of the column of P with the number of people for whom a row stands.
    pub fn count_column(&self) -> Option<&str> {
        self.public.count.as_ref().map(|count| count.column.as_str())
    }

    /// The name of an attribute's column in the table that has T. If T is a part of P, it is the column of P.
    pub fn private_column<'a>(&self, attribute: &'a Attribute) -> &'a str {
        match self.private {
            PrivateSource::Table(_) => &attribute.private_column,
            PrivateSource::Member(_) => &attribute.public_column,
        }
    }

    /// The settings that may exclude other settings, strategies, options and commands.
    pub fn features(&self) -> Vec<Feature> {
        let has_limits = |attribute: &Attribute| {
            attribute.cuts != Cuts::default()
                || attribute.levels != Levels::default()
                || attribute.terms == Some(NonZeroU32::MIN)
        };
        let has_terms = |attribute: &Attribute| {
            attribute.borders.is_some() || attribute.terms.is_some_and(|terms| terms > NonZeroU32::MIN)
        };
        let settings = [
            (Feature::People, self.entity().is_some()),
            (Feature::OneRow, self.one_row().is_some()),
            (Feature::Withdrawal, !self.suppression.is_none()),
            (Feature::ValueCriteria, self.criteria.need_values()),
            (
                Feature::CountCriteria,
                self.criteria.iter().any(|criterion| criterion.needs() == Needs::Counts),
            ),
            (Feature::Limits, self.attributes.iter().any(has_limits)),
            (Feature::Terms, self.attributes.iter().any(has_terms)),
            (Feature::Sample, self.public.sample_of.is_some()),
            (Feature::Count, self.public.has_own_count()),
            (Feature::Member, self.member().is_some()),
            (Feature::Outsiders, self.outsiders != OutsiderRule::Refuse),
            (Feature::AddedOutsiders, self.outsiders == OutsiderRule::Add),
        ];
        settings.into_iter().filter(|(_, is_set)| *is_set).map(|(feature, _)| feature).collect()
    }

    /// The identifier that shows which rows belong to one person; `None` if each person has one row.
    pub fn entity(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.is_entity)
    }

    /// The rule that counts one row of each person, if the project has one.
    pub fn one_row(&self) -> Option<&OneRow> {
        let of_attributes = self.attributes.iter().map(|attribute| &attribute.repeated);
        let of_public = self.public.person.iter().map(|person| &person.repeated);
        of_attributes.chain(of_public).find_map(|repeated| match repeated {
            Repeated::Person(row) => Some(row),
            Repeated::Unsaid | Repeated::Shared(_) => None,
        })
    }

    /// The quasi-identifiers, in project order, each with its hierarchy file.
    pub fn quasi(&self) -> impl Iterator<Item = (&Attribute, &HierarchyFile)> {
        self.attributes.iter().filter_map(|attribute| Some((attribute, attribute.hierarchy.as_ref()?)))
    }
}
