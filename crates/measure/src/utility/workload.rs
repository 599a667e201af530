//! A workload of counting queries over T. T answers them once, and each measured release answers
//! them.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::floats::{float, size};
use super::original::OriginalTable;
use super::published::PublishedTable;
use super::query::{Query, QueryAnswer};
use palmtop_core::model::size::number;

/// Queries over T with their exact answers.
///
/// The queries depend only on T and the seed. They are the same on every machine and for every
/// release.
#[derive(Clone, Debug)]
pub struct Workload {
    seed: u64,
    original: OriginalTable,
    queries: Vec<Query>,
    answers: Vec<QueryAnswer>,
    floor: f64,
}

/// The reason why no workload can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// The number of queries is 0 or too large.
    #[error("a workload has 1 to {} queries, not {queries}; 1000 is usual", Workload::MOST_QUERIES)]
    Size {
        /// The requested number of queries.
        queries: u64,
    },
}

/// The errors of a release's answers, compared with T's answers.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryErrors {
    /// The seed from which the queries were drawn.
    pub seed: u64,
    /// The number of queries.
    pub queries: u64,
    /// The share of people that a query counts if the attributes are independent and uniform.
    pub selectivity: f64,
    /// The mean share of T that a query counts.
    pub counted: f64,
    /// The least denominator of a relative error, in rows of T.
    pub floor: f64,
    /// The errors of all queries.
    pub all: RelativeErrors,
    /// The errors by ranges of the true count, from few rows to many. Ranges without queries are
    /// omitted.
    pub by_count: Vec<CountErrors>,
    /// The errors of the same queries if each asks for a single sensitive value instead of a set.
    /// Attributes with more than [`Workload::MOST_VALUES`] values are omitted.
    pub by_value: Vec<ValueErrors>,
    /// The queries with the greatest errors, the greatest first.
    pub worst: Vec<QueryError>,
}

/// A query with its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryError {
    /// The query in words.
    pub query: String,
    /// The answer of T.
    pub truth: f64,
    /// The answer of the release.
    pub estimate: f64,
    /// The relative error of the release's answer.
    pub error: f64,
}

/// Relative errors: |estimate − truth| / max(truth, floor).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RelativeErrors {
    /// The median. For an even number of errors, it is the mean of the two middle ones.
    pub median: f64,
    /// The ninetieth percentile: nine of ten errors are at most this.
    pub ninetieth: f64,
    /// The arithmetic mean.
    pub mean: f64,
}

/// The errors of the queries whose true count is in one range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountErrors {
    /// The least true count, in rows of T.
    pub from: u64,
    /// The greatest true count; `None` if there is no limit.
    pub to: Option<u64>,
    /// The number of queries with such a count.
    pub queries: u64,
    /// The relative errors of these queries.
    pub errors: RelativeErrors,
}

impl CountErrors {
    /// The ranges of true counts. The relative error of a small count is weak evidence about the
    /// release.
    const RANGES: [(u64, Option<u64>); 3] = [(0, Some(9)), (10, Some(99)), (100, None)];

    /// The range in words: `0 to 9`, `100 and more`.
    pub fn range(&self) -> String {
        self.to.map_or_else(|| format!("{} and more", self.from), |to| format!("{} to {to}", self.from))
    }
}

/// The errors of queries for one sensitive value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueErrors {
    /// The name of the sensitive attribute.
    pub attribute: String,
    /// The sensitive value.
    pub value: String,
    /// The number of rows of T with the value.
    pub rows: u64,
    /// The number of queries that ask for the attribute.
    pub queries: u64,
    /// The errors of these queries.
    pub errors: RelativeErrors,
}

impl Workload {
    /// The name of the median error in commands and reports.
    pub const QUERY_ERROR: &str = "query_error";
    /// The default number of queries, which is usual in the literature.
    pub const QUERIES: u64 = 1_000;
    /// The greatest number of queries.
    pub const MOST_QUERIES: u64 = 10_000;
    /// Errors are not listed by value for sensitive attributes with more values than this.
    pub const MOST_VALUES: usize = 200;
    /// The share of people that a query is drawn to count (Xiao and Tao 2006).
    pub const SELECTIVITY: f64 = 0.05;
    /// The least denominator of a relative error, as a share of T. It is at least one member.
    pub const FLOOR: f64 = 0.001;

