//! The value of a release by the metric of a search.

use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::{Classes, Problem, Recoding};

/// The metric of a recoding, computed from its classes.
pub(super) fn value_of(problem: &Problem, recoding: &Recoding, metric: Metric) -> f64 {
    Metrics::value_of(problem, &Classes::of(problem, recoding), metric)
}
