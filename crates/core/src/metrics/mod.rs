//! Measures of what a release costs, one in each file. All are computed over the private table
//! only.

pub mod loss;
pub mod discernibility;
pub mod class_size;
pub mod precision;
pub mod readability;
pub mod posterior;

use crate::model::{Classes, Problem, Recoding};

pub use loss::{Loss, NodeLosses};
pub use posterior::{Posteriors, PriorVerdict, Span};
pub use readability::{Readability, TERM_PRICE};

/// The quantity that a search minimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// The weighted arithmetic mean of the quasi-identifiers' losses.
    #[default]
    Loss,
    /// Π(1 + loss)^(w/W) − 1 over the quasi-identifiers, with weights w and their sum W.
    LossGeometric,
    /// Σ a² over the released classes with a private people each, plus |T| for each withdrawn
    /// member.
    Discernibility,
    /// The loss, and [`TERM_PRICE`] for each term of a cell beyond the first:
    /// Σ of these terms over the cells of T, divided by the number of cells of T, times the price.
    ///
    /// So a set of three values costs as much as a label that denotes 2 % more of its hierarchy. The
    /// price has no weight. Each cell of a node has one term, as has each cell of a withdrawn member,
    /// so the metric of a node is its loss. Above many terms the metric of a cell exceeds 1, that of `*`.
    Readable,
}

impl Metric {
    /// Every metric, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Loss, Self::LossGeometric, Self::Discernibility, Self::Readable];

    /// The metric's name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::LossGeometric => "loss_geometric",
            Self::Discernibility => "discernibility",
            Self::Readable => "readable",
        }
    }
}

/// All measures of one recoding. A withdrawn member counts as if all attributes were `*`.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// The loss of each quasi-identifier and of all.
    pub loss: Loss,
    /// The same loss, restricted to values that occur in the public table.
    pub occurring_loss: Loss,
    /// Σ a² over the released classes, plus |T| for each withdrawn member.
    pub discernibility: u64,
    /// The number of members who are not withdrawn, divided by the number of released classes.
    pub average_class_size: f64,
    /// 1 minus the mean share of levels by which quasi-identifiers were raised; `None` for regions.
    pub precision: Option<f64>,
    /// How long the cells of the released rows are. Withdrawn members have no cell.
    pub readability: Readability,
}

impl Metrics {
    /// Measures a recoding from its classes.
    pub fn of(problem: &Problem, recoding: &Recoding, classes: &Classes) -> Self {
        let losses = || (Loss::of_classes(problem, classes), Loss::of_occurring_values(problem, classes));
        let ((loss, occurring_loss), readability) =
            rayon::join(losses, || Readability::of_classes(problem, classes));
        Self {
            loss,
            occurring_loss,
            discernibility: discernibility::of_classes(classes),
            average_class_size: class_size::average(classes),
            precision: recoding.node().map(|node| precision::of_node(problem, node, classes.withdrawn())),
            readability,
        }
    }

    /// The value of one metric, without the others.
    pub fn value_of(problem: &Problem, classes: &Classes, metric: Metric) -> f64 {
        let loss = || Loss::of_classes(problem, classes);
        let discernibility = || discernibility::of_classes(classes);
        let extra_terms = || Readability::of_classes(problem, classes).extra_terms;
        chosen(metric, || loss().mean(), || loss().geometric(), discernibility, extra_terms)
    }

    /// The value of one metric.
    pub fn value(&self, metric: Metric) -> f64 {
        let (mean, geometric) = (|| self.loss.mean(), || self.loss.geometric());
        chosen(metric, mean, geometric, || self.discernibility, || self.readability.extra_terms)
    }
}

/// The value of a metric from those of its parts that it needs.
#[expect(clippy::cast_precision_loss, reason = "a cost to compare and show")]
fn chosen(
    metric: Metric,
    mean_loss: impl FnOnce() -> f64,
    geometric_loss: impl FnOnce() -> f64,
    discernibility: impl FnOnce() -> u64,
    extra_terms: impl FnOnce() -> f64,
) -> f64 {
    match metric {
        Metric::Loss => mean_loss(),
        Metric::LossGeometric => geometric_loss(),
        Metric::Discernibility => discernibility() as f64,
        Metric::Readable => mean_loss() + TERM_PRICE * extra_terms(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, People, Presence, QuasiIdentifier,
    };

    /// Three people with five rows over four leaves in pairs; two of them are in T.
    #[test]
    fn losses_count_rows_and_class_sizes_count_people() {
        let chains = [["0", "a", "*"], ["1", "a", "*"], ["2", "b", "*"], ["3", "b", "*"]];
        let chains: Vec<Vec<String>> = chains.iter().map(|chain| chain.map(str::to_owned).to_vec()).collect();
        let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
        let counts = [(1, 1), (1, 0), (2, 2), (1, 1)].map(|(public, private)| Counts::new(public, private));
        let histogram = Histogram::new(vec![vec![0, 1, 2, 3]], counts.to_vec()).unwrap();
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
        let rows = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
        let people = [(vec![0, 2, 2], true), (vec![1], false), (vec![3], true)];
        let people = rows.with_people(People::of(people)).unwrap();
        let recoding = Recoding::Node(rows.lattice().node(&[Level(1)]).unwrap());
        let measured = |problem| Metrics::of(problem, &recoding, &Classes::of(problem, &recoding));
        let (of_rows, of_people) = (measured(&rows), measured(&people));
        assert_eq!((&of_people.loss, &of_people.occurring_loss), (&of_rows.loss, &of_rows.occurring_loss));
        assert_eq!(of_people.precision, of_rows.precision);
        // Classes of 1 and 3 rows of T, and two classes of people with one member each.
        assert_eq!((of_rows.discernibility, of_people.discernibility), (10, 2));
        assert!((of_people.average_class_size - 1.0).abs() < f64::EPSILON);
    }
}
