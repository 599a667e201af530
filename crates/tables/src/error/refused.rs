//! Values of a table that cannot be read, or that a hierarchy lacks: which, where, what they look like, and the line to write.

use std::fmt;
use std::path::{Path, PathBuf};

use super::words::plural;
use crate::source::place::RowPlace;
use crate::values::guess::{self, Guess};
use crate::values::reading::{DateForm, Form, NumberForm, Reading};

/// The column of a table that holds a quasi-identifier, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The table's file.
    pub table: &'a Path,
    /// The column's name in it.
    pub column: &'a str,
    /// The attribute's name.
    pub attribute: &'a str,
    /// How its texts are read.
    pub reading: &'a Reading,
    /// What stands before a key of the attribute that is for this table alone: `public.`, `private.` or nothing.
    pub keys: &'a str,
}

impl<'a> Held<'a> {
    /// A column whose texts are values as they stand, of no project.
    pub fn plain(table: &'a Path, column: &'a str) -> Self {
        Self { table, column, attribute: column, reading: &PLAIN, keys: "" }
    }
}

/// How a column of no project is read.
static PLAIN: Reading = Reading::PLAIN;

/// Why values are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A hierarchy lacks them.
    Lacking(PathBuf),
    /// They are not in the form that the project says; what was expected.
    Form(String),
    /// They are what the project calls no value.
    Label,
}

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValue {
    /// The value.
    pub text: String,
    /// The row where it stands first, where it is known.
    pub row: Option<RowPlace>,
    /// How many people have it.
    pub people: u64,
}

impl RefusedValue {
    /// A value of which nothing else is known.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), row: None, people: 0 }
    }
}

/// Values of a column that are refused. Its text has at most [`LINES`](Self::LINES) lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValues {
    /// The table.
    pub table: PathBuf,
    /// Its column.
    pub column: String,
    /// Why.
    pub refusal: Refusal,
    /// The first of them, sorted; at most [`RefusedValues::LISTED`].
    pub values: Vec<RefusedValue>,
    /// How many there are.
    pub count: usize,
    /// What they look like and what to do, a line each.
    pub advice: Vec<String>,
}

impl RefusedValues {
    /// How many values are listed at most.
    pub const LISTED: usize = 10;
    /// How many lines the text has at most.
    pub const LINES: usize = 12;

    /// Some values, sorted. `is_known` tells whether the hierarchy has a value, `labels` are those that it lists, and `remedy`
    /// is what to do where nobody can guess what they are.
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
            Refusal::Label => Vec::new(),
        };
        let mut advice = Vec::new();
        if refusal == Refusal::Label {
            advice.push(format!(
                "call no value something else; write under [[attribute]] `{}`:",
                held.attribute
            ));
            advice.push("  missing_label = \"(none)\"".to_owned());
        }
        for Guess { said, line } in &guesses {
            match line {
                None => advice.push(format!("they look like {said}")),
                Some(line) => {
                    advice.push(format!(
                        "they look like {said}; write under [[attribute]] `{}`:",
                        held.attribute
                    ));
                    advice.push(format!("  {}{line}", held.keys));
                }
            }
        }
        if advice.is_empty() {
            advice.push(
                remedy.unwrap_or_else(|| "correct the table, or what the project says of it".to_owned()),
            );
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

    /// The same with the place of each value.
    #[must_use]
    pub(crate) fn with_places(mut self, place: &dyn Fn(&str) -> RefusedValue) -> Self {
        for value in &mut self.values {
            let RefusedValue { row, people, .. } = place(&value.text);
            (value.row, value.people) = (row, people);
        }
        self
    }
}

/// Whether a text is the value of one in the form that the project says.
fn is_in_form(reading: &Reading, text: &str) -> bool {
    match &reading.form {
        Form::Text => false,
        Form::Number(_) => {
            NumberForm::new('.', None).is_ok_and(|form| form.read(text).as_deref() == Some(text))
        }
        Form::Date(_) => DateForm::new("%Y-%m-%d").is_ok_and(|form| form.read(text).as_deref() == Some(text)),
    }
}

impl fmt::Display for RefusedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = plural(self.count as u64, "value");
        write!(f, "{}, column `{}`: {count} ", self.table.display(), self.column)?;
        let are = if self.count == 1 { "is" } else { "are" };
        match &self.refusal {
            Refusal::Lacking(hierarchy) => write!(f, "that hierarchy {} lacks", hierarchy.display())?,
            Refusal::Form(expected) => write!(f, "that cannot be read, expected {expected}")?,
            Refusal::Label => write!(f, "that {are} what the project calls no value")?,
        }
        if self.count > self.values.len() {
            write!(f, ", the first {}", self.values.len())?;
        }
        writeln!(f, ":")?;
        for RefusedValue { text, row, people } in &self.values {
            let shown = match text.char_indices().nth(60) {
                Some((end, _)) => format!("{:?}…", &text[..end]),
                None => format!("{text:?}"),
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
