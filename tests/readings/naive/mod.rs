//! The third reading: a recount written from the definitions in `docs/` alone.
//!
//! It shares nothing with the engine or with `verify`: rows are lists of texts, a label is the set of its leaves,
//! everything is found by nested loops. It is slow and plain on purpose; where it disagrees with either of the others,
//! one of the three misreads the definition.

pub(crate) mod csv;
mod date;
mod hierarchy;
mod judge;
mod labels;
mod number;
mod project;
mod tables;
mod toml;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(crate) use date::Unit;
pub(crate) use hierarchy::{Builder, Form};
pub(crate) use judge::Judgement;
pub(crate) use number::Number;
pub(crate) use project::load;

/// Why a project, a table or a hierarchy is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Refuses, saying why.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(why.into()))
}

/// What the values of an attribute are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Date,
    Category,
}

/// A quasi-identifier: its leaves in order, and of each leaf the labels from the base level to the top.
#[derive(Clone, Debug)]
pub(crate) struct Quasi {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The level that P holds; its labels are the leaves.
    pub(crate) base: usize,
    /// The leaves in their order.
    pub(crate) leaves: Vec<String>,
    /// Of each leaf its labels, the leaf itself first.
    pub(crate) labels: BTreeMap<String, Vec<String>>,
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

/// A row of T: its leaves, its kept values, and how many people it stands for.
#[derive(Clone, Debug)]
pub(crate) struct PrivateRow {
    pub(crate) leaves: Vec<String>,
    pub(crate) kept: Vec<String>,
    pub(crate) people: u128,
}

/// A row of P: its leaves, and how many people it stands for.
#[derive(Clone, Debug)]
pub(crate) struct PublicRow {
    pub(crate) leaves: Vec<String>,
    pub(crate) people: u128,
}

/// What a column of a release holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// What is published of this quasi-identifier.
    Quasi(usize),
    /// This kept value, as it is.
    Kept(usize),
}

/// A fraction.
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

/// A project, read.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) quasi: Vec<Quasi>,
    pub(crate) public: Vec<PublicRow>,
    pub(crate) private: Vec<PrivateRow>,
    /// The columns of a release, with their names, in T's order.
    pub(crate) columns: Vec<(String, Written)>,
    pub(crate) delta: (Fraction, Fraction),
    /// k and k-map: how many members, and how many people of P, a class has at least that has any members.
    pub(crate) least: (Option<u128>, Option<u128>),
    pub(crate) forbid_empty: bool,
}

/// The people of a class: of T, and of P.
pub(crate) type People = (u128, u128);

impl World {
    /// The classes of a node: what is written of each, and its people.
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

    /// Whether a class keeps δ and k; one without people of T does not where that is forbidden.
    pub(crate) fn allows(&self, (private, public): People) -> bool {
        let presence = Fraction { above: private, below: public };
        let (min, max) = self.delta;
        let is_large = private == 0 || self.is_large((private, public));
        min <= presence && presence <= max && is_large && !(self.forbid_empty && private == 0)
    }

    /// Whether a class with members has as many people as k and k-map ask.
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
