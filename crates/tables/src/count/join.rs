//! Joins T and P into one histogram, or reports the members of T who are not in P.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashSet;

use super::encode::{Encoder, Whose};
use super::packed::Combinations;
use super::tally::Tally;
use crate::error::{DataError, Excess, NotInPublic, Outsiders};
use crate::read::Table;
use crate::source::position::RowPosition;
use crate::values::look::look;
use palmtop_core::model::{Code, Counts, Histogram};
use palmtop_core::progress::Meter;

/// The treatment of members of T who are not in P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutsiderRule {
    /// They are an error.
    #[default]
    Refuse,
    /// Everyone in T with a combination that T has more often than P is left out: it is unknown
    /// which of them P has.
    Drop,
    /// The missing people of each combination are added to P. The results then hold against an
    /// attacker who knows P with them added.
    Add,
}

/// The joined tables, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Joined<'a> {
    /// P.
    pub public: &'a Table,
    /// T, with the columns of its quasi-identifiers in project order.
    pub private: (&'a Table, &'a [&'a str]),
    /// The quasi-identifiers' names.
    pub attributes: &'a [String],
    /// The treatment of members of T who are not in P.
    pub outsiders: OutsiderRule,
}

/// The most combinations of P for which a project that drops or adds members learns which attribute
/// keeps them out of P: every attribute takes one more pass over the combinations.
const MOST_EXPLAINED: usize = 1_000_000;

/// Joins the tallies of both tables and takes their combinations; checks T ⊆ P combination by
/// combination. If T is part of P, there is no second tally: P's has the members.
///
/// # Errors
/// [`DataError::NotInPublic`] if a combination has more members than people in P, and they are
/// neither left out nor added; [`DataError::Cancelled`] if the meter asks to stop.
pub fn join(
    encoder: &Encoder,
    public: &mut Tally,
    private: Option<&mut Tally>,
    tables: &Joined,
    meter: &mut Meter,
) -> Result<(Histogram, Option<Outsiders>), DataError> {
    let private = match private {
        Some(private) => Some(encoder.reduce(tables.private.0, private, meter)?),
        None => None,
    };
    let public = encoder.reduce(tables.public, public, meter)?;
    let is_member = private.is_none();
    let private = private.unwrap_or_default();
    let public = match at_once(public, (!is_member).then_some(&private), meter)? {
        Ok(histogram) => return Ok((histogram, None)),
        Err(public) => public,
    };
    let mut columns: Vec<Vec<Code>> = vec![Vec::with_capacity(public.len()); tables.attributes.len()];
    let mut counts = Vec::with_capacity(public.len());
    let mut excess: Vec<(Vec<Code>, Counts)> = Vec::new();
    let joined = public.join(&private, meter, |codes, here, there| {
        let mut people = here.unwrap_or_default();
        if !is_member {
            // A separate table counts its people as public ones.
            people.private = there.map_or(0, |there| there.public);
        }
        if people.private > people.public {
            excess.push((codes.to_vec(), people));
            match tables.outsiders {
                OutsiderRule::Refuse => {}
                OutsiderRule::Drop => people.private = 0,
                OutsiderRule::Add => people.public = people.private,
            }
        }
        if people.public > 0 {
            counts.push(people);
            columns.iter_mut().zip(codes).for_each(|(column, &code)| column.push(code));
        }
    });
    joined.map_err(|ended| ended.error(|| tables.public.too_many_people()))?;
    if excess.is_empty() {
        return Ok((Histogram::new(columns, counts)?, None));
    }
    if tables.outsiders != OutsiderRule::Refuse {
        let (rows, row_count) = rows_of(encoder, tables, &excess)?;
        let is_added = tables.outsiders == OutsiderRule::Add;
        let of = |counts: Counts| if is_added { counts.private - counts.public } else { counts.private };
        let people = excess.iter().map(|(_, counts)| of(*counts)).sum();
        let added = excess.iter().filter(|_| is_added).map(|(codes, counts)| (codes.clone(), of(*counts)));
        let added = added.collect();
        let everyone = Everyone { public: &public, private: &private, is_member };
        let explained_by = if public.len() <= MOST_EXPLAINED {
            everyone.explained_by(tables.attributes, &excess)
        } else {
            Vec::new()
        };
        let outsiders = Outsiders { is_added, people, rows, row_count, added, explained_by };
        return Ok((Histogram::new(columns, counts)?, Some(outsiders)));
    }
    let everyone = Everyone { public: &public, private: &private, is_member };
    Err(DataError::NotInPublic(Box::new(describe(encoder, tables, &excess, &everyone)?)))
}

/// The histogram if everyone in T is in P: P's columns, with the members added. The combinations are
/// returned if someone is not in P, or if they are not packed in numbers; they are then joined one by one.
fn at_once(
    public: Combinations,
    private: Option<&Combinations>,
    meter: &mut Meter,
) -> Result<Result<Histogram, Combinations>, DataError> {
    let mut ask = || if meter(0).is_break() { Err(DataError::Cancelled) } else { Ok(()) };
    let indices = private.map_or_else(|| Some(Vec::new()), |private| public.indices_of(private));
    let is_right = |people: Counts| people.public > 0 && people.private <= people.public;
    let has = |(index, people): &(usize, Counts)| people.public <= public.counts(*index).public;
    let has_all = |members: &Vec<_>| public.is_packed() && public.all(is_right) && members.iter().all(has);
    let Some(indices) = indices.filter(has_all) else { return Ok(Err(public)) };
    let mut columns = Vec::with_capacity(public.width());
    for column in 0..public.width() {
        ask()?;
        columns.push(public.column(column));
    }
    ask()?;
    let mut counts = public.into_people();
    for (index, people) in indices {
        counts[index].private = people.public;
    }
    Ok(Ok(Histogram::new(columns, counts)?))
}

/// The people of both tables.
struct Everyone<'a> {
    public: &'a Combinations,
    /// The combinations of T, if it is a separate table.
    private: &'a Combinations,
    is_member: bool,
}

