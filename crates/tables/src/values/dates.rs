//! Detects how the texts of a column write dates.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::reading::{DateForm, month};

/// A pivot with which patterns of years of two digits are tried.
const ANY_PIVOT: u16 = 1950;

/// The most texts from which patterns are made.
const LOOKED_AT: usize = 200;

/// The fewest dates among which other texts are odd.
const FEW: usize = 3;

/// The marks between the numbers of a date.
const MARKS: &str = " -/.,'年月日년월일";

/// The years of a date that has four digits for its year; of eight digits in a row, fewer are a date.
const YEARS: std::ops::RangeInclusive<i32> = 1000..=9999;
const COMPACT_YEARS: std::ops::RangeInclusive<i32> = 1850..=2149;

/// The forms of dates that read some texts, and the texts that they do not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    /// The forms that read the most texts, the likelier first. A second one reads some text as
    /// another day.
    pub forms: Vec<DateForm>,
    /// The texts that the forms do not read.
    pub odd: Vec<String>,
}

impl Dates {
    /// Finds the forms of most texts; `None` if fewer than half of the texts are dates of one form.
    pub fn of(texts: &BTreeSet<&str>) -> Option<Self> {
        let step = texts.len().div_ceil(LOOKED_AT).max(1);
        let looked_at = || texts.iter().step_by(step);
        let likely = looked_at().filter(|text| is_date(text)).count();
        if likely == 0 || 2 * likely < looked_at().count() {
            return None;
        }
        let mut forms: Vec<DateForm> = Vec::new();
        for form in looked_at().flat_map(|text| forms_of(text)) {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        forms.sort_by_key(|form| (form.has_any_zone(), rank(form)));
        let read = |form: &DateForm| -> BTreeSet<&str> {
            texts.iter().filter(|text| reads(form, text)).copied().collect()
        };
        let mut sets: Vec<BTreeSet<&str>> = forms.iter().map(read).collect();
        let most = sets.iter().map(BTreeSet::len).max()?;
        let first = sets.iter().position(|set| set.len() == most)?;
        let of_first = sets[first].clone();
        let mut sets = sets.drain(..);
        forms.retain(|_| sets.next().is_some_and(|set| set == of_first));
        // Points are between day, month and year, in this order, if that is possible.
        if forms.iter().any(|form| form.pattern().starts_with("%d.%m")) {
            forms.retain(|form| !form.pattern().starts_with("%m.%d") && !form.pattern().starts_with("%y.%m"));
        }
        let odd: Vec<String> = texts.difference(&of_first).map(|text| (*text).to_owned()).collect();
        let is_column = odd.is_empty() || (most >= FEW && 2 * most >= texts.len());
        is_column.then(|| Self { forms: distinct(forms, texts), odd })
    }

    /// The forms that read all texts.
    pub fn forms_of_all(texts: &BTreeSet<&str>) -> Vec<DateForm> {
        Self::of(texts).filter(|dates| dates.odd.is_empty()).map_or_else(Vec::new, |dates| dates.forms)
    }
}

/// Removes forms that read the texts as the forms before them do.
fn distinct(forms: Vec<DateForm>, texts: &BTreeSet<&str>) -> Vec<DateForm> {
    let mut kept: Vec<(DateForm, Vec<Option<NaiveDate>>)> = Vec::new();
    for form in forms {
        let days: Vec<Option<NaiveDate>> = texts.iter().map(|text| form.day(text)).collect();
        if kept.iter().all(|(_, known)| *known != days) {
            kept.push((form, days));
        }
    }
    kept.into_iter().map(|(form, _)| form).collect()
}

/// The order in which forms are proposed: ISO, then day, month, year, then the others.
fn rank(form: &DateForm) -> usize {
    let order: String = form.pattern().chars().filter(|c| "Yymbd".contains(*c)).collect();
    ["Ymd", "dmY", "mdY", "dmy", "mdy", "ymd"].iter().position(|known| order.starts_with(known)).unwrap_or(9)
}

/// The first year of the hundred that ends with this year.
pub fn last_hundred() -> u16 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let day =
        i64::try_from(now.as_secs()).ok().and_then(|seconds| chrono::DateTime::from_timestamp(seconds, 0));
    let year = day.map_or(2024, |day| chrono::Datelike::year(&day));
    u16::try_from(year - 99).unwrap_or(1930)
}

/// Whether a form reads a text as a date of a usual year.
pub fn reads(form: &DateForm, text: &str) -> bool {
    let is_compact = form.pattern().starts_with("%Y%m");
    let years = if is_compact { COMPACT_YEARS } else { YEARS };
    form.day(text).is_some_and(|day| years.contains(&chrono::Datelike::year(&day)))
}

