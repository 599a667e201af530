//! Whether the names of columns are values of a first row.

use super::profile::{Profile, number, shape};
use super::words;

/// What a name says about its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// It is a value of the column.
    Value,
    /// It looks like a value of the column.
    Alike,
    /// It does not look like the values of the column.
    Name,
    /// Nothing.
    None,
}

/// Whether the names are values. `rows` are the first rows.
#[expect(clippy::needless_pass_by_value, reason = "an iterator over borrowed rows")]
pub(super) fn are_values<'a>(
    names: &[String],
    profiles: &[Profile],
    rows: impl Iterator<Item = &'a [String]> + Clone,
) -> bool {
    let is_counted = are_counted(names);
    let column = |(index, (name, profile)): (usize, (&String, &Profile))| {
        let occurs = || rows.clone().any(|row| row.get(index) == Some(name));
        evidence(name, profile, occurs, is_counted)
    };
    let found: Vec<Evidence> = names.iter().zip(profiles).enumerate().map(column).collect();
    let count = |evidence| found.iter().filter(|found| **found == evidence).count();
    let (values, alike, against) = (count(Evidence::Value), count(Evidence::Alike), count(Evidence::Name));
    let speaking = values + alike;
    if against == 0 { speaking > 0 } else { speaking > 1 && speaking > against }
}

fn evidence(name: &str, profile: &Profile, occurs: impl Fn() -> bool, is_counted: bool) -> Evidence {
    let is_digits = words::begins_with_digit(name);
    if words::is_blank(name) || profile.filled == 0 || (is_digits && is_counted) {
        return Evidence::None;
    }
    if profile.has_digits() || profile.range.is_some() {
        return match (is_digits, number(name), profile.range) {
            (false, ..) => Evidence::Name,
            _ if occurs() => Evidence::Value,
            // A year may be the name of a column of other numbers.
            (_, Some(number), Some((least, greatest))) => {
                let is_within = (least..=greatest).contains(&number) && (!is_year(number) || is_year(least));
                if is_within { Evidence::Alike } else { Evidence::None }
            }
            (_, _, None) if profile.shape.as_deref() == Some(shape(name).as_str()) => Evidence::Alike,
            _ => Evidence::None,
        };
    }
    match &profile.shape {
        _ if profile.has(name) || (!profile.has_few() && occurs()) => Evidence::Value,
        _ if profile.has_few() => Evidence::Name,
        Some(wanted) if *wanted == shape(name) => Evidence::Alike,
        Some(_) => Evidence::Name,
        None => Evidence::None,
    }
}

fn is_year(number: f64) -> bool {
    (1850.0..2100.0).contains(&number) && number.fract() == 0.0
}

/// Whether the names that are numbers count something, such as years: they rise in small steps.
fn are_counted(names: &[String]) -> bool {
    let numbers: Vec<f64> = names.iter().filter_map(|name| number(name)).collect();
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return false };
    let is_rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
    #[expect(clippy::cast_precision_loss, reason = "a table has few columns")]
    let steps = numbers.len() as f64;
    let are_years = is_year(*first) && is_year(*last);
    numbers.len() > 1 && is_rising && (last - first <= 3.0 * steps || are_years)
}
