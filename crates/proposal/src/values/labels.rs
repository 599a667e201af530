//! Values that read like labels of a release: `*`, `[x]`, `{x}` and `x except {y}`. `check` refuses them, so the project reads them
//! as missing values, or spells them otherwise.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::survey::Column;
use crate::values::reading::{Reading, mapping};
use crate::{Ambiguity, Choice, Decision, Decisions};
use palmtop_core::model::hierarchy::reads_as_side;
use palmtop_tables::arx::readable;
use palmtop_tables::literal::toml_string;

/// More such texts are not taken for marks of a missing value.
const MARKS: usize = 3;

/// Reads such values of both tables, and asks how unless it was decided.
pub(crate) fn settle(
    name: &str,
    (public, private): (&Column, Option<&Column>),
    (of_public, of_private): (&mut Reading, &mut Reading),
    decisions: &Decisions,
    ambiguities: &mut Vec<Ambiguity>,
) {
    let texts = |column: &Column, reading: &Reading| -> BTreeSet<String> {
        column.texts.keys().filter_map(|text| reading.spelled(text)).map(str::to_owned).collect()
    };
    let all =
        [texts(public, of_public), private.map_or_else(BTreeSet::new, |column| texts(column, of_private))];
    // A column that has only `*` has one value, which is its top label.
    let is_like = |text: &&String| (*text == "*" && all[0].len() > 1) || reads_as_side(text).is_some();
    let [public, private] = [&all[0], &all[1]].map(|texts| texts.iter().filter(is_like).collect::<Vec<_>>());
    let found: BTreeSet<&String> = public.iter().chain(&private).copied().collect();
    if found.is_empty() {
        return;
    }
    let are_marks =
        found.len() <= MARKS && found.iter().all(|text| is_mark(text)) && found.len() < all[0].len();
    let decided = decisions.last(|decision| match decision {
        Decision::Missing { attribute, texts } if attribute == name => {
            found.iter().all(|text| texts.contains(text)).then_some(true)
        }
        Decision::Respell { attribute } if attribute == name => Some(false),
        _ => None,
    });
    let are_missing = decided.unwrap_or(are_marks);
    let known: BTreeSet<&String> = all.iter().flatten().collect();
    let spellings: BTreeMap<String, String> =
        public.iter().map(|text| ((*text).clone(), spelled_otherwise(text, &known))).collect();
    if are_missing {
        of_public.missing.extend(public.into_iter().cloned());
        of_private.missing.extend(private.into_iter().cloned());
    } else {
        of_public.values.extend(spellings.clone());
        // A spelling that only T has would show a value of T.
        of_private.missing.extend(private.into_iter().filter(|text| !spellings.contains_key(*text)).cloned());
        of_private.values.extend(spellings.clone());
    }
    if decided.is_none() {
        let texts: Vec<String> = found.into_iter().cloned().collect();
        ambiguities.push(question(name, texts, &mapping(&spellings), are_missing));
    }
}

/// Whether a text is a mark of no value rather than a band or a set: `*`, or words in brackets.
fn is_mark(text: &str) -> bool {
    text.chars().all(|character| !character.is_numeric() && character != ',') && !text.contains(" except ")
}

/// A spelling that no label of a release has, and no other value of the column.
fn spelled_otherwise(text: &str, known: &BTreeSet<&String>) -> String {
    let mut spelling = readable(text).trim().to_owned();
    while spelling.is_empty()
        || spelling == "*"
        || reads_as_side(&spelling).is_some()
        || known.contains(&spelling)
    {
        spelling = format!("({spelling})");
    }
    spelling
}

fn question(name: &str, texts: Vec<String>, spellings: &str, are_missing: bool) -> Ambiguity {
    let shown: Vec<String> = texts.iter().take(MARKS).map(|text| format!("{text:?}")).collect();
    let more = texts.len() - shown.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let read = if texts.len() == 1 { "reads like a label" } else { "read like labels" };
    let taken = if are_missing { "read as a missing value" } else { "written otherwise" };
    let first = toml_string(&texts[0]);
    let remedy = if are_missing {
        format!("if it is a value, remove it from `missing` and write `values = {{ {first} = \"…\" }}`")
    } else {
        format!("if it means a missing value, remove it from `values` and write `missing = [{first}]`")
    };
    let missing = Choice {
        label: format!("{} a missing value", if texts.len() == 1 { "it means" } else { "they mean" }),
        decision: Decision::Missing { attribute: name.to_owned(), texts },
    };
    let label = if spellings.is_empty() { "P has no such value" } else { spellings };
    let value = Choice {
        label: format!("a value, written otherwise: {label}"),
        decision: Decision::Respell { attribute: name.to_owned() },
    };
    Ambiguity {
        attribute: Some(name.to_owned()),
        what: format!("{}{more} {read} of a release, and {taken}", shown.join(", ")),
        remedy,
        choices: if are_missing { vec![missing, value] } else { vec![value, missing] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_is_no_label_and_is_new() {
        let known = ["x".to_owned(), "(x)".to_owned()];
        let known: BTreeSet<&String> = known.iter().collect();
        for (text, spelling) in [
            ("[30, 39]", "30 to 39"),
            ("[x]", "((x))"),
            ("{a, b}", "a, b"),
            ("y except {z}", "y except z"),
            ("*", "(*)"),
            ("[]", "()"),
            ("[[y]]", "([y])"),
        ] {
            assert_eq!(spelled_otherwise(text, &known), spelling, "{text}");
        }
    }
}
