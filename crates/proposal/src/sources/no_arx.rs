//! The reasons why a project of ARX is no source of a proposal.

use std::path::PathBuf;

use palmtop_core::located::{Located, Place};

/// The reason why a project of ARX is no source of a proposal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoArx {
    /// The project has no research subset, so T is unknown.
    #[error("{}: the project has no research subset, so it does not show who is in T; name T after it", path.display())]
    NoSubset {
        /// The project of ARX.
        path: PathBuf,
    },
    /// The project has a research subset, but no file is named for it.
    #[error("{}: the research subset of the project is T; name a new CSV file for it after the project, or another T", path.display())]
    Unnamed {
        /// The project of ARX.
        path: PathBuf,
    },
    /// The project has no quasi-identifying column.
    #[error("{}: no column of the project is quasi-identifying, so no column can be generalized; choose the types of columns in ARX, and save the project again", path.display())]
    NoQuasi {
        /// The project of ARX.
        path: PathBuf,
    },
    /// A role was decided for a column that neither the project nor T has.
    #[error("{}: the project has no column `{column}`, for which a role was given; its columns are {}", path.display(), columns.join(", "))]
    NoColumn {
        /// The project of ARX.
        path: PathBuf,
        /// The column.
        column: String,
        /// The columns of the project.
        columns: Vec<String>,
    },
}

impl Located for NoArx {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::NoSubset { path }
            | Self::Unnamed { path }
            | Self::NoQuasi { path }
            | Self::NoColumn { path, column: _, columns: _ } => vec![Place::of(path)],
        }
    }
}
