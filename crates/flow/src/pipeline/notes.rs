//! What the analyst should know of how the tables were read: what each attribute was taken for, and what was not used.

use super::tables::Tables;
use palmtop_core::model::Kind;
use palmtop_tables::alike::AlikeIdentifiers;
use palmtop_tables::error::Outsiders;
use palmtop_tables::hierarchies::{Domain, KindReason};
use palmtop_tables::tally::Tally;

/// How the tables were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Of each quasi-identifier what its values were taken for, and why.
    pub kinds: Vec<KindNote>,
    /// The columns of P that the project does not name.
    pub unused: Vec<String>,
    /// Those of them that look as if a row of P stood for so many people, where no two rows of P are alike: a `count` that was
    /// forgotten makes every presence wrong.
    pub count_like: Vec<String>,
    /// The people of T who are left out, or added to P, because they are not in P, where the project says so and there are
    /// any.
    pub outsiders: Option<Outsiders>,
    /// The rows of a table of rates that match nobody.
    pub idle_rates: u64,
    /// How many times every row of P occurs, or a multiple of it, if that is more than once: then every person counts as several.
    pub doubled: Option<u64>,
    /// The identifiers of T that differ only by what changes nothing, per column that has some.
    pub alike: Vec<AlikeIdentifiers>,
}

/// What the values of a quasi-identifier were taken for, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindNote {
    /// The attribute.
    pub attribute: String,
    /// What its values are.
    pub kind: Kind,
    /// Why.
    pub reason: KindReason,
}

impl Notes {
    pub(super) fn of(
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
            idle_rates: 0,
            doubled: None,
            alike: of_members.alike.clone(),
        }
    }

    /// How many people of T are left out.
    pub fn dropped(&self) -> u64 {
        self.outsiders.as_ref().filter(|own| !own.is_added).map_or(0, |own| own.people)
    }

    /// How many people of T are added to P.
    pub fn added(&self) -> u64 {
        self.outsiders.as_ref().filter(|own| own.is_added).map_or(0, |own| own.people)
    }
}
