//! Values that cannot be read, or that a hierarchy lacks: their rows, their likely meaning, and the
//! line to write.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::source::position::RowPosition;
use crate::values::guess::{self, Guess};
use crate::values::literal::toml_string;
use crate::values::reading::{DateForm, Form, NumberForm, Reading};
use palmtop_core::located::{Place, Position};
use palmtop_core::words::{plural, short};

/// The column of a quasi-identifier in a table, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The table's file.
    pub table: &'a Path,
    /// The column's name in it.
    pub column: &'a str,
    /// The attribute's name.
    pub attribute: &'a str,
    /// How its texts become values.
    pub reading: &'a Reading,
    /// The prefix of a key that applies to this table alone: `public.`, `private.` or nothing.
    pub keys: &'a str,
}

impl<'a> Held<'a> {
    /// A column outside a project: each text is its own value.
    pub fn plain(table: &'a Path, column: &'a str) -> Self {
        Self { table, column, attribute: column, reading: &PLAIN, keys: "" }
    }
}

/// The reading of a column outside a project.
static PLAIN: Reading = Reading::PLAIN;

/// Why values are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// This hierarchy lacks them.
    Lacking(PathBuf),
    /// They are not in the form that the project sets; the text is the expected form.
    Form(String),
    /// They equal the label for missing values.
    Label,
    /// They are the same number as another value of the column.
    SameNumber,
}

/// A value, its first row and its people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValue {
    /// The value.
    pub text: String,
    /// The first row with this value, if known.
    pub row: Option<RowPosition>,
    /// The number of people with this value; 0 if unknown.
    pub people: u64,
}

impl RefusedValue {
    /// A value whose row and people are not known.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), row: None, people: 0 }
    }
}

/// Refused values of a column. The message has at most [`LINES`](Self::LINES) lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValues {
    /// The table.
    pub table: PathBuf,
    /// Its column.
    pub column: String,
    /// The reason.
    pub refusal: Refusal,
    /// The first values, sorted, at most [`RefusedValues::LISTED`].
    pub values: Vec<RefusedValue>,
    /// The number of all refused values.
    pub count: usize,
    /// What the values look like and what to do, one line each.
    pub advice: Vec<String>,
}

impl RefusedValues {
    /// The most values listed in a message.
    pub const LISTED: usize = 10;
    /// The most lines of a message.
    pub const LINES: usize = 12;

    /// A place for each listed value.
    pub(super) fn places(&self) -> Vec<Place> {
        let place = |value: &RefusedValue| {
            let row = value.row.iter().map(|position| Position::Row(position.row));
            let place = row.fold(Place::of(&self.table), Place::at);
            Place {
                value: Some(value.text.clone()),
                remedy: Some(self.advice.join("\n")),
                ..place.at(Position::Column(self.column.clone()))
            }
        };
        self.values.iter().map(place).collect()
    }

