//! Reads the keys of a project file for how P and T write values: `missing`, `number`, `date`, `trim`, `values`.

use toml::{Table, Value};

use super::keys::{character, flag, known, positive, table, texts, word, wrong};
use crate::values::{DateNotation, Notation, Number, Spelling, TableNotation, plain_number};

/// The keys of a reading, and those of older projects.
pub(super) const READING: &[&str] = &["missing", "number", "date", "trim", "values"];
pub(super) const OLDER_READING: &[&str] = &["pivot"];

/// The name that people without a value have in a release, if the project gives no other.
const UNKNOWN: &str = "unknown";

/// How P and T write an attribute's values.
pub(super) fn spelling(
    table: &Table,
    missing: &[String],
    is_member: bool,
    is_coarser: bool,
) -> Result<Spelling, String> {
    let pivot = pivot(table)?;
    let plain = TableNotation { missing: missing.to_vec(), ..TableNotation::default() };
    let both = writing(table, plain, pivot)?;
    let of_one = |key: &str, base: TableNotation| match self::table(table, key)? {
        None => Ok(base),
        Some(table) => {
            known(table, &[READING, OLDER_READING], &format!("[attribute.{key}]"))?;
            writing(table, base, self::pivot(table)?.or(pivot))
        }
    };
    // Labels of a coarser level are texts.
    let base =
        if is_coarser { TableNotation { notation: Notation::Text, ..both.clone() } } else { both.clone() };
    let public = of_one("public", base)?;
    let private = if is_member { public.clone() } else { of_one("private", both)? };
    check_dates(table, [&public, &private])?;
    let may_lack = !public.missing.is_empty() || !private.missing.is_empty();
    let missing_at_top = match word(table, "missing_at")? {
        None | Some("own") => false,
        Some("top") => true,
        Some(other) => return Err(wrong("missing_at", other)),
    };
    let label = word(table, "missing_label")?.unwrap_or(UNKNOWN).to_owned();
    Ok(Spelling { public, private, missing_label: may_lack.then_some(label), missing_at_top })
}

/// The notation of numbers: an example, or a table with an example and bounds. Older projects have the marks in the table.
pub(super) fn notation(number: &Value) -> Result<Notation, String> {
    let table = match number {
        Value::String(text) => {
            let (decimal, thousands) = marks(text)?;
            return Ok(Notation::Number { decimal, thousands, first: None, last: None });
        }
        Value::Table(table) => table,
        _ => return Err("`number` is neither an example nor a table".to_owned()),
    };
    known(table, &[&["like", "first", "last"], &["decimal", "thousands"]], "`number`")?;
    let bound = |key: &str| {
        let text =
            table.get(key).map(|bound| bound.as_str().map_or_else(|| bound.to_string(), str::to_owned));
        match text.as_deref().map(plain_number) {
            None => Ok(None),
            Some(Some(plain)) => Ok(Some(plain)),
            Some(None) => Err(wrong(key, &text.unwrap_or_default())),
        }
    };
    let (first, last) = (bound("first")?, bound("last")?);
    let value = |bound: &Option<String>| bound.as_deref().and_then(Number::read);
    if value(&first).zip(value(&last)).is_some_and(|(first, last)| first > last) {
        return Err("`first` of `number` is above `last`".to_owned());
    }
    let is_older = table.contains_key("decimal") || table.contains_key("thousands");
    let (decimal, thousands) = match word(table, "like")? {
        Some(_) if is_older => {
            return Err("`like` has replaced `decimal` and `thousands`; remove them".to_owned());
        }
        Some(text) => marks(text)?,
        None => (character(table, "decimal")?.unwrap_or('.'), character(table, "thousands")?),
    };
    Ok(Notation::Number { decimal, thousands, first, last })
}

/// The decimal mark and the mark between thousands of an example such as `1.234,5`. It has a thousand or more, so that it has a
/// mark there unless the column has none, and a fraction.
fn marks(example: &str) -> Result<(char, Option<char>), String> {
    let unclear = || {
        format!("`number = {example:?}` is no example with a thousand and a fraction, such as \"1.234,5\"")
    };
    let mut signs: Vec<(usize, char)> =
        example.chars().enumerate().filter(|(_, sign)| !sign.is_ascii_digit()).collect();
    let length = example.chars().count();
    let (last, decimal) = signs.pop().ok_or_else(unclear)?;
    let thousands = signs.first().map(|(_, mark)| *mark);
    let is_mark = |mark: char| !(mark.is_alphanumeric() || "+-\u{2212}".contains(mark));
    let are_thousands = match (signs.as_slice(), thousands) {
        ([(first, _), ..], Some(mark)) => {
            // From each mark on there are three digits, up to the decimal mark.
            let ends = signs.iter().map(|(at, _)| *at).skip(1).chain([last]);
            (1..=3).contains(first)
                && is_mark(mark)
                && mark != decimal
                && signs.iter().zip(ends).all(|((at, sign), end)| *sign == mark && end - at == 4)
        }
        _ => last >= 4,
    };
    let fits = length - signs.len() - 1 <= 28;
    if !are_thousands || last + 1 == length || !fits || !is_mark(decimal) || decimal.is_whitespace() {
        return Err(unclear());
    }
    Ok((decimal, thousands))
}

