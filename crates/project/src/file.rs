//! The project file as it is written: its keys, and the checks that turn them into a [`Project`].

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::attribute::WrittenAttribute;
use super::person::WrittenPerson;
use super::policy;
use super::readings::WrittenNumber;
use super::rows::{WrittenHeader, WrittenHidden, WrittenRow, WrittenRows};
use super::source::WrittenSource;
use super::stated::WrittenReport;
use super::table::{WrittenPath, WrittenTable};
use super::{Attribute, Decided, PrivateSource, Project, PublicSource, PublicTable, person};
use crate::compatibility::{self, Feature};
use crate::keys::{Key, Keyed};
use crate::{keys, values};
use palmtop_core::model::{Criteria, EmptyRegions, Presence, Role, Suppression, SuppressionError, TermError};
use palmtop_tables::join::OutsiderRule;
use palmtop_tables::literal::{self, Literal};
use palmtop_tables::pseudonym::PseudonymRule;
use palmtop_tables::weight::{CountColumn, MemberColumn};

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProjectFile {
    /// The name in results; by default the name of the file.
    name: Option<String>,
    /// The texts that mean "no value"; at the top of the file, those of every quasi-identifier.
    #[serde(default)]
    missing: Vec<String>,
    /// The table T.
    private: Option<WrittenPrivate>,
    /// The table P.
    public: WrittenPublic,
    /// The bounds of presence.
    delta: Option<WrittenDelta>,
    /// The regions without members, and how `simulatable` prepares.
    search: Option<WrittenSearch>,
    /// What is enforced besides δ: the criteria, and `suppress_at_most`.
    #[serde(default)]
    policy: BTreeMap<String, Spanned<toml::Value>>,
    /// The columns and their roles, in the order of the levels of a node.
    #[serde(default)]
    attribute: Vec<WrittenAttribute>,
    /// What the signer's report states.
    report: Option<WrittenReport>,
}
}

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPrivate {
    /// The file, a pattern of files, or a list of files with the same columns; relative to the project file.
    path: Option<WrittenPath>,
    /// The separator of a CSV file; by default the candidate that is most frequent in the header.
    separator: Option<char>,
    /// The quote of a CSV file: one character, or `""` for none; by default `"`.
    quote: Option<String>,
    /// The encoding of a CSV file: utf-8, or another label of the Encoding Standard, such as windows-1250 or gbk.
    encoding: Option<String>,
    /// The sheet of a workbook; by default its only sheet.
    sheet: Option<String>,
    /// The line of a CSV file or the row of a workbook with the names of the columns; by default 1.
    header_row: Option<u32>,
    /// `false` if no row has names (the columns are `column 1`, `column 2`, …), their names if no row has them, `true` if the first row has names although they look like values.
    header: Option<WrittenHeader>,
    /// Rows that are no people, by line (CSV), row, or the text of a cell: `[402, "Total"]`.
    leave_out: Option<Vec<WrittenRow>>,
    /// Rows that are people although palmtop asks.
    keep_rows: Option<Vec<WrittenRow>>,
    /// The hidden rows of a workbook: `"keep"` if they are people, `"leave_out"` if not.
    hidden_rows: Option<WrittenHidden>,
    /// Columns of T without an `[[attribute]]`: `"refuse"` (the default) or `"drop"`.
    unlisted: Option<DropOrRefuse>,
    /// Members whom P lacks: `"refuse"` (the default), `"drop"` excludes them, `"add"` adds people to P.
    not_in_public: Option<WrittenOutsiders>,
}
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

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPublic {
    /// The file, a pattern of files, or a list of files with the same columns; relative to the project file.
    path: Option<WrittenPath>,
    /// The separator of a CSV file; by default the candidate that is most frequent in the header.
    separator: Option<char>,
    /// The quote of a CSV file: one character, or `""` for none; by default `"`.
    quote: Option<String>,
    /// The encoding of a CSV file: utf-8, or another label of the Encoding Standard, such as windows-1250 or gbk.
    encoding: Option<String>,
    /// The sheet of a workbook; by default its only sheet.
    sheet: Option<String>,
    /// The line of a CSV file or the row of a workbook with the names of the columns; by default 1.
    header_row: Option<u32>,
    /// `false` if no row has names (the columns are `column 1`, `column 2`, …), their names if no row has them, `true` if the first row has names although they look like values.
    header: Option<WrittenHeader>,
    /// Rows that are no people, by line (CSV), row, or the text of a cell: `[402, "Total"]`.
    leave_out: Option<Vec<WrittenRow>>,
    /// Rows that are people although palmtop asks.
    keep_rows: Option<Vec<WrittenRow>>,
    /// The hidden rows of a workbook: `"keep"` if they are people, `"leave_out"` if not.
    hidden_rows: Option<WrittenHidden>,
    /// The column with the number of people that a row counts for; or `{ column = "people", texts = { "<5" = 3 }, number = "1,234.5" }`.
    count: Option<WrittenCount>,
    /// What `count` counts: `"people"`, each of them once. `"rows"` is refused.
    counts: Option<WrittenCounts>,
    /// The column that says who is a person, if T lacks it: `{ column = "id", distinct = true }`, or with `first_by` or `repeats` as of an identifier.
    person: Option<WrittenPerson>,
    /// Instead of `[private]`: the column that marks the people of T; or `{ column = "status", is = ["2", "3"] }`.
    member: Option<WrittenMember>,
    /// `false` keeps no reduction of P beside the project; by default `true`.
    cache: Option<bool>,
    /// P is a random sample of this many people; only `estimate` accepts this.
    sample_of: Option<NonZeroU64>,
    /// Instead of `path`: the database of P.
    source: Option<WrittenSource>,
}
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a column, or { column = …, texts = { \"<5\" = 3 } }")]
#[expect(clippy::large_enum_variant, reason = "a project has one")]
enum WrittenCount {
    Name(String),
    Table(WrittenCountTable),
}

