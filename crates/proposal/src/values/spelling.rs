//! Spellings of one value: other case, other characters that look alike, lost leading zeros of codes, and usual words for the same
//! thing.
//!
//! The map of spellings is written into the project, so it is made from P's values and from rules, never from T's values.

use std::collections::{BTreeMap, BTreeSet};

use crate::Ambiguity;
use crate::sources::survey::Column;
use crate::values::reading::Reading;
use crate::values::texts::Texts;
use palmtop_tables::look::{SIGNS, code_points, composed, decomposed, is_invisible, look};
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
    let text = folded(text);
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
    let chosen = tables[0].iter().map(|text| (folded(text), *text)).collect();
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

/// The text of all spellings that differ in case or in characters that look alike.
fn folded(text: &str) -> String {
    look(text).to_lowercase()
}

/// A text with both other texts, told apart by their code points if they look alike.
fn shown(one: &str, other: &str) -> [String; 2] {
    let is_alike = look(one) == look(other);
    let points = |text: &str, other: &str| format!(" ({})", code_points(text, other));
    [(one, other), (other, one)].map(|(text, other)| {
        let points = if is_alike { points(text, other) } else { String::new() };
        format!("{text:?}{points}")
    })
}

/// How a table writes the values of another one. It has no value: of T's spellings, only their rules are in the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    /// The index of the conversion in [`CASES`].
    case: Option<usize>,
    /// Whether letters are decomposed, if T has letters that can be.
    is_decomposed: Option<bool>,
    /// For each list of [`SIGNS`], the character that stands for all.
    signs: [Option<char>; SIGNS.len()],
    /// What is before each value and after it, and is not seen.
    around: [String; 2],
}

impl Rule {
    /// The rule by which a value has a spelling.
    fn of(spelling: &str, value: &str) -> Option<Self> {
        let seen = look(spelling);
        let cases = std::iter::once(None).chain((0..CASES.len()).map(Some));
        let mut cases = cases.filter(|case| look(&in_case(value, *case)) == seen);
        let core = spelling.trim_matches(is_invisible);
        let start = spelling.find(core).unwrap_or_default();
        let only = |signs: &[char]| {
            let mut used = core.chars().filter(|character| signs.contains(character));
            let first = used.next()?;
            used.all(|other| other == first).then_some(first)
        };
        let has_letters = composed(core) != decomposed(core);
        let rule = Self {
            case: cases.next()?,
            is_decomposed: has_letters.then(|| core == decomposed(core)),
            signs: SIGNS.map(only),
            around: [spelling[..start].to_owned(), spelling[start + core.len()..].to_owned()],
        };
        (rule.apply(value) == spelling).then_some(rule)
    }

    fn apply(&self, value: &str) -> String {
        let text = in_case(value.trim_matches(is_invisible), self.case);
        let text = match self.is_decomposed {
            None => text,
            Some(true) => decomposed(&text),
            Some(false) => composed(&text),
        };
        let sign = |character: char| {
            let signs = SIGNS.iter().zip(self.signs).find(|(signs, _)| signs.contains(&character));
            signs.and_then(|(_, sign)| sign).unwrap_or(character)
        };
        let text: String = text.chars().map(sign).collect();
        format!("{}{text}{}", self.around[0], self.around[1])
    }
}

fn in_case(text: &str, case: Option<usize>) -> String {
    case.map_or_else(|| text.to_owned(), |case| CASES[case](text))
}

/// Finds spellings that differ only in case or in characters that look alike, in P and between P and T, and maps them to one value.
pub(crate) fn cases(
    name: &str,
    (public, private): (&Column, Option<&Column>),
    (tables, readings): (&[Texts; 2], &mut [Reading; 2]),
    ambiguities: &mut Vec<Ambiguity>,
) {
    let rows = |text: &str| {
        let known = |(spelling, _): &(&String, _)| readings[0].spelled(spelling) == Some(text);
        public.texts.iter().filter(known).map(|(_, rows)| rows.count).sum::<u64>()
    };
    let are_many = tables[0].len() > MOST;
    // The most frequent spelling of each value of P.
    let mut chosen: BTreeMap<String, &str> = BTreeMap::new();
    for &text in &tables[0] {
        let best = chosen.entry(folded(text)).or_insert(text);
        let is_better =
            |best: &str| (rows(text), std::cmp::Reverse(text)) > (rows(best), std::cmp::Reverse(best));
        if !are_many && *best != text && is_better(best) {
            *best = text;
        }
    }
    let others = tables[0].iter().filter_map(|&text| {
        let best = chosen[&folded(text)];
        (best != text).then(|| (text.to_owned(), best.to_owned()))
    });
    let of_public: BTreeMap<String, String> = others.collect();
    let is_strange = |text: &&&str| {
        !tables[0].contains(**text) && (chosen.contains_key(&folded(text)) || meaning(text).is_some())
    };
    let strange: BTreeSet<&str> = tables[1].iter().filter(is_strange).copied().collect();
    if are_many {
        ambiguities.extend(too_many(name, &strange, &chosen));
        return;
    }
    // The rules that explain T's spellings, each for every value of P, whether T has it or not.
    let rules: BTreeSet<Rule> =
        strange.iter().filter_map(|text| Rule::of(text, chosen.get(&folded(text))?)).collect();
    let mut by_rule: BTreeMap<String, String> = BTreeMap::new();
    for rule in &rules {
        let written = chosen.values().map(|&value| (rule.apply(value), value.to_owned()));
        by_rule.extend(written.filter(|(written, _)| !tables[0].contains(written.as_str())));
    }
    let alike = by_rule.iter().find(|(spelling, value)| look(spelling) == look(value));
    let alike = alike.map(|(spelling, value)| {
        [(spelling, value), (value, spelling)].map(|(one, other)| code_points(one, other))
    });
    by_rule.extend(by_words(tables, &chosen));
    if of_public.is_empty() && by_rule.is_empty() {
        return;
    }
    let unexplained = strange.iter().filter(|text| !by_rule.contains_key(**text)).count();
    let rows: u64 = private.map_or(0, |private| {
        let is_strange = |text: &str| readings[1].spelled(text).is_some_and(|text| strange.contains(text));
        private.texts.iter().filter(|(text, _)| is_strange(text)).map(|(_, rows)| rows.count).sum()
    });
    let mut what = Vec::new();
    if !of_public.is_empty() {
        let pairs = of_public.iter().take(3).map(|(other, value)| shown(other, value).join(" and "));
        what.push(format!(
            "P has {} value(s) in two spellings ({})",
            of_public.len(),
            pairs.collect::<Vec<_>>().join(", ")
        ));
    }
    if !strange.is_empty() {
        let points = alike
            .map(|[of_private, of_public]| format!("other code points ({of_private} for {of_public}), "));
        let points = points.unwrap_or_default();
        what.push(format!("{rows} cell(s) of T have {points}another case or another word than P"));
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

/// The note on spellings that look like P's values, if P has too many values to list them.
fn too_many(name: &str, strange: &BTreeSet<&str>, chosen: &BTreeMap<String, &str>) -> Option<Ambiguity> {
    let is_alike = |text: &&&str| chosen.get(&folded(text)).is_some_and(|value| look(value) == look(text));
    let count = strange.iter().filter(is_alike).count();
    (count > 0).then(|| {
        Ambiguity::of(
            name,
            format!("{count} value(s) of T look like values of P, but have other code points; P has too many values to list them"),
            "write both tables with the same characters, for instance with `uconv -x nfc`",
        )
    })
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
        tables[1].iter().copied().filter(|text| !chosen.contains_key(&folded(text))).collect();
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
