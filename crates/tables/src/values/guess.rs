//! Guesses what refused values mean, and the project line that makes palmtop read them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::dates::{Dates, last_hundred};
use super::reading::{DateForm, Form, NumberForm, Reading};
use super::written::is_word_for_no_value;
use crate::values::literal::toml_string;
use crate::values::look::{code_points, look, toml_values};

/// The likely meaning of some refused values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    /// The meaning in words.
    pub(crate) meaning: String,
    /// The attribute's keys that read the values so, if there are such keys.
    pub(crate) lines: Vec<String>,
}

/// The most values whose form is examined.
const LOOKED_AT: usize = 1_000;

/// The widest code whose lost zeros are searched for.
const WIDEST: usize = 12;

/// The number formats that tables use: name, decimal mark, thousands separator.
const NUMBERS: [(&str, char, Option<char>); 8] = [
    ("numbers with redundant zeros or a plus sign", '.', None),
    ("numbers with a decimal comma", ',', None),
    ("numbers with thousands separators", '.', Some(',')),
    ("numbers with thousands separators", ',', Some('.')),
    ("numbers with thousands separators", '.', Some('\'')),
    ("numbers with thousands separators", '.', Some('’')),
    ("numbers with thousands separators", '.', Some(' ')),
    ("numbers with thousands separators", ',', Some(' ')),
];

/// A candidate reading of some values.
struct Way {
    meaning: String,
    /// The number of values that it explains.
    count: usize,
    /// The first of these values, and its text when read so.
    example: (String, String),
    lines: Vec<String>,
}

/// The form that explains most values, and the values that look missing. `reading` is how the
/// column is read now. `is_known` is true for values of the hierarchy; `labels` are those that it
/// lists.
pub(crate) fn guess(
    values: &[&String],
    reading: &Reading,
    is_known: &dyn Fn(&str) -> bool,
    labels: &[String],
) -> Vec<Guess> {
    let (absent, present): (Vec<&str>, Vec<&str>) =
        values.iter().map(|text| text.as_str()).partition(|text| is_word_for_no_value(text));
    let present = &present[..present.len().min(LOOKED_AT)];
    let mut guesses = Vec::new();
    if let Form::Date(now) = &reading.form {
        guesses.extend(other_dates(present, now, reading));
    } else if let Some(way) = likeliest(present, reading, is_known, labels) {
        let (text, value) = way.example;
        let points = if look(&text) == look(&value) && text.trim() != value {
            format!(", {} for {}", code_points(&text, &value), code_points(&value, &text))
        } else {
            String::new()
        };
        guesses.push(Guess {
            meaning: format!("{} ({text:?} would be {value:?}{points})", way.meaning),
            lines: way.lines,
        });
    } else if is_band(present) {
        guesses.push(Guess {
            meaning: "bands of numbers; give the attribute a hierarchy with these bands at one level, and set `public_level`"
                .to_owned(),
            lines: Vec::new(),
        });
    }
    // If the other values remain unexplained, the few that look missing are not the problem.
    if !absent.is_empty() && (present.is_empty() || !guesses.is_empty()) {
        let listed: Vec<String> = absent.iter().map(|text| format!("{text:?}")).collect();
        let meaning = if present.is_empty() {
            "missing values".to_owned()
        } else {
            format!("missing values ({})", listed.join(", "))
        };
        let all = reading.missing.iter().map(String::as_str).chain(absent.iter().copied());
        let all: Vec<String> = all.map(toml_string).collect();
        guesses.push(Guess { meaning, lines: vec![format!("missing = [{}]", all.join(", "))] });
    }
    guesses
}

/// Texts that are dates, but not in the form of their column: one form for all of them, or each as
/// another spelling.
fn other_dates(values: &[&str], now: &DateForm, reading: &Reading) -> Option<Guess> {
    let texts: BTreeSet<&str> = values.iter().copied().collect();
    let example = now.example();
    let all: BTreeSet<&str> = texts.iter().copied().chain([example.as_str()]).collect();
    if let [form, ..] = Dates::forms_of_all(&all).as_slice() {
        return Some(Guess { meaning: meaning_of(form, &[]), lines: vec![form.key()] });
    }
    let form = Dates::forms_of_all(&texts).into_iter().next()?.with_pivot(last_hundred());
    let pairs = texts.iter().filter_map(|text| Some((*text, now.write(form.day(text)?)))).collect();
    Some(Guess {
        meaning: format!("dates in another form, {}", form.pattern()),
        lines: Line::Values.written(reading, &pairs),
    })
}

