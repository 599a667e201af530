//! The possible decisions on an attribute, whether or not a question is open. Only decisions that have an effect are offered.

use std::num::NonZeroU32;

use crate::columns::attributes::{canonical, hierarchy};
use crate::columns::{pairs, private_only, roles};
use crate::decision::NEVER;
use crate::hierarchies::limit::{self, Occurring};
use crate::hierarchies::ready;
use crate::hierarchies::recipes::built;
use crate::sources::named::Sources;
use crate::sources::survey::Column;
use crate::values::dirt;
use crate::words;
use crate::{Choice, Decision, Decisions, HierarchySource, Proposal, ProposedAttribute};
use palmtop_core::model::Role;
use palmtop_core::words::short;
use palmtop_project::Limit;
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::likeness::Plain;
use palmtop_tables::written::named_value;

/// An aspect of an attribute that can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The role of the attribute.
    Role,
    /// The kind of its values.
    Kind,
    /// The form of its dates or numbers.
    Form,
    /// The hierarchy of its values.
    Hierarchy,
    /// The limit of its published sets or ranges.
    Limit,
    /// The column of P that it is.
    Pair,
}

impl Sources {
    /// The possible decisions on an aspect of an attribute, under the decisions so far; empty if there is no alternative.
    pub fn choices(
        &self,
        proposal: &Proposal,
        decisions: &Decisions,
        (attribute, aspect): (&ProposedAttribute, Aspect),
    ) -> Vec<Choice> {
        match aspect {
            Aspect::Role => self.roles(attribute),
            Aspect::Kind => self.kinds(decisions, attribute),
            Aspect::Form => self.forms(decisions, attribute),
            Aspect::Hierarchy => self.hierarchies(attribute),
            Aspect::Limit => self.limits(proposal, attribute),
            Aspect::Pair => self.pairs(proposal, attribute),
        }
    }

    /// The columns of P that can be the count column, and the answer that P has none.
    pub fn count_choices(&self, proposal: &Proposal) -> Vec<Choice> {
        let is_free = |name: &str| {
            proposal.attributes.iter().all(|attribute| attribute.public_column.as_deref() != Some(name))
        };
        let columns = self.public().columns.iter();
        let counting = columns.filter(|column| is_free(&column.name) && roles::holds_counts(column));
        let choice = |name: &String| Choice {
            label: format!("P's {name}: the number of people for whom a row stands"),
            decision: Decision::Count(Some(name.clone())),
        };
        let none =
            Choice { label: "none: each row is one person".to_owned(), decision: Decision::Count(None) };
        std::iter::once(none).chain(counting.map(|column| choice(&column.name))).collect()
    }

    /// The columns of P that have yes or no in every row, if T is a part of P.
    pub fn member_choices(&self) -> Vec<Choice> {
        let columns = self.public().columns.iter().filter(|_| self.private().is_none());
        let saying = columns.filter(|column| roles::holds_memberships(column));
        let choice = |name: &String| Choice {
            label: format!("{name}: it marks the people of T"),
            decision: Decision::Member(name.clone()),
        };
        saying.map(|column| choice(&column.name)).collect()
    }

    /// The possible kinds of the values.
    fn kinds(&self, decisions: &Decisions, attribute: &ProposedAttribute) -> Vec<Choice> {
        let kinds = [ValueKind::Number, ValueKind::Date, ValueKind::Code, ValueKind::Category];
        let is_possible = |kind: &ValueKind| {
            let decision = Decision::Kind { attribute: attribute.name.clone(), kind: *kind };
            self.kind_under(&decisions.with(decision), attribute) == Some(*kind)
        };
        let choice = |kind: ValueKind| Choice {
            label: match kind {
                ValueKind::Number => "numbers",
                ValueKind::Date => "days",
                ValueKind::Code => "codes of one length",
                ValueKind::Category => "texts without an order",
            }
            .to_owned(),
            decision: Decision::Kind { attribute: attribute.name.clone(), kind },
        };
        kinds.into_iter().filter(is_possible).map(choice).collect()
    }

