//! The published columns of a project that give a quasi-identifier away, and their cost to a
//! release.

use crate::pipeline::measures::linked;
use crate::pipeline::measures::linked::Compared;
use crate::pipeline::measures::scale::scale;
use crate::pipeline::read::published_columns::Publisher;
use crate::pipeline::rows::find;
use crate::pipeline::rows::members;
use crate::pipeline::rows::members::{MemberColumns, Persons};
use crate::pipeline::rows::published;
use crate::pipeline::{Analysis, PipelineError, ReadRelease};
use palmtop_core::model::{Presence, size};
use palmtop_core::progress::Meter;
use palmtop_measure::betrayal::{self, Betrayal, Column, Members, PublicRows, Quasi, Risk};
use palmtop_project::Attribute;
use palmtop_search::release::Release;
use palmtop_tables::error::DataError;
use palmtop_tables::names::plain_name;
use palmtop_tables::written::MISSING;

/// The most rows of T that are compared. Of a larger T, only a sample is compared.
const MOST_ROWS: u64 = 1_000_000;

/// The quasi-identifiers and columns of P that a project's published columns give away.
#[derive(Clone, Debug, Default)]
pub struct Betrayals {
    found: Vec<Betrayal>,
    members: Members,
    /// The people of P with the columns that are given away and are not quasi-identifiers.
    public: PublicRows,
    rows: u64,
}

/// The cost to a release if its columns give quasi-identifiers away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BetrayalRisk {
    /// The risk of each betrayal alone, in the order of [`Betrayals::list`].
    pub of: Vec<Risk>,
    /// The risk of all betrayals together.
    pub together: Risk,
}

/// An attribute that is published in addition to the quasi-identifiers.
pub(in crate::pipeline) struct PublishedSource<'a> {
    pub(in crate::pipeline) attribute: &'a Attribute,
    /// Its column of T.
    pub(in crate::pipeline) column: &'a str,
    /// How a release publishes its texts.
    pub(in crate::pipeline) publisher: Publisher<'a>,
}

impl Betrayals {
    /// The betrayals: at most one for each pair of a published column and a quasi-identifier. They
    /// are in the order of T's columns. The betrayals of columns of P that the project does not use
    /// follow.
    pub fn list(&self) -> &[Betrayal] {
        &self.found
    }

    /// The columns that give something away, without duplicates, in T's order.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = self.found.iter().map(|betrayal| betrayal.column.as_str()).collect();
        let mut known = std::collections::BTreeSet::new();
        columns.retain(|column| known.insert(*column));
        columns
    }

    /// The number of compared rows and of all rows; `None` if all rows were compared.
    pub fn sample(&self) -> Option<(u64, u64)> {
        let kept = self.members.combinations.len() as u64;
        (kept < self.rows).then_some((kept, self.rows))
    }

    fn risk(&self, analysis: &Analysis, class_of: &[Option<u32>], delta_max: Presence) -> BetrayalRisk {
        let histogram = analysis.problem.histogram();
        let of = |betrayals: &[&Betrayal]| {
            Risk::of(histogram, class_of, &self.members, &self.public, betrayals, delta_max)
        };
        let each: Vec<Risk> = self.found.iter().map(|betrayal| of(&[betrayal])).collect();
        let together = match each[..] {
            [] => Risk::default(),
            [only] => only,
            _ => of(&self.found.iter().collect::<Vec<_>>()),
        };
        BetrayalRisk { of: each, together }
    }
}

/// The published columns that give away a quasi-identifier, or a column of P that the project does
/// not use.
///
/// - T is read once if it has published columns, and not at all otherwise.
/// - P is read once if it has unused columns, and again if one of them may be given away.
/// - If people have several rows, one row of each person is compared.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read or differs from the loaded T.
/// [`PipelineError::Cancelled`] if the meter stops the reading.
pub fn of_project(analysis: &Analysis, meter: &mut Meter) -> Result<Betrayals, PipelineError> {
    let published = published_sources(analysis);
    if published.is_empty() {
        return Ok(Betrayals::default());
    }
    let entity = members::entity_column(analysis);
    let wanted = MemberColumns::new(analysis, published.iter().map(|source| source.column).chain(entity));
    let (mut persons, mut person_of_row) = (Persons::default(), Vec::new());
    let mut columns: Vec<Column> =
        published.iter().map(|source| Column::new(&source.attribute.name)).collect();
    let changed = |at| DataError::changed(analysis.private.file_of(at));
    let mut kept = Betrayals::default();
    find::visit_loaded(analysis, &analysis.private, &wanted.columns, meter, &mut |at, texts| {
        let Some((combination, people)) = wanted.combination(at, texts)? else { return Ok(()) };
        kept.rows += 1;
        if !betrayal::is_sampled(kept.rows, MOST_ROWS, analysis.private_rows) {
            return Ok(());
        }
        for ((column, source), text) in columns.iter_mut().zip(&published).zip(texts) {
            let published = source.publisher.text(text).ok_or_else(|| changed(at))?;
            column.push(value(source.attribute, published));
        }
        kept.members.combinations.push(size::number(combination));
        kept.members.people.push(people);
        person_of_row.extend(entity.map(|_| persons.number(texts[published.len()])));
        Ok(())
    })?;
    for column in &mut columns {
        column.scale = scale(&column.texts);
    }
    let quasi: Vec<Quasi> =
        (0..analysis.problem.quasi().len()).map(|nth| known_quasi(analysis, nth, &kept.members)).collect();
    let rows = match entity {
        None => (0..size::number(kept.members.combinations.len())).collect(),
        Some(_) => betrayal::one_row_each(&person_of_row),
    };
    kept.found = betrayal::find_among(&columns, &quasi, &rows);
    let compared = Compared { columns: &columns, members: &kept.members, rows: &rows };
    let (of_public, public) = linked::betrayals(analysis, &compared, meter)?;
    kept.found.extend(of_public);
    kept.public = public;
    Ok(kept)
}

