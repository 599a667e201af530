//! Groups the rows of people who have several by person, in both tables by the entity (an identifier).

use rustc_hash::{FxHashMap, FxHashSet};

use super::count::{Rows, Tally};
use super::counted::People;
use super::layout::Layout;
use super::settings::AttributeSpec;
use crate::problems::{Finding, FindingKind, Problems, VerifyError};
use palmtop_terms::LocatedError;

/// A person in P or T.
#[derive(Debug, Default)]
pub(crate) struct Person {
    /// The combinations of the person's rows in P, ascending. `None` for a row with a value that is no leaf: it matches nothing.
    pub(crate) public: Vec<Option<usize>>,
    /// The combinations of the person's rows in T, ascending, each with the kept values.
    pub(crate) private: Vec<(usize, Vec<String>)>,
    /// Whether a row of the person in T has a value that nobody in P has.
    is_unknown: bool,
}

impl Person {
    pub(crate) fn is_member(&self) -> bool {
        self.is_unknown || !self.private.is_empty()
    }
}

/// The people of both tables with their rows.
#[derive(Debug)]
pub(crate) struct Entities {
    pub(crate) people: Vec<Person>,
}

impl Entities {
    /// Groups the rows of both tallies by person. The last column of each tally is the identifier.
    pub(crate) fn read(
        people: &People,
        layout: &Layout,
        public: &Tally,
        private: &Tally,
        progress: &mut Rows,
    ) -> Result<Self, VerifyError> {
        let (public_last, private_last) = (people.quasi.len(), people.quasi.len() + people.kept_width());
        let entity = layout.attributes.iter().find(|attribute| attribute.is_entity);
        let column = |entity: &AttributeSpec| layout.private_column(entity).to_owned();
        let tables = [
            (&layout.public.path, public, public_last, entity.map(|entity| entity.public_column.clone())),
            (&layout.private().path, private, private_last, entity.map(column)),
        ];
        for (path, tally, last, column) in tables {
            let refused = |why: &str| {
                LocatedError::new(why).in_file(path).at_column(column.clone().unwrap_or_default())
            };
            check_distinct(&tally.columns[last].texts).map_err(refused)?;
        }
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        let mut all: Vec<Person> = Vec::new();
        let mut person = |all: &mut Vec<Person>, text| {
            *numbers.entry(text).or_insert_with(|| {
                all.push(Person::default());
                all.len() - 1
            })
        };
        public.visit(|ids, rows| {
            let index =
                person(&mut all, public.columns[public_last].texts[ids[public_last] as usize].as_str());
            let combination = people.public_combination(public, ids);
            all[index].public.extend((0..rows).map(|_| combination));
            progress.tick()
        })?;
        private.visit(|ids, rows| {
            let index =
                person(&mut all, private.columns[private_last].texts[ids[private_last] as usize].as_str());
            let values = private.texts(&ids[..private_last]).split_off(public_last);
            match people.private_combination(private, ids) {
                Some(combination) => {
                    all[index].private.extend((0..rows).map(|_| (combination, values.clone())));
                }
                None => all[index].is_unknown = true,
            }
            progress.tick()
        })?;
        for person in &mut all {
            person.public.sort_unstable();
            person.private.sort_unstable();
            progress.tick()?;
        }
        Ok(Self { people: all })
    }

    /// The numbers of people in P and in T.
    pub(crate) fn totals(&self) -> (u64, u64) {
        let public = self.people.iter().filter(|person| !person.public.is_empty()).count();
        let private = self.people.iter().filter(|person| person.is_member()).count();
        (public as u64, private as u64)
    }

    /// Checks that each member of T has the same rows in P. Presence is undefined otherwise.
    pub(crate) fn check_subset(&self, problems: &mut Problems) {
        let differs = |person: &&Person| {
            let private = person.private.iter().map(|(combination, _)| Some(*combination));
            person.is_member() && (person.is_unknown || !private.eq(person.public.iter().copied()))
        };
        let people = self.people.iter().filter(differs).count() as u64;
        if people > 0 {
            let problem = match people {
                1 => "1 member of T has different rows in T and in P, or is not in P".to_owned(),
                _ => format!("{people} members of T have different rows in T and in P, or are not in P"),
            };
            problems.push(Finding::new(FindingKind::OtherRows, problem).with_people(people));
        }
    }
}

/// Checks that no identifier is blank, and that no two identifiers are spellings of the same one.
fn check_distinct(texts: &[String]) -> Result<(), &'static str> {
    let mut known: FxHashSet<String> = FxHashSet::default();
    for text in texts {
        let plain = plain_identifier(text);
        if plain.is_empty() {
            return Err("a row has no identifier, so its person is unknown; fill the identifier in");
        }
        if !known.insert(plain) {
            return Err(
                "two identifiers differ only in spaces, invisible characters, leading zeros or `.0`, so one person may count \
                 as two; write each identifier in one way",
            );
        }
    }
    Ok(())
}

/// An identifier in the form that all its spellings share: without invisible characters and without spaces around it. A whole
/// number is reduced to its digits, with a minus if it is negative.
fn plain_identifier(text: &str) -> String {
    let is_visible = |character: char| {
        !character.is_control()
            && !matches!(character, '\u{ad}' | '\u{200b}'..='\u{200e}' | '\u{2060}' | '\u{feff}')
    };
    let mut rest: Vec<char> = text.chars().filter(|character| is_visible(*character)).collect();
    while rest.last().is_some_and(|character| character.is_whitespace()) {
        rest.pop();
    }
    let first = rest.iter().position(|character| !character.is_whitespace()).unwrap_or(rest.len());
    rest.drain(..first);
    let signs = usize::from(rest.first().is_some_and(|character| matches!(character, '+' | '-')));
    let digits = rest[signs..].iter().take_while(|character| character.is_ascii_digit()).count();
    let fraction = &rest[signs + digits..];
    let is_integer = match fraction.split_first() {
        None => true,
        Some((point, zeros)) => *point == '.' && zeros.iter().all(|digit| *digit == '0'),
    };
    if digits == 0 || !is_integer {
        return rest.into_iter().collect();
    }
    let number = &rest[signs..signs + digits];
    let zeros = number.iter().take_while(|digit| **digit == '0').count();
    let is_negative = signs == 1 && rest[0] == '-' && zeros < digits;
    let sign = if is_negative { "-" } else { "" };
    let kept: String = number[zeros.min(digits - 1)..].iter().collect();
    format!("{sign}{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_tell_people_apart() {
        let all =
            |texts: &[&str]| check_distinct(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        for fine in [
            &["a", "b", "A"][..],
            &["1", "2", "10"],
            &["0", "1"],
            &["x01", "x1"],
            &["7", "-7", "7.1", "7.10"],
        ] {
            assert_eq!(all(fine), Ok(()), "{fine:?}");
        }
        for (wrong, why) in [
            (&["a", ""][..], "no identifier"),
            (&["a", " \t"], "no identifier"),
            (&["a", "a "], "spaces"),
            (&["007", "7"], "zeros"),
            (&["00", "0"], "zeros"),
            (&["-07", "-7"], "zeros"),
            (&["7.0", "7"], "zeros"),
            (&["7.", "+7"], "zeros"),
            (&["\u{feff}7", "7"], "spaces"),
            (&["a\u{200b}", "a"], "spaces"),
        ] {
            assert!(all(wrong).unwrap_err().contains(why), "{wrong:?}");
        }
    }
}
