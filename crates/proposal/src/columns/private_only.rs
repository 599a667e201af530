//! Columns that only T has: the proposed role of each, the reason, and the question for the user.
//!
//! Such a column is published unchanged, or withheld. Its values decide: columns with names of people, days or free text are
//! proposed as withheld. No reason and no question has a value.

use crate::columns::roles::{distinct, is_date, is_nearly_unique, is_text, looks, may_be_numbers};
use crate::decision::NEVER;
use crate::sources::survey::Column;
use crate::words;
use crate::{Ambiguity, Choice};
use palmtop_core::model::Role;
use palmtop_tables::personal::Traces;
use palmtop_tables::shape;
use palmtop_tables::telling::{FEW, ROWS};

/// The proposed role of a column that only T has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proposed {
    pub(crate) role: Role,
    /// The reason, as a sentence.
    pub(crate) reason: String,
    /// Whether each value belongs to one person. Then a value in two rows is a person who counts twice.
    pub(crate) names_people: bool,
}

/// If a column has this number of different texts, with few rows each, its texts are not categories.
const MANY: u64 = 20;
/// A text that is not a category is in fewer rows than this, on average.
const ROWS_OF_TEXT: u64 = 3;
/// A text with this number of words is a sentence.
const WORDS: usize = 3;

/// In fewer rows, values that are different may be shared.
const FEWEST: u64 = 10;

/// Proposes a role with its reason.
pub(crate) fn propose(column: &Column, how: &str) -> Proposed {
    let withheld = |why: String, names_people| Proposed {
        role: if names_people { Role::Identifier } else { Role::Withheld },
        reason: format!("{how}; {why}"),
        names_people,
    };
    let published = |why: String| Proposed {
        role: Role::Sensitive,
        reason: format!("{how}; {why}"),
        names_people: false,
    };
    let (values, rows) = distinct(column);
    let is_unique = is_nearly_unique(column);
    let are_days = looks(column, is_date);
    let is_named = words::names_identifier(&column.name) && !words::names_code(&column.name);
    if values == 0 {
        return withheld("it has no values".to_owned(), false);
    }
    if is_named && is_unique && !are_days {
        let why = "nearly all its values are different, and its name is usual for identifiers";
        return withheld(why.to_owned(), true);
    }
    // A person may have several rows, and still is named by the column.
    if is_named && values >= 3 && values.saturating_mul(FEW) > rows && !are_days {
        let why = "its name is usual for identifiers, and each of its values is in few rows";
        return withheld(why.to_owned(), true);
    }
    if let Some(why) = shape_of(column, (values, rows)) {
        return withheld(why, false);
    }
    let is_many = is_unique && rows >= ROWS;
    if is_many && is_text(column) && !words::names_code(&column.name) {
        return withheld("nearly all its values are different texts".to_owned(), true);
    }
    if is_many && may_be_numbers(column) {
        return withheld("nearly all its whole numbers are different".to_owned(), true);
    }
    if is_many {
        let why = "nearly all its measurements are different: an attacker who knows one finds its row";
        return withheld(why.to_owned(), false);
    }
    // Few rows prove nothing of people, and still each value finds its row.
    if is_unique && rows >= FEWEST && !are_days {
        let why = "nearly all its values are different: an attacker who knows one finds its row";
        return withheld(why.to_owned(), false);
    }
    if values == 1 && rows > 1 {
        let blank = column.texts.iter().filter(|(text, _)| text.trim().is_empty());
        let blank: u64 = blank.map(|(_, rows)| rows.count).sum();
        let all = if blank == 0 { "all" } else { "all other" };
        return published(format!("{all} {rows} rows have the same value"));
    }
    published(format!("people share values: its {rows} rows have {values} different values"))
}

/// The reason not to publish the column, from the look of all or some of its texts, with the number of rows.
fn shape_of(column: &Column, (values, rows): (u64, u64)) -> Option<String> {
    let count = |is: &dyn Fn(&str) -> bool| {
        let found = column.texts.iter().filter(|(text, _)| is(text.trim()));
        found
            .fold((0_u64, 0_u64), |(values, rows), (_, rows_of_text)| (values + 1, rows + rows_of_text.count))
    };
    let half = |(_, found): (u64, u64)| found > 0 && found.saturating_mul(2) >= rows;
    // Each value is in few rows: this holds for names and sentences, but not for diagnoses.
    let are_rare = values.saturating_mul(ROWS_OF_TEXT) > rows;
    let days = count(&|text| is_date(text) || shape::year_of_finer_date(text).is_some());
    let sentences = count(&|text| text.split_whitespace().count() >= WORDS && !looks_numeric(text));
    let lengths: std::collections::BTreeSet<usize> =
        column.texts.keys().map(|text| text.trim().len()).filter(|length| *length > 0).collect();
    let accounts = count(&shape::is_account);
    let is_account = are_rare && lengths.len() == 1 && accounts.1 == rows;
    let mails = count(&shape::is_mail);
    let of = [
        (mails.1 > 0, mails, "look like e-mail addresses"),
        (true, count(&shape::is_phone), "look like telephone numbers"),
        (true, count(&shape::is_social_security), "look like social security numbers"),
        (true, count(&shape::is_device), "look like addresses of devices or web pages"),
        (true, days, "are days: an attacker who knows a person's day finds the row"),
        (is_account, accounts, "look like account or case numbers"),
        (are_rare, count(&shape::is_full_name), "look like names of people"),
        (are_rare, sentences, "are free text"),
    ];
    let is_found = |(index, (may_be, found, _)): &(usize, (bool, (u64, u64), &str))| {
        *may_be && (half(*found) || (*index == 0 && found.1 > 0))
    };
    let found = of.into_iter().enumerate().find(is_found);
    if let Some((_, (_, (_, found), what))) = found {
        return Some(format!("{found} of its {rows} values {what}"));
    }
    // A few cells are enough, because each may name a person.
    let mut traces = Traces::default();
    column.texts.iter().for_each(|(text, rows_of_text)| traces.add(text, rows_of_text.count));
    if let Some(sentence) = traces.sentence() {
        return Some(sentence);
    }
    let is_wide = are_rare && values >= MANY && is_text(column) && !words::names_code(&column.name);
    is_wide.then(|| {
        format!(
            "its {values} texts are in {rows} rows, few rows each: an attacker who knows a person's text finds the row"
        )
    })
}

