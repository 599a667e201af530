//! The forms of published texts, and the forms of the files that explain them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use palmtop_core::model::Hierarchy;
use palmtop_project::values;

/// The form of a published text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextForm {
    /// A value or a label of the hierarchy.
    Label,
    /// `[low, high]`.
    Range,
    /// `{a, b}`.
    Set,
    /// `L except {a, b}`.
    Except,
}

values!(TextForm);

impl TextForm {
    /// The form of a text of the release.
    pub(super) fn of(hierarchy: &Hierarchy, text: &str) -> Self {
        let is_label =
            || hierarchy.levels().any(|level| hierarchy.labels(level).iter().any(|entry| entry == text));
        match text.strip_suffix('}') {
            Some(inside) if inside.starts_with('{') => Self::Set,
            Some(inside) if inside.contains(" except {") => Self::Except,
            // A label of the hierarchy may look like a range that lacks its last value: `[20, 30)`.
            _ if text.starts_with('[') && (text.ends_with(']') || !is_label()) => Self::Range,
            _ => Self::Label,
        }
    }

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Range => "range",
            Self::Set => "set",
            Self::Except => "except",
        }
    }
}

/// The form of a file with the code list or the mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodebookForm {
    /// A table with commas.
    Csv,
    /// A JSON object.
    Json,
    /// A page of Markdown.
    Markdown,
}

impl CodebookForm {
    /// The form of a file with this name; `None` for another ending.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "md" => Some(Self::Markdown),
            _ => None,
        }
    }
}
