//! What an attacker with several releases of one private table can infer: bounds on everyone's
//! presence, and its expectation.
//!
//! Every release reveals the number of members in each of its classes. People who are in the same
//! class of every release cannot be distinguished: they are an *atom*. All that can be inferred
//! about a person is how many people of the atom are in T. The classes' row counts are margins of a
//! table whose cells are the atoms. Bounds on the cells are a known problem of statistics (Dobra,
//! Fienberg: Bounds for cell entries in contingency tables given marginal totals and decomposable
//! graphs, PNAS 2000).
//!
//! The module computes with counts only. It knows no files and no labels, and δ only in
//! [`judge`](Composition::judge).
//!
//! **The prior.** All T ⊆ P of the released size are equally likely. If people were added or
//! removed between releases, all chains T₁ ⊆ T₂ ⊆ … (or ⊇) of the released sizes are equally
//! likely. If columns are published unchanged, a member has the same values in all releases, and
//! all assignments of the published values to the members are equally likely.
//!
//! **Withdrawn members.** If a release lacks members, the people who match none of its rows are one
//! more class, the pool. The attacker is taken to know |T|, and so the number of members in the
//! pool. The pool publishes no values: a member in it may have any of the published values.

mod beside;
mod error;
mod exact;
mod fit;
mod judge;
mod pairs;
mod solve;
mod system;
#[cfg(test)]
mod tests;

use self::solve::solve;
use self::system::System;
use self::system::work::{Halt, Work};
use palmtop_core::model::size;
use palmtop_core::progress::Meter;

pub use beside::run_within_release;
pub use error::ComposeError;
pub use judge::{Beyond, Judgement, Worst};

/// The information of one release: the class of every combination of P, and the members of each
/// class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The class of each combination, as an index into `rows`. `None` means that the combination
    /// matches no row: it is in the pool.
    pub class_of: Vec<Option<u32>>,
    /// For each class, its number of rows for each value of the columns that are published
    /// unchanged, sorted by value. Values have the same number in all releases. If no column is
    /// published unchanged, there is one value, 0.
    pub rows: Vec<Vec<(u32, u64)>>,
    /// The number of members in the pool: the withdrawn members. If it is 0, nobody in the pool is
    /// a member.
    pub withdrawn: u64,
}

/// How T may have changed between two consecutive releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Change {
    /// T did not change.
    #[default]
    Same,
    /// People were added: the first T is a subset of the second.
    Added,
    /// People were removed: the second T is a subset of the first.
    Removed,
}

/// Limits on the work. Parts that exceed a limit are bounded and estimated. The limits count steps,
/// not time, so that the same releases always give the same figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The transitions of the exact computation of one component; each takes 16 bytes.
    pub component: u64,
    /// The transitions of all components.
    pub exact: u64,
    /// The arcs that are examined for exact bounds of two releases.
    pub flow: u64,
    /// The cells that are scaled for the estimates.
    pub fit: u64,
}

/// The joint information of all releases.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    /// The atom of each combination.
    pub atom_of: Vec<u32>,
    /// All atoms; together they have everyone in P.
    pub atoms: Vec<Atom>,
    /// The number of private tables: one for each release or run of releases of the same T.
    pub tables: usize,
    /// The table of each release.
    pub table_of: Vec<usize>,
    /// The independent parts of the system that the bounds alone do not determine.
    pub components: Components,
    /// The quality of the estimates; `None` without estimates.
    pub fit: Option<Fit>,
}

/// The numbers of components, by method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// Components with exact bounds and expectations.
    pub exact: usize,
    /// Components with estimated expectations.
    pub estimated: usize,
}

/// The quality of the estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The number of passes over all margins.
    pub sweeps: u64,
    /// The largest relative error of a margin.
    pub deviation: f64,
}

impl Fit {
    /// The largest deviation that counts as converged.
    pub const CONVERGED: f64 = 1e-6;

    /// Whether every margin is met.
    pub fn has_converged(&self) -> bool {
        self.deviation <= Self::CONVERGED
    }
}

/// People who are in the same class of every release.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// The number of people of P in the atom.
    pub people: u64,
    /// The class of these people in each release; `None` for the pool.
    pub classes: Vec<Option<u32>>,
    /// The method of the expectation.
    pub method: Method,
    /// Whether the bounds are the narrowest possible. If not, they are correct but may be wider.
    pub is_tight: bool,
    /// The number of these people in each of the private tables.
    pub members: Vec<Members>,
}

/// The number of an atom's people in T.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Members {
    /// The least possible number, for any prior.
    pub least: u64,
    /// The greatest possible number, for any prior.
    pub most: u64,
    /// The mean under the uniform prior.
    pub expected: f64,
}

/// The method of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By counting all tables in floating point, with a relative error of about 10⁻⁹.
    Exact,
    /// By iterative proportional fitting. The result is the most even table with these margins, a
    /// good estimate if there are many people.
    Estimated,
}

impl Method {
    /// The word in reports, a stable key.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Estimated => "estimated (IPF)",
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { component: 1 << 20, exact: 1 << 25, flow: 1 << 30, fit: 1 << 30 }
    }
}

/// Computes the joint information of the releases of one P.
///
/// `people` has the number of people of each combination. `changes` has the possible change of T
/// between each release and the next. The bounds are propagated until they do not move; if
/// possible, they are the narrowest. The expectations are exact or estimated.
///
/// # Errors
/// [`ComposeError`] if no T gives all of the releases, if the system is too large, or if the meter
/// stops the computation. The meter receives the number of [`atoms`](Composition::atoms) that are
/// done.
///
/// # Panics
/// If `changes` does not have one entry for each pair of consecutive releases, or if a release does
/// not have an entry for every combination.
pub fn compose(
    people: &[u64],
    releases: &[Published],
    changes: &[Change],
    limits: Limits,
    meter: &mut Meter,
) -> Result<Composition, ComposeError> {
    assert_eq!(changes.len() + 1, releases.len(), "a change between each release and the next");
    error::check_sizes(releases, changes)?;
    let system = System::of(people, releases, changes)?;
    let mut work = Work::new(meter);
    match solve(&system, releases, limits, &mut work) {
        Ok(composition) => Ok(composition),
        Err(Halt::Cancelled) => Err(ComposeError::Cancelled),
        Err(Halt::NoTable) => Err(error::no_table(people, releases, changes, limits, meter)),
    }
}

impl Composition {
    /// The combinations of an atom.
    pub fn combinations_of(&self, atom: usize) -> impl Iterator<Item = usize> + '_ {
        let number = size::number(atom);
        self.atom_of.iter().enumerate().filter(move |(_, atom)| **atom == number).map(|(index, _)| index)
    }
}
