//! What the rows of a database are that share an identifier.

use super::FetchError;
use crate::sql::{Identifier, Repeats};
use palmtop_tables::literal::toml_string;

/// Values of an identifier that several rows of the database have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeated {
    /// The number of these values.
    pub(super) identifiers: u64,
    /// The number of their rows.
    pub(super) rows: u64,
    /// The number of values whose rows differ in a quasi-identifier.
    pub(super) differing: u64,
}

impl Repeated {
    /// Whether each identifier is one person. Nothing is assumed: where identifiers repeat, the project must say it.
    pub(super) fn is_one_person(self, identifier: &Identifier) -> Result<bool, FetchError> {
        let Identifier { attribute, column, repeats, .. } = identifier;
        let refused = |remedy: String| Err(self.refused(column, remedy));
        match repeats {
            Repeats::OnePerson | Repeats::First if self.differing > 0 => refused(
                "give each person one row by a `query`: which of the rows counts cannot be known".to_owned(),
            ),
            Repeats::OnePerson | Repeats::First => Ok(true),
            Repeats::Different => Ok(false),
            Repeats::Unknown if self.identifiers == 0 => Ok(false),
            Repeats::Unknown => refused(format!(
                "write under [[attribute]] `{attribute}`: `distinct = true` if they are one person, who is counted once; \
                 `repeats = \"REASON\"` if they are different people; or give each person one row by a `query`"
            )),
        }
    }

    /// The question whether a column that the project does not name says who is a person.
    /// `person` is the column that the project names already, whose values different people share.
    pub(super) fn asked(self, column: &str, person: Option<&Identifier>) -> FetchError {
        if let Some(Identifier { column: named, .. }) = person {
            let remedy = format!(
                "is each row a person? `person` of [public] names one column, now `{named}`: name this one if it says who is a person; if \
                 different people share its values, leave it out by a `query`"
            );
            return self.refused(column, remedy);
        }
        let quoted = toml_string(column);
        let remedy = format!(
            "is each row a person? Write under [public]: `person = {{ column = {quoted}, distinct = true }}` if they are one person, who is \
             counted once; `person = {{ column = {quoted}, repeats = \"REASON\" }}` if they are different people; or give each person one \
             row by a `query`"
        );
        self.refused(column, remedy)
    }

    fn refused(self, column: &str, remedy: String) -> FetchError {
        let (column, Self { identifiers, rows, differing }) = (column.to_owned(), self);
        let agreeing = identifiers.saturating_sub(differing);
        FetchError::Repeats { column, identifiers, rows, agreeing, differing, remedy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_is_not_guessed() {
        let decided = |repeats, differing| {
            let identifier = Identifier {
                attribute: "id".to_owned(),
                column: "nr".to_owned(),
                repeats,
                is_of_public: false,
            };
            Repeated { identifiers: 3, rows: 8, differing }
                .is_one_person(&identifier)
                .map_err(|error| error.to_string())
        };
        let unknown = decided(Repeats::Unknown, 1).unwrap_err();
        for part in [
            "`nr`",
            "several rows: 3",
            "8 rows",
            "of 2 agree",
            "of 1 differ",
            "distinct = true",
            "repeats = ",
        ] {
            assert!(unknown.contains(part), "{part}: {unknown}");
        }
        assert!(decided(Repeats::OnePerson, 1).unwrap_err().contains("`query`"));
        assert_eq!(decided(Repeats::OnePerson, 0), Ok(true));
        assert_eq!(decided(Repeats::Different, 1), Ok(false));
    }
}
