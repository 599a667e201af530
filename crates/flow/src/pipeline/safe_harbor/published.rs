//! Quasi-identifiers: the rows of one release that publish an item of the list.

use std::collections::{BTreeMap, HashSet};

use super::quasi::{Column, PEOPLE_OF_A_ZONE, Zones, begins_late};
use super::{Concern, SafeHarborNote};
use palmtop_core::model::{Code, Counts, Problem};
use palmtop_core::text::count;
use palmtop_tables::shape;

/// A text that a release publishes in a quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedText {
    /// The values of P that it denotes.
    pub codes: Vec<Code>,
    /// The number of its rows.
    pub rows: u64,
}

/// The texts that a release publishes in one quasi-identifier.
pub type PublishedTexts = BTreeMap<String, PublishedText>;

/// The items of the list that the rows of a release publish, in project order. `texts` has the texts of each
/// quasi-identifier, and `people` the people of each of its values.
pub(super) fn notes(
    problem: &Problem,
    people: &[Vec<Counts>],
    texts: &[PublishedTexts],
) -> Vec<SafeHarborNote> {
    let mut notes = Vec::new();
    for ((quasi, people), texts) in problem.quasi().iter().zip(people).zip(texts) {
        let column = Column { name: &quasi.name, hierarchy: &quasi.hierarchy, people };
        let found = dates(&column, texts).map(|text| (Concern::Date, text));
        let found = found.or_else(|| zips(&column, texts).map(|text| (Concern::Zip, text)));
        let found = found.or_else(|| ages(&column, texts).map(|text| (Concern::Age, text)));
        notes.extend(found.map(|(concern, text)| SafeHarborNote {
            attribute: quasi.name.clone(),
            concern,
            text,
        }));
    }
    notes
}

fn dates(column: &Column, texts: &PublishedTexts) -> Option<String> {
    let years = Members::of(&column.years()?);
    let is_finer = |text: &str, codes: &[Code]| {
        parts(text).any(|part| shape::year_of_finer_date(part).is_some()) || years.are_parted(codes)
    };
    Some(format!("dates finer than a year are published in {}", rows(texts, is_finer)?))
}

fn zips(column: &Column, texts: &PublishedTexts) -> Option<String> {
    let (zones, is_small) = column.zip_zones()?;
    let zones = Members::of(&zones);
    let is_finer = |text: &str, codes: &[Code]| {
        parts(text).any(|part| shape::leading_digits(part) >= 4) || zones.are_parted(codes)
    };
    // A text shows a small zone in one case: all its values are in the zone, and it does not allow for others.
    let shows_small = |text: &str, codes: &[Code]| {
        let says_zone = match parts(text).next().map_or(0, shape::leading_digits) {
            0 => zones.members.len() > 1,
            digits => digits >= 3,
        };
        says_zone && zones.one(codes).is_some_and(|zone| is_small[zone])
    };
    let finer = rows(texts, is_finer)
        .map(|rows| format!("zip codes finer than three digits are published in {rows}"));
    let small = rows(texts, shows_small).map(|rows| {
        format!(
            "zones of three digits with fewer than {PEOPLE_OF_A_ZONE} people of P are published in {rows}"
        )
    });
    let findings: Vec<String> = finer.into_iter().chain(small).collect();
    (!findings.is_empty()).then(|| findings.join("; "))
}

fn ages(column: &Column, texts: &PublishedTexts) -> Option<String> {
    let old = column.old_ages();
    let tells_apart = |text: &str, codes: &[Code]| {
        let denoted: HashSet<usize> = codes.iter().map(|&code| code as usize).collect();
        let found = old.iter().filter(|code| denoted.contains(code)).count();
        found > 0 && (found < old.len() || begins_late(text))
    };
    let rows = rows(texts, tells_apart)?;
    Some(format!("ages above 89 are told apart in {rows}; the list has `90 or older` for all"))
}

/// The number of the rows whose text satisfies `holds`, in words; `None` if there is no such row.
fn rows(texts: &PublishedTexts, holds: impl Fn(&str, &[Code]) -> bool) -> Option<String> {
    let found = texts.iter().filter(|(text, published)| holds(text, &published.codes));
    match found.map(|(_, published)| published.rows).sum() {
        0 => None,
        1 => Some("1 row".to_owned()),
        rows => Some(format!("{} rows", count(rows))),
    }
}

/// The labels and values of a text: `[34, 52)` has the parts `34` and `52`.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |character: char| character.is_whitespace() || "[](){},;".contains(character);
    text.split(is_mark).filter(|part| !part.is_empty())
}

/// The zone of each value of P, and the number of values of each zone.
struct Members {
    zone_of: BTreeMap<usize, Option<usize>>,
    members: Vec<usize>,
}

impl Members {
    fn of(zones: &Zones) -> Self {
        let mut members = vec![0; zones.count];
        for zone in zones.of_leaves.iter().filter_map(|(_, zone)| *zone) {
            members[zone] += 1;
        }
        Self { zone_of: zones.of_leaves.iter().copied().collect(), members }
    }