/// What a count column counts.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenCounts {
    People,
    Rows,
}

values!(WrittenCounts);

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCountTable {
    /// The column.
    column: String,
    /// The number of people for each text that is no number.
    #[serde(default)]
    texts: BTreeMap<String, u32>,
    /// How its numbers are written.
    number: Option<WrittenNumber>,
}
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

keys! {
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMemberTable {
    /// The column.
    column: String,
    /// The text, or the list of texts, that marks the people of T.
    is: WrittenTexts,
}
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTexts {
    One(String),
    Several(Vec<String>),
}

keys! {
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDelta {
    /// δmin, a fraction, a decimal or a percentage; by default 0.
    min: Option<Spanned<Literal>>,
    /// δmax, in the same forms.
    max: Option<Spanned<Literal>>,
    /// Why δ is this one: the belief, before the release, that a person of P has the property of all of T.
    prior: Option<Spanned<Literal>>,
    /// Why δ is this one: the acceptable misuse if belief rises. `palmtop advise` computes δ from both.
    misuse: Option<Spanned<Literal>>,
    /// The acceptable misuse if belief falls.
    misuse_down: Option<Spanned<Literal>>,
    /// The cost of one wrongly changed belief; by default 1.
    cost: Option<Spanned<Literal>>,
    /// Why δ is this one, in a sentence. Reports quote it.
    reason: Option<String>,
}
}

keys! {
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSearch {
    /// Regions without members: `"allow"` (the default) or `"forbid"`.
    empty_regions: Option<WrittenEmptyRegions>,
    /// A public CSV of rates: `simulatable` asks first what is likely to succeed under them.
    belief: Option<PathBuf>,
}
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenEmptyRegions {
    Allow,
    Forbid,
}

values!(DropOrRefuse, WrittenOutsiders, WrittenTexts, WrittenEmptyRegions);

/// A count is the name of a column, or a table with these keys.
impl Keyed for WrittenCount {
    fn keys() -> Vec<Key> {
        WrittenCountTable::keys()
    }
}

/// A member is the name of a column, or a table with these keys.
impl Keyed for WrittenMember {
    fn keys() -> Vec<Key> {
        WrittenMemberTable::keys()
    }
}

impl Project {
    /// The keys that a project file may have, as the reader has them.
    pub fn keys() -> Vec<Key> {
        ProjectFile::keys()
    }
}

impl ProjectFile {
    pub(super) fn check(mut self, path: &Path, file: &str) -> Result<Project, String> {
        let suppress_at_most =
            self.policy.remove(Suppression::KEY).map(|written| policy::plain(&written, file));
        let suppression = suppress_at_most.as_deref().map_or(Ok(Suppression::NONE), str::parse);
        let suppression = suppression.map_err(|error: SuppressionError| format!("[policy]: {error}"))?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let private = self.private.as_ref();
        let drop_unlisted = private.is_some_and(|private| private.unlisted == Some(DropOrRefuse::Drop));
        let has_outsider_rule = private.is_some_and(|private| private.not_in_public.is_some());
        let outsiders = match private.and_then(|private| private.not_in_public) {
            Some(WrittenOutsiders::Drop) => OutsiderRule::Drop,
            Some(WrittenOutsiders::Add) => OutsiderRule::Add,
            Some(WrittenOutsiders::Refuse) | None => OutsiderRule::Refuse,
        };
        let member = self.public.member.take();
        let public = self.public.settle(folder)?;
        let member = member.map(WrittenMember::settle).transpose()?;
        let private = private_source(self.private, member, folder)?;
        let presence = |name, written: Option<Spanned<Literal>>| {
            written.map(|written| read_delta(name, &written, file)).transpose()
        };
        let WrittenDelta { min: delta_min, max: delta_max, prior, misuse, misuse_down, cost, reason } =
            self.delta.unwrap_or_default();
        let typed = |written: Option<Spanned<Literal>>| {
            written.map(|written| literal::digits(&written, file).to_owned())
        };
        let decided = Decided::settle([prior, misuse, misuse_down, cost].map(typed), reason)?;
        let is_member = matches!(private, PrivateSource::Member(_));
        let attributes = self.attribute.into_iter();
        let attributes: Vec<Attribute> = attributes
            .map(|written| written.check(folder, &self.missing, is_member))
            .collect::<Result<_, _>>()?;
        check_attributes(&attributes)?;
        let policy: Vec<(String, String)> =
            self.policy.into_iter().map(|(key, value)| (key, policy::setting(&value, file))).collect();
        let settings = policy.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        let criteria = Criteria::read(settings).map_err(|error| format!("[policy]: {error}"))?;
        let search = self.search.unwrap_or_default();
        let project = Project {
            path: path.to_owned(),
            name: self.name.unwrap_or(stem),
            private,
            public,
            missing: self.missing,
            drop_unlisted,
            outsiders,
            delta_min: presence("δmin", delta_min)?,
            delta_max: presence("δmax", delta_max)?,
            decided,
            empty_regions: match search.empty_regions {
                Some(WrittenEmptyRegions::Forbid) => EmptyRegions::Forbid,
                Some(WrittenEmptyRegions::Allow) | None => EmptyRegions::Allow,
            },
            belief: search.belief.map(|path| folder.join(path)),
            criteria,
            policy,
            suppression,
            suppress_at_most,
            attributes,
            stated: self.report.map(|report| report.settle(file)).transpose()?.unwrap_or_default(),
            older: Vec::new(),
        };
        let mut features = project.features();
        if has_outsider_rule && outsiders == OutsiderRule::Refuse && project.public.sample_of.is_some() {
            features.push(Feature::Outsiders);
        }
        compatibility::check(&features).map_err(|refused| refused.to_string())?;
        person::check(&project)?;
        Ok(project)
    }
}

impl WrittenPublic {
    /// P's files, its count column, and its database, if it has one.
    fn settle(self, folder: &Path) -> Result<PublicTable, String> {
        let Self { path, separator, quote, encoding, sheet, header_row, count, .. } = self;
        let Self { header, leave_out, keep_rows, hidden_rows, .. } = self;
        let rows = WrittenRows { header, leave_out, keep_rows, hidden_rows };
        let mut files = WrittenTable { path, separator, quote, encoding, sheet, header_row, rows };
        let mut count = count.map(WrittenCount::settle).transpose()?;
        WrittenCounts::check(self.counts, count.as_ref())?;
        let source =
            self.source.map(|source| source.settle(folder, count.as_ref().map(|count| count.column.clone())));
        let source = source.transpose()?;
        if let Some(source) = &source {
            if files.path.is_some() {
                return Err("[public] has both `path` and [public.source]; P is the `snapshot` of the source, so remove `path`"
                    .to_owned());
            }
            files.path = Some(WrittenPath::One(source.snapshot.clone()));
            // Each row of the snapshot is a combination with a count, even if each row of the database is a person.
            let people = || CountColumn::of(PublicSource::COUNT);
            count.get_or_insert_with(people);
        }
        Ok(PublicTable {
            // The path of the snapshot already has the folder.
            table: files.settle("[public]", if source.is_some() { Path::new("") } else { folder })?,
            count,
            source,
            person: self.person.map(WrittenPerson::settle).transpose()?,
            kept_above: self.cache.unwrap_or(true).then_some(LARGE),
            sample_of: self.sample_of.map(NonZeroU64::get),
        })
    }
}

/// The keys that older projects may have, and what to do about each. [`older`](super::older) translates the last ones; they are
/// refused if their values are none that an older project had.
const GONE: [(&str, &str); 12] = [
    ("entrypoint", "write it into an ADBC manifest of the driver, and name the manifest as `driver`"),
    (
        "dialect",
        "remove the line, and give the driver an ADBC manifest with the name of the database, such as `spark`",
    ),
    ("rehearse", "remove the line; `simulatable` takes its usual constants"),
    ("prior", "remove it, and give a table of rates to `palmtop compare --show risk --prior FILE`"),
    ("paths", "write `path` with a list of files"),
    ("cuts", "write `shape = \"labels\"` or `shape = \"any\"`"),
    ("uncut", "write `shape = \"whole\"`"),
    ("keep", "write `shape = \"kept\"`"),
    ("undecided", "write `role = \"undecided\"`"),
    ("pivot", "write `date = { like = \"%d.%m.%y\", from = 1930 }` if years have two digits, else remove it"),
    ("decimal", "write an example, such as `number = \"1.234,5\"`"),
    ("thousands", "write an example, such as `number = \"1.234,5\"`"),
];

/// What to say of a key that only older projects have, in place of TOML's message that it is unknown.
pub(super) fn gone(message: &str) -> Option<String> {
    let key = message.strip_prefix("unknown field `")?.split('`').next()?;
    let (_, remedy) = GONE.into_iter().find(|(gone, _)| *gone == key)?;
    Some(format!("`{key}` is gone: {remedy}"))
}

/// The probable mistake in the line at an offset that is not TOML; `None` if there is no guess.
pub(super) fn hint(text: &str, offset: usize) -> Option<&'static str> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let (_, value) = text.get(start..)?.lines().next()?.split_once('=')?;
    let value = value.split('#').next().unwrap_or_default().trim().trim_end_matches('%');
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (integer, fraction) = value.split_once(',')?;
    (is_number(integer) && is_number(fraction))
        .then_some(": write a number with a point, not with a comma, such as 0.06")
}

fn private_source(
    private: Option<WrittenPrivate>,
    member: Option<MemberColumn>,
    folder: &Path,
) -> Result<PrivateSource, String> {
    let table = private.map_or_else(WrittenTable::default, |private| {
        let WrittenPrivate { path, separator, quote, encoding, sheet, header_row, .. } = private;
        let WrittenPrivate { header, leave_out, keep_rows, hidden_rows, .. } = private;
        let rows = WrittenRows { header, leave_out, keep_rows, hidden_rows };
        WrittenTable { path, separator, quote, encoding, sheet, header_row, rows }
    });
    match (table.path.is_some(), member) {
        (true, None) => table.settle("[private]", folder).map(PrivateSource::Table),
        (false, Some(member)) => match table.first_key() {
            None => Ok(PrivateSource::Member(member)),
            Some(key) => {
                Err(format!("`{key}` of [private] needs a `path`, but T is a part of P here; remove `{key}`"))
            }
        },
        (true, Some(_)) => {
            Err("T is given twice; remove either `path` of [private] or `member` of [public]".to_owned())
        }
        (false, None) => Err("there is no T; add [private] with `path`, or `member` to [public]".to_owned()),
    }
}

impl WrittenCounts {
    /// Refuses counts unless they are of people: somebody with several rows would be several people of P.
    fn check(counts: Option<Self>, count: Option<&CountColumn>) -> Result<(), String> {
        match (counts, count) {
            (None, None) | (Some(Self::People), Some(_)) => Ok(()),
            (Some(_), None) => Err("`counts` of [public] needs `count`; remove it".to_owned()),
            (None, Some(CountColumn { column, .. })) => Err(format!(
                "does `count` of [public], column `{column}`, count each person once? If so, write `counts = \"people\"` under \
                 [public]. If somebody with several rows is counted for each: {ONCE}"
            )),
            (Some(Self::Rows), Some(CountColumn { column, .. })) => Err(format!(
                "`count` of [public], column `{column}`, counts rows, so somebody with several rows would be several people of P, \
                 and presence would look lower than it is: {ONCE}"
            )),
        }
    }
}

/// A P with more rows is cached in reduced form.
const LARGE: u64 = 1_000_000;

/// How people are counted once.
const ONCE: &str =
    "count different identifiers, for example with COUNT(DISTINCT id), and write `counts = \"people\"`";

/// Whether a text such as `<5`, `≥ 10` or `1-4` excludes a number.
fn excludes(text: &str, people: u32) -> bool {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let after = |mark: &str| text.trim().strip_prefix(mark).and_then(number);
    let range = || text.split_once(['-', '–']).and_then(|(from, to)| Some(number(from)?..=number(to)?));
    after("<=").or_else(|| after("≤")).is_some_and(|most| people > most)
        || after(">=").or_else(|| after("≥")).is_some_and(|least| people < least)
        || after("<").is_some_and(|below| people >= below)
        || after(">").is_some_and(|above| people <= above)
        || range().is_some_and(|range| !range.contains(&people))
}

impl WrittenCount {
    fn settle(self) -> Result<CountColumn, String> {
        Ok(match self {
            Self::Name(column) => CountColumn::of(column),
            Self::Table(WrittenCountTable { column, texts, number }) => {
                if let Some((text, people)) = texts.iter().find(|(text, people)| excludes(text, **people)) {
                    return Err(format!(
                        "`count` of [public]: `texts` maps `{text}` to {people}, but this text excludes {people}; write a number that it \
                         includes"
                    ));
                }
                let texts = texts.into_iter().map(|(text, people)| (text, u64::from(people)));
                let number = number.map(|number| number.form()).transpose()?;
                CountColumn { column, texts: texts.collect(), number }
            }
        })
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
                    "`member`: `is` is empty; list the texts of `{column}` that mark the people of T"
                ));
            }
            WrittenTexts::Several(texts) => texts,
        };
        Ok(MemberColumn { column, is })
    }
}

