//! Rows that repeat a person are put into P, T or both. palmtop asks what they are, names the column
//! and the rows, and counts by the answer as many people as there are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use palmtop::verify::{OtherDelta, VerifySpec, verify};

use super::at_most_one_in_100;
use super::cases;
use super::clean::{Clean, Column, Kind, Table};
use super::form::Form;
use super::pair::Pair;
use crate::support::dice::Dice;
use crate::support::palmtop;

/// Tables in which rows repeat an identifier.
struct Repeated {
    clean: Clean,
    /// The column of the identifier.
    name: &'static str,
    in_private: bool,
    /// Whether the rows of some person differ.
    differs: bool,
}

/// The column by which the first row of a person counts.
const ORDER: &str = "visit";

impl Repeated {
    fn draw(dice: &mut Dice) -> Self {
        let mut clean = Clean::draw(dice);
        for table in [&mut clean.public, &mut clean.private] {
            while let Some(column) = table.of_kind(|kind| kind == Kind::Identifier).first().copied() {
                table.columns.remove(column);
                table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
            }
        }
        let name = *dice.pick(&["person", "patient_id", "PersonID", "ssn"]);
        let differs = dice.percent(50);
        let in_private = dice.percent(60);
        let what = if in_private { dice.below(3) } else { 0 };
        let owners = owners(&clean);
        if differs {
            // The first visit of each person, in both tables the same.
            let day = |person: usize| format!("2023-{:02}-{:02}", person % 12 + 1, person % 28 + 1);
            let people = clean.public.rows.len();
            put(&mut clean.public, ORDER, Kind::Date, day, people);
            // T needs no visits if it has one row of each person.
            if what != 0 || !in_private || dice.percent(50) {
                put(&mut clean.private, ORDER, Kind::Date, |row| day(owners[row]), owners.len());
            }
        }
        let text = |person: usize| format!("N{}", 20_011 + person * 17);
        let people = clean.public.rows.len();
        put(&mut clean.public, name, Kind::Identifier, text, people);
        if in_private {
            put(&mut clean.private, name, Kind::Identifier, |row| text(owners[row]), owners.len());
        }
        if what != 1 {
            again(&mut clean.public, (name, true), differs, dice);
        }
        if what != 0 {
            again(&mut clean.private, (name, false), differs, dice);
        }
        Self { clean, name, in_private, differs }
    }

    /// The first rows that repeat an identifier, as a message names them.
    fn named(&self, table: &Table) -> Option<String> {
        let column = table.find(self.name)?;
        let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (nth, row) in table.rows.iter().enumerate().filter(|(_, row)| !row[column].is_empty()) {
            rows.entry(&row[column]).or_default().push(nth);
        }
        let first = rows.values().filter(|rows| rows.len() > 1).min()?;
        let both = [&self.clean.public, &self.clean.private];
        let is_shared = |name: &str| both.iter().all(|table| table.find(name).is_some());
        let shared: Vec<usize> =
            (0..table.columns.len()).filter(|&nth| is_shared(&table.columns[nth].name)).collect();
        let differs = |one: usize, other: usize| {
            shared.iter().any(|&column| table.rows[one][column] != table.rows[other][column])
        };
        let other = first[1..].iter().find(|&&other| differs(other, first[0]));
        let word = if other.is_some() { "differ" } else { "agree" };
        Some(format!("rows {} and {} {word}", first[0] + 1, other.unwrap_or(&first[1]) + 1))
    }

    /// The people of a table, each counted once.
    fn people(&self, table: &Table) -> u64 {
        let Some(column) = table.find(self.name) else { return table.rows.len() as u64 };
        let known: BTreeSet<&String> =
            table.rows.iter().map(|row| &row[column]).filter(|text| !text.is_empty()).collect();
        let unknown = table.rows.iter().filter(|row| row[column].is_empty()).count();
        (known.len() + unknown) as u64
    }

    /// Writes an answer into the project.
    fn answer(&self, pair: &Pair, answer: &str) {
        if self.in_private {
            let name = format!("name = \"{}\"\n", self.name);
            pair.edit(&name, &format!("{name}{answer}\n"));
        } else {
            let line = format!("[public]\nperson = {{ column = \"{}\", {answer} }}\n", self.name);
            pair.edit("[public]\n", &line);
        }
    }
}

/// For each row of T the row of P with its values, another one for each.
fn owners(clean: &Clean) -> Vec<usize> {
    let width = clean.public.columns.len();
    let mut free: Vec<usize> = (0..clean.public.rows.len()).collect();
    let mut owner = |row: &Vec<String>| {
        let nth = free.iter().position(|&person| clean.public.rows[person] == row[..width]).unwrap();
        free.swap_remove(nth)
    };
    clean.private.rows.iter().map(&mut owner).collect()
}