    /// The values of P among these, each with its zone.
    fn zones(&self, codes: &[Code]) -> impl Iterator<Item = Option<usize>> {
        codes.iter().filter_map(|code| self.zone_of.get(&(*code as usize)).copied())
    }

    /// The one zone that has all these values.
    fn one(&self, codes: &[Code]) -> Option<usize> {
        let first = self.zones(codes).next()??;
        self.zones(codes).all(|zone| zone == Some(first)).then_some(first)
    }

    /// Whether these values are a part of one zone: P has other values of it.
    fn are_parted(&self, codes: &[Code]) -> bool {
        self.one(codes).is_some_and(|zone| self.zones(codes).count() < self.members[zone])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{
        Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, QuasiIdentifier,
    };

    /// The note on a release of the texts, each with the numbers of its values and its rows.
    fn noted(
        (name, kind): (&str, Kind),
        chains: &[&[&str]],
        texts: &[(&str, &[usize], u64)],
    ) -> Option<String> {
        let chains: Vec<Vec<&str>> = chains.iter().map(|chain| chain.to_vec()).collect();
        let hierarchy = Hierarchy::new(kind, Level(0), &chains).unwrap();
        let codes: Vec<Code> = chains.iter().map(|chain| hierarchy.code(chain[0]).unwrap()).collect();
        let counts = vec![Counts::new(10, 1); codes.len()];
        let histogram = Histogram::new(vec![codes.clone()], counts).unwrap();
        let texts = texts.iter().map(|&(text, values, rows)| {
            let codes = values.iter().map(|&value| codes[value]).collect();
            (text.to_owned(), PublishedText { codes, rows })
        });
        let texts = texts.collect();
        let quasi = vec![QuasiIdentifier { name: name.to_owned(), hierarchy }];
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        let problem = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
        notes(&problem, &[problem.leaf_counts(0).to_vec()], &[texts]).pop().map(|note| note.text)
    }

    #[test]
    fn a_release_of_decades_has_no_date() {
        let days: &[&[&str]] = &[
            &["1986-10-26", "1986", "1980s", "*"],
            &["1986-11-02", "1986", "1980s", "*"],
            &["1991-03-04", "1991", "1990s", "*"],
        ];
        let born = ("born", Kind::Date);
        assert_eq!(noted(born, days, &[("1980s", &[0, 1], 20), ("1990s", &[2], 3)]), None);
        assert_eq!(noted(born, days, &[("[1980s, 1990s]", &[0, 1, 2], 23)]), None);
        let one = noted(born, days, &[("1986", &[0, 1], 20), ("1991-03-04", &[2], 1)]);
        assert_eq!(one.as_deref(), Some("dates finer than a year are published in 1 row"));
        let ranges = noted(born, days, &[("[1986-10-26, 1991-03-04]", &[0, 1, 2], 1_200)]);
        assert_eq!(ranges.as_deref(), Some("dates finer than a year are published in 1,200 rows"));
        // A label in words may part a year.
        let autumn = noted(born, days, &[("late autumn", &[1], 2), ("1980s", &[0, 1], 2)]);
        assert_eq!(autumn.as_deref(), Some("dates finer than a year are published in 2 rows"));
    }

    #[test]
    fn zip_codes_are_judged_by_their_rows() {
        let codes: &[&[&str]] = &[
            &["47906", "479**", "47***", "*"],
            &["47907", "479**", "47***", "*"],
            &["47801", "478**", "47***", "*"],
        ];
        let zip = ("zip", Kind::Category);
        assert_eq!(noted(zip, codes, &[("47***", &[0, 1, 2], 9)]), None);
        let small = noted(zip, codes, &[("479**", &[0, 1], 5), ("47***", &[0, 1, 2], 9)]);
        let says = "zones of three digits with fewer than 20000 people of P are published in 5 rows";
        assert_eq!(small.as_deref(), Some(says));
        let finer = noted(zip, codes, &[("{47906, 47801}", &[0, 2], 5)]);
        assert_eq!(finer.as_deref(), Some("zip codes finer than three digits are published in 5 rows"));
    }

    #[test]
    fn ages_above_89_are_judged_by_their_rows() {
        let ages: &[&[&str]] = &[&["88", "80+", "*"], &["90", "80+", "*"], &["97", "80+", "*"]];
        let age = ("age", Kind::Number);
        assert_eq!(
            noted(age, ages, &[("88", &[0], 5), ("80+", &[0, 1, 2], 5), ("[90, 97]", &[1, 2], 2)]),
            None
        );
        let apart = noted(age, ages, &[("97", &[2], 1), ("[88, 90]", &[0, 1], 4)]);
        assert_eq!(
            apart.as_deref(),
            Some("ages above 89 are told apart in 5 rows; the list has `90 or older` for all")
        );
        assert_eq!(noted(("weight", Kind::Number), ages, &[("97", &[2], 1)]), None);
    }
}
