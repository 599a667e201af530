//! The errors between a project and a written release.

use std::path::PathBuf;

use crate::compatibility::Refused;
use palmtop_core::located::LocatedError;
use palmtop_core::model::criterion::CriterionError;
use palmtop_core::model::{Delta, ModelError, Role, Standing, TermError};
use palmtop_measure::estimate::EstimateError;
use palmtop_measure::utility::WorkloadError;
use palmtop_search::compose::{Change, ComposeError};
use palmtop_search::release::Achieved;
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::edit::EditError;
use palmtop_tables::pseudonym::KeyError;
use palmtop_tables::write::{TargetError, TooManyRows};
use palmtop_verify::VerifyError;

/// Any error between a project and a written release.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The project file is invalid or cannot be read, or another error with a location.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// A table or a hierarchy is invalid or cannot be read.
    #[error(transparent)]
    Data(DataError),
    /// Frames or their settings allow no analysis.
    #[error("tables in memory: {detail}")]
    Frame {
        /// The fault, in words.
        detail: String,
    },
    /// The project does not combine with the request.
    #[error("project {}: {refused}", path.display())]
    Refused {
        /// The project file.
        path: PathBuf,
        /// The two features, and the reason.
        refused: Refused,
    },
    /// People have several rows, and P lacks rows of T or has them less often.
    #[error(
        "{}: {rows} of its rows are not in the public table, or less often there, such as row {first} (header not counted): people have several \
         rows in this project, and the public table must have all rows of every person in T; correct these rows, or remove these people",
        path.display()
    )]
    OtherRows {
        /// The file of T.
        path: PathBuf,
        /// The number of these rows.
        rows: u64,
        /// The first of these rows, in words.
        first: String,
    },
    /// A row of P or T prevents the counting of its person.
    #[error("{}, row {row} (header not counted), column `{column}`: {why}", path.display())]
    Entity {
        /// The file of P or of T.
        path: PathBuf,
        /// The row, from 1, without the header.
        row: u64,
        /// The column of the row.
        column: String,
        /// The reason and the remedy, in words.
        why: String,
    },
    /// A person of a written release has several values of a sensitive attribute.
    #[error(
        "{}: column `{column}`: a person has several values, but risks of sensitive values count one of each person; give each person \
         one value",
        path.display()
    )]
    TwoValues {
        /// The file of the release.
        path: PathBuf,
        /// The column of the attribute.
        column: String,
    },
    /// No estimate is possible with the given numbers.
    #[error("project {}: {error}", path.display())]
    Estimate {
        /// The project file.
        path: PathBuf,
        /// The reason.
        error: EstimateError,
    },
    /// A criterion cannot be evaluated with T's sensitive values.
    #[error("project {}: [policy]: {error}", path.display())]
    Policy {
        /// The project file.
        path: PathBuf,
        /// The criterion and the expected input.
        error: CriterionError,
    },
    /// No workload can be drawn.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// A number is too large for a term.
    #[error(transparent)]
    Term(#[from] TermError),
    /// The verifier cannot read the project file.
    #[error("the reader of `verify`: {0}")]
    SecondReading(palmtop_verify::ProjectError),
    /// The verifier reads the project file differently from the loader.
    #[error(
        "project {}: {part} differs from what was loaded: the file or its tables have changed, or the two readers of palmtop disagree; load \
         the project again; nothing was verified",
        path.display()
    )]
    TwoReadings {
        /// The project file.
        path: PathBuf,
        /// The part of the project that differs.
        part: String,
    },
    /// The tables give no valid problem.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The project does not list all columns of T.
    #[error("{}: {} in no [[attribute]]; list {them} with a role, or set `unlisted = \"drop\"` under [private]", path.display(), listed(columns), them = if columns.len() == 1 { "it" } else { "them" })]
    Unlisted {
        /// The file of T.
        path: PathBuf,
        /// The columns that the project does not list.
        columns: Vec<String>,
    },
    /// P has a sensitive or insensitive column.
    #[error("{}: {} column `{column}` is in the public table too, so an attacker who knows P finds people by it; make it quasi or identifier, or drop it", path.display(), role.as_str())]
    KnownToAll {
        /// The file of P.
        path: PathBuf,
        /// The column of P.
        column: String,
        /// The role of the column.
        role: Role,
    },
    /// The target file already exists.
    #[error("{} exists; choose another name, or overwrite it with --force", path.display())]
    Exists {
        /// The target file.
        path: PathBuf,
    },
    /// The target is a file of the project.
    #[error("{} is a file of this project, and is never overwritten; choose another name", path.display())]
    TargetIsInput {
        /// The target file.
        path: PathBuf,
    },
    /// The target would become a file of one of the tables.
    #[error(transparent)]
    TargetIsMatched(TargetError),
    /// The target is a session.
    #[error("{} is a session of this project, and is never overwritten; choose another name", path.display())]
    TargetIsSession {
        /// The target file.
        path: PathBuf,
    },
    /// The target is the register of the project's releases.
    #[error("{} is the register of this project's releases, and is never overwritten; choose another name", path.display())]
    TargetIsRegister {
        /// The file of the register.
        path: PathBuf,
    },
    /// The same run has already written the target.
    #[error("{} was written by this run, and is not overwritten; choose another name", path.display())]
    TargetIsWritten {
        /// The target file.
        path: PathBuf,
    },
    /// The target's name belongs to a folder, a device or a link.
    #[error("{} is not a regular file, and is not replaced by one; choose another name", path.display())]
    TargetIsNoFile {
        /// The target path.
        path: PathBuf,
    },
    /// The release does not satisfy its policy, and the options do not allow this.
    #[error(
        "the release {}; nothing was written; --allow-not-present writes it nevertheless",
        breaks(achieved, delta, broken)
    )]
    NotPresent {
        /// The presence that the release achieves.
        achieved: Achieved,
        /// The required δ.
        delta: Delta,
        /// The broken criteria other than δ.
        broken: Vec<Standing>,
    },
    /// The release has too many rows to write.
    #[error(transparent)]
    TooManyRows(#[from] TooManyRows),
    /// A value that is published unchanged looks like a row of the release.
    #[error("{}, row {row} (header not counted), column `{column}`: the value has a line that reads as a row of the release; remove the line break, or drop the column", path.display())]
    RowInDisguise {
        /// The file of T.
        path: PathBuf,
        /// The row, from 1, without the header.
        row: u64,
        /// The column of the value.
        column: String,
    },
    /// The key of an identifier's pseudonyms is invalid.
    #[error("column `{column}`: {error}")]
    Key {
        /// The identifier's column in T.
        column: String,
        /// The fault and the remedy.
        error: KeyError,
    },
    /// A value of T gets no pseudonym, or a value of P would make pseudonyms reveal identities.
    #[error("{}{}, column `{column}`: {why}", path.display(), row.map(|row| format!(", row {row} (header not counted)")).unwrap_or_default())]
    Pseudonym {
        /// The file of T or of P.
        path: PathBuf,
        /// The row, from 1, without the header; `None` if the error concerns no single row.
        row: Option<u64>,
        /// The column of the value.
        column: String,
        /// The reason and the remedy, in words.
        why: String,
    },
    /// The written file failed its verification and was removed.
    #[error("the written file failed its verification and was removed: {0}")]
    Unfaithful(String),
    /// A file changed since it was loaded.
    #[error("{} changed since it was loaded; load the project again", path.display())]
    InputChanged {
        /// The changed file.
        path: PathBuf,
    },
    /// A column is needed for a measure and was not read.
    #[error("{}: column `{column}` was not read, so it cannot be measured; load the project again", path.display())]
    NotRead {
        /// The file that was read.
        path: PathBuf,
        /// The missing column.
        column: String,
    },
    /// The verifier could not read its inputs.
    #[error(transparent)]
    Verify(VerifyError),
    /// A row of a written release occurs more often than people of P match it.
    #[error("{}, line {line}: its quasi-identifiers occur {rows} times, but only {people} individuals in P match them; the file is not a release of a part of this public table", path.display())]
    BeyondPublic {
        /// The file of the release.
        path: PathBuf,
        /// The first line that has the row.
        line: u64,
        /// The number of its occurrences.
        rows: u64,
        /// The number of people of P who match it.
        people: u64,
    },
    /// Members may be missing from a release, and their number cannot be known.
    #[error("{}: {}", path.display(), unknown_withdrawn(*has_changed))]
    UnknownWithdrawn {
        /// The file of the release.
        path: PathBuf,
        /// Whether T is declared to have changed between the releases.
        has_changed: bool,
    },
    /// Written releases do not fit together.
    #[error("{}", explain(paths, error))]
    Together {
        /// The files of the releases.
        paths: Vec<PathBuf>,
        /// The reason.
        error: ComposeError,
    },
    /// Releases share pseudonyms, although the project declares new ones for each release.
    #[error("{} and {} share pseudonyms, which link them; new pseudonyms are never the same; give `pseudonym` the key and the domain of the earlier release", first.display(), second.display())]
    SharedPseudonyms {
        /// One of the releases.
        first: PathBuf,
        /// Another release with the same pseudonyms.
        second: PathBuf,
    },
    /// No new release can be combined with an earlier one.
    #[error("{}: nothing can be made beside it, as it {why}", path.display())]
    NotBeside {
        /// The earlier release.
        path: PathBuf,
        /// The reason and the remedy, in words.
        why: String,
    },
    /// A release does not keep δ together with an earlier one.
    #[error("together with {}, the release puts {people} people outside δ; nothing was written", path.display())]
    NotPresentTogether {
        /// The earlier release.
        path: PathBuf,
        /// The number of people outside δ.
        people: u64,
    },
    /// The requested reduction of P was not written.
    #[error("project {}: the reduction of P cannot be kept: {why}", path.display())]
    NotReduced {
        /// The project file.
        path: PathBuf,
        /// The reason, in words.
        why: String,
    },
    /// A hierarchy does not allow the edit, or cannot be written.
    #[error(transparent)]
    Edit(EditError),
    /// The line of a hierarchy was not found in the project file.
    #[error("{}: the line of [[attribute]] `{attribute}` that names its hierarchy cannot be found; write it yourself: {line}", path.display())]
    NoLine {
        /// The project file.
        path: PathBuf,
        /// The attribute of the hierarchy.
        attribute: String,
        /// The line to write.
        line: String,
    },
    /// The lines of δ were not found in the project file.
    #[error("{}: the lines of δ cannot be found; write them yourself: {lines}", path.display())]
    NoDeltaLine {
        /// The project file.
        path: PathBuf,
        /// The lines to write.
        lines: String,
    },
    /// The observer or the meter stopped the work.
    #[error("stopped on request; nothing was written")]
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

/// The broken requirements. δ is among them unless the release keeps δ and breaks another
/// criterion.
fn breaks(achieved: &Achieved, delta: &Delta, broken: &[Standing]) -> String {
    let mut reasons = Vec::new();
    if achieved.min < delta.floor() || achieved.max > delta.max() || broken.is_empty() {
        let Achieved { min, max } = achieved;
        reasons.push(format!("is not δ-present: presence {min} to {max}, δ {delta}"));
    }
    reasons.extend(broken.iter().map(|standing| format!("breaks {standing}")));
    reasons.join(", and ")
}

fn unknown_withdrawn(has_changed: bool) -> &'static str {
    if has_changed {
        "some people of P match no row, and `suppress_at_most` lets members be among them; how many depends on |T| at \
         the time of the release, which is unknown if T changed; compose releases of one T, or releases in which \
         everyone matches a row"
    } else {
        "some people of P match no row, and `suppress_at_most` lets members be among them; how many is known only of \
         a faithful release of the present T, and this is none: `verify` lists the reasons"
    }
}

fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
    match columns {
        [_] => format!("column {} is", names.join(", ")),
        _ => format!("columns {} are", names.join(", ")),
    }
}

/// The reason why releases do not fit together, with their files and the remedy.
fn explain(paths: &[PathBuf], error: &ComposeError) -> String {
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
