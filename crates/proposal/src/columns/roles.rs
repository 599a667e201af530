//! The role of a column that both tables have, and the reason.

use crate::sources::survey::Column;
use crate::words;
use crate::{Ambiguity, Choice};
use palmtop_core::model::Role;
use palmtop_tables::reading::NumberForm;
use palmtop_tables::telling::{FEW, ROWS, is_nearly_all, may_be_people, names_people};
use palmtop_tables::weight::{CountColumn, MemberColumn};

/// The number of different values of a column that are not blank, and the number of their rows.
pub(crate) fn distinct(column: &Column) -> (u64, u64) {
    let texts = column.texts.iter().filter(|(text, _)| !text.trim().is_empty());
    texts.fold((0, 0), |(distinct, rows), (_, found)| (distinct + 1, rows + found.count))
}

/// Whether nearly all values are different.
pub(crate) fn is_nearly_unique(column: &Column) -> bool {
    let (distinct, rows) = distinct(column);
    !column.is_complete || (rows > 1 && is_nearly_all(distinct, rows))
}

/// Whether all values are digits, or have a sign or separators as measures do.
pub(crate) fn looks(column: &Column, is: fn(&str) -> bool) -> bool {
    column.texts.keys().map(|text| text.trim()).filter(|text| !text.is_empty()).all(is)
}

fn is_measure(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    unsigned.starts_with(|character: char| character.is_ascii_digit())
        && unsigned.chars().all(|character| character.is_ascii_digit() || ".,' ".contains(character))
}

