//! Counts P and T from the raw tables: the people of every combination of leaves, and the kept values of T's members.

use std::collections::BTreeMap;

use super::count::{Combination, Combinations, Fields, Gathered, Rows, Tally, Texts, tally};
use super::layout::{Column, Layout, Part, Quasi};
use super::pseudonym::Pseudonyms;
use super::published::Coarsened;
use super::settings::AttributeSpec;
use crate::labels::{Hierarchy, Leaf};
use crate::problems::{Finding, FindingKind, Problems, VerifyError};
use palmtop_terms::LocatedError;
use palmtop_terms::Role;
use palmtop_terms::words::plural;

/// A sensitive attribute of T.
#[derive(Debug)]
pub(crate) struct SensitiveAttribute {
    name: String,
    /// Its index among the kept columns.
    pub(crate) kept_index: usize,
    /// For each published value its labels up to the top, if the attribute has a hierarchy.
    chains: Option<BTreeMap<String, Vec<u32>>>,
}

/// A sensitive attribute in all of T.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sensitive {
    pub(crate) name: String,
    /// The number of rows with each value.
    pub(crate) all: BTreeMap<String, u64>,
    /// For each value the numbers of its labels, from the value itself to the top. `None` without a hierarchy.
    pub(crate) chains: Option<BTreeMap<String, Vec<u32>>>,
}

/// The sensitive attributes, each with its index among the kept columns.
fn sensitive<'a>(layout: &Layout<'a>) -> Vec<(&'a AttributeSpec, usize)> {
    let with_index = |attribute: &'a AttributeSpec| {
        let name = layout.private_column(attribute);
        let column = layout.columns.iter().find(|column| column.name == name)?;
        match column.part {
            Part::Kept(index) => Some((attribute, index)),
            Part::Quasi(_) | Part::Drawn => None,
        }
    };
    layout
        .attributes
        .iter()
        .filter(|attribute| attribute.role == Role::Sensitive)
        .filter_map(with_index)
        .collect()
}

/// Members of T who share a combination and all kept values.
#[derive(Debug)]
pub(crate) struct KeptRows {
    pub(crate) combination: usize,
    pub(crate) values: Vec<String>,
    pub(crate) people: u64,
}

/// The people of P and T, counted.
#[derive(Debug)]
pub(crate) struct People {
    pub(crate) quasi: Vec<Quasi>,
    /// The columns that a release must have, in T's order.
    pub(crate) columns: Vec<Column>,
    /// The columns of T with identifiers that are not published.
    pub(crate) identifiers: Vec<String>,
    /// The columns with pseudonyms.
    pub(crate) pseudonyms: Vec<Pseudonyms>,
    /// The combinations of P and T.
    pub(crate) combinations: Combinations,
    pub(crate) kept: Vec<KeptRows>,
    /// The number of kept columns.
    kept_width: usize,
    pub(crate) sensitive: Vec<SensitiveAttribute>,
    pub(crate) public: u64,
    pub(crate) private: u64,
    /// The rows of P and of T that repeat a person.
    pub(crate) repeats: (u64, u64),
    /// The number of members of T with a value that nobody in P has.
    pub(crate) not_in_public: u64,
    /// The texts of one of them: the smallest.
    pub(crate) unknown_member: Option<Vec<String>>,
    /// The rows of P and of T that the project leaves out.
    pub(crate) left_out: (u64, u64),
}

impl People {
    /// The people of both tables, before their rows are counted.
    pub(crate) fn new(
        layout: &Layout,
        quasi: Vec<Quasi>,
        pseudonyms: Vec<Pseudonyms>,
        public: u64,
        private: u64,
    ) -> Self {
        Self {
            quasi,
            columns: layout.columns.clone(),
            identifiers: layout.identifiers.clone(),
            pseudonyms,
            combinations: Combinations::default(),
            kept: Vec::new(),
            kept_width: layout.kept_count(),
            sensitive: Vec::new(),
            public,
            private,
            repeats: layout.repeats(),
            not_in_public: 0,
            unknown_member: None,
            left_out: layout.left_out(),
        }
    }

    /// The sensitive attributes, each with the labels of its values.
    pub(crate) fn read_sensitive(layout: &Layout, coarsened: &[Coarsened]) -> Vec<SensitiveAttribute> {
        let read = |(attribute, kept_index): (&AttributeSpec, usize)| SensitiveAttribute {
            name: attribute.name.clone(),
            kept_index,
            chains: coarsened
                .iter()
                .find(|coarsened| coarsened.attribute == attribute.name)
                .map(|coarsened| coarsened.chains.clone()),
        };
        sensitive(layout).into_iter().map(read).collect()
    }