/// The first year of the hundred that years of two digits mean, in an older project.
fn pivot(table: &Table) -> Result<Option<u16>, String> {
    let year = positive(table, "pivot")?;
    year.map(|year| u16::try_from(year).map_err(|_| format!("`pivot = {year}` is no year"))).transpose()
}

/// Checks the patterns of dates, and that a pivot has years of two digits to read.
fn check_dates(table: &Table, notations: [&TableNotation; 2]) -> Result<(), String> {
    let mut has_short_years = false;
    for notation in notations {
        if let Notation::Date(date) = &notation.notation {
            date.check()?;
            has_short_years |= date.has_short_years();
        }
    }
    let parts = [Some(table), self::table(table, "public")?, self::table(table, "private")?];
    if !has_short_years && parts.into_iter().flatten().any(|part| part.contains_key("pivot")) {
        return Err("`pivot` is for dates with years of two digits, `%y`; remove it".to_owned());
    }
    Ok(())
}

/// The dates of a key: a pattern, or a table with a pattern and the first of the hundred years. An older project has that year
/// beside it, for both tables or for one.
fn dates(date: &Value, pivot: Option<u16>) -> Result<DateNotation, String> {
    let table = match date {
        Value::String(pattern) => return Ok(DateNotation { pattern: pattern.clone(), pivot }),
        Value::Table(table) => table,
        _ => return Err("`date` is neither a pattern nor a table".to_owned()),
    };
    known(table, &[&["like", "from"]], "`date`")?;
    if pivot.is_some() {
        return Err("`from` of `date` has replaced `pivot`; remove `pivot`".to_owned());
    }
    let pattern = word(table, "like")?.ok_or("`date` has no `like`")?.to_owned();
    let from = positive(table, "from")?
        .and_then(|year| u16::try_from(year).ok())
        .ok_or("`from` of `date` is no year")?;
    let dates = DateNotation { pattern, pivot: Some(from) };
    if !dates.has_short_years() {
        return Err("`from` of `date` is for years of two digits, `%y`; remove it".to_owned());
    }
    Ok(dates)
}

/// The keys of a reading, each of which replaces the one before.
fn writing(table: &Table, mut writing: TableNotation, pivot: Option<u16>) -> Result<TableNotation, String> {
    match (table.get("number"), table.get("date")) {
        (Some(_), Some(_)) => return Err("`number` and `date` exclude each other".to_owned()),
        (Some(number), None) => writing.notation = notation(number)?,
        (None, Some(date)) => writing.notation = Notation::Date(dates(date, pivot)?),
        (None, None) => {
            if let (Notation::Date(date), Some(pivot)) = (&mut writing.notation, pivot) {
                date.pivot = Some(pivot);
            }
        }
    }
    if let Some(trim) = flag(table, "trim")? {
        writing.trim = trim;
    }
    if let Some(values) = self::table(table, "values")? {
        let value = |(text, value): (&String, &Value)| {
            let value = value.as_str().ok_or_else(|| format!("`values`: {text:?} has no text"))?;
            Ok((text.clone(), value.to_owned()))
        };
        writing.values = values.iter().map(value).collect::<Result<_, String>>()?;
    }
    if let Some(missing) = texts(table, "missing")? {
        writing.missing = missing;
    }
    Ok(writing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_says_both_separators_or_is_refused() {
        for (example, decimal, thousands) in [
            ("1234.5", '.', None),
            ("1.234,5", ',', Some('.')),
            ("1 234.5", '.', Some(' ')),
            ("1\u{202f}234\u{202f}567,8", ',', Some('\u{202f}')),
            ("12345,67", ',', None),
        ] {
            assert_eq!(marks(example), Ok((decimal, thousands)), "{example}");
        }
        for example in [
            "1,5",
            "1.234",
            "1.234.567",
            "1234",
            "1234,",
            ",5",
            "",
            "12.34,5",
            "1.234.5",
            "-1234,5",
            "1 234 5",
            "1,234,5",
            "x234,5",
            "1.2345,6",
            "1.234,567.8",
            "1.234'567,8",
        ] {
            assert!(marks(example).is_err(), "{example}");
        }
    }

    #[test]
    fn older_and_present_keys_read_the_same() {
        let read = |lines: &str| spelling(&lines.parse().unwrap(), &[], false, false);
        for (older, today) in [
            (
                "number = { decimal = \",\", thousands = \".\", last = 9 }",
                "number = { like = \"1.234,5\", last = 9 }",
            ),
            ("public.number = { thousands = \" \" }", "public.number = \"1 234.5\""),
            ("date = \"%d.%m.%y\"\npivot = 1926", "date = { like = \"%d.%m.%y\", from = 1926 }"),
            (
                "date = \"%d.%m.%y\"\npivot = 1926\nprivate.pivot = 1950",
                "date = { like = \"%d.%m.%y\", from = 1926 }\nprivate.date = { like = \"%d.%m.%y\", from = 1950 }",
            ),
        ] {
            assert_eq!(read(older), read(today), "{older}");
            assert!(read(older).is_ok(), "{older}");
        }
        for both in [
            "number = { like = \"1234,5\", decimal = \",\" }",
            "date = { like = \"%d.%m.%y\", from = 1926 }\npivot = 1926",
            "date = { like = \"%d.%m.%Y\", from = 1926 }",
            "number = \"1,5\"",
        ] {
            assert!(read(both).is_err(), "{both}");
        }
    }
}
