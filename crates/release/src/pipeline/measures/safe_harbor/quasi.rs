//! Quasi-identifiers: the levels that publish an item of the list.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Concern;
use palmtop_core::model::{Code, Counts, Hierarchy, Kind, Level};
use palmtop_core::words::plural;
use palmtop_tables::names::words;
use palmtop_tables::shape;

/// A zone of three digits with fewer people than this is published as `000`.
pub(super) const PEOPLE_OF_A_ZONE: u64 = 20_000;

/// Whether a column has a name of ages.
pub(super) fn names_age(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "age" | "ages" | "ageyears" | "alter" | "edad"))
}

/// Whether a column has a name of zip codes.
pub(super) fn names_zip(name: &str) -> bool {
    let known = ["zip", "zips", "zipcode", "postal", "postalcode", "postcode"];
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

/// The item of the list that the levels of a quasi-identifier can publish, and the finding.
pub(super) fn concern(column: &Column) -> Option<(Concern, String)> {
    let found = column.dates().map(|text| (Concern::Date, text));
    let found = found.or_else(|| column.zips().map(|text| (Concern::Zip, text)));
    found.or_else(|| column.ages().map(|text| (Concern::Age, text)))
}

/// Parts of values that show a region or a time, such as the first three digits of zip codes.
pub(super) struct Zones {
    /// The code of each value of P, ascending, and the number of its zone if it has one.
    of_leaves: Vec<(usize, Option<usize>)>,
    /// The number of values of each zone.
    sizes: Vec<usize>,
}

impl Zones {
    /// The number of zones.
    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The values of P among these, each with its zone.
    fn among(&self, codes: &[Code]) -> impl Iterator<Item = Option<usize>> {
        let find = |code: &Code| self.of_leaves.binary_search_by_key(&(*code as usize), |(leaf, _)| *leaf);
        codes.iter().filter_map(move |code| find(code).ok()).map(|index| self.of_leaves[index].1)
    }

    /// The one zone that has all these values.
    pub(super) fn one(&self, codes: &[Code]) -> Option<usize> {
        let first = self.among(codes).next()??;
        self.among(codes).all(|zone| zone == Some(first)).then_some(first)
    }

    /// Whether these values are a part of one zone: P has other values of it.
    pub(super) fn are_parted(&self, codes: &[Code]) -> bool {
        self.one(codes).is_some_and(|zone| self.among(codes).count() < self.sizes[zone])
    }
}

/// A quasi-identifier.
pub(super) struct Column<'a> {
    pub(super) name: &'a str,
    pub(super) hierarchy: &'a Hierarchy,
    /// The people of each value.
    pub(super) people: &'a [Counts],
}

