//! Who is a person: rows with one identifier.

use super::tables::People;
use super::toml::{Table, Value};
use super::{Refusal, refuse};

/// What rows with one identifier are.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Rows {
    Unsaid,
    Shared { has_reason: bool },
    Distinct,
    FirstBy(String),
}

/// What the keys of an identifier say.
pub(super) fn rows(table: &Table) -> Result<Rows, Refusal> {
    let mut said = Vec::new();
    match table.get("distinct") {
        None | Some(Value::Flag(false)) => {}
        Some(Value::Flag(true)) => said.push(Rows::Distinct),
        Some(_) => return refuse("`distinct` is true or false"),
    }
    said.extend(table.text("first_by")?.map(Rows::FirstBy));
    match table.get("repeats") {
        None | Some(Value::Flag(false)) => {}
        Some(Value::Flag(true)) => said.push(Rows::Shared { has_reason: false }),
        Some(Value::Text(reason)) => {
            let words =
                reason.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
            let letters = reason.chars().filter(|character| character.is_alphabetic()).count();
            if words < 3 || letters < 10 {
                return refuse(format!("{reason:?} is no reason"));
            }
            said.push(Rows::Shared { has_reason: true });
        }
        Some(_) => return refuse("`repeats` is a reason"),
    }
    match said.len() {
        0 => Ok(Rows::Unsaid),
        1 => Ok(said.remove(0)),
        _ => refuse("rows of one identifier are one thing"),
    }
}

/// The column of P that says who is a person.
pub(super) fn of_public(public: &Table) -> Result<Option<(String, Rows)>, Refusal> {
    let Some(written) = public.get("person") else { return Ok(None) };
    let table = written.table()?;
    table.only(&["column", "distinct", "first_by", "repeats"])?;
    let rows = rows(table)?;
    if matches!(rows, Rows::Unsaid | Rows::Shared { has_reason: false }) {
        return refuse("`person` says nothing");
    }
    Ok(Some((table.needed("column")?, rows)))
}

/// The place of a number or a day; a blank text has none and comes last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(i128),
    Day(String),
    Nowhere,
}

fn place(text: &str) -> Result<Place, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Place::Nowhere);
    }
    let shape: String =
        text.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { letter }).collect();
    if let Some(time) = shape.strip_prefix("9999-99-99") {
        let is_time = |time: &str| !time.is_empty() && time.chars().all(|letter| "9:.".contains(letter));
        if time.is_empty() || time.strip_prefix(['T', ' ']).is_some_and(is_time) {
            return Ok(Place::Day(text.to_owned()));
        }
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number =
        [whole, part].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_number || whole.len() > 18 || part.len() > 18 {
        return refuse(format!("{text:?} has no place"));
    }
    let number = format!("{whole}{part:0<18}").parse::<i128>().map_err(|_| Refusal("too long".to_owned()))?;
    Ok(Place::Number(sign * number))
}

/// Leaves out the rows that repeat a person, or refuses rows of which nobody says what they are.
pub(super) fn settle(
    people: &mut People,
    column: &str,
    rows: &Rows,
    compared: &[String],
) -> Result<(), Refusal> {
    let column = people.position(column)?;
    let order = match rows {
        Rows::Shared { .. } => return Ok(()),
        Rows::FirstBy(order) => Some(people.position(order)?),
        Rows::Unsaid | Rows::Distinct => None,
    };
    let compared: Vec<usize> = compared.iter().map(|name| people.position(name)).collect::<Result<_, _>>()?;
    let agree = |one: &[String], other: &[String]| {
        compared.iter().filter(|&&index| index != column).all(|&index| one[index] == other[index])
    };
    let mut counted: Vec<bool> = vec![true; people.rows.len()];
    for (nth, row) in people.rows.iter().enumerate() {
        let same: Vec<usize> =
            (0..people.rows.len()).filter(|&other| people.rows[other][column] == row[column]).collect();
        if row[column].trim().is_empty() || same.len() < 2 {
            continue;
        }
        if *rows == Rows::Unsaid {
            return refuse(format!("identifier {:?} in {} rows", row[column], same.len()));
        }
        let mut first = (Place::Nowhere, same[0]);
        for (number, &other) in same.iter().enumerate() {
            let place = order.map_or(Ok(Place::Nowhere), |order| place(&people.rows[other][order]))?;
            if number == 0 || place < first.0 {
                first = (place, other);
            }
        }
        for &other in &same {
            let place = order.map_or(Ok(Place::Nowhere), |order| place(&people.rows[other][order]))?;
            if place == first.0 && !agree(&people.rows[other], &people.rows[first.1]) {
                return refuse(format!("rows of {:?} differ", row[column]));
            }
        }
        counted[nth] = nth == first.1;
    }
    let mut counted = counted.into_iter();
    people.rows.retain(|_| counted.next().unwrap_or(true));
    Ok(())
}

