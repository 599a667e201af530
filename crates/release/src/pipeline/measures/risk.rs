//! The classes of a release with the sensitive values of their members, as input for risk measures.

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;

use rust_decimal::Decimal;

use crate::pipeline::read::published_columns::Publisher;
use crate::pipeline::rows::find;
use crate::pipeline::rows::members;
use crate::pipeline::rows::members::{MemberColumns, Persons};
use crate::pipeline::rows::published;
use crate::pipeline::{Analysis, CautionBasis, PipelineError, ReadRelease};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{
    Counts, People, Problem, Role, SensitiveColumn, SensitiveValues, ValueCounts, ValueTree, size,
};
use palmtop_core::progress::{Meter, unwatched};
use palmtop_measure::risk::{RiskClass, RiskClasses};
use palmtop_project::Attribute;
use palmtop_search::release::Release;
use palmtop_tables::hierarchies::Domain;
use palmtop_tables::position::At;

/// The values of the members of each class. Classes without members are omitted.
type ByClass = BTreeMap<u32, ValueCounts>;

/// The classes with members of a release of this problem. T is read again for their sensitive
/// values.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read or differs from the loaded T.
pub fn classes(analysis: &Analysis, release: &Release) -> Result<RiskClasses, PipelineError> {
    Ok(classes_with(analysis, &sensitive_values(analysis, &mut unwatched)?, release))
}

/// `classes` from the [sensitive values](sensitive_values) of T's members. With it, several
/// releases need only one pass over T.
pub fn classes_with(analysis: &Analysis, values: &SensitiveValues, release: &Release) -> RiskClasses {
    let classes = &release.classes;
    let by_class = values.by_class(|_, unit| classes.class_of[unit as usize]);
    let with_rows = by_class.into_iter().filter(|(class, _)| classes.pool() != Some(*class));
    let released = with_rows.map(|(class, values)| RiskClass {
        labels: classes.class(class).texts(&analysis.problem),
        counts: classes.counts(class),
        values: values.counts().to_vec(),
    });
    let (all, sensitive) = (classes.len() as u64, values.columns().to_vec());
    RiskClasses { all, released: released.collect(), sensitive }
}

/// The classes with members of a release, without sensitive values.
pub fn classes_without_values(problem: &Problem, release: &Release) -> RiskClasses {
    let classes = &release.classes;
    let with_rows = |class: &u32| classes.counts(*class).private > 0 && classes.pool() != Some(*class);
    let released = (0..size::number(classes.len())).filter(with_rows).map(|class| RiskClass {
        labels: classes.class(class).texts(problem),
        counts: classes.counts(class),
        values: Vec::new(),
    });
    RiskClasses { all: classes.len() as u64, released: released.collect(), sensitive: Vec::new() }
}

/// The problem with the sensitive values of every member of T, which its criteria need. T is read
/// again.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read, if T differs from the loaded T, or if the meter stops
/// the reading.
pub(in crate::pipeline) fn with_sensitive(
    analysis: &Analysis,
    meter: &mut Meter,
) -> Result<Problem, PipelineError> {
    let values = sensitive_values(analysis, meter)?;
    let fits = analysis.problem.policy().criteria().fit(&values);
    fits.map_err(|error| {
        LocatedError::new(format!("[policy]: {error}")).in_named("project", &analysis.project.path)
    })?;
    Ok(analysis.problem.with_sensitive(values))
}

/// The sensitive values of every member of T, by the units of the problem. T is read again.
///
/// # Errors
/// - A [`PipelineError`] if T cannot be read, or if T differs from the loaded T.
/// - `PipelineError::Cancelled` if the meter stops the reading.
/// - [`PipelineError::SeveralValues`] if a person has two values of an attribute: each person counts
///   with one value.
pub fn sensitive_values(analysis: &Analysis, meter: &mut Meter) -> Result<SensitiveValues, PipelineError> {
    let columns = match (members::entity_column(analysis), analysis.problem.people()) {
        (Some(entity), Some(people)) => values_of_people(analysis, (entity, people), meter)?,
        _ => return sensitive_values_of_rows(analysis, meter),
    };
    by_unit(analysis, columns, analysis.problem.unit_counts())
}

