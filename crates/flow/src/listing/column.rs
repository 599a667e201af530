//! The columns of a table of classes, after its quasi-identifiers.
//!
//! The workbench's table, the command `classes`, filters and orders follow from this list. A new column needs a variant here, with
//! its names and its value for a class, and its name in `docs/commands.md`.

use std::cmp::Ordering;
use std::fmt;

use palmtop_core::metrics::Span;
use palmtop_core::model::{Counts, Presence, Problem, Verdict};

/// A column after the quasi-identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The number of members of T.
    Private,
    /// The number of people of P.
    Public,
    /// The presence: the share of members among the people of P.
    Presence,
    /// The verdict of the policy.
    Verdict,
    /// The least posterior of its people; only if the problem has a prior.
    PosteriorMin,
    /// The greatest posterior of its people; only if the problem has a prior.
    PosteriorMax,
}

/// The kind of a column's cells.
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

/// The value of a column for a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A figure, which filters compare and orders sort by.
    Figure(Figure),
    /// The verdict on the class.
    Verdict(Verdict),
}

/// A figure of a class. All figures of a column have the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// A number of people.
    People(u64),
    /// A share of people.
    Share(Presence),
    /// A probability.
    Probability(Probability),
}

/// A probability as a float.
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

/// The facts about a class that columns show: its counts, and the posteriors of its people under a prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// The counts of the class.
    pub counts: Counts,
    /// The posteriors of its people; `None` if the problem has no prior.
    pub posterior: Option<Span>,
}

impl Column {
    /// All columns, in table order.
    pub const ALL: [Self; 6] =
        [Self::Private, Self::Public, Self::Presence, Self::Verdict, Self::PosteriorMin, Self::PosteriorMax];

    /// The columns that exist for a problem, in table order.
    pub fn of(problem: &Problem) -> impl Iterator<Item = Self> + use<> {
        let has_prior = problem.prior().is_some();
        Self::ALL.into_iter().filter(move |column| has_prior || !column.needs_prior())
    }

    /// Whether the column exists only if the problem has a prior.
    pub fn needs_prior(self) -> bool {
        self.kind() == CellKind::Probability
    }

    /// The name of the column in tables, files, filters and orders.
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

    /// The heading of the column in a narrow table.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Private => "priv",
            Self::Public => "pub",
            Self::Presence | Self::Verdict => self.name(),
            Self::PosteriorMin => "pmin",
            Self::PosteriorMax => "pmax",
        }
    }

    /// The kind of the column's cells.
    pub fn kind(self) -> CellKind {
        match self {
            Self::Private | Self::Public => CellKind::People,
            Self::Presence => CellKind::Share,
            Self::Verdict => CellKind::Verdict,
            Self::PosteriorMin | Self::PosteriorMax => CellKind::Probability,
        }
    }

    /// The value of the column for a class; `None` if it is not known.
    pub fn cell(self, verdict: Verdict, facts: Facts) -> Option<Cell> {
        match self {
            Self::Verdict => Some(Cell::Verdict(verdict)),
            _ => self.figure(facts).map(Cell::Figure),
        }
    }

    /// The figure of the column for a class; `None` if the column has no figures, too.
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

    /// The columns of figures that exist for a problem, in table order.
    pub fn figures(problem: &Problem) -> impl Iterator<Item = Self> + use<> {
        Self::of(problem).filter(|column| column.is_figure())
    }

    /// Whether the column's cells are figures.
    pub fn is_figure(self) -> bool {
        self.kind() != CellKind::Verdict
    }

    /// The column of figures with this name, in upper or lower case.
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
