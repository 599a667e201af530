//! Errors between two tables: members of T who are not in P, and people who match no row of rates.

use std::fmt;
use std::path::{Path, PathBuf};

use super::refused::RefusedValues;
use crate::source::position::{self, RowPosition};
use crate::values::look::{code_points, toml_values};
use palmtop_core::located::LocatedError;
use palmtop_core::model::{Code, Counts};
use palmtop_core::words::{names, plural};

/// Members of T who are not in P, and what `not_in_public` makes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outsiders {
    /// Whether these members are added to P; if not, all members of T with their combinations are
    /// left out.
    pub is_added: bool,
    /// The number of members added or left out.
    pub people: u64,
    /// The rows of T with such a combination, at most [`Excess::ROWS`].
    pub rows: Vec<RowPosition>,
    /// The number of all such rows.
    pub row_count: u64,
    /// If they are added: each combination with the number of people added.
    pub added: Vec<(Vec<Code>, u64)>,
    /// Attributes that alone keep members out of P, with the number of these members, the largest
    /// first; empty if P has too many combinations to look at each again.
    pub explained_by: Vec<(String, u64)>,
}

impl fmt::Display for Outsiders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = plural(self.people, "member");
        let rows = position::listed(&self.rows, self.row_count);
        if self.is_added {
            write!(
                f,
                "{people} of T not in P, added to P as the project says: rows with such a combination {rows}; all results \
                 hold against an attacker who knows P with these people added"
            )?;
        } else {
            write!(f, "{people} of T not in P, excluded as the project says: rows {rows}")?;
        }
        if self.explained_by.is_empty() {
            return Ok(());
        }
        let explained = self.explained_by.iter();
        let columns: Vec<String> =
            explained.map(|(attribute, people)| format!("`{attribute}` alone explains {people}")).collect();
        write!(f, "; {}: check whether the tables spell or code it differently", columns.join(", "))
    }
}

/// Members of T in excess of the people of P with their combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The private table.
    pub private: PathBuf,
    /// The public table.
    pub public: PathBuf,
    /// The number of members of T in excess of P.
    pub people: u64,
    /// The rows of T with such a combination, at most [`Excess::ROWS`].
    pub rows: Vec<RowPosition>,
    /// The number of all such rows.
    pub row_count: u64,
    /// The combinations with their people in P and in T, at most [`Excess::COMBINATIONS`].
    pub combinations: Vec<(Vec<String>, Counts)>,
    /// The number of all such combinations.
    pub combination_count: u64,
    /// The names of the quasi-identifiers, in the order of the combinations' values.
    pub attributes: Vec<String>,
}

impl Excess {
    /// The most combinations listed in a message.
    pub const COMBINATIONS: usize = 5;
    /// The most row numbers listed in a message.
    pub const ROWS: usize = 100;

    /// The rows of T, and the combinations with their counts.
    fn lines(&self) -> String {
        let (private, public) = (self.private.display(), self.public.display());
        let rows = position::listed(&self.rows, self.row_count);
        let mut lines = format!(
            "rows of {private} with these combinations (header not counted): {rows}\n{} (in {private} / in {public}):\n",
            self.attributes.join(" · ")
        );
        for (combination, counts) in &self.combinations {
            lines += &format!("  {}   {} / {}\n", combination.join(" · "), counts.private, counts.public);
        }
        let hidden = self.combination_count - self.combinations.len() as u64;
        if hidden > 0 {
            lines += &format!("  and {} more\n", plural(hidden, "combination"));
        }
        lines
    }
}

/// Members of T who are not in P: the definition requires that P has each combination at least as
/// often as T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInPublic {
    /// The members, with their rows and combinations.
    pub excess: Excess,
    /// Of these members, those whose combination P has, but less often than T.
    pub repeated: u64,
    /// Attributes that alone keep members out of P, with the number of these members, the largest
    /// first.
    pub explained_by: Vec<(String, u64)>,
    /// The attributes that are blank for someone in P.
    pub blank: Vec<String>,
    /// Values of T that look like a value of P: the attribute, T's value and P's.
    pub alike: Vec<[String; 3]>,
}

/// The most values of an attribute in a line that the message proposes.
const MOST_ALIKE: usize = 10;