/// The sensitive values of every row of T, by combination. A person with several rows counts once
/// for each row. T is read again.
///
/// # Errors
/// As [`sensitive_values`], but a person may have several values.
pub(in crate::pipeline) fn sensitive_values_of_rows(
    analysis: &Analysis,
    meter: &mut Meter,
) -> Result<SensitiveValues, PipelineError> {
    let columns = values_by_class(analysis, meter, size::number)?;
    by_unit(analysis, columns, analysis.problem.histogram().counts())
}

/// The values of each column, of every unit that has members.
fn by_unit(
    analysis: &Analysis,
    columns: Vec<(SensitiveColumn, ByClass)>,
    counts: &[Counts],
) -> Result<SensitiveValues, PipelineError> {
    let (columns, mut values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let with_members = (0..).zip(counts).filter(|(_, counts)| counts.private > 0);
    let mut of = Vec::new();
    for (combination, _) in with_members {
        let counts = values_of(&mut values, combination).ok_or_else(|| private_changed(analysis))?;
        of.push((combination, counts));
    }
    Ok(SensitiveValues::new(columns, of))
}

/// [`sensitive_values`]; `None` if a person has several values of an attribute. No sensitive attribute is
/// then measured, because a count of rows is no count of people.
///
/// # Errors
/// As [`sensitive_values`], except for a person with two values.
pub fn sensitive_values_if_single(
    analysis: &Analysis,
    meter: &mut Meter,
) -> Result<Option<SensitiveValues>, PipelineError> {
    match sensitive_values(analysis, meter) {
        Err(PipelineError::SeveralValues(_)) => Ok(None),
        values => values.map(Some),
    }
}

fn private_changed(analysis: &Analysis) -> PipelineError {
    PipelineError::changed(analysis.private.path())
}

/// Each sensitive attribute with the values of the members of each class, as a release publishes
/// them. If the release has the attribute coarser, the values are labels. `class_of` maps a
/// combination to its class.
fn values_by_class(
    analysis: &Analysis,
    meter: &mut Meter,
    class_of: impl Fn(usize) -> u32,
) -> Result<Vec<(SensitiveColumn, ByClass)>, PipelineError> {
    let sensitive: Vec<&str> = sensitive_columns(analysis).map(|(_, column)| column).collect();
    let members = MemberColumns::new(analysis, sensitive.iter().copied());
    let mut columns: Vec<Interned> = sensitive.iter().map(|_| Interned::default()).collect();
    let publishers: Vec<Publisher> =
        sensitive.iter().map(|column| published::publisher(analysis, column)).collect();
    find::visit_loaded(analysis, &analysis.private, &members.columns, meter, &mut |at, texts| {
        if let Some((combination, people)) = members.combination(at, texts)? {
            let class = class_of(combination);
            for ((column, publisher), text) in columns.iter_mut().zip(&publishers).zip(texts) {
                column.add(class, publisher.text(text).ok_or_else(|| private_changed(analysis))?, people);
            }
        }
        Ok(())
    })?;
    let named = sensitive_columns(analysis).zip(columns);
    named.map(|(attribute, column)| finish(analysis, attribute, column)).collect()
}

/// Each sensitive attribute with the values of the members of each multiset of rows. Each person
/// counts with one value.
fn values_of_people(
    analysis: &Analysis,
    (entity, people): (&str, &People),
    meter: &mut Meter,
) -> Result<Vec<(SensitiveColumn, ByClass)>, PipelineError> {
    let sensitive: Vec<&str> = sensitive_columns(analysis).map(|(_, column)| column).collect();
    let members = MemberColumns::new(analysis, sensitive.iter().copied().chain([entity]));
    let publishers: Vec<Publisher> =
        sensitive.iter().map(|column| published::publisher(analysis, column)).collect();
    let mut persons = Persons::default();
    // The combinations of each person, and the values of each person.
    let (mut rows, mut values): (Vec<Vec<u32>>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    find::visit_loaded(analysis, &analysis.private, &members.columns, meter, &mut |at, texts| {
        let Some((combination, _)) = members.combination(at, texts)? else { return Ok(()) };
        let published = publishers.iter().zip(texts).map(|(publisher, text)| publisher.text(text));
        let published: Vec<&str> =
            published.collect::<Option<_>>().ok_or_else(|| private_changed(analysis))?;
        let number = persons.number(texts[sensitive.len()]) as usize;
        if number == rows.len() {
            rows.push(Vec::new());
            values.push(published.iter().map(|&text| text.to_owned()).collect());
        }
        rows[number].push(size::number(combination));
        let mut pairs = published.iter().zip(&values[number]);
        if let Some(nth) = pairs.position(|(text, known)| text != known) {
            return Err(two_values(analysis, at, sensitive[nth]));
        }
        Ok(())
    })?;
    let mut columns: Vec<Interned> = sensitive.iter().map(|_| Interned::default()).collect();
    for (mut rows, values) in rows.into_iter().zip(&values) {
        rows.sort_unstable();
        let unit = size::number(people.find(&rows).ok_or_else(|| private_changed(analysis))?);
        for (column, text) in columns.iter_mut().zip(values) {
            column.add(unit, text, 1);
        }
    }
    let named = sensitive_columns(analysis).zip(columns);
    named.map(|(column, interned)| finish(analysis, column, interned)).collect()
}

/// The error for a person with two values of a sensitive attribute.
fn two_values(analysis: &Analysis, at: At, column: &str) -> PipelineError {
    let (counting, remedy) = if analysis.problem.policy().criteria().need_values() {
        (
            "`l` and `t` under [policy] count one of each person",
            "leave them out, or give each person one value",
        )
    } else {
        ("risks of sensitive values count one of each person", "give each person one value")
    };
    let problem = format!("an earlier row of this person has another value, but {counting}");
    PipelineError::SeveralValues(analysis.private.refused(at, column, problem).remedy(remedy))
}

/// The classes of a written release, with the members and the values of its rows. All combinations
/// of P that match no row are one more class.
///
/// # Errors
/// A [`PipelineError`] in these cases:
///
/// - The hierarchy of a sensitive attribute cannot be read, or lacks a value.
/// - The release was read without the column of a sensitive attribute.
pub fn classes_of_file<'a>(
    basis: impl Into<CautionBasis<'a>>,
    read: &ReadRelease,
) -> Result<RiskClasses, PipelineError> {
    let analysis = basis.into().analysis();
    let mut columns: Vec<(SensitiveColumn, ByClass)> = Vec::new();
    for attribute in sensitive_columns(analysis) {
        let position = read.position(attribute.1)?;
        let several = || {
            let problem =
                "a person has several values, but risks of sensitive values count one of each person";
            let error = LocatedError::new(problem).in_file(&read.path).at_column(attribute.1);
            PipelineError::SeveralValues(error.remedy("give each person one value"))
        };
        let interned = interned_of_file(read, position).ok_or_else(several)?;
        columns.push(finish(analysis, attribute, interned)?);
    }
    with_values(read, columns)
}

/// [`classes_of_file`]; without sensitive values if a person has several values of an attribute.
///
/// # Errors
/// As [`classes_of_file`], except for a person with several values.
pub fn classes_of_file_if_single<'a>(
    basis: impl Into<CautionBasis<'a>>,
    read: &ReadRelease,
) -> Result<RiskClasses, PipelineError> {
    match classes_of_file(basis, read) {
        Err(PipelineError::SeveralValues(_)) => with_values(read, Vec::new()),
        classes => classes,
    }
}

