//! Draws the longest row of the release that would be written, with its number of characters.

use palmtop_release::pipeline::page::LongestRows;

use super::state::Preview;
use crate::kit::text;

/// The row in at most `most` lines.
pub(super) fn lines(preview: Option<&Preview>, columns: usize, most: usize) -> Vec<String> {
    match preview {
        None => vec!["reading the private table …".to_owned()],
        Some(Err(failure)) => text::wrap_to(failure, columns, most),
        Some(Ok(longest)) => row(longest, columns, most),
    }
}

fn row(longest: &LongestRows, columns: usize, most: usize) -> Vec<String> {
    let Some((characters, row)) = longest.rows.first() else { return vec!["no row".to_owned()] };
    cut(&row.join(" · "), &format!("({} characters)", text::count(*characters as u64)), columns, most)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_row_is_cut_with_its_length() {
        let sentence = "{10100, 10101, 10102} · Chile";
        let of = |columns, most| cut(sentence, "(35 characters)", columns, most);
        assert_eq!(of(80, 2), [format!("{sentence} (35 characters)")]);
        assert_eq!(of(34, 2), ["{10100, 10101, 10102} · Chile (35", "characters)"]);
        assert_eq!(of(34, 1), ["{10100, 10101, 10… (35 characters)"]);
        for columns in 20..60 {
            assert!(of(columns, 2).iter().all(|line| text::width(line) <= columns), "{columns}");
        }
    }
}
