//! Recounts people who have several rows. The class of a person is the multiset of the released rows that their rows match.
//!
//! The rows were matched and compared with T before, as if each were a person. This module groups them by person: in both
//! tables by the entity (an identifier), in the release by its pseudonym.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::count::{Rows, Tally};
use super::counted::People;
use super::layout::Layout;
use super::settings::{AttributeSpec, NotInPublic, VerifySpec};
use crate::judge::{Allowed, Classes, Recounted, Released, ReleasedPeople};
use crate::problems::{Finding, FindingKind, Problems, VerifyError};
use palmtop_terms::LocatedError;
use palmtop_terms::Presence;

/// A person in P or T.
#[derive(Debug, Default)]
struct Person {
    /// The combinations of the person's rows in P, ascending. `None` for a row with a value that is no leaf: it matches nothing.
    public: Vec<Option<usize>>,
    /// The combinations of the person's rows in T, ascending, each with the kept values.
    private: Vec<(usize, Vec<String>)>,
    /// Whether a row of the person in T has a value that nobody in P has.
    is_unknown: bool,
}

impl Person {
    fn is_member(&self) -> bool {
        self.is_unknown || !self.private.is_empty()
    }
}

/// The people of both tables with their rows.
#[derive(Debug)]
pub(crate) struct Entities {
    people: Vec<Person>,
}

/// The result of a recount in people.
pub(crate) struct Recount {
    pub(crate) least: Presence,
    pub(crate) greatest: Presence,
    pub(crate) classes: u64,
    /// The number of individuals in P whose multiset of rows no released person has.
    pub(crate) unmatched: u64,
    /// The classes for the other criteria; `None` if a part of the file cannot be read or matches are ambiguous.
    pub(crate) released: Option<Released>,
}

/// The attribute with `role = "entity"`, if the project has one.
///
/// # Errors
/// A [`VerifyError`] if another setting cannot be combined with it.
pub(crate) fn attribute(spec: &VerifySpec) -> Result<Option<&AttributeSpec>, VerifyError> {
    let mut all = spec.attributes.iter().filter(|attribute| attribute.is_entity);
    let Some(entity) = all.next() else { return Ok(None) };
    let refused = |setting| VerifyError::not_of_entities(&entity.name, setting);
    match () {
        () if all.next().is_some() => Err(refused("a second `role = \"entity\"`")),
        () if entity.pseudonym.is_none() => Err(refused("a release without pseudonyms")),
        () if spec.count.is_some() => Err(refused("`count`")),
        () if spec.not_in_public != NotInPublic::Refuse => Err(refused("`not_in_public`")),
        () if Allowed::read(spec.suppress_at_most.as_deref())?.of(u64::MAX) > 0 => {
            Err(refused("`suppress_at_most`"))
        }
        () => Ok(Some(entity)),
    }
}

