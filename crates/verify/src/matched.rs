//! A written release as it was read: its distinct rows, and which of them each combination of P matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Findings;
use super::classes::Classes;
use super::combinations::{Codes, Combinations};
use super::denote::Leaves;
use super::error::VerifyError;
use super::finding::Finding;
use super::people::{Part, People};

/// A written release, whether it is faithful to T or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// Its distinct rows, by the texts of their quasi-identifiers.
    pub rows: Vec<ReleasedRow>,
    /// The distinct combinations of P.
    pub combinations: MatchedCombinations,
    /// What the distinct texts of each quasi-identifier denote, in project order.
    pub denoted: Vec<DenotedTexts>,
    /// The columns that are published unchanged, or as a key makes them, in T's order: those of [`ReleasedRow::kept`].
    pub columns: Vec<String>,
    /// Which of the values that are published unchanged are keyed pseudonyms, by their places among these.
    pub keyed: Vec<usize>,
    /// Its new pseudonyms.
    pub drawn: BTreeSet<String>,
    /// What [`verify`](super::verify()) says of the file.
    pub findings: Findings,
}

/// A distinct released row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleasedRow {
    /// The first line that has it, from 1, the header being the first.
    pub line: u64,
    /// The texts of its quasi-identifiers, in project order.
    pub texts: Vec<String>,
    /// How often it occurs.
    pub rows: u64,
    /// How often with each combination of texts of the other [columns](Matched::columns); sorted.
    pub kept: Vec<(Vec<String>, u64)>,
}

/// What the distinct texts of a quasi-identifier denote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenotedTexts {
    /// The leaves that occur in P, in the order of the hierarchy.
    pub occurring: Vec<String>,
    /// How many leaves the hierarchy has.
    pub leaves: u64,
    /// Of each text.
    pub texts: BTreeMap<String, DenotedText>,
}

/// What a text denotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenotedText {
    /// The leaves that occur in P, by their places among these, as runs from one up to and without another, ascending.
    pub runs: Vec<(usize, usize)>,
    /// How many leaves of the hierarchy it denotes, whether they occur or not.
    pub leaves: u64,
}

/// The distinct combinations of P.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedCombinations {
    /// Those of P and T.
    all: Combinations,
    /// How many have people of P.
    len: usize,
    /// Of each one more than the row; 0 if there is none.
    rows: Vec<u32>,
    /// Of each attribute the index of each leaf among those that occur.
    indices: Vec<Vec<u32>>,
}

/// The people of P who share every quasi-identifier.
#[derive(Clone, Copy, Debug)]
pub struct MatchedCombination<'a> {
    codes: Codes<'a>,
    indices: &'a [Vec<u32>],
    /// How many people they are.
    pub people: u64,
    /// The row that they match, by its index among the rows; if there is none, nobody of them was in T.
    pub row: Option<usize>,
}

impl<'a> MatchedCombination<'a> {
    /// Its leaves in project order, each by its index among those that [occur](DenotedTexts::occurring).
    pub fn leaves(self) -> impl Iterator<Item = u32> + 'a {
        let Self { codes, indices, .. } = self;
        indices.iter().enumerate().map(move |(nth, indices)| indices[codes.get(nth) as usize])
    }
}

impl MatchedCombinations {
    /// How many they are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = MatchedCombination<'_>> {
        self.all.iter().zip(&self.rows).filter(|(own, _)| own.public > 0).map(|(own, &row)| {
            let row = row.checked_sub(1).map(|row| row as usize);
            MatchedCombination { codes: own.codes, indices: &self.indices, people: own.public, row }
        })
    }

    /// The leaf of each in one attribute, by its index among those that [occur](DenotedTexts::occurring).
    pub fn leaves(&self, attribute: usize) -> impl Iterator<Item = u32> {
        let indices = &self.indices[attribute];
        let own = self.all.iter().filter(|own| own.public > 0);
        own.map(move |own| indices[own.codes.get(attribute) as usize])
    }

    /// The combinations with the rows that they match, and of each attribute the index of each leaf.
    fn of(all: Combinations, rows: Vec<u32>, indices: Vec<Vec<u32>>) -> Self {
        let len = all.iter().filter(|own| own.public > 0).count();
        Self { all, len, rows, indices }
    }
}

/// Puts together what was read; an error where a part of it could not be.
pub(super) fn matched(
    release: &Path,
    findings: Findings,
    people: People,
    classes: Option<Classes>,
) -> Result<Matched, VerifyError> {
    let obstacles: Vec<Finding> = findings.problems.iter().filter(|own| own.is_obstacle()).cloned().collect();
    let unread = |obstacles: Vec<Finding>| {
        let problems = if obstacles.is_empty() { findings.problems.clone() } else { obstacles };
        VerifyError::Unread { path: release.to_owned(), problems }
    };
    let classes = match classes {
        Some(classes) if obstacles.is_empty() && !classes.is_partial() => classes,
        _ => return Err(unread(obstacles)),
    };
    let (denoted, indices) = denoted(&people, &classes).into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
    let (rows, matches, drawn) = classes.released();
    let keyed = people.pseudonyms.iter().filter_map(|own| match people.part(&own.column) {
        Some(Part::Kept(place)) => Some(place),
        _ => None,
    });
    let keyed = keyed.collect();
    let columns = people.columns.iter().filter(|column| matches!(column.part, Part::Kept(_)));
    let columns = columns.map(|column| column.name.clone()).collect();
    let combinations = MatchedCombinations::of(people.combinations, matches, indices);
    Ok(Matched { rows, combinations, denoted, columns, keyed, drawn, findings })
}

/// What the texts of each quasi-identifier denote, over the leaves that occur in P, and of each leaf the index among these.
fn denoted(people: &People, classes: &Classes) -> Vec<(DenotedTexts, Vec<u32>)> {
    let occurring = people.combinations.occurring(&people.leaf_counts(), true);
    let of_quasi = |(attribute, occurs): (usize, Vec<bool>)| {
        let hierarchy = &people.quasi[attribute].hierarchy;
        let known = classes.denoted(attribute);
        // Of each leaf, how many that occur are before it; then of all.
        let mut before = vec![0_usize; occurs.len() + 1];
        for (leaf, &occurs) in occurs.iter().enumerate() {
            before[leaf + 1] = before[leaf] + usize::from(occurs);
        }
        let text = |leaves: &Leaves| {
            let mut runs: Vec<(usize, usize)> = Vec::new();
            let mut all = 0;
            for (first, last) in leaves.runs() {
                let (begin, end) = (before[first as usize], before[last as usize + 1]);
                all += u64::from(last - first) + 1;
                match runs.last_mut() {
                    _ if begin == end => {}
                    Some(run) if run.1 == begin => run.1 = end,
                    _ => runs.push((begin, end)),
                }
            }
            DenotedText { runs, leaves: all }
        };
        let occurring = (0..).zip(&occurs).filter(|(_, occurs)| **occurs);
        let denoted = DenotedTexts {
            occurring: occurring.map(|(leaf, _)| hierarchy.text(leaf).to_owned()).collect(),
            leaves: occurs.len() as u64,
            texts: known.into_iter().map(|(own, leaves)| (own.to_owned(), text(leaves))).collect(),
        };
        let number = |before: &_| u32::try_from(*before).expect("fewer leaves than 32 bits can number");
        let indices = before.iter().map(number).collect();
        (denoted, indices)
    };
    occurring.into_iter().enumerate().map(of_quasi).collect()
}
