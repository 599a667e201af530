//! The settings of a project of another program, as far as a proposal can have them.

use super::HierarchySource;
use super::declared::{Declared, SensitivePolicy};
use super::proposed::{Proposal, ProposedHierarchy};
use palmtop_core::model::Role;

impl Declared {
    /// Gives a proposal the settings that it can have. What it cannot have becomes a note.
    pub(super) fn settle(self, proposal: &mut Proposal) {
        let fitted = self.fitted(proposal);
        // With a finest level, labels are published, which no limit makes shorter.
        let is_limited = |name: &String| fitted.levels.get(name).is_some_and(|(finest, _)| finest.is_some());
        for attribute in proposal.attributes.iter_mut().filter(|attribute| is_limited(&attribute.name)) {
            attribute.limit = None;
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
        self.sensitive = kept;
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
}
