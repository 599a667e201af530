//! The first lines of a CSV file: a note for spreadsheets or a title in the place of the names.

use super::text::starts_with_digit;

/// What stands before the names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Top {
    /// `sep=;` and the like.
    Note,
    /// A title; the names seem to be in this line.
    Title(u64),
}

/// Looks at the beginning of a text.
pub(crate) fn top(beginning: &[u8], separator: Option<u8>, quote: Option<u8>) -> Option<Top> {
    let text = String::from_utf8_lossy(beginning).replace('\r', "");
    let text = text.trim_start_matches('\u{feff}');
    let first = text.split('\n').next()?.replace('"', "").to_ascii_lowercase();
    if first.strip_prefix("sep=").is_some_and(|mark| mark.trim().chars().count() < 2) {
        return Some(Top::Note);
    }
    let candidates = separator.map_or(vec![',', ';', '\t', '|'], |one| vec![char::from(one)]);
    let lines: Vec<&str> = text.split('\n').take(5).collect();
    let is_table = |candidate: &char| {
        let cells = |line: &str| line.split(*candidate).count();
        let filled =
            lines[0].split(*candidate).filter(|cell| !cell.replace('"', "").trim().is_empty()).count();
        filled > 1 && lines[1..].iter().any(|line| cells(line) == cells(lines[0]))
    };
    if candidates.iter().any(is_table) {
        return None;
    }
    let titles = candidates.into_iter().filter_map(|candidate| title(text, candidate, quote.map(char::from)));
    titles.max().map(|(_, line)| Top::Title(line))
}

/// The number of columns and the line of the names under a title.
fn title(text: &str, separator: char, quote: Option<char>) -> Option<(usize, u64)> {
    let mut records: Vec<(u64, Vec<String>)> = Vec::new();
    let (mut line, mut is_open) = (0, false);
    for part in text.split('\n').take(40) {
        line += 1;
        if !is_open {
            records.push((line, vec![String::new()]));
        }
        let (_, cells) = records.last_mut()?;
        for character in part.chars() {
            match character {
                _ if Some(character) == quote => is_open = !is_open,
                _ if character == separator && !is_open => cells.push(String::new()),
                _ => cells.last_mut()?.push(character),
            }
        }
    }
    let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    let looks_like_names = |cells: &[String]| {
        cells.len() > 1 && cells.iter().all(|cell| !cell.trim().is_empty() && !starts_with_digit(cell))
    };
    let nth = records.iter().position(|(_, cells)| looks_like_names(cells))?;
    let (line, names) = &records[nth];
    let before = &records[..nth];
    let is_short = |cells: &[String]| {
        2 * cells.len() <= names.len() || (filled(cells) < 2 && (cells.len() != 2 || names.len() != 2))
    };
    let below: Vec<usize> = records[nth + 1..].iter().take(3).map(|(_, cells)| cells.len()).collect();
    let is_title = (1..=10).contains(&nth) && filled(&before[0].1) > 0;
    // A line end after the last record begins no other.
    let has_table = below.first() == Some(&names.len())
        && below[1..].iter().all(|width| *width == names.len() || *width == 1);
    (is_title && before.iter().all(|(_, cells)| is_short(cells)) && has_table).then_some((names.len(), *line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_titles_are_told_from_names() {
        for (beginning, expected) in [
            ("sep=;\r\na;b\r\n1;2\r\n", Some(Top::Note)),
            ("Register 2024\nage,sex\n20,f\n21,m\n", Some(Top::Title(2))),
            ("Register, 2024\n\nage;sex;zip\n20;f;1\n", Some(Top::Title(3))),
            ("Register 2024,,\nage,sex,zip\n20,f,1\n", Some(Top::Title(2))),
            ("age,sex\n20,f\n", None),
            ("a;b;c\n1;x, y;2\nz;x, y;4\n", None),
            (",age\n1,20\n", None),
            ("name\n\"Berg, Anna\"\nKlein\n", None),
        ] {
            assert_eq!(top(beginning.as_bytes(), None, Some(b'"')), expected, "{beginning:?}");
        }
    }
}