    /// The kind of the values under some decisions.
    fn kind_under(&self, decisions: &Decisions, attribute: &ProposedAttribute) -> Option<ValueKind> {
        let (public, private) = self.both(attribute)?;
        let values = dirt::values(&attribute.name, (public, private), decisions, &mut Vec::new());
        let texts = canonical(public, &values.public);
        Some(hierarchy(&attribute.name, &values, (public, &texts), (&self.at_hand, decisions)).1)
    }

    /// The possible forms of its dates or numbers: those that were open before the decision.
    fn forms(&self, decisions: &Decisions, attribute: &ProposedAttribute) -> Vec<Choice> {
        let Some(columns) = self.both(attribute) else { return Vec::new() };
        let mut open = Vec::new();
        dirt::values(&attribute.name, columns, &decisions.without_forms(&attribute.name), &mut open);
        let is_form =
            |choice: &Choice| matches!(choice.decision, Decision::Date { .. } | Decision::Number { .. });
        open.into_iter().flat_map(|ambiguity| ambiguity.choices).filter(is_form).collect()
    }

    /// The hierarchies that have all values: those at hand, then those that can be built.
    fn hierarchies(&self, attribute: &ProposedAttribute) -> Vec<Choice> {
        let Some((public, _)) = self.both(attribute) else { return Vec::new() };
        let texts = canonical(public, &attribute.readings.0);
        let candidates = self.at_hand.candidates.iter();
        let found = candidates
            .filter(|candidate| candidate.may_suit(&attribute.name, texts.len()))
            .filter(|candidate| candidate.takes(attribute.kind, &texts))
            .map(|candidate| candidate.source.clone());
        let ready = ready::possible(attribute.kind, &texts);
        let built = built(attribute.kind, &texts).into_iter().map(HierarchySource::Built);
        let choice = |source: HierarchySource| Choice {
            label: match &source {
                HierarchySource::Built(recipe) => format!("built: {}", recipe.describe()),
                found => found.describe(),
            },
            decision: Decision::Hierarchy { attribute: attribute.name.clone(), source },
        };
        found.chain(ready.into_iter().map(HierarchySource::Ready)).chain(built).map(choice).collect()
    }

    /// The limits that its hierarchy permits.
    fn limits(&self, proposal: &Proposal, attribute: &ProposedAttribute) -> Vec<Choice> {
        let Some((public, _)) = self.both(attribute) else { return Vec::new() };
        let Some(hierarchy) = &attribute.hierarchy else { return Vec::new() };
        let texts = canonical(public, &attribute.readings.0);
        let tree = limit::tree(&hierarchy.source, attribute.kind, &texts, &self.at_hand);
        let occurring = Occurring::of(public, &attribute.readings.0, proposal.count.is_some());
        let choice = |(limit, label)| Choice {
            label,
            decision: Decision::Limit { attribute: attribute.name.clone(), limit },
        };
        limit::choices(tree.as_ref(), &occurring).into_iter().map(choice).collect()
    }

    /// The columns of P that it can be: those that no other attribute uses.
    fn pairs(&self, proposal: &Proposal, attribute: &ProposedAttribute) -> Vec<Choice> {
        let Some(private) = attribute.private_column.as_ref() else { return Vec::new() };
        let is_taken = |name: &String| {
            let mut others = proposal.attributes.iter().filter(|other| other.name != attribute.name);
            others.any(|other| other.public_column.as_ref() == Some(name))
                || proposal.count.as_ref() == Some(name)
        };
        let columns = self.public().columns.iter().filter(|column| !is_taken(&column.name));
        let own = self.private().and_then(|table| table.column(private));
        let is_it = |column: &Column| {
            let choice = pairs::is_public(private, own, column);
            Choice { label: format!("{}{}", choice.label, examples(column)), ..choice }
        };
        columns.map(is_it).chain([pairs::is_private(private)]).collect()
    }

