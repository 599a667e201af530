//! The third reading: a recount written from the definitions in `docs/` alone.
//!
//! It shares no code with the engine or with `verify`. Rows are lists of texts, a label is the set
//! of its leaves, and nested loops find everything. The code is slow and plain on purpose. If it
//! disagrees with one of the others, one of the three misreads the definition.

pub(crate) mod csv;
mod date;
mod hierarchy;
mod judge;
mod labels;
mod meaning;
mod number;
mod persons;
mod project;
mod sets;
mod tables;
mod toml;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(crate) use date::Unit;
pub(crate) use hierarchy::{Builder, Form, Open};
pub(crate) use judge::Judgement;
pub(crate) use number::Number;
pub(crate) use project::load;
pub(crate) use sets::text_of;

/// Why a project, a table or a hierarchy is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Refuses with this reason.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(why.into()))
}

/// The kind of values of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Date,
    Category,
}

/// A quasi-identifier: its leaves in order and, for each leaf, the labels from the base level to
/// the top.
#[derive(Clone, Debug)]
pub(crate) struct Quasi {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The level of the values in P. Its labels are the leaves.
    pub(crate) base: usize,
    /// The leaves in their order.
    pub(crate) leaves: Vec<String>,
    /// The labels of each leaf, the leaf itself first.
    pub(crate) labels: BTreeMap<String, Vec<String>>,
    /// The leaves that somebody of P has, in their order.
    pub(crate) occurring: Vec<String>,
    /// The most terms of a set; 1 means labels only.
    pub(crate) terms: Option<usize>,
    /// The level of the labels at which ranges begin and end.
    pub(crate) borders: Option<usize>,
}

impl Quasi {
    /// The last level.
    pub(crate) fn top(&self) -> usize {
        self.base + self.labels.values().next().map_or(1, Vec::len) - 1
    }

    /// The leaves that a text of some level denotes.
    pub(crate) fn meaning(&self, text: &str) -> Option<BTreeSet<String>> {
        for level in self.base..=self.top() {
            let meant: BTreeSet<String> = self
                .leaves
                .iter()
                .filter(|leaf| self.labels[*leaf][level - self.base] == text)
                .cloned()
                .collect();
            if !meant.is_empty() {
                return Some(meant);
            }
        }
        None
    }
}

/// A row of T: its leaves, its kept values, and its number of people.
#[derive(Clone, Debug)]
pub(crate) struct PrivateRow {
    pub(crate) leaves: Vec<String>,
    pub(crate) kept: Vec<String>,
    pub(crate) people: u128,
}

/// A row of P: its leaves and its number of people.
#[derive(Clone, Debug)]
pub(crate) struct PublicRow {
    pub(crate) leaves: Vec<String>,
    pub(crate) people: u128,
}

/// The content of a column of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// The label of the quasi-identifier with this index.
    Quasi(usize),
    /// The kept value with this index, unchanged.
    Kept(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fraction {
    pub(crate) above: u128,
    pub(crate) below: u128,
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.above * other.below == other.above * self.below
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self.above * other.below).partial_cmp(&(other.above * self.below))
    }
}

/// A loaded project.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) quasi: Vec<Quasi>,
    pub(crate) public: Vec<PublicRow>,
    pub(crate) private: Vec<PrivateRow>,
    /// The columns of a release, with their names, in T's order.
    pub(crate) columns: Vec<(String, Written)>,
    pub(crate) delta: (Fraction, Fraction),
    /// k and k-map: the least number of members, and of people of P, in a class with members.
    pub(crate) least: (Option<u128>, Option<u128>),
    pub(crate) forbid_empty: bool,
}

/// The people of a class: of T, and of P.
pub(crate) type People = (u128, u128);

impl World {
    /// The classes of a node: the written texts of each, and its people.
    pub(crate) fn classes(&self, node: &[usize]) -> BTreeMap<Vec<String>, People> {
        let label = |leaves: &[String]| -> Vec<String> {
            let each = self.quasi.iter().enumerate();
            each.map(|(nth, quasi)| quasi.labels[&leaves[nth]][node[nth] - quasi.base].clone()).collect()
        };
        let mut classes: BTreeMap<Vec<String>, People> = BTreeMap::new();
        for row in &self.public {
            classes.entry(label(&row.leaves)).or_default().1 += row.people;
        }
        for row in &self.private {
            classes.entry(label(&row.leaves)).or_default().0 += row.people;
        }
        classes
    }

    /// Whether a class keeps δ and k. A class without members of T does not if the project forbids
    /// empty classes.
    pub(crate) fn allows(&self, (private, public): People) -> bool {
        let presence = Fraction { above: private, below: public };
        let (min, max) = self.delta;
        let is_large = private == 0 || self.is_large((private, public));
        min <= presence && presence <= max && is_large && !(self.forbid_empty && private == 0)
    }

    /// Whether a class with members has at least the people that k and k-map require.
    pub(crate) fn is_large(&self, (private, public): People) -> bool {
        let (members, people) = self.least;
        members.is_none_or(|least| private >= least) && people.is_none_or(|least| public >= least)
    }

    /// |T| and |P|.
    pub(crate) fn people(&self) -> People {
        let private = self.private.iter().map(|row| row.people).sum();
        (private, self.public.iter().map(|row| row.people).sum())
    }
}
