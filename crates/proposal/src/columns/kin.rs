//! Columns with one content in other words (`M`, `Male`) or in another unit (183, 1.83), by their values alone.

use crate::sources::survey::Column;
use crate::values::spelling::sexes;
use palmtop_core::words::count;
use palmtop_tables::scaled::{Numbers, Power};
use palmtop_tables::written::MISSING;

/// What makes a column of T one with a column of P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Both have words for the sexes.
    Words,
    /// T's numbers times a power of ten are P's.
    Power(Power),
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
            How::Power(power) => Some(power.factor()),
        }
    }

    /// The evidence, with counts, and without a value of T.
    pub(crate) fn sentence(self) -> String {
        let (rows, all) = (count(self.rows.0), count(self.rows.1));
        match self.how {
            How::Words => format!("{rows} of {all} rows of T with a value have a word for its values"),
            How::Power(power) => {
                let factor = power.factor();
                format!(
                    "in {rows} of {all} rows of T with a number, it times {factor} is one of its values: is it another unit?"
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

impl Form {
    pub(crate) fn of(column: &Column) -> Self {
        let texts = column.texts.iter().map(|(text, rows)| (text.trim(), rows.count));
        let texts: Vec<(&str, u64)> = texts.filter(|(text, _)| !MISSING.contains(text)).collect();
        if sexes(texts.iter().map(|(text, _)| *text)) {
            return Self::Sexes(texts.iter().map(|(_, rows)| rows).sum());
        }
        let numbers = column.is_complete.then(|| Numbers::of(texts)).flatten();
        numbers.map_or(Self::Other, Self::Numbers)
    }

    /// Whether two columns are one.
    pub(crate) fn kin(&self, public: &Self) -> Option<Kin> {
        match (self, public) {
            (Self::Sexes(rows), Self::Sexes(_)) => Some(Kin { how: How::Words, rows: (*rows, *rows) }),
            (Self::Numbers(private), Self::Numbers(public)) => {
                let power = private.power(public)?;
                Some(Kin { how: How::Power(power), rows: (power.rows, power.all) })
            }
            _ => None,
        }
    }
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
            "in 400 of 400 rows of T with a number, it times 0.01 is one of its values: is it another unit?"
        );
        assert!(metres.kin(&numbers(150, 1, 0)).is_some());
        // Numbers of the same unit, at another place, or with a finer unit are another column.
        for other in [numbers(150, 1, 0), numbers(2_000, 1, 0), numbers(15_000, 7, 4), numbers(20, 1, 2)] {
            assert!(numbers(150, 1, 0).kin(&other).is_none());
        }
    }
}
