//! The forms of a column's numbers.

use std::collections::BTreeMap;

use crate::sources::survey::{Column, Rows};
use crate::values::reading::{Reading, describe};
use crate::values::texts::Texts;
use crate::words::rows;
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::reading::NumberForm;
use palmtop_tables::same_number::same_numbers;
use palmtop_tables::written::number_forms;

/// Asks whether texts that are one number are codes or numbers, unless this was decided or the files declare numbers.
pub(crate) fn question(
    name: &str,
    (public, private): (&Column, Option<&Column>),
    readings: &[Reading; 2],
    decisions: &Decisions,
) -> Option<Ambiguity> {
    if decisions.kind(name).is_some() || decisions.number(name).is_some() {
        return None;
    }
    let found = same((public, private), readings)?;
    let choice = |label: &str, kind| Choice {
        label: label.to_owned(),
        decision: Decision::Kind { attribute: name.to_owned(), kind },
    };
    Some(Ambiguity {
        attribute: Some(name.to_owned()),
        what: format!("{found}: codes or numbers? proposed: numbers"),
        remedy: "if they are codes, remove `number`, write `kind = \"category\"`, and give it a hierarchy of codes".to_owned(),
        choices: vec![
            choice("numbers: the texts are one value", ValueKind::Number),
            choice("codes: each text is a value of its own", ValueKind::Category),
        ],
    })
}

/// Asks the same of a column in which not all texts are numbers.
pub(crate) fn codes(
    name: &str,
    columns: (&Column, Option<&Column>),
    readings: &[Reading; 2],
    decisions: &Decisions,
) -> Option<Ambiguity> {
    let found = decisions.kind(name).is_none().then(|| same(columns, readings))??;
    Some(Ambiguity {
        attribute: Some(name.to_owned()),
        what: format!("{found}, but other values are no numbers; proposed: each text is a value of its own"),
        remedy: "if some texts are one value, map them to it in `values`".to_owned(),
        choices: vec![Choice {
            label: "codes: each text is a value of its own".to_owned(),
            decision: Decision::Kind { attribute: name.to_owned(), kind: ValueKind::Category },
        }],
    })
}

/// The texts of the columns that are one number, with their rows: P's texts, and T's rows. Texts that palmtop itself wrote for a
/// column of numbers are no evidence.
fn same((public, private): (&Column, Option<&Column>), readings: &[Reading; 2]) -> Option<String> {
    let form = |table: usize| readings[table].number.unwrap_or(NumberForm::POINT);
    // No code has its thousands separated.
    if [0, 1].into_iter().any(|table| form(table).thousands().is_some()) {
        return None;
    }
    let plain = |table: usize, text: &str| {
        let form = form(table);
        let point = |character| match character {
            '\u{2212}' => '-',
            mark if mark == form.decimal() => '.',
            other => other,
        };
        let text: String = text.chars().map(point).collect();
        form.read_exact(&text.replace('.', &form.decimal().to_string())).map(|_| text)
    };
    let columns = [Some(public), private];
    let texts = |table: usize| {
        let column = columns[table].filter(|column| !column.is_numeric);
        let spelled = column.into_iter().flat_map(|column| &column.texts);
        spelled.filter_map(move |(text, rows)| {
            let spelled = readings[table].spelled(text)?;
            Some((table, spelled, plain(table, spelled)?, rows))
        })
    };
    let all: Vec<_> = texts(0).chain(texts(1)).collect();
    let is_alike = form(0).decimal() == form(1).decimal();
    let of = |table: usize| {
        all.iter().filter(move |(of, ..)| is_alike || *of == table).map(|(_, _, plain, _)| plain.as_str())
    };
    let mut groups = same_numbers(of(0));
    if !is_alike {
        groups.extend(same_numbers(of(1)));
    }
    let group = groups.first()?;
    let mut parts = Vec::new();
    let mut rows_of_private = Vec::new();
    for (table, text, plain, rows) in &all {
        if !group.contains(plain.as_str()) {
            continue;
        }
        match (*table, rows.first.first()) {
            (0, Some(first)) => parts.push(format!("{text:?} (row {first} of P)")),
            (_, Some(first)) => rows_of_private.push(*first),
            _ => {}
        }
    }
    rows_of_private.sort_unstable();
    rows_of_private.truncate(Rows::LISTED);
    if !rows_of_private.is_empty() {
        parts.push(format!("T's row(s) {}", rows(&rows_of_private, rows_of_private.len() as u64)));
    }
    let more = match groups.len() {
        1 => String::new(),
        more => format!(" ({more} numbers are written in several ways)"),
    };
    Some(format!("{} are the same number{more}", parts.join(" and ")))
}

/// Whether all values of both tables are numbers and, if so, the form of numbers in each table.
pub(crate) fn numbers(
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
            is_needed |= text.starts_with(['+', '\u{2212}'])
                || (text.starts_with('0') && text.len() > 1 && !text.starts_with("0."));
        }
    }
    for ((reading, form), texts) in readings.iter_mut().zip(forms).zip(tables) {
        let changes = texts.iter().any(|text| form.read(text).as_deref() != Some(*text));
        reading.number = (is_needed && changes).then_some(form);
    }
    true
}
