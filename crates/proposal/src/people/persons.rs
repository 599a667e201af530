//! Who is a person: the identifiers that several rows have, and the question what these rows are.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::columns::roles::{distinct, is_nearly_unique};
use crate::people::identified::{Candidate, PersonRows};
use crate::sources::survey::{Column, Survey};
use crate::words::shown;
use crate::{Ambiguity, Choice, Decision, Decisions, Proposal, ProposedAttribute};
use palmtop_core::model::Role;
use palmtop_core::words::count;
use palmtop_core::words::names;
use palmtop_tables::literal::toml_string;
use palmtop_tables::order::is_day;
use palmtop_tables::read::digest;
use palmtop_tables::telling::{ROWS, may_be_people, names_people};

/// The rows that have one identifier, in one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// The first row of each identifier, by a hash of the identifier, and the hash of this row's values.
    first: FxHashMap<u128, (u64, u64)>,
    /// The identifiers that have other rows, too.
    several: FxHashMap<u128, Seen>,
    rows: u64,
}

/// The rows of one identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    first: u64,
    /// A row that differs from the first, else a row that agrees with it.
    other: u64,
    differs: bool,
    rows: u64,
    /// The rows that agree with the first.
    agreeing: u64,
}

/// How many identifiers a question shows.
const SHOWN: usize = 3;
/// How many columns are offered to order the rows of a person by.
const ORDERS: usize = 2;

impl Repeated {
    /// Adds a row with its number, the number of its combination and its identifier.
    pub(crate) fn add(&mut self, row: u64, combination: u64, identifier: &str) {
        self.rows += 1;
        if identifier.trim().is_empty() {
            return;
        }
        let identifier = digest([identifier]);
        let (first, values) = match self.first.entry(identifier) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                new.insert((row, combination));
                return;
            }
        };
        let seen = Seen { first, other: row, differs: false, rows: 1, agreeing: 0 };
        let seen = self.several.entry(identifier).or_insert(seen);
        let differs = values != combination;
        if differs && !seen.differs {
            seen.other = row;
        }
        seen.rows += 1;
        seen.agreeing += u64::from(!differs);
        seen.differs |= differs;
    }

    fn several(&self) -> impl Iterator<Item = &Seen> {
        self.several.values()
    }

    fn surplus(&self) -> u64 {
        self.several().map(|seen| seen.rows - 1).sum()
    }

    fn differing(&self) -> u64 {
        self.several().filter(|seen| seen.differs).count() as u64
    }

    /// What is found, as a phrase.
    fn describe(&self, table: &str) -> Option<String> {
        let identifiers = self.several.len() as u64;
        if identifiers == 0 {
            return None;
        }
        let mut first: Vec<(u64, u64, bool)> =
            self.several().map(|seen| (seen.first, seen.other, seen.differs)).collect();
        first.sort_unstable();
        let first = first.iter().take(SHOWN).map(|(row, other, differs)| {
            format!("{row} and {other} {}", if *differs { "differ" } else { "agree" })
        });
        let differing = self.differing();
        Some(format!(
            "{} in several rows of {table}, {} more rows than people (rows {}); the rows of {} agree in all quasi-identifiers, those of \
             {differing} differ",
            if identifiers == 1 { "1 value is".to_owned() } else { format!("{identifiers} values are") },
            count(self.surplus()),
            first.collect::<Vec<_>>().join(", "),
            identifiers - differing,
        ))
    }
}

/// Whether a value of a column is in several rows.
fn has_repeats(column: &Column) -> bool {
    !column.is_complete || column.texts.iter().any(|(text, rows)| rows.count > 1 && !text.trim().is_empty())
}

/// The identifiers that several rows have, in either table.
pub(crate) fn candidates(proposal: &Proposal, public: &Survey, private: Option<&Survey>) -> Vec<Candidate> {
    let is_identifier = |attribute: &&ProposedAttribute| attribute.role == Role::Identifier;
    let identifiers = proposal.attributes.iter().filter(is_identifier);
    let mut found = Vec::new();
    let mut says_who = proposal.count.is_some() || private.is_none();
    for attribute in identifiers {
        let of_public = attribute.public_column.as_deref().and_then(|column| public.column(column));
        let of_private = attribute.private_column.as_deref().and_then(|column| private?.column(column));
        says_who |= of_public.is_some();
        let own = of_private;
        if of_public.into_iter().chain(own).any(has_repeats) {
            let columns = [of_public, own].map(|column| column.map(|column| column.name.clone()));
            found.push(Candidate {
                name: attribute.name.clone(),
                orders: orders(public, private.filter(|_| own.is_some()), &columns),
                columns,
                is_guess: false,
                is_named: true,
            });
        }
    }
    let is_used = |name: &str| {
        proposal.attributes.iter().any(|attribute| attribute.public_column.as_deref() == Some(name))
    };
    for column in public.columns.iter().filter(|column| !says_who && !is_used(&column.name)) {
        let (values, rows) = distinct(column);
        let is_named = names_people(&column.name) && may_be_people(values, rows);
        if has_repeats(column) && (is_named || (rows >= ROWS && is_nearly_unique(column))) {
            let columns = [Some(column.name.clone()), None];
            found.push(Candidate {
                name: column.name.clone(),
                orders: orders(public, None, &columns),
                columns,
                is_guess: true,
                is_named,
            });
        }
    }
    found
}

