//! Whether a column alone identifies rows or people: nearly all its values are different, or its
//! name says so.

use crate::values::names::words;

/// The fewest rows in which different values are evidence; in fewer rows they may be chance.
pub const ROWS: u64 = 30;

/// Whether a part is nearly all: at least 95 in a hundred.
pub fn is_nearly_all(part: u64, all: u64) -> bool {
    u128::from(part) * 20 >= u128::from(all) * 19
}

/// So many of the first words of [`OF_PEOPLE`] do not say of whom the identifier is.
const IDS: usize = 5;

/// The words of names of columns that say who a person is.
const OF_PEOPLE: [&str; 24] = [
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

/// The words of names of columns that say what several people share.
const OF_GROUPS: [&str; 24] = [
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

/// Whether the name of a column says that its values say who a person is.
pub fn names_people(column: &str) -> bool {
    let words = words(column);
    let mut known = words.iter().rev().map(String::as_str);
    let of_whom = known.find(|word| OF_GROUPS.contains(word) || OF_PEOPLE[IDS..].contains(word));
    match of_whom {
        Some(word) => !OF_GROUPS.contains(&word),
        None => words.iter().any(|word| OF_PEOPLE.contains(&word.as_str())),
    }
}

/// If people have several rows, each identifier is in fewer rows than this, on average.
pub const FEW: u64 = 10;

/// So many different values of a column whose name says who a person is are people, however many
/// rows each of them has.
const MANY: u64 = 100;

/// Whether so many values in so many rows may be people, in a column whose name says so.
pub fn may_be_people(values: u64, rows: u64) -> bool {
    values >= 3 && (values >= MANY || values.saturating_mul(FEW) > rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_five_in_a_hundred_are_nearly_all() {
        for (part, all, is_so) in [(95, 100, true), (94, 100, false), (19, 20, true), (18, 20, false)] {
            assert_eq!(is_nearly_all(part, all), is_so, "{part} of {all}");
        }
    }

    #[test]
    fn names_of_columns_say_who_a_person_is() {
        assert!(names_people("patient_id") && names_people("PersonID") && names_people("ID"));
        assert!(names_people("hospital_patient_id") && !names_people("patient_hospital_id"));
        assert!(!names_people("household_id") && !names_people("age") && !names_people("acid"));
    }
}
