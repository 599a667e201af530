//! Values of a table of counts that count everybody again: its margins, such as `Total`.

use std::collections::HashMap;

use super::tally::Tally;
use crate::error::DataError;
use crate::error::doubts::{Doubt, DoubtKind, Doubts};
use crate::read::{RowName, Table, is_total};

/// Words for everybody, beside those of a total.
const EVERYBODY: [&str; 16] = [
    "all",
    "any",
    "both",
    "both sexes",
    "alle",
    "beide",
    "zusammen",
    "ensemble",
    "tous",
    "tout",
    "les deux",
    "todos",
    "ambos",
    "ambos sexos",
    "tot",
    "_t",
];

/// In fewer combinations, one value may be the sum of the others by chance.
const LEAST: u64 = 3;

/// Refuses a table of counts if a value of a quasi-identifier counts everybody again, and the project
/// does not say whether its rows are people. `columns` are those of the quasi-identifiers.
///
/// # Errors
/// [`DataError::Doubts`] with the values.
pub fn check(table: &Table, tally: &Tally, columns: &[&str]) -> Result<(), DataError> {
    let keep = &table.spec().rows.keep;
    let is_kept = |text: &str| keep.iter().any(|row| matches!(row, RowName::Text(kept) if kept == text));
    let margins = tally.margins().into_iter().filter(|(_, text)| !is_kept(text));
    let doubt = |(attribute, text): (usize, &str)| Doubt {
        kind: DoubtKind::Margin { column: columns[attribute].to_owned() },
        number: 0,
        texts: vec![text.to_owned()],
    };
    let list: Vec<Doubt> = margins.map(doubt).collect();
    if list.is_empty() || table.spec().rows.all_count {
        return Ok(());
    }
    let is_one_of_several = table.spec().paths.len() > 1;
    let doubts = Doubts { file: table.path().to_owned(), unit: "row", is_one_of_several, list };
    Err(DataError::Doubts(Box::new(doubts)))
}

impl Tally {
    /// The texts of quasi-identifiers that count everybody again: a word such as `Total`, or, in every
    /// combination of the other columns, the sum of all other values. O(combinations · columns).
    fn margins(&self) -> Vec<(usize, &str)> {
        let mut people: Vec<Vec<u64>> = self.texts.iter().map(|texts| vec![0; texts.len()]).collect();
        let mut total = 0;
        self.visit(|row, counts| {
            total += counts.public;
            for (people, &number) in people.iter_mut().zip(row) {
                people[number as usize] += counts.public;
            }
        });
        let mut margins = Vec::new();
        // A label that all people of P share counts nobody again.
        for (attribute, people) in people.iter().enumerate().filter(|(_, people)| people.len() > 1) {
            for ((text, _), (number, people)) in
                self.texts[attribute].listed().into_iter().zip((0..).zip(people))
            {
                let is_half = *people > 0 && total - people == *people;
                if is_everybody(text) || (is_half && self.is_sum(attribute, number)) {
                    margins.push((attribute, text));
                }
            }
        }
        margins
    }

    /// Whether a text has the sum of the others in every combination of the other columns, and in
    /// some of them there are several others.
    fn is_sum(&self, attribute: usize, number: u32) -> bool {
        // The people of the text, those of the others, and the number of others.
        let mut sums: HashMap<Vec<u32>, (u64, u64, u64)> = HashMap::new();
        self.visit(|row, counts| {
            let others = row.iter().enumerate().filter(|(nth, _)| *nth != attribute);
            let sum = sums.entry(others.map(|(_, number)| *number).collect()).or_default();
            if row[attribute] == number {
                sum.0 += counts.public;
            } else {
                *sum = (sum.0, sum.1 + counts.public, sum.2 + u64::from(counts.public > 0));
            }
        });
        let several = sums.values().filter(|(_, _, others)| *others > 1).count() as u64;
        several >= LEAST && sums.values().all(|(own, others, _)| own == others)
    }
}

