//! Quasi-identifiers: the rows of one release that publish an item of the list.

use std::collections::{BTreeMap, HashSet};

use super::Concern;
use super::quasi::{Column, PEOPLE_OF_A_ZONE, begins_late};
use palmtop_core::model::Code;
use palmtop_core::words::count;
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

/// The item of the list that the rows of a release publish in a quasi-identifier, and the finding.
pub(super) fn concern(column: &Column, texts: &PublishedTexts) -> Option<(Concern, String)> {
    let found = dates(column, texts).map(|text| (Concern::Date, text));
    let found = found.or_else(|| zips(column, texts).map(|text| (Concern::Zip, text)));
    found.or_else(|| ages(column, texts).map(|text| (Concern::Age, text)))
}

fn dates(column: &Column, texts: &PublishedTexts) -> Option<String> {
    let years = column.years()?;
    let is_finer = |text: &str, codes: &[Code]| {
        parts(text).any(|part| shape::year_of_finer_date(part).is_some()) || years.are_parted(codes)
    };
    Some(format!("dates finer than a year are published in {}", rows(texts, is_finer)?))
}

fn zips(column: &Column, texts: &PublishedTexts) -> Option<String> {
    let (zones, is_small) = column.zip_zones()?;
    let is_finer = |text: &str, codes: &[Code]| {
        parts(text).any(|part| shape::leading_digits(part) >= 4) || zones.are_parted(codes)
    };
    // A text shows a small zone in one case: all its values are in the zone, and it does not allow for others.
    let shows_small = |text: &str, codes: &[Code]| {
        let says_zone = match parts(text).next().map_or(0, shape::leading_digits) {
            0 => zones.count() > 1,
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
    Some(format!("ages above 89 are told apart in {rows}"))
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

#[cfg(test)]
mod tests {
    use super::super::{of_release, tests::problem};
    use super::*;
    use palmtop_core::model::Kind;

    /// The note on a release of the texts, each with the numbers of its values and its rows.
    fn noted(
        (name, kind): (&str, Kind),
        chains: &[&[&str]],
        texts: &[(&str, &[usize], u64)],
    ) -> Option<String> {
        let chains: Vec<(&[&str], u64)> = chains.iter().map(|chain| (*chain, 10)).collect();
        let problem = problem(name, kind, &chains);
        let code = |value: &usize| problem.hierarchy(0).code(chains[*value].0[0]).unwrap();
        let texts = texts.iter().map(|&(text, values, rows)| {
            (text.to_owned(), PublishedText { codes: values.iter().map(code).collect(), rows })
        });
        of_release(&problem, 0, &texts.collect()).map(|note| note.text)
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
        assert_eq!(apart.as_deref(), Some("ages above 89 are told apart in 5 rows"));
        assert_eq!(noted(("weight", Kind::Number), ages, &[("97", &[2], 1)]), None);
    }
}
