//! The glossary as it is seen, and as its twin in the documentation has it.

use super::terms::GLOSSARY;
use crate::kit::text;
use crate::testing::{Bench, snapshots};
use crate::windows::glossary::Glossary;

#[test]
fn the_glossary() {
    snapshots("windows/glossary", "glossary", "paper/paper.toml", ":glossary<Enter>");
    snapshots(
        "windows/glossary",
        "glossary-marks",
        "paper/paper.toml",
        ":glossary<Enter><PgDn><PgDn><PgDn><PgDn><PgDn><PgDn><PgDn>",
    );
}

#[test]
fn the_lists_open_the_glossary() {
    for keys in ["?glossary<Enter>", ":glossary<Enter>", ":words<Enter>"] {
        let mut bench = Bench::paper();
        assert!(bench.keys(keys).window::<Glossary>().is_some(), "{keys}");
        assert!(bench.screen(80, 24).contains("the people whose presence in it is sensitive"), "{keys}");
        assert!(bench.keys("j<Esc>").app.windows.is_empty(), "{keys}");
    }
}

/// A cell of a table in Markdown, without marks.
fn plain(cell: &str) -> String {
    let mut is_code = false;
    let is_kept = |character: &char| {
        is_code ^= *character == '`';
        *character != '`' && (*character != '*' || is_code)
    };
    cell.trim().chars().filter(is_kept).collect()
}

#[test]
fn its_words_are_those_of_the_documentation() {
    let written = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/glossary.md"));
    let mut documented: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for line in written.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            documented.push((title.to_owned(), Vec::new()));
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let ([word, meaning], Some((_, terms))) = (cells.as_slice(), documented.last_mut()) else {
            continue;
        };
        if !matches!(word.trim(), "term" | "mark" | "---") {
            terms.push((plain(word), plain(meaning)));
        }
    }
    let terms: Vec<(String, Vec<(String, String)>)> = GLOSSARY
        .iter()
        .map(|section| {
            let terms =
                section.terms.iter().map(|(word, meaning)| ((*word).to_owned(), (*meaning).to_owned()));
            (section.title.to_owned(), terms.collect())
        })
        .collect();
    assert_eq!(terms, documented);
}

#[test]
fn every_word_fits_its_column() {
    let words = GLOSSARY.iter().flat_map(|section| section.terms).map(|(word, _)| text::width(word));
    assert!(words.max().unwrap_or(0) <= 25);
}
