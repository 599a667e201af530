//! Texts that are exceptions among numbers, days or codes, such as `unk` among ages: they mean a missing value.

use std::collections::{BTreeMap, BTreeSet};

use super::survey::Column;
use super::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::written::{DATES, MISSING, is_word_for_no_value, number_forms, read_day};

/// A text that is such an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alone {
    /// The text, without blanks around it.
    pub(super) text: String,
    /// Whether P has the text.
    pub(super) in_public: bool,
    /// Whether T has the text.
    pub(super) in_private: bool,
    /// The number of rows of both tables with the text.
    rows: u64,
}

/// A text that is not a usual word for a missing value has at most one in this number of cells of its table.
const CELLS: u64 = 5;
/// The text is in at least this number of rows of its table, so that it is not the text of one person.
const ROWS: u64 = 3;
/// The text has at most this number of characters.
const LENGTH: usize = 20;

/// Finds the exceptions; empty if another text is not a number, a day or a code either. Several usual words for a missing value may
/// be exceptions, but only one other text.
pub(super) fn find((public, private): (&Column, Option<&Column>)) -> Vec<Alone> {
    let mut odd: BTreeMap<&str, Alone> = BTreeMap::new();
    let mut others = 0;
    for (column, is_public) in std::iter::once((public, true)).chain(private.map(|column| (column, false))) {
        let cells: u64 = column.texts.values().map(|rows| rows.count).sum();
        for (text, rows) in &column.texts {
            let text = text.trim();
            if MISSING.contains(&text) {
                continue;
            }
            if text.chars().any(|character| character.is_ascii_digit()) {
                others += 1;
                if !is_measured(text) {
                    return Vec::new();
                }
                continue;
            }
            let is_rare = rows.count.saturating_mul(CELLS) <= cells && rows.count >= ROWS;
            if !is_word_for_no_value(text) && (!is_rare || text.chars().count() > LENGTH) {
                return Vec::new();
            }
            let new = Alone { text: text.to_owned(), in_public: false, in_private: false, rows: 0 };
            let known = odd.entry(text).or_insert(new);
            known.in_public |= is_public;
            known.in_private |= !is_public;
            known.rows += rows.count;
        }
    }
    let is_strange = |odd_text: &&Alone| !is_word_for_no_value(&odd_text.text);
    if others < 2 || odd.values().filter(is_strange).count() > 1 {
        return Vec::new();
    }
    odd.into_values().collect()
}

/// Whether a text is a number or a day in some form, or a code with digits.
fn is_measured(text: &str) -> bool {
    let is_number = || !number_forms(&BTreeSet::from([text])).is_empty();
    let is_day = || DATES.iter().any(|form| read_day(text, form).is_some());
    let is_code = || text.chars().all(|character| character.is_alphanumeric() || ".- ".contains(character));
    is_number() || is_day() || is_code()
}

/// Asks whether the texts mean a missing value, unless this was decided.
pub(super) fn question(name: &str, alone: &[Alone], decisions: &Decisions) -> Option<Ambiguity> {
    let is_open = |odd_text: &&Alone| decisions.missing(name).all(|text| text != odd_text.text);
    let open: Vec<&Alone> = alone.iter().filter(is_open).collect();
    let first = open.first()?;
    let each: Vec<String> =
        open.iter().map(|odd_text| format!("{:?} in {} row(s)", odd_text.text, odd_text.rows)).collect();
    let are = if open.len() == 1 { "is" } else { "are" };
    let attribute = || name.to_owned();
    Some(Ambiguity {
        attribute: Some(attribute()),
        what: format!("{} {are} unlike the other values, and {are} read as a missing value", each.join(", ")),
        remedy: "if it is a value, remove it from `missing`, and give the attribute `kind = \"category\"` and a hierarchy of texts"
            .to_owned(),
        choices: vec![
            Choice {
                label: format!("{:?} means a missing value", first.text),
                decision: Decision::Missing { attribute: attribute(), text: first.text.clone() },
            },
            Choice {
                label: "it is a value, and all values are texts without an order".to_owned(),
                decision: Decision::Kind { attribute: attribute(), kind: ValueKind::Category },
            },
        ],
    })
}
