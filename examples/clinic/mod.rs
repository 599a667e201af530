//! A town of 20,000 invented people and the 800 of them who are patients of its chest clinic.
//!
//! The reading order is the order of generation: draw the town, draw the patients out of it, write both tables.

mod dice;
mod life;
mod patients;
mod tables;

use std::iter::once;
use std::path::Path;

use dice::Dice;
use life::Person;
use patients::Patient;

/// How many people live in the town: the rows of P.
pub(crate) const RESIDENTS: usize = 20_000;

/// How many of them are patients: the rows of T.
pub(crate) const PATIENTS: usize = 800;

/// The seed of everything. Another seed is another town.
const SEED: [u8; 32] = *b"palmtop: a town and its clinic 1";

/// The quasi-identifiers, in the order of [`Person::columns`].
const COLUMNS: [&str; 6] = ["zip", "age", "sex", "education", "occupation", "nationality"];

/// Draws the town and writes `public.csv` and `private.csv` into `folder`, over what is there.
pub(crate) fn write(folder: &Path) -> csv::Result<()> {
    let mut dice = Dice::new(SEED);
    let town: Vec<Person> = (0..RESIDENTS).map(|_| Person::draw(&mut dice)).collect();
    let patients = patients::draw(&mut dice, &town, PATIENTS);
    write_public(&folder.join("public.csv"), &town)?;
    write_private(&folder.join("private.csv"), &town, &patients)
}

/// P, in the order of the residents' numbers. The project does not list `resident`, so it is never read.
fn write_public(path: &Path, town: &[Person]) -> csv::Result<()> {
    let mut table = csv::Writer::from_path(path)?;
    table.write_record(once("resident").chain(COLUMNS))?;
    for (number, person) in (1..).zip(town) {
        table.write_record(once(format!("{number:05}")).chain(person.columns()))?;
    }
    Ok(table.flush()?)
}

/// T, in the order that the draw shuffled: neither it nor a patient's number tells anything about P.
fn write_private(path: &Path, town: &[Person], patients: &[Patient]) -> csv::Result<()> {
    let mut table = csv::Writer::from_path(path)?;
    table.write_record(once("patient").chain(COLUMNS).chain(once("diagnosis")))?;
    for (number, patient) in (1..).zip(patients) {
        let (name, diagnosis) = (format!("C-{number:04}"), patient.diagnosis.to_owned());
        table.write_record(once(name).chain(town[patient.resident].columns()).chain(once(diagnosis)))?;
    }
    Ok(table.flush()?)
}
