//! A comparison of a release with T: its utility, measured by distributions, associations and queries.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::error::ReportError;
use crate::pipeline::{self, Analysis, ReadRelease};
use palmtop_measure::utility::{CountErrors, RelativeErrors, Utility, Workload};

/// The number of listed pairs, sensitive values and classes.
const LISTED: usize = 10;
/// The seed from which queries are drawn.
const SEED: u64 = 0;

/// A comparison of a release with T. `docs/measures.md`, *Utility*, has the definitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FidelitySection {
    /// What the section counts if people have several rows: `rows`. `None` if each row is a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<String>,
    /// The mean distance of the quasi-identifiers: 0 is equal, 1 is disjoint.
    pub distance: f64,
    /// The distance of each quasi-identifier and sensitive attribute.
    pub attributes: Vec<AttributeFidelity>,
    /// The pairs of attributes whose association changed most.
    pub pairs: Vec<PairFidelity>,
    /// The relative errors of counting queries.
    pub queries: QueryFidelity,
    /// The sensitive values with the largest query errors.
    pub values: Vec<ValueFidelity>,
    /// The classes with the largest share of the loss.
    pub worst: Vec<ClassFidelity>,
}

/// The distance of an attribute's distribution from the one in T.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeFidelity {
    /// The name of the attribute.
    pub attribute: String,
    /// The total variation, from 0 to 1.
    pub distance: f64,
    /// The earth mover's distance, from 0 to 1; `None` if the values have no order.
    pub ordered_distance: Option<f64>,
}

/// The association of two attributes: Cramér's V, corrected for bias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairFidelity {
    /// The first attribute, a quasi-identifier.
    pub first: String,
    /// The second attribute, a quasi-identifier or sensitive.
    pub second: String,
    /// The association in T.
    pub original: f64,
    /// The association in the release.
    pub published: f64,
    /// Whether `original` is 0 because the correction is larger than the association.
    #[serde(default)]
    pub original_floored: bool,
    /// Whether `published` is 0 for the same reason.
    #[serde(default)]
    pub published_floored: bool,
    /// The number of members in T's contingency table; `None` if people have several rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
    /// The number of rows in T's contingency table; `None` if each row is a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The number of cells of T's contingency table.
    pub cells: u64,
}

/// The relative errors of a workload of counting queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryFidelity {
    /// The number of queries.
    pub queries: u64,
    /// The seed from which the queries were drawn.
    pub seed: u64,
    /// The least denominator of a relative error, in rows of T.
    pub floor: f64,
    /// The median error.
    pub median: f64,
    /// The 90th percentile of the errors.
    pub ninetieth: f64,
    /// The mean error.
    pub mean: f64,
    /// The errors by the size of the true count.
    pub by_count: Vec<CountFidelity>,
}

/// The errors of the queries whose true count is in one range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountFidelity {
    /// The range of true counts, in rows of T: `0 to 9`.
    pub count: String,
    /// The number of queries in this range.
    pub queries: u64,
    /// The median error.
    pub median: f64,
    /// The 90th percentile of the errors.
    pub ninetieth: f64,
}

/// The errors of queries for one sensitive value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueFidelity {
    /// The name of the sensitive attribute.
    pub attribute: String,
    /// The sensitive value.
    pub value: String,
    /// The median error.
    pub median: f64,
    /// The 90th percentile of the errors.
    pub ninetieth: f64,
}

/// A class with a large loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassFidelity {
    /// The published labels, one for each quasi-identifier.
    pub labels: Vec<String>,
    /// The number of rows.
    pub rows: u64,
    /// The loss of each row, from 0 to 1.
    pub loss: f64,
    /// The loss of all its rows, as a share of the loss of the release.
    pub share: f64,
}

impl FidelitySection {
    /// Measures a release. This reads T again if the project has sensitive attributes.
    pub(super) fn of(analysis: &Analysis, read: &ReadRelease) -> Result<Self, ReportError> {
        let basis = pipeline::utility::basis(analysis, SEED, Workload::QUERIES)?;
        let measured = pipeline::utility::of_file(analysis, &basis, read, LISTED)?;
        let distance = measured.distance();
        let pairs = pairs(&measured);
        let Utility { attributes, queries, worst, counted, .. } = measured;
        let RelativeErrors { median, ninetieth, mean } = queries.all;
        let mut values: Vec<ValueFidelity> = queries
            .by_value
            .into_iter()
            .map(|found| ValueFidelity {
                attribute: found.attribute,
                value: found.value,
                median: found.errors.median,
                ninetieth: found.errors.ninetieth,
            })
            .collect();
        values.sort_by(|left, right| right.median.total_cmp(&left.median));
        values.truncate(LISTED);
        Ok(Self {
            counted: analysis.entity().map(|_| counted.to_owned()),
            distance,
            attributes: attributes
                .into_iter()
                .map(|found| AttributeFidelity {
                    attribute: found.name,
                    distance: found.distance,
                    ordered_distance: found.ordered,
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
                .map(|class| ClassFidelity {
                    labels: class.labels,
                    rows: class.rows,
                    loss: class.loss,
                    share: class.share,
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
    let counts_rows = measured.counted == "rows";
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
                members: (!counts_rows).then_some(found.rows),
                rows: counts_rows.then_some(found.rows),
                cells: found.cells,
            })
        })
        .collect();
    // In millionths, so that the order does not depend on the last digits of a sum.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
    let change = |pair: &PairFidelity| ((pair.original - pair.published).abs() * 1e6).round() as u64;
    pairs.sort_by_key(|pair| Reverse(change(pair)));
    pairs.truncate(LISTED);
    pairs
}
