//! How the numbers of a column are written.

use std::collections::BTreeMap;

use super::dirt::Texts;
use super::reading::Reading;
use super::{Ambiguity, Choice, Decision, Decisions};
use crate::data::reading::NumberForm;

/// The forms that are tried where a decimal point alone does not do, the likelier first.
const FORMS: [NumberForm; 7] = [
    NumberForm::of('.', Some(',')),
    NumberForm::of(',', None),
    NumberForm::of(',', Some('.')),
    NumberForm::of('.', Some(' ')),
    NumberForm::of(',', Some(' ')),
    NumberForm::of('.', Some('\'')),
    NumberForm::of(',', Some('\'')),
];

/// Whether all values of both tables are numbers; where they are, how each table writes them.
pub(super) fn numbers(
    name: &str,
    tables: &[Texts; 2],
    readings: &mut [Reading; 2],
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> bool {
    let said = decisions.number(name);
    let mut forms = Vec::new();
    let mut doubts = Vec::new();
    for texts in tables {
        let fitting = fitting(texts);
        let Some(&first) = fitting.first() else { return false };
        forms.push(said.filter(|said| fitting.contains(said)).unwrap_or(first));
        doubts.push(fitting);
    }
    if tables[0].is_empty() {
        return false;
    }
    if let Some(fitting) = doubts.iter().find(|fitting| fitting.len() > 1).filter(|_| said.is_none()) {
        let choice = |form: &NumberForm| Choice {
            label: describe(*form),
            decision: Decision::Number { attribute: name.to_owned(), form: *form },
        };
        ambiguities.push(Ambiguity {
            attribute: Some(name.to_owned()),
            what: format!(
                "behind every mark in its numbers stand three digits, so they may be of {}; taken is {}",
                fitting.iter().map(|form| describe(*form)).collect::<Vec<_>>().join(", or "),
                describe(fitting[0])
            ),
            remedy: format!("otherwise write `{}`", fitting[1].key()),
            choices: fitting.iter().map(choice).collect(),
        });
    }
    // Plain numbers need no word, unless one number is written in two ways.
    let mut spellings: BTreeMap<String, &str> = BTreeMap::new();
    let mut is_needed = forms.iter().any(|form| *form != NumberForm::POINT);
    for (texts, form) in tables.iter().zip(&forms) {
        for text in texts {
            let canonical = form.read(text).unwrap_or_default();
            is_needed |= *spellings.entry(canonical).or_insert(text) != *text;
            is_needed |=
                text.starts_with('+') || (text.starts_with('0') && text.len() > 1 && !text.starts_with("0."));
        }
    }
    for ((reading, form), texts) in readings.iter_mut().zip(forms).zip(tables) {
        let changes = texts.iter().any(|text| form.read(text).as_deref() != Some(*text));
        reading.number = (is_needed && changes).then_some(form);
    }
    true
}

/// The forms in which all of these texts are numbers, the one to take first; a second only where nothing tells them apart.
pub(super) fn fitting(texts: &Texts) -> Vec<NumberForm> {
    let fits = |form: &NumberForm| texts.iter().all(|text| form.read(text).is_some());
    let has = |mark: char| texts.iter().any(|text| text.contains(mark));
    // A mark that has nothing to do is no part of the form.
    let is_used = |form: &NumberForm| form.thousands().is_none_or(has);
    let mut fitting: Vec<NumberForm> = FORMS.into_iter().filter(fits).filter(is_used).collect();
    if fits(&NumberForm::POINT) {
        fitting.retain(|form| *form == NumberForm::of(',', Some('.')));
        fitting.insert(0, NumberForm::POINT);
        // A fraction of three places in every number that has one: it may be a thousand.
        return fitting;
    }
    // Two forms in which every number is the same are one.
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

/// A form in words.
pub(super) fn describe(form: NumberForm) -> String {
    let mark = |mark| match mark {
        '.' => "point",
        ',' => "comma",
        ' ' => "blank",
        _ => "apostrophe",
    };
    match form.thousands() {
        None => format!("a decimal {}", mark(form.decimal())),
        Some(thousands) => format!("a {} between thousands", mark(thousands)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_numbers_follows_from_the_texts_or_is_left_open() {
        let comma = NumberForm::of(',', None);
        for (texts, expected) in [
            (&["39", "-0.5"][..], vec![NumberForm::POINT]),
            (&["39,5", "1,25"], vec![comma]),
            (&["1,234", "950"], vec![NumberForm::of('.', Some(',')), comma]),
            (&["1.234", "950"], vec![NumberForm::POINT, NumberForm::of(',', Some('.'))]),
            (&["1,234.5"], vec![NumberForm::of('.', Some(','))]),
            (&["1.234,5"], vec![NumberForm::of(',', Some('.'))]),
            (&["1 234,5"], vec![NumberForm::of(',', Some(' '))]),
            (&["1.2.3"], vec![]),
            (&["low"], vec![]),
        ] {
            let texts: Texts = texts.iter().copied().collect();
            assert_eq!(fitting(&texts), expected, "{texts:?}");
        }
    }
}
