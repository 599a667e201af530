//! The columns of a table of classes, after its quasi-identifiers.
//!
//! The workbench's table, the command `classes`, filters and orders follow from this list. A new column needs a variant here, with
//! its names and its value for a class, and its name in `docs/commands.md`.

use std::fmt;

use palmtop_core::model::{Counts, Presence, Verdict};

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
}

/// The kind of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Numbers of people.
    People,
    /// Shares of people, from 0 to 1.
    Share,
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
}

impl Column {
    /// All columns, in table order.
    pub const ALL: [Self; 4] = [Self::Private, Self::Public, Self::Presence, Self::Verdict];

    /// The name of the column in tables, files, filters and orders.
    pub fn name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
            Self::Presence => "presence",
            Self::Verdict => "verdict",
        }
    }

    /// The heading of the column in a narrow table.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Private => "priv",
            Self::Public => "pub",
            Self::Presence | Self::Verdict => self.name(),
        }
    }

    /// The kind of the column's cells.
    pub fn kind(self) -> CellKind {
        match self {
            Self::Private | Self::Public => CellKind::People,
            Self::Presence => CellKind::Share,
            Self::Verdict => CellKind::Verdict,
        }
    }

    /// The value of the column for a class.
    pub fn cell(self, verdict: Verdict, counts: Counts) -> Cell {
        self.figure(counts).map_or(Cell::Verdict(verdict), Cell::Figure)
    }

    /// The figure of the column for a class; `None` if the column has no figures.
    pub fn figure(self, counts: Counts) -> Option<Figure> {
        match self {
            Self::Private => Some(Figure::People(counts.private)),
            Self::Public => Some(Figure::People(counts.public)),
            Self::Presence => Some(Figure::Share(counts.presence())),
            Self::Verdict => None,
        }
    }

    /// The columns of figures, in table order.
    pub fn figures() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|column| column.is_figure())
    }

    /// Whether the column's cells are figures.
    pub fn is_figure(self) -> bool {
        self.kind() != CellKind::Verdict
    }

    /// The column of figures with this name, in upper or lower case.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::figures().find(|column| column.name().eq_ignore_ascii_case(name))
    }

    /// The names of the columns of figures, alphabetically.
    pub(super) fn names() -> Vec<&'static str> {
        let mut names: Vec<&str> = Self::figures().map(Self::name).collect();
        names.sort_unstable();
        names
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Figure(Figure::People(people)) => people.fmt(f),
            Self::Figure(Figure::Share(share)) => share.fmt(f),
            Self::Verdict(verdict) => f.pad(verdict.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_names_are_unique_and_kinds_match_figures() {
        for column in Column::ALL {
            assert!(Column::ALL.iter().filter(|other| other.name() == column.name()).count() == 1);
            let kind = match column.figure(Counts::new(3, 1)) {
                Some(Figure::People(_)) => CellKind::People,
                Some(Figure::Share(_)) => CellKind::Share,
                None => CellKind::Verdict,
            };
            assert_eq!((column.kind(), column.is_figure()), (kind, kind != CellKind::Verdict));
        }
    }
}
