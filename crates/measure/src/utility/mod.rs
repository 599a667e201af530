//! The utility of a release. Definitions: `docs/measures.md`, *Utility*. It has four parts:
//!
//! - the distance between the distributions of each attribute in T and in the release,
//! - the association of pairs of attributes in both,
//! - the errors of counting queries,
//! - the classes that lose most.
//!
//! A reader of a release knows only which values a label denotes. So each label is spread evenly
//! over those of its values that occur in P. The literature on counting queries does the same (Xiao
//! and Tao 2006; LeFevre, DeWitt and Ramakrishnan 2008). Sensitive values are published unchanged.
//!
//! Every count is of rows: a release publishes rows, and a query counts rows. If each row is a person,
//! these are members. If people have several rows, only [`Utility::members`] counts people, and
//! [`Utility::counted`] names the unit of the other counts.
//!
//! No verdict depends on these figures, so all of them are floats. They are summed in a fixed
//! order, which does not depend on the number of threads.

mod floats;
mod attribute;
mod original;
mod published;
mod distribution;
mod association;
mod query;
mod workload;
mod class_loss;

pub use association::{Association, MOST_CELLS, MOST_PAIRS, PairUtility};
pub use attribute::MeasuredAttribute;
pub use class_loss::ClassLoss;
pub use distribution::{AttributeUtility, GroupShare};
pub use original::OriginalTable;
pub use published::{PublishedLabel, PublishedRow, PublishedTable};
pub use query::Query;
pub use workload::{
    CountErrors, QueryError, QueryErrors, RelativeErrors, ValueErrors, Workload, WorkloadError,
};

/// The utility of a release, compared with its T.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    /// The number of members of T, in people.
    pub members: u64,
    /// What every other count is of: `rows` if people have several, else `members`.
    pub counted: &'static str,
    /// The number of rows of T. If each row is a person, this is `members`.
    pub rows_of_t: u64,
    /// The number of rows of the release. Withdrawn members have no row.
    pub rows: u64,
    /// The utility of each quasi-identifier, then of each sensitive attribute.
    pub attributes: Vec<AttributeUtility>,
    /// The utility of each pair of quasi-identifiers, and of each quasi-identifier with a sensitive
    /// attribute.
    pub pairs: Vec<PairUtility>,
    /// The number of pairs beyond [`MOST_PAIRS`], which are not measured.
    pub more_pairs: usize,
    /// The errors of counting queries.
    pub queries: QueryErrors,
    /// The classes that lose most, the worst first.
    pub worst: Vec<ClassLoss>,
}

impl Utility {
    /// Measures a release of the workload's table.
    ///
    /// `worst` limits both the classes that lose most and the queries with the greatest errors. The
    /// workload takes O(queries · classes). Each pair of attributes takes O(values · values).
    pub fn of(workload: &Workload, published: &PublishedTable, worst: usize) -> Self {
        let original = workload.original();
        let (pairs, more_pairs) = association::of(original, published);
        Self {
            members: original.members(),
            counted: original.counted(),
            rows_of_t: original.rows(),
            rows: published.rows(),
            attributes: distribution::of(original, published),
            pairs,
            more_pairs,
            queries: workload.errors(published, worst),
            worst: class_loss::worst(published, worst),
        }
    }

    /// The mean of the distances of the quasi-identifiers, from 0 to 1.
    pub fn distance(&self) -> f64 {
        distribution::mean(&self.attributes)
    }
}

/// The mean of the total variations of a release's quasi-identifiers, without any other measure.
pub fn distance(original: &OriginalTable, published: &PublishedTable) -> f64 {
    distribution::mean(&distribution::of(original, published))
}

#[cfg(test)]
mod tests;
