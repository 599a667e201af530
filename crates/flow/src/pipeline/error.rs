//! Everything that can go wrong between a project and a written release.

use std::path::PathBuf;

use super::together::explain;
use crate::project::ProjectError;
use palmtop_core::model::criterion::CriterionError;
use palmtop_core::model::{Delta, ModelError, Role, Standing, TermError};
use palmtop_measure::estimate::EstimateError;
use palmtop_measure::utility::WorkloadError;
use palmtop_search::compose::ComposeError;
use palmtop_search::release::Achieved;
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::edit::EditError;
use palmtop_tables::pseudonym::KeyError;
use palmtop_tables::write::{TargetError, TooManyRows};
use palmtop_verify::VerifyError;

/// Everything that can go wrong between a project and a written release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The project file.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// A table or a hierarchy.
    #[error(transparent)]
    Data(DataError),
    /// Frames, or settings for them, of which no analysis can be made.
    #[error("tables in memory: {detail}")]
    Frame {
        /// What is wrong.
        detail: String,
    },
    /// A P that is a sample, of which no verdict on presence could be true.
    #[error(
        "project {}: `sample_of = {of}` under [public] says that P is a sample, so nobody knows how many people of the population \
         a class has, and no verdict on presence could be relied on: `palmtop estimate {}` says what can be estimated; where \
         P is all of the population, take `sample_of` out",
        path.display(),
        path.display()
    )]
    IsSample {
        /// The project.
        path: PathBuf,
        /// The people of the population.
        of: u64,
    },
    /// People who have several rows, where every row is taken for a person.
    #[error(
        "project {}: `{attribute}` has `role = \"entity\"`, so people have several rows, and this counts a row for a person; `check`, \
         `classes`, `lattice`, `risk` of nodes, `anonymize` with --strategy spalm or --node, and `verify` count them as people",
        path.display()
    )]
    HasEntities {
        /// The project.
        path: PathBuf,
        /// The attribute.
        attribute: String,
    },
    /// Rows of T that P has not so often, where people have several.
    #[error(
        "{}: {rows} of its rows are not in the public table, or not so often, such as row {first} (header not counted): people have several \
         rows in this project, and T has to hold its people with all of their rows as the public table has them; correct these rows, or \
         take the people out",
        path.display()
    )]
    OtherRows {
        /// T.
        path: PathBuf,
        /// How many rows.
        rows: u64,
        /// The first of them.
        first: String,
    },
    /// A row of P or T that makes it impossible to count its person.
    #[error("{}, row {row} (header not counted), column `{column}`: {why}", path.display())]
    Entity {
        /// P, or T.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The column.
        column: String,
        /// Why not, and what to do.
        why: String,
    },
    /// Numbers that no estimate can be made with.
    #[error("project {}: {error}", path.display())]
    Estimate {
        /// The project.
        path: PathBuf,
        /// Why not.
        error: EstimateError,
    },
    /// A criterion that cannot be judged with T's sensitive values.
    #[error("project {}: [policy]: {error}", path.display())]
    Policy {
        /// The project.
        path: PathBuf,
        /// The criterion, and what is expected.
        error: CriterionError,
    },
    /// A workload that there cannot be.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// A number that no term can hold.
    #[error(transparent)]
    Term(#[from] TermError),
    /// The verifier cannot read the project file.
    #[error("the verifier's own reader: {0}")]
    SecondReading(palmtop_verify::ProjectError),
    /// The verifier reads something else in the project file than what was loaded.
    #[error(
        "project {}: {part} is not what was loaded: the file or its tables were changed meanwhile, or palmtop reads the file in two ways; load \
         the project again; nothing was verified",
        path.display()
    )]
    TwoReadings {
        /// The project file.
        path: PathBuf,
        /// The part of the project.
        part: String,
    },
    /// Tables that make no valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Columns of T that the project does not list.
    #[error("{}: {} in no [[attribute]]; list {them} with a role, or set `unlisted = \"drop\"` under [private]", path.display(), listed(columns), them = if columns.len() == 1 { "it" } else { "them" })]
    Unlisted {
        /// T.
        path: PathBuf,
        /// Its columns.
        columns: Vec<String>,
    },
    /// A sensitive or insensitive column that P has too.
    #[error("{}: {} column `{column}` is in the public table too, so an adversary who knows P finds people by it; make it quasi or identifier, or drop it", path.display(), role.as_str())]
    KnownToAll {
        /// P.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its role.
        role: Role,
    },
    /// The target's name is taken.
    #[error("{} exists; choose another name, or overwrite it with --force", path.display())]
    Exists {
        /// The target.
        path: PathBuf,
    },
    /// The target is one of the project's own files.
    #[error("{} is one of the files that the project is made of, and is never overwritten; choose another name", path.display())]
    TargetIsInput {
        /// The target.
        path: PathBuf,
    },
    /// The target would be a file of one of the tables.
    #[error(transparent)]
    TargetIsMatched(TargetError),
    /// The target is a session.
    #[error("{} is a session of this project, and is never overwritten; choose another name", path.display())]
    TargetIsSession {
        /// The target.
        path: PathBuf,
    },
    /// The target is the register of the project's releases.
    #[error("{} is the register of this project's releases, and is never overwritten; choose another name", path.display())]
    TargetIsRegister {
        /// The file.
        path: PathBuf,
    },
    /// The target was written a moment ago.
    #[error("{} was written by this very run, and is not overwritten by it; choose another name", path.display())]
    TargetIsWritten {
        /// The target.
        path: PathBuf,
    },
    /// The target's name is that of a folder, a device or a link.
    #[error("{} is not a regular file, and is not replaced by one; choose another name", path.display())]
    TargetIsNoFile {
        /// The target.
        path: PathBuf,
    },
    /// The release does not satisfy its policy, and nobody said to write it all the same.
    #[error(
        "the release {}; nothing was written (--allow-not-present writes it all the same)",
        breaks(achieved, delta, broken)
    )]
    NotPresent {
        /// What it has.
        achieved: Achieved,
        /// What it should keep.
        delta: Delta,
        /// The criteria beside δ that it breaks.
        broken: Vec<Standing>,
    },
    /// More rows than are written.
    #[error(transparent)]
    TooManyRows(#[from] TooManyRows),
    /// A value that is kept as it is and reads as a row of its own.
    #[error("{}, row {row} (header not counted), column `{column}`: the value has a line that reads as a row of the release; take the line break out of it, or drop the column", path.display())]
    RowInDisguise {
        /// T.
        path: PathBuf,
        /// The row, from 1, the header not counted.
        row: u64,
        /// The column.
        column: String,
    },
    /// The key of an identifier's pseudonyms.
    #[error("column `{column}`: {error}")]
    Key {
        /// The identifier's column in T.
        column: String,
        /// What is wrong with it, and what to do.
        error: KeyError,
    },
    /// A value of T that gets no pseudonym, or one of P that would make pseudonyms tell something.
    #[error("{}{}, column `{column}`: {why}", path.display(), row.map(|row| format!(", row {row} (header not counted)")).unwrap_or_default())]
    Pseudonym {
        /// T, or P.
        path: PathBuf,
        /// The row, from 1, the header not counted, where it is one.
        row: Option<u64>,
        /// The column.
        column: String,
        /// Why not, and what to do.
        why: String,
    },
    /// The written file did not stand up to verification; it was removed.
    #[error("the written file failed its verification and was removed: {0}")]
    Unfaithful(String),
    /// A file changed since it was loaded.
    #[error("{} changed since it was loaded; load the project again", path.display())]
    InputChanged {
        /// The file.
        path: PathBuf,
    },
    /// A column that is measured and was not read.
    #[error("{}: column `{column}` was not read, so nothing of it can be measured; load the project again", path.display())]
    NotRead {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// The verifier could not read its inputs.
    #[error(transparent)]
    Verify(VerifyError),
    /// A row of a written release that occurs more often than people of P match it.
    #[error("{}, line {line}: its quasi-identifiers occur {rows} times, but only {people} individuals in P match them; it is no release of a part of this public table", path.display())]
    BeyondPublic {
        /// The release.
        path: PathBuf,
        /// The first line that has the row.
        line: u64,
        /// How often it occurs.
        rows: u64,
        /// How many people match it.
        people: u64,
    },
    /// Releases that members may be missing from.
    #[error("project {}: `suppress_at_most` under [policy] lets members be missing from releases, so whoever matches no row may be in T; releases are composed only where every member has a row", path.display())]
    MayBeWithdrawn {
        /// The project.
        path: PathBuf,
    },
    /// Written releases that do not go together.
    #[error("{}", explain(paths, error))]
    Together {
        /// The releases.
        paths: Vec<PathBuf>,
        /// Why.
        error: ComposeError,
    },
    /// Releases with the same pseudonyms, of a project that has new ones in each.
    #[error("{} and {} share pseudonyms, which new ones never do, and are linked by them; give `pseudonym` the key and the domain that they were made by", first.display(), second.display())]
    SharedPseudonyms {
        /// One release.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// A release that nothing can be made beside.
    #[error("{}: nothing can be made beside it, as it {why}", path.display())]
    NotBeside {
        /// The release.
        path: PathBuf,
        /// Why not, and what to do.
        why: String,
    },
    /// A release that does not keep δ together with an earlier one.
    #[error("together with {} the release takes {people} people out of δ; nothing was written", path.display())]
    NotPresentTogether {
        /// The earlier release.
        path: PathBuf,
        /// How many people leave δ.
        people: u64,
    },
    /// A P that is not kept reduced, though that was asked for.
    #[error("project {}: P cannot be kept reduced: {why}", path.display())]
    NotReduced {
        /// The project.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A hierarchy that cannot be edited so, or cannot be written.
    #[error(transparent)]
    Edit(EditError),
    /// A project whose line for a hierarchy cannot be found.
    #[error("{}: the line of [[attribute]] `{attribute}` that names its hierarchy cannot be found; write it yourself: {line}", path.display())]
    NoLine {
        /// The project.
        path: PathBuf,
        /// The attribute.
        attribute: String,
        /// What it should be.
        line: String,
    },
    /// A project whose lines of δ cannot be found.
    #[error("{}: the lines of δ cannot be found; write them yourself: {lines}", path.display())]
    NoDeltaLine {
        /// The project.
        path: PathBuf,
        /// What they should be.
        lines: String,
    },
    /// Whoever watched said stop.
    #[error("stopped on request before it was done; nothing was written")]
    Cancelled,
}

impl From<DataError> for PipelineError {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Cancelled => Self::Cancelled,
            error => Self::Data(error),
        }
    }
}

impl From<TargetError> for PipelineError {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Exists { path } => Self::Exists { path },
            TargetError::IsInput { path } => Self::TargetIsInput { path },
            error @ TargetError::IsMatched { .. } => Self::TargetIsMatched(error),
            TargetError::IsSession { path } => Self::TargetIsSession { path },
            TargetError::IsRegister { path } => Self::TargetIsRegister { path },
            TargetError::IsWritten { path } => Self::TargetIsWritten { path },
            TargetError::IsNoFile { path } => Self::TargetIsNoFile { path },
            TargetError::Disk(error) => error.into(),
        }
    }
}

impl From<VerifyError> for PipelineError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Cancelled => Self::Cancelled,
            error => Self::Verify(error),
        }
    }
}

/// What a release breaks: δ unless there is something else that it breaks and not δ.
fn breaks(achieved: &Achieved, delta: &Delta, broken: &[Standing]) -> String {
    let mut reasons = Vec::new();
    if achieved.min < delta.floor() || achieved.max > delta.max() || broken.is_empty() {
        let Achieved { min, max } = achieved;
        reasons.push(format!("is not δ-present: presence {min} to {max}, δ {delta}"));
    }
    reasons.extend(broken.iter().map(|standing| format!("breaks {standing}")));
    reasons.join(", and ")
}

fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
    match columns {
        [_] => format!("column {} is", names.join(", ")),
        _ => format!("columns {} are", names.join(", ")),
    }
}