/// Whether a text is a word for everybody: `Total`, `Both sexes`, `All ages`, Eurostat's `T`.
fn is_everybody(text: &str) -> bool {
    let text = text.trim();
    let begins = |word: &str| text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    text == "T"
        || is_total(text)
        || EVERYBODY.iter().any(|known| known.eq_ignore_ascii_case(text))
        || ["all ", "total ", "alle "].into_iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{RowRules, TableSpec};
    use crate::tally::TallySpec;
    use crate::weight::CountColumn;
    use palmtop_core::progress::unwatched;

    /// The texts that are asked about in a table of counts by age, sex and zip.
    fn asked(rows: &[(&str, &str, &str, u64)], keep: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.csv");
        let lines = rows.iter().map(|(age, sex, zip, people)| format!("{age},{sex},{zip},{people}\n"));
        std::fs::write(&path, "age,sex,zip,people\n".to_owned() + &lines.collect::<String>()).unwrap();
        let keep = keep.iter().map(|text| RowName::Text((*text).to_owned())).collect();
        let rows = RowRules { keep, ..RowRules::default() };
        let table = Table::open(&TableSpec { rows, ..TableSpec::of(path) }).unwrap();
        let (columns, count) = (vec!["age", "sex", "zip"], CountColumn::of("people"));
        let spec = TallySpec { quasi: columns.clone(), count: Some(&count), ..TallySpec::default() };
        let tally = table.tally(&spec, &mut unwatched).unwrap();
        match check(&table, &tally, &columns) {
            Ok(()) => Vec::new(),
            Err(DataError::Doubts(doubts)) => {
                doubts.list.iter().flat_map(|doubt| doubt.texts.clone()).collect()
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The people of a cell.
    fn people(age: usize, sex: usize, zip: usize) -> u64 {
        40 + (7 * age + 3 * sex + 5 * zip) as u64 % 11
    }

    /// Counts with the margins that have a name.
    fn with_margins(
        margins: [Option<&'static str>; 3],
    ) -> Vec<(&'static str, &'static str, &'static str, u64)> {
        let values: [&[&str]; 3] = [&["20-39", "40-59", "60-79"], &["F", "M"], &["10115", "10117", "10119"]];
        let side = |nth: usize| -> Vec<(&'static str, Vec<usize>)> {
            let one = |value: usize| (values[nth][value], vec![value]);
            let mut sides: Vec<(&'static str, Vec<usize>)> = (0..values[nth].len()).map(one).collect();
            sides.extend(margins[nth].map(|name| (name, (0..values[nth].len()).collect())));
            sides
        };
        let mut rows = Vec::new();
        for (age, ages) in side(0) {
            for (sex, sexes) in side(1) {
                for (zip, zips) in side(2) {
                    let of =
                        |age: usize, sex: usize| zips.iter().map(|zip| people(age, sex, *zip)).sum::<u64>();
                    let sum = ages.iter().flat_map(|age| sexes.iter().map(move |sex| (*age, *sex)));
                    rows.push((age, sex, zip, sum.map(|(age, sex)| of(age, sex)).sum()));
                }
            }
        }
        rows
    }

    #[test]
    fn margins_are_asked_by_word_and_sum() {
        let asked = |margins| asked(&with_margins(margins), &[]);
        assert!(asked([None, None, None]).is_empty());
        assert_eq!(asked([None, Some("Total"), None]), ["Total"]);
        assert_eq!(asked([Some("Total"), Some("T"), None]), ["Total", "T"]);
        assert_eq!(asked([Some("All ages"), Some("Both"), Some("10xxx")]), ["All ages", "Both", "10xxx"]);
        assert_eq!(asked([Some("20-79"), Some("P"), Some("101")]), ["20-79", "P", "101"]);
    }

    #[test]
    fn honest_word_has_a_way_out() {
        let mut rows = with_margins([None, Some("T"), None]);
        for row in &mut rows {
            row.3 += u64::from(row.1 == "T");
        }
        assert_eq!(asked(&rows, &[]), ["T"]);
        assert!(asked(&rows, &["T"]).is_empty());
        for row in &mut rows {
            row.1 = if row.1 == "T" { "X" } else { row.1 };
        }
        assert!(asked(&rows, &[]).is_empty());
    }
}
