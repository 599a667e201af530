//! Which column of P a column of T is: by its name, by its name but for case and marks, or by what it holds.

use std::collections::BTreeSet;

use super::survey::{Column, Survey};
use super::words::plain;
use super::{Ambiguity, Choice, Decision, Decisions};

/// A column of T with its column in P, where it has one, and how that was found.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub(super) private: &'a Column,
    pub(super) public: Option<&'a Column>,
    pub(super) how: &'static str,
}

/// Pairs T's columns with P's, in the order of T's.
pub(super) fn pairs<'a>(
    public: &'a Survey,
    private: &'a Survey,
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let none = |private| Pair { private, public: None, how: "it is in T only" };
    for column in &private.columns {
        let said = decisions.pair(&column.name);
        let found = match said {
            Some(name) => name.and_then(|name| public.column(name)),
            None => public.column(&column.name),
        };
        let how = if said.is_some() { "as you said" } else { "both tables have it" };
        pairs.push(match found.filter(|found| taken.insert(&found.name)) {
            Some(found) => Pair { private: column, public: Some(found), how },
            None => none(column),
        });
    }
    let is_open = |pair: &Pair| pair.public.is_none() && decisions.pair(&pair.private.name).is_none();
    for pair in pairs.iter_mut().filter(|pair| is_open(pair)) {
        let is_alike = |column: &&&Column| {
            !taken.contains(column.name.as_str()) && plain(&column.name) == plain(&pair.private.name)
        };
        let alike: Vec<&Column> =
            public.columns.iter().collect::<Vec<_>>().iter().filter(is_alike).copied().collect();
        if let [only] = alike[..] {
            taken.insert(&only.name);
            (pair.public, pair.how) =
                (Some(only), "both tables have it, under names that are nearly the same");
        }
    }
    for pair in pairs.iter_mut().filter(|pair| is_open(pair)) {
        let free = public.columns.iter().filter(|column| !taken.contains(column.name.as_str()));
        let alike: Vec<&Column> = free.filter(|column| is_part(pair.private, column)).collect();
        if let [only] = alike[..] {
            taken.insert(&only.name);
            (pair.public, pair.how) = (Some(only), "a column of P holds the same values under another name");
            let (own, other) = (&pair.private.name, &only.name);
            let choice = |label: String, public| Choice {
                label,
                decision: Decision::Pair { private: own.clone(), public },
            };
            ambiguities.push(Ambiguity {
                attribute: Some(own.clone()),
                what: format!(
                    "P's column `{other}` has another name and the same values; it is taken for `{own}`"
                ),
                remedy: format!("where it is something else, make `{own}` sensitive, or delete it"),
                choices: vec![
                    choice(format!("it is P's {other}"), Some(other.clone())),
                    choice("it is in T only".to_owned(), None),
                ],
            });
        }
    }
    pairs
}

/// Whether nine of ten values of T's column are P's, and both have so many that this is no accident: at least two that are
/// words, or ten.
fn is_part(private: &Column, public: &Column) -> bool {
    let are_all = private.is_complete && public.is_complete;
    let count = private.texts.len();
    let known = private.texts.keys().filter(|text| public.texts.contains_key(*text)).count();
    let is_word = |text: &&String| text.chars().filter(|character| character.is_alphabetic()).count() > 1;
    let words = private.texts.keys().filter(is_word).filter(|text| public.texts.contains_key(*text)).count();
    // What is different in every row is no value that people share.
    let is_shared = public.texts.values().any(|rows| rows.count > 1);
    are_all && is_shared && known * 10 >= count * 9 && (words >= 2 || known >= 10)
}
