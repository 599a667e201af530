//! Values that often mean "no value": `999` far from all other ages, `-9` among numbers from 0, `k.A.`.

use rayon::prelude::*;
use rust_decimal::Decimal;

use super::words::people;
use super::{Caution, Key};
use crate::pipeline::Analysis;
use palmtop_core::model::{Code, Kind};
use palmtop_core::words::count;

/// Words for "no value" in several languages, in lower case.
const WORDS: [&str; 20] = [
    "k.a.",
    "k. a.",
    "keine angabe",
    "unbekannt",
    "n.a.",
    "n/a",
    "na",
    "not available",
    "not known",
    "not reported",
    "not stated",
    "unknown",
    "missing",
    "refused",
    "don't know",
    "weiß nicht",
    "inconnu",
    "non renseigné",
    "desconocido",
    "no data",
];

/// The note about each quasi-identifier that has such values.
pub(super) fn missing_codes(analysis: &Analysis) -> Vec<Caution> {
    let problem = analysis.problem();
    let attributes = problem.quasi().par_iter().enumerate();
    attributes
        .filter_map(|(attribute, quasi)| {
            let hierarchy = &quasi.hierarchy;
            let people = problem.leaf_counts(attribute).iter().map(|people| people.public);
            let is_value = |(code, people): &(Code, u64)| *people > 0 && hierarchy.missing() != Some(*code);
            let values = (0..).zip(people).filter(is_value);
            let texts: Vec<(&str, u64)> =
                values.map(|(code, people)| (hierarchy.leaf(code), people)).collect();
            let found = match hierarchy.kind() {
                Kind::Number => numbers(&texts),
                Kind::Category => words(&texts),
                Kind::Date => Vec::new(),
            };
            if found.is_empty() { None } else { Some(note(&quasi.name, &found)) }
        })
        .collect()
}

fn note(name: &str, found: &[(&str, u64)]) -> Caution {
    let each: Vec<String> =
        found.iter().map(|(text, people)| format!("{text:?} ({} people of P)", count(*people))).collect();
    let texts: Vec<String> = found.iter().map(|(text, _)| format!("{text:?}")).collect();
    let sentence = format!(
        "`{name}`: {} may mean that there is no value. palmtop reads it as a value like any other.",
        each.join(", ")
    );
    let remedy = format!("If it means no value, write `missing = [{}]` under `{name}`.", texts.join(", "));
    let all = found.iter().map(|(_, people)| people).sum();
    Caution::new(Key::MissingCode, sentence, remedy).with(people(all)).about(name)
}

fn words<'a>(texts: &[(&'a str, u64)]) -> Vec<(&'a str, u64)> {
    let is_word = |text: &str| WORDS.contains(&text.trim().to_lowercase().as_str());
    texts.iter().filter(|(text, _)| is_word(text)).copied().collect()
}

/// Numbers that are written as codes, and are apart from the others: a negative one, or one above a gap.
fn numbers<'a>(texts: &[(&'a str, u64)]) -> Vec<(&'a str, u64)> {
    let mut values: Vec<(Decimal, (&str, u64))> = texts
        .iter()
        .filter_map(|&(text, people)| Some((Decimal::from_str_exact(text).ok()?, (text, people))))
        .collect();
    values.sort_unstable();
    let (codes, others): (Vec<_>, Vec<_>) = values.into_iter().partition(|(_, (text, _))| is_code(text));
    let (Some((least, _)), Some((most, _)), true) = (others.first(), others.last(), others.len() > 2) else {
        return Vec::new();
    };
    let gaps = others.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let widest = gaps.max().unwrap_or_default();
    let is_apart = |value: Decimal| {
        let gap = value - most;
        let range = most - least;
        (value < Decimal::ZERO && *least >= Decimal::ZERO)
            || (gap > widest * Decimal::from(3) && gap * Decimal::TEN > range)
    };
    codes.into_iter().filter(|(value, _)| is_apart(*value)).map(|(_, text)| text).collect()
}

/// Whether a number is one digit, 7, 8 or 9, twice or more often, or such a digit behind a minus.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let least = if digits.len() < text.len() { 1 } else { 2 };
    let is_same = |digit: char| digits.chars().all(|other| other == digit);
    digits.len() >= least && (text == "-1" || ['7', '8', '9'].into_iter().any(is_same))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&'static str]) -> Vec<&'static str> {
        let texts: Vec<(&str, u64)> = texts.iter().map(|&text| (text, 2)).collect();
        numbers(&texts).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn codes_apart_from_the_other_numbers_are_found() {
        assert_eq!(found(&["18", "40", "41", "63", "999"]), ["999"]);
        assert_eq!(found(&["0", "1", "2", "-9", "-99"]), ["-99", "-9"]);
        assert_eq!(found(&["1", "2", "3", "4", "99"]), ["99"]);
        assert_eq!(found(&["95", "96", "97", "98", "99"]), [""; 0]);
        assert_eq!(found(&["-10", "-9", "-8", "3"]), [""; 0]);
        assert_eq!(found(&["18", "77", "88", "95"]), [""; 0]);
        assert_eq!(found(&["1", "2", "3", "500"]), [""; 0]);
    }

    #[test]
    fn words_for_no_value_are_found() {
        let texts = [("k.A.", 3), ("f", 1), ("Unknown ", 2), ("none", 1)];
        assert_eq!(words(&texts), [("k.A.", 3), ("Unknown ", 2)]);
    }
}
