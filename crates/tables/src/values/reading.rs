//! How the texts of a column are read: from what stands in a cell to the one text of its value, or to "no value".
//!
//! Only quasi-identifiers are read so; identifiers and what is published unchanged stay as they stand. Each distinct text is
//! read once, whatever the number of rows.

mod date;
mod number;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use date::DateForm;
pub use number::NumberForm;

/// How the texts of one column of one table are read; by default as they stand.
///
/// The order is: blanks, spellings, missing values, form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether blanks around a value are no part of it.
    pub trim: bool,
    /// Spellings, and what each stands for.
    pub values: BTreeMap<String, String>,
    /// The texts that stand for no value.
    pub missing: Vec<String>,
    /// What no value is called, where somebody of P or of T may have none: no value may be called so.
    pub missing_label: Option<String>,
    /// How numbers or dates are written.
    pub form: Form,
}

/// How the values of a column are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As texts, to which nothing is done: codes keep their zeros.
    #[default]
    Text,
    /// As numbers; the value is the plain decimal without needless zeros.
    Number(NumberForm),
    /// As dates; the value is the day, `2024-01-05`.
    Date(DateForm),
}

/// Why a text cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Misread {
    /// It is no number or no date as the project says they are written.
    Form,
    /// It is a value, and yet what no value is called.
    IsLabel,
}

impl Reading {
    /// Every text is a value as it stands.
    pub const PLAIN: Self = Self {
        trim: false,
        values: BTreeMap::new(),
        missing: Vec::new(),
        missing_label: None,
        form: Form::Text,
    };

    /// What no value is called where the project does not say.
    pub const UNKNOWN: &str = "unknown";

    /// Whether every text stands for itself.
    pub fn is_plain(&self) -> bool {
        let is_as_it_stands = !self.trim && self.values.is_empty() && self.form == Form::Text;
        is_as_it_stands && self.missing_label.is_none()
    }

    /// The text of the value that a text stands for; [`missing_label`](Self::missing_label) where it stands for none.
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
        // One text would mean two things in a release.
        if self.missing_label.as_deref() == Some(&*value) {
            return Err(Misread::IsLabel);
        }
        Ok(value)
    }
}

impl Form {
    /// What is expected of a text, with an example.
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
    fn blanks_go_first_then_spellings_then_missing_values_then_the_form() {
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

    #[test]
    fn codes_keep_their_zeros_and_their_blanks_where_nothing_is_asked() {
        for text in ["007", " 7", "", "NA", "7.0", "unknown"] {
            assert_eq!(Reading::default().read(text), Ok(Cow::Borrowed(text)));
        }
        assert!(Reading::default().is_plain() && !reading().is_plain());
    }

    #[test]
    fn a_value_is_never_called_as_no_value_is() {
        let read = Reading { missing: vec!["NA".to_owned()], ..reading() };
        assert_eq!(read.read("unknown"), Err(Misread::IsLabel));
        // The other table may lack values.
        assert_eq!(reading().read("unknown"), Err(Misread::IsLabel));
        let both = Reading { missing: vec!["NA".to_owned(), "unknown".to_owned()], ..reading() };
        assert_eq!(both.read("unknown"), Ok(Cow::Borrowed("unknown")));
    }
}
