//! The columns of a table of classes behind its quasi-identifiers.
//!
//! The workbench's table, the command `classes`, filters and orders follow from this list: a new column is a variant here,
//! its names and what it says of a class, and its name in `docs/commands.md`.

use std::cmp::Ordering;
use std::fmt;

use palmtop_core::metrics::Span;
use palmtop_core::model::{Counts, Presence, Problem, Verdict};

/// A column behind the quasi-identifiers'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The people of T.
    Private,
    /// The people of P.
    Public,
    /// The share of T's people among P's.
    Presence,
    /// What the policy says.
    Verdict,
    /// The least posterior of its people, where there is a prior.
    PosteriorMin,
    /// The greatest.
    PosteriorMax,
}

/// What a column's cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Numbers of people.
    People,
    /// Shares of people, from 0 to 1.
    Share,
    /// Probabilities, from 0 to 1.
    Probability,
    /// Verdicts.
    Verdict,
}

/// What a column says of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// So much, which a filter compares and an order sorts by.
    Figure(Figure),
    /// A verdict.
    Verdict(Verdict),
}

/// A number of a class. Those of one column are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// So many people.
    People(u64),
    /// A share of people.
    Share(Presence),
    /// A probability.
    Probability(Probability),
}

/// A probability that is known as a float.
#[derive(Clone, Copy, Debug)]
pub struct Probability(pub f64);

impl PartialEq for Probability {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Probability {}

impl PartialOrd for Probability {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Probability {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What columns say things of: the counts of a class, and what an adversary with a prior believes of its people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// Its people.
    pub counts: Counts,
    /// Their posteriors, where there is a prior.
    pub posterior: Option<Span>,
}

impl Column {
    /// Every column, in the order of the tables.
    pub const ALL: [Self; 6] =
        [Self::Private, Self::Public, Self::Presence, Self::Verdict, Self::PosteriorMin, Self::PosteriorMax];

    /// The columns that there are for a problem, in the order of the tables.
    pub fn of(problem: &Problem) -> impl Iterator<Item = Self> + use<> {
        let has_prior = problem.prior().is_some();
        Self::ALL.into_iter().filter(move |column| has_prior || !column.needs_prior())
    }

    /// Whether it is there only where there is a prior.
    pub fn needs_prior(self) -> bool {
        self.kind() == CellKind::Probability
    }

    /// Its name in tables and files, filters and orders.
    pub fn name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
            Self::Presence => "presence",
            Self::Verdict => "verdict",
            Self::PosteriorMin => "posterior_min",
            Self::PosteriorMax => "posterior_max",
        }
    }

    /// Its heading where there is little room.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Private => "priv",
            Self::Public => "pub",
            Self::Presence | Self::Verdict => self.name(),
            Self::PosteriorMin => "pmin",
            Self::PosteriorMax => "pmax",
        }
    }

    /// What its cells are.
    pub fn kind(self) -> CellKind {
        match self {
            Self::Private | Self::Public => CellKind::People,
            Self::Presence => CellKind::Share,
            Self::Verdict => CellKind::Verdict,
            Self::PosteriorMin | Self::PosteriorMax => CellKind::Probability,
        }
    }

    /// What it says of a class; `None` where that is not known.
    pub fn cell(self, verdict: Verdict, facts: Facts) -> Option<Cell> {
        match self {
            Self::Verdict => Some(Cell::Verdict(verdict)),
            _ => self.figure(facts).map(Cell::Figure),
        }
    }

    /// The same for a column of figures; `None` for another, too.
    pub fn figure(self, facts: Facts) -> Option<Figure> {
        let probability = |of: fn(Span) -> f64| facts.posterior.map(|span| Probability(of(span)));
        match self {
            Self::Private => Some(Figure::People(facts.counts.private)),
            Self::Public => Some(Figure::People(facts.counts.public)),
            Self::Presence => Some(Figure::Share(facts.counts.presence())),
            Self::Verdict => None,
            Self::PosteriorMin => probability(|span| span.min).map(Figure::Probability),
            Self::PosteriorMax => probability(|span| span.max).map(Figure::Probability),
        }
    }

    /// The columns of figures that there are for a problem, in the order of the tables.
    pub fn figures(problem: &Problem) -> impl Iterator<Item = Self> + use<> {
        Self::of(problem).filter(|column| column.is_figure())
    }

    /// Whether its cells are figures.
    pub fn is_figure(self) -> bool {
        self.kind() != CellKind::Verdict
    }

    /// The column of figures with this name, in any case.
    pub(super) fn named(name: &str, problem: &Problem) -> Option<Self> {
        Self::figures(problem).find(|column| column.name().eq_ignore_ascii_case(name))
    }

    /// The names of the columns of figures, alphabetically.
    pub(super) fn names(problem: &Problem) -> Vec<&'static str> {
        let mut names: Vec<&str> = Self::figures(problem).map(Self::name).collect();
        names.sort_unstable();
        names
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Figure(Figure::People(people)) => people.fmt(f),
            Self::Figure(Figure::Share(share)) => share.fmt(f),
            Self::Figure(Figure::Probability(Probability(number))) => f.pad(&number.to_string()),
            Self::Verdict(verdict) => f.pad(verdict.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_columns_apart_and_figures_are_of_their_column_s_kind() {
        let facts = Facts { counts: Counts::new(3, 1), posterior: Some(Span { min: 0.25, max: 0.5 }) };
        for column in Column::ALL {
            assert!(Column::ALL.iter().filter(|other| other.name() == column.name()).count() == 1);
            let kind = match column.figure(facts) {
                Some(Figure::People(_)) => CellKind::People,
                Some(Figure::Share(_)) => CellKind::Share,
                Some(Figure::Probability(_)) => CellKind::Probability,
                None => CellKind::Verdict,
            };
            assert_eq!((column.kind(), column.is_figure()), (kind, kind != CellKind::Verdict));
            let without = Facts { posterior: None, ..facts };
            assert_eq!(column.figure(without).is_none(), column.needs_prior() || !column.is_figure());
        }
    }
}
