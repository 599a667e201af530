//! The columns of a table of classes behind its quasi-identifiers.
//!
//! The workbench's table, the command `classes`, filters and orders follow from this list: a new column is a variant here,
//! its names and what it says of a class, and a line of the README.

use std::fmt;

use crate::model::{Counts, Policy, Presence, Verdict};

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
}

/// What a column's cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Numbers of people.
    People,
    /// Shares of people, from 0 to 1.
    Share,
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
}

impl Column {
    /// Every column, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Private, Self::Public, Self::Presence, Self::Verdict];

    /// Its name in tables and files, filters and orders.
    pub fn name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
            Self::Presence => "presence",
            Self::Verdict => "verdict",
        }
    }

    /// Its heading where there is little room.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Private => "priv",
            Self::Public => "pub",
            Self::Presence | Self::Verdict => self.name(),
        }
    }

    /// What its cells are.
    pub fn kind(self) -> CellKind {
        match self {
            Self::Private | Self::Public => CellKind::People,
            Self::Presence => CellKind::Share,
            Self::Verdict => CellKind::Verdict,
        }
    }

    /// What it says of a class.
    pub fn cell(self, policy: &Policy, counts: Counts) -> Cell {
        self.figure(counts).map_or_else(|| Cell::Verdict(policy.judge(counts)), Cell::Figure)
    }

    /// The same for a column of figures; `None` for another.
    pub fn figure(self, counts: Counts) -> Option<Figure> {
        match self {
            Self::Private => Some(Figure::People(counts.private)),
            Self::Public => Some(Figure::People(counts.public)),
            Self::Presence => Some(Figure::Share(counts.presence())),
            Self::Verdict => None,
        }
    }

    /// The columns of figures, in the order of the tables.
    pub fn figures() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|column| column.kind() != CellKind::Verdict)
    }

    /// The column of figures with this name, in any case.
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
    fn names_tell_columns_apart_and_those_of_figures_read_back() {
        for column in Column::ALL {
            assert!(Column::ALL.iter().filter(|other| other.name() == column.name()).count() == 1);
            let figure = column.figure(Counts::new(3, 1));
            let kind = match figure {
                Some(Figure::People(_)) => CellKind::People,
                Some(Figure::Share(_)) => CellKind::Share,
                None => CellKind::Verdict,
            };
            assert_eq!(column.kind(), kind);
            assert_eq!(Column::named(&column.name().to_uppercase()), figure.map(|_| column));
        }
        assert!(Column::names().is_sorted() && Column::names().len() == Column::figures().count());
    }

    #[test]
    fn the_readme_names_every_column() {
        let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
        let row = readme.lines().find(|line| line.starts_with("| `classes PROJECT")).unwrap();
        let names = Column::ALL.map(Column::name).join(", ");
        assert!(row.contains(&format!("labels, {names}.")), "{row}");
        for column in Column::figures() {
            assert!(row.contains(&format!("`{}`", column.name())), "{}: {row}", column.name());
        }
    }
}
