//! Results on stdout: tables for people, CSV, JSON.

use std::io::{self, Write};

use anyhow::Context;
use comfy_table::{Cell, CellAlignment, ContentArrangement, presets};
use palmtop_core::escape::{escape_lines, is_unsafe};
use palmtop_release::columns::{Table, Value};
use serde::Serialize;

pub use palmtop_core::escape::escape as shown;

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
pub(crate) fn in_ascii(json: &str) -> String {
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

/// Prints a table as CSV, with unsafe characters replaced. JSON keeps them.
pub fn print_csv(table: &Table) -> anyhow::Result<()> {
    print(&table.to_csv())
}

/// A table for people: aligned, with headings and rounded numbers. The columns from the first
/// number on are aligned to the right.
pub fn to_table(table: &Table) -> String {
    let mut aligned = comfy_table::Table::new();
    aligned.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let numbers_from = table.heads.iter().take_while(|head| !head.is_number).count();
    let cell = |(index, text): (usize, &str)| {
        let cell = Cell::new(shown(text));
        if index >= numbers_from { cell.set_alignment(CellAlignment::Right) } else { cell }
    };
    aligned.set_header(table.heads.iter().map(|head| head.heading.as_str()).enumerate().map(cell));
    for row in &table.rows {
        let texts: Vec<String> = row.iter().map(Value::to_cell).collect();
        aligned.add_row(texts.iter().map(String::as_str).enumerate().map(cell));
    }
    let lines: Vec<String> = aligned.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// Names and values, a line each, with aligned values.
#[derive(Debug, Default)]
pub struct Lines(Vec<(String, String)>);

impl Lines {
    /// Adds a line.
    pub fn line(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_owned(), value.into()));
    }

    /// Adds a line if it has a value.
    pub fn line_if(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            self.line(name, value);
        }
    }

    /// The lines as text.
    pub fn to_text(&self) -> String {
        let width = self.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let line = |(name, value): &(_, _)| format!("{name:width$}  {value}\n");
        self.0.iter().map(line).collect::<Vec<String>>().concat()
    }
}

/// A metric, short: three significant digits after a point that needs no zero before it.
pub fn short(value: f64) -> String {
    format!("{value:.4}")
}

/// A lower bound with four decimals, never rounded up.
pub fn short_below(value: f64) -> String {
    short((value * 1e4).floor() / 1e4)
}
