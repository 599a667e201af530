//! Columns with one content in other words (`M`, `Male`) or in another unit (183, 1.83), by their values alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::survey::Column;
use crate::values::spelling::sexes;
use palmtop_core::words::count;
use palmtop_tables::written::{MISSING, number_forms};

/// What makes a column of T one with a column of P.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    /// Both have words for the sexes.
    Words,
    /// T's numbers times this power of ten are P's.
    Power(i32),
}

/// A column of T and a column of P that are one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kin {
    how: How,
    /// The rows of T with such a value, and all rows with a value.
    rows: (u64, u64),
}

impl Kin {
    /// What T's numbers are multiplied by, if both are in other units.
    pub(crate) fn factor(self) -> Option<f64> {
        match self.how {
            How::Words => None,
            How::Power(power) => Some(10_f64.powi(power)),
        }
    }

    /// The evidence, with counts, and without a value of T.
    pub(crate) fn sentence(self) -> String {
        let (rows, all) = (count(self.rows.0), count(self.rows.1));
        match self.how {
            How::Words => format!("{rows} of {all} rows of T have a word for its values"),
            How::Power(power) => {
                let factor = 10_f64.powi(power);
                format!(
                    "in {rows} of {all} rows, T's number times {factor} is one of its values: is it another unit?"
                )
            }
        }
    }
}

/// A column in a form that is compared with many others.
pub(crate) enum Form {
    /// Words for the sexes.
    Sexes(u64),
    Numbers(Numbers),
    Other,
}

/// The distinct numbers of a column, in millionths, with their rows.
pub(crate) struct Numbers {
    rows: BTreeMap<i64, u64>,
    /// All rows.
    all: u64,
    /// The greatest power of ten that divides all numbers, in millionths.
    unit: i64,
}

/// A column of fewer different numbers may have those of another column by chance.
const LEAST: usize = 10;
/// A column of more different numbers is not compared.
const MOST: usize = 5_000;
/// One as a number of millionths.
const ONE: f64 = 1e6;
/// The compared powers of ten.
const POWERS: [i32; 6] = [-3, -2, -1, 1, 2, 3];

impl Form {
    pub(crate) fn of(column: &Column) -> Self {
        let texts = column.texts.iter().map(|(text, rows)| (text.trim(), rows.count));
        let texts: Vec<(&str, u64)> = texts.filter(|(text, _)| !MISSING.contains(text)).collect();
        if sexes(texts.iter().map(|(text, _)| *text)) {
            return Self::Sexes(texts.iter().map(|(_, rows)| rows).sum());
        }
        let is_possible = column.is_complete && (LEAST..=MOST).contains(&texts.len());
        let begin: BTreeSet<&str> = texts.iter().take(20).map(|(text, _)| *text).collect();
        if !is_possible || number_forms(&begin).is_empty() {
            return Self::Other;
        }
        Numbers::of(&texts).map_or(Self::Other, Self::Numbers)
    }

    /// Whether two columns are one.
    pub(crate) fn kin(&self, public: &Self) -> Option<Kin> {
        match (self, public) {
            (Self::Sexes(rows), Self::Sexes(_)) => Some(Kin { how: How::Words, rows: (*rows, *rows) }),
            (Self::Numbers(private), Self::Numbers(public)) => {
                POWERS.into_iter().find_map(|power| private.times(power, public))
            }
            _ => None,
        }
    }
}

impl Numbers {
    fn of(texts: &[(&str, u64)]) -> Option<Self> {
        let all: BTreeSet<&str> = texts.iter().map(|(text, _)| *text).collect();
        let form = *number_forms(&all).first()?;
        let mut rows: BTreeMap<i64, u64> = BTreeMap::new();
        for (text, found) in texts {
            let number: f64 = form.read(text)?.parse().ok()?;
            *rows.entry(millionths(number)?).or_default() += found;
        }
        let divides = |unit: i64| rows.keys().all(|number| number % unit == 0);
        let units = (0..=12).map(|power| 10_i64.pow(power));
        let unit = units.take_while(|unit| divides(*unit)).last()?;
        (rows.len() >= LEAST).then(|| Self { all: rows.values().sum(), rows, unit })
    }

