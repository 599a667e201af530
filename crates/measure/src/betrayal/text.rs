//! Texts with common parts, such as a remark that has the age. Another example is a village whose
//! name ends in the first digits of a zip code.
//!
//! Texts are cut into words and numbers. A text leaves a value of the quasi-identifier possible in
//! two cases: the text has all words of the value, or a word of the text is a prefix of the value.
//! By chance, a row fits as often as these values occur.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::column::{Column, NO_VALUE, Quasi};
use super::evidence::{Evidence, Finding};
use super::relation::Relation;

/// The most words of a value that is searched.
const MOST_WORDS: usize = 4;
/// The most words of a text that are examined.
const MOST_TOKENS: usize = 200;
/// The most letters and digits of a text in which codes are searched at any position.
const LONGEST_TOKEN: usize = 40;
/// The lengths of codes whose prefixes are searched.
const CODE: std::ops::RangeInclusive<usize> = 4..=16;

/// The values of a quasi-identifier by their words, or by a prefix.
pub(super) struct Model {
    codes: FxHashMap<String, Vec<u32>>,
    /// The most words of a key.
    words: usize,
    /// The length of all keys, if they are searched at any position of a text, forwards and
    /// backwards.
    window: Option<usize>,
}

/// The words of each text of a column; empty for texts that no compared row has.
pub(super) struct Words(Vec<Vec<String>>);

impl Words {
    pub(super) fn of(column: &Column, sample: &[u32]) -> Self {
        let mut words = vec![Vec::new(); column.texts.len()];
        for &row in sample {
            let text = column.cells[row as usize];
            if text != NO_VALUE && words[text as usize].is_empty() {
                words[text as usize] = tokens(&column.texts[text as usize]);
            }
        }
        Self(words)
    }
}

/// The searched parts of a quasi-identifier: its words, its prefixes by length, and its codes at
/// any position.
pub(super) struct Models(Vec<(Relation, Rc<Model>)>);

impl Models {
    pub(super) fn of(quasi: &Quasi) -> Self {
        let relation = |prefix| Relation::CommonText { prefix };
        let (prefixes, within) = Model::of_codes(quasi);
        let prefixes = prefixes.into_iter().map(|(length, model)| (relation(Some(length)), model));
        let words = (relation(None), Model::of_words(quasi));
        let all =
            std::iter::once(words).chain(prefixes).chain(within.map(|model| (Relation::Embedded, model)));
        Self(all.map(|(relation, model)| (relation, Rc::new(model))).collect())
    }
}

