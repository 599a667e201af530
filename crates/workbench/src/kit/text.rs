//! Texts in cells: made safe, and cut or padded to a width.

use palmtop_core::model::{Delta, Presence};
use palmtop_release::caution::{at_least, at_most, typed};
use ratatui::buffer::Buffer;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) use palmtop_release::chart::loss;

/// The columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Replaces the characters of a text from a file that could drive the terminal or reverse its line.
pub(crate) fn safe(text: &str) -> String {
    palmtop_core::escape::escape(text).into_owned()
}

/// Replaces the characters that [`safe`] replaces, in a buffer that is about to be drawn.
pub(crate) fn veil(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.contains(palmtop_core::escape::is_unsafe) {
            cell.set_symbol("\u{fffd}");
        }
    }
}

/// A safe text of exactly this many columns: padded on the right, or cut with an ellipsis.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    // Reads only the part that can be visible: a cell may have thousands of characters.
    let start: String = text.chars().take(columns * 4 + 8).collect();
    let text = safe(&start);
    let mut fitted = String::new();
    let mut used = 0;
    let is_complete = width(&text) <= columns;
    let room = if is_complete { columns } else { columns.saturating_sub(1) };
    for character in text.chars() {
        let wide = character.width().unwrap_or(0);
        if used + wide > room {
            break;
        }
        fitted.push(character);
        used += wide;
    }
    if !is_complete && columns > 0 {
        fitted.push('…');
    }
    // Characters may take fewer columns together than alone (an emoji with a skin tone).
    fitted.push_str(&" ".repeat(columns.saturating_sub(width(&fitted))));
    fitted
}

/// A safe sentence after a blank, cut between two words if it is wider than this many columns.
pub(crate) fn fit_words(sentence: &str, columns: usize) -> String {
    let sentence = format!(" {sentence}");
    if width(&sentence) <= columns {
        return fit(&sentence, columns);
    }
    let start = wrap(&sentence, columns.saturating_sub(2)).swap_remove(0);
    fit(&format!(" {} …", start.trim_end_matches(" …")), columns)
}

/// The first of these texts that fits into this many columns, else the last. The longest text comes
/// first.
pub(crate) fn longest_that_fits(forms: &[String], columns: usize) -> String {
    let fitting = forms.iter().find(|form| width(form) <= columns);
    fitting.or(forms.last()).cloned().unwrap_or_default()
}

