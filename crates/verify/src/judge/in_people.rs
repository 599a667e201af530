//! Recounts people who have several rows. The class of a person is the multiset of the released rows that their rows match.
//!
//! The rows were matched and compared with T before, as if each were a person. This module groups them by person: in the
//! release by the pseudonym.

use std::collections::BTreeMap;

use super::classes::{Classes, ReleasedPeople};
use super::criteria::{Recounted, Released};
use crate::people::{Entities, People, Person, Rows};
use crate::problems::{Finding, FindingKind, Problems, VerifyError};
use palmtop_terms::Presence;

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

/// Counts people by the multiset of released rows that their rows match, and compares the released people with T's.
pub(crate) fn recount(
    entities: &Entities,
    people: &People,
    classes: &Classes,
    forbids_empty: bool,
    problems: &mut Problems,
    progress: &mut Rows,
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
    for person in entities.people.iter().filter(|person| !person.public.is_empty()) {
        progress.tick()?;
        if let Some(class) = matched_rows(person).and_then(|rows| by_rows.get_mut(&rows)) {
            class.public += 1;
            class.private += u64::from(person.is_member());
        } else {
            unmatched += 1;
            example = example.or(person.public.first().copied().flatten());
        }
    }
    compare(entities, classes, released, problems);
    if forbids_empty && unmatched > 0 {
        let person = example.map(|combination| people.texts(combination)).unwrap_or_default();
        problems.push(Finding::empty_class(unmatched, &person));
    }
    let presence = |class: &Recounted| Presence::new(class.private, class.public).unwrap_or(Presence::ONE);
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
fn compare(entities: &Entities, classes: &Classes, released: &ReleasedPeople, problems: &mut Problems) {
    let mut surplus: BTreeMap<Vec<(usize, &[String])>, i64> = BTreeMap::new();
    for rows in released.values() {
        let mut rows: Vec<(usize, &[String])> =
            rows.iter().map(|(class, kept)| (*class, kept.as_slice())).collect();
        rows.sort_unstable();
        *surplus.entry(rows).or_default() += 1;
    }
    for person in entities.people.iter().filter(|person| !person.private.is_empty()) {
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