/// Whether a text is a date in some form.
pub fn is_date(text: &str) -> bool {
    !forms_of(text.trim()).is_empty()
}

/// A form that has no punctuation: it may be a code, too.
pub fn is_compact(form: &DateForm) -> bool {
    form.pattern() == "%Y%m%d"
}

/// The forms that read one text.
fn forms_of(text: &str) -> Vec<DateForm> {
    if !(6..=60).contains(&text.len()) || !text.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let (date, time) = split_time(text);
    let Some(times) = times(time) else { return Vec::new() };
    let mut forms = Vec::new();
    for head in heads(date) {
        for tail in &times {
            let pattern = format!("{head}{tail}");
            let form = DateForm::new(&pattern, Some(ANY_PIVOT)).ok();
            forms.extend(form.filter(|form| reads(form, text)));
        }
    }
    forms
}

/// Splits a text into its date and its time, which begins with a blank or `T`.
fn split_time(text: &str) -> (&str, &str) {
    let Some(colon) = text.find(':') else { return (text, "") };
    let before = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit());
    match before.char_indices().next_back() {
        Some((start, ' ' | 'T')) => text.split_at(start),
        _ => (text, ""),
    }
}

/// The patterns of a time with its separator; `None` if it is none. Several if it has a zone.
fn times(time: &str) -> Option<Vec<String>> {
    if time.is_empty() {
        return Some(vec![String::new()]);
    }
    let (separator, clock) = time.split_at(1);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &clock[digits(clock)..];
    let rest = &rest.strip_prefix(':')?;
    let rest = &rest[digits(rest)..];
    let (seconds, rest) = match rest.strip_prefix(':') {
        None => ("", rest),
        Some(rest) => {
            let rest = &rest[digits(rest)..];
            match rest.strip_prefix(['.', ',']) {
                None => (":%S", rest),
                Some(rest) => (":%S%.f", &rest[digits(rest)..]),
            }
        }
    };
    let blank = if rest.starts_with(' ') { " " } else { "" };
    let word = &rest[blank.len()..];
    if word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm") {
        return Some(vec![format!("{separator}%I:%M{seconds}{blank}%p")]);
    }
    let clock = format!("{separator}%H:%M{seconds}");
    Some(match word {
        "" => vec![clock],
        name if name.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'Z') => {
            vec![format!("{clock}{rest}")]
        }
        _ => vec![format!("{clock}{rest}"), format!("{clock}{blank}%z")],
    })
}

/// A piece of a date.
enum Piece<'a> {
    Digits(usize),
    Month,
    Word(&'a str),
    Mark(&'a str),
}

/// The patterns that the date part of a text may have.
fn heads(date: &str) -> Vec<String> {
    let Some(pieces) = pieces(date) else { return Vec::new() };
    let numbers: Vec<usize> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Digits(count) => Some(*count),
            _ => None,
        })
        .collect();
    let has_name = pieces.iter().any(|piece| matches!(piece, Piece::Month));
    let orders: &[&[&str]] = match (numbers.as_slice(), has_name) {
        ([8], false) => &[&["%Y%m%d"]],
        ([4, 1..=2, 1..=2], false) => &[&["%Y", "%m", "%d"]],
        ([1..=2, 1..=2, 4], false) => &[&["%d", "%m", "%Y"], &["%m", "%d", "%Y"]],
        ([1..=2, 1..=2, 2], false) => &[&["%d", "%m", "%y"], &["%m", "%d", "%y"], &["%y", "%m", "%d"]],
        ([2, 1..=2, 1], false) => &[&["%y", "%m", "%d"]],
        ([4, 1..=2], true) => &[&["%Y", "%d"]],
        ([1..=2, 4], true) => &[&["%d", "%Y"]],
        ([2, 2], true) => &[&["%d", "%y"], &["%y", "%d"]],
        ([1, 2], true) => &[&["%d", "%y"]],
        ([2, 1], true) => &[&["%y", "%d"]],
        _ => &[],
    };
    let write = |order: &&[&str]| {
        let mut numbers = order.iter();
        let mut pattern = String::new();
        for piece in &pieces {
            match piece {
                Piece::Digits(_) => pattern.push_str(numbers.next().unwrap_or(&"")),
                Piece::Month => pattern.push_str("%b"),
                Piece::Word(text) | Piece::Mark(text) => pattern.push_str(text),
            }
        }
        pattern
    };
    orders.iter().map(write).collect()
}

