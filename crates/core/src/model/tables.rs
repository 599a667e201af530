//! The tables of a problem, reduced to their combinations.

use std::sync::Arc;

use rayon::prelude::*;

use super::error::ModelError;
use super::hierarchy::Hierarchy;
use super::histogram::Histogram;
use super::people::People;
use super::presence::Counts;
use super::sensitive::SensitiveValues;

/// A quasi-identifier: its name and its hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuasiIdentifier {
    /// The attribute's name in the project.
    pub name: String,
    /// Its generalization hierarchy.
    pub hierarchy: Hierarchy,
}

/// The combinations of P and T under their hierarchies, and what is known of the people.
///
/// Cloning is cheap: all parts are shared.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) quasi: Arc<[QuasiIdentifier]>,
    pub(super) histogram: Arc<Histogram>,
    /// The rows of P and T with each leaf of each quasi-identifier.
    pub(super) leaf_counts: Arc<[Vec<Counts>]>,
    /// The counted units; `None` if each row is a person.
    pub(super) people: Option<People>,
    pub(super) sensitive: Option<Arc<SensitiveValues>>,
}

impl Tables {
    /// Tables in which each row is a person, without sensitive values.
    ///
    /// # Errors
    /// A [`ModelError`]: no quasi-identifier, an empty table, or a histogram that does not fit the
    /// hierarchies.
    pub(super) fn new(quasi: Arc<[QuasiIdentifier]>, histogram: Histogram) -> Result<Self, ModelError> {
        if quasi.is_empty() {
            return Err(ModelError::Invalid(
                "there is no quasi-identifier; at least one attribute needs role = \"quasi\"".to_owned(),
            ));
        }
        check_total(histogram.total())?;
        if histogram.width() != quasi.len() {
            let detail = format!("{} columns for {} quasi-identifiers", histogram.width(), quasi.len());
            return Err(ModelError::histogram(&detail));
        }
        let leaf_counts = leaf_counts(&quasi, &histogram)?.into();
        let histogram = Arc::new(histogram);
        Ok(Self { quasi, histogram, leaf_counts, people: None, sensitive: None })
    }

    /// The same tables counted in people, without sensitive values, because they refer to units.
    ///
    /// # Errors
    /// A [`ModelError`] if P or T has no people, or if they do not have exactly the rows of the
    /// tables.
    pub(super) fn with_people(&self, people: People) -> Result<Self, ModelError> {
        if people.by_combination(self.histogram.len()).as_deref() != Some(self.histogram.counts()) {
            return Err(ModelError::histogram("the people have other rows than the tables"));
        }
        check_total(people.total())?;
        Ok(Self { people: Some(people), sensitive: None, ..self.clone() })
    }
}

fn check_total(total: Counts) -> Result<(), ModelError> {
    match total {
        Counts { public: 0, .. } => Err(ModelError::empty("public")),
        Counts { private: 0, .. } => Err(ModelError::empty("private")),
        Counts { .. } => Ok(()),
    }
}

/// The people of each leaf of each quasi-identifier. Fails if a combination has a code without a
/// leaf.
fn leaf_counts(quasi: &[QuasiIdentifier], histogram: &Histogram) -> Result<Vec<Vec<Counts>>, ModelError> {
    let of_attribute = |(position, attribute): (usize, &QuasiIdentifier)| {
        let mut leaves = vec![Counts::default(); attribute.hierarchy.leaf_count()];
        for (&code, &people) in histogram.column(position).iter().zip(histogram.counts()) {
            let Some(leaf) = leaves.get_mut(code as usize) else {
                let detail = format!("`{}` has no leaf with code {code}", attribute.name);
                return Err(ModelError::histogram(&detail));
            };
            *leaf += people;
        }
        Ok(leaves)
    };
    quasi.par_iter().enumerate().map(of_attribute).collect()
}