    /// For each column of P that is not used, the columns of T that it can be; pairs with a common value come first.
    pub fn spare_choices(&self, proposal: &Proposal) -> Vec<Choice> {
        let Some(table) = self.private() else { return Vec::new() };
        let free = proposal.attributes.iter().filter(|attribute| attribute.public_column.is_none());
        let free = free.filter_map(|attribute| table.column(attribute.private_column.as_ref()?));
        let free: Vec<(&Column, Plain)> = free.map(|column| (column, column.plain())).collect();
        let mut pairs = Vec::new();
        for column in proposal.spare.iter().filter_map(|name| self.public().column(name)) {
            let plain = column.plain();
            for (private, own) in &free {
                let is_alike = own.shares_with(&plain);
                let choice = pairs::is_public(&private.name, Some(private), column);
                let label = format!(
                    "P's {}{}: T's {}, {}",
                    column.name,
                    examples(column),
                    private.name,
                    choice.label
                );
                pairs.push((!is_alike, Choice { label, ..choice }));
            }
        }
        pairs.sort_by_key(|(is_other, _)| *is_other);
        pairs.into_iter().map(|(_, choice)| choice).collect()
    }

    /// The possible roles of an attribute. A column that P has is not sensitive; a column that P does not have is not a
    /// quasi-identifier.
    fn roles(&self, attribute: &ProposedAttribute) -> Vec<Choice> {
        if attribute.public_column.is_none() {
            let column = attribute.private_column.as_ref().and_then(|name| self.private()?.column(name));
            return column.map_or_else(Vec::new, private_only::role_choices);
        }
        let roles = [
            (Role::Quasi, "generalize it, so that nobody is found by it"),
            (Role::Withheld, NEVER),
            (Role::Identifier, "never publish it: each value is one person"),
        ];
        // What many people share names nobody.
        let may_identify = attribute.role == Role::Identifier
            || words::names_identifier(&attribute.name)
            || self.both(attribute).is_some_and(|(public, _)| roles::is_nearly_unique(public));
        let possible = roles.into_iter().filter(|(role, _)| may_identify || *role != Role::Identifier);
        let roles = possible.map(|(role, label)| Choice::role(&attribute.name, role, label));
        roles.chain(single_labels(attribute)).collect()
    }

    /// The columns of a quasi-identifier in P and in T.
    fn both(&self, attribute: &ProposedAttribute) -> Option<(&Column, Option<&Column>)> {
        self.columns(attribute.public_column.as_deref()?, attribute.private_column.as_deref())
    }
}

/// The choice of single labels for a quasi-identifier that may be published by sets or ranges, with its price.
fn single_labels(attribute: &ProposedAttribute) -> Option<Choice> {
    let labels = Limit::Terms(NonZeroU32::MIN);
    attribute.hierarchy.as_ref().filter(|hierarchy| hierarchy.has_labels)?;
    attribute.limit.as_ref().filter(|own| own.limit != labels)?;
    Some(Choice {
        label: "single labels (terms = 1): easy to tabulate, more loss".to_owned(),
        decision: Decision::Limit { attribute: attribute.name.clone(), limit: labels },
    })
}

/// The two most frequent values of a column of P, to be shown after its name.
fn examples(column: &Column) -> String {
    let mut texts: Vec<(&String, u64)> = column.texts.iter().map(|(text, rows)| (text, rows.count)).collect();
    texts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    let texts: Vec<&str> = texts.into_iter().take(2).map(|(text, _)| short(named_value(text))).collect();
    if texts.is_empty() { String::new() } else { format!(" ({})", texts.join(", ")) }
}

impl Decisions {
    /// The decisions, with one more.
    fn with(&self, decision: Decision) -> Self {
        Self(self.0.iter().cloned().chain([decision]).collect())
    }

    /// The decisions, without those on the form of an attribute's values.
    fn without_forms(&self, name: &str) -> Self {
        let is_other = |decision: &&Decision| {
            !matches!(
                decision.made(),
                Decision::Date { attribute, .. } | Decision::Number { attribute, .. } if attribute == name
            )
        };
        Self(self.0.iter().filter(is_other).cloned().collect())
    }
}
