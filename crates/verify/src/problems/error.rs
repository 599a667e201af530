//! Errors that prevent a verification: an input cannot be read, or the inputs contradict each other.

use std::io;
use std::path::{Path, PathBuf};

use palmtop_terms::located::{Located, LocatedError, Place};
use palmtop_terms::words::short;

use super::finding::Finding;

/// An input that cannot be read, or inputs that contradict each other. Problems of the release itself are
/// [`Finding`](super::Finding)s.
///
/// The text of an error may contain values of the tables: print it to stderr only.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// An error of a file or of the project, with its position and what to do.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// A release that cannot be matched with P: a part is unreadable, or the file contains more than its rows.
    #[error("{} cannot be read as a release: {}", path.display(), findings(problems))]
    Unread {
        /// The release.
        path: PathBuf,
        /// The findings that prevent the match.
        problems: Vec<Finding>,
    },
    /// The meter asked to stop.
    #[error("stopped on request")]
    Cancelled,
}

impl Located for VerifyError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Located(error) => error.places(),
            Self::Unread { path, problems: _ } => vec![Place::of(path)],
            Self::Cancelled => Vec::new(),
        }
    }
}

impl VerifyError {
    /// Wraps an error of the operating system with the path of the file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |reason| LocatedError::cannot("read", path, reason).into()
    }

    /// A file that is too large to be loaded into memory; the limit is in bytes.
    pub(crate) fn too_large(path: &Path, most: u64) -> Self {
        LocatedError::new(format!("the file is larger than {most} bytes, the limit for this kind of file"))
            .in_file(path)
            .remedy("make it smaller")
            .into()
    }

    /// A hierarchy that cannot be read, is not nested, or is ambiguous; in one line, counted from 1, or as a whole.
    pub(crate) fn hierarchy(path: &Path, line: Option<u64>, detail: impl Into<String>) -> Self {
        let error = LocatedError::new(detail).in_named("hierarchy", path);
        line.into_iter().fold(error, LocatedError::at_line).into()
    }

    /// A quasi-identifier without a hierarchy.
    pub(crate) fn no_hierarchy(attribute: &str) -> Self {
        LocatedError::new(format!("attribute `{attribute}` is a quasi-identifier without a hierarchy"))
            .remedy("give it one")
            .into()
    }

    /// A value that is not written in the way that the project describes.
    pub(crate) fn misspelt(table: &Path, column: &str, value: &str, expected: String) -> Self {
        LocatedError::new(format!("`{}` cannot be read", short(value)))
            .in_file(table)
            .at_column(column)
            .expected(expected)
            .into()
    }

    /// An unknown criterion, or a requirement that cannot be read.
    pub(crate) fn policy(key: &str, text: &str, expected: &str) -> Self {
        LocatedError::new(format!("[policy]: `{key} = {text}` is not allowed")).expected(expected).into()
    }

    /// A setting or a request that is not supported if people have several rows; `setting` is a noun phrase.
    pub(crate) fn not_of_entities(attribute: &str, setting: &str) -> Self {
        LocatedError::new(format!(
            "attribute `{attribute}` has `role = \"entity\"`, which cannot be combined with {setting}"
        ))
        .remedy("remove one of them")
        .into()
    }
}

fn findings(problems: &[Finding]) -> String {
    let text = |problem: &Finding| match problem.details() {
        Some(details) => format!("{problem}: {details}"),
        None => problem.to_string(),
    };
    problems.iter().map(text).collect::<Vec<_>>().join("; ")
}