impl Column<'_> {
    /// The values of P, each with its code.
    fn leaves(&self) -> impl Iterator<Item = (usize, &str)> {
        let occurring = (0_u32..).zip(self.people).filter(|(_, people)| people.public > 0);
        occurring.map(|(code, _)| (code as usize, self.hierarchy.leaf(code)))
    }

    /// Whether at least half of the values satisfy `looks`.
    fn is_half(&self, looks: impl Fn(&str) -> bool) -> bool {
        let (all, found) = self
            .leaves()
            .fold((0_u64, 0_u64), |(all, found), (_, leaf)| (all + 1, found + u64::from(looks(leaf))));
        found > 0 && 2 * found >= all
    }

    /// The coarsest level for which `holds` is true. All finer levels are assumed to satisfy it
    /// too.
    fn coarsest(&self, holds: impl Fn(Level) -> bool) -> Option<Level> {
        self.hierarchy.levels().rev().find(|&level| holds(level))
    }

    /// Whether a level publishes finer parts of zones: two labels have values of one zone, or the
    /// text of a label satisfies `says_more`.
    fn parts_zones(&self, level: Level, zones: &Zones, says_more: impl Fn(&str) -> bool) -> bool {
        let (label_of, labels) = (self.hierarchy.labels_of(level), self.hierarchy.labels(level));
        let mut label_of_zone: Vec<Option<u32>> = vec![None; zones.count()];
        let mut was_asked = vec![false; labels.len()];
        zones.of_leaves.iter().any(|&(code, zone)| {
            let Some(zone) = zone else { return false };
            let label = label_of[code];
            *label_of_zone[zone].get_or_insert(label) != label
                || (!std::mem::replace(&mut was_asked[label as usize], true)
                    && says_more(&labels[label as usize]))
        })
    }

    /// The zones of P's values, numbered in the order of their first occurrence.
    fn zones<'a>(&'a self, zone: impl Fn(&'a str) -> Option<&'a str>) -> Zones {
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        let mut sizes = Vec::new();
        let mut number = |zone: &'a str| {
            let number = *numbers.entry(zone).or_insert(sizes.len());
            sizes.resize(sizes.len().max(number + 1), 0);
            sizes[number] += 1;
            number
        };
        let of_leaves = self.leaves().map(|(code, leaf)| (code, zone(leaf).map(&mut number))).collect();
        Zones { of_leaves, sizes }
    }

    /// The years of P's dates, if the column has dates finer than a year.
    pub(super) fn years(&self) -> Option<Zones> {
        let is_date = |leaf: &str| shape::year_of_finer_date(leaf).is_some();
        let has_dates = self.hierarchy.kind() == Kind::Date || self.is_half(is_date);
        has_dates.then(|| self.zones(shape::year_of_finer_date))
    }

    /// The zones of three digits of P's zip codes, if the column has zip codes, each with whether it has
    /// few people.
    pub(super) fn zip_zones(&self) -> Option<(Zones, Vec<bool>)> {
        if !names_zip(self.name) || !self.is_half(|leaf| shape::is_zip(leaf) || is_masked_zip(leaf)) {
            return None;
        }
        let zones = self.zones(|leaf| (shape::leading_digits(leaf) >= 3).then(|| &leaf[..3]));
        let mut people_of = vec![0; zones.count()];
        for &(code, zone) in &zones.of_leaves {
            if let Some(zone) = zone {
                people_of[zone] += self.people[code].public;
            }
        }
        let is_small = people_of.into_iter().map(|people| people < PEOPLE_OF_A_ZONE).collect();
        Some((zones, is_small))
    }

    /// The codes of the ages above 89 of P; none if the column has no name of ages.
    pub(super) fn old_ages(&self) -> Vec<usize> {
        let age = |leaf: &str| leaf.parse::<f64>().ok().filter(|age| (90.0..150.0).contains(age));
        let old = self.leaves().filter(|(_, leaf)| names_age(self.name) && age(leaf).is_some());
        old.map(|(code, _)| code).collect()
    }

    fn dates(&self) -> Option<String> {
        let zones = self.years()?;
        let says_more = |label: &str| shape::year_of_finer_date(label).is_some();
        let finest = self.coarsest(|level| self.parts_zones(level, &zones, says_more))?;
        Some(format!("dates finer than a year can be published by {}", self.by_levels(finest)))
    }

    fn zips(&self) -> Option<String> {
        let (zones, is_small) = self.zip_zones()?;
        let is_finer = |level| self.parts_zones(level, &zones, |label| shape::leading_digits(label) >= 4);
        let is_small = |zone: usize| is_small[zone];
        let small_count = (0..zones.count()).filter(|&zone| is_small(zone)).count();
        // A label shows a small zone in one case: all its values are in the zone, and its text does
        // not allow for others.
        let shows_small = |level| {
            let labels = self.hierarchy.labels(level);
            let mut zone_of_label: Vec<Option<Option<usize>>> = vec![None; labels.len()];
            for &(code, zone) in &zones.of_leaves {
                let label = self.hierarchy.labels_of(level)[code];
                let known = zone_of_label[label as usize].get_or_insert(zone);
                if *known != zone {
                    *known = None;
                }
            }
            let says_zone = |label: &str| match shape::leading_digits(label) {
                0 => labels.len() > 1,
                digits => digits >= 3,
            };
            let mut shown =
                zone_of_label.into_iter().zip(labels.iter()).filter(|(_, label)| says_zone(label));
            shown.any(|(zone, _)| zone.flatten().is_some_and(is_small))
        };
        let finer = self.coarsest(is_finer).map(|level| {
            format!("zip codes finer than three digits can be published by {}", self.by_levels(level))
        });
        let small = self.coarsest(shows_small).map(|level| {
            format!(
                "of {} with three digits {} fewer than {PEOPLE_OF_A_ZONE} people of P, and {} can tell them apart",
                match zones.count() {
                    1 => "the one zone".to_owned(),
                    all => format!("{all} zones"),
                },
                match small_count {
                    1 => "1 has".to_owned(),
                    few => format!("{few} have"),
                },
                self.levels_to(level)
            )
        });
        let findings: Vec<String> = finer.into_iter().chain(small).collect();
        (!findings.is_empty()).then(|| findings.join("; "))
    }

    fn ages(&self) -> Option<String> {
        let old = self.old_ages();
        let finest = self.coarsest(|level| {
            let label_of = self.hierarchy.labels_of(level);
            let labels: BTreeSet<u32> = old.iter().map(|&code| label_of[code]).collect();
            // The list allows one label for all ages above 89. The label must begin with 90 or
            // less.
            let begins_late = |label: u32| begins_late(&self.hierarchy.labels(level)[label as usize]);
            labels.len() > 1 || labels.first().is_some_and(|&label| begins_late(label))
        })?;
        let count =
            |people: fn(&Counts) -> u64| old.iter().map(|&code| people(&self.people[code])).sum::<u64>();
        let (of_public, of_private) = (count(|people| people.public), count(|people| people.private));
        Some(format!(
            "ages above 89 ({} of P, {of_private} of T) can be told apart by {}",
            plural(of_public, "person"),
            self.by_levels(finest)
        ))
    }

    /// The levels up to `finest`, and the regions that publish as much.
    fn by_levels(&self, finest: Level) -> String {
        format!("{}, and by regions that are cut as finely", self.levels_to(finest))
    }

    fn levels_to(&self, finest: Level) -> String {
        let base = self.hierarchy.base();
        if finest == base { format!("level {base}") } else { format!("levels {base} to {finest}") }
    }
}

