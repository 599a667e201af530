//! What can be wrong between two tables: people of T who are not in P, or whom a prior excludes.

use std::fmt;
use std::path::PathBuf;

use super::words::{names, plural};
use crate::source::place::{self, RowPlace};
use palmtop_core::model::{Code, Counts};

/// People of T who are not in P, where the project says what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outsiders {
    /// Whether they are added to P; else everybody of T with such a combination is left out.
    pub is_added: bool,
    /// How many are added or left out.
    pub people: u64,
    /// The rows of T with such a combination; at most [`NotInPublic::ROWS`].
    pub rows: Vec<RowPlace>,
    /// How many such rows there are in all.
    pub row_count: u64,
    /// Where they are added, each combination of them with how many people were.
    pub added: Vec<(Vec<Code>, u64)>,
}

impl fmt::Display for Outsiders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = plural(self.people, "member");
        let rows = place::listed(&self.rows, self.row_count);
        if self.is_added {
            return write!(
                f,
                "{people} of T not in P, added to P as the project says: rows with such a combination {rows}; what follows \
                 holds against who knows P with them"
            );
        }
        write!(f, "{people} of T not in P, excluded as the project says: rows {rows}")
    }
}

/// The people of the private table who are not in the public one: the definition needs T ⊆ P, combination by combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInPublic {
    /// The private table.
    pub private: PathBuf,
    /// The public table.
    pub public: PathBuf,
    /// How many people too many there are in the private table.
    pub people: u64,
    /// The rows of T with such a combination; at most [`NotInPublic::ROWS`].
    pub rows: Vec<RowPlace>,
    /// How many such rows there are in all.
    pub row_count: u64,
    /// The combinations with their counts, at most [`NotInPublic::COMBINATIONS`].
    pub combinations: Vec<(Vec<String>, Counts)>,
    /// How many such combinations there are in all.
    pub combination_count: u64,
    /// The quasi-identifiers' names.
    pub attributes: Vec<String>,
    /// Of the people too many, those whose combination P has, but not so often.
    pub repeated: u64,
    /// Each attribute without which some of them would be in P, and how many; the most first.
    pub explained_by: Vec<(String, u64)>,
    /// The attributes that are blank for somebody in P.
    pub blank: Vec<String>,
}

impl NotInPublic {
    /// How many combinations are listed at most.
    pub const COMBINATIONS: usize = 5;
    /// How many row numbers are listed at most.
    pub const ROWS: usize = 100;
}

impl fmt::Display for NotInPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (private, public) = (self.private.display(), self.public.display());
        writeln!(
            f,
            "{} not in {public}: every combination of quasi-identifiers must be in the public table at least as \
             often as in the private one",
            match self.people {
                1 => format!("1 person of {private} is"),
                people => format!("{people} people of {private} are"),
            }
        )?;
        let rows = place::listed(&self.rows, self.row_count);
        writeln!(f, "rows of {private} with these combinations (header not counted): {rows}")?;
        writeln!(f, "{} (in {private} / in {public}):", self.attributes.join(" · "))?;
        for (combination, counts) in &self.combinations {
            writeln!(f, "  {}   {} / {}", combination.join(" · "), counts.private, counts.public)?;
        }
        let hidden = self.combination_count - self.combinations.len() as u64;
        if hidden > 0 {
            writeln!(f, "  and {} more", plural(hidden, "combination"))?;
        }
        if self.repeated > 0 {
            writeln!(
                f,
                "{} of {} have a combination that {public} has, but less often: look for rows that stand twice in {private}, or \
                 for rows of {public} that stand for several people (`count`)",
                self.repeated, self.people
            )?;
        }
        let total = self.people;
        for (attribute, people) in &self.explained_by {
            writeln!(
                f,
                "`{attribute}` alone explains {people} of {total}: look for another spelling or coding of it in one of the tables"
            )?;
        }
        if self.explained_by.is_empty() {
            writeln!(f, "no attribute alone explains them: look for people who are missing from {public}")?;
        }
        if !self.blank.is_empty() {
            let blank = names(&self.blank);
            writeln!(
                f,
                "{public} has people without a value of {blank}: no value of {private} is that of a blank"
            )?;
        }
        write!(
            f,
            "to go on without these people, say `not_in_public = \"drop\"` under [private]: everybody with such a combination is \
             left out of the release, and counted; or `\"add\"`: they are added to P, and counted"
        )
    }
}

