//! Traces of spreadsheets: ranges that became days, and numbers with a rounding error.

use std::collections::BTreeMap;

use crate::Ambiguity;
use crate::values::reading::{Reading, mapping};
use crate::values::texts::Texts;
use palmtop_tables::literal::toml_string;

/// The months as spreadsheets write them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The range that a spreadsheet turned into a day: `01-Feb` was `1-2`.
fn range(text: &str) -> Option<String> {
    let (day, month) = text.split_once('-')?;
    let month = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))? + 1;
    let day: u8 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    Some(format!("{day}-{month}"))
}

/// Notes ranges that a spreadsheet turned into days, if the column has other texts too.
pub(crate) fn days(name: &str, tables: &[Texts; 2]) -> Option<Ambiguity> {
    let found: Vec<(&str, String)> =
        tables[0].iter().filter_map(|text| Some((*text, range(text)?))).collect();
    let (text, meant) = found.first().filter(|_| found.len() < tables[0].len())?;
    let line = format!("{} = {}", toml_string(text), toml_string(meant));
    Some(Ambiguity::of(
        name,
        format!(
            "{} value(s) of P look like ranges that a spreadsheet turned into days ({text:?} may be {meant})",
            found.len()
        ),
        format!("correct the tables, or write `values = {{ {line} }}`"),
    ))
}

/// The fewest digits of a number with a rounding error.
const DIGITS: usize = 15;

/// Maps numbers of P that differ from another one of P only by a rounding error to that number.
pub(crate) fn rounded(name: &str, tables: &[Texts; 2], readings: &mut [Reading; 2]) -> Option<Ambiguity> {
    let near = |text: &&str| {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let number: f64 = text.parse().ok().filter(|_| digits >= DIGITS)?;
        let near = format!("{number:.10}");
        let near = near.trim_end_matches('0').trim_end_matches('.').to_owned();
        (tables[0].contains(near.as_str()) && near != **text).then(|| ((*text).to_owned(), near))
    };
    let found: BTreeMap<String, String> = tables[0].iter().filter_map(near).collect();
    if found.is_empty() {
        return None;
    }
    let what = format!(
        "{} number(s) of P have a rounding error; `values` corrects them: {}",
        found.len(),
        mapping(&found)
    );
    for reading in readings.iter_mut() {
        reading.values.extend(found.clone());
    }
    Some(Ambiguity::of(name, what, "if they are different numbers, delete `values` of the attribute"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_of_spreadsheets_are_noted() {
        let of = |texts: &[&'static str]| [texts.iter().copied().collect::<Texts>(), Texts::new()];
        let found = days("size", &of(&["01-Feb", "3-5", "03-May", "10+"])).unwrap();
        assert!(found.what.starts_with("2 value(s)") && found.what.contains("(\"01-Feb\" may be 1-2)"));
        assert!(days("size", &of(&["01-Feb", "03-May"])).is_none(), "all are days");
        assert!(days("size", &of(&["32-Feb", "A-May", "3-5"])).is_none());
        let mut readings = [Reading::default(), Reading::default()];
        let tables = of(&["7", "7.000000000000001", "0.3", "0.30000000000000004", "8.123456789012345"]);
        assert!(rounded("x", &tables, &mut readings).is_some());
        let map: Vec<(&str, &str)> =
            readings[1].values.iter().map(|(text, value)| (text.as_str(), value.as_str())).collect();
        assert_eq!(map, [("0.30000000000000004", "0.3"), ("7.000000000000001", "7")]);
    }
}
