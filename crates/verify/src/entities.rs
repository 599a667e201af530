//! People who have several rows, recounted: everybody's multiset of released rows, from the raw tables and from the release itself.
//!
//! The rows have been matched by then as if each were a person, and that they are T's rows has been seen. Here they are put together: in
//! both tables by the identifier that says whose they are, in the release by its pseudonyms.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{Classes, ReleasedPeople};
use super::criteria::{Recounted, Released};
use super::error::VerifyError;
use super::finding::{Finding, Problems};
use super::layout::Layout;
use super::people::People;
use super::suppression::Allowed;
use super::tally::Tally;
use super::{AttributeSpec, Rows, Strangers, VerifySpec};
use palmtop_terms::Presence;

/// Somebody in P or T.
#[derive(Debug, Default)]
struct Person {
    /// The combinations of his rows in P, ascending; none of a row that has values of no leaf, and can match nothing.
    public: Vec<Option<usize>>,
    /// Those of his rows in T, ascending, each with the values that it keeps.
    private: Vec<(usize, Vec<String>)>,
    /// Whether a row of his in T has a value that nobody in P has.
    is_stranger: bool,
}

impl Person {
    fn is_member(&self) -> bool {
        self.is_stranger || !self.private.is_empty()
    }
}

/// Whose rows are whose, in both tables.
#[derive(Debug)]
pub(super) struct Entities {
    people: Vec<Person>,
}

/// A release, recounted in people.
pub(super) struct Recount {
    pub(super) least: Presence,
    pub(super) greatest: Presence,
    pub(super) classes: u64,
    /// The people of P who have not the rows of anybody released.
    pub(super) unmatched: u64,
    /// What criteria see; `None` where part of the file cannot be read.
    pub(super) released: Option<Released>,
}

/// The attribute that says whose rows are one person's, where there is one; an error where something does not go with it.
pub(super) fn attribute(spec: &VerifySpec) -> Result<Option<&AttributeSpec>, VerifyError> {
    let mut all = spec.attributes.iter().filter(|attribute| attribute.is_entity);
    let Some(own) = all.next() else { return Ok(None) };
    let without = |setting| VerifyError::NotOfEntities { attribute: own.name.clone(), setting };
    match () {
        () if all.next().is_some() => Err(without("a second `role = \"entity\"`")),
        () if own.pseudonym.is_none() => Err(without("a release without pseudonyms")),
        () if spec.count.is_some() => Err(without("`count`")),
        () if spec.strangers != Strangers::Refuse => Err(without("`not_in_public`")),
        () if Allowed::read(spec.suppress_at_most.as_deref())?.of(u64::MAX) > 0 => {
            Err(without("`suppress_at_most`"))
        }
        () if spec.prior.is_some() => Err(without("a prior")),
        () => Ok(Some(own)),
    }
}

