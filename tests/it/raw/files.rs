//! Files of P: in several parts, and with rows that T or another part has too.

use std::fs;

use super::clean::{Clean, Table};
use super::form::Form;
use super::pair::Pair;
use crate::support::dice::Dice;

/// A part of a table.
fn part(table: &Table, rows: Vec<Vec<String>>) -> Table {
    Table { columns: table.columns.clone(), rows }
}

/// The rows of P that are T's people.
fn members(clean: &Clean) -> Vec<Vec<String>> {
    let Clean { public, private } = clean;
    let shared: Vec<(usize, usize)> = (0..public.columns.len())
        .filter_map(|column| Some((column, private.find(&public.columns[column].name)?)))
        .collect();
    let mut is_free = vec![true; public.rows.len()];
    let person = |row: &Vec<String>| {
        let is_same = |other: &Vec<String>| shared.iter().all(|&(left, right)| other[left] == row[right]);
        let found =
            (0..public.rows.len()).find(|&index| is_free[index] && is_same(&public.rows[index])).unwrap();
        is_free[found] = false;
        public.rows[found].clone()
    };
    private.rows.iter().map(person).collect()
}

/// Writes P and T, and another file of P with these rows, in any order.
fn with_rows(clean: &Clean, mut rows: Vec<Vec<String>>, dice: &mut Dice) -> (Pair, String) {
    let pair = clean.write(Form::draw(dice));
    dice.shuffle(&mut rows);
    let form = Form::draw(dice);
    let name = format!("more.{}", form.ending());
    fs::write(pair.folder().join(&name), form.write(&part(&clean.public, rows))).unwrap();
    (pair, name)
}

#[test]
fn a_public_file_repeating_rows_is_named() {
    let mut failed = Vec::new();
    let mut drawn = 0;
    for (seed, mut dice) in super::cases() {
        let clean = Clean::draw(&mut dice);
        let rows = if seed % 2 == 0 { members(&clean) } else { clean.public.rows.clone() };
        let (pair, name) = with_rows(&clean, rows, &mut dice);
        let asked = pair.init(&["--public", &name]);
        drawn += 1;
        let is_named = asked.status != 0
            && (asked.names(&[&name, "in another form"]) || asked.names(&[&name, "same content"]));
        if !is_named {
            failed.push(format!("case {seed} ({}, {name}): {asked:?}", pair.public));
        }
    }
    super::at_most_one_in_100(&failed, drawn);
}

#[test]
fn two_clean_files_of_p_raise_no_question() {
    let mut failed = Vec::new();
    let mut drawn = 0;
    for (seed, mut dice) in super::cases() {
        let mut clean = Clean::draw(&mut dice);
        // Often in halves, which have equally many rows.
        let all = clean.public.rows.len();
        let cut = if dice.percent(50) { all / 2 } else { dice.within(1, all - 1) };
        let rows = clean.public.rows.split_off(cut);
        let (pair, name) = with_rows(&clean, rows, &mut dice);
        let asked = pair.init(&["--public", &name]);
        drawn += 1;
        if !asked.refusal.is_empty() {
            failed.push(format!("case {seed} ({}, {name}): {asked:?}", pair.public));
        }
    }
    super::at_most_one_in_100(&failed, drawn);
}
