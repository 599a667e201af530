//! Spellings of one value: other case, lost leading zeros of codes, and usual words for the same thing.
//!
//! The map of spellings is written into the project, so it is made from P's values and from rules, never from T's values.

use std::collections::{BTreeMap, BTreeSet};

use crate::Ambiguity;
use crate::sources::survey::Column;
use crate::values::reading::Reading;
use crate::values::texts::Texts;
use palmtop_tables::written::MISSING;

/// A map with more spellings is not written into a project.
const MOST: usize = 1_000;

/// Pairs of usual words for two things, in lower case: the sexes, then yes and no.
const PAIRS: [&[[&str; 2]]; 2] = [
    &[
        ["f", "m"],
        ["female", "male"],
        ["woman", "man"],
        ["w", "m"],
        ["weiblich", "männlich"],
        ["frau", "mann"],
        ["femme", "homme"],
        ["féminin", "masculin"],
        ["mujer", "hombre"],
        ["femenino", "masculino"],
    ],
    &[
        ["y", "n"],
        ["yes", "no"],
        ["true", "false"],
        ["ja", "nein"],
        ["j", "n"],
        ["oui", "non"],
        ["sí", "no"],
        ["si", "no"],
    ],
];

/// The meaning of a word: its list in [`PAIRS`], and its position in a pair.
fn meaning(text: &str) -> Option<(usize, usize)> {
    let text = text.to_lowercase();
    let position =
        |pairs: &&[[&str; 2]]| pairs.iter().find_map(|pair| pair.iter().position(|word| *word == text));
    PAIRS.iter().enumerate().find_map(|(list, pairs)| Some((list, position(pairs)?)))
}

/// Whether texts are words for both sexes, and nothing else.
pub(crate) fn sexes<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let mut found = [false; 2];
    for text in texts {
        match meaning(text) {
            Some((0, position)) => found[position] = true,
            _ => return false,
        }
    }
    found == [true; 2]
}

/// T's words for the sexes, or for yes and no, each with the value of P that it means; empty if P has the same words.
pub(crate) fn words(public: &Column, private: &Column) -> BTreeMap<String, String> {
    let texts = |column: &Column| -> Vec<String> {
        let texts = column.texts.keys().map(|text| text.trim()).filter(|text| !MISSING.contains(text));
        texts.take(MOST).map(str::to_owned).collect()
    };
    let (public, private) = (texts(public), texts(private));
    let tables: [Texts; 2] = [&public, &private].map(|texts| texts.iter().map(String::as_str).collect());
    let chosen = tables[0].iter().map(|text| (text.to_lowercase(), *text)).collect();
    by_words(&tables, &chosen)
}

/// A conversion of a text to another case.
type Case = fn(&str) -> String;

/// The cases that tables use.
const CASES: [Case; 3] = [str::to_lowercase, str::to_uppercase, first_in_capitals];

