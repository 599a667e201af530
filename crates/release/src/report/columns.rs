//! The columns of a released file: the form of their values.

use std::collections::BTreeSet;

use super::sections::ColumnSection;
use crate::pipeline::{Analysis, ReadRelease};

/// Finds the form of the values in each column of a release.
pub(super) fn columns(analysis: &Analysis, read: &ReadRelease, released: &[String]) -> Vec<ColumnSection> {
    let project = analysis.project();
    let form = |column: &String| {
        let quasi = project.quasi().position(|(attribute, _)| project.private_column(attribute) == column);
        let kept = read.columns.iter().position(|known| known == column);
        let texts: BTreeSet<&str> = match (quasi, kept) {
            (Some(index), _) => read.classes.iter().map(|class| class.texts[index].as_str()).collect(),
            (None, Some(position)) => {
                let kept = read.classes.iter().flat_map(|class| &class.kept);
                kept.map(|(texts, _)| texts[position].as_str()).collect()
            }
            // Pseudonyms that were drawn anew are texts.
            (None, None) => BTreeSet::new(),
        };
        ColumnSection { column: column.clone(), form: form_of(&texts).to_owned() }
    };
    released.iter().map(form).collect()
}

/// The narrowest form that all texts have. The label `*` and the empty text fit every form.
fn form_of(texts: &BTreeSet<&str>) -> &'static str {
    let pieces: Vec<&str> =
        texts.iter().flat_map(|text| pieces(text)).filter(|piece| !piece.is_empty()).collect();
    let is_all = |fits: &dyn Fn(&str) -> bool| !pieces.is_empty() && pieces.iter().all(|piece| fits(piece));
    if is_all(&|piece| is_number(piece, None)) {
        "whole numbers"
    } else if is_all(&|piece| is_number(piece, Some('.'))) {
        "numbers with a decimal point"
    } else if is_all(&|piece| is_number(piece, Some(','))) {
        "numbers with a decimal comma"
    } else if is_all(&|piece| is_date(piece, '-', [4, 2, 2])) {
        "dates as year-month-day"
    } else if is_all(&|piece| is_date(piece, '.', [2, 2, 4])) {
        "dates as day.month.year"
    } else if is_all(&|piece| is_date(piece, '/', [2, 2, 4])) {
        "dates as two numbers and a year, with /"
    } else {
        "texts"
    }
}

/// The values in a label: the ends of a range, the elements of a set, or the label itself; empty for `*`.
fn pieces(text: &str) -> Vec<&str> {
    let inside = |open, close| text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
    match (text, inside('[', ']').or_else(|| inside('{', '}'))) {
        ("*", _) => Vec::new(),
        (_, Some(inside)) => inside.split(", ").collect(),
        (text, None) => vec![text],
    }
}

fn is_number(text: &str, mark: Option<char>) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    match mark.and_then(|mark| text.split_once(mark)) {
        Some((integer, part)) => digits(integer) && digits(part),
        None => digits(text),
    }
}

fn is_date(text: &str, separator: char, lengths: [usize; 3]) -> bool {
    let parts: Vec<&str> = text.split(separator).collect();
    let is_part = |(part, length): (&&str, usize)| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    parts.len() == 3 && parts.iter().zip(lengths).all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_form_is_that_of_its_values() {
        for (texts, form) in [
            (&["12", "*", "[20, 29]"][..], "whole numbers"),
            (&["1.5", "2"], "numbers with a decimal point"),
            (&["10,5", "8"], "numbers with a decimal comma"),
            (&["2024-01-31", "[2024-01-01, 2024-12-31]", ""], "dates as year-month-day"),
            (&["31.01.2024"], "dates as day.month.year"),
            (&["01/31/2024"], "dates as two numbers and a year, with /"),
            (&["12", "unknown"], "texts"),
            (&["{female, male}"], "texts"),
            (&["1.2.3"], "texts"),
            (&[], "texts"),
        ] {
            assert_eq!(form_of(&texts.iter().copied().collect()), form, "{texts:?}");
        }
    }
}
