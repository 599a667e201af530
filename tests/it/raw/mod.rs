//! Raw tables: random clean tables T ⊆ P of many shapes, and the same with one fault put in.
//!
//! palmtop asks about each fault and names its line or text; about clean tables it asks nothing.
//! Each file `PART.rs` puts in faults of one kind: it draws a [`Clean`](clean::Clean) for each of
//! [`cases`], changes its rows or the bytes of a file, and looks at what
//! [`Pair::init`](pair::Pair::init) asks. 20 cases of each kind are drawn by default;
//! `PALMTOP_RAW=500 cargo test --test it raw::` draws that many, and `PALMTOP_RAW_SEED=N` only case N.

mod clean;
mod dates;
mod encodings;
mod files;
mod form;
mod numbers;
mod pair;
mod people;
mod rows;
mod texts;
mod trouble;
mod verdicts;

use crate::support::dice::Dice;

/// The dice of each case, with its number.
pub(crate) fn cases() -> impl Iterator<Item = (u64, Dice)> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seeds = match number("PALMTOP_RAW_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("PALMTOP_RAW").unwrap_or(20),
    };
    seeds.map(|seed| (seed, Dice::new(seed)))
}

/// Checks that at most 1 in 100 cases failed (none of up to 99), and shows those that did.
#[track_caller]
pub(crate) fn at_most_one_in_100(failed: &[String], cases: usize) {
    assert!(failed.len() <= cases / 100, "{} of {cases}:\n{}", failed.len(), failed.join("\n"));
}

// holds: Doubtful rows are questions
#[test]
fn clean_tables_are_asked_nothing() {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        let clean = clean::Clean::draw(&mut dice);
        let pair = clean.write(form::Form::draw(&mut dice));
        let asked = pair.init(&[]);
        drawn += 1;
        if !asked.is_nothing() {
            failed.push(format!("case {seed} ({}): {asked:?}", pair.public));
        }
    }
    at_most_one_in_100(&failed, drawn);
}
