//! Open bands among numbers: `90+`, `≥ 90`, `90 or older`, `<1`, `unter 1`.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use crate::sources::survey::Column;
use crate::values::texts::Texts;
use crate::{Ambiguity, Choice, Decision};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::reading::NumberForm;
use palmtop_tables::written::number_forms;

/// The open bands of a column of numbers in two tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenBands {
    /// Each text of an open band, as it is spelled, with its value, such as `>=90`.
    pub(crate) values: BTreeMap<String, String>,
    first: Option<Decimal>,
    last: Option<Decimal>,
}

/// What stands after the number of a last band, and before it.
const LAST: [&[&str]; 2] = [
    &[
        "+",
        "or older",
        "or more",
        "or over",
        "or above",
        "and older",
        "and more",
        "and over",
        "and above",
        "plus",
        "years or older",
        "years and older",
        "years and over",
        "und älter",
        "und mehr",
        "oder älter",
        "oder mehr",
        "jahre und älter",
        "jahre und mehr",
        "et plus",
        "ans et plus",
        "ou plus",
        "y más",
        "o más",
        "años y más",
    ],
    &[">=", "≥", "=>", "from", "ab", "at least", "mindestens"],
];

/// What stands before the number of a first band.
const FIRST: [&str; 8] = ["<", "under", "below", "less than", "unter", "weniger als", "moins de", "menos de"];

/// Whether a text is a last band, and the text of its bound.
pub(crate) fn band(text: &str) -> Option<(bool, &str)> {
    let text = text.trim();
    let is_mark = |mark: char| mark.is_ascii_digit() || mark.is_whitespace() || ".,'-".contains(mark);
    let is_bound =
        |bound: &str| bound.contains(|mark: char| mark.is_ascii_digit()) && bound.chars().all(is_mark);
    let before = |word: &str| {
        // A word ends at a blank; a sign may be joined to the number.
        let is_word = word.ends_with(char::is_alphabetic);
        let head = text.get(..word.len())?;
        let rest = &text[word.len()..];
        let is_apart = !is_word || rest.starts_with(' ');
        (head.to_lowercase() == word && is_apart).then(|| rest.trim_start()).filter(|bound| is_bound(bound))
    };
    let after = |word: &str| {
        let head = text.len().checked_sub(word.len()).filter(|&at| text.is_char_boundary(at))?;
        let (bound, tail) = text.split_at(head);
        let is_apart = !word.starts_with(char::is_alphabetic) || bound.ends_with(' ');
        (tail.to_lowercase() == word && is_apart).then(|| bound.trim_end()).filter(|bound| is_bound(bound))
    };
    let last =
        LAST[0].iter().find_map(|word| after(word)).or_else(|| LAST[1].iter().find_map(|word| before(word)));
    last.map(|bound| (true, bound))
        .or_else(|| FIRST.iter().find_map(|word| before(word)).map(|bound| (false, bound)))
}

/// The open bands of a column, if all its other texts are numbers, in one form in each table, and each table has at most one open
/// band on each side.
pub(crate) fn find(tables: &[Texts; 2]) -> Option<OpenBands> {
    let mut found = OpenBands::default();
    let mut numbers = 0;
    for texts in tables {
        let (bands, others): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| band(text).is_some());
        let others: BTreeSet<&str> = others.into_iter().collect();
        let forms = number_forms(&others);
        numbers += others.len();
        let form =
            *forms.first().filter(|_| !others.is_empty() || bands.is_empty()).unwrap_or(&NumberForm::POINT);
        if !others.is_empty() && forms.is_empty() {
            return None;
        }
        let mut sides = [0, 0];
        for text in bands {
            let (is_last, bound) = band(text)?;
            let bound = form.read_exact(bound)?;
            let (mark, known) = if is_last { (">=", &mut found.last) } else { ("<", &mut found.first) };
            let value = Decimal::from_str_exact(&bound).ok()?;
            if known.is_some_and(|known| known != value) {
                return None;
            }
            *known = Some(value);
            sides[usize::from(is_last)] += 1;
            found.values.insert(text.to_owned(), format!("{mark}{bound}"));
        }
        if sides.iter().any(|&texts| texts > 1) {
            return None;
        }
    }
    (numbers > 1 && !found.values.is_empty()).then_some(found)
}

impl OpenBands {
    /// Whether a number in this form is inside an open band.
    fn has(&self, text: &str, form: NumberForm) -> bool {
        let value = form.read_exact(text).and_then(|number| Decimal::from_str_exact(&number).ok());
        value.is_some_and(|value| {
            self.last.is_some_and(|last| value >= last) || self.first.is_some_and(|first| value < first)
        })
    }

