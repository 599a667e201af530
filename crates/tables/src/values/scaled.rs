//! Columns of numbers with one content in different units (183, 1.83), by their values alone.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::NumberForm;
use super::written::{MISSING, number_forms};

/// The distinct numbers of a column, in millionths, with their rows.
#[derive(Clone, Debug)]
pub struct Numbers {
    form: NumberForm,
    rows: BTreeMap<i64, u64>,
    /// All rows.
    all: u64,
    /// The greatest power of ten that divides all numbers, in millionths.
    unit: i64,
}

/// The power of ten by which a column of T becomes one of P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// The exponent; never 0.
    pub exponent: i32,
    /// The rows of T whose number is then one of P.
    pub rows: u64,
    /// All rows of T with a number.
    pub all: u64,
}

/// A column of fewer different numbers may have those of another column by chance.
const LEAST: usize = 10;
/// A column of more different numbers is not compared.
const MOST: usize = 5_000;
/// One as a number of millionths.
const ONE: f64 = 1e6;
/// The compared powers of ten.
const POWERS: [i32; 6] = [-3, -2, -1, 1, 2, 3];

impl Numbers {
    /// The numbers of a column's distinct texts, each with its number of rows. `None` if not all are
    /// numbers, or if they are too few or too many.
    pub fn of<'a>(counted: impl IntoIterator<Item = (&'a str, u64)>) -> Option<Self> {
        let texts = counted.into_iter().map(|(text, rows)| (text.trim(), rows));
        let texts: Vec<(&str, u64)> =
            texts.filter(|(text, rows)| *rows > 0 && !MISSING.contains(text)).take(MOST + 1).collect();
        let begin: BTreeSet<&str> = texts.iter().take(20).map(|(text, _)| *text).collect();
        if !(LEAST..=MOST).contains(&texts.len()) || number_forms(&begin).is_empty() {
            return None;
        }
        let all: BTreeSet<&str> = texts.iter().map(|(text, _)| *text).collect();
        let form = *number_forms(&all).first()?;
        let mut rows: BTreeMap<i64, u64> = BTreeMap::new();
        for (text, found) in texts {
            *rows.entry(read(&form, text)?).or_default() += found;
        }
        let divides = |unit: i64| rows.keys().all(|number| number % unit == 0);
        let units = (0..=12).map(|power| 10_i64.pow(power));
        let unit = units.take_while(|unit| divides(*unit)).last()?;
        (rows.len() >= LEAST).then(|| Self { all: rows.values().sum(), form, rows, unit })
    }

    /// The number of a text of the column, in millionths.
    pub fn read(&self, text: &str) -> Option<i64> {
        read(&self.form, text.trim())
    }

    /// The power of ten by which these numbers become those of P; `None` if there is none.
    pub fn power(&self, public: &Self) -> Option<Power> {
        POWERS.into_iter().find_map(|exponent| self.times(exponent, public))
    }

    /// Whether these numbers times a power of ten are those of P: nearly all are among them, P's have no finer unit, and the
    /// middle half of both is at the same place. So numbers that are all near each other are not another column's by chance.
    fn times(&self, exponent: i32, public: &Self) -> Option<Power> {
        let scaled = |number: i64| times(number, exponent);
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
        (is_there && is_nearly_all).then_some(Power { exponent, rows: known, all: self.all })
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

impl Power {
    /// What T's numbers are multiplied by.
    pub fn factor(self) -> f64 {
        10_f64.powi(self.exponent)
    }

    /// A number of T, as P has it; `None` if it has more decimals, or is too large.
    pub fn of(self, number: i64) -> Option<i64> {
        times(number, self.exponent)
    }
}

/// A number times a power of ten.
fn times(number: i64, exponent: i32) -> Option<i64> {
    let ten = 10_i64.pow(exponent.unsigned_abs());
    if exponent > 0 { number.checked_mul(ten) } else { (number % ten == 0).then(|| number / ten) }
}

/// A text as a number of millionths; `None` if it has more decimals, or is too large.
fn read(form: &NumberForm, text: &str) -> Option<i64> {
    let number: f64 = form.read(text)?.parse().ok()?;
    let scaled = number * ONE;
    let is_exact = scaled.abs() < 1e15 && (scaled - scaled.round()).abs() < 1e-3;
    #[expect(clippy::cast_possible_truncation, reason = "it was checked to be small and whole")]
    is_exact.then(|| scaled.round() as i64)
}
