//! A register of 4,000 people and 206 rows of patients, in the different forms of two offices. The
//! forms differ in many ways: a byte-order mark, semicolons and decimal commas; dates as
//! DD.MM.YYYY; `NA`; 39 as `39.0`; postal codes without leading zeros; `Female` and `female`. One
//! patient occurs twice. The register lacks five patients.

#[path = "../clinic/dice.rs"]
mod dice;

use std::fs;
use std::io;
use std::path::Path;

use dice::Dice;

/// The number of people in the register.
pub(crate) const PEOPLE: usize = 4_000;

/// The number of patients who are in the register.
pub(crate) const PATIENTS: usize = 200;

/// The number of patients whom the register lacks.
pub(crate) const STRANGERS: u32 = 5;

/// The year of both tables.
const YEAR: u32 = 2024;

/// The seed of all draws. Another seed gives another register.
const SEED: [u8; 32] = *b"palmtop: a register with dirt  1";

/// Postal codes with weights.
const ZIPS: [(&str, u32); 8] = [
    ("01067", 30),
    ("01069", 25),
    ("01097", 20),
    ("04103", 30),
    ("04105", 15),
    ("10115", 25),
    ("10117", 20),
    ("12043", 35),
];

const DIAGNOSES: [(&str, u32); 4] =
    [("asthma", 40), ("bronchitis", 30), ("sarcoidosis", 8), ("tuberculosis", 3)];

/// A person of the register.
#[derive(Clone, Copy)]
struct Person {
    zip: &'static str,
    day: u32,
    month: u32,
    year: u32,
    is_female: bool,
    /// In hundreds. It is unknown for some people.
    income: Option<u32>,
}

impl Person {
    fn draw(dice: &mut Dice) -> Self {
        Self {
            zip: dice.pick(&ZIPS),
            day: dice.between(1, 28),
            month: dice.between(1, 12),
            year: dice.between(1935, 2005),
            is_female: dice.chance(51, 100),
            income: (!dice.chance(4, 100)).then(|| dice.between(8, 79)),
        }
    }

    fn age(self) -> u32 {
        YEAR - self.year
    }

    fn born(self) -> String {
        let Self { day, month, year, .. } = self;
        format!("{day:02}.{month:02}.{year}")
    }

    fn income(self) -> String {
        self.income.map_or_else(|| "NA".to_owned(), |tenths| format!("{},{}", tenths / 10, tenths % 10))
    }

    /// The line of the register.
    fn of_register(self, number: usize, dice: &mut Dice) -> String {
        let sex = match (self.is_female, dice.chance(3, 100)) {
            (true, false) => "female",
            (true, true) => "Female",
            (false, _) => "male",
        };
        let (age, born, income) = (self.age(), self.born(), self.income());
        format!("{number:05};{};{born};{sex};{age};{income}\r\n", self.zip)
    }

    /// The line of the clinic. A spreadsheet changed codes to numbers and ages to decimals.
    fn of_clinic(self, name: &str, dice: &mut Dice) -> String {
        let zip = self.zip.trim_start_matches('0');
        let sex = if self.is_female { "Female" } else { "Male" };
        let blank = if dice.chance(5, 100) { " " } else { "" };
        let (age, born) = (self.age(), self.born());
        let income = self.income();
        // Sometimes the decimals have one more zero.
        let zero = if self.income.is_some() && dice.chance(10, 100) { "0" } else { "" };
        let diagnosis = dice.pick(&DIAGNOSES);
        format!("{name};{zip};{born};{sex}{blank};{age}.0;{income}{zero};{diagnosis}\r\n")
    }
}

/// Draws the register and writes `register.csv` and `patients.csv` into `folder`. Overwrites
/// existing files.
pub(crate) fn write(folder: &Path) -> io::Result<()> {
    let mut dice = Dice::new(SEED);
    let people: Vec<Person> = (0..PEOPLE).map(|_| Person::draw(&mut dice)).collect();
    let mut register = "\u{feff}resident;zip;born;sex;age;income\r\n".to_owned();
    for (number, person) in (1..).zip(&people) {
        register.push_str(&person.of_register(number, &mut dice));
    }
    fs::write(folder.join("register.csv"), register)?;

    let mut indices: Vec<usize> = (0..PEOPLE).collect();
    dice.shuffle(&mut indices);
    let mut patients: Vec<Person> = indices[..PATIENTS].iter().map(|&index| people[index]).collect();
    // These people have years of birth that the register does not contain, so they are not in it.
    patients.extend((0..STRANGERS).map(|number| Person { year: 1925 + number, ..people[number as usize] }));
    let mut order: Vec<usize> = (0..patients.len()).collect();
    dice.shuffle(&mut order);
    let mut lines: Vec<String> = Vec::new();
    for (number, &index) in (1..).zip(&order) {
        lines.push(patients[index].of_clinic(&format!("K{number:03}"), &mut dice));
    }
    // The first patient has a second row.
    lines.push(lines[0].clone());
    let header = "patient;zip;born;sex;age;income;diagnosis\r\n";
    fs::write(folder.join("patients.csv"), header.to_owned() + &lines.concat())
}