/// The members of T of whom the prior says that they cannot be in it: T has more with a combination than P has with a
/// prior above 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The private table.
    pub private: PathBuf,
    /// The public table.
    pub public: PathBuf,
    /// How many members too many there are.
    pub people: u64,
    /// The rows of T with such a combination; at most [`NotInPublic::ROWS`].
    pub rows: Vec<RowPlace>,
    /// How many such rows there are in all.
    pub row_count: u64,
    /// The combinations, each with its people of P with a prior above 0 and its members of T; at most
    /// [`NotInPublic::COMBINATIONS`].
    pub combinations: Vec<(Vec<String>, Counts)>,
    /// How many such combinations there are in all.
    pub combination_count: u64,
    /// The quasi-identifiers' names.
    pub attributes: Vec<String>,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (private, public) = (self.private.display(), self.public.display());
        writeln!(
            f,
            "the prior says impossible: {} of T cannot be in it, as {public} has fewer people of their combination with a prior above 0 \
             than {private} has members",
            plural(self.people, "member")
        )?;
        let rows = place::listed(&self.rows, self.row_count);
        writeln!(f, "rows of {private} with these combinations (header not counted): {rows}")?;
        writeln!(f, "{} (in {private} / in {public} with a prior above 0):", self.attributes.join(" · "))?;
        for (combination, counts) in &self.combinations {
            writeln!(f, "  {}   {} / {}", combination.join(" · "), counts.private, counts.public)?;
        }
        let hidden = self.combination_count - self.combinations.len() as u64;
        if hidden > 0 {
            writeln!(f, "  and {} more", plural(hidden, "combination"))?;
        }
        write!(f, "correct the prior: whoever may be in T has one above 0")
    }
}

/// People whom no row of a table of rates matches, or more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// The table of rates.
    pub rates: PathBuf,
    /// The attributes that it has columns of.
    pub attributes: Vec<String>,
    /// The values of the first of them, with the rows that match them, from 1, the header not counted: none or two. At most
    /// [`RefusedValues::LISTED`](super::refused::RefusedValues::LISTED).
    pub values: Vec<(Vec<String>, Vec<u64>)>,
    /// How many such values there are.
    pub count: u64,
    /// How many people of P have such values.
    pub people: u64,
    /// The first row that matches nobody, from 1, the header not counted: perhaps it was meant for them.
    pub idle: Option<u64>,
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rates = self.rates.display();
        writeln!(
            f,
            "{rates}: each person of the public table must match one row, and {} not ({}):",
            if self.people == 1 { "1 does".to_owned() } else { format!("{} do", self.people) },
            self.attributes.join(" · ")
        )?;
        for (values, rows) in &self.values {
            let rows = rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
            let matched = if rows.is_empty() { "no row".to_owned() } else { format!("rows {rows}") };
            writeln!(f, "  {}: {matched}", values.join(" · "))?;
        }
        let hidden = self.count - self.values.len() as u64;
        if hidden > 0 {
            writeln!(f, "  and {hidden} more")?;
        }
        if let Some(row) = self.idle {
            writeln!(
                f,
                "row {row} matches nobody: its values are no labels of the hierarchies, or nobody has them"
            )?;
        }
        write!(
            f,
            "add a row for each, and let no two rows match the same people; a cell is a value or a label of the attribute's hierarchy"
        )
    }
}
