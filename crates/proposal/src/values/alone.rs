//! Texts that are exceptions among numbers, days or codes, such as `unk` among ages: they mean a missing value.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::survey::{Column, Rows};
use crate::values::open_bands::band;
use crate::words::{names_code, names_date, names_identifier};
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::dates::{Dates, is_compact, is_date, reads};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::literal::toml_string;
use palmtop_tables::written::{MISSING, is_word_for_no_value, number_forms};

/// A text that is such an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alone {
    /// The text, without blanks around it.
    pub(crate) text: String,
    /// The number of rows of P and of T with the text.
    rows: [u64; 2],
    /// The first of these rows in the first table that has the text.
    first: u64,
}

impl Alone {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), rows: [0, 0], first: 0 }
    }

    fn add(&mut self, rows: &Rows, table: usize) {
        self.rows[table] += rows.count;
        if self.first == 0 {
            self.first = rows.first.first().copied().unwrap_or_default();
        }
    }

    /// Whether a table has the text: P is 0, T is 1.
    pub(crate) fn is_in(&self, table: usize) -> bool {
        self.rows[table] > 0
    }

    /// The text with its table, its first row and its number of rows.
    fn describe(&self) -> String {
        let table = if self.is_in(0) { "P" } else { "T" };
        let rows: u64 = self.rows.iter().sum();
        let more = if rows > 1 { format!(", in {rows} rows") } else { String::new() };
        format!("{:?} (row {} of {table}{more})", self.text, self.first)
    }
}

/// The exceptions of a column.
pub(crate) struct Exceptions {
    /// Each text, without blanks around it.
    pub(crate) texts: Vec<Alone>,
    /// The number of rows of both tables with a value, and the kind of the other values, if the exceptions are of any look.
    among: Option<(u64, &'static str)>,
}

/// A text that is not a usual word for a missing value has at most one in this number of cells of its table.
const CELLS: u64 = 5;
/// The text is in at least this number of rows of its table, so that it is not the text of one person.
const ROWS: u64 = 3;
/// The text has at most this number of characters.
const LENGTH: usize = 20;

/// Finds the exceptions: usual words for a missing value, and texts that are no dates or numbers though the others are.
pub(crate) fn find(name: &str, columns: (&Column, Option<&Column>)) -> Exceptions {
    let mut texts = words(columns);
    let odd = odd(name, columns, &texts);
    let among = odd.as_ref().map(|(among, _)| *among);
    texts.extend(odd.into_iter().flat_map(|(_, odd)| odd));
    Exceptions { texts, among }
}

/// The columns of both tables, with the number of the table.
fn both<'a>(
    (public, private): (&'a Column, Option<&'a Column>),
) -> impl Iterator<Item = (usize, &'a Column)> {
    std::iter::once((0, public)).chain(private.map(|column| (1, column)))
}

/// Finds the words; empty if another text is not a number, a day or a code either. Several usual words for a missing value may be
/// exceptions, but only one other text.
fn words(columns: (&Column, Option<&Column>)) -> Vec<Alone> {
    let mut odd: BTreeMap<&str, Alone> = BTreeMap::new();
    let mut others = 0;
    for (table, column) in both(columns) {
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
            odd.entry(text).or_insert_with(|| Alone::new(text)).add(rows, table);
        }
    }
    let is_strange = |odd_text: &&Alone| !is_word_for_no_value(&odd_text.text);
    if others < 2 || odd.values().filter(is_strange).count() > 1 {
        return Vec::new();
    }
    odd.into_values().collect()
}

