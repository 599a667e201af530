//! Who is a person: rows that repeat an identifier are refused, or left out where the project counts one row of each person.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::count::{Counting, Stop};
use super::hashes::Hashes;
use super::settings::Repeated;
use crate::problems::VerifyError;
use crate::read::{Batch, Location, Table};
use crate::values::{Number, Spelling, TableNotation};

/// A column that the rows of a person are compared by, and the notation of its values. Texts without one are compared as they are.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) column: usize,
    pub(crate) notation: Option<(Spelling, TableNotation)>,
}

/// A column of identifiers.
#[derive(Clone, Debug)]
pub(crate) struct Identifier {
    pub(crate) column: usize,
    pub(crate) compared: Vec<Compared>,
    /// The texts that are no identifier, besides blank ones.
    pub(crate) missing: Vec<String>,
}

impl Identifier {
    pub(crate) fn has(&self, text: &str) -> bool {
        !text.chars().all(char::is_whitespace) && self.missing.iter().all(|missing| missing != text)
    }
}

/// A row of a person with several rows.
struct Row {
    /// The index of the row in the table, from 0.
    index: u64,
    location: Location,
    /// A hash of the compared values.
    values: (u64, u64),
    /// Its place by the column of `first_by`; `None` for a blank text.
    place: Option<Place>,
}

/// Numbers come before days.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(Number),
    Day(String),
}

impl Place {
    fn read(text: &str) -> Option<Self> {
        if let Some(number) = Number::read(text) {
            return Some(Self::Number(number));
        }
        let bytes = text.as_bytes();
        let is_day = bytes.len() >= 10
            && (0..10).all(|nth| match nth {
                4 | 7 => bytes[nth] == b'-',
                _ => bytes[nth].is_ascii_digit(),
            });
        let is_time = match bytes.get(10..) {
            None => false,
            Some([]) => true,
            Some([mark, time @ ..]) => {
                matches!(mark, b'T' | b' ')
                    && !time.is_empty()
                    && time.iter().all(|byte| matches!(byte, b'0'..=b'9' | b':' | b'.'))
            }
        };
        (is_day && is_time).then(|| Self::Day(text.to_owned()))
    }
}

/// Collects the rows of the identifiers that several rows have, each with all its rows in the order of the table.
fn rows_of(
    table: &Table,
    identifier: &Identifier,
    is_repeated: &dyn Fn(&str) -> bool,
    order: Option<usize>,
) -> Result<BTreeMap<String, Vec<Row>>, VerifyError> {
    let mut columns = vec![identifier.column];
    columns.extend(identifier.compared.iter().map(|compared| compared.column));
    columns.extend(order);
    let hashers = [RandomState::new(), RandomState::new()];
    let mut people: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let mut index = 0;
    table.visit(&columns, &mut |location, texts| {
        index += 1;
        let (name, rest) = (texts[0], &texts[1..]);
        if !identifier.has(name) || !is_repeated(name) {
            return Ok(());
        }
        let value = |(compared, text): (&Compared, &&str)| match &compared.notation {
            Some((spelling, notation)) if !spelling.is_plain(notation) => {
                spelling.value(notation, text).unwrap_or_else(|_| (*text).to_owned())
            }
            _ => (*text).to_owned(),
        };
        let values: Vec<String> = identifier.compared.iter().zip(rest).map(value).collect();
        let place = match order {
            Some(column) => {
                let text = rest[values.len()].trim();
                let place = Place::read(text);
                if place.is_none() && !text.is_empty() {
                    let problem = format!("`{text}` is neither a number nor a day such as 2024-01-31");
                    return Err(table
                        .error_at(location, &table.columns[column], &problem)
                        .remedy("name another column in `first_by`")
                        .into());
                }
                place
            }
            None => None,
        };
        let values = (hashers[0].hash_one(&values), hashers[1].hash_one(&values));
        people.entry(name.to_owned()).or_default().push(Row { index: index - 1, location, values, place });
        Ok(())
    })?;
    people.retain(|_, rows| rows.len() > 1);
    Ok(people)
}

/// Which row of a person counts, in one table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OneRow {
    /// Any of those that agree.
    Distinct,
    /// The first by this column.
    FirstBy(usize),
    /// The only one: the table lacks the column of `first_by`.
    Only,
}