    /// Whether these numbers times a power of ten are those of P: nearly all are among them, P's have no finer unit, and the
    /// middle half of both is at the same place. So numbers that are all near each other are not another column's by chance.
    fn times(&self, power: i32, public: &Self) -> Option<Kin> {
        let scaled = |number: i64| {
            let ten = 10_i64.pow(power.unsigned_abs());
            if power > 0 { number.checked_mul(ten) } else { (number % ten == 0).then(|| number / ten) }
        };
        if scaled(self.unit) != Some(public.unit) {
            return None;
        }
        let known = self
            .rows
            .iter()
            .filter(|(number, _)| scaled(**number).is_some_and(|number| public.rows.contains_key(&number)));
        let known: u64 = known.map(|(_, rows)| rows).sum();
        let [low, middle, high] = [1, 2, 3].map(|quarter| public.quartile(quarter));
        let [own_low, own, own_high] = [1, 2, 3].map(|quarter| scaled(self.quartile(quarter)));
        let (width, own_width) = (high - low, own_high? - own_low?);
        let is_there = (own? - middle).abs() <= width && own_width <= 2 * width && width <= 2 * own_width;
        let is_nearly_all = known * 20 >= self.all * 19;
        (is_there && is_nearly_all).then_some(Kin { how: How::Power(power), rows: (known, self.all) })
    }

    /// The least number that is not less than so many quarters of the rows.
    fn quartile(&self, quarters: u64) -> i64 {
        let mut rows_left = self.all * quarters / 4;
        for (number, rows) in &self.rows {
            if *rows > rows_left {
                return *number;
            }
            rows_left -= rows;
        }
        self.rows.keys().next_back().copied().unwrap_or_default()
    }
}

/// A number in millionths; `None` if it has more decimals, or is too large.
fn millionths(number: f64) -> Option<i64> {
    let scaled = number * ONE;
    let is_exact = scaled.abs() < 1e15 && (scaled - scaled.round()).abs() < 1e-3;
    #[expect(clippy::cast_possible_truncation, reason = "it was checked to be small and whole")]
    is_exact.then(|| scaled.round() as i64)
}

/// At most three values of P, for a question.
pub(crate) fn examples(column: &Column) -> String {
    let mut texts: Vec<(&String, u64)> = column.texts.iter().map(|(text, rows)| (text, rows.count)).collect();
    texts.retain(|(text, _)| !MISSING.contains(&text.trim()));
    texts.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    let shown = |text: &str| format!("`{}`", text.trim().chars().take(20).collect::<String>());
    let shown: Vec<String> = texts.iter().take(3).map(|(text, _)| shown(text)).collect();
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::survey::Survey;
    use palmtop_tables::read::TableSpec;

    fn form(texts: impl IntoIterator<Item = String>) -> Form {
        let mut survey = Survey::empty(TableSpec::of("x.csv".into()), &["x"]);
        texts.into_iter().for_each(|text| survey.add(&[&text]));
        Form::of(&survey.columns[0])
    }

    fn numbers(from: u32, step: u32, decimals: usize) -> Form {
        let divisor = 10_f64.powi(i32::try_from(decimals).unwrap());
        form((0..400).map(|row| format!("{:.decimals$}", f64::from(from + step * (row * 7 % 40)) / divisor)))
    }

    #[test]
    fn one_column_in_other_words_or_units() {
        let words = |texts: &[&str]| form(texts.iter().map(|&text| text.to_owned()));
        let sexes = words(&["Male", "Female", "Male", ""]);
        for other in [&["M", "F"][..], &["männlich", "weiblich"], &["f", "m", "F"]] {
            assert!(words(other).kin(&sexes).is_some(), "{other:?}");
        }
        for other in [&["yes", "no"][..], &["M", "M"], &["M", "L", "S"], &["1", "2"]] {
            assert!(words(other).kin(&sexes).is_none(), "{other:?}");
        }
        let metres = numbers(150, 1, 2);
        let found = numbers(150, 1, 0).kin(&metres).unwrap();
        assert_eq!(
            found.sentence(),
            "in 400 of 400 rows, T's number times 0.01 is one of its values: is it another unit?"
        );
        assert!(metres.kin(&numbers(150, 1, 0)).is_some());
        // Numbers of the same unit, at another place, or with a finer unit are another column.
        for other in [numbers(150, 1, 0), numbers(2_000, 1, 0), numbers(15_000, 7, 4), numbers(20, 1, 2)] {
            assert!(numbers(150, 1, 0).kin(&other).is_none());
        }
    }
}