/// Finds the texts that are no dates or numbers, if the other values are, with the number of rows and the kind.
fn odd(
    name: &str,
    columns: (&Column, Option<&Column>),
    words: &[Alone],
) -> Option<((u64, &'static str), Vec<Alone>)> {
    let is_value = |text: &&str| {
        !MISSING.contains(text) && words.iter().all(|word| word.text != **text) && !is_word_for_no_value(text)
    };
    let texts = |column: &Column| -> Vec<String> {
        column.texts.keys().map(|text| text.trim()).filter(is_value).map(str::to_owned).collect()
    };
    let tables: Vec<Vec<String>> = both(columns).map(|(_, column)| texts(column)).collect();
    let tables: Vec<BTreeSet<&str>> =
        tables.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
    let (kind, odd) = odd_dates(name, &tables).map(|odd| ("dates", odd)).or_else(|| {
        let odd = odd_numbers(name, &tables);
        odd.map(|odd| ("numbers", odd))
    })?;
    let mut found: BTreeMap<&str, Alone> = BTreeMap::new();
    let mut rows_of_values = 0;
    for (table, column) in both(columns) {
        for (text, rows) in column.texts.iter().filter(|(text, _)| is_value(&text.trim())) {
            rows_of_values += rows.count;
            if odd.contains(text.trim()) {
                found.entry(text.trim()).or_insert_with(|| Alone::new(text.trim())).add(rows, table);
            }
        }
    }
    Some(((rows_of_values, kind), found.into_values().collect()))
}

/// The texts that are no dates, if most values of P are dates of one form.
fn odd_dates(name: &str, tables: &[BTreeSet<&str>]) -> Option<BTreeSet<String>> {
    let public = Dates::of(&tables[0])?;
    if public.forms.iter().all(is_compact) && !names_date(name) {
        return None;
    }
    let mut odd: BTreeSet<String> = public.odd.into_iter().collect();
    if let Some(private) = tables.get(1) {
        let is_read = |text: &&&str| public.forms.iter().any(|form| reads(form, text));
        let of_private = Dates::of(private).map(|dates| dates.odd).or_else(|| {
            let has_dates = private.iter().any(|text| is_read(&text));
            has_dates.then(|| {
                private.iter().filter(|text| !is_read(text)).map(|text| (*text).to_owned()).collect()
            })
        });
        odd.extend(of_private.into_iter().flatten());
    }
    (!odd.is_empty()).then_some(odd)
}

/// The fewest different numbers of P among which another text is odd, and the numbers for each such text.
const NUMBERS: usize = 10;

/// The texts that are no numbers, if nearly all values are numbers and no codes. Open bands are numbers.
fn odd_numbers(name: &str, tables: &[BTreeSet<&str>]) -> Option<BTreeSet<String>> {
    let is_number = |text: &str| band(text).is_some() || !number_forms(&BTreeSet::from([text])).is_empty();
    let odd = |table: &BTreeSet<&str>| table.iter().filter(|text| !is_number(text)).count();
    let (public, private) = (odd(&tables[0]), tables.get(1).map_or(0, odd));
    let numbers_of_private = tables.get(1).map_or(0, BTreeSet::len) - private;
    let numbers_of_public = tables[0].len() - public;
    // P or T may have bands where the other has numbers: these are not odd.
    let are_numbers = numbers_of_public >= NUMBERS
        && public * NUMBERS <= numbers_of_public
        && private <= 1 + numbers_of_private / NUMBERS;
    let all: BTreeSet<&str> = tables.iter().flatten().copied().collect();
    let numbers: BTreeSet<&str> =
        all.iter().filter(|text| is_number(text) && band(text).is_none()).copied().collect();
    let has_zeros =
        numbers.iter().any(|text| text.len() > 1 && text.starts_with('0') && !text.starts_with("0."));
    if !are_numbers
        || has_zeros
        || names_code(name)
        || names_identifier(name)
        || number_forms(&numbers).is_empty()
    {
        return None;
    }
    let odd: BTreeSet<String> =
        all.iter().filter(|text| !is_number(text)).map(|text| (*text).to_owned()).collect();
    (!odd.is_empty()).then_some(odd)
}

/// Whether a text is a number or a day in some form, or a code with digits.
fn is_measured(text: &str) -> bool {
    let is_number = || !number_forms(&BTreeSet::from([text])).is_empty();
    let is_code = || text.chars().all(|character| character.is_alphanumeric() || ".- ".contains(character));
    is_number() || is_date(text) || is_code()
}

/// The most texts that a question lists.
const LISTED: usize = 5;

impl Exceptions {
    /// Asks whether the texts mean a missing value, unless this was decided.
    pub(crate) fn question(&self, name: &str, decisions: &Decisions) -> Option<Ambiguity> {
        let is_open = |odd_text: &&Alone| decisions.missing(name).all(|text| text != odd_text.text);
        let open: Vec<&Alone> = self.texts.iter().filter(is_open).collect();
        open.first()?;
        let mut each: Vec<String> = open.iter().take(LISTED).map(|odd_text| odd_text.describe()).collect();
        if open.len() > LISTED {
            each.push(format!("and {} more", open.len() - LISTED));
        }
        let (are, each) = (if open.len() == 1 { "is" } else { "are" }, each.join(", "));
        let rows: u64 = open.iter().flat_map(|odd_text| odd_text.rows).sum();
        let what = match self.among {
            Some((all, kind)) => {
                format!(
                    "{} of {all} values are {kind}; {each} {are} not, and {are} read as a missing value",
                    all.saturating_sub(rows)
                )
            }
            None => format!("{each} {are} unlike the other values, and {are} read as a missing value"),
        };
        let texts: Vec<String> = open.iter().map(|odd_text| odd_text.text.clone()).collect();
        let shown = match texts.as_slice() {
            [only] => format!("{only:?} means a missing value"),
            _ => format!("these {} texts mean a missing value", texts.len()),
        };
        Some(Ambiguity {
            attribute: Some(name.to_owned()),
            what,
            remedy: format!(
                "if it is another spelling, remove it from `missing` and write `values = {{ {} = \"…\" }}`; if it is a value, give the \
                 attribute `kind = \"category\"` and a hierarchy of texts",
                toml_string(&texts[0])
            ),
            choices: vec![
                Choice { label: shown, decision: Decision::Missing { attribute: name.to_owned(), texts } },
                Choice {
                    label: "it is a value, and all values are texts without an order".to_owned(),
                    decision: Decision::Kind { attribute: name.to_owned(), kind: ValueKind::Category },
                },
            ],
        })
    }
}