/// Whether the first number of a text is an age above 90.
pub(super) fn begins_late(text: &str) -> bool {
    let mut digits = text.split(|character: char| !character.is_ascii_digit());
    digits.find_map(|part| part.parse::<u64>().ok()).is_some_and(|age| age > 90)
}

/// Whether a text is a zip code with masked digits, as P may have it.
fn is_masked_zip(leaf: &str) -> bool {
    leaf.len() == 5
        && shape::leading_digits(leaf) >= 3
        && leaf.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::super::{note, tests::problem};
    use super::*;

    fn noted(name: &str, kind: Kind, chains: &[(&[&str], u64)]) -> Option<(Concern, String)> {
        note(&problem(name, kind, chains), 0, concern).map(|note| (note.concern, note.text))
    }

    #[track_caller]
    fn expect(found: Option<(Concern, String)>, concern: Concern, says: &str) {
        let (found_concern, text) = found.unwrap();
        assert_eq!(found_concern, concern);
        assert!(text.contains(says), "expected {says:?} in\n{text}");
    }

    #[test]
    fn safe_harbor_notes_dates_finer_than_years() {
        let days: &[(&[&str], u64)] =
            &[(&["2023-05-01", "2023-05", "2023", "*"], 1), (&["2024-03-31", "2024-03", "2024", "*"], 1)];
        expect(
            noted("born", Kind::Date, days),
            Concern::Date,
            "can be published by levels 0 to 1, and by regions",
        );
        expect(noted("born", Kind::Category, days), Concern::Date, "levels 0 to 1");
        let halves: &[(&[&str], u64)] =
            &[(&["2024-01-05", "early", "*"], 1), (&["2024-12-05", "late", "*"], 1)];
        expect(noted("born", Kind::Date, halves), Concern::Date, "levels 0 to 1");
        let years: &[(&[&str], u64)] = &[(&["2023", "2020s", "*"], 1), (&["2024", "2020s", "*"], 1)];
        assert_eq!(noted("born", Kind::Date, years), None);
    }

    #[test]
    fn safe_harbor_notes_fine_or_sparse_zip_codes() {
        let zips: &[(&[&str], u64)] = &[
            (&["47906", "4790*", "479**", "47***", "*"], 30_000),
            (&["47907", "4790*", "479**", "47***", "*"], 1),
            (&["47801", "4780*", "478**", "47***", "*"], 500),
        ];
        expect(
            noted("zip", Kind::Category, zips),
            Concern::Zip,
            "can be published by levels 0 to 1, and by regions",
        );
        let says = "of 2 zones with three digits 1 has fewer than 20000 people of P, and levels 0 to 2 can tell them apart";
        expect(noted("zip", Kind::Category, zips), Concern::Zip, says);
        assert_eq!(noted("icd", Kind::Category, zips), None);
        let zones: &[(&[&str], u64)] =
            &[(&["47906", "479**", "*"], 30_000), (&["47801", "478**", "*"], 20_000)];
        let (_, text) = noted("zip_code", Kind::Category, zones).unwrap();
        assert!(text.contains("by level 0, and") && !text.contains("fewer"), "{text}");
    }

    #[test]
    fn safe_harbor_notes_ages_above_89_told_apart() {
        let ages: &[(&[&str], u64)] = &[
            (&["89", "80-89", "80+", "*"], 5),
            (&["90", "90-94", "80+", "*"], 5),
            (&["97", "95-99", "80+", "*"], 2),
        ];
        let says = "ages above 89 (7 people of P, 2 of T) can be told apart by levels 0 to 1";
        expect(noted("age", Kind::Number, ages), Concern::Age, says);
        assert_eq!(noted("weight", Kind::Number, ages), None);
        // All ages from 90 on have the value 90.
        assert_eq!(noted("age", Kind::Number, &ages[..2]), None);
        expect(noted("age", Kind::Number, &ages[2..]), Concern::Age, "levels 0 to 1");
    }
}