impl Entities {
    /// Groups the rows of both tallies by person. The last column of each tally is the identifier.
    pub(crate) fn read(
        people: &People,
        (public, private): (&Tally, &Tally),
        (spec, layout): (&VerifySpec, &Layout),
        progress: &mut Rows,
    ) -> Result<Self, VerifyError> {
        let (public_last, private_last) = (people.quasi.len(), people.quasi.len() + people.kept_width());
        let entity = spec.attributes.iter().find(|attribute| attribute.is_entity);
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

    /// Counts people by the multiset of released rows that their rows match, and compares the released people with T's.
    pub(crate) fn recount(
        &self,
        people: &People,
        classes: &Classes,
        forbids_empty: bool,
        (problems, progress): (&mut Problems, &mut Rows),
    ) -> Result<Recount, VerifyError> {
        let matched_rows = |person: &Person| -> Option<Vec<usize>> {
            let row = |combination: &Option<usize>| classes.one((*combination)?);
            let mut rows: Vec<usize> = person.public.iter().map(row).collect::<Option<_>>()?;
            rows.sort_unstable();
            Some(rows)
        };
        let mut by_rows: BTreeMap<Vec<usize>, Recounted> = BTreeMap::new();
        let empty = || Recounted { rows: 0, private: 0, public: 0, sensitive: Vec::new() };
        let released = classes.people();
        for rows in released.values() {
            by_rows.entry(sorted_rows(rows)).or_insert_with(empty).rows += 1;
        }
        let (mut unmatched, mut example) = (0, None);
        for person in self.people.iter().filter(|person| !person.public.is_empty()) {
            progress.tick()?;
            if let Some(class) = matched_rows(person).and_then(|rows| by_rows.get_mut(&rows)) {
                class.public += 1;
                class.private += u64::from(person.is_member());
            } else {
                unmatched += 1;
                example = example.or(person.public.first().copied().flatten());
            }
        }
        self.compare(classes, released, problems);
        if forbids_empty && unmatched > 0 {
            let person = example.map(|combination| people.texts(combination)).unwrap_or_default();
            problems.push(Finding::empty_class(unmatched, &person));
        }
        let presence =
            |class: &Recounted| Presence::new(class.private, class.public).unwrap_or(Presence::ONE);
        let of_unmatched = (unmatched > 0).then_some(Presence::ZERO);
        let all = || by_rows.values().map(presence).chain(of_unmatched);
        let is_known = !classes.is_partial() && !classes.is_ambiguous();
        Ok(Recount {
            least: all().min().filter(|_| is_known).unwrap_or(Presence::ZERO),
            greatest: all().max().filter(|_| is_known).unwrap_or(Presence::ONE),
            classes: by_rows.len() as u64,
            unmatched,
            released: is_known.then(|| seen_by_criteria(people, released, by_rows)),
        })
    }

    /// Checks that the released people and the members of T have the same multisets of rows. A release also states which rows
    /// belong to one person.
    fn compare(&self, classes: &Classes, released: &ReleasedPeople, problems: &mut Problems) {
        let mut surplus: BTreeMap<Vec<(usize, &[String])>, i64> = BTreeMap::new();
        for rows in released.values() {
            let mut rows: Vec<(usize, &[String])> =
                rows.iter().map(|(class, kept)| (*class, kept.as_slice())).collect();
            rows.sort_unstable();
            *surplus.entry(rows).or_default() += 1;
        }
        for person in self.people.iter().filter(|person| !person.private.is_empty()) {
            let rows = person
                .private
                .iter()
                .map(|(combination, kept)| Some((classes.one(*combination)?, kept.as_slice())));
            // A person who matches no row or several rows is reported elsewhere.
            if let Some(mut rows) = rows.collect::<Option<Vec<_>>>() {
                rows.sort_unstable();
                *surplus.entry(rows).or_default() -= 1;
            }
        }
        let people = surplus.values().filter(|count| **count > 0).sum::<i64>().unsigned_abs();
        if people > 0 && !classes.is_partial() {
            let subject = match people {
                1 => "the rows of 1 released person are".to_owned(),
                _ => format!("the rows of {people} released people are"),
            };
            let problem = format!(
                "{subject} not those of one member of T: expected one pseudonym on all rows of a person, and on no other row"
            );
            problems.push(Finding::new(FindingKind::Linked, problem).with_people(people));
        }
    }
}

/// The multiset of rows of a released person, ascending.
fn sorted_rows(rows: &[(usize, Vec<String>)]) -> Vec<usize> {
    let mut rows: Vec<usize> = rows.iter().map(|(row, _)| *row).collect();
    rows.sort_unstable();
    rows
}

/// The classes for the other criteria. Each person has the value that all of the person's rows share. If some person has several
/// values, no sensitive attribute is judged.
fn seen_by_criteria(
    people: &People,
    released: &ReleasedPeople,
    mut by_rows: BTreeMap<Vec<usize>, Recounted>,
) -> Released {
    let mut sensitive = people.sensitive_values();
    let indices: Vec<usize> = people.sensitive.iter().map(|attribute| attribute.kept_index).collect();
    let has_one_value = |rows: &Vec<(usize, Vec<String>)>| {
        indices.iter().all(|&index| rows.windows(2).all(|pair| pair[0].1[index] == pair[1].1[index]))
    };
    if !released.values().all(has_one_value) {
        return Released { rows: by_rows.into_values().collect(), sensitive: Vec::new() };
    }
    for attribute in &mut sensitive {
        attribute.all.clear();
    }
    for class in by_rows.values_mut() {
        class.sensitive = vec![BTreeMap::new(); indices.len()];
    }
    for rows in released.values() {
        let (Some((_, kept)), Some(class)) = (rows.first(), by_rows.get_mut(&sorted_rows(rows))) else {
            continue;
        };
        for ((&index, values), attribute) in indices.iter().zip(&mut class.sensitive).zip(&mut sensitive) {
            *values.entry(kept[index].clone()).or_default() += 1;
            *attribute.all.entry(kept[index].clone()).or_default() += 1;
        }
    }
    Released { rows: by_rows.into_values().collect(), sensitive }
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