fn describe(
    encoder: &Encoder,
    tables: &Joined,
    excess: &[(Vec<Code>, Counts)],
    everyone: &Everyone,
) -> Result<NotInPublic, DataError> {
    let mut known: Vec<FxHashSet<Code>> = vec![FxHashSet::default(); tables.attributes.len()];
    everyone.public.visit(|codes, _| {
        known.iter_mut().zip(codes).for_each(|(known, &code)| {
            known.insert(code);
        });
    });
    let is_blank =
        |index: &usize| known[*index].iter().any(|&code| encoder.text(*index, code).trim().is_empty());
    let blank = (0..tables.attributes.len()).filter(is_blank);
    let repeated = excess.iter().map(|(_, counts)| *counts).filter(|counts| counts.public > 0);
    Ok(NotInPublic {
        excess: excess_of(encoder, tables, excess)?,
        repeated: total_excess(repeated),
        explained_by: everyone.explained_by(tables.attributes, excess),
        blank: blank.map(|index| tables.attributes[index].clone()).collect(),
        alike: alike(encoder, tables, excess, &known),
    })
}

/// The values of T that no one in P has, and that look like one that someone has.
fn alike(
    encoder: &Encoder,
    tables: &Joined,
    excess: &[(Vec<Code>, Counts)],
    known: &[FxHashSet<Code>],
) -> Vec<[String; 3]> {
    let mut found = Vec::new();
    for (index, (attribute, known)) in tables.attributes.iter().zip(known).enumerate() {
        let strange: BTreeSet<Code> =
            excess.iter().map(|(codes, _)| codes[index]).filter(|code| !known.contains(code)).collect();
        if strange.is_empty() {
            continue;
        }
        let text = |code: Code| encoder.text(index, code);
        let mut leaves: Vec<Code> = known.iter().copied().collect();
        leaves.sort_unstable_by(|one, other| other.cmp(one));
        let looks: HashMap<String, &str> =
            leaves.into_iter().map(|code| (look(text(code)), text(code))).collect();
        let mut pairs: Vec<[String; 3]> = strange
            .into_iter()
            .filter_map(|code| Some((text(code), *looks.get(&look(text(code)))?)))
            .map(|(private, public)| [attribute.as_str(), private, public].map(ToOwned::to_owned))
            .collect();
        pairs.sort();
        found.extend(pairs);
    }
    found
}

