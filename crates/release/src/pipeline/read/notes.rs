//! Notes for the analyst on how the tables were read: the kinds of attributes, and unused columns.

use crate::pipeline::read::tables::Tables;
use palmtop_core::model::Kind;
use palmtop_core::words::count;
use palmtop_tables::alike::AlikeIdentifiers;
use palmtop_tables::error::Outsiders;
use palmtop_tables::hierarchies::{Domain, KindReason};
use palmtop_tables::tally::Tally;

/// How the tables were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The kind of values of each quasi-identifier, and the reason for it.
    pub kinds: Vec<KindNote>,
    /// The columns of P that the project does not name.
    pub unused: Vec<String>,
    /// The unused columns that look like counts, if no two rows of P are alike. A forgotten `count`
    /// makes every presence wrong.
    pub count_like: Vec<String>,
    /// The members of T who are not in P. The project drops them or adds them to P. `None` if there
    /// are none, or if the project does neither.
    pub outsiders: Option<Outsiders>,
    /// The rows of P and of T that are no people, by the project.
    pub rows_left_out: (u64, u64),
    /// How many times P repeats every row, as common factor of all rows; `None` if the factor is 1.
    /// A factor above 1 counts every person several times.
    pub doubled: Option<u64>,
    /// The rows of P and of T that repeat a person and are left out; `None` if each row counts.
    pub repeats: Option<RepeatsNote>,
    /// The identifiers of T that differ only in insignificant characters, for each column that has
    /// some.
    pub alike: Vec<AlikeIdentifiers>,
}

/// The rows that repeat a person and are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepeatsNote {
    /// The people of P, and the rows of P that are left out.
    pub public: (u64, u64),
    /// The people of T, and the rows of T that are left out.
    pub private: (u64, u64),
}

impl std::fmt::Display for RepeatsNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let table = |name: &str, (people, left_out): (u64, u64)| {
            format!("{name} has {} rows of {} people", count(people + left_out), count(people))
        };
        write!(f, "one row of each person counts: {}, {}", table("P", self.public), table("T", self.private))
    }
}

/// The kind of values of a quasi-identifier, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindNote {
    /// The name of the attribute.
    pub attribute: String,
    /// The kind of its values.
    pub kind: Kind,
    /// The reason for this kind.
    pub reason: KindReason,
}

impl Notes {
    pub(in crate::pipeline) fn of(
        tables: &Tables,
        (count_like, of_members): (Vec<String>, &Tally),
        domains: &[Domain],
        outsiders: Option<Outsiders>,
    ) -> Self {
        let note = |(attribute, domain): (&str, &Domain)| KindNote {
            attribute: attribute.to_owned(),
            kind: domain.hierarchy.kind(),
            reason: domain.reason,
        };
        Self {
            kinds: tables.quasi_names().zip(domains).map(note).collect(),
            unused: tables.unused_columns().map(ToOwned::to_owned).collect(),
            count_like,
            outsiders,
            rows_left_out: (0, 0),
            doubled: None,
            repeats: None,
            alike: of_members.alike.clone(),
        }
    }

    /// The number of people of T who are left out.
    pub fn dropped(&self) -> u64 {
        self.outsiders
            .as_ref()
            .filter(|outsiders| !outsiders.is_added)
            .map_or(0, |outsiders| outsiders.people)
    }

    /// The number of people of T who are added to P.
    pub fn added(&self) -> u64 {
        self.outsiders.as_ref().filter(|outsiders| outsiders.is_added).map_or(0, |outsiders| outsiders.people)
    }
}