/// The finding that a column has text of a quasi-identifier, if it does.
pub(super) fn find(
    column: &Column,
    words: &Words,
    quasi: &Quasi,
    models: &Models,
    sample: &[u32],
) -> Option<Finding<Rc<Model>>> {
    let mut frequencies = vec![0_u64; quasi.len()];
    for cell in sample.iter().map(|&row| quasi.cell(row)).filter(|&cell| cell != NO_VALUE) {
        frequencies[cell as usize] += 1;
    }
    let mut best: Option<Finding<Rc<Model>>> = None;
    for (relation, model) in &models.0 {
        let evidence = tally(model, column, words, quasi, sample, &frequencies);
        let is_better = best.as_ref().is_none_or(|best| evidence.score() < best.evidence.score());
        if evidence.speaking * 20 >= evidence.rows && evidence.is_common() && is_better {
            best = Some(Finding { relation: *relation, evidence, model: Rc::clone(model) });
        }
    }
    best
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
fn tally(
    model: &Model,
    column: &Column,
    words: &Words,
    quasi: &Quasi,
    sample: &[u32],
    frequencies: &[u64],
) -> Evidence {
    let all: u64 = frequencies.iter().sum();
    let mut known: FxHashMap<u32, Option<(Vec<u32>, u64)>> = FxHashMap::default();
    let mut spoken = vec![0_u64; quasi.len()];
    let (mut rows, mut speaking, mut hits, mut left) = (0, 0, 0, 0);
    for &row in sample {
        let (text, cell) = (column.cells[row as usize], quasi.cell(row));
        if text == NO_VALUE || cell == NO_VALUE {
            continue;
        }
        rows += 1;
        let found = known.entry(text).or_insert_with(|| {
            let codes = model.codes_in(&column.texts[text as usize], &words.0[text as usize])?;
            let people = codes.iter().map(|&code| frequencies[code as usize]).sum();
            Some((codes, people))
        });
        if let Some((codes, people)) = found {
            speaking += 1;
            spoken[cell as usize] += 1;
            left += *people;
            hits += u64::from(codes.contains(&cell));
        }
    }
    let share = left as f64 / (speaking * all).max(1) as f64;
    // If nearly all predicted rows have the same value, guessing this value is as good.
    let guess = spoken.iter().max().copied().unwrap_or(0) as f64;
    Evidence { rows, speaking, hits, chance: guess.max(share * speaking as f64), share }
}

impl Model {
    fn of_words(quasi: &Quasi) -> Self {
        let texts = quasi.column.texts.iter().zip(0..).filter(|(_, code)| Some(*code) != quasi.missing);
        Self::new(texts.filter_map(|(text, code)| {
            let words = tokens(text);
            (1..=MOST_WORDS).contains(&words.len()).then(|| (words.join(" "), code))
        }))
    }

    /// Models for values of which nearly all are codes of one length: the values by each shorter
    /// prefix, and the codes themselves. Without such codes there are no models.
    fn of_codes(quasi: &Quasi) -> (Vec<(usize, Self)>, Option<Self>) {
        let texts = quasi.column.texts.iter().zip(0..).filter(|(_, code)| Some(*code) != quasi.missing);
        let words: Vec<(Vec<String>, u32)> = texts.map(|(text, code)| (tokens(text), code)).collect();
        let length = words.first().and_then(|(words, _)| words.first()).map_or(0, String::len);
        let is_code = |words: &[String]| words.len() == 1 && words[0].len() == length && words[0].is_ascii();
        let codes = words.iter().filter(|(words, _)| is_code(words)).count();
        if !CODE.contains(&length) || codes * 10 < words.len() * 9 {
            return (Vec::new(), None);
        }
        let model = |prefix: usize| {
            let codes = words.iter().filter(|(words, _)| is_code(words));
            Self::new(codes.map(|(words, code)| (words[0][..prefix].to_owned(), *code)))
        };
        let within = Self { window: Some(length), ..model(length) };
        ((2..length).rev().map(|prefix| (prefix, model(prefix))).collect(), Some(within))
    }

    fn new(keys: impl Iterator<Item = (String, u32)>) -> Self {
        let mut codes: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        let mut words = 1;
        for (key, code) in keys {
            words = words.max(key.split(' ').count());
            codes.entry(key).or_default().push(code);
        }
        Self { codes, words, window: None }
    }

    /// The values whose words a text has; `None` if there are none.
    pub(super) fn codes(&self, text: &str) -> Option<Vec<u32>> {
        self.codes_in(text, &tokens(text))
    }

    fn codes_in(&self, text: &str, words: &[String]) -> Option<Vec<u32>> {
        let mut found: FxHashSet<u32> = FxHashSet::default();
        if let Some(length) = self.window {
            for window in windows(text, length) {
                found.extend(self.codes.get(&window).into_iter().flatten());
            }
            return sorted(found);
        }
        for length in 1..=self.words.min(words.len()) {
            for run in words.windows(length) {
                let codes =
                    if length == 1 { self.codes.get(&run[0]) } else { self.codes.get(&run.join(" ")) };
                found.extend(codes.into_iter().flatten());
            }
        }
        sorted(found)
    }
}

/// The found codes, ascending; `None` if there are none.
fn sorted(found: FxHashSet<u32>) -> Option<Vec<u32>> {
    let mut found: Vec<u32> = found.into_iter().collect();
    found.sort_unstable();
    (!found.is_empty()).then_some(found)
}

/// All runs of `length` letters and digits of a text, forwards and backwards. Empty if the text has
/// more than `LONGEST_TOKEN` letters and digits.
fn windows(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> =
        text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if characters.len() > LONGEST_TOKEN {
        return Vec::new();
    }
    let runs = characters.windows(length);
    runs.flat_map(|run| [run.iter().collect(), run.iter().rev().collect()]).collect()
}

/// The words and numbers of a text, in lower case.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = None;
    for character in text.chars() {
        let kind = (character.is_alphabetic(), character.is_numeric());
        if kind == (false, false) {
            before = None;
            continue;
        }
        if before != Some(kind) {
            if found.len() == MOST_TOKENS {
                break;
            }
            found.push(String::new());
        }
        before = Some(kind);
        if let Some(word) = found.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    found
}
