//! The forms of a column's dates: the order of day and month, the hundred of years with two digits, and the zone.

use std::collections::BTreeSet;

use crate::values::reading::Reading;
use crate::values::texts::Texts;
use crate::words;
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_tables::dates::{Dates, is_compact, last_hundred};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::reading::DateForm;

/// Further first years of a hundred that are offered, after the one that ends this year.
const PIVOTS: [u16; 3] = [1900, 1950, 2000];

/// The dates of one table.
struct Side {
    /// The forms that read all its texts, the proposed one first.
    forms: Vec<DateForm>,
    /// The decided or the proposed form.
    form: DateForm,
    is_decided: bool,
}

/// The forms of dates that read all texts. Eight digits are dates only in a column with the name of dates.
fn forms(name: &str, texts: &Texts) -> Vec<DateForm> {
    let is_named = words::names_date(name);
    Dates::forms_of_all(texts).into_iter().filter(|form| is_named || !is_compact(form)).collect()
}

/// Whether the values are dates and, if so, the form in each table.
pub(crate) fn dates(
    name: &str,
    tables: &[Texts; 2],
    readings: &mut [Reading; 2],
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> Option<String> {
    let of_public = forms(name, &tables[0]);
    if tables[0].is_empty() || of_public.is_empty() {
        return None;
    }
    let of_private = if tables[1].is_empty() { of_public.clone() } else { forms(name, &tables[1]) };
    let mut lists = [of_public, of_private];
    prefer_shared(&mut lists);
    let pivots = pivots(&lists, tables);
    let decided: Vec<&DateForm> = decisions.dates(name).collect();
    let mut sides = Vec::new();
    for forms in lists {
        sides.push(Side::of(forms, &decided, &pivots)?);
    }
    ambiguities.extend(question(name, &sides, (&pivots, tables[1].is_empty())));
    for ((reading, side), texts) in readings.iter_mut().zip(&sides).zip(tables) {
        let is_iso = |text: &&str| side.form.read(text).as_deref() == Some(*text);
        reading.date = (!texts.iter().all(is_iso)).then(|| side.form.clone());
    }
    Some(format!("dates in the form {}", sides[0].form.pattern()))
}

/// Puts the patterns that both tables may have before the others.
fn prefer_shared(lists: &mut [Vec<DateForm>; 2]) {
    let [first, second] = lists;
    let shared: Vec<&str> = first
        .iter()
        .filter(|form| second.contains(form))
        .map(palmtop_tables::reading::DateForm::pattern)
        .collect();
    let shared: Vec<String> = shared.into_iter().map(str::to_owned).collect();
    for list in [first, second] {
        list.sort_by_key(|form| !shared.iter().any(|pattern| pattern == form.pattern()));
    }
}

/// The possible first years of the hundred, the likeliest first; each reads some text as another day. Empty if years have four
/// digits.
fn pivots(lists: &[Vec<DateForm>; 2], tables: &[Texts; 2]) -> Vec<u16> {
    let firsts: Vec<Option<&DateForm>> = lists.iter().map(|list| list.first()).collect();
    let days = |pivot: u16| -> Vec<BTreeSet<Option<String>>> {
        let of = |(form, texts): (Option<&DateForm>, &Texts)| {
            let form = form.map(|form| form.with_pivot(pivot));
            texts.iter().map(|text| form.as_ref()?.read(text)).collect()
        };
        firsts.iter().copied().zip(tables).map(of).collect()
    };
    if !firsts.iter().flatten().any(|form| form.has_short_years()) {
        return Vec::new();
    }
    // The years of the other table, if it has all digits.
    let full = firsts.iter().zip(tables).filter(|(form, _)| form.is_some_and(|form| !form.has_short_years()));
    let years = full.flat_map(|(form, texts)| texts.iter().filter_map(|text| form.as_ref()?.read(text)));
    let first_year = years.min().and_then(|day| day.get(..4)?.parse().ok());
    let mut kept: Vec<(u16, Vec<BTreeSet<Option<String>>>)> = Vec::new();
    for pivot in [last_hundred()].into_iter().chain(first_year).chain(PIVOTS) {
        let days = days(pivot);
        if kept.iter().all(|(_, known)| *known != days) {
            kept.push((pivot, days));
        }
    }
    // T and P agree: the pivot with which most days of T are days of P.
    kept.sort_by_key(|(_, days)| std::cmp::Reverse(days[1].intersection(&days[0]).count()));
    kept.into_iter().map(|(pivot, _)| pivot).collect()
}

impl Side {
    fn of(forms: Vec<DateForm>, decided: &[&DateForm], pivots: &[u16]) -> Option<Self> {
        let own = decided.iter().find(|decided| forms.iter().any(|form| form.pattern() == decided.pattern()));
        let form = own.map_or_else(|| forms.first().cloned(), |form| Some((*form).clone()))?;
        // A decided hundred holds for both tables.
        let pivot = decided.iter().find_map(|form| form.pivot().filter(|_| form.has_short_years()));
        let is_decided = own.is_some() || (forms.len() == 1 && form.has_short_years() && pivot.is_some());
        let form = match pivot.or(pivots.first().copied()) {
            Some(pivot) if form.has_short_years() => form.with_pivot(pivot),
            _ => form,
        };
        Some(Self { forms, form, is_decided })
    }

    /// Whether somebody must decide the form.
    fn is_open(&self) -> bool {
        let is_doubtful = self.forms.len() > 1 || self.form.has_short_years() || self.form.has_any_zone();
        is_doubtful && !self.is_decided
    }
}

/// The question on the forms of a column's dates: one for all doubts.
fn question(name: &str, sides: &[Side], (pivots, is_alone): (&[u16], bool)) -> Option<Ambiguity> {
    let open: Vec<usize> = (0..sides.len()).filter(|index| sides[*index].is_open()).collect();
    let first = &sides[*open.first()?];
    let table = match open.as_slice() {
        _ if is_alone => "",
        [0] => " of P",
        [_] => " of T",
        _ => "",
    };
    let mut doubts = Vec::new();
    if first.forms.len() > 1 {
        let patterns: Vec<&str> = first.forms.iter().map(DateForm::pattern).collect();
        let patterns = patterns.join(" or ");
        doubts.push(if are_days(&first.forms) {
            format!("no day{table} is above 12, so its dates may be {patterns}")
        } else {
            format!("its dates{table} may be {patterns}, because no text decides")
        });
    }
    let hundred = |form: &DateForm| {
        let pivot = form.pivot().filter(|_| form.has_short_years());
        pivot.map(|pivot| format!("{pivot} to {}", pivot + 99))
    };
    if let Some(years) = hundred(&first.form) {
        doubts.push(format!("its years{table} have two digits: are they {years}?"));
    }
    if first.form.has_any_zone() {
        doubts.push(format!("its times{table} have several zones, and each date is read as it is written"));
    }
    let pivots = pivots.iter().copied();
    let of = |form: &DateForm| -> Vec<DateForm> {
        if form.has_short_years() {
            pivots.clone().map(|pivot| form.with_pivot(pivot)).collect()
        } else {
            vec![form.clone()]
        }
    };
    // The first pattern with each hundred, then the other patterns with the proposed hundred.
    let others = first.forms.iter().skip(1).filter_map(|form| of(form).into_iter().next());
    let mut choices: Vec<Choice> = first
        .forms
        .iter()
        .take(1)
        .flat_map(of)
        .chain(others)
        .map(|form| Choice {
            label: match hundred(&form) {
                Some(years) => format!("{} with years {years}", form.pattern()),
                None => form.pattern().to_owned(),
            },
            decision: Decision::Date { attribute: name.to_owned(), form },
        })
        .collect();
    if first.form.has_any_zone() {
        choices.push(Choice {
            label: "they are texts without an order".to_owned(),
            decision: Decision::Kind { attribute: name.to_owned(), kind: ValueKind::Category },
        });
    }
    Some(Ambiguity {
        attribute: Some(name.to_owned()),
        what: format!("{}; proposed: {}", doubts.join("; "), choices[0].label),
        remedy: remedy(&choices),
        choices,
    })
}

/// Whether the forms differ in the order of day and month alone.
fn are_days(forms: &[DateForm]) -> bool {
    forms.iter().all(|form| form.pattern().contains("%m") && !form.has_short_years())
}

/// The lines to write if the second choice is right.
fn remedy(choices: &[Choice]) -> String {
    match choices.get(1).map(|choice| &choice.decision) {
        Some(Decision::Date { form, .. }) => {
            if !form.has_short_years() {
                return format!("if days and months are the other way round, write `{}`", form.key());
            }
            format!("if it is {}, write `{}`", choices[1].label, form.key())
        }
        _ if choices[0].label.contains("years") => {
            "if they are of another hundred years, write its first year as `from` in `date`".to_owned()
        }
        _ => "if they are no dates, give the attribute a hierarchy of texts and remove `date`".to_owned(),
    }
}
