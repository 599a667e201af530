//! Columns that only T has and that a release has coarser (`publish` of an attribute).
//!
//! Only this module decides which text a release has for such a column. Exports, previews,
//! criteria, risk, utility and notes use it.

use std::collections::BTreeSet;

use crate::pipeline::read::published_columns::{Publisher, spec};
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::Level;
use palmtop_project::Attribute;
use palmtop_tables::hierarchies::{self, Domain, Values};
use palmtop_tables::refused::Held;

/// How a release publishes a column of T.
pub(in crate::pipeline) fn publisher<'a>(analysis: &'a Analysis, column: &str) -> Publisher<'a> {
    Publisher(analysis.published_columns.of(column))
}

/// The hierarchy over the published values of a sensitive attribute.
///
/// These are the values of T, or labels of the published level. The hierarchy has all labels of T,
/// so its height does not depend on the values.
pub(in crate::pipeline) fn value_domain(
    analysis: &Analysis,
    (attribute, column): (&Attribute, &str),
    values: &[String],
) -> Result<Option<Domain>, PipelineError> {
    let Some(spec) = spec(attribute, attribute.publish) else { return Ok(None) };
    let mut texts: BTreeSet<&String> = values.iter().collect();
    texts.extend(
        analysis.published_columns.of(column).into_iter().flat_map(|published| published.labels.values()),
    );
    let texts: Vec<String> = texts.into_iter().cloned().collect();
    let reading = &attribute.readings.private;
    let held = Held { table: analysis.private.path(), column, attribute: &attribute.name, reading, keys: "" };
    let values = Values { held, texts: &texts };
    Ok(Some(hierarchies::read(&spec, values, values)?))
}

/// The attributes that a release has coarser than T, each with the coarsest level of its hierarchy.
pub fn coarser(analysis: &Analysis) -> impl Iterator<Item = (&Attribute, Level)> {
    analysis.project.attributes.iter().filter_map(|attribute| {
        let column = analysis.published_columns.of(analysis.project.private_column(attribute))?;
        Some((attribute, column.top))
    })
}