    /// The number of kept columns.
    pub(crate) fn kept_width(&self) -> usize {
        self.kept_width
    }

    /// The number of leaves of each quasi-identifier.
    pub(crate) fn leaf_counts(&self) -> Vec<usize> {
        self.quasi.iter().map(|quasi| quasi.hierarchy.leaf_count()).collect()
    }

    /// The index of the combination of a row of P.
    pub(crate) fn public_combination(&self, public: &Tally, ids: &[u32]) -> Option<usize> {
        self.combinations.find(&self.public_codes(public, ids)?)
    }

    /// The index of the combination of a row of T; `None` if it has a value that nobody in P has.
    pub(crate) fn private_combination(&self, private: &Tally, ids: &[u32]) -> Option<usize> {
        let texts = self.quasi.iter().zip(&private.columns).zip(ids);
        let leaf = |((quasi, texts), &id): ((&Quasi, &Texts), &u32)| {
            quasi.hierarchy.private_leaf(&texts.texts[id as usize])
        };
        self.combinations.find(&texts.map(leaf).collect::<Option<Vec<Leaf>>>()?)
    }

    /// The leaves of a row of P.
    pub(crate) fn public_codes(&self, public: &Tally, ids: &[u32]) -> Option<Vec<Leaf>> {
        let texts = self.quasi.iter().zip(&public.columns).zip(ids);
        texts.map(|((quasi, texts), &id)| quasi.hierarchy.leaf(&texts.texts[id as usize])).collect()
    }

    /// The names of the quasi-identifiers with the texts of a combination's leaves.
    pub(crate) fn texts(&self, combination: usize) -> Vec<(String, String)> {
        let codes = self.combinations.codes(combination);
        let text = |(attribute, quasi): (usize, &Quasi)| {
            (quasi.name.clone(), quasi.hierarchy.text(codes.get(attribute)).to_owned())
        };
        self.quasi.iter().enumerate().map(text).collect()
    }

    /// The names of the quasi-identifiers with the texts of a member who has a value that nobody in P has.
    pub(crate) fn unknown_member_texts(&self) -> Vec<(String, String)> {
        let texts = self.unknown_member.iter().flatten();
        self.quasi.iter().map(|quasi| quasi.name.clone()).zip(texts.cloned()).collect()
    }

    /// The content of a column of a release; `None` for a column that no release has.
    pub(crate) fn part(&self, column: &str) -> Option<Part> {
        self.columns.iter().find(|known| known.name == column).map(|known| known.part)
    }

    /// The name of a quasi-identifier's column in a release.
    pub(crate) fn quasi_column(&self, quasi: usize) -> String {
        let column = self.columns.iter().find(|column| column.part == Part::Quasi(quasi));
        column.map(|column| column.name.clone()).unwrap_or_default()
    }

    /// Checks T ⊆ P for each combination. Presence is undefined otherwise.
    pub(crate) fn check_subset(&self, problems: &mut Problems) {
        let excess = |combination: Combination| combination.private.saturating_sub(combination.public);
        let people = self.not_in_public + self.combinations.iter().map(excess).sum::<u64>();
        if people > 0 {
            let first = self.combinations.iter().position(|combination| excess(combination) > 0);
            let person = first.map_or_else(|| self.unknown_member_texts(), |first| self.texts(first));
            let verb = if people == 1 { "is" } else { "are" };
            let problem = format!("{} of T {verb} not in P", plural(people, "member"));
            problems.push(Finding::of_people(FindingKind::NotInPublic, people, &person, problem));
        }
    }

    /// Removes the members whose combination T has more often than P. Returns their number.
    pub(crate) fn drop_excess_members(&mut self) -> Result<u64, VerifyError> {
        let mut dropped = std::mem::take(&mut self.not_in_public);
        self.unknown_member = None;
        dropped += self.combinations.drop_excess();
        let combinations = &self.combinations;
        self.kept.retain(|kept| combinations.get(kept.combination).private > 0);
        self.private -= dropped;
        if self.private == 0 {
            return Err(LocatedError::new(format!(
                "no person of T ({dropped} in all) is in P, so no member is left to publish"
            ))
            .remedy("compare the columns of both tables")
            .into());
        }
        Ok(dropped)
    }

