//! How near a release is to T: what a report tells of its utility beside the losses.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::error::ReportError;
use crate::pipeline::{self, Analysis, ReadRelease};
use palmtop_measure::utility::{CountErrors, RelativeErrors, Utility, Workload};

/// How many of the pairs, sensitive values and classes that changed most are listed.
const LISTED: usize = 10;
/// What queries are drawn from.
const SEED: u64 = 0;

/// How near a release is to T. Definitions: `docs/measures.md`, *Utility*.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FidelitySection {
    /// The mean of the quasi-identifiers' distances.
    pub distance: f64,
    /// Of each quasi-identifier and sensitive attribute.
    pub attributes: Vec<AttributeFidelity>,
    /// The pairs whose association changed most.
    pub pairs: Vec<PairFidelity>,
    /// How far the answers to counting queries are off.
    pub queries: QueryFidelity,
    /// The sensitive values of which queries are farthest off.
    pub values: Vec<ValueFidelity>,
    /// The classes that lose most together.
    pub worst: Vec<ClassFidelity>,
}

/// How near an attribute's distribution is to that in T.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeFidelity {
    /// The attribute.
    pub attribute: String,
    /// The total variation: from 0 to 1.
    pub distance: f64,
    /// The earth mover's distance, where values stand in a row.
    pub ordered_distance: Option<f64>,
}

/// The association of a pair of attributes, by Cramér's V, corrected for bias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairFidelity {
    /// A quasi-identifier.
    pub first: String,
    /// Another one, or a sensitive attribute.
    pub second: String,
    /// In T.
    pub original: f64,
    /// In the release.
    pub published: f64,
    /// Whether `original` is 0 because the correction is larger than the association.
    #[serde(default)]
    pub original_floored: bool,
    /// Whether `published` is.
    #[serde(default)]
    pub published_floored: bool,
    /// The members that T's table counts.
    pub members: u64,
    /// The cells of T's table.
    pub cells: u64,
}

/// The relative errors of a workload of counting queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryFidelity {
    /// How many.
    pub queries: u64,
    /// What they were drawn from.
    pub seed: u64,
    /// The least number that an error is relative to.
    pub floor: f64,
    /// The median.
    pub median: f64,
    /// Nine of ten are at most this.
    pub ninetieth: f64,
    /// The mean.
    pub mean: f64,
    /// The errors by the size of the true count.
    pub by_count: Vec<CountFidelity>,
}

/// The errors of the queries whose true count lies in one range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountFidelity {
    /// The range of true counts, in members of T: `0 to 9`.
    pub count: String,
    /// The queries with such a count.
    pub queries: u64,
    /// The median of their errors.
    pub median: f64,
    /// Nine of ten errors are at most this.
    pub ninetieth: f64,
}

/// The errors of queries for one sensitive value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueFidelity {
    /// The sensitive attribute.
    pub attribute: String,
    /// Its value.
    pub value: String,
    /// The median.
    pub median: f64,
    /// Nine of ten are at most this.
    pub ninetieth: f64,
}

/// A class that loses much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassFidelity {
    /// What is published for each quasi-identifier.
    pub labels: Vec<String>,
    /// Its rows.
    pub rows: u64,
    /// The loss of each.
    pub loss: f64,
    /// What its rows lose together, as a share of what all rows do.
    pub share: f64,
}

impl FidelitySection {
    /// Measures a release as it was read. T is read once more where it has sensitive attributes.
    pub(super) fn of(analysis: &Analysis, read: &ReadRelease) -> Result<Self, ReportError> {
        let basis = pipeline::utility::basis(analysis, SEED, Workload::QUERIES)?;
        let measured = pipeline::utility::of_file(analysis, &basis, read, LISTED)?;
        let distance = measured.distance();
        let pairs = pairs(&measured);
        let Utility { attributes, queries, worst, .. } = measured;
        let RelativeErrors { median, ninetieth, mean } = queries.all;
        let mut values: Vec<ValueFidelity> = queries
            .by_value
            .into_iter()
            .map(|own| ValueFidelity {
                attribute: own.attribute,
                value: own.value,
                median: own.errors.median,
                ninetieth: own.errors.ninetieth,
            })
            .collect();
        values.sort_by(|left, right| right.median.total_cmp(&left.median));
        values.truncate(LISTED);
        Ok(Self {
            distance,
            attributes: attributes
                .into_iter()
                .map(|own| AttributeFidelity {
                    attribute: own.name,
                    distance: own.distance,
                    ordered_distance: own.ordered,
                })
                .collect(),
            pairs,
            queries: QueryFidelity {
                queries: queries.queries,
                seed: queries.seed,
                floor: queries.floor,
                median,
                ninetieth,
                mean,
                by_count: queries.by_count.iter().map(CountFidelity::from).collect(),
            },
            values,
            worst: worst
                .into_iter()
                .map(|own| ClassFidelity {
                    labels: own.labels,
                    rows: own.rows,
                    loss: own.loss,
                    share: own.share,
                })
                .collect(),
        })
    }
}

impl From<&CountErrors> for CountFidelity {
    fn from(found: &CountErrors) -> Self {
        let CountErrors { queries, errors, .. } = *found;
        Self { count: found.range(), queries, median: errors.median, ninetieth: errors.ninetieth }
    }
}

fn pairs(measured: &Utility) -> Vec<PairFidelity> {
    let mut pairs: Vec<PairFidelity> = measured
        .pairs
        .iter()
        .filter_map(|pair| {
            let found = pair.association?;
            Some(PairFidelity {
                first: pair.first.clone(),
                second: pair.second.clone(),
                original: found.original,
                published: found.published,
                original_floored: found.is_original_floored,
                published_floored: found.is_published_floored,
                members: found.members,
                cells: found.cells,
            })
        })
        .collect();
    // In millionths, so that the last digits of a sum decide no order.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
    let change = |pair: &PairFidelity| ((pair.original - pair.published).abs() * 1e6).round() as u64;
    pairs.sort_by_key(|pair| Reverse(change(pair)));
    pairs.truncate(LISTED);
    pairs
}
