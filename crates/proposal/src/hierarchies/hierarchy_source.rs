//! The source of a proposed hierarchy.

use std::path::PathBuf;
use std::sync::Arc;

use crate::words;
use palmtop_tables::hierarchies::build::Recipe;

/// The source of a proposed hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HierarchySource {
    /// A file of the analyst. It is not copied.
    File(PathBuf),
    /// A hierarchy of palmtop, by its file name. It is written into a folder next to the project.
    Carried(&'static str),
    /// A ready list of palmtop, with P's values. It is written into a folder next to the project.
    Ready(ReadyHierarchy),
    /// A hierarchy that is built from P's values. It is written into a folder next to the project.
    Built(Recipe),
    /// A hierarchy from a project of another program. It is written into a folder next to the project.
    Imported(ImportedHierarchy),
}

/// A hierarchy from a project of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedHierarchy {
    /// The name of the file from which it comes, and the program.
    pub origin: String,
    /// The text of a CSV file with this hierarchy.
    pub text: Arc<str>,
    /// The number of its values and levels, in words.
    pub summary: String,
}

/// A ready list with the values of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyHierarchy {
    /// The name of the list, such as `country-iso2`.
    pub list: &'static str,
    /// The first source of the list with its date.
    pub origin: String,
    /// The text of a TOML file with this hierarchy.
    pub text: Arc<str>,
    /// The values that the list lacks, sorted.
    pub lacking: Vec<String>,
}

impl HierarchySource {
    /// The source in a few words: the name of its file, or the method that builds it.
    pub fn describe(&self) -> String {
        match self {
            Self::File(path) => words::shown(path),
            Self::Carried(name) => format!("palmtop's {name}"),
            Self::Ready(ready) => format!("palmtop's list {} (source: {})", ready.list, ready.origin),
            Self::Built(recipe) => recipe.describe(),
            Self::Imported(imported) => imported.summary.clone(),
        }
    }

    /// The source in fewer words, for a column of a table.
    pub fn brief(&self) -> String {
        match self {
            Self::File(path) => words::shown(path),
            Self::Carried(name) => (*name).to_owned(),
            Self::Ready(ready) => ready.list.to_owned(),
            Self::Built(recipe) => recipe.brief(),
            Self::Imported(_) => "imported".to_owned(),
        }
    }
}
