//! Units of counting: a person who has one row, or a person who has several.
//!
//! Presence is about persons. If each person has one row, the unit that is counted is a combination of the [`Histogram`]: all of its
//! people are alike. If a person may have several rows, the combination of a person is the multiset of the combinations of the rows. The
//! unit is then a distinct multiset, and [`People`] holds the units with their counts.
//!
//! Everything that is defined of combinations is also defined of multisets:
//!
//! - **Problem.** A [`Problem`] always has the histogram of the rows: hierarchies, lattice, losses and what is written depend on rows.
//!   [`Problem::with_people`] adds the people. [`Problem::unit_counts`] and [`Problem::total`] are of units, and so are the policy, the
//!   sensitive values and feasibility.
//! - **Roll-up.** [`Rollup::number`] numbers the classes of rows at a node. If the problem has people, it replaces each row of a person
//!   by the number of its class, sorts them, and numbers the distinct results. The multiset is one more key of a class.
//! - **Classes.** [`Classes`] are classes of units. A class of people has for each quasi-identifier the labels of all rows of a person
//!   ([`Label::Rows`]), in an order that is the same for all quasi-identifiers. [`Classes::of_rows`] are the classes of rows at the same
//!   node, which are written and which losses are counted of.
//!
//! At a coarser node, classes of people are unions of classes at a finer node. So what holds for a node holds for every node that
//! generalizes it (paper, theorem 1), and searches over nodes serve both units. A node at `*` everywhere still tells people apart by
//! their number of rows. Regions have no such property: what a cut does to a class of people depends on all of their rows. Searches for
//! regions therefore take rows only.
//!
//! [`Classes`]: super::class::Classes
//! [`Classes::of_rows`]: super::class::Classes::of_rows
//! [`Histogram`]: super::histogram::Histogram
//! [`Label::Rows`]: super::label::Label::Rows
//! [`Problem`]: super::problem::Problem
//! [`Problem::total`]: super::problem::Problem::total
//! [`Problem::unit_counts`]: super::problem::Problem::unit_counts
//! [`Problem::with_people`]: super::problem::Problem::with_people
//! [`Rollup::number`]: super::rollup::Rollup::number

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::ModelError;
use super::presence::Counts;

/// How many people of P, and of T, have each distinct multiset of combinations. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People(Arc<Multisets>);

#[derive(Debug, PartialEq, Eq)]
struct Multisets {
    /// Each multiset as its combinations in ascending order; the list itself ascends.
    multisets: Vec<Box<[u32]>>,
    counts: Vec<Counts>,
}

/// Counts people one after the other.
#[derive(Clone, Debug, Default)]
pub struct PeopleCounter(BTreeMap<Box<[u32]>, Counts>);

impl PeopleCounter {
    /// Counts a person: the combinations of the person's rows, in any order, and whether the person is in T.
    pub fn add(&mut self, mut rows: Vec<u32>, is_member: bool) {
        rows.sort_unstable();
        *self.0.entry(rows.into()).or_default() += Counts::new(1, u64::from(is_member));
    }

    /// The people that were counted.
    pub fn finish(self) -> People {
        let (multisets, counts) = self.0.into_iter().unzip();
        People(Arc::new(Multisets { multisets, counts }))
    }
}

impl People {
    /// Counts people: the combinations of each person's rows, in any order, and whether the person is in T.
    pub fn of(people: impl IntoIterator<Item = (Vec<u32>, bool)>) -> Self {
        let mut counter = PeopleCounter::default();
        people.into_iter().for_each(|(rows, is_member)| counter.add(rows, is_member));
        counter.finish()
    }

    /// The number of distinct multisets.
    pub fn len(&self) -> usize {
        self.0.counts.len()
    }

    /// Whether P has no people.
    pub fn is_empty(&self) -> bool {
        self.0.counts.is_empty()
    }

    /// The people of each multiset.
    pub fn counts(&self) -> &[Counts] {
        &self.0.counts
    }

    /// |P| and |T|, in people.
    pub fn total(&self) -> Counts {
        self.counts().iter().fold(Counts::default(), |total, &counts| total + counts)
    }

    /// The combinations of each multiset, ascending, in the order of [`counts`](Self::counts).
    pub fn multisets(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.0.multisets.iter().map(AsRef::as_ref)
    }

    /// The combinations of one multiset, ascending.
    ///
    /// # Panics
    /// If there is no such multiset.
    pub fn multiset(&self, index: usize) -> &[u32] {
        &self.0.multisets[index]
    }

    /// The index of a multiset whose combinations ascend.
    pub fn find(&self, multiset: &[u32]) -> Option<usize> {
        self.0.multisets.binary_search_by(|known| known.as_ref().cmp(multiset)).ok()
    }

    /// The rows of all distinct multisets together.
    pub fn rows(&self) -> usize {
        self.multisets().map(<[u32]>::len).sum()
    }

    /// The same multisets with other counts.
    ///
    /// # Errors
    /// A [`ModelError`] if a multiset has more private than public people.
    pub(super) fn with_counts(&self, counts: Vec<Counts>) -> Result<Self, ModelError> {
        if let Some(wrong) = counts.iter().find(|counts| counts.private > counts.public) {
            let Counts { public, private } = wrong;
            let detail = format!("a multiset of rows has {private} private of {public} public people");
            return Err(ModelError::histogram(&detail));
        }
        Ok(Self(Arc::new(Multisets { multisets: self.0.multisets.clone(), counts })))
    }

    /// The multisets that a member has, with their counts.
    pub(super) fn members_alone(&self) -> Self {
        let all = self.0.multisets.iter().zip(self.counts()).filter(|(_, counts)| counts.private > 0);
        let (multisets, counts) = all.map(|(multiset, &counts)| (multiset.clone(), counts)).unzip();
        Self(Arc::new(Multisets { multisets, counts }))
    }

    /// The rows of each combination, of P and of T; `None` if a multiset has a combination beyond this number.
    pub(super) fn by_combination(&self, combinations: usize) -> Option<Vec<Counts>> {
        let mut rows = vec![Counts::default(); combinations];
        for (multiset, &people) in self.multisets().zip(self.counts()) {
            for &combination in multiset {
                *rows.get_mut(combination as usize)? += people;
            }
        }
        Some(rows)
    }
}

#[cfg(test)]
mod tests;
