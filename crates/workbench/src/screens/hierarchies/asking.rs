//! The lines that the analyst types while editing a hierarchy, and the changes that they make.

use std::path::{Path, PathBuf};

use palmtop_core::model::Level;
use palmtop_tables::hierarchies::edit::{Change, Editable};

use crate::shared::intent::{Manner, Question};

/// The line of a text to find.
pub(super) const FIND: &str = "hierarchies.find";
/// The line of an edit.
const EDIT: &str = "hierarchies.edit";

/// The purpose of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The name of a new group of labels.
    Group { level: Level, labels: Vec<String> },
    /// A new name for a label.
    Rename { level: Level, label: String },
    /// The label one level up that gets some labels.
    Move { level: Level, labels: Vec<String> },
    /// The borders of a level.
    Borders { level: Level },
    /// The limit of the attribute, and the present one as it is typed.
    Limit { now: String },
    /// The file of the hierarchy.
    File,
    /// The file to save to.
    Save { folder: PathBuf },
}

impl Asked {
    /// The line to ask for, with its first text.
    pub(super) fn question(&self, hierarchy: &Editable) -> Question {
        let (manner, word, hint) = match self {
            Self::Group { .. } => (Manner::Whole, "group as", "a name for the marked labels, one level up"),
            Self::Rename { .. } => (Manner::Whole, "rename", "a new name for this label"),
            Self::Move { .. } => (Manner::Whole, "move into", "a label one level up, or its first letters"),
            Self::Borders { .. } => {
                (Manner::Followed, "borders", "each border starts a band: 0, 18, 65; Enter accepts")
            }
            Self::Limit { .. } => {
                (Manner::Followed, "limit", "terms 3, borders 1 or none; Enter writes it into the project")
            }
            Self::File => (Manner::Path, "file", "a hierarchy, .csv or .toml; the project is read again"),
            Self::Save { .. } => {
                (Manner::Whole, "save as", "a new file; the project then uses it and is read again")
            }
        };
        let text = match self {
            Self::Group { level, labels } => hierarchy.suggested_name(*level, labels).unwrap_or_default(),
            Self::Rename { label, .. } => label.clone(),
            Self::Limit { now } => now.clone(),
            Self::Borders { level } => {
                let borders = hierarchy.borders(*level);
                borders.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            }
            Self::Move { .. } | Self::Save { .. } | Self::File => String::new(),
        };
        Question { id: EDIT, manner, word, hint, text }
    }

    /// The change that a typed line makes; none if it names a file or a limit.
    pub(super) fn change(&self, hierarchy: &Editable, typed: &str) -> Result<Option<Change>, String> {
        let name = typed.trim().to_owned();
        Ok(Some(match self.clone() {
            Self::Group { level, labels } => Change::Group { level, labels, name },
            Self::Rename { level, label } => Change::Rename { level, label, name },
            Self::Move { level, labels } => {
                let into = label_like(hierarchy, Level(level.0.saturating_add(1)), &name)?;
                Change::Move { level, labels, into }
            }
            Self::Borders { level } => {
                let borders = hierarchy.typed_borders(typed).map_err(|error| error.to_string())?;
                Change::Borders { level, borders, follow: true }
            }
            Self::Limit { .. } | Self::Save { .. } | Self::File => return Ok(None),
        }))
    }

    /// The label that exists after the change of this line, with its level.
    pub(super) fn lands_on(&self, typed: &str) -> Option<(Level, String)> {
        match self {
            Self::Group { level, .. } => Some((Level(level.0 + 1), typed.trim().to_owned())),
            Self::Rename { level, .. } => Some((*level, typed.trim().to_owned())),
            Self::Move { level, labels } => Some((*level, labels.first()?.clone())),
            Self::Borders { .. } | Self::Limit { .. } | Self::Save { .. } | Self::File => None,
        }
    }
}

/// The path of a typed file name, relative to a folder.
pub(super) fn in_folder(folder: &Path, typed: &str) -> PathBuf {
    folder.join(typed.trim())
}

/// The only label of a level that equals a text, or starts with it in upper or lower case.
fn label_like(hierarchy: &Editable, level: Level, typed: &str) -> Result<String, String> {
    let labels = hierarchy.labels(level);
    if labels.contains(&typed) {
        return Ok(typed.to_owned());
    }
    let begins = |label: &&&str| !typed.is_empty() && label.to_lowercase().starts_with(&typed.to_lowercase());
    match labels.iter().filter(begins).collect::<Vec<_>>().as_slice() {
        [only] => Ok((**only).to_owned()),
        [] => Err(format!("level {level} has no label that starts with `{typed}`")),
        [first, second, ..] => {
            Err(format!("`{first}` and `{second}` both start with `{typed}`; type more letters"))
        }
    }
}