/// The indices of the rows that are left out, because another row of their person counts.
pub(crate) fn left_out(
    table: &Table,
    identifier: &Identifier,
    one_row: OneRow,
    stop: &Stop,
) -> Result<FxHashSet<u64>, VerifyError> {
    let order = match one_row {
        OneRow::FirstBy(column) => Some(column),
        OneRow::Distinct | OneRow::Only => None,
    };
    let mut watched = Watched::new(identifier.clone(), true);
    table.visit_batches(&[identifier.column], stop, &mut |batches| {
        watched.look(batches, 0, &vec![Counting::All; batches.len()]);
        Ok(())
    })?;
    let hashes = &mut watched.hashes;
    hashes.close();
    let mut left_out = FxHashSet::default();
    if !hashes.has_repeated() {
        return Ok(left_out);
    }
    let is_repeated = |text: &str| hashes.is_repeated(FxBuildHasher.hash_one(text));
    let mut wrong: Vec<&[Row]> = Vec::new();
    let mut people: Vec<Vec<Row>> = rows_of(table, identifier, &is_repeated, order)?.into_values().collect();
    for rows in &mut people {
        // A row without a place comes after those with one.
        rows.sort_by(|one, other| {
            let key = |row: &Row| (row.place.is_none(), row.index);
            one.place
                .is_none()
                .cmp(&other.place.is_none())
                .then_with(|| one.place.cmp(&other.place))
                .then(key(one).cmp(&key(other)))
        });
        left_out.extend(rows[1..].iter().map(|row| row.index));
    }
    for rows in &people {
        let first = &rows[0];
        let is_tied = |row: &&Row| order.is_none() || row.place == first.place;
        let is_only = matches!(one_row, OneRow::Only);
        if is_only || rows.iter().filter(is_tied).any(|row| row.values != first.values) {
            wrong.push(rows);
        }
    }
    let Some(rows) = wrong.first() else { return Ok(left_out) };
    let mut others = rows.iter().skip(1);
    let other = match one_row {
        OneRow::Only => others.next(),
        OneRow::Distinct | OneRow::FirstBy(_) => others.find(|row| row.values != rows[0].values),
    };
    let other = other.unwrap_or(&rows[0]);
    let (differs, remedy) = match one_row {
        OneRow::Distinct => (
            "differs in a value that the rows of one person must share",
            "`distinct` counts rows once that agree; correct them, or use `first_by` or `role = \"entity\"`",
        ),
        OneRow::FirstBy(_) => (
            "differs in a value that the rows of one person must share",
            "several rows come first by the column of `first_by`; correct them, or use another column",
        ),
        OneRow::Only => (
            "the table lacks the column of `first_by`",
            "add the column, or leave all rows of a person out but one",
        ),
    };
    let problem = format!(
        "the row has the identifier of {}, but {differs} ({} such)",
        rows[0].location.position,
        palmtop_terms::words::plural(wrong.len() as u64, "identifier")
    );
    Err(table.error_at(other.location, &table.columns[identifier.column], &problem).remedy(remedy).into())
}

/// An identifier that nobody may share, while the rows are read.
pub(crate) struct Watched {
    identifier: Identifier,
    /// Whether the project has the column as an identifier. Any other column only may say who is a person.
    is_identifier: bool,
    hashes: Hashes,
    rows: u64,
    /// A row that counts for several people who share an identifier.
    crowd: Option<Location>,
}

/// The fewest rows in which values that are nearly all different are evidence.
const ROWS: u64 = 30;
/// The words of a column's name that say who a person is.
const PERSON: &str = "patient person participant subject resident ssn mrn pid cpf nhs personid patientid \
                      userid memberid customerid recordid caseid participantid subjectid";
/// The words of a column's name that say that it has identifiers, of people if no other word says of what.
const ID: &str = "id ids identifier uuid guid";
/// The words of a column's name that say what several people share.
const GROUP: &str = "household family house address building hospital clinic ward site center centre region district county state \
                     city municipality school class group team type status code";

impl Watched {
    pub(crate) fn new(identifier: Identifier, is_identifier: bool) -> Self {
        Self { identifier, is_identifier, hashes: Hashes::default(), rows: 0, crowd: None }
    }

    pub(crate) fn column(&self) -> usize {
        self.identifier.column
    }

    /// Looks at the counted rows of some batches, whose `part` has the column.
    pub(crate) fn look(&mut self, batches: &[Batch], part: usize, counted: &[Counting]) {
        let identifier = &self.identifier;
        let look = |(batch, counted): (&Batch, &Counting)| {
            let cells = batch.column(part);
            let hashes = cells.map(|text| identifier.has(text).then(|| FxBuildHasher.hash_one(text)));
            let (mut found, mut rows, mut crowd) = (Vec::new(), 0, None);
            // That a text is there twice is enough to know.
            let mut times = vec![0_u8; hashes.len()];
            let mut look = |row: usize, people: u64| {
                let number = cells.numbers()[row] as usize;
                let Some(hash) = hashes[number] else { return };
                rows += 1;
                if people > 1 && crowd.is_none() {
                    crowd = Some(batch.location(row));
                }
                if times[number] < 2 {
                    times[number] += 1;
                    found.push(hash);
                }
            };
            match counted {
                Counting::All => (0..batch.len()).for_each(|row| look(row, 1)),
                Counting::Some(rows) => rows.iter().for_each(|&(row, people)| look(row, people)),
            }
            (found, rows, crowd)
        };
        let found: Vec<(Vec<u64>, u64, Option<Location>)> =
            batches.par_iter().zip(counted).with_max_len(1).map(look).collect();
        let mut lots = Vec::with_capacity(found.len());
        for (lot, rows, crowd) in found {
            lots.push(lot);
            self.rows += rows;
            self.crowd = self.crowd.or(crowd);
        }
        self.hashes.add(&lots);
    }

