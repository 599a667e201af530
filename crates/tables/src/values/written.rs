//! Detects how the texts of a column are written: as numbers, or as missing values; and shows the
//! missing ones.

use std::collections::BTreeSet;

use super::reading::NumberForm;

/// Texts that mean a missing value in any column.
pub const MISSING: [&str; 12] =
    ["", ".", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>"];

/// Words that usually mean a missing value, in lower case. In a column of texts they may be values,
/// such as `none` for an injury.
const WORDS_FOR_NO_VALUE: [&str; 19] = [
    "", "na", "n/a", "#n/a", "<na>", "nan", "n.a.", "k.a.", "null", "none", "nil", ".", "..", "?", "-", "--",
    "unk", "unknown", "missing",
];

/// Whether a text usually means a missing value, in any case and with spaces around it.
pub fn is_word_for_no_value(text: &str) -> bool {
    WORDS_FOR_NO_VALUE.contains(&text.trim().to_lowercase().as_str())
}

/// The displayed text of a blank value.
pub const NO_VALUE: &str = "no value";

/// A value as a table shows it. A blank value becomes [`NO_VALUE`].
pub fn named_value(value: &str) -> &str {
    if value.trim().is_empty() { NO_VALUE } else { value }
}

/// The number formats that are tried if a decimal point is not enough, the likelier first.
const NUMBER_FORMS: [NumberForm; 7] = [
    NumberForm::of('.', Some(',')),
    NumberForm::of(',', None),
    NumberForm::of(',', Some('.')),
    NumberForm::of('.', Some(' ')),
    NumberForm::of(',', Some(' ')),
    NumberForm::of('.', Some('\'')),
    NumberForm::of(',', Some('\'')),
];

/// The number formats that fit all texts, the preferred one first. A second one remains only if no
/// text decides between them.
pub fn number_forms(texts: &BTreeSet<&str>) -> Vec<NumberForm> {
    let fits = |form: &NumberForm| texts.iter().all(|text| form.read_exact(text).is_some());
    let has = |mark: char| {
        let is_one = |found: char| found == mark || (mark == ' ' && found.is_whitespace());
        texts.iter().any(|text| text.contains(is_one))
    };
    // A separator that no text has is not part of the format.
    let is_used = |form: &NumberForm| form.thousands().is_none_or(has);
    let mut fitting: Vec<NumberForm> = NUMBER_FORMS.into_iter().filter(fits).filter(is_used).collect();
    if fits(&NumberForm::POINT) {
        fitting.retain(|form| *form == NumberForm::of(',', Some('.')));
        fitting.insert(0, NumberForm::POINT);
        // Every fraction has three digits, so its mark may be a thousands separator.
        return fitting;
    }
    // Two formats that read every text alike are one format.
    let numbers = |form: &NumberForm| -> Vec<_> { texts.iter().map(|text| form.read(text)).collect() };
    if let Some(first) = fitting.first().copied() {
        fitting.retain(|form| *form == first || numbers(form) != numbers(&first));
    }
    fitting.truncate(2);
    if fitting.len() == 2 && has(fitting[0].decimal()) && has(fitting[1].decimal()) {
        fitting.truncate(1);
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_format_is_inferred_or_left_open() {
        let comma = NumberForm::of(',', None);
        for (texts, expected) in [
            (&["39", "-0.5"][..], vec![NumberForm::POINT]),
            (&["39,5", "1,25"], vec![comma]),
            (&["1,234", "950"], vec![NumberForm::of('.', Some(',')), comma]),
            (&["1.234", "950"], vec![NumberForm::POINT, NumberForm::of(',', Some('.'))]),
            (&["1,234.5"], vec![NumberForm::of('.', Some(','))]),
            (&["1.234,5"], vec![NumberForm::of(',', Some('.'))]),
            (&["1 234,5"], vec![NumberForm::of(',', Some(' '))]),
            (&["1\u{202f}234,5", "12\u{a0}000,00"], vec![NumberForm::of(',', Some(' '))]),
            (&["\u{2212}7", "8"], vec![NumberForm::POINT]),
            (&["90", ">=90"], vec![]),
            (&["1.2.3"], vec![]),
            (&["low"], vec![]),
        ] {
            let texts: BTreeSet<&str> = texts.iter().copied().collect();
            assert_eq!(number_forms(&texts), expected, "{texts:?}");
        }
    }
}