impl Entities {
    /// Puts the rows of both tallies together, each of which has the identifier as its last column.
    pub(super) fn read(
        people: &People,
        (public, private): (&Tally, &Tally),
        (spec, layout): (&VerifySpec, &Layout),
        progress: &mut Rows,
    ) -> Result<Self, VerifyError> {
        let (last, of_private) = (people.quasi.len(), people.quasi.len() + people.kept_width());
        let own = spec.attributes.iter().find(|attribute| attribute.is_entity);
        let column = |own: &AttributeSpec| layout.private_column(own).to_owned();
        let tables = [
            (&layout.public.path, public, last, own.map(|own| own.public_column.clone())),
            (&layout.private().path, private, of_private, own.map(column)),
        ];
        for (path, tally, place, column) in tables {
            let refused = |why| VerifyError::Entity {
                path: path.clone(),
                column: column.clone().unwrap_or_default(),
                why,
            };
            check_written(&tally.columns[place].texts).map_err(refused)?;
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
            let own = person(&mut all, public.columns[last].texts[ids[last] as usize].as_str());
            let combination = people.public_place(public, ids);
            all[own].public.extend((0..rows).map(|_| combination));
            progress.tick()
        })?;
        private.visit(|ids, rows| {
            let own = person(&mut all, private.columns[of_private].texts[ids[of_private] as usize].as_str());
            let values = private.texts(&ids[..of_private]).split_off(last);
            match people.private_place(private, ids) {
                Some(place) => all[own].private.extend((0..rows).map(|_| (place, values.clone()))),
                None => all[own].is_stranger = true,
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

    /// How many people P and T have.
    pub(super) fn totals(&self) -> (u64, u64) {
        let public = self.people.iter().filter(|person| !person.public.is_empty()).count();
        let private = self.people.iter().filter(|person| person.is_member()).count();
        (public as u64, private as u64)
    }

    /// Everybody in T is in P, with the same rows: without that no presence means anything.
    pub(super) fn check_subset(&self, problems: &mut Problems) {
        let is_other = |person: &&Person| {
            let own = person.private.iter().map(|(combination, _)| Some(*combination));
            person.is_member() && (person.is_stranger || !own.eq(person.public.iter().copied()))
        };
        let people = self.people.iter().filter(is_other).count() as u64;
        if people > 0 {
            problems.push(Finding::OtherRows { people });
        }
    }

    /// Counts everybody by the multiset of released rows that his rows match, and compares the released people with T's.
    pub(super) fn recount(
        &self,
        people: &People,
        classes: &Classes,
        forbids_empty: bool,
        (problems, progress): (&mut Problems, &mut Rows),
    ) -> Result<Recount, VerifyError> {
        let of_public = |person: &Person| -> Option<Vec<usize>> {
            let row = |combination: &Option<usize>| classes.one((*combination)?);
            let mut rows: Vec<usize> = person.public.iter().map(row).collect::<Option<_>>()?;
            rows.sort_unstable();
            Some(rows)
        };
        let mut by_rows: BTreeMap<Vec<usize>, Recounted> = BTreeMap::new();
        let empty = || Recounted { rows: 0, private: 0, public: 0, sensitive: Vec::new() };
        let released = classes.people();
        for own in released.values() {
            by_rows.entry(distinct_rows(own)).or_insert_with(empty).rows += 1;
        }
        let (mut unmatched, mut left) = (0, None);
        for person in self.people.iter().filter(|person| !person.public.is_empty()) {
            progress.tick()?;
            if let Some(class) = of_public(person).and_then(|rows| by_rows.get_mut(&rows)) {
                class.public += 1;
                class.private += u64::from(person.is_member());
            } else {
                unmatched += 1;
                left = left.or(person.public.first().copied().flatten());
            }
        }
        self.compare(classes, released, problems);
        if forbids_empty && unmatched > 0 {
            let person = left.map(|combination| people.texts(combination)).unwrap_or_default();
            problems.push(Finding::EmptyClass { people: unmatched, person });
        }
        let presence =
            |class: &Recounted| Presence::new(class.private, class.public).unwrap_or(Presence::ONE);
        let none = (unmatched > 0).then_some(Presence::ZERO);
        let all = || by_rows.values().map(presence).chain(none);
        let is_known = !classes.is_partial() && !classes.is_ambiguous();
        Ok(Recount {
            least: all().min().filter(|_| is_known).unwrap_or(Presence::ZERO),
            greatest: all().max().filter(|_| is_known).unwrap_or(Presence::ONE),
            classes: by_rows.len() as u64,
            unmatched,
            released: is_known.then(|| seen_by_criteria(people, released, by_rows)),
        })
    }

    /// Each released person has the rows of somebody in T, and the other way round: what rows are one person's is part of what a release
    /// says.
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
            // Who matches no row, or several, is a problem already.
            if let Some(mut rows) = rows.collect::<Option<Vec<_>>>() {
                rows.sort_unstable();
                *surplus.entry(rows).or_default() -= 1;
            }
        }
        let people = surplus.values().filter(|own| **own > 0).sum::<i64>().unsigned_abs();
        if people > 0 && !classes.is_partial() {
            problems.push(Finding::Linked { people });
        }
    }
}

/// The distinct rows that a released person has, ascending, each as often as he has it.
fn distinct_rows(rows: &[(usize, Vec<String>)]) -> Vec<usize> {
    let mut rows: Vec<usize> = rows.iter().map(|(row, _)| *row).collect();
    rows.sort_unstable();
    rows
}

/// What criteria see of people: of each the one value that all of his rows have; where somebody has several, nobody's.
fn seen_by_criteria(
    people: &People,
    released: &ReleasedPeople,
    mut by_rows: BTreeMap<Vec<usize>, Recounted>,
) -> Released {
    let mut sensitive = people.sensitive_values();
    let places: Vec<usize> = people.sensitive.iter().map(|own| own.place).collect();
    let is_one = |rows: &Vec<(usize, Vec<String>)>| {
        places.iter().all(|&place| rows.windows(2).all(|pair| pair[0].1[place] == pair[1].1[place]))
    };
    if !released.values().all(is_one) {
        return Released { rows: by_rows.into_values().collect(), sensitive: Vec::new() };
    }
    for own in &mut sensitive {
        own.all.clear();
    }
    for class in by_rows.values_mut() {
        class.sensitive = vec![BTreeMap::new(); places.len()];
    }
    for rows in released.values() {
        let (Some((_, kept)), Some(class)) = (rows.first(), by_rows.get_mut(&distinct_rows(rows))) else {
            continue;
        };
        for ((&place, values), all) in places.iter().zip(&mut class.sensitive).zip(&mut sensitive) {
            *values.entry(kept[place].clone()).or_default() += 1;
            *all.all.entry(kept[place].clone()).or_default() += 1;
        }
    }
    Released { rows: by_rows.into_values().collect(), sensitive }
}

/// Whether identifiers tell people apart: none is blank, and no two differ by what changes nothing alone.
fn check_written(texts: &[String]) -> Result<(), &'static str> {
    let mut known: FxHashSet<String> = FxHashSet::default();
    for text in texts {
        let plain = plain(text);
        if plain.is_empty() {
            return Err("a row has no identifier, so that nobody knows whose it is; fill it in");
        }
        if !known.insert(plain) {
            return Err(
                "two identifiers differ only by what changes nothing (spaces, zeros before a number, `.0`), so that one person would be \
                 counted as two; write each in one way",
            );
        }
    }
    Ok(())
}

