//! The forms of texts in the code list, and the forms of the files that explain a release.

use std::path::Path;

use serde::{Deserialize, Serialize};

use palmtop_project::values;

/// The form of a text in the code list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextForm {
    /// A value of P, which means itself.
    Value,
    /// The label of people without a value.
    Missing,
    /// A label of the hierarchy.
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
    /// The form of a text that is neither a value nor a label.
    pub(super) fn of_formula(text: &str) -> Self {
        match text.strip_suffix('}') {
            Some(inside) if inside.starts_with('{') => Self::Set,
            Some(_) => Self::Except,
            None => Self::Range,
        }
    }

    /// The word in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Missing => "missing",
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
}

impl CodebookForm {
    /// The form of a file with this name; `None` for another ending.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The ending of the file's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}
