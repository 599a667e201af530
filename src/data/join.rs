//! T and P together: one histogram, or the people of T who are not in P.

use std::collections::HashMap;

use super::encode::{Encoder, Whose};
use super::error::{DataError, NotInPublic, Outsiders};
use super::groups::Groups;
use super::place::RowPlace;
use super::read::Table;
use super::tally::Tally;
use crate::model::{Code, Counts, Histogram};

/// What becomes of people of T who are not in P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutsiderRule {
    /// They are an error.
    #[default]
    Refuse,
    /// Everybody of T with a combination that T has more often than P is left out: which of them P has cannot be known.
    Drop,
    /// As many as P lacks of each combination are added to P. What holds then holds against who knows P with them.
    Add,
}

/// The two tables that are joined, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Joined<'a> {
    /// P.
    pub public: &'a Table,
    /// T, with the columns of its quasi-identifiers in project order.
    pub private: (&'a Table, &'a [&'a str]),
    /// The quasi-identifiers' names.
    pub attributes: &'a [String],
    /// What becomes of people of T who are not in P.
    pub outsiders: OutsiderRule,
}

/// Joins the tallies of both tables, checking T ⊆ P combination by combination. Where T is part of P, there is no tally of
/// its own: P's says who is in it.
///
/// # Errors
/// [`DataError::NotInPublic`] where some combination has more private than public people, and they are neither left out nor
/// added.
pub fn join(
    encoder: &Encoder,
    public: &Tally,
    private: Option<&Tally>,
    tables: &Joined,
) -> Result<(Histogram, Option<Outsiders>), DataError> {
    let public = encoder.reduce(tables.public, public)?;
    let private = private.map(|private| encoder.reduce(tables.private.0, private)).transpose()?;
    let mut is_waiting = vec![true; private.as_ref().map_or(0, Groups::len)];
    let mut columns: Vec<Vec<Code>> = vec![Vec::with_capacity(public.len()); tables.attributes.len()];
    let mut counts = Vec::with_capacity(public.len());
    let mut excess: Vec<(Vec<Code>, Counts)> = Vec::new();
    for (codes, mut here) in public.iter() {
        if let Some(private) = &private
            && let Some(place) = private.find(codes)
        {
            is_waiting[place] = false;
            // A table of its own counts its people as public ones.
            here.private = private.counts()[place].public;
        }
        if here.private > here.public {
            excess.push((codes.to_vec(), here));
            match tables.outsiders {
                OutsiderRule::Refuse => {}
                OutsiderRule::Drop => here.private = 0,
                OutsiderRule::Add => here.public = here.private,
            }
        }
        counts.push(here);
        for (column, &code) in columns.iter_mut().zip(codes) {
            column.push(code);
        }
    }
    for place in (0..is_waiting.len()).filter(|&place| is_waiting[place]) {
        if let Some(private) = &private {
            let people = private.counts()[place].public;
            excess.push((private.row(place).to_vec(), Counts::new(0, people)));
            if tables.outsiders == OutsiderRule::Add {
                counts.push(Counts::new(people, people));
                for (column, &code) in columns.iter_mut().zip(private.row(place)) {
                    column.push(code);
                }
            }
        }
    }
    if excess.is_empty() {
        return Ok((Histogram::new(columns, counts)?, None));
    }
    excess.sort_unstable();
    if tables.outsiders != OutsiderRule::Refuse {
        let (rows, row_count) = rows_of(encoder, tables, &excess)?;
        let is_added = tables.outsiders == OutsiderRule::Add;
        let of = |counts: Counts| if is_added { counts.private - counts.public } else { counts.private };
        let people = excess.iter().map(|(_, counts)| of(*counts)).sum();
        let outsiders = Outsiders { is_added, people, rows, row_count };
        return Ok((Histogram::new(columns, counts)?, Some(outsiders)));
    }
    let everyone: Vec<(Vec<Code>, Counts)> = (0..counts.len())
        .map(|index| (columns.iter().map(|column| column[index]).collect(), counts[index]))
        .chain(excess.iter().filter(|(_, counts)| counts.public == 0).cloned())
        .collect();
    Err(DataError::NotInPublic(Box::new(describe(encoder, tables, &excess, &everyone)?)))
}

fn describe(
    encoder: &Encoder,
    tables: &Joined,
    excess: &[(Vec<Code>, Counts)],
    everyone: &[(Vec<Code>, Counts)],
) -> Result<NotInPublic, DataError> {
    let people = total_excess(excess.iter().map(|(_, counts)| *counts));
    let mut explained: Vec<(String, u64)> = (0..tables.attributes.len())
        .map(|place| {
            (tables.attributes[place].clone(), people.saturating_sub(excess_without(place, everyone)))
        })
        .filter(|(_, explained)| *explained > 0)
        .collect();
    explained.sort_by_key(|(_, people)| std::cmp::Reverse(*people));
    let is_blank = |place: &usize| {
        let of_public = everyone.iter().filter(|(_, counts)| counts.public > 0);
        of_public.clone().any(|(codes, _)| encoder.text(*place, codes[*place]).trim().is_empty())
    };
    let blank = (0..tables.attributes.len()).filter(is_blank);
    let repeated = excess.iter().map(|(_, counts)| *counts).filter(|counts| counts.public > 0);
    let (rows, row_count) = rows_of(encoder, tables, excess)?;
    let texts = |codes: &[Code]| {
        codes.iter().enumerate().map(|(attribute, &code)| encoder.text(attribute, code).to_owned()).collect()
    };
    let listed = excess.iter().take(NotInPublic::COMBINATIONS);
    Ok(NotInPublic {
        private: tables.private.0.path().to_owned(),
        public: tables.public.path().to_owned(),
        people,
        rows,
        row_count,
        combinations: listed.map(|(codes, counts)| (texts(codes), *counts)).collect(),
        combination_count: excess.len() as u64,
        attributes: tables.attributes.to_vec(),
        repeated: total_excess(repeated),
        explained_by: explained,
        blank: blank.map(|place| tables.attributes[place].clone()).collect(),
    })
}

fn total_excess(counts: impl Iterator<Item = Counts>) -> u64 {
    counts.map(|counts| counts.private.saturating_sub(counts.public)).sum()
}

/// How many people of T would still not be in P if nobody looked at one attribute.
fn excess_without(attribute: usize, everyone: &[(Vec<Code>, Counts)]) -> u64 {
    let mut merged: HashMap<Vec<Code>, Counts> = HashMap::new();
    for (codes, counts) in everyone {
        let mut codes = codes.clone();
        codes.remove(attribute);
        *merged.entry(codes).or_default() += *counts;
    }
    total_excess(merged.into_values())
}

/// The first rows of T with these combinations, and how many there are.
pub(super) fn rows_of(
    encoder: &Encoder,
    tables: &Joined,
    excess: &[(Vec<Code>, Counts)],
) -> Result<(Vec<RowPlace>, u64), DataError> {
    let (table, columns) = tables.private;
    let (texts, places) = table.rows(columns)?;
    let row_count = texts.first().map_or(0, Vec::len);
    let is_excess = |row: &usize| {
        let codes: Option<Vec<Code>> = (0..)
            .zip(&texts)
            .map(|(place, texts)| encoder.read(Whose::Private, place, &texts[*row]))
            .collect();
        codes.is_some_and(|codes| excess.binary_search_by(|(known, _)| known.cmp(&codes)).is_ok())
    };
    let rows: Vec<RowPlace> = (0..row_count).filter(is_excess).map(|row| table.place(places[row])).collect();
    let count = rows.len() as u64;
    Ok((rows.into_iter().take(NotInPublic::ROWS).collect(), count))
}
