//! The patients of the chest clinic: which people of the town they are, and their diagnoses.
//!
//! The risk depends on age, quarter and work, which represent dust, smoke and damp housing. It does
//! not depend on nationality.

use super::dice::Dice;
use super::life::Person;
use super::tables::Quarter;

/// A row of T.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patient {
    /// The person's index in the town.
    pub(crate) resident: usize,
    pub(crate) diagnosis: &'static str,
}

/// Draws `count` different residents in proportion to their risk, in a random order.
pub(crate) fn draw(dice: &mut Dice, town: &[Person], count: usize) -> Vec<Patient> {
    let mut risks: Vec<u32> = town.iter().map(risk).collect();
    let mut patients: Vec<Patient> = (0..count)
        .map(|_| {
            let resident = dice.weighted_index(&risks);
            risks[resident] = 0;
            Patient { resident, diagnosis: dice.pick(&diagnoses(&town[resident])) }
        })
        .collect();
    // People at high risk were drawn early. The order of the file must not reveal this.
    dice.shuffle(&mut patients);
    patients
}

/// A person's risk to become a patient: a product of factors. Only ratios of risks matter.
fn risk(person: &Person) -> u32 {
    let age = match person.age {
        0..6 => 30,
        6..35 => 12,
        35..50 => 22,
        50..65 => 50,
        65..80 => 95,
        _ => 80,
    };
    let quarter = match person.quarter {
        Quarter::Quarry => 22,
        Quarter::Harbour => 17,
        Quarter::Station | Quarter::Estates => 11,
        Quarter::OldTown => 10,
        Quarter::Farms => 9,
        Quarter::Campus => 8,
        Quarter::Villas => 5,
    };
    let work = match person.occupation {
        "quarry worker" => 40,
        "unable to work" => 35,
        "welder" => 28,
        "dock worker" => 25,
        "builder" | "baker" => 18,
        "retired" if has_worked_in_dust(person) => 16,
        "seafarer" => 16,
        "farmer" | "cleaner" | "machine operator" => 14,
        _ => 10,
    };
    let sex = if person.sex == "male" { 12 } else { 10 };
    age * quarter * work * sex
}

/// People whose work exposed them to dust, and retired men of the quarry's streets.
fn has_worked_in_dust(person: &Person) -> bool {
    match person.occupation {
        "quarry worker" | "builder" | "welder" => true,
        "retired" => person.quarter == Quarter::Quarry && person.sex == "male",
        _ => false,
    }
}

/// The possible diagnoses of a patient, with weights for this person.
fn diagnoses(person: &Person) -> [(&'static str, u32); 8] {
    let by_age = |child: u32, adult: u32, old: u32| match person.age {
        0..18 => child,
        18..60 => adult,
        _ => old,
    };
    let damp = matches!(person.quarter, Quarter::Harbour | Quarter::Station);
    let times = |factor: u32, holds: bool| if holds { factor } else { 1 };
    let male = person.sex == "male";
    [
        ("asthma", by_age(80, 30, 8) * times(3, person.occupation == "baker")),
        ("chronic bronchitis", by_age(2, 20, 32)),
        ("emphysema", by_age(0, 6, 20) * times(2, male)),
        ("lung cancer", by_age(0, 5, 17)),
        ("pneumonia", by_age(30, 10, 16)),
        ("silicosis", by_age(0, 1, 1) * times(45, has_worked_in_dust(person))),
        ("sleep apnoea", by_age(2, 14, 7) * times(2, male)),
        ("tuberculosis", by_age(3, 5, 4) * times(4, damp)),
    ]
}
