//! Results on stdout: tables for people, CSV, JSON.

use std::io::{self, Write};

use anyhow::Context;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use palmtop_core::text::{escape_lines, is_unsafe};
use palmtop_flow::columns::{Table as Columns, TableHead, Value};
use serde::Serialize;

pub use palmtop_core::text::escape as shown;

/// Writes a finished result to stdout at once, escaped: values and names may come from anywhere.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_raw(&escape_lines(text))
}

/// Writes a text without foreign values to stdout, unchanged.
pub fn print_raw(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    is_written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// The result of writing to stdout. A reader that stops early (`| head`) is no error.
pub fn is_written(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the result")
        }
        _ => Ok(()),
    }
}

/// Prints a value as JSON.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut text = in_ascii(&serde_json::to_string_pretty(value).context("cannot write the result as JSON")?);
    text.push('\n');
    print(&text)
}

/// JSON with unsafe characters as `\u…`. They occur in strings only, so the value stays the same.
fn in_ascii(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        if character == '\n' || !is_unsafe(character) {
            safe.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
    }
    safe
}

/// A header and lines of text.
#[derive(Debug, Default)]
pub struct OutputRows {
    pub header: Vec<String>,
    pub lines: Vec<Vec<String>>,
    /// The columns from here on are numbers.
    pub numbers_from: usize,
}

impl OutputRows {
    /// Prints the rows as CSV, with unsafe characters replaced. JSON keeps them.
    pub fn print_csv(&self) -> anyhow::Result<()> {
        print(&String::from_utf8_lossy(&self.to_csv()?))
    }

    /// The rows as CSV.
    pub fn to_csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.header)?;
        for row in &self.lines {
            writer.write_record(row)?;
        }
        writer.into_inner().context("cannot write the result as CSV")
    }

    /// The cells of a table in CSV.
    pub fn of_csv(table: &Columns) -> Self {
        Self::of(table, |head| head.name.clone(), Value::to_csv)
    }

    /// The cells of a table for people: headings, and rounded numbers.
    pub fn of_people(table: &Columns) -> Self {
        Self::of(table, |head| head.heading.clone(), Value::to_cell)
    }

    fn of(table: &Columns, head: fn(&TableHead) -> String, cell: fn(&Value) -> String) -> Self {
        Self {
            header: table.heads.iter().map(head).collect(),
            lines: table.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
            numbers_from: table.heads.iter().take_while(|head| !head.is_number).count(),
        }
    }

    /// Rows of a name and a value, aligned, without the header.
    pub fn to_lines(&self) -> String {
        let width = self.lines.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
        let pad = |row: &Vec<String>| format!("{:width$}  {}\n", row[0], row[1]);
        self.lines.iter().map(pad).collect()
    }

    /// The rows as an aligned table.
    pub fn to_table(&self) -> String {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let cell = |(place, text): (usize, &String)| {
            let cell = Cell::new(shown(text));
            if place >= self.numbers_from { cell.set_alignment(CellAlignment::Right) } else { cell }
        };
        table.set_header(self.header.iter().enumerate().map(cell));
        table.add_rows(self.lines.iter().map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>()));
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n") + "\n"
    }
}

/// A metric, short: three significant places after a point that needs no zero before it.
pub fn short(value: f64) -> String {
    format!("{value:.4}")
}

/// A lower bound with four decimals, never rounded up.
pub fn short_below(value: f64) -> String {
    short((value * 1e4).floor() / 1e4)
}