/// The columns of days that order the rows of a person.
fn orders(public: &Survey, private: Option<&Survey>, own: &[Option<String>; 2]) -> Vec<String> {
    let are_days = |column: &Column| {
        let mut texts = column.texts.keys().map(|text| text.trim()).filter(|text| !text.is_empty());
        column.texts.len() > 1 && texts.all(is_day)
    };
    // T needs no such column if it has one row of each person.
    let is_once = |private: &Survey| {
        own[1].as_ref().and_then(|own| private.column(own)).is_some_and(|own| !has_repeats(own))
    };
    let has = |column: &&Column| {
        private.is_none_or(|private| private.column(&column.name).map_or_else(|| is_once(private), are_days))
            && own[0].as_ref() != Some(&column.name)
    };
    let columns = public.columns.iter().filter(|column| are_days(column)).filter(has);
    columns.take(ORDERS).map(|column| column.name.clone()).collect()
}

impl Decisions {
    /// What the rows with one value of an identifier are.
    pub(crate) fn repeats_of(&self, name: &str) -> Option<&PersonRows> {
        self.last(|decision| match decision {
            Decision::Repeats { column, rows } if column == name => Some(rows),
            _ => None,
        })
    }
}

impl Proposal {
    /// Applies the decisions about the rows of one person.
    pub(crate) fn decide_persons(&mut self, decisions: &Decisions) {
        for candidate in &self.candidates {
            let Some(rows) = decisions.repeats_of(&candidate.name) else { continue };
            if candidate.is_guess {
                self.person = Some((candidate.name.clone(), rows.clone()));
            } else if let Some(attribute) =
                self.attributes.iter_mut().find(|attribute| attribute.name == candidate.name)
            {
                attribute.rows = Some(rows.clone());
            }
        }
    }

    /// The column of P, or of T, by which one row of each person counts.
    pub(crate) fn counted_once(&self, of_private: bool) -> Option<String> {
        let once = |rows: &PersonRows| *rows != PersonRows::Shared;
        let of_attribute = self.attributes.iter().find(|attribute| attribute.rows.as_ref().is_some_and(once));
        let column = of_attribute.and_then(|attribute| {
            if of_private { attribute.private_column.clone() } else { attribute.public_column.clone() }
        });
        let of_public = self.person.as_ref().filter(|(_, rows)| !of_private && once(rows));
        column.or_else(|| of_public.map(|(column, _)| column.clone()))
    }

    /// Asks what the rows of one identifier are.
    pub(crate) fn settle_persons(&mut self, repeated: &[[Repeated; 2]], decisions: &Decisions) {
        let tables = [Some(&self.public), self.private.as_ref()]
            .map(|table| table.map(|table| shown(&table.name())).unwrap_or_default());
        let mut asked = Vec::new();
        for (candidate, repeated) in self.candidates.iter().zip(repeated) {
            if decisions.repeats_of(&candidate.name).is_none() {
                asked.extend(candidate.question(repeated, &tables));
            }
        }
        self.ambiguities.extend(asked);
    }
}

impl Candidate {
    fn question(&self, repeated: &[Repeated; 2], tables: &[String; 2]) -> Option<Ambiguity> {
        if self.is_guess && !self.is_named {
            let agreeing: u64 = repeated[0].several().map(|seen| seen.agreeing).sum();
            if agreeing < 2 || agreeing * 2 < repeated[0].surplus() {
                return None;
            }
        }
        let both = repeated.iter().zip(tables).zip(&self.columns);
        let found: Vec<String> = both
            .filter_map(|((repeated, table), column)| repeated.describe(column.as_ref().map(|_| table)?))
            .collect();
        if found.is_empty() {
            return None;
        }
        let sizes = |once: bool| {
            let sizes =
                repeated.iter().zip(["P", "T"]).zip(&self.columns).filter(|(_, column)| column.is_some());
            let size = |((repeated, table), _): ((&Repeated, &str), _)| {
                format!("|{table}| {}", count(repeated.rows - if once { repeated.surplus() } else { 0 }))
            };
            sizes.map(size).collect::<Vec<_>>().join(", ")
        };
        let mut offers = Vec::new();
        if repeated.iter().all(|repeated| repeated.differing() == 0) {
            offers.push((PersonRows::Distinct, format!("one person, counted once: {}", sizes(true))));
        }
        for order in &self.orders {
            let label = format!("one row of each person, the first by {order}: {}", sizes(true));
            offers.push((PersonRows::FirstBy(order.clone()), label));
        }
        if self.columns.iter().all(Option::is_some) {
            offers
                .push((PersonRows::Entity, format!("all rows of a person, in nodes only: {}", sizes(true))));
        }
        offers.push((PersonRows::Shared, format!("different people share it: {}", sizes(false))));
        let choice = |(rows, label): (PersonRows, String)| Choice {
            label,
            decision: Decision::Repeats { column: self.name.clone(), rows },
        };
        let keys =
            ["distinct = true", "first_by = \"COLUMN\"", "repeats = \"REASON\""].map(ToOwned::to_owned);
        let place = if self.is_guess {
            format!("`person = {{ column = {}, … }}` under [public]", toml_string(&self.name))
        } else {
            format!("[[attribute]] `{}`", self.name)
        };
        let subject =
            if self.is_guess { format!("P's column `{}`", self.name) } else { "identifier".to_owned() };
        Some(Ambiguity {
            attribute: (!self.is_guess).then(|| self.name.clone()),
            what: format!(
                "{subject}: {}; is each row a person? `check` refuses them until the project says so",
                found.join("; ")
            ),
            remedy: format!("write {} in {place}", names(&keys)),
            choices: offers.into_iter().map(choice).collect(),
        })
    }
}

/// Leaves out later rows of a person, once the analyst decided so.
#[derive(Debug, Default)]
pub(crate) struct Once {
    /// Hashes of identifiers.
    seen: FxHashSet<u128>,
}

impl Once {
    /// Whether the row of an identifier counts.
    pub(crate) fn counts(&mut self, identifier: &str) -> bool {
        identifier.trim().is_empty() || self.seen.insert(digest([identifier]))
    }
}
