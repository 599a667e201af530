//! The project file: one analysis, as the analyst keeps it beside the data.

mod attribute;
mod entity;
mod levels;
mod pseudonym;
mod readings;
mod source;
mod stated;
mod table;
mod error;
mod file;
mod policy;
pub(crate) mod lines;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use palmtop_core::model::{
    Criteria, Cuts, Delta, EmptyRegions, Kind, Level, Levels, Presence, Role, Suppression, TermError,
};
use palmtop_tables::encode::Readings;
use palmtop_tables::error::line_of;
use palmtop_tables::input;
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::pseudonym::PseudonymRule;
use palmtop_tables::read::TableSpec;
use palmtop_tables::weight::{CountColumn, MemberColumn};

pub use self::error::ProjectError;
use self::file::ProjectFile;
pub use self::source::{Connection, PublicSource, SourceRows};
pub use self::stated::{Attempt, Statements};
pub use self::table::table_spec;

/// One analysis: the tables, δ, and the role of every attribute. Paths are relative to the project file's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The project file.
    pub path: PathBuf,
    /// Its name; by default the file's.
    pub name: String,
    /// Where the people of T are.
    pub private: PrivateSource,
    /// P.
    pub public: PublicTable,
    /// Whether columns of T that no attribute lists are dropped rather than refused.
    pub drop_unlisted: bool,
    /// What becomes of people of T who are not in P.
    pub outsiders: OutsiderRule,
    /// δmin, where the project has it.
    pub delta_min: Option<Presence>,
    /// δmax, where the project has it.
    pub delta_max: Option<Presence>,
    /// Whether regions without private people are allowed.
    pub empty_regions: EmptyRegions,
    /// How likely people are to be in T before anything is released, where the project says so.
    pub prior: Option<PriorSource>,
    /// What is enforced beside δ.
    pub criteria: Criteria,
    /// The same as it is written: each key of `[policy]` with the text of its value.
    pub policy: Vec<(String, String)>,
    /// How many of T's members may be withdrawn.
    pub suppression: Suppression,
    /// The same as it is written, without quotes.
    pub suppress_at_most: Option<String>,
    /// The attributes, in project order.
    pub attributes: Vec<Attribute>,
    /// What the analyst states for the report.
    pub stated: Statements,
}

/// Where the people of T are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrivateSource {
    /// In a table of their own.
    Table(TableSpec),
    /// In the rows of P that this column marks.
    Member(MemberColumn),
}

/// P: its files, and what a row stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicTable {
    /// Its files.
    pub table: TableSpec,
    /// The column that says for how many people a row stands.
    pub count: Option<CountColumn>,
    /// Whether its reduction may be kept beside the project.
    pub may_be_kept: bool,
    /// The database that it is fetched from, if it is.
    pub source: Option<PublicSource>,
    /// The people of the population that it is a sample of, where it is one: then it says of nobody's class how many are in it.
    pub sample_of: Option<u64>,
}

/// Where the prior is: how likely each person of P is to be in T, as an adversary believes before anything is released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorSource {
    /// In this column of P.
    Column(String),
    /// In a table of rates by quasi-identifiers.
    Rates(PathBuf),
}

/// One attribute of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What it is to the adversary and to the release.
    pub role: Role,
    /// Its column in P.
    pub public_column: String,
    /// Its column in T.
    pub private_column: String,
    /// Whether it is the identifier by which both tables say which rows are one person's (`role = "entity"`).
    pub is_entity: bool,
    /// Of an identifier, whether several rows of T may share a value.
    pub repeats: bool,
    /// Of an identifier, what a release has in its place; nothing without it.
    pub pseudonym: Option<PseudonymRule>,
    /// Its hierarchy: quasi-identifiers have one, others none.
    pub hierarchy: Option<HierarchyFile>,
    /// Of an attribute that only T has, its hierarchy: a release has the labels of the level [`publish`](Self::publish), and t-closeness
    /// takes from it which values are near and far.
    pub value_tree: Option<PathBuf>,
    /// Of an attribute that only T has, the level of its hierarchy that a release has; 0 is the values as they are.
    pub publish: Level,
    /// The reason for which the analyst publishes this column although it betrays a quasi-identifier (`accept`): one sentence.
    pub accepted: Option<String>,
    /// Of a published column, whether nobody decided its role yet (`undecided = true`).
    pub undecided: bool,
    /// Where regions may be cut in it.
    pub cuts: Cuts,
    /// Between which levels it is published.
    pub levels: Levels,
    /// How much it weighs in losses, from 1 to [`Weights::MOST`](palmtop_core::model::Weights::MOST).
    pub weight: u32,
    /// How its texts are read, if it is a quasi-identifier or published coarser; others are as they stand.
    pub readings: Readings,
}