    /// Refuses rows that repeat an identifier.
    pub(crate) fn check(&mut self, table: &Table) -> Result<(), VerifyError> {
        self.hashes.close();
        let name = &table.columns[self.identifier.column];
        if let Some(crowd) = self.crowd.filter(|_| self.is_identifier) {
            let problem = "the row has one identifier and counts for several people";
            return Err(table.error_at(crowd, name, problem).remedy("write `repeats` with a reason").into());
        }
        let values = self.hashes.distinct();
        let is_named = says_who(name) && values >= 3 && (values >= 100 || values * 10 > self.rows);
        let is_unique = self.rows >= ROWS && u128::from(values) * 20 >= u128::from(self.rows) * 19;
        if !self.hashes.has_repeated() || !(self.is_identifier || is_named || is_unique) {
            return Ok(());
        }
        let is_repeated = |text: &str| self.hashes.is_repeated(FxBuildHasher.hash_one(text));
        let people = rows_of(table, &self.identifier, &is_repeated, None)?;
        let (mut surplus, mut agreeing, mut differing) = (0, 0, 0);
        for rows in people.values() {
            let alike = rows[1..].iter().filter(|row| row.values == rows[0].values).count();
            surplus += rows.len() - 1;
            agreeing += alike;
            differing += usize::from(alike < rows.len() - 1);
        }
        let is_likely = is_named || (agreeing >= 2 && agreeing * 2 >= surplus);
        let first =
            people.values().min_by_key(|rows| rows[0].index).filter(|_| self.is_identifier || is_likely);
        let Some(first) = first else { return Ok(()) };
        let problem = format!(
            "the identifier of {} is here again; {} more rows than identifiers, and the rows of {differing} of {} repeated identifiers \
             differ",
            first[0].location.position,
            surplus,
            people.len()
        );
        let remedy = if self.is_identifier {
            "the project must say who is a person: `distinct = true`, `first_by`, `role = \"entity\"`, or `repeats` with a reason"
        } else {
            "the project must say who is a person: `person = { column = …, distinct = true }`, `first_by` or `repeats` under [public]"
        };
        Err(table.error_at(first[1].location, name, &problem).remedy(remedy).into())
    }
}

/// Whether the words of a column's name say who a person is.
fn says_who(name: &str) -> bool {
    let mut words: Vec<String> = vec![String::new()];
    let mut last = '\0';
    for letter in name.chars() {
        let splits =
            (last.is_lowercase() && letter.is_uppercase()) || (last.is_alphabetic() && letter.is_numeric());
        if !letter.is_alphanumeric() || splits {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        last = letter;
    }
    let is_of = |known: &str, word: &String| known.split_whitespace().any(|known| known == word);
    let of_whom = words.iter().rev().find(|word| is_of(PERSON, word) || is_of(GROUP, word));
    match of_whom {
        Some(word) => is_of(PERSON, word),
        None => words.iter().any(|word| is_of(ID, word)),
    }
}

impl Repeated {
    /// Whether one row of each person counts.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Self::Distinct | Self::FirstBy(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_who_a_person_is() {
        for (name, is_so) in [
            ("patient_id", true),
            ("PersonID", true),
            ("ID", true),
            ("Patient2", true),
            ("household_id", false),
            ("hospital_patient_id", true),
            ("patient_hospital_id", false),
            ("patient_status", false),
            ("acid", false),
            ("", false),
        ] {
            assert_eq!(says_who(name), is_so, "{name}");
        }
    }

    #[test]
    fn numbers_and_days_have_places() {
        let ascending = ["-10.5", "-9", "0.05", "2", "10", "2023-12-31", "2024-01-05", "2024-01-05 08:00"];
        let places: Vec<Option<Place>> = ascending.iter().map(|text| Place::read(text)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
        for text in ["", "x", "1,5", "31.1.2024", "2024-1-5", "2024-01-05x", "2024-01-05T", "+1"] {
            assert_eq!(Place::read(text), None, "{text}");
        }
    }
}
