//! The content of a written release: its distinct rows, and the row that each combination of P matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::classes::{Classes, ReleasedRow};
use super::findings::Findings;
use crate::labels::Leaves;
use crate::people::{Codes, Combinations, Part, People};
use crate::problems::{Finding, VerifyError};

/// A written release and its matches with P. It may be unfaithful to T.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// The distinct rows, in the order of their quasi-identifiers' texts.
    pub rows: Vec<ReleasedRow>,
    /// The distinct combinations of P.
    pub combinations: MatchedCombinations,
    /// The leaves that the distinct texts of each quasi-identifier denote, in project order.
    pub denoted: Vec<DenotedTexts>,
    /// The columns of [`ReleasedRow::kept`] in T's order: those published unchanged, and pseudonyms made by a key.
    pub columns: Vec<String>,
    /// The new pseudonyms of the release.
    pub drawn: BTreeSet<String>,
    /// The released people, each with all rows. `None` if each row is a person.
    pub people: Option<Vec<ReleasedPerson>>,
    /// The findings of [`verify`](crate::verify()).
    pub findings: Findings,
}

/// The rows of a released person, ascending: the index of each row in [`Matched::rows`], with the texts of the other
/// [columns](Matched::columns).
pub type ReleasedPerson = Vec<(usize, Vec<String>)>;

/// The leaves that the distinct texts of a quasi-identifier denote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenotedTexts {
    /// The leaves that occur in P, in the order of the hierarchy.
    pub occurring: Vec<String>,
    /// The number of leaves in the hierarchy.
    pub leaves: u64,
    /// The leaves of each text.
    pub texts: BTreeMap<String, DenotedText>,
}

/// The leaves that a text denotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenotedText {
    /// The leaves that occur in P, as ascending runs of indices into [`DenotedTexts::occurring`]. The end of a run is exclusive.
    pub runs: Vec<(usize, usize)>,
    /// The number of leaves in the hierarchy that the text denotes, including those that do not occur.
    pub leaves: u64,
}

/// The distinct combinations of P.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedCombinations {
    /// The combinations of P and T, without their members.
    all: Combinations,
    /// The number of combinations with individuals in P.
    len: usize,
    /// For each combination 1 + the index of its row, or 0 without one.
    rows: Vec<u32>,
    /// For each attribute and leaf: its index among the leaves that occur.
    indices: Vec<Vec<u32>>,
}

/// A combination of P: the individuals who share every quasi-identifier.
#[derive(Clone, Copy, Debug)]
pub struct MatchedCombination<'a> {
    codes: Codes<'a>,
    indices: &'a [Vec<u32>],
    /// The number of individuals.
    pub people: u64,
    /// The index of the row that they match. `None` if they match no row.
    pub row: Option<usize>,
}

impl<'a> MatchedCombination<'a> {
    /// The leaves in project order, each as its index among those that [occur](DenotedTexts::occurring).
    pub fn leaves(self) -> impl Iterator<Item = u32> + 'a {
        let Self { codes, indices, .. } = self;
        let index = move |(attribute, indices): (usize, &Vec<u32>)| indices[codes.get(attribute) as usize];
        indices.iter().enumerate().map(index)
    }
}

impl MatchedCombinations {
    /// The number of combinations.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether P has no combination.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The combinations in the order of their leaves.
    pub fn iter(&self) -> impl Iterator<Item = MatchedCombination<'_>> {
        let all = self.all.iter().zip(&self.rows).filter(|(combination, _)| combination.public > 0);
        all.map(|(combination, &row)| MatchedCombination {
            codes: combination.codes,
            indices: &self.indices,
            people: combination.public,
            row: row.checked_sub(1).map(|row| row as usize),
        })
    }

    /// What `known` has for the leaf of each combination in one attribute, by the index of the leaf among those that
    /// [occur](DenotedTexts::occurring).
    pub fn column(&self, attribute: usize, known: &[u32]) -> Vec<u32> {
        // The last index is that of no leaf.
        let indices = self.indices[attribute].iter();
        let of_leaf: Vec<u32> =
            indices.map(|&index| known.get(index as usize).copied().unwrap_or_default()).collect();
        let mut column = self.all.column(attribute, &of_leaf);
        if self.len < self.all.len() {
            let mut all = self.all.iter();
            column.retain(|_| all.next().is_some_and(|combination| combination.public > 0));
        }
        column
    }

    /// Combines the combinations with their rows and the indices of the leaves.
    fn of(all: Combinations, rows: Vec<u32>, indices: Vec<Vec<u32>>) -> Self {
        let indices_of_all = (0..all.len()).into_par_iter().with_min_len(1 << 14);
        let len = indices_of_all.filter(|index| all.get(*index).public > 0).count();
        Self { all, len, rows, indices }
    }
}

/// Builds the result of a match.
///
/// # Errors
/// [`VerifyError::Unread`] if a part of the release cannot be read or matched.
pub(crate) fn matched(
    release: &Path,
    findings: Findings,
    people: People,
    classes: Option<Classes>,
) -> Result<Matched, VerifyError> {
    let obstacles: Vec<Finding> =
        findings.problems.iter().filter(|problem| problem.is_obstacle()).cloned().collect();
    let unread = |obstacles: Vec<Finding>| {
        let problems = if obstacles.is_empty() { findings.problems.clone() } else { obstacles };
        VerifyError::Unread { path: release.to_owned(), problems }
    };
    let classes = match classes {
        Some(classes) if obstacles.is_empty() && !classes.is_partial() => classes,
        _ => return Err(unread(obstacles)),
    };
    let (denoted, indices) = denoted(&people, &classes).into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
    let mut released: Option<Vec<ReleasedPerson>> =
        findings.public_rows.map(|_| classes.people().values().cloned().collect());
    released.iter_mut().flatten().for_each(|rows| rows.sort_unstable());
    let (rows, matches, drawn) = classes.released();
    let columns = people.columns.iter().filter(|column| matches!(column.part, Part::Kept(_)));
    let columns = columns.map(|column| column.name.clone()).collect();
    let combinations = MatchedCombinations::of(people.combinations.without_members(), matches, indices);
    Ok(Matched { rows, combinations, denoted, columns, drawn, people: released, findings })
}

/// For each quasi-identifier: the leaves that its texts denote, and the index of each leaf among those that occur in P.
fn denoted(people: &People, classes: &Classes) -> Vec<(DenotedTexts, Vec<u32>)> {
    let of_quasi = |(attribute, occurs): (usize, &Vec<bool>)| {
        let hierarchy = &people.quasi[attribute].hierarchy;
        let known = classes.denoted(attribute);
        // For each leaf, the number of occurring leaves before it; the last entry counts all of them.
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
        let occurring = (0..).zip(occurs).filter(|(_, occurs)| **occurs);
        let denoted = DenotedTexts {
            occurring: occurring.map(|(leaf, _)| hierarchy.text(leaf).to_owned()).collect(),
            leaves: occurs.len() as u64,
            texts: known.into_iter().map(|(label, leaves)| (label.to_owned(), text(leaves))).collect(),
        };
        let number = |before: &_| u32::try_from(*before).expect("leaves have 32-bit numbers");
        let indices = before.iter().map(number).collect();
        (denoted, indices)
    };
    classes.occurring().iter().enumerate().map(of_quasi).collect()
}
