//! The columns of a released file: the form of their values, and the values that each label stands for.

use std::collections::BTreeSet;

use super::sections::{CodeSection, ColumnSection};
use crate::pipeline::{Analysis, ReadRelease};
use palmtop_tables::join::OutsiderRule;

/// The greatest number of listed values of a label.
const MOST: usize = 40;
/// If a label has more values than this, and P has no other value between the first and the last, only these two are listed.
const FEW: usize = 10;

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

/// Whether the values of a label can be given by the first and the last: three or more dates, or many other values, in ascending
/// order, with no other value of P between them.
fn is_range(all: &[&String], occurring: &[String]) -> bool {
    let are_dates = || all.iter().all(|value| is_date(value, '-', [4, 2, 2]));
    if all.len() <= FEW && (all.len() < 3 || !are_dates()) {
        return false;
    }
    let numbers: Option<Vec<f64>> = all.iter().map(|value| value.parse().ok()).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return false };
    let is_between = |value: &&String| match numbers.as_deref() {
        Some([first, .., last]) => value.parse::<f64>().is_ok_and(|value| (*first..=*last).contains(&value)),
        _ => value.as_str() >= first.as_str() && value.as_str() <= last.as_str(),
    };
    let ascends = match &numbers {
        Some(numbers) => numbers.is_sorted(),
        None => all.is_sorted(),
    };
    ascends && occurring.iter().filter(is_between).count() == all.len()
}

/// The labels in a release, each with the values of P that it stands for. Ranges, sets, `*` and single values need no explanation
/// and are left out.
///
/// The label of people without a value is explained wherever it occurs, also in a set.
///
/// If the project adds members to P, values of P may be values of T. Then only the labels of people without a value are listed.
pub(super) fn codes(analysis: &Analysis, read: &ReadRelease) -> Vec<CodeSection> {
    let project = analysis.project();
    let mut codes = Vec::new();
    for ((attribute, _), denoted) in project.quasi().zip(&read.denoted) {
        let column = project.private_column(attribute);
        let missing = attribute.readings.public.missing_label.as_deref();
        let is_released = |missing: &&str| denoted.texts.keys().any(|text| pieces(text).contains(missing));
        if let Some(missing) = missing.filter(is_released) {
            codes.push(CodeSection {
                column: column.to_owned(),
                label: missing.to_owned(),
                is_missing: true,
                is_complete: true,
                is_range: false,
                count: None,
                values: Vec::new(),
            });
        }
        if project.outsiders == OutsiderRule::Add {
            continue;
        }
        for (label, denoted_text) in &denoted.texts {
            let all: Vec<&String> =
                denoted_text.runs.iter().flat_map(|&(begin, end)| &denoted.occurring[begin..end]).collect();
            let is_missing = missing == Some(label.as_str());
            let explains_itself =
                label == "*" || label.starts_with(['[', '{']) || (all.len() == 1 && all[0] == label);
            if explains_itself || is_missing {
                continue;
            }
            let is_range = denoted_text.runs.len() == 1 && is_range(&all, &denoted.occurring);
            let values = match all.as_slice() {
                [first, .., last] if is_range => vec![(*first).clone(), (*last).clone()],
                all => all.iter().take(MOST).map(|&value| value.clone()).collect(),
            };
            codes.push(CodeSection {
                column: column.to_owned(),
                label: label.clone(),
                is_missing: false,
                is_complete: is_range || all.len() <= MOST,
                is_range,
                count: (is_range || all.len() > MOST).then_some(all.len() as u64),
                values,
            });
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_without_others_between_them_are_a_range() {
        let days: Vec<String> = (1..=28).map(|day| format!("2024-03-{day:02}")).collect();
        let codes: Vec<String> = (1..=40).map(|code| format!("{code:05}")).collect();
        let all = |texts: &[String], skip: usize| {
            let of: Vec<&String> = texts.iter().step_by(skip).collect();
            is_range(&of, texts)
        };
        assert!(all(&days, 1) && all(&days[..3], 1) && all(&codes, 1), "dates, three dates, codes");
        assert!(!all(&days[..2], 1) && !all(&codes[..10], 1), "few values are listed");
        assert!(!all(&days, 2) && !all(&codes, 2), "other values are between");
        let numbers: Vec<String> = (1..=40).map(|number| number.to_string()).collect();
        assert!(all(&numbers, 1) && !all(&numbers, 3), "numbers are ordered as numbers");
        let unordered: Vec<String> = days.iter().rev().cloned().collect();
        assert!(!all(&unordered, 1));
    }

    #[test]
    fn the_form_of_a_column_is_that_of_its_values() {
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
