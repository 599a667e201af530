//! The cost of a node with withdrawn members, exact: each withdrawal adds to integer sums.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::control::pace::Pace;
use crate::counts::cost::Costs;
use crate::counts::floors::Floors;
use palmtop_core::metrics::{Metric, loss};
use palmtop_core::model::{Code, Counts, Hierarchy, Level, NodeClasses, Problem};

/// The sums that determine a metric.
pub(crate) enum Pricing {
    /// For each quasi-identifier, the extra leaves summed over all members. A label has leaves − 1
    /// extra leaves, and a withdrawn member has all of the attribute's.
    Loss {
        costs: Box<Costs>,
        /// For each quasi-identifier, its number of leaves minus one.
        all_leaves: Vec<u128>,
        /// For each quasi-identifier, step and leaf, the extra leaves of the leaf's label.
        extra: Vec<Vec<Vec<u32>>>,
        /// For each quasi-identifier and step, the most extra leaves of a member.
        most: Vec<Vec<u32>>,
    },
    /// Σ a² over the released classes, plus |T| for each withdrawn member.
    Discernibility { members: u64 },
}

/// The cost of a node with withdrawn members.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    /// A number that grows with the cost, up to rounding.
    value: f64,
    /// The integer sums that determine the cost.
    sums: Vec<u128>,
}

impl Cost {
    /// Whether the cost exceeds another by more than rounding.
    pub(crate) fn exceeds(&self, other: &Self) -> bool {
        self.value > other.value * (1.0 + 1e-8)
    }

    /// The integer sums that determine the cost.
    pub(crate) fn sums(&self) -> &[u128] {
        &self.sums
    }
}

impl Pricing {
    pub(crate) fn of(
        problem: &Problem,
        metric: Metric,
        floors: &Floors,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let members = problem.histogram().total().private;
        let leaves = problem.quasi().iter().map(|quasi| quasi.hierarchy.leaf_count() as u128 - 1);
        let costs = Costs::of(problem, metric, floors.levels(), pace)?;
        ControlFlow::Continue(match costs {
            Some(costs) => {
                let attributes = 0..problem.quasi().len();
                let of = |attribute| extra_leaves(problem.hierarchy(attribute), floors.levels()[attribute]);
                let extra: Vec<Vec<Vec<u32>>> = attributes.map(of).collect();
                let most = extra.iter().enumerate().map(|(attribute, steps)| {
                    let people = problem.leaf_counts(attribute);
                    let most = |extra: &Vec<u32>| {
                        let occurring = extra.iter().zip(people).filter(|(_, people)| people.private > 0);
                        occurring.map(|(&extra, _)| extra).max().unwrap_or(0)
                    };
                    steps.iter().map(most).collect()
                });
                Self::Loss {
                    costs: Box::new(costs),
                    all_leaves: leaves.collect(),
                    most: most.collect(),
                    extra,
                }
            }
            None => Self::Discernibility { members },
        })
    }

    /// The cost of a node without withdrawal, given its classes with members. Withdrawal never
    /// reduces it, and no generalization costs less.
    pub(crate) fn of_node(&self, steps: &[u8], classes: &[Counts]) -> Cost {
        self.cost(match self {
            Self::Loss { costs, .. } => costs.sums(steps),
            Self::Discernibility { .. } => {
                vec![classes.iter().map(|class| u128::from(class.private) * u128::from(class.private)).sum()]
            }
        })
    }

    /// A lower bound on the cost of a node and its generalizations, if they must withdraw this
    /// number of members.
    pub(crate) fn at_least(&self, steps: &[u8], withdrawn: u64) -> Cost {
        let withdrawn = u128::from(withdrawn);
        self.cost(match self {
            Self::Loss { costs, all_leaves, most, .. } => {
                let mut sums = costs.sums(steps);
                let extremes = all_leaves.iter().zip(most).zip(steps);
                for (sum, ((all_leaves, most), &step)) in sums.iter_mut().zip(extremes) {
                    *sum += withdrawn * (all_leaves - u128::from(most[usize::from(step)]));
                }
                sums
            }
            Self::Discernibility { members } => vec![withdrawn * u128::from(*members)],
        })
    }

    /// The amounts that the withdrawal of a class adds to the sums.
    pub(crate) fn added(&self, problem: &Problem, classes: &NodeClasses, class: u32) -> Vec<u128> {
        let class = class as usize;
        let private = u128::from(classes.counts()[class].private);
        match self {
            Self::Loss { all_leaves, .. } => {
                let of = |(attribute, &all_leaves): (usize, &u128)| {
                    let level = classes.node().levels()[attribute];
                    let label = classes.labels(attribute)[class];
                    let leaves = u128::from(problem.hierarchy(attribute).label_size(level, label));
                    private * (all_leaves - (leaves - 1))
                };
                all_leaves.iter().enumerate().map(of).collect()
            }
            Self::Discernibility { members } => vec![private * (u128::from(*members) - private)],
        }
    }

