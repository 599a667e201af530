//! The attributes of a release: their treatment and their published labels.

use super::names::from_project;
use super::sections::{AttributeSection, GeneralizationSection, PublishedLabels};
use crate::pipeline::{Analysis, ReadRelease};
use palmtop_core::model::{Level, Problem, Role};
use palmtop_project::Attribute;

/// The treatment of a quasi-identifier whose values this release has as they are.
pub(super) const AS_IN_TABLES: &str = "published as in the tables, not generalized";
/// The treatment of a column that only T has, if this release has its values as they are.
pub(super) const UNCHANGED: &str = "published unchanged";
/// The beginning of the treatment of an identifier that is published.
pub(super) const PSEUDONYMS: &str = "replaced by pseudonyms";

/// The sections of all attributes, in project order.
pub(super) fn attributes(
    analysis: &Analysis,
    problem: &Problem,
    read: Option<&ReadRelease>,
) -> Vec<AttributeSection> {
    let project = analysis.project();
    let mut next_quasi = 0;
    let section = |attribute: &Attribute| {
        let generalization = (attribute.role == Role::Quasi).then(|| {
            next_quasi += 1;
            generalization(analysis, problem, (attribute, next_quasi - 1), read)
        });
        let treatment = match (attribute.role, &attribute.pseudonym) {
            (Role::Identifier, None) | (Role::Withheld, _) => "left out".to_owned(),
            (Role::Identifier, Some(rule)) => format!("{PSEUDONYMS} ({})", rule.as_str()),
            (Role::Quasi, _) if generalization.as_ref().is_some_and(is_as_loaded) => AS_IN_TABLES.to_owned(),
            (Role::Quasi, _) => "generalized".to_owned(),
            (Role::Sensitive | Role::Insensitive, _) => published_as(attribute),
        };
        AttributeSection {
            attribute: attribute.name.clone(),
            role: attribute.role.as_str().to_owned(),
            private_column: project.private_column(attribute).to_owned(),
            public_column: (attribute.role == Role::Quasi).then(|| attribute.public_column.clone()),
            treatment,
            generalization,
        }
    };
    project.attributes.iter().map(section).collect()
}

/// The treatment of an attribute that only T has.
fn published_as(attribute: &Attribute) -> String {
    let file = attribute.value_tree.as_ref().and_then(|path| path.file_name());
    match file.filter(|_| attribute.publish > Level(0)) {
        None => UNCHANGED.to_owned(),
        Some(file) => format!("published at level {} of {}", attribute.publish, file.to_string_lossy()),
    }
}

fn generalization(
    analysis: &Analysis,
    problem: &Problem,
    (attribute, index): (&Attribute, usize),
    read: Option<&ReadRelease>,
) -> GeneralizationSection {
    let hierarchy = problem.hierarchy(index);
    let permitted = attribute.levels;
    let path = attribute.hierarchy.as_ref().map(|file| from_project(analysis, &file.path));
    GeneralizationSection {
        hierarchy: path.unwrap_or_default(),
        kind: hierarchy.kind().as_str().to_owned(),
        levels: [hierarchy.base().0, hierarchy.top().0],
        permitted: (permitted != palmtop_core::model::Levels::default()).then(|| permitted.to_string()),
        labels_only: problem.publishes_labels(index),
        terms: attribute.terms.map(std::num::NonZeroU32::get),
        borders: attribute.borders.map(|level| level.0),
        weight: problem.weights().at(index),
        published: read.map(|read| published(problem, index, read)),
    }
}

/// Whether only ungeneralized values were published.
fn is_as_loaded(section: &GeneralizationSection) -> bool {
    let [base, _] = section.levels;
    // If P has a coarser level than 0, T's values were raised to it.
    base == 0
        && section
            .published
            .as_ref()
            .is_some_and(|levels| levels.iter().all(|published| published.level == Some(base)))
}

/// The published labels by level, each label at the finest level that has it, followed by ranges and sets.
fn published(problem: &Problem, index: usize, read: &ReadRelease) -> Vec<PublishedLabels> {
    let hierarchy = problem.hierarchy(index);
    let mut rows: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
    for class in &read.classes {
        *rows.entry(class.texts[index].as_str()).or_default() += class.rows;
    }
    let mut levels = Vec::new();
    for level in hierarchy.levels() {
        let mut section = PublishedLabels { level: Some(level.0), labels: 0, rows: 0 };
        for label in hierarchy.labels(level).iter() {
            if let Some(count) = rows.remove(label) {
                section.labels += 1;
                section.rows += count;
            }
        }
        levels.push(section);
    }
    let others = PublishedLabels { level: None, labels: rows.len() as u64, rows: rows.values().sum() };
    levels.into_iter().chain([others]).filter(|section| section.labels > 0).collect()
}
