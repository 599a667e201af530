//! What a release is still good for: how far the distributions of its attributes are from those of T, what becomes of the association of
//! pairs, how well counts are answered from it, and which of its classes lose most. Definitions: `docs/measures.md`, *Utility*.
//!
//! Who reads a release knows of a published label only which values it denotes. So each is spread evenly over those of them that occur in P,
//! as in the literature on counting queries (Xiao and Tao 2006; LeFevre, DeWitt and Ramakrishnan 2008); sensitive values are published as
//! they are. Nothing here decides a verdict, so all of it is in floats, which are added up in one order whatever the number of threads.

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

/// What a release is good for, beside its T.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    /// The members of T.
    pub members: u64,
    /// The rows of the release; members who are withdrawn have none.
    pub rows: u64,
    /// Of each quasi-identifier, then of each sensitive attribute.
    pub attributes: Vec<AttributeUtility>,
    /// Of each pair of quasi-identifiers, and of a quasi-identifier with a sensitive attribute.
    pub pairs: Vec<PairUtility>,
    /// How many pairs there are beyond [`MOST_PAIRS`]; they are not counted.
    pub more_pairs: usize,
    /// How far the answers to counting queries are off.
    pub queries: QueryErrors,
    /// The classes that lose most, the worst first.
    pub worst: Vec<ClassLoss>,
}

impl Utility {
    /// Measures a release of the table that a workload is of, with so many of the classes that lose most and of the queries that are
    /// farthest off. The workload's part takes
    /// O(queries · classes), that of the pairs O(values · values) a pair.
    pub fn of(workload: &Workload, published: &PublishedTable, worst: usize) -> Self {
        let original = workload.original();
        let (pairs, more_pairs) = association::of(original, published);
        Self {
            members: original.members(),
            rows: published.rows(),
            attributes: distribution::of(original, published),
            pairs,
            more_pairs,
            queries: workload.errors(published, worst),
            worst: class_loss::worst(published, worst),
        }
    }

    /// The mean of the distances of the quasi-identifiers.
    pub fn distance(&self) -> f64 {
        distribution::mean(&self.attributes)
    }
}

/// The mean of the total variations of the quasi-identifiers of a release, without anything else being measured.
pub fn distance(original: &OriginalTable, published: &PublishedTable) -> f64 {
    distribution::mean(&distribution::of(original, published))
}

/// A count, to calculate with.
#[expect(clippy::cast_precision_loss, reason = "people of T are fewer than 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}

/// A number of things held in memory, to calculate with.
#[expect(clippy::cast_precision_loss, reason = "fewer than 2^53")]
fn size(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
