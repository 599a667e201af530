//! Published columns in which nearly every member has a different value.

use std::collections::HashMap;

use crate::pipeline::rows::find;
use crate::pipeline::rows::members;
use crate::pipeline::rows::members::{FirstTexts, MemberColumns};
use crate::pipeline::rows::of_release;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::Level;
use palmtop_core::progress::Meter;
use palmtop_project::Attribute;
use palmtop_tables::telling;

/// A column that is published unchanged and has nearly as many values as members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueColumn {
    /// The column of T.
    pub column: String,
    /// The number of members with a value in it.
    pub values: u64,
    /// The number of these values that only one member has.
    pub alone: u64,
}

/// The columns that are published unchanged and in which nearly all members have a unique value.
///
/// They are in T's order. An empty text is not a value. T is read once more.
///
/// # Errors
/// A [`PipelineError`] if T cannot be read, if T differs from the loaded T, or if the meter stops
/// the reading.
pub fn columns(analysis: &Analysis, meter: &mut Meter) -> Result<Vec<UniqueColumn>, PipelineError> {
    let columns = analysis.private.columns().iter().map(String::as_str);
    let is_unchanged = |attribute: &Attribute| attribute.role.is_kept() && attribute.publish == Level(0);
    let is_kept = |column: &&str| of_release::attribute_of(analysis, column).is_some_and(is_unchanged);
    let kept: Vec<&str> = columns.filter(is_kept).collect();
    if kept.is_empty() {
        return Ok(Vec::new());
    }
    let entity = members::entity_column(analysis);
    let members = MemberColumns::new(analysis, kept.iter().copied().chain(entity));
    let mut first = FirstTexts::default();
    let mut counts: Vec<HashMap<String, u64>> = vec![HashMap::new(); kept.len()];
    find::visit_loaded(analysis, &analysis.private, &members.columns, meter, &mut |at, texts| {
        if let Some((_, people)) = members.combination(at, texts)? {
            let person = entity.map(|_| texts[counts.len()]);
            for (nth, (counts, text)) in counts.iter_mut().zip(texts).enumerate() {
                if text.is_empty() || !first.is_first(nth, person, text) {
                    continue;
                }
                match counts.get_mut(*text) {
                    Some(count) => *count += people,
                    None => drop(counts.insert((*text).to_owned(), people)),
                }
            }
        }
        Ok(())
    })?;
    let columns = kept.into_iter().zip(counts).map(|(column, counts)| UniqueColumn {
        column: column.to_owned(),
        values: counts.values().sum(),
        alone: counts.values().filter(|&&people| people == 1).count() as u64,
    });
    let is_unique = |column: &UniqueColumn| {
        column.values >= telling::ROWS && telling::is_nearly_all(column.alone, column.values)
    };
    Ok(columns.filter(is_unique).collect())
}
