//! The meaning of the names of columns and files, and how messages name files and rows.

use std::path::Path;

pub(crate) use palmtop_tables::names::{plain_name as plain, words};

fn has(name: &str, known: &[&str]) -> bool {
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

/// Whether the name of a column is usual for identifiers.
pub(crate) fn names_identifier(name: &str) -> bool {
    let known = [
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
        "name",
        "surname",
        "firstname",
        "lastname",
        "ssn",
        "nr",
        "no",
        "number",
        "key",
        "record",
        "mrn",
        "email",
        "mail",
        "phone",
        "telephone",
        "case",
        "caseid",
        "personid",
        "patientid",
        "userid",
        "memberid",
        "customerid",
        "recordid",
        "account",
    ];
    has(name, &known)
}

/// Names of columns with the same meaning, without case and separators.
const SAME: [&[&str]; 8] = [
    &[
        "dob",
        "dateofbirth",
        "birthdate",
        "birthday",
        "birth",
        "born",
        "geburtsdatum",
        "geburtstag",
        "datedenaissance",
        "fechadenacimiento",
    ],
    &["sex", "gender", "geschlecht", "sexe", "sexo", "genre"],
    &["zip", "zipcode", "postalcode", "postcode", "plz", "postleitzahl", "codepostal", "codigopostal"],
    &["age", "alter", "ageyears", "ageinyears", "edad", "years"],
    &["maritalstatus", "marital", "civilstatus", "familienstand", "etatcivil", "estadocivil"],
    &["education", "educationlevel", "schooling", "bildung", "degree"],
    &["occupation", "profession", "job", "jobtitle", "beruf"],
    &["city", "town", "municipality", "ort", "stadt", "wohnort", "residence"],
];

/// Whether two names have the same meaning.
pub(crate) fn mean_the_same(name: &str, other: &str) -> bool {
    let (name, other) = (plain(name), plain(other));
    SAME.iter().any(|names| names.contains(&name.as_str()) && names.contains(&other.as_str()))
}

/// Whether two names have a word in common, such as `Age at race` and `age`.
pub(crate) fn share_a_word(name: &str, other: &str) -> bool {
    let others = words(other);
    words(name).iter().any(|word| others.contains(word))
}

/// Whether the name of a column is usual for ages.
pub(crate) fn names_age(name: &str) -> bool {
    SAME[3].contains(&plain(name).as_str())
}

/// Whether the name of a column is usual for dates.
pub(crate) fn names_date(name: &str) -> bool {
    has(name, &["date", "day", "datum", "admission", "timestamp"])
        || palmtop_release::caution::names_birth(name)
}

/// Whether the name of a column is usual for codes.
pub(crate) fn names_code(name: &str) -> bool {
    let known = [
        "zip",
        "zipcode",
        "code",
        "icd",
        "postal",
        "postcode",
        "postalcode",
        "plz",
        "fips",
        "isco",
        "isco08",
        "nuts",
    ];
    has(name, &known)
}

/// Whether the name of a column is usual for counts of people. `weight` is not among these names, because people have a weight, too.
pub(crate) fn names_count(name: &str) -> bool {
    let known = ["count", "n", "people", "persons", "individuals", "freq", "frequency", "anzahl"];
    known.contains(&plain(name).as_str())
}

/// Whether the name of a column leaves open whether it counts people.
pub(crate) fn may_name_count(name: &str) -> bool {
    names_count(name) || ["weight", "weights", "size", "total", "population"].contains(&plain(name).as_str())
}

/// Whether the name of a column is usual for a mark of T's people.
pub(crate) fn names_member(name: &str) -> bool {
    let known = [
        "member",
        "members",
        "membership",
        "private",
        "study",
        "case",
        "cohort",
        "selected",
        "enrolled",
        "t",
    ];
    has(name, &known)
}

/// Row numbers, with the number of rows that are not listed.
pub(crate) fn rows(first: &[u64], all: u64) -> String {
    let listed: Vec<String> = first.iter().map(ToString::to_string).collect();
    let more = all.saturating_sub(first.len() as u64);
    if more > 0 { format!("{} and {more} more", listed.join(", ")) } else { listed.join(", ") }
}

/// The name of a table in messages.
pub(crate) fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_into_words() {
        assert_eq!(words("adult_hierarchy_marital-status"), ["adult", "hierarchy", "marital", "status"]);
        assert_eq!(words("NativeCountry 2"), ["native", "country", "2"]);
        assert_eq!(plain("Date of_Birth"), "dateofbirth");
        assert!(share_a_word("Age at race", "AGE") && !share_a_word("Agent", "age"));
        assert!(names_identifier("patient_no") && names_identifier("personid") && names_identifier("ID"));
        assert!(
            !names_identifier("age") && !names_identifier("acid-test") && !names_identifier("nationality")
        );
        assert!(names_count("N") && !names_count("weight") && may_name_count("weight"));
        assert!(names_code("zip_code") && !names_code("decode"));
    }
}