fn first_in_capitals(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

/// Finds spellings that differ only in case, in P and between P and T, and maps them to one value.
pub(crate) fn cases(
    name: &str,
    (public, private): (&Column, Option<&Column>),
    (tables, readings): (&[Texts; 2], &mut [Reading; 2]),
    ambiguities: &mut Vec<Ambiguity>,
) {
    if tables[0].len() > MOST {
        return;
    }
    let rows = |text: &str| {
        let known = |(spelling, _): &(&String, _)| readings[0].spelled(spelling) == Some(text);
        public.texts.iter().filter(known).map(|(_, rows)| rows.count).sum::<u64>()
    };
    // The most frequent spelling of each value of P.
    let mut chosen: BTreeMap<String, &str> = BTreeMap::new();
    for &text in &tables[0] {
        let best = chosen.entry(text.to_lowercase()).or_insert(text);
        if *best != text && (rows(text), std::cmp::Reverse(text)) > (rows(best), std::cmp::Reverse(*best)) {
            *best = text;
        }
    }
    let others = tables[0].iter().filter_map(|&text| {
        let best = chosen[&text.to_lowercase()];
        (best != text).then(|| (text.to_owned(), best.to_owned()))
    });
    let of_public: BTreeMap<String, String> = others.collect();
    let means_one = |text: &str| meaning(text).is_some();
    let is_strange = |text: &&&str| {
        !tables[0].contains(**text) && (chosen.contains_key(&text.to_lowercase()) || means_one(text))
    };
    let strange: Vec<&str> = tables[1].iter().filter(is_strange).copied().collect();
    // The rules that explain T's spellings, each for every value of P, whether T has it or not.
    let explains = |case: &&Case| {
        strange.iter().any(|text| chosen.get(&text.to_lowercase()).is_some_and(|value| case(value) == **text))
    };
    let mut by_rule: BTreeMap<String, String> = BTreeMap::new();
    for case in CASES.iter().filter(explains) {
        for &value in chosen.values() {
            let written = case(value);
            if !tables[0].contains(written.as_str()) {
                by_rule.insert(written, value.to_owned());
            }
        }
    }
    let meant = by_words(tables, &chosen);
    by_rule.extend(meant);
    if of_public.is_empty() && by_rule.is_empty() {
        return;
    }
    let unexplained = strange.iter().filter(|text| !by_rule.contains_key(**text)).count();
    let rows: u64 = private.map_or(0, |private| {
        let is_one = |text: &str| strange.contains(&text);
        let explained =
            private.texts.iter().filter(|(text, _)| readings[1].spelled(text).is_some_and(is_one));
        explained.map(|(_, rows)| rows.count).sum()
    });
    let mut what = Vec::new();
    if !of_public.is_empty() {
        let pairs = of_public.iter().take(3).map(|(other, value)| format!("{other:?} and {value:?}"));
        what.push(format!(
            "P has {} value(s) in two cases ({})",
            of_public.len(),
            pairs.collect::<Vec<_>>().join(", ")
        ));
    }
    if !strange.is_empty() {
        what.push(format!("{rows} cell(s) of T have another case or another word than P"));
    }
    let mut what = what.join(", and ") + "; `values` maps them to one value";
    if unexplained > 0 {
        what.push_str(&format!(", except for {unexplained} spelling(s) of T that no rule explains"));
    }
    ambiguities.push(Ambiguity::of(
        name,
        what,
        "if they are different values, delete `values` of the attribute",
    ));
    readings[0].values.extend(of_public.clone());
    readings[1].values.extend(of_public.into_iter().chain(by_rule));
}

/// If P writes the sexes, or yes and no, with one pair of words and T with another: maps both words of T's pair to P's values, in
/// the case of T's words. Both words are written, so that the map does not show which of them T has.
fn by_words(tables: &[Texts; 2], chosen: &BTreeMap<String, &str>) -> BTreeMap<String, String> {
    let of_public: BTreeMap<(usize, usize), &str> =
        chosen.values().filter_map(|value| Some((meaning(value)?, *value))).collect();
    let words = chosen.values().filter(|value| meaning(value).is_some()).count();
    // If P has two words for one thing, they are two values.
    if of_public.len() < words {
        return BTreeMap::new();
    }
    let others: BTreeSet<&str> =
        tables[1].iter().copied().filter(|text| !chosen.contains_key(&text.to_lowercase())).collect();
    let mut written = BTreeMap::new();
    for &text in &others {
        let Some((list, _)) = meaning(text) else { continue };
        let Some(case) = CASES.iter().find(|case| case(&text.to_lowercase()) == text) else { continue };
        // Of the pairs that have the word, the first of those that explain most of T's texts.
        let explained =
            |pair: &[&str; 2]| pair.iter().filter(|word| others.contains(case(word).as_str())).count();
        let has_word = |pair: &&[&str; 2]| pair.contains(&text.to_lowercase().as_str());
        let best = PAIRS[list].iter().rev().filter(has_word).max_by_key(|pair| explained(pair));
        for (position, word) in best.into_iter().flatten().enumerate() {
            if let Some(value) = of_public.get(&(list, position)) {
                written.insert(case(word), (*value).to_owned());
            }
        }
    }
    written.retain(|word, _| !tables[0].contains(word.as_str()));
    written
}

/// Restores the lost leading zeros of codes, by the codes of P: maps each code without its zeros to the full code.
pub(crate) fn pad(
    name: &str,
    both: &Texts,
    (tables, readings): (&[Texts; 2], &mut [Reading; 2]),
    ambiguities: &mut Vec<Ambiguity>,
) {
    let are_digits = both.iter().all(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let width = both.iter().map(|text| text.len()).max().unwrap_or(0);
    if !are_digits || both.iter().all(|text| text.len() == width) {
        return;
    }
    let padded: BTreeSet<String> = tables[0].iter().map(|text| format!("{text:0>width$}")).collect();
    let without = padded.iter().filter(|text| text.starts_with('0'));
    // A code with only zeros keeps one zero.
    let stripped = |text: &String| match text.trim_start_matches('0') {
        "" => "0".to_owned(),
        stripped => stripped.to_owned(),
    };
    let map: BTreeMap<String, String> = without.map(|text| (stripped(text), text.clone())).collect();
    let short = |texts: &Texts| texts.iter().filter(|text| text.len() < width).count();
    if map.len() > MOST {
        ambiguities.push(Ambiguity::of(
            name,
            format!("codes have lost their leading zeros; P has {} such codes, too many to list", map.len()),
            "export the column as text",
        ));
        return;
    }
    let of = [short(&tables[0]), short(&tables[1])];
    ambiguities.push(Ambiguity::of(
        name,
        format!(
            "codes of {width} digits have lost leading zeros: {} distinct codes of P, {} of T; `values` restores them",
            of[0], of[1]
        ),
        "it is better to export the column as text, and to delete `values` of the attribute",
    ));
    for (reading, short) in readings.iter_mut().zip(of) {
        if short > 0 {
            reading.values.extend(map.clone());
        }
    }
}