    /// Draws a workload for a table and computes its answers. Takes O(queries · combinations).
    ///
    /// # Errors
    /// [`WorkloadError::Size`] if `queries` is 0 or above `MOST_QUERIES`.
    pub fn draw(original: OriginalTable, seed: u64, queries: u64) -> Result<Self, WorkloadError> {
        if queries == 0 || queries > Self::MOST_QUERIES {
            return Err(WorkloadError::Size { queries });
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let queries: Vec<Query> =
            (0..queries).map(|_| Query::draw(&original, Self::SELECTIVITY, &mut random)).collect();
        let answer = |query: &Query| query.of_original(&original, is_by_value(&original, query));
        let answers = queries.par_iter().map(answer).collect();
        let floor = (Self::FLOOR * float(original.rows())).max(1.0);
        Ok(Self { seed, original, queries, answers, floor })
    }

    /// The table over which the queries are drawn.
    pub fn original(&self) -> &OriginalTable {
        &self.original
    }

    /// The queries in the order in which they were drawn.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// The median relative error of a release of the same table. A search can minimize it. Takes
    /// O(queries · classes).
    pub fn median(&self, published: &PublishedTable) -> f64 {
        let error = |(query, truth): (&Query, &QueryAnswer)| {
            self.relative(query.of_published(&self.original, published, false).all, truth.all)
        };
        RelativeErrors::of(self.queries.par_iter().zip(&self.answers).map(error).collect()).median
    }

    /// The errors of a release of the same table, with at most `worst` of the queries with the
    /// greatest errors. Takes O(queries · classes).
    pub fn errors(&self, published: &PublishedTable, worst: usize) -> QueryErrors {
        let estimate =
            |query: &Query| query.of_published(&self.original, published, is_by_value(&self.original, query));
        let estimates: Vec<QueryAnswer> = self.queries.par_iter().map(estimate).collect();
        let pairs = estimates.iter().zip(&self.answers);
        let all: Vec<f64> = pairs.map(|(published, truth)| self.relative(published.all, truth.all)).collect();
        let counted: f64 = self.answers.iter().map(|truth| truth.all).sum();
        let answered = size(self.queries.len()) * float(self.original.rows());
        QueryErrors {
            seed: self.seed,
            queries: self.queries.len() as u64,
            selectivity: Self::SELECTIVITY,
            counted: if answered > 0.0 { counted / answered } else { 0.0 },
            floor: self.floor,
            worst: self.worst(&estimates, &all, worst),
            by_count: self.by_count(&all),
            all: RelativeErrors::of(all),
            by_value: self.by_value(&estimates),
        }
    }

    /// The queries with the greatest errors. Equal errors are in the order of drawing.
    fn worst(&self, estimates: &[QueryAnswer], errors: &[f64], count: usize) -> Vec<QueryError> {
        let mut order: Vec<usize> = (0..errors.len()).filter(|&query| errors[query] > 0.0).collect();
        order.sort_by(|&left, &right| errors[right].total_cmp(&errors[left]).then(left.cmp(&right)));
        order.truncate(count);
        let error = |query: usize| QueryError {
            query: self.queries[query].text(&self.original),
            truth: self.answers[query].all,
            estimate: estimates[query].all,
            error: errors[query],
        };
        order.into_iter().map(error).collect()
    }

    fn by_count(&self, errors: &[f64]) -> Vec<CountErrors> {
        let of_range = |(from, to): (u64, Option<u64>)| {
            let is_within = |truth: f64| truth >= float(from) && to.is_none_or(|to| truth <= float(to));
            let answers = self.answers.iter().zip(errors);
            let found: Vec<f64> =
                answers.filter(|(truth, _)| is_within(truth.all)).map(|(_, &error)| error).collect();
            let queries = u64::from(number(found.len()));
            CountErrors { from, to, queries, errors: RelativeErrors::of(found) }
        };
        CountErrors::RANGES.into_iter().map(of_range).filter(|found| found.queries > 0).collect()
    }

    fn by_value(&self, estimates: &[QueryAnswer]) -> Vec<ValueErrors> {
        let width = self.original.width();
        let mut all = Vec::new();
        for (nth, attribute) in self.original.attributes()[width..].iter().enumerate() {
            let asks = |query: &Query| query.sensitive.as_ref().is_some_and(|asked| asked.attribute == nth);
            let asking: Vec<usize> =
                (0..self.queries.len()).filter(|&query| asks(&self.queries[query])).collect();
            if asking.is_empty() || attribute.values.len() > Self::MOST_VALUES {
                continue;
            }
            let rows = self.original.rows_by_value(width + nth);
            for (value, text) in attribute.values.iter().enumerate() {
                let error = |&query: &usize| {
                    self.relative(estimates[query].by_value[value], self.answers[query].by_value[value])
                };
                all.push(ValueErrors {
                    attribute: attribute.name.clone(),
                    value: text.clone(),
                    rows: rows[value],
                    queries: u64::from(number(asking.len())),
                    errors: RelativeErrors::of(asking.iter().map(error).collect()),
                });
            }
        }
        all
    }

    fn relative(&self, estimate: f64, truth: f64) -> f64 {
        (estimate - truth).abs() / truth.max(self.floor)
    }
}

/// Whether the answers to a query are also computed for each value of its sensitive attribute.
fn is_by_value(original: &OriginalTable, query: &Query) -> bool {
    let values = |nth: usize| original.attributes()[original.width() + nth].values.len();
    query.sensitive.as_ref().is_some_and(|asked| values(asked.attribute) <= Workload::MOST_VALUES)
}

impl RelativeErrors {
    /// The summary of some errors; 0 if there are none.
    pub(super) fn of(mut errors: Vec<f64>) -> Self {
        if errors.is_empty() {
            return Self::default();
        }
        let mean = errors.iter().sum::<f64>() / size(errors.len());
        errors.sort_by(f64::total_cmp);
        let (low, high) = (errors[(errors.len() - 1) / 2], errors[errors.len() / 2]);
        let ninetieth = errors[(errors.len() * 9).div_ceil(10) - 1];
        Self { median: f64::midpoint(low, high), ninetieth, mean }
    }
}