    /// Reports sorted values. `is_known` is true for values of the hierarchy; `labels` are the
    /// values that the hierarchy lists; `remedy` is the advice if no guess succeeds.
    pub(crate) fn new(
        held: &Held,
        refusal: Refusal,
        values: &[&String],
        is_known: &dyn Fn(&str) -> bool,
        labels: &[String],
        remedy: Option<String>,
    ) -> Self {
        let guesses = match &refusal {
            Refusal::Lacking(_) => guess::guess(values, held.reading, is_known, labels),
            Refusal::Form(_) => {
                guess::guess(values, held.reading, &|text| is_in_form(held.reading, text), &[])
            }
            Refusal::Label | Refusal::SameNumber => Vec::new(),
        };
        let mut advice = Vec::new();
        if refusal == Refusal::Label {
            advice.push(format!(
                "choose another label for missing values; write under [[attribute]] `{}`:",
                held.attribute
            ));
            advice.push("  missing_label = \"(none)\"".to_owned());
        }
        if refusal == Refusal::SameNumber {
            advice.push(format!(
                "codes or numbers? write one of these under [[attribute]] `{}`:",
                held.attribute
            ));
            advice.push("  kind = \"category\"".to_owned());
            advice.push(format!("  {}", NumberForm::POINT.key()));
        }
        for Guess { meaning, lines } in &guesses {
            let write = if lines.is_empty() {
                String::new()
            } else {
                format!("; write under [[attribute]] `{}`:", held.attribute)
            };
            advice.push(format!("they look like {meaning}{write}"));
            advice.extend(lines.iter().map(|line| format!("  {}{line}", held.keys)));
        }
        if advice.is_empty() {
            let texts: Vec<String> = values.iter().take(3).map(|text| toml_string(text)).collect();
            let missing = held.reading.missing.iter().map(|text| toml_string(text));
            let missing: Vec<String> = missing.chain(texts.iter().cloned()).collect();
            match (remedy, &refusal) {
                (Some(remedy), _) => advice.push(remedy),
                (None, Refusal::Form(_)) if !texts.is_empty() => {
                    advice.push(format!(
                        "if they mean a missing value, write under [[attribute]] `{}`:",
                        held.attribute
                    ));
                    advice.push(format!("  {}missing = [{}]", held.keys, missing.join(", ")));
                    advice.push(format!(
                        "if one is another spelling of a value, write `{}values = {{ {} = \"…\" }}`; else correct the table",
                        held.keys, texts[0]
                    ));
                }
                _ => advice.push("correct the table, or its settings in the project".to_owned()),
            }
        }
        let listed = Self::LISTED.min(Self::LINES - 1 - advice.len());
        Self {
            table: held.table.to_owned(),
            column: held.column.to_owned(),
            refusal,
            values: values.iter().take(listed).map(|text| RefusedValue::new(text)).collect(),
            count: values.len(),
            advice,
        }
    }

    /// Adds to each value its first row and its number of people.
    #[must_use]
    pub(crate) fn with_positions(mut self, lookup: &dyn Fn(&str) -> RefusedValue) -> Self {
        for value in &mut self.values {
            let RefusedValue { row, people, .. } = lookup(&value.text);
            (value.row, value.people) = (row, people);
        }
        self
    }
}

/// Whether a text is already a value in plain form: a plain decimal, or a date `YYYY-MM-DD`.
fn is_in_form(reading: &Reading, text: &str) -> bool {
    match &reading.form {
        Form::Text => false,
        Form::Number(_) => NumberForm::POINT.read(text).as_deref() == Some(text),
        Form::Date(_) => {
            DateForm::new("%Y-%m-%d", None).is_ok_and(|form| form.read(text).as_deref() == Some(text))
        }
    }
}

impl fmt::Display for RefusedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = plural(self.count as u64, "value");
        write!(f, "{}, column `{}`: {count} ", self.table.display(), self.column)?;
        match &self.refusal {
            Refusal::Lacking(hierarchy) => write!(f, "that hierarchy {} lacks", hierarchy.display())?,
            Refusal::Form(expected) => write!(f, "that cannot be read, expected {expected}")?,
            Refusal::Label => write!(f, "equal to the project's label for missing values")?,
            Refusal::SameNumber => write!(
                f,
                "that {} the same number as another value",
                if self.count == 1 { "is" } else { "are" }
            )?,
        }
        if self.count > self.values.len() {
            write!(f, ", the first {}", self.values.len())?;
        }
        writeln!(f, ":")?;
        for RefusedValue { text, row, people } in &self.values {
            let shown = match short(text) {
                part if part == text => format!("{text:?}"),
                part => format!("{part:?}…"),
            };
            let row = row.as_ref().map(|row| format!("   {row}")).unwrap_or_default();
            let people = match people {
                0 => String::new(),
                1 => "   1 person".to_owned(),
                people => format!("   {people} people"),
            };
            writeln!(f, "  {shown}{row}{people}")?;
        }
        f.write_str(&self.advice.join("\n"))
    }
}
