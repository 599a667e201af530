//! What a node costs with some of its members withdrawn: exactly, by whole numbers that withdrawing adds to.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::super::cost::Costs;
use super::super::floors::Floors;
use super::super::pace::Pace;
use palmtop_core::metrics::{Metric, loss};
use palmtop_core::model::{Code, Counts, Hierarchy, Level, NodeClasses, Problem};

/// What is added up for a metric.
pub(super) enum Pricing {
    /// Of each quasi-identifier, the extra leaves over all of T; a member who is withdrawn has all of them.
    Loss {
        costs: Box<Costs>,
        whole: Vec<u128>,
        /// Of each quasi-identifier, each step and each leaf, the leaves beside it that its label has.
        extra: Vec<Vec<Vec<u32>>>,
        /// Of each quasi-identifier and each step, the most of these that a member has.
        most: Vec<Vec<u32>>,
    },
    /// Σ a² over the released classes, and |T| for each member who is withdrawn.
    Discernibility { members: u64 },
}

/// What a node costs.
#[derive(Clone, Debug)]
pub(super) struct Cost {
    /// A number that grows with the cost, but for rounding.
    value: f64,
    /// What it follows from, exactly.
    sums: Vec<u128>,
}

impl Cost {
    /// Whether it is above another, beyond all rounding.
    pub(super) fn exceeds(&self, other: &Self) -> bool {
        self.value > other.value * (1.0 + 1e-8)
    }

    /// What it follows from.
    pub(super) fn sums(&self) -> &[u128] {
        &self.sums
    }
}