/// The form that explains most values, the first among equals, if it explains at least half of
/// them.
fn likeliest(
    values: &[&str],
    reading: &Reading,
    is_known: &dyn Fn(&str) -> bool,
    labels: &[String],
) -> Option<Way> {
    let mut best: Option<Way> = None;
    let mut offer = |meaning: &str, read: &dyn Fn(&str) -> Option<String>, line: Line| {
        let pairs = values.iter().filter_map(|text| Some((*text, read(text)?)));
        let pairs = pairs.filter(|(_, value)| is_known(value));
        let pairs: BTreeMap<&str, String> = pairs.collect();
        let Some((text, value)) = pairs.first_key_value() else { return };
        let count = pairs.len();
        if 2 * count >= values.len() && best.as_ref().is_none_or(|best| count > best.count) {
            let example = ((*text).to_owned(), value.clone());
            best = Some(Way {
                meaning: meaning.to_owned(),
                count,
                example,
                lines: line.written(reading, &pairs),
            });
        }
    };
    let bare = |text: &str| Some(text.trim()).filter(|bare| *bare != text).map(ToOwned::to_owned);
    offer("values with spaces around them", &bare, Line::Keys(vec!["trim = true".into()]));
    for (meaning, decimal, thousands) in NUMBERS {
        if let Some(form) = NumberForm::new(decimal, thousands) {
            offer(meaning, &|text| form.read(text), Line::Keys(vec![form.key()]));
        }
    }
    let texts: BTreeSet<&str> = values.iter().copied().collect();
    let forms = Dates::of(&texts).unwrap_or_default().forms;
    for form in &forms {
        let form = form.with_pivot(last_hundred());
        offer(&meaning_of(&form, &forms), &|text| form.read(text), Line::Keys(vec![form.key()]));
    }
    for (meaning, fold) in [
        ("known values with other code points", look as fn(&str) -> String),
        ("known values in another case", |text| look(text).to_lowercase()),
    ] {
        let folded: HashMap<String, &String> =
            labels.iter().rev().map(|label| (fold(label), label)).collect();
        offer(meaning, &|text| folded.get(&fold(text)).map(ToString::to_string), Line::Values);
    }
    for width in 2..=WIDEST {
        let padded = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            (is_number && text.len() < width).then(|| format!("{text:0>width$}"))
        };
        offer("codes that lost their leading zeros; export the column as text", &padded, Line::Values);
    }
    offer("known values in another spelling", &|text| nearest(text, labels), Line::Values);
    best
}

/// What a form of dates means in words. If other forms fit as well, the words name them.
fn meaning_of(form: &DateForm, forms: &[DateForm]) -> String {
    let others: Vec<&str> =
        forms.iter().map(DateForm::pattern).filter(|pattern| *pattern != form.pattern()).collect();
    let other = if others.is_empty() { String::new() } else { format!(" or {}", others.join(" or ")) };
    let years = form.pivot().filter(|_| form.has_short_years());
    let years = years.map_or_else(String::new, |pivot| format!(", years {pivot} to {}", pivot + 99));
    format!("dates written {}{other}{years}", form.pattern())
}

/// The line to write.
enum Line {
    /// Keys with their values.
    Keys(Vec<String>),
    /// A list of the values, each with its spelling in the hierarchy.
    Values,
}

impl Line {
    /// The most values listed in a line.
    const MOST: usize = 40;

    fn written(self, reading: &Reading, pairs: &BTreeMap<&str, String>) -> Vec<String> {
        match self {
            Self::Keys(keys) => keys,
            Self::Values if pairs.len() > Self::MOST => Vec::new(),
            Self::Values => {
                let known = reading.values.iter().map(|(text, value)| (text.as_str(), value.as_str()));
                let all = known.chain(pairs.iter().map(|(text, value)| (*text, value.as_str())));
                vec![format!("values = {}", toml_values(all))]
            }
        }
    }
}

/// Whether all values have the form `20-29`.
fn is_band(values: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_band = |text: &&str| {
        text.split_once(['-', '–']).is_some_and(|(low, high)| is_number(low.trim()) && is_number(high.trim()))
    };
    !values.is_empty() && values.iter().all(is_band)
}

/// The label that a text misspells: at most a quarter of its characters differ, and every other
/// label differs more.
fn nearest(text: &str, labels: &[String]) -> Option<String> {
    /// No search is made among more labels than this.
    const MOST_LABELS: usize = 5_000;
    let wanted: Vec<char> = text.to_lowercase().chars().collect();
    let most = wanted.len() / 4;
    if most == 0 || labels.len() > MOST_LABELS {
        return None;
    }
    let mut near: Vec<(usize, &String)> = labels
        .iter()
        .map(|label| (edits(&wanted, &label.to_lowercase().chars().collect::<Vec<char>>()), label))
        .filter(|(edits, _)| *edits <= most)
        .collect();
    near.sort();
    match near.as_slice() {
        [(first, label)] | [(first, label), (_, _), ..] if near.len() == 1 || near[1].0 > *first => {
            Some((*label).clone())
        }
        _ => None,
    }
}