/// The classes of a written release, with the values of these columns.
fn with_values(
    read: &ReadRelease,
    columns: Vec<(SensitiveColumn, ByClass)>,
) -> Result<RiskClasses, PipelineError> {
    let (sensitive, mut values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let counts = read.counts();
    let all = counts.len() as u64 + u64::from(read.has_unmatched());
    let mut released = Vec::new();
    for (class, counts) in counts.into_iter().enumerate() {
        let changed = || PipelineError::changed(&read.path);
        let values = values_of(&mut values, size::number(class)).ok_or_else(changed)?;
        released.push(RiskClass { labels: read.labels(class), counts, values });
    }
    Ok(RiskClasses { all, released, sensitive })
}

/// The values of a column by class of a written release; each person counts with one value. `None`
/// if a person has several values.
fn interned_of_file(read: &ReadRelease, position: usize) -> Option<Interned> {
    let mut interned = Interned::default();
    let Some(people) = &read.people else {
        for (class, row) in (0..).zip(&read.classes) {
            row.kept.iter().for_each(|(texts, rows)| interned.add(class, &texts[position], *rows));
        }
        return Some(interned);
    };
    for (number, class) in (0..).zip(&people.classes) {
        for rows in &class.members {
            let mut texts = rows.iter().map(|texts| texts[position].as_str());
            let first = texts.next()?;
            if texts.any(|text| text != first) {
                return None;
            }
            interned.add(number, first, 1);
        }
    }
    Some(interned)
}

/// The sensitive attributes, each with its column of T.
pub(in crate::pipeline) fn sensitive_columns(
    analysis: &Analysis,
) -> impl Iterator<Item = (&Attribute, &str)> {
    let sensitive = analysis.project.attributes.iter().filter(|attribute| attribute.role == Role::Sensitive);
    sensitive.map(|attribute| (attribute, analysis.project.private_column(attribute)))
}

/// A column with its sorted published values, and with their hierarchy if the attribute has one.
pub(in crate::pipeline) fn finish(
    analysis: &Analysis,
    attribute: (&Attribute, &str),
    values: Interned,
) -> Result<(SensitiveColumn, ByClass), PipelineError> {
    let (mut finished, by_class) = values.finish(&attribute.0.name);
    finished.tree = published::value_domain(analysis, attribute, &finished.values)?
        .map(|domain| tree(&domain, &finished));
    Ok((finished, by_class))
}

/// The labels of the values at each level below the top of their hierarchy.
fn tree(domain: &Domain, column: &SensitiveColumn) -> ValueTree {
    let codes: Vec<usize> =
        column.values.iter().filter_map(|value| domain.code(value)).map(|code| code as usize).collect();
    let labels = |level| {
        let labels = domain.hierarchy.labels_of(level);
        codes.iter().map(|&code| labels[code]).collect()
    };
    let below = domain.hierarchy.levels().filter(|&level| level < domain.hierarchy.top());
    ValueTree::new(below.map(labels).collect(), &column.all)
}

/// The values of a class's members, by column. `None` if a column has no value for the class: then
/// the file changed, because every member has a value.
pub(in crate::pipeline) fn values_of(columns: &mut [ByClass], class: u32) -> Option<Vec<ValueCounts>> {
    columns.iter_mut().map(|column| column.remove(&class)).collect()
}

/// The values of a column, numbered in the order of their first occurrence, and their members.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Interned {
    numbers: HashMap<String, u32>,
    /// The number of members by class and by the number of the value.
    members: BTreeMap<(u32, u32), u64>,
}

