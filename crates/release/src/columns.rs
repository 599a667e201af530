//! The columns of outputs. A column is its name, its heading, its meaning and its value.
//!
//! A command lists the columns of its result once, as a constant. Tables on the terminal, CSV, JSON
//! and `docs/outputs.md` follow from that list.

use palmtop_core::model::Presence;
use palmtop_project::keys::Key;
use palmtop_tables::formula::is_formula;
use serde::{Serialize, Serializer};
use serde_json::{Map, json};

/// A value of a column. Each form of output writes it in its own way.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// There is no value: an empty cell, and null in JSON.
    None,
    /// A text.
    Text(String),
    /// Whether something holds.
    Flag(bool),
    /// A number of people, rows or classes.
    Count(u64),
    /// A loss, an error or a probability. Tables round it to four decimals.
    Number(f64),
    /// A mean number of people. Tables round it to four decimals, narrow cells to one.
    Mean(f64),
    /// A presence, as an exact fraction.
    Presence(Presence),
    /// A time in seconds; cells have milliseconds.
    Seconds(f64),
    /// A value that a table for people writes with these words.
    Worded(String, Box<Value>),
}

palmtop_project::values!(Value);

impl Value {
    /// The cell in CSV: exact, and empty if there is no value.
    pub fn to_csv(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Text(text) => text.clone(),
            Self::Flag(holds) => holds.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) | Self::Mean(number) => number.to_string(),
            Self::Presence(presence) => presence.to_string(),
            Self::Seconds(seconds) => format!("{seconds:.3}"),
            Self::Worded(_, value) => value.to_csv(),
        }
    }

    /// The cell of a table for people: rounded.
    pub fn to_cell(&self) -> String {
        match self {
            Self::Number(number) | Self::Mean(number) => format!("{number:.4}"),
            Self::Worded(words, _) => words.clone(),
            value => value.to_csv(),
        }
    }

    /// The number to order by; `None` if the value is no number.
    #[expect(clippy::cast_precision_loss, reason = "an order of figures")]
    pub fn order(&self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(*count as f64),
            Self::Number(number) | Self::Mean(number) | Self::Seconds(number) => Some(*number),
            Self::Presence(presence) => Some(presence.to_f64()),
            Self::Worded(_, value) => value.order(),
            Self::None | Self::Text(_) | Self::Flag(_) => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Flag(holds) => serializer.serialize_bool(*holds),
            Self::Count(count) => serializer.serialize_u64(*count),
            Self::Number(number) | Self::Mean(number) | Self::Seconds(number) => {
                serializer.serialize_f64(*number)
            }
            Self::Presence(presence) => serializer.collect_str(presence),
            Self::Worded(_, value) => value.serialize(serializer),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(holds: bool) -> Self {
        Self::Flag(holds)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<u8> for Value {
    fn from(count: u8) -> Self {
        Self::Count(count.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Presence> for Value {
    fn from(presence: Presence) -> Self {
        Self::Presence(presence)
    }
}

impl<V: Into<Self>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

/// The position of a column in a table for people. CSV and JSON have every column, in list order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In list order.
    Always,
    /// Before the columns with a higher number.
    At(u8),
    /// As [`At`](Self::At), but left out if the table becomes too wide; the highest number first.
    IfRoom(u8),
    /// Never: only CSV and JSON have it.
    Never,
}

/// A column without its values.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The key in JSON and the header in CSV.
    pub name: &'static str,
    /// The heading in a table for people.
    pub heading: &'static str,
    /// The meaning, as `docs/outputs.md` has it: a phrase without a full stop.
    pub doc: &'static str,
    /// Whether its cells are aligned to the right.
    pub is_number: bool,
    /// Its position in a table for people.
    pub shown: Shown,
}

impl Head {
    /// The key of this column in JSON, with its meaning.
    pub fn key(&self) -> Key {
        Key { path: self.name.to_owned(), meaning: self.doc.to_owned() }
    }

    /// A column whose cells are aligned to the left.
    pub const fn text(name: &'static str, doc: &'static str) -> Self {
        Self { name, heading: name, doc, is_number: false, shown: Shown::Always }
    }

    /// A column whose cells are aligned to the right.
    pub const fn number(name: &'static str, doc: &'static str) -> Self {
        Self { is_number: true, ..Self::text(name, doc) }
    }

    /// The column with this heading and position in a table for people.
    #[must_use]
    pub const fn shown(self, heading: &'static str, shown: Shown) -> Self {
        Self { heading, shown, ..self }
    }
}

/// A column: its head, and its value for a row.
#[derive(Clone, Copy, Debug)]
pub struct Column<T> {
    /// Name, heading, meaning and alignment.
    pub head: Head,
    /// The value for a row.
    pub value: fn(&T) -> Value,
}

impl<T> Column<T> {
    /// A column whose cells are aligned to the left.
    pub const fn text(name: &'static str, doc: &'static str, value: fn(&T) -> Value) -> Self {
        Self { head: Head::text(name, doc), value }
    }

    /// A column whose cells are aligned to the right.
    pub const fn number(name: &'static str, doc: &'static str, value: fn(&T) -> Value) -> Self {
        Self { head: Head::number(name, doc), value }
    }

    /// The column with this heading and position in a table for people.
    #[must_use]
    pub const fn shown(self, heading: &'static str, shown: Shown) -> Self {
        Self { head: self.head.shown(heading, shown), value: self.value }
    }
}

/// The column of a [`Table`]: a [`Head`], whose names may come from a project.
#[derive(Clone, Debug)]
pub struct TableHead {
    /// The key in JSON and the header in CSV.
    pub name: String,
    /// The heading in a table for people.
    pub heading: String,
    /// Whether its cells are aligned to the right.
    pub is_number: bool,
    /// Its position in a table for people.
    pub shown: Shown,
}

impl From<&Head> for TableHead {
    fn from(head: &Head) -> Self {
        let Head { name, heading, is_number, shown, .. } = *head;
        Self { name: name.to_owned(), heading: heading.to_owned(), is_number, shown }
    }
}

/// A table: columns and rows of values.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The columns.
    pub heads: Vec<TableHead>,
    /// The rows, each with a value for each column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// A table of rows, with these columns.
    pub fn of<'a, T: 'a>(columns: &[Column<T>], rows: impl IntoIterator<Item = &'a T>) -> Self {
        let values = |row| columns.iter().map(|column| (column.value)(row)).collect();
        Self {
            heads: columns.iter().map(|column| TableHead::from(&column.head)).collect(),
            rows: rows.into_iter().map(values).collect(),
        }
    }

    /// A table of texts: the names of its columns, and the texts of each row.
    pub fn of_texts<N: Into<String>, V: Into<Value>>(
        names: impl IntoIterator<Item = N>,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = V>>,
    ) -> Self {
        let head = |name: N| {
            let name = name.into();
            TableHead { heading: name.clone(), name, is_number: false, shown: Shown::Always }
        };
        Self {
            heads: names.into_iter().map(head).collect(),
            rows: rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect(),
        }
    }

    /// The table as CSV, with exact values. It is for people, who open it in a spreadsheet: a text that the spreadsheet may run as
    /// a formula has an apostrophe before it.
    pub fn to_csv(&self) -> String {
        let guarded = |text: String| if is_formula(&text) { format!("'{text}") } else { text };
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let heads: Vec<String> = self.heads.iter().map(|head| guarded(head.name.clone())).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|value| guarded(value.to_csv())).collect());
        for cells in std::iter::once(heads).chain(rows) {
            writer.write_record(cells).unwrap_or_else(|_| unreachable!("memory takes every record"));
        }
        let bytes = writer.into_inner().unwrap_or_else(|_| unreachable!("memory takes every record"));
        String::from_utf8(bytes).unwrap_or_else(|_| unreachable!("texts are UTF-8"))
    }

    /// The table with the columns of another table of the same rows to the right.
    #[must_use]
    pub fn with_columns_of(mut self, right: Self) -> Self {
        self.heads.extend(right.heads);
        for (row, values) in self.rows.iter_mut().zip(right.rows) {
            row.extend(values);
        }
        self
    }

    /// The table with a further column to the right: its name, and its value for each row.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, values: impl IntoIterator<Item = Value>) -> Self {
        let name = name.into();
        self.heads.push(TableHead { heading: name.clone(), name, is_number: true, shown: Shown::Always });
        for (row, value) in self.rows.iter_mut().zip(values) {
            row.push(value);
        }
        self
    }

    /// The table with these columns, in this order. A name that the table lacks is left out.
    #[must_use]
    pub fn pick(&self, names: &[&str]) -> Self {
        let index = |name: &&str| self.heads.iter().position(|head| head.name == *name);
        let kept: Vec<usize> = names.iter().filter_map(index).collect();
        self.keep(&kept)
    }

    fn keep(&self, kept: &[usize]) -> Self {
        let pick = |row: &Vec<Value>| kept.iter().map(|&index| row[index].clone()).collect();
        Self {
            heads: kept.iter().map(|&index| self.heads[index].clone()).collect(),
            rows: self.rows.iter().map(pick).collect(),
        }
    }

    /// The rows as JSON objects.
    pub fn objects(&self) -> Vec<Map<String, serde_json::Value>> {
        let object = |row: &Vec<Value>| {
            let keys = self.heads.iter().map(|head| head.name.clone());
            keys.zip(row.iter().map(|value| json!(value))).collect()
        };
        self.rows.iter().map(object).collect()
    }

    /// The first row as a JSON object; empty without rows.
    pub fn object(&self) -> Map<String, serde_json::Value> {
        self.objects().into_iter().next().unwrap_or_default()
    }

    /// The table for people: columns in their order, without the columns `left_out`, without the
    /// last `narrower` optional ones, and without those that are empty in each row.
    #[must_use]
    pub fn for_people(&self, left_out: &[&str], narrower: usize) -> Self {
        let rank = |&index: &usize| match self.heads[index].shown {
            Shown::At(rank) | Shown::IfRoom(rank) => Some(rank),
            Shown::Always => Some(0),
            Shown::Never => None,
        };
        let mut kept: Vec<usize> = (0..self.heads.len()).filter(|index| rank(index).is_some()).collect();
        kept.sort_by_key(rank);
        let is_optional = |index: &&usize| matches!(self.heads[**index].shown, Shown::IfRoom(_));
        let dropped: Vec<usize> = kept.iter().rev().filter(is_optional).take(narrower).copied().collect();
        let has_value = |index: usize| self.rows.iter().any(|row| !row[index].to_cell().is_empty());
        let is_wanted = |index: usize| !left_out.contains(&self.heads[index].name.as_str());
        kept.retain(|&index| !dropped.contains(&index) && is_wanted(index) && has_value(index));
        self.keep(&kept)
    }

    /// The number of columns that [`for_people`](Self::for_people) can leave out.
    pub fn optional(&self) -> usize {
        self.heads.iter().filter(|head| matches!(head.shown, Shown::IfRoom(_))).count()
    }
}