/// A safe sentence in lines of at most this many columns.
pub(crate) fn wrap(sentence: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let safe = safe(sentence);
    let words = safe.split(' ').flat_map(|word| pieces(word, columns.max(1)));
    for word in words {
        let last = lines.last().map_or(0, |line| width(line));
        if last > 0 && last + 1 + width(&word) > columns {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
    }
    lines
}

/// [`wrap`] into at most this many lines; an ellipsis replaces the rest.
pub(crate) fn wrap_to(sentence: &str, columns: usize, lines: usize) -> Vec<String> {
    let mut wrapped = wrap(sentence, columns);
    if wrapped.len() > lines {
        wrapped.truncate(lines);
        if let Some(last) = wrapped.last_mut() {
            // The ellipsis also appears if the cut falls between two words.
            let mut kept = last.clone();
            while width(&kept) >= columns.max(1) {
                kept.pop();
            }
            *last = format!("{}…", kept.trim_end());
        }
    }
    wrapped
}

/// The pieces of a word; a word longer than a line is broken.
fn pieces(word: &str, columns: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in word.chars() {
        let full = pieces.last().is_some_and(|piece| width(piece) + 1 >= columns);
        if full {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}

/// A text of exactly this many columns, aligned to the right.
pub(crate) fn right(text: &str, columns: usize) -> String {
    let taken = width(text);
    if taken > columns { fit(text, columns) } else { format!("{}{text}", " ".repeat(columns - taken)) }
}

/// A change of loss, with its sign: `+.041`, `−.038`.
pub(crate) fn change(value: f64) -> String {
    let sign = if value < 0.0 { "−" } else { "+" };
    format!("{sign}{}", loss(value.abs()))
}

/// A size: `640 B`, `12.3 MB`.
#[expect(clippy::cast_precision_loss, reason = "a size to show")]
pub(crate) fn bytes(value: u64) -> String {
    match value {
        0..1_000 => format!("{value} B"),
        1_000..1_000_000 => format!("{:.1} kB", value as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", value as f64 / 1e6),
        _ => format!("{:.1} GB", value as f64 / 1e9),
    }
}

/// A count with separators: `12,345`.
pub(crate) fn count(value: impl TryInto<u64>) -> String {
    palmtop_core::words::count(value.try_into().unwrap_or(u64::MAX))
}

/// A part in per cent of the total: `94.9`.
#[expect(clippy::cast_precision_loss, reason = "a percentage to show")]
pub(crate) fn percent(part: u64, total: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / total.max(1) as f64)
}

/// Whether a fraction has more digits than a person reads at a glance.
fn is_long(value: Presence) -> bool {
    const READABLE: usize = 6;
    value.numerator().to_string().len() + value.denominator().to_string().len() > READABLE
}

/// A bound as it was typed: `7.6 %`, `1/3`; a fraction with many digits is rounded.
fn bound(value: Presence, rounded: fn(Presence) -> String) -> String {
    let exact = typed(value);
    if is_long(value) && !exact.ends_with('%') { rounded(value) } else { exact.replace('%', " %") }
}

/// δmin or another lower bound, as it was typed.
pub(crate) fn lower(value: Presence) -> String {
    bound(value, at_least)
}

/// δmax or another upper bound, as it was typed.
pub(crate) fn upper(value: Presence) -> String {
    bound(value, at_most)
}

/// δ as it was typed: `up to 7.6 %`, `1 % to 1/3`.
pub(crate) fn delta(delta: Delta) -> String {
    if delta.min() == Presence::ZERO {
        format!("up to {}", upper(delta.max()))
    } else {
        format!("{} to {}", lower(delta.min()), upper(delta.max()))
    }
}

/// Bounds of presence in per cent, the lower one rounded down and the upper one up: `0 to 8.2 %`.
pub(crate) fn span(least: Presence, most: Presence) -> String {
    format!("{} to {}", at_least(least).trim_end_matches(" %"), at_most(most))
}

/// A number of columns for a terminal.
pub(crate) fn columns(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

/// A number with its noun: `1 class`, `12,345 classes`.
pub(crate) fn counted(value: impl TryInto<u64>, one: &str, many: &str) -> String {
    let value: u64 = value.try_into().unwrap_or(u64::MAX);
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_shown_as_typed() {
        for (min, max, shown) in [
            ("0", "7.6%", "up to 7.6 %"),
            ("0", "19/250", "up to 7.6 %"),
            ("1/3", "2/3", "1/3 to 2/3"),
            ("62737/416475", "0.2", "15 % to 20 %"),
            ("0", "62737/416475", "up to 15.1 %"),
        ] {
            let bounds = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
            assert_eq!(delta(bounds), shown);
        }
    }

    #[test]
    fn a_span_of_presence_is_rounded_outwards() {
        for (least, most, shown) in
            [("0", "1/10", "0 to 10 %"), ("1/3", "2/3", "33.3 to 66.7 %"), ("0", "3/37", "0 to 8.2 %")]
        {
            assert_eq!(span(least.parse().unwrap(), most.parse().unwrap()), shown);
        }
    }

    #[test]
    fn texts_are_cut_and_padded_by_column_width() {
        for (text, columns, fitted) in [
            ("abc", 5, "abc  "),
            ("abcdef", 4, "abc…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日… "),
            ("", 2, "  "),
            ("ab", 0, ""),
            ("a\x1b[31mb\u{202e}c", 12, "a\u{fffd}[31mb\u{fffd}c   "),
        ] {
            assert_eq!(fit(text, columns), fitted, "{text:?}");
        }
        assert_eq!(width(&fit(&"x\n".repeat(10_000), 30)), 30);
        assert_eq!((right("7", 3), right("12345", 3)), ("  7".to_owned(), "12…".to_owned()));
    }

    #[test]
    fn unsafe_characters_are_never_drawn() {
        use ratatui::layout::Rect;
        use ratatui::widgets::{Paragraph, Widget};
        let area = Rect::new(0, 0, 30, 1);
        let mut buffer = Buffer::empty(area);
        Paragraph::new("a\u{202e}b\u{200d}c\u{1b}[2J e\u{301} ✓ 日 x\u{fe0f}").render(area, &mut buffer);
        buffer.content[29].set_symbol("\u{1b}");
        veil(&mut buffer);
        let drawn: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(!drawn.contains(palmtop_core::escape::is_unsafe), "{drawn:?}");
        assert!(drawn.contains("e\u{301} ✓ 日"), "{drawn:?}");
    }

    #[test]
    fn wrapped_sentence_marks_where_it_was_cut() {
        let sentence = "one two three four";
        assert_eq!(wrap_to(sentence, 9, 3), ["one two", "three", "four"]);
        assert_eq!(wrap_to(sentence, 9, 2), ["one two", "three…"]);
        assert_eq!(wrap_to(sentence, 7, 1), ["one tw…"]);
        assert_eq!(wrap_to("", 7, 1), [""]);
    }

    #[test]
    fn single_line_sentence_is_cut_between_words() {
        assert_eq!(fit_words("one two three", 15), " one two three ");
        assert_eq!(fit_words("one two three", 12), " one two …  ");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            (loss(0.2741).as_str(), loss(1.0).as_str(), loss(0.0).as_str()),
            (".274", "1.000", ".000")
        );
        assert_eq!((change(-0.038).as_str(), change(0.0412).as_str()), ("−.038", "+.041"));
        assert_eq!(
            (count(7).as_str(), count(1234).as_str(), count(1_234_567).as_str()),
            ("7", "1,234", "1,234,567")
        );
    }
}
