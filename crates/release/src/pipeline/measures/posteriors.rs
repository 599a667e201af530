//! What a release reveals to an attacker who believes that some people are likelier members than
//! others.

use std::path::Path;

use crate::pipeline::{Analysis, PipelineError, ReadRelease};
use palmtop_core::located::LocatedError;
use palmtop_core::metrics::Posteriors;
use palmtop_core::model::{Prior, size};
use palmtop_search::release::Release;
use palmtop_tables::rates;
use palmtop_tables::read::{Table, TableSpec};

/// The prior of a table of rates, which has the form of `belief` under `[search]`, and the number of
/// its rows that match nobody.
///
/// # Errors
/// A [`PipelineError`] with file, row, column and value: the table cannot be read, a rate is not
/// from 0 to below 1, a person matches no row or several rows, a member of T has rate 0, or people
/// have several rows.
pub fn prior(analysis: &Analysis, path: &Path) -> Result<(Prior, u64), PipelineError> {
    let problem = &analysis.problem;
    if problem.people().is_some() {
        let error =
            LocatedError::new("a prior is for people with one row each, and here a person may have several");
        return Err(error.in_named("project", &analysis.project.path).into());
    }
    let table = Table::open(&TableSpec::of_all_rows(path.to_owned()))?;
    Ok(rates::of_table(&table, problem.quasi(), problem.histogram())?)
}

/// The posteriors after a release of this problem, judged by its δ.
pub fn of_release(prior: &Prior, release: &Release) -> Posteriors {
    let classes = &release.classes;
    let members: Vec<u64> = classes.all_counts().map(|counts| counts.private).collect();
    Posteriors::of(prior, &classes.class_of, &members, release.delta())
}

/// The posteriors after a written release, judged by the δ of the problem. `None` if the file is not
/// faithful, because the members of its classes are then unknown.
pub fn of_file(analysis: &Analysis, prior: &Prior, read: &ReadRelease) -> Option<Posteriors> {
    if !read.is_faithful() {
        return None;
    }
    let mut members: Vec<u64> = read.classes.iter().map(|class| class.rows).collect();
    let pool = size::number(members.len());
    if read.has_unmatched() {
        members.push(read.pool().private);
    }
    let class_of: Vec<u32> = read.class_of.iter().map(|class| class.unwrap_or(pool)).collect();
    Some(Posteriors::of(prior, &class_of, &members, analysis.problem.delta()))
}