impl NotInPublic {
    /// For each attribute whose values only look like P's: an example with its code points, and the line
    /// to write.
    fn alike_lines(&self) -> String {
        let mut lines = String::new();
        for of_attribute in self.alike.chunk_by(|one, other| one[0] == other[0]) {
            let [attribute, private, public] = &of_attribute[0];
            let pairs = of_attribute.iter().take(MOST_ALIKE);
            let values = toml_values(pairs.map(|[_, private, public]| (private.as_str(), public.as_str())));
            let count = of_attribute.len();
            let more = if count > MOST_ALIKE { format!(", and so on for {count}") } else { String::new() };
            lines += &format!(
                "`{attribute}`: {private:?} of T looks like {public:?} of P, but has {} for {}; write under [[attribute]] \
                 `{attribute}`:\n  private.values = {values}{more}\n",
                code_points(private, public),
                code_points(public, private)
            );
        }
        lines
    }
}

impl fmt::Display for NotInPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let excess = &self.excess;
        let (private, public, total) = (excess.private.display(), excess.public.display(), excess.people);
        writeln!(
            f,
            "{} not in {public}: each combination of quasi-identifiers must be at least as frequent in the public \
             table as in the private one",
            match total {
                1 => format!("1 person of {private} is"),
                people => format!("{people} people of {private} are"),
            }
        )?;
        f.write_str(&excess.lines())?;
        if self.repeated > 0 {
            writeln!(
                f,
                "{} of {total} have a combination that {public} has less often: look for duplicate rows in {private}, or for \
                 rows of {public} that count several people (`count`)",
                self.repeated
            )?;
        }
        for (attribute, people) in &self.explained_by {
            writeln!(
                f,
                "`{attribute}` alone explains {people} of {total}: check whether the tables spell or code it differently"
            )?;
        }
        if self.explained_by.is_empty() {
            writeln!(f, "no single attribute explains them: look for people who are missing from {public}")?;
        }
        f.write_str(&self.alike_lines())?;
        if !self.blank.is_empty() {
            let blank = names(&self.blank);
            writeln!(
                f,
                "{public} has people without a value of {blank}: a blank matches no value of {private}"
            )?;
        }
        write!(
            f,
            "to continue, write `not_in_public = \"drop\"` under [private]: everyone with such a combination is left out; or \
             `\"add\"`: these people are added to P; the report gives their number"
        )
    }
}

/// People in P who match no row of the table of rates, or several rows.
pub(crate) struct Unmatched {
    /// The attributes that have a column in the table of rates.
    pub(crate) attributes: Vec<String>,
    /// The first such combinations of values, at most [`RefusedValues::LISTED`]. Each has the rows
    /// that match it, from 1, the header not counted: none or two.
    pub(crate) values: Vec<(Vec<String>, Vec<u64>)>,
    /// The number of all such combinations.
    pub(crate) count: u64,
    /// The number of people in P with such a combination.
    pub(crate) people: u64,
    /// The first row that matches nobody, from 1, the header not counted. It may contain a typing
    /// error.
    pub(crate) idle: Option<u64>,
}

impl Unmatched {
    /// The most combinations listed in a message.
    pub(crate) const LISTED: usize = RefusedValues::LISTED;

    /// The error of the table of rates.
    pub(crate) fn in_file(&self, rates: &Path) -> LocatedError {
        let verb = if self.people == 1 { "does" } else { "do" };
        let mut text = format!(
            "each person of the public table must match exactly one row; {} {verb} not ({}):\n",
            self.people,
            self.attributes.join(" · ")
        );
        for (values, rows) in &self.values {
            let rows = rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
            let matched = if rows.is_empty() { "no row".to_owned() } else { format!("rows {rows}") };
            text += &format!("  {}: {matched}\n", values.join(" · "));
        }
        let hidden = self.count - self.values.len() as u64;
        if hidden > 0 {
            text += &format!("  and {hidden} more\n");
        }
        if let Some(row) = self.idle {
            text += &format!(
                "row {row} matches nobody: its values are not in the hierarchies, or nobody has them\n"
            );
        }
        text += "write one row for each; no two rows may match the same person; a cell is a value or a label of the \
                 attribute's hierarchy";
        LocatedError::new(text).in_file(rates)
    }
}