impl Pricing {
    pub(super) fn of(
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
                        let own = extra.iter().zip(people).filter(|(_, people)| people.private > 0);
                        own.map(|(&extra, _)| extra).max().unwrap_or(0)
                    };
                    steps.iter().map(most).collect()
                });
                Self::Loss { costs: Box::new(costs), whole: leaves.collect(), most: most.collect(), extra }
            }
            None => Self::Discernibility { members },
        })
    }

    /// What a node with these classes, which have members, costs with everybody in it: never more than with some withdrawn,
    /// and never more than a generalization.
    pub(super) fn of_node(&self, steps: &[u8], classes: &[Counts]) -> Cost {
        self.cost(match self {
            Self::Loss { costs, .. } => costs.sums(steps),
            Self::Discernibility { .. } => {
                vec![classes.iter().map(|class| u128::from(class.private) * u128::from(class.private)).sum()]
            }
        })
    }

    /// What a node and its generalizations cost at least where so many members have to be withdrawn, whoever they are.
    pub(super) fn at_least(&self, steps: &[u8], withdrawn: u64) -> Cost {
        let withdrawn = u128::from(withdrawn);
        self.cost(match self {
            Self::Loss { costs, whole, most, .. } => {
                let mut sums = costs.sums(steps);
                let own = whole.iter().zip(most).zip(steps);
                for (sum, ((whole, most), &step)) in sums.iter_mut().zip(own) {
                    *sum += withdrawn * (whole - u128::from(most[usize::from(step)]));
                }
                sums
            }
            Self::Discernibility { members } => vec![withdrawn * u128::from(*members)],
        })
    }

    /// What withdrawing a class of a node adds to each sum.
    pub(super) fn added(&self, problem: &Problem, classes: &NodeClasses, class: u32) -> Vec<u128> {
        let class = class as usize;
        let private = u128::from(classes.counts()[class].private);
        match self {
            Self::Loss { whole, .. } => {
                let of = |(attribute, &whole): (usize, &u128)| {
                    let level = classes.node().levels()[attribute];
                    let label = classes.labels(attribute)[class];
                    let leaves = u128::from(problem.hierarchy(attribute).label_size(level, label));
                    private * (whole - (leaves - 1))
                };
                whole.iter().enumerate().map(of).collect()
            }
            Self::Discernibility { members } => vec![private * (u128::from(*members) - private)],
        }
    }

    /// What withdrawing classes of a node adds to each sum: `withdrawn` are the combinations in them, each with its class.
    pub(super) fn added_by(
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
            Self::Loss { whole, extra, .. } => {
                let columns: Vec<(&[Code], &[u32], u128)> = (0..whole.len())
                    .map(|attribute| {
                        let extra = extra[attribute][usize::from(steps[attribute])].as_slice();
                        (histogram.column(attribute), extra, whole[attribute])
                    })
                    .collect();
                let mut added = vec![0_u128; whole.len()];
                for (combination, private, _) in with {
                    for (sum, (codes, extra, whole)) in added.iter_mut().zip(&columns) {
                        let label = u128::from(extra[codes[combination] as usize]);
                        *sum += u128::from(private) * (whole - label);
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

    /// Adds to a cost what withdrawing a class adds.
    pub(super) fn add(&self, cost: &mut Cost, added: &[u128]) {
        cost.sums.iter_mut().zip(added).for_each(|(sum, &more)| *sum += more);
        cost.value = self.value(&cost.sums);
    }

    /// A cost from what it follows from.
    pub(super) fn cost(&self, sums: Vec<u128>) -> Cost {
        Cost { value: self.value(&sums), sums }
    }

    #[expect(clippy::cast_precision_loss, reason = "a number that grows with the cost, but for rounding")]
    fn value(&self, sums: &[u128]) -> f64 {
        match self {
            Self::Loss { costs, .. } => costs.value_of(sums),
            Self::Discernibility { .. } => sums[0] as f64,
        }
    }

    /// Compares two costs: exactly.
    pub(super) fn compare(&self, left: &Cost, right: &Cost) -> Ordering {
        match self {
            Self::Loss { costs, .. } => {
                costs.compare_sums((left.value, &left.sums), (right.value, &right.sums))
            }
            Self::Discernibility { .. } => left.sums.cmp(&right.sums),
        }
    }

    /// A number that a cost grows with and that withdrawing adds to: the value itself, or its logarithm where losses are
    /// multiplied.
    pub(super) fn score(&self, cost: &Cost) -> f64 {
        match self {
            Self::Loss { costs, .. } if costs.is_geometric() => {
                let losses = costs.losses(&cost.sums).into_iter().zip(costs.weights());
                losses.map(|(loss, weight)| weight * libm::log1p(loss)).sum()
            }
            _ => cost.value,
        }
    }

    /// How much one more of each sum adds to the score at least, from a cost on, if so many members more are withdrawn at
    /// most. A logarithm grows less the farther it is, so that is its slope at the far end.
    pub(super) fn slopes(&self, cost: &Cost, capacity: u64) -> Vec<f64> {
        match self {
            Self::Loss { costs, whole, .. } => {
                let far = cost.sums.iter().zip(whole).map(|(sum, whole)| sum + whole * u128::from(capacity));
                let far: Vec<u128> = far.collect();
                let one = costs.losses(&vec![1; whole.len()]);
                let slope = |((one, loss), weight): ((f64, f64), &f64)| {
                    weight * if costs.is_geometric() { one / (1.0 + loss.min(1.0)) } else { one }
                };
                one.into_iter().zip(costs.losses(&far)).zip(costs.weights()).map(slope).collect()
            }
            Self::Discernibility { .. } => vec![1.0],
        }
    }

    /// The metric, as [`Metrics`](palmtop_core::metrics::Metrics) has it.
    #[expect(clippy::cast_precision_loss, reason = "a number of columns")]
    pub(super) fn metric(&self, cost: &Cost) -> f64 {
        match self {
            Self::Loss { costs, .. } if costs.is_geometric() => {
                loss::geometric(&costs.losses(&cost.sums), costs.weights())
            }
            Self::Loss { .. } => cost.value / cost.sums.len() as f64,
            Self::Discernibility { .. } => cost.value,
        }
    }
}

/// Of each level from the finest on that is searched, and each leaf, the leaves beside it that its label has.
fn extra_leaves(hierarchy: &Hierarchy, finest: Level) -> Vec<Vec<u32>> {
    let of_level = |level| {
        let labels = hierarchy.labels_of(level).iter();
        labels.map(|&label| hierarchy.label_size(level, label) - 1).collect()
    };
    hierarchy.levels().skip_while(|&level| level < finest).map(of_level).collect()
}