/// Splits the date part of a text; `None` if it has a piece that dates do not have.
fn pieces(date: &str) -> Option<Vec<Piece<'_>>> {
    let class = |c: char| {
        if MARKS.contains(c) {
            0
        } else if c.is_ascii_digit() {
            1
        } else {
            2
        }
    };
    let mut pieces = Vec::new();
    let mut rest = date;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| class(c) != class(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        pieces.push(match class(first) {
            0 if piece.chars().count() > 3 => return None,
            0 => {
                // The point of an abbreviation is no part of the pattern.
                let follows_name = matches!(pieces.last(), Some(Piece::Month));
                let is_point_of_name = follows_name && piece.starts_with('.') && piece.len() > 1;
                Piece::Mark(if is_point_of_name { &piece[1..] } else { piece })
            }
            1 => Piece::Digits(piece.len()),
            _ if month::number(piece).is_some() => Piece::Month,
            _ if ["de", "del", "of"].contains(&piece) => Piece::Word(piece),
            _ => return None,
        });
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(texts: &[&str]) -> Vec<String> {
        let texts: BTreeSet<&str> = texts.iter().copied().collect();
        let forms = Dates::forms_of_all(&texts);
        forms.iter().map(|form| form.pattern().to_owned()).collect()
    }

    #[test]
    fn date_format_is_inferred_or_left_open() {
        for (texts, expected) in [
            (&["1955-08-28"][..], &["%Y-%m-%d"][..]),
            (&["1955-08-28 00:00:00"], &["%Y-%m-%d %H:%M:%S"]),
            (&["1955-08-28", "1955-08-28 07:30:00.000"], &["%Y-%m-%d %H:%M:%S%.f"]),
            (&["1955-08-28T00:00:00+09:00"], &["%Y-%m-%dT%H:%M:%S+09:00"]),
            (&["1955-08-28T00:00:00.000Z"], &["%Y-%m-%dT%H:%M:%S%.fZ"]),
            (&["1955-08-28T00:00:00+09:00", "1955-08-28T00:00:00+01:00"], &["%Y-%m-%dT%H:%M:%S%z"]),
            (&["1955-08-28 00:00:00 UTC"], &["%Y-%m-%d %H:%M:%S UTC"]),
            (&["1955-08-28 00:00:00.000 Asia/Tokyo"], &["%Y-%m-%d %H:%M:%S%.f Asia/Tokyo"]),
            (&["28-Aug-1955", "1-May-1960"], &["%d-%b-%Y"]),
            (&["28. August 1955"], &["%d. %b %Y"]),
            (&["28 sept. 1955", "1 mai 1960"], &["%d %b %Y"]),
            (&["August 28, 1955"], &["%b %d, %Y"]),
            (&["28 de agosto de 1955"], &["%d de %b de %Y"]),
            (&["28AUG1955"], &["%d%b%Y"]),
            (&["28-Aug-11", "01-Aug-12"], &["%d-%b-%y", "%y-%b-%d"]),
            (&["1955年08月28日"], &["%Y年%m月%d日"]),
            (&["19550828"], &["%Y%m%d"]),
            (&["1955/8/28 0:00"], &["%Y/%m/%d %H:%M"]),
            (&["8/28/1955 12:00:00 AM"], &["%m/%d/%Y %I:%M:%S %p"]),
            (&["05/06/1955", "07/08/1960"], &["%d/%m/%Y", "%m/%d/%Y"]),
            (&["05/05/1955"], &["%d/%m/%Y"]),
            (&["05.06.1955"], &["%d.%m.%Y"]),
            (&["05.31.1955"], &["%m.%d.%Y"]),
            (&["22.03.47", "16.11.92"], &["%d.%m.%y"]),
            (&["1955-13-28"], &[]),
            (&["19990"], &[]),
            (&["123-45-6789"], &[]),
            (&["192.168.10.10"], &[]),
            (&["12:30:00"], &[]),
        ] {
            assert_eq!(patterns(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn texts_among_dates_are_odd() {
        let texts = BTreeSet::from(["1955-08-28", "1955-08-29", "1955-08-30", "1950-00-00"]);
        let dates = Dates::of(&texts).unwrap();
        assert_eq!((dates.forms.len(), dates.odd.as_slice()), (1, &["1950-00-00".to_owned()][..]));
        assert_eq!(Dates::of(&BTreeSet::from(["1955-08-28", "red", "green"])), None);
        assert_eq!(Dates::of(&BTreeSet::from(["1955-08-28", "28.08.1955"])), None);
    }
}
