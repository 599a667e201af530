//! The forms in which a table is written: CSV of several kinds, Parquet and a workbook.
#![allow(dead_code, reason = "each part uses a part of it")]

use polars::prelude::*;

use super::clean::{Kind, Table};
use crate::support::dice::Dice;

/// A form of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A CSV file.
    Csv(Csv),
    /// A Parquet file; with `typed`, numbers and dates are typed, else all cells are texts.
    Parquet { typed: bool },
    /// A workbook; numbers and days are cells of their kind, as a spreadsheet makes them.
    Workbook,
}

/// How a CSV file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Csv {
    pub(crate) separator: char,
    /// Whether all fields are quoted, not only those that must be.
    pub(crate) quotes_all: bool,
    /// Whether lines end in CR LF.
    pub(crate) has_returns: bool,
    /// Whether the file begins with a byte-order mark.
    pub(crate) has_mark: bool,
}

impl Csv {
    /// Commas, quotes where they must be, LF.
    pub(crate) const PLAIN: Self =
        Self { separator: ',', quotes_all: false, has_returns: false, has_mark: false };

    pub(crate) fn draw(dice: &mut Dice) -> Self {
        Self {
            separator: *dice.pick(&[',', ',', ';', '\t', '|']),
            quotes_all: dice.percent(15),
            has_returns: dice.percent(30),
            has_mark: dice.percent(20),
        }
    }

    /// One line with its end.
    pub(crate) fn line<T: AsRef<str>>(&self, fields: &[T]) -> String {
        let special = [self.separator, '"', '\n', '\r'];
        let field = |text: &T| {
            let text = text.as_ref();
            let must = self.quotes_all || text.contains(special) || (fields.len() == 1 && text.is_empty());
            if must { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
        };
        let fields: Vec<String> = fields.iter().map(field).collect();
        let end = if self.has_returns { "\r\n" } else { "\n" };
        format!("{}{end}", fields.join(&self.separator.to_string()))
    }

    /// Whether the first line tells the separator: no other is as frequent outside quotes.
    pub(crate) fn is_told_by(&self, first: &str) -> bool {
        let parts: Vec<&str> = first.split('"').step_by(2).collect();
        let count = |mark: char| parts.iter().map(|part| part.matches(mark).count()).sum::<usize>();
        let others = [',', ';', '\t', '|'].map(|mark| if mark == self.separator { 0 } else { count(mark) });
        others.iter().all(|&other| other == 0 || other < count(self.separator))
    }

    /// The header and each row as lines; a fault can be put between them.
    pub(crate) fn lines(&self, table: &Table) -> Vec<String> {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        std::iter::once(self.line(&names)).chain(table.rows.iter().map(|row| self.line(row))).collect()
    }

    /// The bytes of a file with these lines.
    pub(crate) fn file(&self, lines: &[String]) -> Vec<u8> {
        let mark = if self.has_mark { "\u{feff}" } else { "" };
        format!("{mark}{}", lines.concat()).into_bytes()
    }
}

impl Form {
    /// CSV in half of the cases.
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        match dice.below(4) {
            0 => Self::Parquet { typed: dice.percent(50) },
            1 => Self::Workbook,
            _ => Self::Csv(Csv::draw(dice)),
        }
    }

    /// The ending of its files.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Csv(_) => "csv",
            Self::Parquet { .. } => "parquet",
            Self::Workbook => "xlsx",
        }
    }

    /// The bytes of a table.
    pub(crate) fn write(self, table: &Table) -> Vec<u8> {
        match self {
            Self::Csv(csv) => csv.file(&csv.lines(table)),
            Self::Parquet { typed } => parquet(table, typed),
            Self::Workbook => {
                let names = table.columns.iter().map(|column| column.name.clone()).collect();
                workbook(
                    &[&[names], &table.rows[..]].concat(),
                    &table.columns.iter().map(|column| column.kind).collect::<Vec<_>>(),
                )
            }
        }
    }
}

/// The first row of `rows` has the names. Cells of numbers and days become such cells, if they are.
pub(crate) fn workbook(rows: &[Vec<String>], kinds: &[Kind]) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let day = rust_xlsxwriter::Format::new().set_num_format("yyyy-mm-dd");
    let sheet = book.add_worksheet();
    for (row, texts) in (0..).zip(rows) {
        for ((column, text), kind) in (0..).zip(texts).zip(kinds) {
            let number = text.parse::<f64>().ok();
            let is_day = text.len() == 10 && text.starts_with(|first: char| first.is_ascii_digit());
            let date = rust_xlsxwriter::ExcelDateTime::parse_from_str(text).ok().filter(|_| is_day);
            match (kind, number, date) {
                _ if text.is_empty() => {}
                (Kind::Number | Kind::Amount(_), Some(number), _) => {
                    sheet.write(row, column, number).unwrap();
                }
                (Kind::Date, _, Some(date)) => {
                    sheet.write_datetime_with_format(row, column, date, &day).unwrap();
                }
                _ => {
                    sheet.write(row, column, text.as_str()).unwrap();
                }
            }
        }
    }
    book.save_to_buffer().unwrap()
}

fn parquet(table: &Table, typed: bool) -> Vec<u8> {
    let columns = table.columns.iter().enumerate().map(|(index, column)| {
        let name = PlSmallStr::from(column.name.as_str());
        let texts = table.rows.iter().map(|row| Some(row[index].as_str()).filter(|text| !text.is_empty()));
        match column.kind {
            Kind::Number if typed => Column::new(
                name,
                texts.map(|text| text.map(|text| text.parse().unwrap())).collect::<Vec<Option<i64>>>(),
            ),
            Kind::Amount(_) if typed => Column::new(
                name,
                texts.map(|text| text.map(|text| text.parse().unwrap())).collect::<Vec<Option<f64>>>(),
            ),
            Kind::Date if typed => {
                let days = texts.map(|text| text.map(days)).collect::<Vec<Option<i32>>>();
                Column::new(name, days).cast(&DataType::Date).unwrap()
            }
            _ => Column::new(name, texts.collect::<Vec<_>>()),
        }
    });
    let mut frame = DataFrame::new(table.rows.len(), columns.collect()).unwrap();
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
    bytes
}

/// The days from 1970-01-01 to a date such as `1943-08-28`.
pub(crate) fn days(text: &str) -> i32 {
    let parts: Vec<i32> = text.split('-').map(|part| part.parse().unwrap()).collect();
    // Years begin in March, so a leap day is the last day of a year.
    let (year, month) = if parts[1] > 2 { (parts[0], parts[1] - 3) } else { (parts[0] - 1, parts[1] + 9) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2] - 1 - 719_468
}

#[test]
fn days_are_counted_from_1970() {
    assert_eq!(["1970-01-01", "1969-12-31", "2000-03-01", "1943-08-28"].map(days), [0, -1, 11017, -9623]);
}
