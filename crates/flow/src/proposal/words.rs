//! What the names of columns and files tell.

pub(super) use palmtop_core::text::{plain_name as plain, words};

fn has(name: &str, known: &[&str]) -> bool {
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

/// Whether a column is named as identifiers are.
pub(super) fn names_identifier(name: &str) -> bool {
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

/// Names of columns that mean the same, without case and marks.
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

/// Whether two names mean the same.
pub(super) fn mean_the_same(own: &str, other: &str) -> bool {
    let (own, other) = (plain(own), plain(other));
    SAME.iter().any(|names| names.contains(&own.as_str()) && names.contains(&other.as_str()))
}

/// Whether a column is named as ages are.
pub(super) fn names_age(name: &str) -> bool {
    SAME[3].contains(&plain(name).as_str())
}

/// Whether a column is named as amounts of money are.
pub(super) fn names_money(name: &str) -> bool {
    let known = [
        "income",
        "salary",
        "wage",
        "wages",
        "earnings",
        "revenue",
        "price",
        "cost",
        "costs",
        "amount",
        "payment",
        "rent",
        "einkommen",
        "gehalt",
        "lohn",
        "preis",
        "betrag",
        "miete",
        "revenu",
        "salaire",
        "ingresos",
        "salario",
    ];
    has(name, &known)
}

/// Whether a column is named as codes are.
pub(super) fn names_code(name: &str) -> bool {
    let known = ["zip", "zipcode", "code", "icd", "postal", "postcode", "postalcode", "plz", "fips"];
    has(name, &known)
}

/// Whether a column is named as counts of people are; `weight`, which may be somebody's, is not among them.
pub(super) fn names_count(name: &str) -> bool {
    let known = ["count", "n", "people", "persons", "individuals", "freq", "frequency", "anzahl"];
    known.contains(&plain(name).as_str())
}

/// Whether a column's name leaves open whether it counts people.
pub(super) fn may_name_count(name: &str) -> bool {
    names_count(name) || ["weight", "weights", "size", "total", "population"].contains(&plain(name).as_str())
}

/// Whether a column is named as one that says who is in T.
pub(super) fn names_member(name: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_into_words() {
        assert_eq!(words("adult_hierarchy_marital-status"), ["adult", "hierarchy", "marital", "status"]);
        assert_eq!(words("NativeCountry 2"), ["native", "country", "2"]);
        assert_eq!(plain("Date of_Birth"), "dateofbirth");
        assert!(names_identifier("patient_no") && names_identifier("personid") && names_identifier("ID"));
        assert!(
            !names_identifier("age") && !names_identifier("acid-test") && !names_identifier("nationality")
        );
        assert!(names_count("N") && !names_count("weight") && may_name_count("weight"));
        assert!(names_code("zip_code") && !names_code("decode"));
        assert!(names_money("Net_Income") && names_money("monthly salary") && !names_money("outcome"));
    }
}
