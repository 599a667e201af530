//! The settings of a project of another program, as far as a proposal can have them.

use crate::proposed::{Proposal, ProposedHierarchy};
use crate::sources::declared::{Declared, SensitivePolicy};
use crate::{HierarchySource, ProposedLimit};
use palmtop_core::model::{Level, Role};
use palmtop_project::Limit;

impl Declared {
    /// Gives a proposal the settings that it can have. What it cannot have becomes a note.
    pub(crate) fn settle(self, proposal: &mut Proposal) {
        let fitted = self.fitted(proposal);
        for attribute in &mut proposal.attributes {
            let Some((finest, coarsest)) = fitted.levels.get(&attribute.name) else { continue };
            let is_above = |limit: &ProposedLimit| match limit.limit {
                Limit::Borders(Level(level)) => coarsest.is_some_and(|coarsest| level > coarsest),
                Limit::Terms(_) | Limit::Free => false,
            };
            // With a finest level, labels are published, which no limit makes shorter. Borders of a level that is never
            // published are none.
            if finest.is_some() || attribute.limit.as_ref().is_some_and(is_above) {
                attribute.limit = None;
            }
        }
        proposal.declared = Some(fitted);
    }

    fn fitted(mut self, proposal: &Proposal) -> Self {
        let find = |name: &str| proposal.attributes.iter().find(|attribute| attribute.name == name);
        let is_quasi = |name: &String| find(name).is_some_and(|attribute| attribute.role == Role::Quasi);
        let unknown = self.quasi.iter().filter(|name| find(name).is_none());
        self.notes.extend(unknown.map(|name| {
            format!("the settings of `{name}` are not carried over, because T has no column with this name")
        }));
        self.weights.retain(|name, _| is_quasi(name));
        let levels = std::mem::take(&mut self.levels);
        for (name, levels) in levels.into_iter().filter(|(name, _)| is_quasi(name)) {
            let source = find(&name).and_then(|attribute| attribute.hierarchy.as_ref());
            if matches!(source.map(|found| &found.source), Some(HierarchySource::Imported(_))) {
                self.levels.insert(name, levels);
            } else {
                self.notes.push(format!(
                    "the limits of `{name}`'s levels are not carried over, because it has another hierarchy here"
                ));
            }
        }
        let is_sensitive =
            |policy: &SensitivePolicy| find(&policy.of).is_some_and(|found| found.role == Role::Sensitive);
        let (kept, lost): (Vec<_>, Vec<_>) = self.sensitive.into_iter().partition(is_sensitive);
        self.notes.extend(lost.into_iter().map(|SensitivePolicy { key, entry, of }| {
            format!("`{key} = {{ {entry} }}` is not carried over, because T has no sensitive column `{of}`")
        }));
        self.sensitive = Vec::new();
        for policy in kept {
            self.add_sensitive(policy);
        }
        for attribute in &proposal.attributes {
            let is_imported =
                |hierarchy: &ProposedHierarchy| matches!(hierarchy.source, HierarchySource::Imported(_));
            if self.hierarchies.contains(&attribute.name)
                && !attribute.hierarchy.as_ref().is_some_and(is_imported)
                && attribute.role == Role::Quasi
            {
                self.notes.push(format!(
                    "the hierarchy of `{}` is not carried over, because it lacks values of P, as they are read here",
                    attribute.name
                ));
            }
        }
        self
    }

    /// Adds a setting on a sensitive column. A policy has one `l` and one `t`, each of one column.
    fn add_sensitive(&mut self, policy: SensitivePolicy) {
        let name = |entry: &str| entry.split(' ').next().map(str::to_owned);
        let mut known = self.sensitive.iter().filter(|known| known.key == policy.key);
        let other = known.find(|known| known.of != policy.of || name(&known.entry) == name(&policy.entry));
        if let Some(other) = other {
            self.notes.push(format!(
                "`{} = {{ {}, of = \"{}\" }}` is not carried over, because the policy already has `{}` of `{}`",
                policy.key, policy.entry, policy.of, other.entry, other.of
            ));
        } else {
            self.sensitive.push(policy);
        }
    }
}
