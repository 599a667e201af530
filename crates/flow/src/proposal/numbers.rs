//! The forms of a column's numbers.

use std::collections::BTreeMap;

use super::reading::{Reading, Texts, describe};
use super::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::reading::NumberForm;
use palmtop_tables::written::number_forms;

/// Whether all values of both tables are numbers and, if so, the form of numbers in each table.
pub(super) fn numbers(
    name: &str,
    tables: &[Texts; 2],
    readings: &mut [Reading; 2],
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> bool {
    let decided = decisions.number(name);
    let mut forms = Vec::new();
    let mut doubts = Vec::new();
    for texts in tables {
        let fitting = number_forms(texts);
        let Some(&first) = fitting.first() else { return false };
        forms.push(decided.filter(|decided| fitting.contains(decided)).unwrap_or(first));
        doubts.push(fitting);
    }
    if tables[0].is_empty() {
        return false;
    }
    if let Some(fitting) = doubts.iter().find(|fitting| fitting.len() > 1).filter(|_| decided.is_none()) {
        let choice = |form: &NumberForm| Choice {
            label: describe(*form),
            decision: Decision::Number { attribute: name.to_owned(), form: *form },
        };
        ambiguities.push(Ambiguity {
            attribute: Some(name.to_owned()),
            what: format!(
                "three digits follow every mark in its numbers, so the mark may be {}; proposed: {}",
                fitting.iter().map(|form| describe(*form)).collect::<Vec<_>>().join(", or "),
                describe(fitting[0])
            ),
            remedy: format!("if it is the other, write `{}`", fitting[1].key()),
            choices: fitting.iter().map(choice).collect(),
        });
    }
    // Plain numbers need no setting, unless one number is written in two ways.
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