/// An identifier as all its spellings have it: no characters that are not seen, no spaces around it, and of a whole number its sign where
/// it is below 0, and its digits.
fn plain(text: &str) -> String {
    let is_seen = |own: char| {
        !own.is_control() && !matches!(own, '\u{ad}' | '\u{200b}'..='\u{200e}' | '\u{2060}' | '\u{feff}')
    };
    let mut rest: Vec<char> = text.chars().filter(|own| is_seen(*own)).collect();
    while rest.last().is_some_and(|own| own.is_whitespace()) {
        rest.pop();
    }
    let first = rest.iter().position(|own| !own.is_whitespace()).unwrap_or(rest.len());
    rest.drain(..first);
    let signs = usize::from(rest.first().is_some_and(|own| matches!(own, '+' | '-')));
    let digits = rest[signs..].iter().take_while(|own| own.is_ascii_digit()).count();
    let behind = &rest[signs + digits..];
    let is_whole = match behind.split_first() {
        None => true,
        Some((point, zeros)) => *point == '.' && zeros.iter().all(|own| *own == '0'),
    };
    if digits == 0 || !is_whole {
        return rest.into_iter().collect();
    }
    let number = &rest[signs..signs + digits];
    let zeros = number.iter().take_while(|own| **own == '0').count();
    let is_below = signs == 1 && rest[0] == '-' && zeros < digits;
    let sign = if is_below { "-" } else { "" };
    let kept: String = number[zeros.min(digits - 1)..].iter().collect();
    format!("{sign}{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_tell_people_apart() {
        let all =
            |texts: &[&str]| check_written(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
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
