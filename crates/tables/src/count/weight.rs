//! The number of people of a row of P, and whether they are in T.

use std::collections::BTreeMap;

use crate::values::reading::NumberForm;

/// The column with the number of people of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountColumn {
    /// Its name.
    pub column: String,
    /// The project's numbers for texts that are not whole numbers, such as `<5`.
    pub texts: BTreeMap<String, u64>,
    /// How its numbers are written, if they have thousands separators or a decimal comma.
    pub number: Option<NumberForm>,
}

impl CountColumn {
    /// A column of plain whole numbers.
    pub fn of(column: impl Into<String>) -> Self {
        Self { column: column.into(), texts: BTreeMap::new(), number: None }
    }

    /// The people of a text, from 0 to 4294967295: the project's number, or a whole number, with
    /// optional zeros after a point (`3.0`); `None` for other texts.
    pub fn people(&self, text: &str) -> Option<u64> {
        self.texts.get(text).copied().or_else(|| {
            let Some(form) = self.number else { return plain_count(text) };
            plain_count(&form.read_exact(text)?)
        })
    }
}

/// A whole number, with optional zeros after a point.
fn plain_count(text: &str) -> Option<u64> {
    let integer = text.split_once('.').map_or(Some(text), |(integer, fraction)| {
        let is_nothing = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
        is_nothing.then_some(integer)
    })?;
    whole_number(integer)
}

/// The column of P that marks the members of T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberColumn {
    /// Its name.
    pub column: String,
    /// The texts that mark members, if the project lists them; all other texts then mark
    /// non-members.
    pub is: Vec<String>,
}

impl MemberColumn {
    /// Whether a row with this text is in T; `None` if the project lists no texts and this one is
    /// neither true nor false.
    pub fn is_member(&self, text: &str) -> Option<bool> {
        if !self.is.is_empty() {
            return Some(self.is.iter().any(|known| known == text));
        }
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "y" => Some(true),
            "false" | "0" | "no" | "n" | "" => Some(false),
            _ => None,
        }
    }
}

/// A whole number, with or without thousands separators.
pub(super) fn count_like(text: &str) -> Option<u64> {
    let forms = [(',', '.'), ('.', ','), ('.', ' '), ('.', '\'')].into_iter();
    let mut forms = forms.map(|(decimal, thousands)| NumberForm::of(decimal, Some(thousands)));
    whole_number(text).or_else(|| forms.find_map(|form| whole_number(&form.read_exact(text)?)))
}

/// A whole number of 32 bits: only digits.
fn whole_number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse::<u32>().ok().map(u64::from) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_numbers_or_stated_texts() {
        let texts = BTreeMap::from([("<5".to_owned(), 3)]);
        let count = CountColumn { texts, ..CountColumn::of("n") };
        for (text, people) in [("7", 7), ("007", 7), ("3.0", 3), ("12.000", 12), ("0", 0), ("<5", 3)] {
            assert_eq!(count.people(text), Some(people), "{text:?}");
        }
        for text in ["", "-1", "+1", "1.5", "1.", ".0", "1e3", " 1", "<6", "4294967296", "1,000"] {
            assert_eq!(count.people(text), None, "{text:?}");
        }
    }

    #[test]
    fn counts_may_have_thousands_separators() {
        let number = Some(NumberForm::of('.', Some(',')));
        let count = CountColumn { number, ..CountColumn::of("n") };
        let people =
            ["1,073", "888", "1,000,000", "12.0", "1.5", "1,07", "-5"].map(|text| count.people(text));
        assert_eq!(people, [Some(1073), Some(888), Some(1_000_000), Some(12), None, None, None]);
    }

    #[test]
    fn membership_is_yes_or_no_or_as_stated() {
        let mut member = MemberColumn { column: "m".to_owned(), is: Vec::new() };
        for (text, is_member) in [
            ("TRUE", Some(true)),
            ("Y", Some(true)),
            ("1", Some(true)),
            ("No", Some(false)),
            ("", Some(false)),
            ("2", None),
            (" yes", None),
        ] {
            assert_eq!(member.is_member(text), is_member, "{text:?}");
        }
        member.is = vec!["2".to_owned()];
        assert_eq!(
            ["2", "1", "yes", ""].map(|text| member.is_member(text)),
            [true, false, false, false].map(Some)
        );
    }
}