/// The hierarchy of a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyFile {
    /// The file.
    pub path: PathBuf,
    /// What the values are, where the project says so.
    pub kind: Option<Kind>,
    /// The level that P holds.
    pub public_level: Level,
}

impl Project {
    /// Reads and checks a project file.
    ///
    /// # Errors
    /// A [`ProjectError`] that names the file, the line where there is one, the setting and the remedy.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let io = |source| ProjectError::Io { path: path.to_owned(), source };
        let bytes = input::read(path, input::MOST_TEXT).map_err(io)?;
        let toml = |line, detail| ProjectError::Toml { path: path.to_owned(), line, detail };
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = line_of(&bytes, error.valid_up_to());
            toml(Some(line), "not UTF-8; save the file as UTF-8".to_owned())
        })?;
        let written: ProjectFile = toml::from_str(text).map_err(|error| {
            let start = error.span().map(|span| span.start);
            let line = start.map(|start| line_of(text.as_bytes(), start));
            toml(
                line,
                error.message().replace('\n', "; ")
                    + start.and_then(|start| file::hint(text, start)).unwrap_or_default(),
            )
        })?;
        written.check(path, text).map_err(|detail| ProjectError::Setting { path: path.to_owned(), detail })
    }

    /// δ, with what flags give in place of the project's.
    ///
    /// # Errors
    /// [`ProjectError::Delta`] where there is no δmax, or δmin is above it.
    pub fn delta(&self, min: Option<Presence>, max: Option<Presence>) -> Result<Delta, ProjectError> {
        let wrong = |detail: String| ProjectError::Delta { path: self.path.clone(), detail };
        let max = max.or(self.delta_max).ok_or_else(|| {
            wrong(
                "there is no δ; add `[delta]` with `min` and `max`, or give --delta-min and --delta-max"
                    .to_owned(),
            )
        })?;
        let min = min.or(self.delta_min).unwrap_or(Presence::ZERO);
        Delta::new(min, max).map_err(|error: TermError| wrong(error.to_string()))
    }

    /// The project's own δ, where another one is looser: it lets somebody through whom the project's would not.
    pub fn looser(&self, other: Delta) -> Option<Delta> {
        let (min, max) = (self.delta_min.unwrap_or(Presence::ZERO), self.delta_max.unwrap_or(Presence::ONE));
        let own = Delta::new(min, max).ok()?;
        (!other.is_within(own)).then_some(own)
    }

    /// The column of P that marks the people of T, where T is part of P.
    pub fn member(&self) -> Option<&MemberColumn> {
        match &self.private {
            PrivateSource::Member(member) => Some(member),
            PrivateSource::Table(_) => None,
        }
    }

    /// The name of that column.
    pub fn member_column(&self) -> Option<&str> {
        self.member().map(|member| member.column.as_str())
    }

    /// The name of the column of P that says for how many people a row stands.
    pub fn count_column(&self) -> Option<&str> {
        self.public.count.as_ref().map(|count| count.column.as_str())
    }

    /// The name of the column of P that says how likely its people are to be in T.
    pub fn prior_column(&self) -> Option<&str> {
        match &self.prior {
            Some(PriorSource::Column(column)) => Some(column),
            Some(PriorSource::Rates(_)) | None => None,
        }
    }

    /// An attribute's column in the table that holds T: P's own where T is part of P.
    pub fn private_column<'a>(&self, attribute: &'a Attribute) -> &'a str {
        match self.private {
            PrivateSource::Table(_) => &attribute.private_column,
            PrivateSource::Member(_) => &attribute.public_column,
        }
    }

    /// The identifier by which both tables say which rows are one person's, where people have several.
    pub fn entity(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.is_entity)
    }

    /// The quasi-identifiers, in project order, each with its hierarchy file.
    pub fn quasi(&self) -> impl Iterator<Item = (&Attribute, &HierarchyFile)> {
        self.attributes.iter().filter_map(|attribute| Some((attribute, attribute.hierarchy.as_ref()?)))
    }
}