/// Puts a column before the others.
fn put(table: &mut Table, name: &str, kind: Kind, text: impl Fn(usize) -> String, rows: usize) {
    table.columns.insert(0, Column { name: name.to_owned(), kind });
    (0..rows).for_each(|row| table.rows[row].insert(0, text(row)));
}

/// Repeats rows of few or many people, anywhere in the table.
fn again(table: &mut Table, (name, is_public): (&str, bool), differs: bool, dice: &mut Dice) {
    let people = table.rows.len();
    let many = if dice.percent(50) { dice.within(2, 5) } else { people / 3 + 2 };
    let (id, order) = (table.find(name).unwrap(), table.find(ORDER));
    for _ in 0..many {
        let mut row = table.rows[dice.below(people)].clone();
        if differs && let Some(order) = order {
            row[order] = format!("2024-{:02}-{:02}", dice.within(1, 12), dice.within(1, 28));
        }
        if is_public && dice.percent(3) {
            // No identifier: another person.
            row[id] = String::new();
        }
        let at = dice.within(people.min(table.rows.len()), table.rows.len());
        table.rows.insert(at, row);
    }
}

// holds: Nobody counts twice
#[test]
fn repeated_people_are_asked_and_counted_once() {
    let (mut failed, mut drawn) = (Vec::new(), 0);
    for (seed, mut dice) in cases() {
        let repeated = Repeated::draw(&mut dice);
        let (public, private) = (&repeated.clean.public, &repeated.clean.private);
        let named: Vec<String> =
            [public, private].into_iter().filter_map(|table| repeated.named(table)).collect();
        if named.is_empty() {
            continue;
        }
        drawn += 1;
        let pair = repeated.clean.write(Form::draw(&mut dice));
        let mut fail = |what: String| failed.push(format!("case {seed} ({}): {what}", pair.public));
        let asked = pair.init(&[]);
        for rows in &named {
            if !asked.names(&[repeated.name, rows]) {
                fail(format!("{rows}: {asked:?}"));
            }
        }
        // The verifier asks by itself.
        let one = Some("1".parse().unwrap());
        let spec = VerifySpec::of_project(&pair.project(), OtherDelta { min: None, max: one }).unwrap();
        let other = pair.folder().join("other.csv");
        fs::write(&other, "x\n1\n").unwrap();
        let refusal = verify(&spec, &other).map_or_else(|error| error.to_string(), |_| String::new());
        if !refusal.contains(repeated.name) || !refusal.contains("is here again") {
            fail(format!("the verifier: {refusal}"));
        }
        let answer = match (repeated.differs, dice.percent(70)) {
            (false, true) => "distinct = true".to_owned(),
            (true, true) => format!("first_by = \"{ORDER}\""),
            (_, false) => "repeats = \"couples share this number\"".to_owned(),
        };
        let is_one_each = !answer.starts_with("repeats");
        repeated.answer(&pair, &answer);
        let expected = if is_one_each {
            (repeated.people(public), repeated.people(private))
        } else {
            (public.rows.len() as u64, private.rows.len() as u64)
        };
        if !is_one_each && repeated.named(private).is_some() {
            // P lacks rows that only T has.
            continue;
        }
        let is_quasi =
            |column: &&Column| column.name != repeated.name && private.find(&column.name).is_some();
        let quasi = public.columns.iter().filter(is_quasi).count();
        let node = vec!["0"; quasi].join(",");
        let accepted =
            ["certain", "looser_delta"].map(|key| format!("{key}=The tables of this test are random"));
        let accepted = ["--accept", &accepted[0], "--accept", &accepted[1]];
        let release = ["anonymize", "project.toml", "--node", &node, "--delta-max", "1", "-o", "out.csv"];
        let made = pair.run(&[&release[..], &accepted].concat());
        let verified = palmtop(
            pair.folder(),
            ["verify", "project.toml", "out.csv", "--delta-max", "1", "--format", "json"],
        );
        if !verified.out.starts_with('{') {
            fail(format!("{answer}: {made:?}, {}", verified.err));
            continue;
        }
        let found = verified.json();
        if (found["public"].as_u64(), found["private"].as_u64()) != (Some(expected.0), Some(expected.1)) {
            fail(format!("{answer}: {} of {}, expected {expected:?}", found["private"], found["public"]));
        }
    }
    assert!(drawn > 0);
    at_most_one_in_100(&failed, drawn);
}
