//! Texts that are easily misread.

use crate::support::dice::Dice;

/// Labels, values and names that resemble another kind of value.
const ODD: [&str; 68] = [
    "",
    " ",
    "*",
    "**",
    "0",
    "1",
    "2",
    "01",
    "1.0",
    "-0",
    "-1",
    "+1",
    "1e3",
    "10-19",
    "0-9",
    "[1, 2]",
    "[10, 20)",
    "[",
    "]",
    "[]",
    "{a, b}",
    "{a",
    "a}",
    "{",
    "}",
    "{}",
    " except ",
    "a except {",
    "a except {b}",
    " except {}",
    "a, b",
    "a,b",
    "a;b",
    "a|b",
    ", ",
    ",",
    "\"q\"",
    "quo\"te",
    "\"",
    "\"a, b\"",
    "line\nbreak",
    "\n",
    "\r",
    "carriage\rreturn",
    "both\r\nof them",
    "\t",
    "tab\tstop",
    "a\\b",
    "é",
    "e\u{301}",
    "\u{feff}x",
    "\u{202e}x",
    "\u{a0}",
    "\u{1b}[31mred",
    "true",
    "yes",
    "null",
    "NA",
    "2024",
    "2024-02-30",
    "2024-01",
    "2024-Q1",
    "2020s",
    "<41",
    ">=65",
    "=1+1",
    "日本",
    "a b",
];

/// Words that cannot be misread.
const TAME: [&str; 16] = [
    "ash", "beech", "cedar", "elm", "fir", "hazel", "ivy", "larch", "maple", "oak", "pine", "rowan",
    "spruce", "teak", "willow", "yew",
];

/// An odd text, or two of them together.
pub(crate) fn odd(dice: &mut Dice) -> String {
    let one = (*dice.pick(&ODD)).to_owned();
    if dice.percent(15) { one + *dice.pick(&ODD) } else { one }
}

pub(crate) fn tame(dice: &mut Dice) -> String {
    (*dice.pick(&TAME)).to_owned()
}

/// An odd text with a probability of `oddness` percent, otherwise a word.
pub(crate) fn any(dice: &mut Dice, oddness: usize) -> String {
    if dice.percent(oddness) { odd(dice) } else { tame(dice) }
}

/// Texts that are all different.
pub(crate) fn distinct(
    count: usize,
    dice: &mut Dice,
    mut one: impl FnMut(&mut Dice) -> String,
) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..count * 8 {
        let text = one(dice);
        if texts.len() < count && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// A text as a TOML string, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(character)));
            }
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
