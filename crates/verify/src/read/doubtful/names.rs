//! Whether the names of columns are the values of a person.

use std::collections::BTreeMap;

use super::text::{is_empty, is_word, starts_with_digit};

/// Whether the names may be a person, by the first rows. A name speaks for it if its column has the value or others like
/// it, and against it if the column should have it and does not.
pub(super) fn may_be_a_person(names: &[String], rows: &[(u64, Vec<String>)]) -> bool {
    let is_series = is_series(names);
    let (mut values, mut alike, mut against) = (0, 0, 0);
    for (index, name) in names.iter().enumerate() {
        let people = rows.iter().filter(|(_, cells)| cells.as_slice() != names);
        let cells = people.map(|(_, cells)| cells[index].as_str()).filter(|cell| !is_empty(cell));
        let cells: Vec<&str> = cells.collect();
        match says(name, &cells, is_series) {
            Says::Value => values += 1,
            Says::Alike => alike += 1,
            Says::Name => against += 1,
            Says::Nothing => {}
        }
    }
    (against == 0 && values + alike > 0) || (values + alike > against && values + alike >= 2)
}

enum Says {
    Value,
    Alike,
    Name,
    Nothing,
}

fn says(name: &str, cells: &[&str], is_series: bool) -> Says {
    let is_digits = starts_with_digit(name);
    if is_empty(name) || cells.is_empty() || (is_digits && is_series) {
        return Says::Nothing;
    }
    let words = cells.iter().filter(|cell| is_word(cell)).count();
    let digits = cells.iter().filter(|cell| starts_with_digit(cell)).count();
    let is_of_digits = digits > 2 && digits > 2 * words && words <= 2.max(cells.len() / 20);
    let numbers: Option<Vec<f64>> = cells.iter().map(|cell| number(cell)).collect();
    let occurs = cells.contains(&name);
    let forms = || {
        let first = form(cells[0]);
        let is_one = cells[0].len() <= 40
            && cells[0].contains(char::is_numeric)
            && cells.iter().all(|cell| form(cell) == first);
        is_one.then_some(first)
    };
    if is_of_digits || numbers.is_some() {
        return match (number(name), numbers) {
            _ if !is_digits => Says::Name,
            _ if occurs => Says::Value,
            (Some(number), Some(numbers)) => {
                let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let is_year = is_year(number) && !self::is_year(least);
                if least <= number && number <= greatest && !is_year { Says::Alike } else { Says::Nothing }
            }
            (_, None) if forms() == Some(form(name)) => Says::Alike,
            _ => Says::Nothing,
        };
    }
    let mut repeats: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells {
        *repeats.entry(cell).or_default() += 1;
    }
    let is_repeating = repeats.len() <= 256 && 2 * repeats.len() <= cells.len();
    match forms() {
        _ if occurs => Says::Value,
        _ if is_repeating => Says::Name,
        Some(known) if known == form(name) => Says::Alike,
        Some(_) => Says::Name,
        None => Says::Nothing,
    }
}

/// A text with `9` for each digit and `a` or `A` for each letter.
fn form(text: &str) -> String {
    let of = |character: char| {
        if character.is_numeric() {
            '9'
        } else if character.is_alphabetic() {
            if character.is_uppercase() { 'A' } else { 'a' }
        } else {
            character
        }
    };
    text.chars().map(of).collect()
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace(',', ".").parse().ok()?;
    number.is_finite().then_some(number)
}

fn is_year(number: f64) -> bool {
    (1850.0..2100.0).contains(&number) && number.fract() == 0.0
}

/// Whether the names that are numbers are a series, such as years: they rise, and in small steps.
fn is_series(names: &[String]) -> bool {
    let numbers: Vec<f64> = names.iter().filter_map(|name| number(name)).collect();
    let [first, .., last] = numbers.as_slice() else { return false };
    let rises = numbers.iter().zip(&numbers[1..]).all(|(one, next)| one < next);
    let steps = numbers.iter().fold(0.0, |steps, _| steps + 3.0);
    rises && (last - first <= steps || (is_year(*first) && is_year(*last)))
}