/// The number of insertions, deletions and substitutions between two texts (Levenshtein 1966),
/// O(|left| · |right|).
pub(crate) fn edits(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, left) in left.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, right) in right.iter().enumerate() {
            let changed = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> Vec<Guess> {
        let known = [
            "39",
            "39.5",
            "1234567",
            "2024-03-31",
            "2024-12-05",
            "01234",
            "Rome",
            "berlin",
            "PARIS",
            "7",
            "Canada",
        ];
        let labels = known.map(ToOwned::to_owned);
        let values: Vec<String> = values.iter().map(|&text| text.to_owned()).collect();
        let is_known = |text: &str| known.contains(&text);
        guess(&values.iter().collect::<Vec<_>>(), &Reading::default(), &is_known, &labels)
    }

    #[test]
    fn likely_reading_is_proposed_with_its_project_line() {
        for (values, meaning, line) in [
            (&["39.0"][..], "redundant zeros", "number = \"1234.5\""),
            (&["+39"], "a plus sign", "number = \"1234.5\""),
            (&["007"], "redundant zeros", "number = \"1234.5\""),
            (&["39,5"], "decimal comma", "number = \"1234,5\""),
            (&["1.234.567"], "thousands separators", "number = \"1.234,5\""),
            (&["1,234,567"], "thousands separators", "number = \"1,234.5\""),
            (&["1\u{a0}234\u{a0}567"], "thousands separators", "number = \"1 234.5\""),
            (&["1 234 567"], "thousands separators", "number = \"1 234.5\""),
            (&["31.03.2024", "05.12.2024"], "written %d.%m.%Y", "date = \"%d.%m.%Y\""),
            (&["03/31/2024", "12/05/2024"], "written %m/%d/%Y", "date = \"%m/%d/%Y\""),
            (&["31/03/2024", "05/12/2024"], "written %d/%m/%Y", "date = \"%d/%m/%Y\""),
            (&["20240331"], "written %Y%m%d", "date = \"%Y%m%d\""),
            (&["05-12-2024"], "%d-%m-%Y or %m-%d-%Y", "date = \"%d-%m-%Y\""),
            (&["5. Dez. 2024"], "%d. %b %Y", "date = \"%d. %b %Y\""),
            (&["2024-03-31 00:00:00"], "written %Y", "date = \"%Y-%m-%d %H:%M:%S\""),
            (&["1234"], "lost their leading zeros", "values = { \"1234\" = \"01234\" }"),
            (&[" Rome", "39 "], "spaces around", "trim = true"),
            (
                &["BERLIN", "rome"],
                "another case",
                "values = { \"BERLIN\" = \"berlin\", \"rome\" = \"Rome\" }",
            ),
            (
                &["Ro\u{200b}me"],
                "other code points (\"Ro\\u{200b}me\" would be \"Rome\", U+200B for nothing)",
                "values = { \"Ro\\u200bme\" = \"Rome\" }",
            ),
            (&["Kanada"], "another spelling", "values = { \"Kanada\" = \"Canada\" }"),
            (&["", "NA"], "missing values", "missing = [\"\", \"NA\"]"),
        ] {
            let found = found(values);
            assert!(found.len() == 1 && found[0].meaning.contains(meaning), "{values:?}: {found:?}");
            assert_eq!(found[0].lines, [line], "{values:?}");
        }
        assert_eq!(found(&["Atlantis"]), []);
        // Most of these values are simply unknown.
        assert_eq!(found(&["ROME", "x", "y"]), []);
        assert_eq!(found(&["x", "NA"]), []);
        assert!(found(&["20-29", "30-39"])[0].meaning.starts_with("bands of numbers"));
    }

    #[test]
    fn dates_in_two_forms_are_told() {
        let lines = |pattern: &str, text: &str| {
            let form = Form::Date(DateForm::new(pattern, None).unwrap());
            let reading = Reading { form, ..Reading::default() };
            guess(&[&text.to_owned()], &reading, &|_| true, &[])[0].lines.clone()
        };
        let zones = lines("%Y-%m-%dT%H:%M:%SZ", "1955-08-28T00:00:00+09:00");
        assert_eq!(zones, ["date = \"%Y-%m-%dT%H:%M:%S%z\""]);
        assert_eq!(lines("%d.%m.%Y", "1955-08-28"), ["values = { \"1955-08-28\" = \"28.08.1955\" }"]);
    }

    #[test]
    fn a_pivot_is_among_the_lines() {
        let date = format!("date = {{ like = \"%d.%m.%y\", from = {} }}", last_hundred());
        assert_eq!(found(&["31.03.24"])[0].lines, [date]);
    }

    #[test]
    fn a_form_and_missing_values_are_told_together() {
        let found = found(&["31.03.2024", "NA"]);
        assert_eq!(
            found.iter().map(|guess| guess.lines[0].as_str()).collect::<Vec<_>>(),
            ["date = \"%d.%m.%Y\"", "missing = [\"NA\"]"]
        );
    }

    #[test]
    fn proposed_reading_line_keeps_what_the_project_has() {
        let reading = Reading {
            values: [("a".to_owned(), "b".to_owned())].into(),
            missing: vec!["x".to_owned()],
            ..Reading::default()
        };
        let labels = ["Rome".to_owned()];
        let line = |text: &str| {
            let values = [&text.to_owned()].map(Clone::clone);
            let found = guess(&values.iter().collect::<Vec<_>>(), &reading, &|text| text == "Rome", &labels);
            found[0].lines[0].clone()
        };
        assert_eq!(line("ROME"), "values = { \"a\" = \"b\", \"ROME\" = \"Rome\" }");
        assert_eq!(line("NA"), "missing = [\"x\", \"NA\"]");
    }
}