fn check_attributes(attributes: &[Attribute]) -> Result<(), String> {
    for (index, attribute) in attributes.iter().enumerate() {
        let before = &attributes[..index];
        if before.iter().any(|other| other.name == attribute.name) {
            return Err(format!("attribute `{}` is listed twice; remove one", attribute.name));
        }
        if let Some(other) = before.iter().find(|other| other.private_column == attribute.private_column) {
            return Err(format!(
                "attributes `{}` and `{}` have the same column of T, `{}`, but a column has only one role; remove one of them, or \
                 correct its `private_column`",
                other.name, attribute.name, attribute.private_column
            ));
        }
        let keyed = attribute.pseudonym.as_ref().and_then(PseudonymRule::keyed);
        let has_same_domain = |other: &&Attribute| {
            let other = other.pseudonym.as_ref().and_then(PseudonymRule::keyed);
            keyed.zip(other).is_some_and(|(one, other)| one.domain == other.domain)
        };
        if let Some(other) = before.iter().find(has_same_domain) {
            return Err(format!(
                "the pseudonyms of `{}` and `{}` have the same `domain`, so equal values of both would get the same pseudonym; \
                 give each its own",
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

/// Reads a bound of δ exactly: by its digits, because a float would round the number.
fn read_delta(name: &'static str, written: &Spanned<Literal>, file: &str) -> Result<Presence, String> {
    let read = literal::digits(written, file).parse();
    read.map_err(|error: TermError| format!("[delta]: {}", error.given_for(name)))
}

#[cfg(test)]
mod tests {
    use super::excludes;

    #[test]
    fn texts_of_counts_exclude_numbers() {
        for (text, included, excluded) in [
            ("<5", 4, 5),
            ("< 5", 0, 400),
            ("≤5", 5, 6),
            ("<= 5", 5, 6),
            (">9", 10, 9),
            ("≥ 10", 10, 9),
            ("1-4", 4, 5),
            ("1–4", 1, 0),
        ] {
            assert_eq!((excludes(text, included), excludes(text, excluded)), (false, true), "{text}");
        }
        assert!(!excludes("few", 400));
    }
}
