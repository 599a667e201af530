//! Several written releases of one project, and what they reveal together.

use std::collections::{BTreeMap, BTreeSet};

use super::{Analysis, PipelineError, ReadClass, ReadRelease};
use crate::compatibility::{Command, Feature};
use palmtop_core::model::size;
use palmtop_core::progress::Meter;
use palmtop_search::compose::{Change, ComposeError, Composition, Limits, Published, compose};

/// The relation between the releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// How T may have changed between consecutive releases.
    pub change: Change,
    /// Whether columns published unchanged do not link rows, because their values changed between
    /// releases. Keyed pseudonyms always link rows.
    pub is_unlinked: bool,
    /// The limits on the work of the computation.
    pub limits: Limits,
}

/// What an attacker who has P and all of these releases can infer. The meter gets the number of
/// processed groups of people.
///
/// # Errors
/// - [`PipelineError::Refused`] if people have several rows.
/// - [`PipelineError::UnknownWithdrawn`] if members may be missing from a release, and their number
///   cannot be known.
/// - [`PipelineError::Together`] if no tables can have these releases.
/// - [`PipelineError::SharedPseudonyms`] if pseudonyms link rows although the project declares them
///   new.
/// - [`PipelineError::Cancelled`] if the meter stops the computation.
pub fn of_releases(
    analysis: &Analysis,
    releases: &[&ReadRelease],
    together: Together,
    meter: &mut Meter,
) -> Result<Composition, PipelineError> {
    analysis.check(&[Feature::Command(Command::Compose)])?;
    let withdrawn = releases.iter().map(|release| withdrawn(analysis, release, together.change));
    let withdrawn: Vec<u64> = withdrawn.collect::<Result<_, _>>()?;
    let people: Vec<u64> = analysis.problem.histogram().counts().iter().map(|counts| counts.public).collect();
    for (place, release) in releases.iter().enumerate() {
        let shares = |other: &&&ReadRelease| !other.drawn.is_disjoint(&release.drawn);
        if let Some(other) = releases[..place].iter().find(shares) {
            let (first, second) = (other.path.clone(), release.path.clone());
            return Err(PipelineError::SharedPseudonyms { first, second });
        }
    }
    let published = published(releases, &withdrawn, together.is_unlinked);
    let changes = vec![together.change; releases.len().saturating_sub(1)];
    compose(&people, &published, &changes, together.limits, meter).map_err(|error| match error {
        ComposeError::Cancelled => PipelineError::Cancelled,
        error => {
            let paths = releases.iter().map(|release| release.path.clone()).collect();
            PipelineError::Together { paths, error }
        }
    })
}

/// The number of members without a row in a release: |T| without its rows.
///
/// |T| is that of the present T. So a release of an earlier T has no known number, unless everyone in
/// P matches a row.
fn withdrawn(analysis: &Analysis, release: &ReadRelease, change: Change) -> Result<u64, PipelineError> {
    if analysis.project.suppression.is_none() || release.pool().public == 0 {
        return Ok(0);
    }
    if change == Change::Same && release.is_faithful() {
        return Ok(release.pool().private);
    }
    Err(PipelineError::UnknownWithdrawn { path: release.path.clone(), has_changed: change != Change::Same })
}

/// The releases as numbers, with the members that each withdraws. The values that are published
/// unchanged are numbered in sorted order.
fn published(releases: &[&ReadRelease], withdrawn: &[u64], is_unlinked: bool) -> Vec<Published> {
    // All releases belong to one project, so their columns are the same.
    let keyed = releases.first().map(|release| release.keyed.as_slice()).unwrap_or_default();
    let linking = |own: &'_ [String]| -> Vec<String> {
        if is_unlinked { keyed.iter().map(|&place| own[place].clone()).collect() } else { own.to_vec() }
    };
    let all = releases.iter().flat_map(|release| &release.classes).flat_map(|class| &class.kept);
    let values: BTreeSet<Vec<String>> = all.map(|(values, _)| linking(values)).collect();
    let values: Vec<Vec<String>> = values.into_iter().collect();
    let rows = |class: &ReadClass| -> Vec<(u32, u64)> {
        let number = |own: &[String]| values.binary_search(&linking(own)).ok().map(size::number);
        let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
        for (own, count) in &class.kept {
            if let Some(number) = number(own) {
                *rows.entry(number).or_default() += count;
            }
        }
        rows.into_iter().collect()
    };
    releases
        .iter()
        .zip(withdrawn)
        .map(|(release, &withdrawn)| Published {
            class_of: release.class_of.clone(),
            rows: release.classes.iter().map(rows).collect(),
            withdrawn,
        })
        .collect()
}
