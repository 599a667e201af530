//! For how many people a row of P stands, and whether they are in T.

use std::collections::BTreeMap;

/// The column that says for how many people a row stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountColumn {
    /// Its name.
    pub column: String,
    /// What its texts stand for that are no whole numbers, such as `<5`, as the project says.
    pub texts: BTreeMap<String, u64>,
}

impl CountColumn {
    /// The people that a text of it stands for, from 0 to 4294967295: what the project says, else a whole number, perhaps
    /// with zeros behind a point (`3.0`); `None` for any other text.
    pub fn people(&self, text: &str) -> Option<u64> {
        self.texts.get(text).copied().or_else(|| {
            let whole = text.split_once('.').map_or(Some(text), |(whole, fraction)| {
                let is_nothing = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
                is_nothing.then_some(whole)
            })?;
            whole_number(whole)
        })
    }
}

/// The column of P that says whose rows are T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberColumn {
    /// Its name.
    pub column: String,
    /// The texts that mark the people of T, where the project names them; every other text then marks nobody.
    pub is: Vec<String>,
}

impl MemberColumn {
    /// Whether a row with this text is of T; `None` for a text that says neither, where the project names none.
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

/// A whole number of 32 bits: digits alone.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse::<u32>().ok().map(u64::from) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_numbers_or_what_the_project_says() {
        let texts = BTreeMap::from([("<5".to_owned(), 3)]);
        let count = CountColumn { column: "n".to_owned(), texts };
        for (text, people) in [("7", 7), ("007", 7), ("3.0", 3), ("12.000", 12), ("0", 0), ("<5", 3)] {
            assert_eq!(count.people(text), Some(people), "{text:?}");
        }
        for text in ["", "-1", "+1", "1.5", "1.", ".0", "1e3", " 1", "<6", "4294967296", "1,000"] {
            assert_eq!(count.people(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_membership_is_yes_or_no_or_what_the_project_says() {
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
