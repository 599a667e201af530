//! What whoever holds several releases of one private table can infer: bounds on everybody's presence, and its expectation.
//!
//! Every release says how many members of T are in each of its classes. People who are in the same class of every release
//! are alike for whoever holds all of them: they are an *atom*, and what there is to know of one of them is how many of the
//! atom are in T. The classes' rows are margins of a table whose cells are the atoms; what they say of a cell is an old
//! question of statistics (Dobra, Fienberg: Bounds for cell entries in contingency tables given marginal totals and
//! decomposable graphs, PNAS 2000).
//!
//! Pure mathematics over counts: it knows no file, no label and no δ but in [`judge`](Composition::judge).
//!
//! **The prior.** All T ⊆ P of the released size are equally likely. Where people were added or removed between the
//! releases, all chains T₁ ⊆ T₂ ⊆ … (or ⊇) of the released sizes are. Where columns are published unchanged, a member has
//! the same values in all releases, and all ways of giving the published values to the members are equally likely.

mod error;
mod work;
mod system;
mod bounds;
mod components;
mod exact;
mod flow;
mod pairs;
mod fit;
mod solve;
mod judge;
#[cfg(test)]
mod tests;

use self::solve::solve;
use self::system::System;
use self::work::{Halt, Work};
use palmtop_core::model::size;
use palmtop_core::progress::Meter;

pub use error::ComposeError;
pub use judge::{Beyond, Judgement, Worst};

/// What one release says: which class every combination of P is in, and how many members of T each class has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Of each combination its class, as an index into `rows`; where there is none, nobody of the combination is in T.
    pub class_of: Vec<Option<u32>>,
    /// Of each class how many rows it has with each value of what is published unchanged, sorted by these. Values are
    /// numbered alike in all releases; where nothing is published unchanged there is one, 0.
    pub rows: Vec<Vec<(u32, u64)>>,
}

/// How T may have changed from a release to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Change {
    /// Not at all.
    #[default]
    Same,
    /// People were added: the first T is a part of the second.
    Added,
    /// People were removed: the second T is a part of the first.
    Removed,
}

/// How much work may be done; what it does not suffice for is bounded and estimated. It counts steps and no time, so that
/// the same releases always give the same figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Transitions of the exact computation of one component: 16 bytes each are held.
    pub component: u64,
    /// Transitions of all components.
    pub exact: u64,
    /// Arcs that are looked at for exact bounds of two releases.
    pub flow: u64,
    /// Cells that are scaled for the estimates.
    pub fit: u64,
}

/// What all the releases tell together.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    /// Of each combination its atom.
    pub atom_of: Vec<u32>,
    /// Everybody, by atoms.
    pub atoms: Vec<Atom>,
    /// How many private tables there are: 1 where T did not change, else one for each release or run of releases of one T.
    pub tables: usize,
    /// Of each release, which of these it is of.
    pub table_of: Vec<usize>,
    /// The parts of the system that have nothing to do with each other and are not known from the bounds alone.
    pub components: Components,
    /// How the estimates were come by, where there are some.
    pub fit: Option<Fit>,
}

/// How many components there are by how they were solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// Those whose bounds and expectations are exact.
    pub exact: usize,
    /// Those whose expectations are estimated.
    pub estimated: usize,
}

/// How well the estimates fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// How often all margins were gone through.
    pub sweeps: u64,
    /// The largest share by which a margin is missed.
    pub deviation: f64,
}

impl Fit {
    /// A deviation that is as good as none.
    pub const CONVERGED: f64 = 1e-6;

    /// Whether every margin is met.
    pub fn has_converged(&self) -> bool {
        self.deviation <= Self::CONVERGED
    }
}

/// People who are in the same class of every release.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// How many people of P they are.
    pub people: u64,
    /// Their class in each release.
    pub classes: Vec<Option<u32>>,
    /// How the expectation was come by.
    pub method: Method,
    /// Whether no narrower bounds are true; else they are true and perhaps not the narrowest.
    pub is_tight: bool,
    /// How many of them are in each of the private tables.
    pub members: Vec<Members>,
}

/// How many of an atom's people are in T.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Members {
    /// At least so many, whatever the prior.
    pub least: u64,
    /// At most so many, whatever the prior.
    pub most: u64,
    /// The mean under the uniform prior.
    pub expected: f64,
}

/// How an expectation was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By counting all tables, in floating point: correct to about one part in 10⁹.
    Exact,
    /// By iterative proportional fitting: the most even table with these margins, a fair estimate where people are many.
    Estimated,
}

impl Method {
    /// The word in reports.
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

/// What the releases of one P tell together.
///
/// `people` is how many of P each combination has; `changes` says how T may have changed from each release to the next.
/// The bounds are propagated until they stay, and where they can be, the narrowest; the expectations are exact or estimated.
///
/// # Errors
/// A [`ComposeError`]: no T gives all of the releases, there is more than can be held, or the meter says stop. The meter is
/// told how many of [`atoms`](Composition::atoms) are done.
///
/// # Panics
/// If there is not one change between each release and the next, or a release has not a class for every combination.
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
        self.atom_of.iter().enumerate().filter(move |(_, own)| **own == number).map(|(place, _)| place)
    }
}