/// Whether a row of T and one of P have the same leaves.
type Same<'a> = dyn Fn(&[String], &[String]) -> Result<bool, Refusal> + 'a;

/// Refuses a row of T whose identifier a row of P has with other leaves. `same` compares a row of T with one of P.
pub(super) fn compare(
    (private, in_private): (&People, &str),
    (public, in_public): (&People, &str),
    same: &Same,
) -> Result<(), Refusal> {
    let (in_private, in_public) = (private.position(in_private)?, public.position(in_public)?);
    for member in private.rows.iter().filter(|row| !row[in_private].trim().is_empty()) {
        for row in public.rows.iter().filter(|row| row[in_public] == member[in_private]) {
            if !same(member, row)? {
                return refuse(format!("P has {:?} with other values", member[in_private]));
            }
        }
    }
    Ok(())
}

/// Refuses a table with a column that is likely to say who is a person and that repeats a value.
pub(super) fn refuse_likely(people: &People, compared: &[String], named: &[&String]) -> Result<(), Refusal> {
    const PERSON: [&str; 24] = [
        "id",
        "ids",
        "identifier",
        "uuid",
        "guid",
        "patient",
        "person",
        "participant",
        "subject",
        "resident",
        "ssn",
        "mrn",
        "pid",
        "cpf",
        "nhs",
        "personid",
        "patientid",
        "userid",
        "memberid",
        "customerid",
        "recordid",
        "caseid",
        "participantid",
        "subjectid",
    ];
    const GROUP: [&str; 24] = [
        "household",
        "family",
        "house",
        "address",
        "building",
        "hospital",
        "clinic",
        "ward",
        "site",
        "center",
        "centre",
        "region",
        "district",
        "county",
        "state",
        "city",
        "municipality",
        "school",
        "class",
        "group",
        "team",
        "type",
        "status",
        "code",
    ];
    let compared: Vec<usize> = compared.iter().map(|name| people.position(name)).collect::<Result<_, _>>()?;
    for (column, name) in people.header.iter().enumerate().filter(|(_, name)| !named.contains(name)) {
        let words = words(name);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let mut telling = words
            .iter()
            .filter(|word| PERSON[5..].contains(&word.as_str()) || GROUP.contains(&word.as_str()));
        let is_of_group = telling.next_back().is_some_and(|word| GROUP.contains(&word.as_str()));
        let rows: Vec<&Vec<String>> =
            people.rows.iter().filter(|row| !row[column].trim().is_empty()).collect();
        let mut first: Vec<&Vec<String>> = Vec::new();
        let (mut repeating, mut agreeing) = (0, 0);
        for row in &rows {
            if let Some(known) = first.iter().find(|known| known[column] == row[column]) {
                repeating += 1;
                agreeing += usize::from(compared.iter().all(|&index| known[index] == row[index]));
            } else {
                first.push(row);
            }
        }
        let is_named = has(&PERSON)
            && !is_of_group
            && first.len() >= 3
            && (first.len() >= 100 || first.len() * 10 > rows.len());
        let is_telling = rows.len() >= 30
            && first.len() * 100 >= rows.len() * 95
            && agreeing >= 2
            && agreeing * 2 >= repeating;
        if repeating > 0 && (is_named || is_telling) {
            return refuse(format!("column {name:?} of P may say who is a person"));
        }
    }
    Ok(())
}

/// The words of a name in lower case: `PersonID 2` is `person`, `id`, `2`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (nth, letter) in letters.iter().enumerate() {
        let before = nth.checked_sub(1).map(|nth| letters[nth]);
        let begins = before.is_some_and(|before| {
            (before.is_lowercase() && letter.is_uppercase())
                || (before.is_alphabetic() && letter.is_numeric())
        });
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().unwrap().extend(letter.to_lowercase());
        }
    }
    words
}