impl Interned {
    pub(in crate::pipeline) fn add(&mut self, class: u32, text: &str, people: u64) {
        let next = size::number(self.numbers.len());
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => *self.numbers.entry(text.to_owned()).or_insert(next),
        };
        *self.members.entry((class, number)).or_default() += people;
    }

    /// The column with its values sorted, and the values of each class. Values are sorted as
    /// numbers if all of them are numbers.
    fn finish(self, name: &str) -> (SensitiveColumn, BTreeMap<u32, ValueCounts>) {
        let mut values: Vec<(Option<Decimal>, String, u32)> = self
            .numbers
            .into_iter()
            .map(|(text, number)| (Decimal::from_str(&text).ok(), text, number))
            .collect();
        let is_ordered = values.iter().all(|(number, ..)| number.is_some());
        values.sort_by(|left, right| {
            let by_value = if is_ordered { left.0.cmp(&right.0) } else { std::cmp::Ordering::Equal };
            by_value.then_with(|| left.1.cmp(&right.1))
        });
        let mut ranks = vec![0; values.len()];
        for (rank, (.., number)) in (0..).zip(&values) {
            ranks[*number as usize] = rank;
        }
        let mut by_class: BTreeMap<u32, Vec<(u32, u64)>> = BTreeMap::new();
        for ((class, number), people) in self.members {
            by_class.entry(class).or_default().push((ranks[number as usize], people));
        }
        let by_class: BTreeMap<u32, ValueCounts> =
            by_class.into_iter().map(|(class, values)| (class, ValueCounts::of(values))).collect();
        let all = ValueCounts::of(by_class.values().flat_map(ValueCounts::iter));
        let values = values.into_iter().map(|(_, text, _)| text).collect();
        (SensitiveColumn { name: name.to_owned(), values, is_ordered, tree: None, all }, by_class)
    }
}
