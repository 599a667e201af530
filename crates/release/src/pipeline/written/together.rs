//! Several written releases of one project, and what they reveal together.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::{Analysis, PipelineError, ReadClass, ReadRelease};
use palmtop_core::located::LocatedError;
use palmtop_core::model::size;
use palmtop_core::progress::Meter;
use palmtop_project::compatibility::{Command, Feature};
use palmtop_search::compose::{Change, ComposeError, Composition, Limits, Published, compose};

/// The relation between the releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// How T may have changed between consecutive releases.
    pub change: Change,
    /// The limits on the work of the computation.
    pub limits: Limits,
}

/// What an attacker who has P and all of these releases can infer. The meter gets the number of
/// processed groups of people.
///
/// # Errors
/// - [`PipelineError::Refused`] if people have several rows.
/// - [`PipelineError::Located`] if members may be missing from a release, and their number cannot be
///   known; if no tables can have these releases; or if pseudonyms link rows although the project
///   declares them new.
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
    for (index, release) in releases.iter().enumerate() {
        let shares = |other: &&&ReadRelease| !other.drawn.is_disjoint(&release.drawn);
        if let Some(other) = releases[..index].iter().find(shares) {
            return Err(LocatedError::new(format!(
                "{} and {} share pseudonyms, which link them; new pseudonyms are never the same",
                other.path.display(),
                release.path.display()
            ))
            .remedy("give `pseudonym` the key and the domain of the earlier release")
            .into());
        }
    }
    let published = published(releases, &withdrawn);
    let changes = vec![together.change; releases.len().saturating_sub(1)];
    compose(&people, &published, &changes, together.limits, meter).map_err(|error| match error {
        ComposeError::Cancelled => PipelineError::Cancelled,
        error => LocatedError::new(explain(releases, &error)).into(),
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
    let (depends, remedy) = if change == Change::Same {
        (
            "is known only of a faithful release of the present T, and this is none",
            "`verify` lists the reasons",
        )
    } else {
        (
            "depends on |T| at the time of the release, which is unknown if T changed",
            "compose releases of one T, or releases in which everyone matches a row",
        )
    };
    let problem = format!(
        "some people of P match no row, and `suppress_at_most` lets members be among them; how many {depends}"
    );
    Err(LocatedError::new(problem).in_file(&release.path).remedy(remedy).into())
}

/// The releases as numbers, with the members that each withdraws. The values that are published
/// unchanged are numbered in sorted order.
fn published(releases: &[&ReadRelease], withdrawn: &[u64]) -> Vec<Published> {
    let all = releases.iter().flat_map(|release| &release.classes).flat_map(|class| &class.kept);
    let values: BTreeSet<&Vec<String>> = all.map(|(values, _)| values).collect();
    let values: Vec<&Vec<String>> = values.into_iter().collect();
    let rows = |class: &ReadClass| -> Vec<(u32, u64)> {
        let number = |texts: &Vec<String>| values.binary_search(&texts).ok().map(size::number);
        let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
        for (texts, count) in &class.kept {
            if let Some(number) = number(texts) {
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

/// The reason why releases do not fit together, with their files and the remedy.
fn explain(releases: &[&ReadRelease], error: &ComposeError) -> String {
    let name = |release: usize| {
        releases.get(release).map_or_else(|| "a release".to_owned(), |read| read.path.display().to_string())
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
            "what {} and {} publish unchanged differs, so no members with the same values give both; {say}; if the values \
             themselves were changed, the releases cannot be combined",
            name(first),
            name(second)
        ),
        ComposeError::NoTable { pair: Some((first, second)) } => {
            format!("no T gives both {} and {}; {say}", name(first), name(second))
        }
        ComposeError::NoTable { pair: None } => {
            let all: Vec<String> = (0..releases.len()).map(name).collect();
            format!("no T gives all of {}; {say}", all.join(", "))
        }
        ComposeError::TooLarge { .. } | ComposeError::Cancelled => error.to_string(),
    }
}
