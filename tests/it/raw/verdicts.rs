//! A column that only T has is a column of P in other words or in another unit.

use std::collections::HashMap;
use std::fs;

use super::clean::{Clean, Column, Kind};
use super::form::Form;
use super::{at_most_one_in_100, cases};
use crate::support::dice::Dice;

const WORDS: [[&str; 2]; 6] =
    [["m", "f"], ["M", "F"], ["Male", "Female"], ["männlich", "weiblich"], ["m", "w"], ["homme", "femme"]];

/// For each row of T, the row of P of the same person: one with its values.
fn people(clean: &Clean) -> Vec<usize> {
    let shared: Vec<(usize, usize)> = (0..clean.private.columns.len())
        .filter_map(|column| Some((column, clean.public.find(&clean.private.columns[column].name)?)))
        .collect();
    let mut of_values: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
    for (row, texts) in clean.public.rows.iter().enumerate() {
        let values = shared.iter().map(|(_, column)| texts[*column].clone());
        of_values.entry(values.collect()).or_default().push(row);
    }
    let person = |row: &Vec<String>| {
        let values: Vec<String> = shared.iter().map(|(column, _)| row[*column].clone()).collect();
        of_values.get_mut(&values).unwrap().pop().unwrap()
    };
    clean.private.rows.iter().map(person).collect()
}

/// Adds a column to P, and one of the same people to T.
fn add(clean: &mut Clean, names: [&str; 2], kind: Kind, of_public: &[String], of_private: &[String]) {
    let people = people(clean);
    clean.public.columns.push(Column { name: names[0].to_owned(), kind: Kind::Category });
    clean.private.columns.push(Column { name: names[1].to_owned(), kind });
    for (row, text) in clean.public.rows.iter_mut().zip(of_public) {
        row.push(text.clone());
    }
    for (row, person) in clean.private.rows.iter_mut().zip(people) {
        row.push(of_private[person].clone());
    }
}

fn drawn(clean: &Clean, mut one: impl FnMut() -> [String; 2]) -> (Vec<String>, Vec<String>) {
    clean.public.rows.iter().map(|_| one()).map(|[public, private]| (public, private)).unzip()
}

#[test]
fn other_words_and_units_are_asked_and_withheld() {
    let mut failed = Vec::new();
    let mut number = 0;
    for (seed, mut dice) in cases() {
        let mut clean = Clean::draw(&mut dice);
        // Few numbers are among those of another column by chance, so they are no evidence.
        let names = if dice.percent(50) || clean.private.rows.len() < 30 {
            let (public, private) = (*dice.pick(&WORDS), *dice.pick(&WORDS));
            let (of_public, of_private) = drawn(&clean, || {
                let which = usize::from(dice.percent(45));
                [public, private].map(|words| words[which].to_owned())
            });
            let names = ["registered as", "Geschl."];
            add(&mut clean, names, Kind::Category, &of_public, &of_private);
            names
        } else {
            let (of_public, of_private) = drawn(&clean, || {
                let size = dice.within(140, 160) + dice.below(40);
                [format!("{}.{:02}", size / 100, size % 100), size.to_string()]
            });
            let names = ["size in metres", "Größe (cm)"];
            add(&mut clean, names, Kind::Category, &of_public, &of_private);
            names
        };
        number += 1;
        let pair = clean.write(Form::draw(&mut dice));
        let asked = pair.init(&[]);
        let is_it = |question: &super::pair::Question| {
            question.attribute.as_deref() == Some(names[1]) && question.text.contains(names[0])
        };
        let project = fs::read_to_string(pair.project()).unwrap_or_default();
        let line = format!("name = \"{}\"\n", names[1]);
        let section = project.split("[[attribute]]").find(|section| section.contains(&line));
        // Columns with the same words are paired, and the question says so.
        let is_safe = ["role = \"withheld\"", "public_column = \"registered as\""];
        let is_withheld = section.is_some_and(|section| is_safe.iter().any(|line| section.contains(line)));
        if !asked.questions.iter().any(is_it) || !is_withheld {
            failed.push(format!("case {seed} ({}): {asked:?}\n{section:?}", pair.public));
        }
    }
    at_most_one_in_100(&failed, number);
}

/// Columns of their own, of which neither is the other.
#[test]
fn unrelated_columns_of_both_are_asked_nothing() {
    let mut failed = Vec::new();
    let mut number = 0;
    for (seed, mut dice) in cases() {
        let mut clean = Clean::draw(&mut dice);
        let one = |dice: &mut Dice, kind: usize, table: usize| match kind {
            0 => [["yes", "no"], ["A", "B"]][table][dice.below(2)].to_owned(),
            1 => (dice.within(40, 70) + dice.below(60) + (1 - table) * 1_000).to_string(),
            2 => format!("{}.{}", dice.within(1, 9) + table * 20, dice.within(1, 9)),
            _ => [["low", "mid", "high"], ["red", "green", "blue"]][table][dice.below(3)].to_owned(),
        };
        for (nth, names) in [["note 1", "finding 1"], ["note 2", "finding 2"]].into_iter().enumerate() {
            // Columns of one kind have other values in each table: the same values are a question of their own.
            let kinds = [(nth + dice.below(4)) % 4, dice.below(4)];
            let (of_public, of_private) =
                drawn(&clean, || [one(&mut dice, kinds[0], 0), one(&mut dice, kinds[1], 1)]);
            add(&mut clean, names, Kind::Sensitive, &of_public, &of_private);
        }
        number += 1;
        let pair = clean.write(Form::draw(&mut dice));
        let asked = pair.init(&[]);
        if !asked.is_nothing() {
            failed.push(format!("case {seed} ({}): {asked:?}", pair.public));
        }
    }
    at_most_one_in_100(&failed, number);
}
