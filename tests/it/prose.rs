//! Prose of the pages ends at column 100. `PALMTOP_WRITE_DOCS=1` wraps it, as `just docs` does.
//!
//! Paragraphs and list items are wrapped greedily. Everything else stays as it is: tables, code,
//! headings, comments, link definitions, quotes, and the parts that the program writes.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, mem};

use pulldown_cmark::{Event, Options, Parser};

use crate::architecture::root;

const WIDTH: usize = 100;

/// The marker of a list item with the blanks around it; the empty text if the line is no item.
fn marker(line: &str) -> &str {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = match (digits, rest.as_bytes().get(digits)) {
        (0, Some(b'-' | b'*' | b'+')) => 1,
        (1.., Some(b'.' | b')')) => digits + 1,
        _ => return "",
    };
    let blanks = rest[end..].len() - rest[end..].trim_start().len();
    if blanks == 0 { "" } else { &line[..indent + end + blanks] }
}

/// Whether a line would be something else than prose.
fn is_other(line: &str) -> bool {
    let text = line.trim_start();
    let is_definition = text.starts_with('[') && text.contains("]: ");
    let is_rule = !text.is_empty() && text.chars().all(|character| "-=*".contains(character));
    text.is_empty()
        || text.starts_with(['#', '|', '<', '>'])
        || text.starts_with("![")
        || is_definition
        || is_rule
}

/// The words of a paragraph that may stand at the beginning of a line. Short code has no line ends, and a
/// word that would begin a list or a table follows the word before it.
fn words(lines: &[&str]) -> Vec<String> {
    const SHORT: usize = 60;
    let text: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
    let is_open = |words: &[&str]| words.iter().map(|word| word.matches('`').count()).sum::<usize>() % 2 == 1;
    let mut words: Vec<String> = Vec::new();
    let mut rest = &text[..];
    while !rest.is_empty() {
        // Words up to the end of the code that begins in the first one.
        let end = (1..=rest.len()).find(|end| !is_open(&rest[..*end])).unwrap_or(1);
        let code = rest[..end].join(" ");
        let parts = if code.chars().count() <= SHORT {
            vec![code]
        } else {
            rest[..end].iter().map(|word| (*word).to_owned()).collect()
        };
        rest = &rest[end..];
        for part in parts {
            let begins_block = is_other(&part) || !marker(&format!("{part} ")).is_empty();
            match words.last_mut() {
                Some(last) if begins_block => {
                    last.push(' ');
                    last.push_str(&part);
                }
                _ => words.push(part),
            }
        }
    }
    words
}

/// A paragraph on lines of at most 100 columns, after this marker.
fn wrapped(marker: &str, lines: &[&str]) -> String {
    let (mut text, mut line, mut is_empty) = (String::new(), marker.to_owned(), true);
    for word in words(lines) {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&mem::replace(&mut line, " ".repeat(marker.chars().count())));
            text.push('\n');
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    text + &line + "\n"
}

/// The page with its prose wrapped.
fn wrap(page: &str) -> String {
    let mut text = String::new();
    let mut lines = page.lines().peekable();
    // The end of a part that stays as it is, and the column at which the text of the last item begins.
    let (mut end, mut column) = (None::<&str>, 0);
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if let Some(awaited) = end {
            let is_end = if awaited == "-->" { line.contains(awaited) } else { trimmed.starts_with(awaited) };
            end = (!is_end).then_some(awaited);
        } else if trimmed.starts_with("```") {
            end = Some("```");
        } else if line.ends_with("written by \"just docs\" -->") {
            end = Some("<!-- end of ");
        } else if trimmed.starts_with("<!--") && !line.contains("-->") {
            end = Some("-->");
        } else if !is_other(line) && line.len() - trimmed.len() < column + 4 {
            let marker = match marker(line) {
                "" => &line[..line.len() - trimmed.len()],
                marker => marker,
            };
            column = marker.len();
            let mut paragraph = vec![&line[marker.len()..]];
            let goes_on = |next: &&str| {
                !is_other(next) && self::marker(next).is_empty() && !next.trim_start().starts_with("```")
            };
            while let Some(next) = lines.next_if(goes_on) {
                paragraph.push(next);
            }
            text.push_str(&wrapped(marker, &paragraph));
            continue;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// What a reader of the page sees, with all blanks alike.
fn shown(page: &str) -> String {
    let mut shown = String::new();
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Text(text) => shown.push_str(&text),
            Event::Code(code) => write!(shown, "`{code}`").unwrap(),
            Event::SoftBreak => shown.push(' '),
            other => write!(shown, "{other:?}").unwrap(),
        }
    }
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn prose_of_all_pages_is_wrapped() {
    let files = ["", "docs"].map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let paths = files.into_iter().flatten().map(|entry| entry.unwrap().path());
    let is_page = |path: &PathBuf| {
        // The contents have one link on a line.
        path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("SUMMARY.md")
    };
    for path in paths.filter(is_page) {
        let page = fs::read_to_string(&path).unwrap();
        let wrapped = wrap(&page);
        let name = path.display();
        assert_eq!(shown(&page), shown(&wrapped), "{name}");
        assert_eq!(wrap(&wrapped), wrapped, "{name}");
        if env::var_os("PALMTOP_WRITE_DOCS").is_some() {
            fs::write(&path, wrapped).unwrap();
            continue;
        }
        let mut lines = (1..).zip(page.lines().zip(wrapped.lines()));
        let other = lines.find(|(_, (line, wrapped))| line != wrapped);
        assert_eq!(other, None, "{name}: run `just docs`");
    }
}

#[test]
fn only_paragraphs_and_items_are_wrapped() {
    let long = "word ".repeat(30);
    let kept = format!("# {long}\n\n| {long} |\n\n```text\n{long}\n```\n\n<!-- {long} -->\n\n[a]: {long}\n");
    assert_eq!(wrap(&kept), kept);
    assert_eq!(wrap("a\nb\n\n- c\n  d\n- e\n\n  f\n  g\n10. h\n"), "a b\n\n- c d\n- e\n\n  f g\n10. h\n");
    let (start, word) = ("x".repeat(94), "`a b`");
    assert_eq!(wrap(&format!("{start}\n{word}")), format!("{start} {word}\n"));
    assert_eq!(wrap(&format!("- {start}\n{word}")), format!("- {start}\n  {word}\n"));
    let code = format!("a\n\n    x = {long}\n    y\n\n- b\n\n      {long}\n");
    assert_eq!(wrap(&code), code);
    // No line may begin as a list does.
    assert_eq!(wrap(&format!("{start} {start} - b")), format!("{start}\n{start} - b\n"));
}
