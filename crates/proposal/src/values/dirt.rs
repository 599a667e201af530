//! The kind of an attribute's values over both tables, and their form in each table: decimal commas, forms of dates, blanks,
//! texts for missing values, spellings, and lost leading zeros.

use std::collections::{BTreeMap, BTreeSet};

use crate::hierarchies::ready;
use crate::sources::survey::Column;
use crate::values::alone::{self, Alone, Exceptions};
use crate::values::bands::{self, Bands};
use crate::values::dates;
use crate::values::labels;
use crate::values::numbers;
use crate::values::open_bands::{self, OpenBands};
use crate::values::reading::Reading;
use crate::values::spelling;
use crate::values::spreadsheet;
use crate::values::texts::Texts;
use crate::words;
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::reading::NumberForm;
use palmtop_tables::written::{MISSING, number_forms};

/// Texts for a missing value that may be values among other words.
const DOUBTFUL: [&str; 3] = ["NA", "null", "nan"];

/// The code of Namibia in ISO 3166-1, and a text for a missing value.
const NAMIBIA: &str = "NA";

/// The kind of an attribute's values, and their form in both tables.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub(crate) kind: ValueKind,
    pub(crate) reason: String,
    pub(crate) public: Reading,
    pub(crate) private: Reading,
}

/// Reads an attribute's columns. Exceptions among numbers, days or codes are taken for missing values.
pub(crate) fn values(
    name: &str,
    columns: (&Column, Option<&Column>),
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> Values {
    let alone = match decisions.kind(name) {
        Some(ValueKind::Category) => None,
        _ => Some(alone::find(name, columns)).filter(|found| !found.texts.is_empty()),
    };
    if let Some(Exceptions { texts, .. }) = &alone {
        let mut asked = Vec::new();
        let found = read(name, columns, texts, decisions, &mut asked);
        if found.kind != ValueKind::Category {
            ambiguities.extend(alone.iter().filter_map(|found| found.question(name, decisions)));
            ambiguities.append(&mut asked);
            return found;
        }
    }
    read(name, columns, &[], decisions, ambiguities)
}

/// Reads an attribute's columns, with the exceptions that mean a missing value.
fn read(
    name: &str,
    (public, private): (&Column, Option<&Column>),
    alone: &[Alone],
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> Values {
    let (mut of_public, mut of_private) = (Reading::default(), Reading::default());
    of_public.trim = has_blanks(public);
    of_private.trim = private.is_some_and(has_blanks);
    let mut missing = missing(public, &of_public, private.map(|private| (private, &of_private)));
    if namibia(name, public, &mut missing, decisions) {
        ambiguities.extend(namibia_question(name, decisions));
    }
    (of_public.missing, of_private.missing) = (missing.clone(), missing.clone());
    labels::settle(name, (public, private), (&mut of_public, &mut of_private), decisions, ambiguities);
    for text in decisions.missing(name) {
        if of_private.missing.iter().all(|other| other != text) {
            of_private.missing.push(text.to_owned());
        }
    }
    for odd in alone {
        for (table, reading) in [&mut of_public, &mut of_private].into_iter().enumerate() {
            if odd.is_in(table) && !reading.missing.contains(&odd.text) {
                reading.missing.push(odd.text.clone());
            }
        }
    }
    let texts = |column, reading: &Reading| -> Vec<String> {
        let texts = spelled(column, reading);
        texts.into_iter().map(str::to_owned).collect()
    };
    let public_texts = texts(public, &of_public);
    let private_texts = private.map_or_else(Vec::new, |private| texts(private, &of_private));
    let tables: [Texts; 2] =
        [&public_texts, &private_texts].map(|texts| texts.iter().map(String::as_str).collect());
    let mut readings = [of_public, of_private];
    let both: Texts = tables.iter().flatten().copied().collect();
    let decided = decisions.kind(name);
    let is = |kind| decided.is_none_or(|decided| decided == kind);
    let open = open_bands::find(&tables).filter(|_| is(ValueKind::Number));
    let bands = Bands::find(&tables).filter(|_| is(ValueKind::Number));
    let found = if let Some(bands) = bands {
        let forms = number_forms(&tables[1]);
        readings[1].number = forms.first().copied().filter(|form| *form != NumberForm::POINT);
        readings[1].bands = Some(bands.clone());
        if decided.is_none() {
            let read = |table: usize, text: &str| readings[table].canonical(text);
            ambiguities.push(bands.question(name, (public, private), read));
        }
        (ValueKind::Number, "bands in P, and numbers in T".to_owned())
    } else if let Some(open) = open {
        with_open_bands(name, &open, (&tables, &mut readings), decisions, ambiguities);
        if decided.is_none() {
            let forms = [readings[0].number, readings[1].number];
            ambiguities.push(open.question(name, (public, private), forms));
        }
        (ValueKind::Number, "numbers with an open band".to_owned())
    } else if let Some(reason) = code(name, &both).filter(|_| is(ValueKind::Code)) {
        spelling::pad(name, &both, (&tables, &mut readings), ambiguities);
        (ValueKind::Code, reason)
    } else if let Some(reason) =
        dates::dates(name, &tables, &mut readings, decisions, ambiguities).filter(|_| is(ValueKind::Date))
    {
        (ValueKind::Date, reason)
    } else if is(ValueKind::Number) && numbers::numbers(name, &tables, &mut readings, decisions, ambiguities)
    {
        ambiguities.extend(spreadsheet::rounded(name, &tables, &mut readings));
        ambiguities.extend(numbers::question(name, (public, private), &readings, decisions));
        let reason = if readings.iter().any(|reading| reading.number.is_some()) {
            "numbers in several forms"
        } else {
            "plain numbers in both tables"
        };
        (ValueKind::Number, reason.to_owned())
    } else {
        let kind = decided.filter(|decided| *decided == ValueKind::Code).unwrap_or(ValueKind::Category);
        spelling::cases(name, (public, private), (&tables, &mut readings), ambiguities);
        ambiguities.extend(bands::reversed(name, &tables));
        ambiguities.extend(spreadsheet::days(name, &tables));
        ambiguities.extend(numbers::codes(name, (public, private), &readings, decisions));
        (kind, "texts that are neither numbers, dates nor codes".to_owned())
    };
    let doubtful: Vec<&str> =
        DOUBTFUL.into_iter().filter(|text| missing.iter().any(|missing| missing == text)).collect();
    if found.0 == ValueKind::Category && !doubtful.is_empty() {
        ambiguities.push(Ambiguity::of(
            name,
            format!("{} is read as a missing value, but may be a value", quoted(&doubtful)),
            "if it is a value, remove it from `missing`",
        ));
    }
    let [of_public, of_private] = readings;
    let (kind, reason) = found;
    let is_it =
        |decision: &Decision| matches!(decision, Decision::Kind { attribute, .. } if attribute == name);
    let reason = if decided.is_some() { decisions.reason(is_it).to_owned() } else { reason };
    Values { kind, reason, public: of_public, private: of_private }
}

/// Sets the form of the numbers beside open bands, and the value of each open band's text.
fn with_open_bands(
    name: &str,
    open: &OpenBands,
    (tables, readings): (&[Texts; 2], &mut [Reading; 2]),
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) {
    let exact: [Texts; 2] = [0, 1]
        .map(|table| tables[table].iter().copied().filter(|text| !open.values.contains_key(*text)).collect());
    numbers::numbers(name, &exact, readings, decisions, ambiguities);
    for (reading, (texts, all)) in readings.iter_mut().zip(exact.iter().zip(tables)) {
        reading.number = open.form(texts, reading.number);
        let written = open.values.iter().filter(|(text, value)| all.contains(text.as_str()) && text != value);
        reading.values.extend(written.map(|(text, value)| (text.clone(), value.clone())));
    }
}

fn quoted(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", ")
}

fn has_blanks(column: &Column) -> bool {
    column.texts.keys().any(|text| text.trim() != text)
}

/// The distinct texts that are values.
fn spelled<'a>(column: &'a Column, reading: &'a Reading) -> Texts<'a> {
    column.texts.keys().filter_map(|text| reading.spelled(text)).collect()
}

/// The texts for a missing value in either table; empty if the tables have no other texts.
fn missing(public: &Column, of_public: &Reading, private: Option<(&Column, &Reading)>) -> Vec<String> {
    let tables = std::iter::once((public, of_public)).chain(private);
    let all: BTreeSet<&str> = tables.flat_map(|(column, reading)| spelled(column, reading)).collect();
    let found: Vec<&str> = MISSING.into_iter().filter(|text| all.contains(text)).collect();
    if found.len() == all.len() { Vec::new() } else { found.into_iter().map(str::to_owned).collect() }
}

/// Takes `NA` from the texts for a missing value if it is the code of Namibia. Whether it was.
fn namibia(name: &str, public: &Column, missing: &mut Vec<String>, decisions: &Decisions) -> bool {
    let people = public.texts.iter().map(|(text, rows)| (text.trim().to_owned(), rows.count));
    let people = people.filter(|(text, _)| text == NAMIBIA || !missing.contains(text)).collect();
    let is_code = missing.iter().any(|text| text == NAMIBIA)
        && decisions.missing(name).all(|text| text != NAMIBIA)
        && ready::has(NAMIBIA, name, &people);
    if is_code {
        missing.retain(|text| text != NAMIBIA);
    }
    is_code
}

/// Asks whether `NA` is Namibia, unless this was decided.
fn namibia_question(name: &str, decisions: &Decisions) -> Option<Ambiguity> {
    if decisions.kind(name) == Some(ValueKind::Category) {
        return None;
    }
    let attribute = name.to_owned();
    let texts = vec![NAMIBIA.to_owned()];
    Some(Ambiguity {
        attribute: Some(attribute.clone()),
        what: "\"NA\" is read as Namibia, because the other values are codes of countries".to_owned(),
        remedy: "if it is a missing value, add it to `missing`".to_owned(),
        choices: vec![
            Choice {
                label: "it is Namibia".to_owned(),
                decision: Decision::Kind { attribute: attribute.clone(), kind: ValueKind::Category },
            },
            Choice {
                label: "it means a missing value".to_owned(),
                decision: Decision::Missing { attribute, texts },
            },
        ],
    })
}

/// The reason why the values are codes; `None` if they are not.
fn code(name: &str, both: &Texts) -> Option<String> {
    let is_digits = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if both.is_empty() {
        return None;
    }
    if words::names_code(name)
        && both.iter().all(|text| {
            text.chars().any(|character| character.is_ascii_digit())
                && text.chars().all(|character| character.is_alphanumeric() || ".- ".contains(character))
        })
    {
        return Some("its name is usual for codes".to_owned());
    }
    let width = both.iter().map(|text| text.len()).max()?;
    if both.iter().all(|text| text.len() == width && is_nuts(text)) {
        return Some("codes like those of NUTS: a country, then digits and letters".to_owned());
    }
    let (wide, short): (Vec<&str>, Vec<&str>) = both.iter().partition(|text| text.len() == width);
    let have_lost = short.iter().all(|text| !text.starts_with('0')) && wide.len() >= 4 * short.len();
    let are_codes = both.iter().all(is_digits)
        && width > 1
        && wide.iter().any(|text| text.starts_with('0'))
        && (short.is_empty() || have_lost);
    are_codes.then(|| format!("codes of {width} digits, some with leading zeros"))
}

/// Whether a text has the form of a region of NUTS, such as `DE111` or `FRK2`.
fn is_nuts(text: &str) -> bool {
    let (is_letter, is_digit) = (|byte: u8| byte.is_ascii_uppercase(), |byte: u8| byte.is_ascii_digit());
    let bytes = text.as_bytes();
    matches!(bytes.len(), 4 | 5)
        && bytes[..2].iter().copied().all(is_letter)
        && bytes[2..].iter().all(|&byte| is_letter(byte) || is_digit(byte))
        && bytes.iter().copied().any(is_digit)
}

/// The number of T's rows with a value that P does not have, and the first of these rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OnlyPrivate {
    pub(crate) values: usize,
    pub(crate) rows: u64,
    pub(crate) first: Vec<u64>,
    /// The most frequent of these values as they are spelled, each with its rows, at most [`OnlyPrivate::MOST`].
    pub(crate) most: Vec<(String, u64)>,
}

impl OnlyPrivate {
    const MOST: usize = 3;
}

/// The values of T that P does not have, after both readings.
pub(crate) fn only_private(public: &Column, private: &Column, values: &Values) -> OnlyPrivate {
    let known: BTreeSet<Option<String>> =
        public.texts.keys().map(|text| values.public.canonical(text)).collect();
    let mut unknown: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut found = OnlyPrivate::default();
    for (text, rows) in &private.texts {
        let canonical = values.private.canonical(text);
        if known.contains(&canonical) {
            continue;
        }
        found.rows += rows.count;
        if let Some(spelled) = values.private.spelled(text) {
            found.most.push((spelled.to_owned(), rows.count));
        }
        unknown.entry(canonical.unwrap_or_default()).or_default().extend(&rows.first);
    }
    found.values = unknown.len();
    found.first = unknown.into_values().flatten().collect();
    found.first.sort_unstable();
    found.first.truncate(crate::sources::survey::Rows::LISTED);
    found.most.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    found.most.dedup_by(|one, other| one.0 == other.0);
    found.most.truncate(OnlyPrivate::MOST);
    found
}