/// Members of T in excess of P, with the first of their rows and combinations.
pub(super) fn excess_of(
    encoder: &Encoder,
    tables: &Joined,
    excess: &[(Vec<Code>, Counts)],
) -> Result<Excess, DataError> {
    let (rows, row_count) = rows_of(encoder, tables, excess)?;
    let texts = |codes: &[Code]| {
        codes.iter().enumerate().map(|(attribute, &code)| encoder.text(attribute, code).to_owned()).collect()
    };
    let listed = excess.iter().take(Excess::COMBINATIONS);
    Ok(Excess {
        private: tables.private.0.path().to_owned(),
        public: tables.public.path().to_owned(),
        people: total_excess(excess.iter().map(|(_, counts)| *counts)),
        rows,
        row_count,
        combinations: listed.map(|(codes, counts)| (texts(codes), *counts)).collect(),
        combination_count: excess.len() as u64,
        attributes: tables.attributes.to_vec(),
    })
}

fn total_excess(counts: impl Iterator<Item = Counts>) -> u64 {
    counts.map(|counts| counts.private.saturating_sub(counts.public)).sum()
}

impl Everyone<'_> {
    /// Attributes that alone keep members out of P, with the number of these members, the largest
    /// first.
    fn explained_by(&self, attributes: &[String], excess: &[(Vec<Code>, Counts)]) -> Vec<(String, u64)> {
        let people = total_excess(excess.iter().map(|(_, counts)| *counts));
        let mut explained: Vec<(String, u64)> = attributes
            .iter()
            .enumerate()
            .map(|(index, attribute)| (attribute.clone(), people.saturating_sub(self.excess_without(index))))
            .filter(|(_, explained)| *explained > 0)
            .collect();
        explained.sort_by_key(|(_, people)| std::cmp::Reverse(*people));
        explained
    }

    /// The number of members of T who are not in P if one attribute is ignored. Memory grows with
    /// T's combinations.
    fn excess_without(&self, attribute: usize) -> u64 {
        let without = |codes: &[Code]| [&codes[..attribute], &codes[attribute + 1..]].concat();
        let mut merged: HashMap<Vec<Code>, Counts> = HashMap::new();
        let members = if self.is_member { self.public } else { self.private };
        members.visit(|codes, people| {
            let private = if self.is_member { people.private } else { people.public };
            if private > 0 {
                merged.entry(without(codes)).or_default().private += private;
            }
        });
        self.public.visit(|codes, people| {
            if let Some(known) = merged.get_mut(&without(codes)) {
                known.public += people.public;
            }
        });
        total_excess(merged.into_values())
    }
}

/// The first rows of T with these combinations, and the number of all such rows.
fn rows_of(
    encoder: &Encoder,
    tables: &Joined,
    excess: &[(Vec<Code>, Counts)],
) -> Result<(Vec<RowPosition>, u64), DataError> {
    let (table, columns) = tables.private;
    let (texts, positions) = table.rows(columns)?;
    let row_count = texts.first().map_or(0, Vec::len);
    let is_excess = |row: &usize| {
        let codes: Option<Vec<Code>> = (0..)
            .zip(&texts)
            .map(|(index, texts)| encoder.read(Whose::Private, index, &texts[*row]))
            .collect();
        codes.is_some_and(|codes| excess.binary_search_by(|(known, _)| known.cmp(&codes)).is_ok())
    };
    let rows: Vec<RowPosition> =
        (0..row_count).filter(is_excess).map(|row| table.position(positions[row])).collect();
    let count = rows.len() as u64;
    Ok((rows.into_iter().take(Excess::ROWS).collect(), count))
}
