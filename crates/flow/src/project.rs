//! The project file: one analysis, as the analyst keeps it beside the data.

mod attribute;
mod entity;
mod levels;
mod pseudonym;
mod readings;
mod source;
mod stated;
mod table;
pub(crate) mod lines;

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use palmtop_core::model::{
    Criteria, Cuts, Delta, EmptyRegions, Kind, Level, Levels, Presence, Role, Suppression, SuppressionError,
    TermError,
};
use palmtop_tables::encode::Readings;
use palmtop_tables::error::line_of;
use palmtop_tables::input;
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::literal::{self, Literal};
use palmtop_tables::pseudonym::PseudonymRule;
use palmtop_tables::read::TableSpec;
use palmtop_tables::weight::{CountColumn, MemberColumn};

use self::attribute::WrittenAttribute;
use self::source::WrittenSource;
pub use self::source::{Connection, PublicSource, SourceRows};
use self::stated::WrittenReport;
pub use self::stated::{Attempt, Statements};
use self::table::WrittenTable;
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

/// A project file that cannot be read or does not make sense.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// The operating system refused.
    #[error("cannot read project {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// No TOML, or a key that is unknown, missing or of the wrong type.
    #[error("project {}{}: {detail}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Toml {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where there is one.
        line: Option<u64>,
        /// The complaint.
        detail: String,
    },
    /// Settings that contradict each other or leave something out.
    #[error("project {}: {detail}", path.display())]
    Setting {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
    /// No δ, neither in the project nor by flags, or one that is none.
    #[error("project {}: {detail}", path.display())]
    Delta {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        detail: String,
    },
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
                    + start.and_then(|start| hint(text, start)).unwrap_or_default(),
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectFile {
    name: Option<String>,
    #[serde(default)]
    missing: Vec<String>,
    private: Option<WrittenPrivate>,
    public: WrittenPublic,
    prior: Option<WrittenPrior>,
    delta: Option<WrittenDelta>,
    search: Option<WrittenSearch>,
    #[serde(default)]
    policy: BTreeMap<String, Spanned<toml::Value>>,
    #[serde(default)]
    attribute: Vec<WrittenAttribute>,
    report: Option<WrittenReport>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPrivate {
    path: Option<PathBuf>,
    paths: Option<Vec<PathBuf>>,
    separator: Option<char>,
    quote: Option<String>,
    encoding: Option<String>,
    sheet: Option<String>,
    header_row: Option<u32>,
    unlisted: Option<DropOrRefuse>,
    not_in_public: Option<WrittenOutsiders>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum DropOrRefuse {
    Drop,
    Refuse,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenOutsiders {
    Refuse,
    Drop,
    Add,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPublic {
    path: Option<PathBuf>,
    paths: Option<Vec<PathBuf>>,
    separator: Option<char>,
    quote: Option<String>,
    encoding: Option<String>,
    sheet: Option<String>,
    header_row: Option<u32>,
    count: Option<WrittenCount>,
    member: Option<WrittenMember>,
    prior: Option<String>,
    cache: Option<bool>,
    sample_of: Option<NonZeroU64>,
    source: Option<WrittenSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPrior {
    rates: PathBuf,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a column, or { column = …, texts = { \"<5\" = 3 } }")]
enum WrittenCount {
    Name(String),
    Table(WrittenCountTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCountTable {
    column: String,
    #[serde(default)]
    texts: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a column, or { column = …, is = … } with a text or a list of texts"
)]
enum WrittenMember {
    Name(String),
    Table(WrittenMemberTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMemberTable {
    column: String,
    is: WrittenTexts,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTexts {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDelta {
    min: Option<Spanned<Literal>>,
    max: Option<Spanned<Literal>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSearch {
    empty_regions: Option<WrittenEmptyRegions>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenEmptyRegions {
    Allow,
    Forbid,
}

impl ProjectFile {
    fn check(mut self, path: &Path, file: &str) -> Result<Project, String> {
        let suppress_at_most = self.policy.remove(Suppression::KEY).map(|written| plain(&written, file));
        let suppression = suppress_at_most.as_deref().map_or(Ok(Suppression::NONE), str::parse);
        let suppression = suppression.map_err(|error: SuppressionError| format!("[policy]: {error}"))?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let own = self.private.as_ref();
        let drop_unlisted = own.is_some_and(|private| private.unlisted == Some(DropOrRefuse::Drop));
        let says_outsiders = own.is_some_and(|private| private.not_in_public.is_some());
        let outsiders = match own.and_then(|private| private.not_in_public) {
            Some(WrittenOutsiders::Drop) => OutsiderRule::Drop,
            Some(WrittenOutsiders::Add) => OutsiderRule::Add,
            Some(WrittenOutsiders::Refuse) | None => OutsiderRule::Refuse,
        };
        let WrittenPublic {
            path: public_path,
            paths,
            separator,
            quote,
            encoding,
            sheet,
            header_row,
            count,
            member,
            prior,
            cache,
            sample_of,
            source,
        } = self.public;
        let mut public =
            WrittenTable { path: public_path, paths, separator, quote, encoding, sheet, header_row };
        let mut count = count.map(WrittenCount::settle);
        let source =
            source.map(|source| source.settle(folder, count.as_ref().map(|count| count.column.clone())));
        let source = source.transpose()?;
        if let Some(source) = &source {
            if public.has_files() {
                return Err("[public] has both `path` and [public.source]; P is the `snapshot` of the source, so leave `path` out"
                    .to_owned());
            }
            public.path = Some(source.snapshot.clone());
            // A row of the snapshot is a combination, whatever a row of the database is.
            let people = || CountColumn { column: PublicSource::COUNT.to_owned(), texts: BTreeMap::new() };
            count.get_or_insert_with(people);
        }
        let member = member.map(WrittenMember::settle).transpose()?;
        let private = private_source(self.private, member, folder)?;
        let prior = prior_source(prior, self.prior, folder)?;
        if prior.is_some() && outsiders == OutsiderRule::Add {
            return Err("`not_in_public = \"add\"` adds people to P who have no prior; take \"drop\", or leave out the prior".to_owned());
        }
        if sample_of.is_some() && says_outsiders {
            return Err("P is a sample (`sample_of`), so members of T who are not in it are expected; leave out `not_in_public`".to_owned());
        }
        if sample_of.is_some() && prior.is_some() {
            return Err(
                "P is a sample (`sample_of`), of which estimates look at no prior; leave out the prior"
                    .to_owned(),
            );
        }
        let presence = |name, written: Option<Spanned<Literal>>| {
            written.map(|written| read_delta(name, &written, file)).transpose()
        };
        let (delta_min, delta_max) = self.delta.map_or((None, None), |delta| (delta.min, delta.max));
        let is_member = matches!(private, PrivateSource::Member(_));
        let attributes = self.attribute.into_iter();
        let attributes: Vec<Attribute> = attributes
            .map(|written| written.check(folder, &self.missing, is_member))
            .collect::<Result<_, _>>()?;
        check_attributes(&attributes)?;
        let policy: Vec<(String, String)> =
            self.policy.into_iter().map(|(key, value)| (key, setting(&value, file))).collect();
        let settings = policy.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        let criteria = Criteria::read(settings).map_err(|error| format!("[policy]: {error}"))?;
        if criteria.need_values() && !suppression.is_none() {
            return Err("[policy]: `suppress_at_most` stands beside a criterion on sensitive values (`l`, `t`), and no search withdraws by \
                        these; take one of them out"
                .to_owned());
        }
        let project = Project {
            path: path.to_owned(),
            name: self.name.unwrap_or(stem),
            private,
            public: PublicTable {
                table: public.settle("[public]", folder)?,
                count,
                source,
                may_be_kept: cache.unwrap_or(true),
                sample_of: sample_of.map(NonZeroU64::get),
            },
            drop_unlisted,
            outsiders,
            delta_min: presence("δmin", delta_min)?,
            delta_max: presence("δmax", delta_max)?,
            empty_regions: match self.search.and_then(|search| search.empty_regions) {
                Some(WrittenEmptyRegions::Forbid) => EmptyRegions::Forbid,
                Some(WrittenEmptyRegions::Allow) | None => EmptyRegions::Allow,
            },
            prior,
            criteria,
            policy,
            suppression,
            suppress_at_most,
            attributes,
            stated: self.report.map(|report| report.settle(file)).transpose()?.unwrap_or_default(),
        };
        entity::check(&project)?;
        Ok(project)
    }
}

/// What is probably wrong with the line that a place is in, where it is no TOML.
fn hint(text: &str, place: usize) -> Option<&'static str> {
    let start = text.get(..place)?.rfind('\n').map_or(0, |end| end + 1);
    let (_, value) = text.get(start..)?.lines().next()?.split_once('=')?;
    let value = value.split('#').next().unwrap_or_default().trim().trim_end_matches('%');
    let is_whole = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = value.split_once(',')?;
    (is_whole(whole) && is_whole(fraction)).then_some(": a number has a point and no comma, as in 0.06")
}

/// A value of the file: a text without its quotes, all else as it is written, so that no number becomes a float.
fn plain(written: &Spanned<toml::Value>, file: &str) -> String {
    match written.get_ref() {
        toml::Value::String(text) => text.clone(),
        _ => file.get(written.span()).unwrap_or_default().to_owned(),
    }
}

/// What stands behind a key of `[policy]`: a number or a text as it is written, what has parts on one line and without comments, however
/// the file has it.
fn setting(written: &Spanned<toml::Value>, file: &str) -> String {
    match written.get_ref() {
        value @ (toml::Value::Table(_) | toml::Value::Array(_)) => on_one_line(value),
        _ => file.get(written.span()).unwrap_or_default().to_owned(),
    }
}

fn on_one_line(value: &toml::Value) -> String {
    match value {
        toml::Value::Table(entries) => {
            let entry = |(key, value): (&String, &toml::Value)| {
                let is_bare = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
                let key = if !key.is_empty() && key.chars().all(is_bare) {
                    key.clone()
                } else {
                    toml::Value::from(key.as_str()).to_string()
                };
                format!("{key} = {}", on_one_line(value))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
        }
        toml::Value::Array(values) => {
            format!("[{}]", values.iter().map(on_one_line).collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

fn private_source(
    private: Option<WrittenPrivate>,
    member: Option<MemberColumn>,
    folder: &Path,
) -> Result<PrivateSource, String> {
    let table = private.map_or_else(WrittenTable::default, |private| {
        let WrittenPrivate { path, paths, separator, quote, encoding, sheet, header_row, .. } = private;
        WrittenTable { path, paths, separator, quote, encoding, sheet, header_row }
    });
    match (table.has_files(), member) {
        (true, None) => table.settle("[private]", folder).map(PrivateSource::Table),
        (false, Some(member)) => match table.first_key() {
            None => Ok(PrivateSource::Member(member)),
            Some(key) => Err(format!("`{key}` of [private] goes with its `path`; T is part of P here")),
        },
        (true, Some(_)) => {
            Err("T is given twice; leave out either `path` of [private] or `member` of [public]".to_owned())
        }
        (false, None) => Err("there is no T; add [private] with `path`, or `member` to [public]".to_owned()),
    }
}

fn prior_source(
    column: Option<String>,
    rates: Option<WrittenPrior>,
    folder: &Path,
) -> Result<Option<PriorSource>, String> {
    match (column, rates) {
        (Some(_), Some(_)) => {
            Err("the prior is given twice; leave out either `prior` of [public] or [prior]".to_owned())
        }
        (Some(column), None) => Ok(Some(PriorSource::Column(column))),
        (None, Some(rates)) => Ok(Some(PriorSource::Rates(folder.join(rates.rates)))),
        (None, None) => Ok(None),
    }
}

impl WrittenCount {
    fn settle(self) -> CountColumn {
        match self {
            Self::Name(column) => CountColumn { column, texts: BTreeMap::new() },
            Self::Table(WrittenCountTable { column, texts }) => {
                let texts = texts.into_iter().map(|(text, people)| (text, u64::from(people)));
                CountColumn { column, texts: texts.collect() }
            }
        }
    }
}

impl WrittenMember {
    fn settle(self) -> Result<MemberColumn, String> {
        let (column, is) = match self {
            Self::Name(column) => return Ok(MemberColumn { column, is: Vec::new() }),
            Self::Table(WrittenMemberTable { column, is }) => (column, is),
        };
        let is = match is {
            WrittenTexts::One(text) => vec![text],
            WrittenTexts::Several(texts) if texts.is_empty() => {
                return Err(format!(
                    "`member`: no text of `{column}` marks the people of T; name one in `is`"
                ));
            }
            WrittenTexts::Several(texts) => texts,
        };
        Ok(MemberColumn { column, is })
    }
}

fn check_attributes(attributes: &[Attribute]) -> Result<(), String> {
    for (place, attribute) in attributes.iter().enumerate() {
        let before = &attributes[..place];
        if before.iter().any(|other| other.name == attribute.name) {
            return Err(format!("attribute `{}` is listed twice; remove one", attribute.name));
        }
        if let Some(other) = before.iter().find(|other| other.private_column == attribute.private_column) {
            return Err(format!(
                "attributes `{}` and `{}` have the same column of T, `{}`, and a column has one role; remove one of them, or \
                 correct its `private_column`",
                other.name, attribute.name, attribute.private_column
            ));
        }
        let keyed = attribute.pseudonym.as_ref().and_then(PseudonymRule::keyed);
        let is_alike = |other: &&Attribute| {
            let other = other.pseudonym.as_ref().and_then(PseudonymRule::keyed);
            keyed.zip(other).is_some_and(|(one, other)| one.domain == other.domain)
        };
        if let Some(other) = attributes[..place].iter().find(is_alike) {
            return Err(format!(
                "the pseudonyms of `{}` and `{}` have the same `domain`, so that equal values of both would show; give each its \
                 own",
                other.name, attribute.name
            ));
        }
    }
    if attributes.iter().any(|attribute| attribute.role == Role::Quasi) {
        Ok(())
    } else {
        Err("there is no quasi-identifier; at least one [[attribute]] needs role = \"quasi\"".to_owned())
    }
}

/// δ is exact: a number without quotes is read by its digits and never becomes a float, which would round it.
fn read_delta(name: &'static str, written: &Spanned<Literal>, file: &str) -> Result<Presence, String> {
    let read = literal::digits(written, file).parse();
    read.map_err(|error: TermError| format!("[delta]: {}", error.given_for(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = 0\nmax = 0.05\n\
                         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"h/age.csv\"\n";

    fn read(text: &str) -> Result<Project, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.toml");
        std::fs::write(&path, text).unwrap();
        Project::read(&path)
            .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    }

    #[test]
    fn paths_are_relative_to_the_project_and_delta_is_read_by_its_digits() {
        let project = read(SMALL).unwrap();
        let PrivateSource::Table(table) = &project.private else { panic!("a table") };
        assert_eq!(table.paths[0].parent(), project.path.parent());
        assert_eq!(project.quasi().next().unwrap().1.path, project.path.with_file_name("h/age.csv"));
        assert_eq!(project.delta(None, None).unwrap().to_string(), "(0, 1/20)");
        assert_eq!(project.delta(None, "1/2".parse().ok()).unwrap().to_string(), "(0, 1/2)");
        assert!(project.delta("1/2".parse().ok(), None).is_err());
    }

    #[test]
    fn what_is_enforced_beside_delta_is_what_the_policy_lists() {
        let project = read(&SMALL.replace("[delta]", "[policy]\nk = 5 # at least\n[delta]")).unwrap();
        assert_eq!(project.criteria.to_string(), "k = 5");
        assert_eq!(project.policy, [("k".to_owned(), "5".to_owned())]);
        assert!(read(SMALL).unwrap().criteria.is_empty());
        assert!(read(&SMALL.replace("[delta]", "[policy]\n[delta]")).unwrap().criteria.is_empty());
    }

    #[test]
    fn a_share_of_members_that_may_be_withdrawn_is_read_by_its_digits() {
        for (written, most) in
            [("\"2%\"", 24), ("0.02", 24), ("'1/50'", 24), ("0", 0), ("\"0%\"", 0), ("1e-2", 0)]
        {
            let read =
                read(&SMALL.replace("[delta]", &format!("[policy]\nsuppress_at_most = {written}\n[delta]")));
            match read {
                Ok(project) => {
                    assert_eq!(project.suppression.most(1206), most, "{written}");
                    assert!(project.policy.is_empty() && project.suppress_at_most.is_some());
                }
                Err(error) => assert!(written == "1e-2" && error.contains("expected a share"), "{error}"),
            }
        }
        assert!(read(SMALL).unwrap().suppression.is_none());
    }

    #[test]
    fn the_prior_is_a_column_of_the_public_table_or_a_table_of_rates_beside_the_project() {
        let project = read(&SMALL.replace("[delta]", "prior = \"risk\"\n[delta]")).unwrap();
        assert_eq!(project.prior_column(), Some("risk"));
        let project = read(&SMALL.replace("[delta]", "[prior]\nrates = \"r.csv\"\n[delta]")).unwrap();
        assert_eq!(project.prior, Some(PriorSource::Rates(project.path.with_file_name("r.csv"))));
        assert_eq!(read(SMALL).unwrap().prior, None);
    }

    #[track_caller]
    fn assert_refused(from: &str, to: &str, refusal: &str) {
        let refused = read(&SMALL.replacen(from, to, 1)).unwrap_err();
        assert!(refused.starts_with(refusal), "expected {refusal}\n   found {refused}");
    }

    #[test]
    fn refusals_name_key_line_and_remedy() {
        for (from, to, refusal) in [
            (
                "path = \"p.csv\"",
                "path = \"p.csv\"\ncuont = \"n\"",
                "project p.toml, line 5: unknown field `cuont`",
            ),
            ("[private]\npath = \"t.csv\"\n", "", "project p.toml: there is no T; add [private]"),
            ("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"m\"", "project p.toml: T is given twice"),
            (
                "[delta]",
                "prior = \"w\"\n[prior]\nrates = \"r.csv\"\n[delta]",
                "project p.toml: the prior is given",
            ),
            ("[delta]", "[prior]\n[delta]", "project p.toml, line 5: missing field `rates`"),
            (
                "path = \"t.csv\"",
                "path = \"t.csv\"\nnot_in_public = \"add\"\n[prior]\nrates = \"r.csv\"",
                "project p.toml: `not_in_public = \"add\"` adds people to P who have no prior",
            ),
            ("max = 0.05", "max = \"x\"", "project p.toml: [delta]: invalid δmax `x`: expected a fraction"),
            ("max = 0.05", "max = 1.5", "project p.toml: [delta]: invalid δmax `1.5`: expected"),
            ("hierarchy = \"h/age.csv\"\n", "", "project p.toml: quasi-identifier `age` has no `hierarchy`"),
            ("quasi", "secret", "project p.toml, line 10: unknown variant `secret`"),
            ("role = \"quasi\"", "role = \"insensitive\"", "project p.toml: `age` has a hierarchy"),
            ("role = \"quasi\"", "role = \"entity\"", "project p.toml: `age` has a hierarchy"),
            ("[delta]", "[delta", "project p.toml, line 5"),
            (
                "max = 0.05",
                "max = 0,05 # strict",
                "project p.toml, line 7: unexpected key or value, expected newline, `#`: a number has a point and no comma, as in 0.06",
            ),
            (
                "path = \"p.csv\"",
                "path = \"p.csv\"\nsample_of = 0",
                "project p.toml, line 5: invalid value: integer `0`, expected a nonzero",
            ),
            (
                "path = \"t.csv\"\n[public]",
                "path = \"t.csv\"\nnot_in_public = \"drop\"\n[public]\nsample_of = 9_200_000",
                "project p.toml: P is a sample (`sample_of`), so members of T who are not in it are expected",
            ),
            (
                "path = \"p.csv\"",
                "path = \"p.csv\"\nsample_of = 9\nprior = \"w\"",
                "project p.toml: P is a sample (`sample_of`), of which estimates look at no prior",
            ),
            ("[delta]", "[policy]\nk = 0\n[delta]", "project p.toml: [policy]: `k = 0`: expected a whole"),
            ("[delta]", "[policy]\nk = \"5\"\n[delta]", "project p.toml: [policy]: `k = \"5\"`: expected"),
            (
                "[delta]",
                "[policy]\nl = 2\n[delta]",
                "project p.toml: [policy]: `l = 2`: expected `{ distinct",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = \"old\"\n[[attribute]]",
                "project p.toml: `id`: `pseudonym = \"old\"`: expected \"new\", or { key = …, domain = … }",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = { key = \"k\" }\n[[attribute]]",
                "project p.toml, line 11: expected \"new\", or { key = \"../keys/study.key\", domain = ",
            ),
        ] {
            assert_refused(from, to, refusal);
        }
    }

    #[test]
    fn refusals_of_attributes_name_the_attribute_and_the_remedy() {
        for (from, to, refusal) in [
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = { key = \"k\", domain = \"\" }\n[[attribute]]",
                "project p.toml: `id`: `domain` of `pseudonym` is \"\", expected a text of 1 to 200 bytes",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nrepeats = true\npseudonym = \"new\"\n[[attribute]]",
                "project p.toml: `id`: `repeats` and `pseudonym` exclude each other",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"sensitive\"\npseudonym = \"new\"\n[[attribute]]",
                "project p.toml: `id`: `pseudonym` goes with role = \"identifier\"; remove it",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"a\"\nrole = \"identifier\"\npseudonym = { key = \"k\", domain = \"d\" }\n\
                 [[attribute]]\nname = \"b\"\nrole = \"identifier\"\npseudonym = { key = \"l\", domain = \"d\" }\n[[attribute]]",
                "project p.toml: the pseudonyms of `a` and `b` have the same `domain`, so that equal values",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"born\"\nrole = \"sensitive\"\naccept = \"yes\"\n[[attribute]]",
                "project p.toml: `born`: `accept = \"yes\"`: expected a sentence that a reader of the report understands",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"born\"\nrole = \"sensitive\"\naccept = \"the board\\ndecided so\"\n[[attribute]]",
                "project p.toml: `born`: `accept = \"the board\\ndecided so\"`: expected one line",
            ),
            (
                "role = \"quasi\"",
                "role = \"quasi\"\nundecided = true",
                "project p.toml: `age`: `undecided` marks a published column whose role nobody decided",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nundecided = true\n[[attribute]]",
                "project p.toml: `id`: `undecided` marks a published column",
            ),
            (
                "role = \"quasi\"",
                "role = \"quasi\"\naccept = \"the board decided so\"",
                "project p.toml: `age`: `accept` is the reason to publish a column that betrays a quasi-identifier",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\naccept = \"the board decided so\"\n[[attribute]]",
                "project p.toml: `id`: `accept` is the reason to publish a column",
            ),
            ("[delta]", "[policy]\nk = 2\nk = 3\n[delta]", "project p.toml, line 7: duplicate key"),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"age\"\nrole = \"identifier\"\n[[attribute]]",
                "project p.toml: attribute `age` is listed twice",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"age2\"\nprivate_column = \"age\"\nrole = \"identifier\"\n[[attribute]]",
                "project p.toml: attributes `age2` and `age` have the same column of T, `age`, and a column has one role; remove one",
            ),
        ] {
            assert_refused(from, to, refusal);
        }
        let without = SMALL.replace("[delta]\nmin = 0\nmax = 0.05\n", "");
        let error = read(&without).unwrap().delta(None, None).unwrap_err();
        assert!(error.to_string().contains("there is no δ; add `[delta]`"), "{error}");
    }

    #[test]
    fn the_reason_to_publish_a_column_is_kept() {
        let born = "[[attribute]]\nname = \"born\"\nrole = \"insensitive\"\naccept = \" The board decided so. \"\n[[attribute]]";
        let project = read(&SMALL.replacen("[[attribute]]", born, 1)).unwrap();
        assert_eq!(project.attributes[0].accepted.as_deref(), Some("The board decided so."));
        assert_eq!(project.attributes[1].accepted, None);
    }

    #[test]
    fn a_column_whose_role_nobody_decided_has_a_mark() {
        let ill = "[[attribute]]\nname = \"ill\"\nrole = \"sensitive\"\nundecided = true\n[[attribute]]";
        let project = read(&SMALL.replacen("[[attribute]]", ill, 1)).unwrap();
        assert_eq!(project.attributes.iter().map(|own| own.undecided).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn who_has_several_rows_is_an_identifier_that_repeats_and_gets_pseudonyms() {
        const ENTITY: &str = "[[attribute]]\nname = \"id\"\nrole = \"entity\"\n[[attribute]]";
        let project = read(&SMALL.replacen("[[attribute]]", ENTITY, 1)).unwrap();
        let own = project.entity().unwrap();
        assert_eq!((own.name.as_str(), own.role, own.repeats), ("id", Role::Identifier, true));
        assert_eq!(own.pseudonym, Some(PseudonymRule::New));
        assert_eq!(read(SMALL).unwrap().entity(), None);
        let begins = |what: &str| format!("project p.toml: `id` has `role = \"entity\"`, and {what}");
        for (from, to, refusal) in [
            (
                "path = \"p.csv\"",
                "path = \"p.csv\"\ncount = \"n\"",
                begins("a row of P that stands for several"),
            ),
            ("path = \"p.csv\"", "path = \"p.csv\"\nsample_of = 9000", begins("of a P that is a sample")),
            (
                "path = \"p.csv\"",
                "path = \"p.csv\"\nprior = \"w\"",
                begins("a prior is of rows and not of people"),
            ),
            (
                "path = \"t.csv\"",
                "path = \"t.csv\"\nnot_in_public = \"add\"",
                begins("who has other rows in T than"),
            ),
            (
                "[delta]",
                "[policy]\nsuppress_at_most = \"2%\"\n[delta]",
                begins("[policy]: no search withdraws people"),
            ),
            (
                "role = \"entity\"",
                "role = \"entity\"\nrepeats = true",
                "project p.toml: `id`: `repeats` goes with role = \"identifier\": whose rows".to_owned(),
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"visit\"\nrole = \"entity\"\n[[attribute]]",
                "project p.toml: `visit` and `id` both have `role = \"entity\"`".to_owned(),
            ),
        ] {
            let refused =
                read(&SMALL.replacen("[[attribute]]", ENTITY, 1).replacen(from, to, 1)).unwrap_err();
            assert!(refused.starts_with(&refusal), "expected {refusal}\n   found {refused}");
        }
    }

    #[test]
    fn refusals_of_policies_and_limits_name_key_line_and_remedy() {
        for (from, to, refusal) in [
            (
                "[delta]",
                "[policy]\nsuppress_at_most = 1\n[delta]",
                "project p.toml: [policy]: `suppress_at_most = 1`: expected a share of T's members from 0 up to, but not",
            ),
            (
                "[delta]",
                "[policy]\nsuppress_at_most = [2]\n[delta]",
                "project p.toml: [policy]: `suppress_at_most = [2]`: expected a share",
            ),
            (
                "[delta]",
                "[policy]\nsuppress_at_most = \"2%\"\nl = { distinct = 2 }\n[delta]",
                "project p.toml: [policy]: `suppress_at_most` stands beside a criterion on sensitive values",
            ),
            (
                "hierarchy = \"h/age.csv\"",
                "hierarchy = \"h/age.csv\"\nlevels = \"3-1\"",
                "project p.toml, line 12: invalid `levels` \"3-1\": the first is the coarser one; expected",
            ),
            (
                "hierarchy = \"h/age.csv\"",
                "hierarchy = \"h/age.csv\"\nlevels = 2",
                "project p.toml, line 12: invalid type: integer `2`, expected a string",
            ),
            (
                "hierarchy = \"h/age.csv\"",
                "hierarchy = \"h/age.csv\"\nlevels = \"1-\"\nkeep = true",
                "project p.toml: `age`: `keep` publishes it as it is",
            ),
            (
                "hierarchy = \"h/age.csv\"",
                "hierarchy = \"h/age.csv\"\nlevels = \"1-\"\npublic_level = 2",
                "project p.toml: `age`: `levels` begin at 1, but P holds level 2",
            ),
            (
                "[[attribute]]",
                "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nkeep = true\n[[attribute]]",
                "project p.toml: `id`: `levels` and `keep` go with role",
            ),
        ] {
            let refused = read(&SMALL.replacen(from, to, 1)).unwrap_err();
            assert!(refused.starts_with(refusal), "expected {refusal}\n   found {refused}");
        }
    }
}
