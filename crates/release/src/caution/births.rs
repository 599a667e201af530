//! Births after the day on which a release was made: a sign that years or dates are misread.

use super::{Caution, Key};
use crate::history::Moment;
use crate::pipeline::Analysis;
use palmtop_core::model::Kind;
use palmtop_tables::names::{plain_name, words};

/// The last birth of a quasi-identifier in P.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastBirth {
    attribute: String,
    /// A day `2024-03-31`, a month or a year.
    day: String,
}

impl LastBirth {
    /// The last births of a project, one for each quasi-identifier with the name of births.
    pub(super) fn all(analysis: &Analysis) -> Vec<Self> {
        let problem = analysis.problem();
        let last = |(index, quasi): (usize, &palmtop_core::model::QuasiIdentifier)| {
            let is_birth = quasi.hierarchy.kind() == Kind::Date && names_birth(&quasi.name);
            let people = problem.leaf_counts(index);
            let occurring = (0_u32..).zip(people).filter(|(_, people)| people.public > 0);
            let days = occurring.map(|(code, _)| quasi.hierarchy.leaf(code)).filter(|leaf| is_day(leaf));
            let day = days.max().filter(|_| is_birth)?.to_owned();
            Some(Self { attribute: quasi.name.clone(), day })
        };
        problem.quasi().iter().enumerate().filter_map(last).collect()
    }

    /// The caution, if the birth is after this day.
    pub(super) fn caution(&self, made: &Moment) -> Option<Caution> {
        let Self { attribute, day } = self;
        let made = made.to_string();
        let made = made.get(..10)?;
        if day.as_str() <= made.get(..day.len())? {
            return None;
        }
        let sentence = format!("`{attribute}` has births up to {day}, after the release was made ({made}).");
        let remedy = format!(
            "Correct how `{attribute}` is read: the `from` of years with two digits, or the order of day and month in `date`."
        );
        Some(Caution::new(Key::FutureBirth, sentence, remedy).about(attribute))
    }
}

/// Whether the name of a column is usual for births.
pub fn names_birth(name: &str) -> bool {
    const NAMES: [&str; 8] =
        ["dob", "birth", "birthday", "birthdate", "born", "geburtsdatum", "geburtstag", "dateofbirth"];
    const PARTS: [&str; 2] = ["naissance", "nacimiento"];
    let is_birth = |word: &str| NAMES.contains(&word) || PARTS.iter().any(|part| word.ends_with(part));
    is_birth(&plain_name(name)) || words(name).iter().any(|word| is_birth(word))
}

/// Whether a text is a day, a month or a year.
fn is_day(text: &str) -> bool {
    let is_digit = |(index, byte): (usize, u8)| {
        if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    };
    matches!(text.len(), 4 | 7 | 10) && text.bytes().enumerate().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_birth_is_not_after_the_release() {
        let made = Moment::read("2026-11-26T12:00:00Z").unwrap();
        for (day, is_late) in [
            ("2026-11-26", false),
            ("2026-11-27", true),
            ("2026-12", true),
            ("2026-11", false),
            ("2026", false),
            ("2043", true),
        ] {
            let birth = LastBirth { attribute: "dob".to_owned(), day: day.to_owned() };
            assert_eq!(birth.caution(&made).is_some(), is_late, "{day}");
        }
    }
}