    /// Each sensitive attribute with the number of members for each of its values.
    pub(crate) fn sensitive_values(&self) -> Vec<Sensitive> {
        let count = |SensitiveAttribute { name, kept_index, chains }: &SensitiveAttribute| {
            let mut all: BTreeMap<String, u64> = BTreeMap::new();
            for rows in &self.kept {
                *all.entry(rows.values[*kept_index].clone()).or_default() += rows.people;
            }
            Sensitive { name: name.clone(), all, chains: chains.clone() }
        };
        self.sensitive.iter().map(count).collect()
    }

    /// Adds the surplus members of each combination to P. Returns their number.
    ///
    /// The hierarchies were read with T's values as leaves, so every member has a combination.
    pub(crate) fn add_excess_members(&mut self) -> u64 {
        let added = self.combinations.add_lacking();
        self.public += added;
        added
    }

    /// Builds the combinations from the rows of both tables. Removes the rows of P from the tally unless `reads_again`.
    pub(crate) fn count(
        &mut self,
        public: &mut Tally,
        private: &Tally,
        reads_again: bool,
        progress: &mut Rows,
    ) -> Result<(), VerifyError> {
        let public_codes = self.codes_of(public, Hierarchy::leaf);
        let private_codes = self.codes_of(private, Hierarchy::private_leaf);
        let width = self.quasi.len();
        let leaf_counts = self.leaf_counts();
        let combinations = progress.watch(|stop| {
            let has_leaves = public_codes.iter().flatten().all(Option::is_some);
            let fields = Fields::below(leaf_counts.iter().copied()).filter(|_| has_leaves && !reads_again);
            let keys = fields.and_then(|fields| {
                let (text_fields, keys) = public.take_keys()?;
                Some((fields, text_fields, keys))
            });
            let mut gathered = match keys {
                Some((fields, text_fields, keys)) => {
                    Gathered::of_keys(fields, &text_fields, keys, &public_codes, private.len())
                }
                None => Gathered::new(&leaf_counts, public.len() + private.len()),
            };
            let mut codes = Vec::with_capacity(width);
            // The hierarchies refuse public values that are not leaves. A remaining one would match nothing.
            let mut gather = |known: &[Vec<Option<Leaf>>], ids: &[u32], people| {
                if leaves(known, ids, &mut codes).is_some() && !stop.is_wanted() {
                    gathered.add(&codes, people);
                }
            };
            tally::visit(private, |ids, _| gather(&private_codes, ids, 0));
            if reads_again {
                tally::visit(public, |ids, people| gather(&public_codes, ids, people));
            } else {
                public.drain(|ids, people| gather(&public_codes, ids, people));
            }
            gathered.sorted(stop)
        })?;
        self.combinations = combinations;
        let mut codes = Vec::with_capacity(width);
        private.visit(|ids, people| {
            progress.tick()?;
            let (quasi_ids, _) = ids.split_at(width);
            let found = leaves(&private_codes, quasi_ids, &mut codes);
            if let Some(combination) = found.and_then(|()| self.combinations.find(&codes)) {
                self.combinations.add_private(combination, people);
                let values = private.texts_from(width, &ids[..width + self.kept_width]);
                self.kept.push(KeptRows { combination, values, people });
            } else {
                self.not_in_public += people;
                let texts = private.texts(quasi_ids);
                if self.unknown_member.as_ref().is_none_or(|known| texts < *known) {
                    self.unknown_member = Some(texts);
                }
            }
            Ok(())
        })
    }

    /// The leaf of each text of the tally, for each quasi-identifier.
    fn codes_of(
        &self,
        tally: &Tally,
        leaf: impl Fn(&Hierarchy, &str) -> Option<Leaf>,
    ) -> Vec<Vec<Option<Leaf>>> {
        let leaf = |(quasi, texts): (&Quasi, &Texts)| {
            texts.texts.iter().map(|text| leaf(&quasi.hierarchy, text)).collect()
        };
        self.quasi.iter().zip(&tally.columns).map(leaf).collect()
    }
}

/// The leaves of a row; `None` if a text has none.
fn leaves(known: &[Vec<Option<Leaf>>], ids: &[u32], codes: &mut Vec<Leaf>) -> Option<()> {
    codes.clear();
    known.iter().zip(ids).try_for_each(|(known, &id)| {
        codes.push(known[id as usize]?);
        Some(())
    })
}