    /// The amounts that the withdrawal of several classes adds to the sums. `withdrawn` has the
    /// combinations of these classes, each with the counts of its class.
    pub(crate) fn added_by(
        &self,
        problem: &Problem,
        steps: &[u8],
        withdrawn: impl Iterator<Item = (u32, Counts)>,
    ) -> Vec<u128> {
        let histogram = problem.histogram();
        let with = withdrawn
            .map(|(combination, class)| {
                (combination as usize, histogram.counts()[combination as usize].private, class)
            })
            .filter(|(_, private, _)| *private > 0);
        match self {
            Self::Loss { all_leaves, extra, .. } => {
                let columns: Vec<(&[Code], &[u32], u128)> = (0..all_leaves.len())
                    .map(|attribute| {
                        let extra = extra[attribute][usize::from(steps[attribute])].as_slice();
                        (histogram.column(attribute), extra, all_leaves[attribute])
                    })
                    .collect();
                let mut added = vec![0_u128; all_leaves.len()];
                for (combination, private, _) in with {
                    for (sum, (codes, extra, all_leaves)) in added.iter_mut().zip(&columns) {
                        let label = u128::from(extra[codes[combination] as usize]);
                        *sum += u128::from(private) * (all_leaves - label);
                    }
                }
                added
            }
            Self::Discernibility { members } => {
                vec![
                    with.map(|(_, private, class)| u128::from(private) * u128::from(members - class.private))
                        .sum(),
                ]
            }
        }
    }

    /// Adds the amounts of a withdrawal to a cost.
    pub(crate) fn add(&self, cost: &mut Cost, added: &[u128]) {
        cost.sums.iter_mut().zip(added).for_each(|(sum, &more)| *sum += more);
        cost.value = self.value(&cost.sums);
    }

    /// The cost with these sums.
    pub(crate) fn cost(&self, sums: Vec<u128>) -> Cost {
        Cost { value: self.value(&sums), sums }
    }

    #[expect(clippy::cast_precision_loss, reason = "a number that grows with the cost, up to rounding")]
    fn value(&self, sums: &[u128]) -> f64 {
        match self {
            Self::Loss { costs, .. } => costs.value_of(sums),
            Self::Discernibility { .. } => sums[0] as f64,
        }
    }

    /// Compares two costs exactly.
    pub(crate) fn compare(&self, left: &Cost, right: &Cost) -> Ordering {
        match self {
            Self::Loss { costs, .. } => {
                costs.compare_sums((left.value, &left.sums), (right.value, &right.sums))
            }
            Self::Discernibility { .. } => left.sums.cmp(&right.sums),
        }
    }

    /// A score that grows with the cost and to which withdrawals add: the value, or its logarithm
    /// if losses are multiplied.
    pub(crate) fn score(&self, cost: &Cost) -> f64 {
        match self {
            Self::Loss { costs, .. } if costs.is_geometric() => {
                let losses = costs.losses(&cost.sums).into_iter().zip(costs.weights());
                losses.map(|(loss, weight)| weight * libm::log1p(loss)).sum()
            }
            _ => cost.value,
        }
    }

    /// For each sum, a lower bound on the increase of the score by one unit, if at most `capacity`
    /// more members are withdrawn. For a logarithm, it is the slope at the far end, where it is
    /// least.
    pub(crate) fn slopes(&self, cost: &Cost, capacity: u64) -> Vec<f64> {
        match self {
            Self::Loss { costs, all_leaves, .. } => {
                let far = cost
                    .sums
                    .iter()
                    .zip(all_leaves)
                    .map(|(sum, all_leaves)| sum + all_leaves * u128::from(capacity));
                let far: Vec<u128> = far.collect();
                let one = costs.losses(&vec![1; all_leaves.len()]);
                let slope = |((one, loss), weight): ((f64, f64), &f64)| {
                    weight * if costs.is_geometric() { one / (1.0 + loss.min(1.0)) } else { one }
                };
                one.into_iter().zip(costs.losses(&far)).zip(costs.weights()).map(slope).collect()
            }
            Self::Discernibility { .. } => vec![1.0],
        }
    }

    /// The metric, as in [`Metrics`](palmtop_core::metrics::Metrics).
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(crate) fn metric(&self, cost: &Cost) -> f64 {
        match self {
            Self::Loss { costs, .. } if costs.is_geometric() => {
                loss::geometric(&costs.losses(&cost.sums), costs.weights())
            }
            Self::Loss { .. } => cost.value / cost.sums.len() as f64,
            Self::Discernibility { .. } => cost.value,
        }
    }
}

/// For each searched level from the finest, and each leaf, the extra leaves of the leaf's label.
fn extra_leaves(hierarchy: &Hierarchy, finest: Level) -> Vec<Vec<u32>> {
    let of_level = |level| {
        let labels = hierarchy.labels_of(level).iter();
        labels.map(|&label| hierarchy.label_size(level, label) - 1).collect()
    };
    hierarchy.levels().skip_while(|&level| level < finest).map(of_level).collect()
}