/// The published columns that share their name with a column of P, except for case and separators.
/// Each attribute is paired with the name of P's column.
pub fn named_alike(analysis: &Analysis) -> Vec<(String, String)> {
    if analysis.project.member().is_some() {
        return Vec::new();
    }
    let alike = |source: &PublishedSource| {
        let mut columns = analysis.public.columns().iter();
        let column = columns.find(|column| plain_name(column) == plain_name(source.column))?;
        Some((source.attribute.name.clone(), column.clone()))
    };
    published_sources(analysis).iter().filter_map(alike).collect()
}

/// The cost of the betrayals to a release of this problem. `None` if people have several rows: the
/// betrayals are of rows, and the people who then fit all rows of a person are not counted.
pub fn risk(
    analysis: &Analysis,
    release: &Release,
    betrayals: &Betrayals,
    delta_max: Presence,
) -> Option<BetrayalRisk> {
    if analysis.problem.people().is_some() {
        return None;
    }
    let pool = release.classes.pool();
    let class_of = release.classes.class_of.iter().map(|&class| Some(class).filter(|_| pool != Some(class)));
    Some(betrayals.risk(analysis, &class_of.collect::<Vec<_>>(), delta_max))
}

/// The cost of the betrayals to a written release. If the release is faithful, its rows are those
/// of the present T, class by class. `None` if people have several rows, as for [`risk`].
pub fn risk_of_file(
    analysis: &Analysis,
    read: &ReadRelease,
    betrayals: &Betrayals,
    delta_max: Presence,
) -> Option<BetrayalRisk> {
    let is_of_rows = analysis.problem.people().is_none();
    is_of_rows.then(|| betrayals.risk(analysis, &read.class_of, delta_max))
}

/// The attributes that are published in addition to the quasi-identifiers.
pub(in crate::pipeline) fn published_sources(analysis: &Analysis) -> Vec<PublishedSource<'_>> {
    let published = analysis.project.attributes.iter().filter(|attribute| attribute.role.is_kept());
    let sources = published.map(|attribute| {
        let column = analysis.project.private_column(attribute);
        PublishedSource { attribute, column, publisher: published::publisher(analysis, column) }
    });
    sources.collect()
}

/// A quasi-identifier with the values of T's members.
fn known_quasi(analysis: &Analysis, position: usize, members: &Members) -> Quasi {
    let quasi = &analysis.problem.quasi()[position];
    let hierarchy = &quasi.hierarchy;
    let texts: Vec<String> =
        (0..).take(hierarchy.leaf_count()).map(|code| hierarchy.leaf(code).to_owned()).collect();
    let codes = analysis.problem.histogram().column(position);
    let cells = members.combinations.iter().map(|&combination| codes[combination as usize]).collect();
    let between = hierarchy.levels().filter(|&level| level > hierarchy.base() && level < hierarchy.top());
    let scale = scale(&texts);
    Quasi {
        name: quasi.name.clone(),
        column: Column::numbered(&quasi.name, texts, cells, scale),
        levels: between.map(|level| (level.0, hierarchy.labels_of(level).to_vec())).collect(),
        missing: hierarchy.missing(),
    }
}

/// A published text, or `None` if the text denotes a missing value.
pub(in crate::pipeline) fn value<'a>(attribute: &Attribute, text: &'a str) -> Option<&'a str> {
    let reading = &attribute.readings.private;
    let is_missing = |text: &str| {
        MISSING.contains(&text)
            || reading.missing_label.as_deref() == Some(text)
            || reading.missing.iter().any(|missing| missing == text)
    };
    (!is_missing(text.trim())).then_some(text)
}
