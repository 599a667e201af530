//! Counts and lists in words.

use palmtop_core::words::count;

/// `1 member`, `1,234 members`.
pub(super) fn members(number: u64) -> String {
    if number == 1 { "1 member".to_owned() } else { format!("{} members", count(number)) }
}

/// `1 person`, `1,234 people`.
pub(super) fn people(number: u64) -> String {
    if number == 1 { "1 person".to_owned() } else { format!("{} people", count(number)) }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// The sentence with a capital first letter.
pub(super) fn capitalized(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}
