//! Draws the longest rows of the release that would be written, with their numbers of characters.
//!
//! ```text
//! longest  zip {101, 104} · age [36, 55] · sex female … (112 characters)
//! second   zip 089** except {08912} · age [3, 6] · sex male (74 characters)
//! third    …
//! ```

use palmtop_release::pipeline::page::LongestRows;
use ratatui::style::Style;
use ratatui::text::Line;

use super::state::Preview;
use crate::kit::theme::Theme;
use crate::kit::{columns, text};

/// The width of the names in front of values.
pub(super) const NAMES: usize = 9;
/// The names of the rows.
const RANKS: [&str; 3] = ["longest", "second", "third"];
/// The heading of the column with the numbers of characters.
const CHARACTERS: &str = "characters";
/// The most lines of a row of the preview, in a narrow window and in a wide one.
const ROW_LINES: [usize; 2] = [2, 6];
/// A window with fewer columns is narrow.
const WIDE: usize = 90;

/// The preview: a table if it fits, else the rows one after the other.
pub(super) fn lines(theme: Theme, preview: Option<&Preview>, width: usize) -> Vec<Line<'static>> {
    match preview {
        None => vec![Line::styled(" longest  rows: reading the private table …", theme.faint())],
        Some(Err(failure)) => {
            let sentence = text::wrap_to(failure, width.saturating_sub(NAMES + 2), 3).into_iter().enumerate();
            let named = sentence.map(|(index, line)| (if index == 0 { "preview" } else { "" }, line));
            named.map(|(name, line)| Line::styled(format!(" {name:<NAMES$}{line}"), theme.bad())).collect()
        }
        Some(Ok(longest)) => {
            table(theme, longest, width).unwrap_or_else(|| one_by_one(theme, longest, width))
        }
    }
}

/// The rows one after the other, each value after the name of its column.
fn one_by_one(theme: Theme, longest: &LongestRows, width: usize) -> Vec<Line<'static>> {
    let most = ROW_LINES[usize::from(width >= WIDE)];
    let room = width.saturating_sub(NAMES + 2);
    let mut lines = Vec::new();
    for (number, (characters, row)) in longest.rows.iter().enumerate() {
        let cells = longest.columns.iter().zip(row).map(|(column, text)| format!("{} {text}", column.name));
        let sentence = cells.collect::<Vec<_>>().join(" · ");
        let end = format!("({} characters)", text::count(*characters as u64));
        let style = if number % 2 == 0 { Style::new() } else { theme.faint() };
        for (index, line) in cut(&sentence, &end, room, most).into_iter().enumerate() {
            let name = if index == 0 { RANKS[number.min(RANKS.len() - 1)] } else { "" };
            lines.push(Line::styled(format!(" {name:<NAMES$}{line}"), style));
        }
    }
    lines
}

/// A safe sentence and its end, in at most this many lines. An ellipsis replaces the rest of the sentence.
fn cut(sentence: &str, end: &str, columns: usize, most: usize) -> Vec<String> {
    let complete = text::wrap(&text::safe(&format!("{sentence} {end}")), columns);
    if complete.len() <= most {
        return complete;
    }
    let mut lines = text::wrap(&text::safe(sentence), columns);
    lines.truncate(most);
    if let Some(last) = lines.last_mut() {
        while !last.is_empty() && text::width(last) + 2 + text::width(end) > columns {
            last.pop();
        }
        *last = format!("{}… {end}", last.trim_end());
    }
    lines
}

/// The rows as a table; `None` if they are wider than the window.
fn table(theme: Theme, longest: &LongestRows, width: usize) -> Option<Vec<Line<'static>>> {
    let header = longest.columns.iter().map(|column| column.name.clone()).chain([CHARACTERS.to_owned()]);
    let rows = longest.rows.iter().map(|(characters, row)| {
        row.iter().cloned().chain([text::count(*characters as u64)]).collect::<Vec<String>>()
    });
    let rows: Vec<Vec<String>> = std::iter::once(header.collect()).chain(rows).collect();
    let cell = |text: &String| text::width(&text::safe(text));
    let count = rows[0].len();
    let wished: Vec<usize> =
        (0..count).map(|column| rows.iter().map(|row| cell(&row[column])).max().unwrap_or(0)).collect();
    let room = width.saturating_sub(NAMES + 1 + 2 * count);
    if wished.iter().sum::<usize>() > room {
        return None;
    }
    let widths = columns::fit(&wished, room, 2);
    let line = |(number, row): (usize, &Vec<String>)| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(text, &width)| text::fit(text, width)).collect();
        let style = if number == 0 { theme.faint() } else { Style::new() };
        let name = if number == 0 { "" } else { RANKS[(number - 1).min(RANKS.len() - 1)] };
        Line::styled(text::fit(&format!(" {name:<NAMES$}{}", cells.join("  ")), width), style)
    };
    Some(rows.iter().enumerate().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_row_is_cut_with_its_length() {
        let sentence = "zip {10100, 10101, 10102} · nationality Chile";
        let of = |columns, most| cut(sentence, "(35 characters)", columns, most);
        assert_eq!(of(80, 2), [format!("{sentence} (35 characters)")]);
        assert_eq!(of(34, 2), ["zip {10100, 10101, 10102} ·", "nationality Chile (35 characters)"]);
        assert_eq!(of(34, 1), ["zip {10100, 10101… (35 characters)"]);
        for columns in 20..60 {
            assert!(of(columns, 2).iter().all(|line| text::width(line) <= columns), "{columns}");
        }
    }
}