fn looks_numeric(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_digit() || " .,'+-".contains(character))
}

/// Whether several people of T have the same value.
pub(crate) fn repeats(column: &Column) -> bool {
    column.texts.iter().any(|(text, rows)| !text.trim().is_empty() && rows.count > 1)
}

/// The question about the role of the column.
pub(crate) fn question(column: &Column, proposed: &Proposed) -> Ambiguity {
    let name = column.name.as_str();
    let (taken, remedy) = if proposed.role.is_left_out() {
        ("; so it is not published", format!("`--role {name}=sensitive` publishes it unchanged"))
    } else {
        (
            ". Is it published?",
            format!(
                "`--role {name}=sensitive` publishes it unchanged, `--role {name}=withheld` withholds it; or write the \
                 role in the project instead of `undecided`"
            ),
        )
    };
    Ambiguity {
        attribute: Some(name.to_owned()),
        what: format!("{}{taken}", proposed.reason),
        remedy,
        choices: role_choices(column),
    }
}

/// The possible roles of a column that only T has. Values that people share identify nobody.
pub(crate) fn role_choices(column: &Column) -> Vec<Choice> {
    let may_identify = !repeats(column) || propose(column, "").names_people;
    let roles = [
        (Role::Withheld, NEVER),
        (Role::Sensitive, "publish it as it is (sensitive): l and t can guard it"),
        (Role::Insensitive, "publish it as it is (insensitive): no secret"),
        (Role::Identifier, "never publish it: each value is one person"),
    ];
    let possible = roles.into_iter().filter(|(role, _)| may_identify || *role != Role::Identifier);
    possible.map(|(role, label)| Choice::role(&column.name, role, label)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::survey::Survey;
    use palmtop_tables::read::TableSpec;

    fn column(name: &str, texts: impl IntoIterator<Item = String>) -> Column {
        let mut survey = Survey::empty(TableSpec::of("x.csv".into()), &[name]);
        texts.into_iter().for_each(|text| survey.add(&[&text]));
        survey.columns.remove(0)
    }

    #[test]
    fn columns_naming_people_are_withheld_others_published() {
        let rows = |text: fn(u32) -> String| (0..60).map(text).collect::<Vec<_>>();
        let withheld = [
            ("remark", rows(|row| format!("wife called on the {row}th")), "are free text"),
            ("remark", rows(|row| ["", "mail a@b.org"][usize::from(row == 7)].to_owned()), "e-mail"),
            ("reached", rows(|row| format!("(317) 555-{:04}", row % 9)), "telephone numbers"),
            (
                "head",
                rows(|row| format!("Ann{} Lee", "abcdefgh".repeat(row as usize % 30 + 1))),
                "names of people",
            ),
            ("admitted", rows(|row| format!("2024-03-{:02}", row % 28 + 1)), "are days"),
            ("admitted", rows(|row| format!("{:02}.03.2024", row % 9 + 1)), "are days"),
            ("file", rows(|row| format!("AB-{:07}", row / 2)), "account or case numbers"),
            ("village", rows(|row| format!("Ville{}", "abc".repeat(row as usize % 40))), "few rows each"),
            ("patient", rows(|row| row.to_string()), "usual for identifiers"),
            ("patient_id", rows(|row| (row % 20).to_string()), "usual for identifiers"),
            ("kkk", rows(|row| row.to_string()), "whole numbers"),
            ("empty", rows(|_| String::new()), "no values"),
            ("glucose", rows(|row| format!("{row}.{}", row % 9)), "measurements"),
            ("fall", (0..25).map(|row: u32| row.to_string()).collect(), "nearly all its values"),
        ];
        for (name, texts, why) in withheld {
            let found = propose(&column(name, texts), "so");
            let role = if found.names_people { Role::Identifier } else { Role::Withheld };
            assert_eq!(found.role, role, "{name}: {}", found.reason);
            assert!(found.reason.contains(why), "{name}: {}", found.reason);
        }
        let published = [
            (
                "diagnosis",
                rows(|row| ["chronic kidney disease", "asthma", "COPD"][row as usize % 3].to_owned()),
                "60 rows have 3 different values",
            ),
            (
                "diagnosis",
                rows(|row| ["Chronic Bronchitis", "Acute Asthma"][row as usize % 2].to_owned()),
                "60 rows have 2 different values",
            ),
            ("children", rows(|row| (row % 4).to_string()), "60 rows have 4 different values"),
            ("year", rows(|row| (1990 + row % 9).to_string()), "60 rows have 9 different values"),
            ("enrolled", rows(|_| "yes".to_owned()), "all 60 rows have the same value"),
        ];
        for (name, texts, why) in published {
            let found = propose(&column(name, texts), "so");
            assert_eq!(found.role, Role::Sensitive, "{name}: {}", found.reason);
            assert!(found.reason.contains(why), "{name}: {}", found.reason);
        }
    }
}
