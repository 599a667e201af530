//! How the texts of a column become values: from a cell to the one text of its value, or to a
//! missing value.
//!
//! Only quasi-identifiers are read this way. Identifiers and columns that are published unchanged
//! keep their texts. Each distinct text is read once.

mod date;
mod pattern;
pub(crate) mod month;
mod number;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use date::DateForm;
pub use number::NumberForm;

/// How the texts of one column of one table are read; by default each text is its own value.
///
/// The steps, in this order: trim, spellings, missing values, form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether spaces around a value are removed.
    pub trim: bool,
    /// Spellings, each with the value that it means.
    pub values: BTreeMap<String, String>,
    /// The texts that mean a missing value.
    pub missing: Vec<String>,
    /// The label for missing values, if a person in P or T may lack the value. No value may equal
    /// it.
    pub missing_label: Option<String>,
    /// How numbers or dates are written.
    pub form: Form,
}

/// How the values of a column are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As texts, unchanged: codes keep their zeros.
    #[default]
    Text,
    /// As numbers; the value is a plain decimal without redundant zeros.
    Number(NumberForm),
    /// As dates; the value is the day, `2024-01-05`.
    Date(DateForm),
}

/// Why a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Misread {
    /// The text is not a number or date in the project's form.
    Form,
    /// The text is a value that equals the label for missing values.
    IsLabel,
}

impl Reading {
    /// Each text is its own value.
    pub const PLAIN: Self = Self {
        trim: false,
        values: BTreeMap::new(),
        missing: Vec::new(),
        missing_label: None,
        form: Form::Text,
    };

    /// The default label for missing values.
    pub const UNKNOWN: &str = "unknown";

    /// Whether each text is its own value.
    pub fn is_plain(&self) -> bool {
        let is_as_it_stands = !self.trim && self.values.is_empty() && self.form == Form::Text;
        is_as_it_stands && self.missing_label.is_none()
    }

    /// The value of a text; [`missing_label`](Self::missing_label) if the text means a missing
    /// value.
    ///
    /// # Errors
    /// A [`Misread`].
    pub fn read<'a>(&'a self, text: &'a str) -> Result<Cow<'a, str>, Misread> {
        let text = if self.trim { text.trim() } else { text };
        let text = self.values.get(text).map_or(text, String::as_str);
        if let Some(label) = &self.missing_label
            && self.missing.iter().any(|missing| missing == text)
        {
            return Ok(Cow::Borrowed(label));
        }
        let value = match &self.form {
            Form::Text => Cow::Borrowed(text),
            Form::Number(form) => form.read(text).map(Cow::Owned).ok_or(Misread::Form)?,
            Form::Date(form) => form.read(text).map(Cow::Owned).ok_or(Misread::Form)?,
        };
        // One text with two meanings would be ambiguous in a release.
        if self.missing_label.as_deref() == Some(&*value) {
            return Err(Misread::IsLabel);
        }
        Ok(value)
    }
}

impl Form {
    /// The form that a text must have, with an example.
    pub fn expected(&self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Number(form) => form.expected(),
            Self::Date(form) => form.expected(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading() -> Reading {
        Reading { missing_label: Some(Reading::UNKNOWN.to_owned()), ..Reading::default() }
    }

    #[test]
    fn text_is_trimmed_respelled_then_checked_for_missing() {
        let number = Form::Number(NumberForm::new(',', None).unwrap());
        let read = Reading {
            trim: true,
            values: [("?".to_owned(), "NA".to_owned()), ("forty".to_owned(), "40,0".to_owned())].into(),
            missing: vec![String::new(), "NA".to_owned()],
            form: number,
            ..reading()
        };
        for (text, value) in [
            (" 39,50 ", Ok("39.5")),
            ("", Ok("unknown")),
            ("   ", Ok("unknown")),
            (" ? ", Ok("unknown")),
            ("forty", Ok("40")),
            ("na", Err(Misread::Form)),
            ("39.5", Err(Misread::Form)),
        ] {
            assert_eq!(read.read(text), value.map(Cow::Borrowed), "{text:?}");
        }
    }

    // holds: Spelling is nothing
    #[test]
    fn default_reading_leaves_codes_unchanged() {
        for text in ["007", " 7", "", "NA", "7.0", "unknown"] {
            assert_eq!(Reading::default().read(text), Ok(Cow::Borrowed(text)));
        }
        assert!(Reading::default().is_plain() && !reading().is_plain());
    }

    #[test]
    fn value_equal_to_the_missing_label_is_refused() {
        let read = Reading { missing: vec!["NA".to_owned()], ..reading() };
        assert_eq!(read.read("unknown"), Err(Misread::IsLabel));
        // The other table may have missing values.
        assert_eq!(reading().read("unknown"), Err(Misread::IsLabel));
        let both = Reading { missing: vec!["NA".to_owned(), "unknown".to_owned()], ..reading() };
        assert_eq!(both.read("unknown"), Ok(Cow::Borrowed("unknown")));
    }
}