    /// The form of a table's numbers, with the open bands if the table has numbers inside them.
    pub(crate) fn form(&self, texts: &Texts, form: Option<NumberForm>) -> Option<NumberForm> {
        let exact = form.unwrap_or(NumberForm::POINT);
        let has_inside = texts.iter().any(|text| self.has(text, exact));
        if has_inside { Some(exact.with_open(self.first, self.last)) } else { form }
    }

    /// The question whether these are numbers with open bands. `forms` are the forms of each table's numbers.
    pub(crate) fn question(
        &self,
        name: &str,
        (public, private): (&Column, Option<&Column>),
        forms: [Option<NumberForm>; 2],
    ) -> Ambiguity {
        let rows = |column: &Column, is_one: &dyn Fn(&str) -> bool| -> u64 {
            column.texts.iter().filter(|(text, _)| is_one(text.trim())).map(|(_, rows)| rows.count).sum()
        };
        let tables = || [("P", Some(public)), ("T", private)].into_iter().zip(forms);
        let bands = self.values.iter().map(|(text, value)| {
            let is_text = |other: &str| other == text;
            let in_tables: Vec<String> = tables()
                .filter_map(|((table, column), _)| {
                    let count = rows(column?, &is_text);
                    (count > 0).then(|| format!("{count} row(s) of {table}"))
                })
                .collect();
            format!("{text:?} ({}) is read as {value}", in_tables.join(", "))
        });
        let bands: Vec<String> = bands.collect();
        let inside: Vec<String> = tables()
            .filter_map(|((table, column), form)| {
                let form = form.unwrap_or(NumberForm::POINT);
                let count = rows(column?, &|text| self.has(text, form));
                (count > 0).then(|| format!("{count} row(s) of {table}"))
            })
            .collect();
        let also = if inside.is_empty() {
            String::new()
        } else {
            format!("; exact numbers inside it ({}) become the band, too", inside.join(", "))
        };
        let choice = |label: &str, kind| Choice {
            label: label.to_owned(),
            decision: Decision::Kind { attribute: name.to_owned(), kind },
        };
        Ambiguity {
            attribute: Some(name.to_owned()),
            what: format!("all its other values are numbers: {}, an open band{also}", bands.join(", ")),
            remedy: "if its values are texts without an order, remove `values` and `number`, and write `kind = \"category\"` and a \
                     hierarchy of texts"
                .to_owned(),
            choices: vec![
                choice("numbers with an open band", ValueKind::Number),
                choice("texts without an order", ValueKind::Category),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_bands_are_known_by_sign_or_word() {
        for text in [
            "90+",
            "90 +",
            ">=90",
            "≥ 90",
            ">= 90",
            "90 or older",
            "90 und älter",
            "90 Jahre und älter",
            "ab 90",
        ] {
            assert_eq!(band(text), Some((true, "90")), "{text}");
        }
        for text in ["<1", "< 1", "under 1", "Unter 1", "less than 1"] {
            assert_eq!(band(text), Some((false, "1")), "{text}");
        }
        for text in ["90", "C+", "abc", "overtime 5", "older", "<x", "10-19", "+", "über 90"] {
            assert_eq!(band(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_have_at_most_one_band_per_side() {
        let found = |public: &[&str], private: &[&str]| {
            let tables: [Texts; 2] = [public, private].map(|texts| texts.iter().copied().collect());
            find(&tables).map(|found| found.values.into_iter().collect::<Vec<_>>())
        };
        let pair = |text: &str, value: &str| (text.to_owned(), value.to_owned());
        assert_eq!(found(&["41", "89", "90+"], &["41"]), Some(vec![pair("90+", ">=90")]));
        assert_eq!(
            found(&["41,5", "1.000+"], &["41,5", "< 1"]),
            None,
            "beside decimals without thousands, 1.000 is no number"
        );
        assert_eq!(
            found(&["41", "≥ 90", "<1"], &["93", "90 or older"]),
            Some(vec![pair("90 or older", ">=90"), pair("<1", "<1"), pair("≥ 90", ">=90")])
        );
        assert_eq!(found(&["41", "89", "90+", "85+"], &["41"]), None);
        assert_eq!(found(&["<18", "18-40", "65+"], &["41"]), None);
        assert_eq!(found(&["41", "42"], &["41"]), None);
    }
}
