//! A town of 20,000 invented people, 800 of whom are patients of its chest clinic.
//!
//! The modules follow the order of generation: draw the town, draw its patients, write both tables.

mod dice;
mod life;
mod patients;
mod tables;

use std::iter::once;
use std::path::Path;

use dice::Dice;
use life::Person;
use patients::Patient;

/// The number of residents, which is the number of rows of P.
pub(crate) const RESIDENTS: usize = 20_000;

/// The number of patients, which is the number of rows of T.
pub(crate) const PATIENTS: usize = 800;

/// The seed of all draws. Another seed gives another town.
const SEED: [u8; 32] = *b"palmtop: a town and its clinic 1";

/// The quasi-identifiers, in the order of [`Person::columns`].
const COLUMNS: [&str; 6] = ["zip", "age", "sex", "education", "occupation", "nationality"];

/// Draws the town and writes `public.csv` and `private.csv` into `folder`. Overwrites existing
/// files.
pub(crate) fn write(folder: &Path) -> csv::Result<()> {
    let mut dice = Dice::new(SEED);
    let town: Vec<Person> = (0..RESIDENTS).map(|_| Person::draw(&mut dice)).collect();
    let patients = patients::draw(&mut dice, &town, PATIENTS);
    write_public(&folder.join("public.csv"), &town)?;
    write_private(&folder.join("private.csv"), &town, &patients)
}

/// Writes P in the order of the residents' numbers. The project does not list `resident`, so
/// palmtop never reads it.
fn write_public(path: &Path, town: &[Person]) -> csv::Result<()> {
    let mut table = csv::Writer::from_path(path)?;
    table.write_record(once("resident").chain(COLUMNS))?;
    for (number, person) in (1..).zip(town) {
        table.write_record(once(format!("{number:05}")).chain(person.columns()))?;
    }
    Ok(table.flush()?)
}

/// Writes T in a random order. Neither the order nor a patient's number reveals anything about P.
fn write_private(path: &Path, town: &[Person], patients: &[Patient]) -> csv::Result<()> {
    let mut table = csv::Writer::from_path(path)?;
    table.write_record(once("patient").chain(COLUMNS).chain(once("diagnosis")))?;
    for (number, patient) in (1..).zip(patients) {
        let (name, diagnosis) = (format!("C-{number:04}"), patient.diagnosis.to_owned());
        table.write_record(once(name).chain(town[patient.resident].columns()).chain(once(diagnosis)))?;
    }
    Ok(table.flush()?)
}