/// Whether some value has decimals. Measures have decimals; numbers of cases and phones do not.
fn holds_decimals(column: &Column) -> bool {
    let has = |text: &str| {
        text.rsplit_once(['.', ',']).is_some_and(|(_, behind)| {
            !behind.is_empty() && behind.len() != 3 && behind.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    column.texts.keys().any(|text| has(text.trim()))
}

pub(crate) fn is_date(text: &str) -> bool {
    palmtop_tables::dates::is_date(text)
}

/// Whether the values are texts, and neither measures nor days.
pub(crate) fn is_text(column: &Column) -> bool {
    !looks(column, is_measure) && !looks(column, is_date)
}

/// Whether at least nine of ten values look so: a few odd texts do not change what a column is.
fn mostly(column: &Column, is: fn(&str) -> bool) -> bool {
    let texts = || column.texts.keys().map(|text| text.trim()).filter(|text| !text.is_empty());
    10 * texts().filter(|text| !is(text)).count() <= texts().count()
}

/// Whether the values may be numbers of cases: they are not measures with decimals.
pub(crate) fn may_be_numbers(column: &Column) -> bool {
    !holds_decimals(column)
}

/// Whether a column of T counts its rows or names its people, so that values of P in it are no sign of a common column.
pub(crate) fn may_be_case(private: &Column, public: &Column) -> bool {
    let is_named = words::names_identifier(&private.name) && !words::names_code(&private.name);
    let is_one_each = is_nearly_unique(private) && !mostly(private, is_date);
    is_one_each && (is_named && !is_nearly_unique(public) || never_meets(private, public))
}

/// The role of a column that both tables have, with the reason.
pub(crate) fn role(
    private: &Column,
    widest: &Column,
    how: &str,
    ambiguities: &mut Vec<Ambiguity>,
) -> (Role, String) {
    let name = &private.name;
    let (values, rows) = distinct(widest);
    let is_unique = is_nearly_unique(widest) && is_nearly_unique(private);
    let is_named = words::names_identifier(name) && !words::names_code(name);
    if is_unique && is_named && !mostly(widest, is_date) {
        return (
            Role::Identifier,
            format!("{how}; nearly all its values are different, and its name is usual for identifiers"),
        );
    }
    let is_text = !mostly(widest, is_measure) && !mostly(widest, is_date);
    if is_unique && rows >= ROWS && is_text && !words::names_code(name) {
        ambiguities.push(unique_text(name));
        return (Role::Identifier, format!("{how}; nearly all its values are different texts"));
    }
    if is_text && !words::names_code(name) && never_meets(private, widest) {
        ambiguities.push(single_text(name));
        return (Role::Identifier, format!("{how}; T has each of its texts once, and P several times"));
    }
    // A person may have several rows, and still is named by the column.
    let is_of_few = values >= 3 && values.saturating_mul(FEW) > rows;
    if names_people(name) && may_be_people(values, rows) && !mostly(widest, is_date) {
        let why = "its name says who a person is";
        return (Role::Identifier, format!("{how}; {why}"));
    }
    if is_named && is_of_few && !mostly(widest, is_date) {
        ambiguities.push(Ambiguity {
            attribute: Some(name.clone()),
            what: "its name is usual for identifiers, and each of its values is in few rows: if several rows belong to one person, \
                   this person would count several times"
                .to_owned(),
            remedy: "if it shows which rows belong to one person, write `role = \"entity\"` and remove its hierarchy".to_owned(),
            choices: Vec::new(),
        });
    }
    (Role::Quasi, format!("{how}, so an attacker who knows P finds people by it"))
}

/// The fewest different texts of an identifier whose name is not usual for one.
const MANY: u64 = 100;
/// So many pairs of T's rows would share a text by chance; with none, the odds are below 1 in 1,000.
const PAIRS: f64 = 7.0;

/// Whether T has no text twice, although many pairs of its rows would share one if they were drawn
/// from P. So each text is a person, and P has several rows of them.
pub(crate) fn never_meets(private: &Column, public: &Column) -> bool {
    let ((values, rows), (texts, people)) = (distinct(private), distinct(public));
    if !public.is_complete || values < rows || texts < MANY {
        return false;
    }
    #[expect(clippy::cast_precision_loss, reason = "odds are no count")]
    let share = |count: u64| (count as f64 / people as f64).powi(2);
    let named = public.texts.iter().filter(|(text, _)| !text.trim().is_empty());
    let meet: f64 = named.map(|(_, found)| share(found.count)).sum();
    #[expect(clippy::cast_precision_loss, reason = "odds are no count")]
    let pairs = (rows * rows.saturating_sub(1) / 2) as f64;
    pairs * meet >= PAIRS
}

/// Asks about a column of both tables that seems to identify people who have several rows in P.
fn single_text(name: &str) -> Ambiguity {
    let what = "T has each of its texts once and P several times, so it is withheld: P seems to have several rows of a person";
    Ambiguity { what: what.to_owned(), ..unique_text(name) }
}

/// Asks about a column of both tables that is withheld because of its values alone.
fn unique_text(name: &str) -> Ambiguity {
    Ambiguity {
        attribute: Some(name.to_owned()),
        what: "nearly all its values are different texts, so it is withheld".to_owned(),
        remedy: "if a release must have it, write `role = \"quasi\"` and give it a hierarchy".to_owned(),
        choices: vec![
            Choice::role(name, Role::Identifier, "never publish it: each value is one person"),
            Choice::role(name, Role::Quasi, "generalize it, so that nobody is found by it"),
        ],
    }
}

/// Whether every text of a column is a whole number that is small enough for a number of people.
pub(crate) fn holds_counts(column: &Column) -> bool {
    count_column(column).is_some()
}

/// A column as numbers of people, in the first form that all its texts have.
pub(crate) fn count_column(column: &Column) -> Option<CountColumn> {
    let thousands = [
        NumberForm::of('.', Some(',')),
        NumberForm::of(',', Some('.')),
        NumberForm::of('.', Some(' ')),
        NumberForm::of('.', Some('\'')),
    ];
    let mut forms = std::iter::once(None).chain(thousands.into_iter().map(Some));
    let fits = |number: Option<NumberForm>| {
        let count = CountColumn { number, ..CountColumn::of(&column.name) };
        let is_count = |text: &String| count.people(text).is_some_and(|people| people <= 1_000_000);
        column.texts.keys().all(is_count).then_some(count)
    };
    if column.is_complete { forms.find_map(fits) } else { None }
}

/// Whether every text of a column means yes or no, and both occur.
pub(crate) fn holds_memberships(column: &Column) -> bool {
    let member = MemberColumn { column: column.name.clone(), is: Vec::new() };
    let meaning = |text: &String| member.is_member(text);
    let occurs = |wanted| column.texts.keys().any(|text| meaning(text) == Some(wanted));
    column.texts.len() <= 4
        && column.texts.keys().all(|text| meaning(text).is_some())
        && occurs(true)
        && occurs(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::survey::Survey;
    use palmtop_tables::read::TableSpec;

    fn column(name: &str, texts: impl Iterator<Item = String>) -> Column {
        let mut survey = Survey::empty(TableSpec::of("x.csv".into()), &[name]);
        texts.for_each(|text| survey.add(&[text.as_str()]));
        survey.columns.remove(0)
    }

    #[test]
    fn shared_columns_are_quasi_unless_they_name_people() {
        let numbers = |count: u32, of: u32| (0..count).map(move |row| (row % of).to_string());
        let of = |private: &Column, public: &Column| {
            let mut ambiguities = Vec::new();
            (role(private, public, "so", &mut ambiguities).0, ambiguities.len())
        };
        let id = column("patient", numbers(40, 40));
        assert_eq!(of(&id, &id), (Role::Identifier, 0));
        // P shows that a value that is rare in T is not different in every row.
        let age = column("age", numbers(400, 40));
        assert_eq!(of(&column("case_age", numbers(40, 40)), &age), (Role::Quasi, 0));
        let several = column("patient_id", numbers(90, 40));
        assert_eq!(of(&column("patient_id", numbers(40, 15)), &several), (Role::Identifier, 0));
        // The user is asked about several rows of one person.
        let several = column("record", numbers(90, 40));
        assert_eq!(of(&column("record", numbers(40, 15)), &several), (Role::Quasi, 1));
        let zip = column("zip code", numbers(40, 40));
        assert_eq!(of(&zip, &zip), (Role::Quasi, 0));
    }

    #[test]
    fn counts_and_memberships_are_known_by_their_look() {
        let of = |texts: &[&str]| column("n", texts.iter().map(|&text| text.to_owned()));
        assert!(
            holds_counts(&of(&["1", "2.0", "17"]))
                && !holds_counts(&of(&["1", "-2"]))
                && !holds_counts(&of(&["<5"]))
        );
        assert!(holds_memberships(&of(&["yes", "no", ""])) && !holds_memberships(&of(&["1", "2"])));
        assert!(!holds_memberships(&of(&["1"])));
    }
}
