//! Several written releases of one project, and what they tell together.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Analysis, PipelineError, ReadClass, ReadRelease};
use crate::compose::{Change, ComposeError, Composition, Limits, Published, compose};
use crate::model::size;
use crate::progress::Meter;

/// How releases belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// How T may have changed from each release to the next.
    pub change: Change,
    /// Whether rows are not linked by what is published unchanged, as these values changed between the releases.
    pub is_unlinked: bool,
    /// How much work may be done.
    pub limits: Limits,
}

impl Analysis {
    /// What whoever holds all of these releases, and knows P, can infer. The meter is told of the groups of people that are
    /// done.
    ///
    /// # Errors
    /// [`PipelineError::Together`] where no tables give the releases; [`PipelineError::Cancelled`] where the meter says stop.
    pub fn compose(
        &self,
        releases: &[&ReadRelease],
        together: Together,
        meter: &mut Meter,
    ) -> Result<Composition, PipelineError> {
        let people: Vec<u64> = self.problem.histogram().counts().iter().map(|counts| counts.public).collect();
        let published = published(releases, together.is_unlinked);
        let changes = vec![together.change; releases.len().saturating_sub(1)];
        compose(&people, &published, &changes, together.limits, meter).map_err(|error| match error {
            ComposeError::Cancelled => PipelineError::Cancelled,
            error => {
                let paths = releases.iter().map(|release| release.path.clone()).collect();
                PipelineError::Together { paths, error }
            }
        })
    }
}

/// The releases as numbers: the values that are published unchanged are numbered in their order.
fn published(releases: &[&ReadRelease], is_unlinked: bool) -> Vec<Published> {
    let all = releases.iter().flat_map(|release| &release.classes).flat_map(|class| &class.kept);
    let values: BTreeSet<&[String]> = all.map(|(values, _)| values.as_slice()).collect();
    let values: Vec<&[String]> = values.into_iter().collect();
    let rows = |class: &ReadClass| -> Vec<(u32, u64)> {
        if is_unlinked {
            return vec![(0, class.rows)];
        }
        let number = |own: &[String]| values.binary_search(&own).ok().map(size::number);
        class.kept.iter().filter_map(|(own, rows)| Some((number(own)?, *rows))).collect()
    };
    releases
        .iter()
        .map(|release| Published {
            class_of: release.class_of.clone(),
            rows: release.classes.iter().map(rows).collect(),
        })
        .collect()
}

/// Why releases do not go together, with their files and what to do.
pub(super) fn explain(paths: &[PathBuf], error: &ComposeError) -> String {
    let name = |release: usize| {
        paths.get(release).map_or_else(|| "a release".to_owned(), |path| path.display().to_string())
    };
    let say = "if people were added or removed between them, say so with --change";
    match *error {
        ComposeError::Sizes { first, second, rows, change } => {
            let (first, second) = (name(first), name(second));
            let had = format!("{first} has {} rows and {second} {}", rows.0, rows.1);
            match change {
                Change::Same => format!("{had}: releases of one T have as many; {say}"),
                Change::Added => format!("{had}: where people were only added, the later has no fewer"),
                Change::Removed => format!("{had}: where people were only removed, the later has no more"),
            }
        }
        ComposeError::Kept { first, second } => format!(
            "what {} and {} publish unchanged differs, so no members with the same values give both; {say}; where the values \
             themselves were changed, --unlinked composes without them",
            name(first),
            name(second)
        ),
        ComposeError::NoTable { pair: Some((first, second)) } => {
            format!("no T gives both {} and {}; {say}", name(first), name(second))
        }
        ComposeError::NoTable { pair: None } => {
            let all: Vec<String> = (0..paths.len()).map(name).collect();
            format!("no T gives all of {}; {say}", all.join(", "))
        }
        ComposeError::TooLarge { .. } | ComposeError::Cancelled => error.to_string(),
    }
}
