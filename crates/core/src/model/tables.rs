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
    /// The combinations whose counts stay in a cache for all columns.
    const LOT: usize = 1 << 12;
    let of_all: Vec<usize> = quasi.iter().map(|attribute| attribute.hierarchy.leaf_count()).collect();
    let none = || of_all.iter().map(|&leaves| vec![Counts::default(); leaves]).collect::<Vec<_>>();
    // A thread has more combinations to count than leaves to add.
    let share = histogram.len().div_ceil(rayon::current_num_threads()).max(of_all.iter().sum());
    let lots = histogram.counts().par_chunks(LOT).with_min_len(share.div_ceil(LOT)).enumerate();
    let of_lots = lots.try_fold(none, |mut leaves, (lot, counts)| {
        for (position, leaves) in leaves.iter_mut().enumerate() {
            for (&code, &people) in histogram.column(position)[lot * LOT..].iter().zip(counts) {
                let Some(leaf) = leaves.get_mut(code as usize) else {
                    let detail = format!("`{}` has no leaf with code {code}", quasi[position].name);
                    return Err(ModelError::histogram(&detail));
                };
                *leaf += people;
            }
        }
        Ok(leaves)
    });
    of_lots.try_reduce(none, |mut all, more| {
        let of_leaf = all.iter_mut().flatten().zip(more.into_iter().flatten());
        of_leaf.for_each(|(all, more)| *all += more);
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Code;
    use crate::model::node_classes::tests::scattered;

    #[test]
    fn leaves_are_counted_alike_on_any_threads() {
        let problem = scattered(4, 30_000);
        let (quasi, histogram) = (problem.quasi(), problem.histogram());
        let naive: Vec<Vec<Counts>> = (0..4)
            .map(|attribute| {
                let mut leaves = vec![Counts::default(); 100];
                for (index, &people) in histogram.counts().iter().enumerate() {
                    leaves[histogram.combination(index)[attribute] as usize] += people;
                }
                leaves
            })
            .collect();
        for threads in [1, 2, 7, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| leaf_counts(quasi, histogram)).unwrap(), naive, "{threads}");
        }
    }

    #[test]
    fn code_without_a_leaf_is_refused_anywhere() {
        let problem = scattered(3, 100);
        for bad in [1, 4095, 4097, 19_999] {
            let parts = |of: fn(Code) -> Code| (0..20_000).map(of).collect::<Vec<_>>();
            let mut columns = vec![parts(|row| row / 200), parts(|row| row / 2 % 100), parts(|row| row % 2)];
            columns[2][bad] = 100;
            let histogram = Histogram::new(columns, vec![Counts::new(1, 0); 20_000]).unwrap();
            let error = leaf_counts(problem.quasi(), &histogram).unwrap_err();
            assert!(error.to_string().contains("`q2` has no leaf with code 100"), "{error}");
        }
    }
}
