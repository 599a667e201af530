//! What a project of another program declares besides roles, hierarchies and δ, and what of it cannot be
//! carried over.

use std::collections::{BTreeMap, BTreeSet};

use super::HierarchySource;
use super::proposed::Proposal;
use palmtop_core::model::Role;
use palmtop_core::text::toml_string;

/// Settings from a project of another program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The file and the program, such as `study.deid of ARX 3.9.2`.
    pub origin: String,
    /// The settings of `[policy]` that are about no column, one a line.
    pub policy: Vec<String>,
    /// The settings of `[policy]` on sensitive columns.
    pub sensitive: Vec<SensitivePolicy>,
    /// The finest and the coarsest level of quasi-identifiers; `None` for any.
    pub levels: BTreeMap<String, (Option<u8>, Option<u8>)>,
    /// The weights of quasi-identifiers other than 1.
    pub weights: BTreeMap<String, u32>,
    /// The quasi-identifiers for which the project has a hierarchy.
    pub hierarchies: BTreeSet<String>,
    /// What differs or is not carried over, each as a sentence without its end.
    pub notes: Vec<String>,
}

/// A setting of `[policy]` on a sensitive column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitivePolicy {
    /// The key: `l` or `t`.
    pub key: &'static str,
    /// The entry of its table, such as `distinct = 3`.
    pub entry: String,
    /// The sensitive column.
    pub of: String,
}

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
            let is_imported = |hierarchy: &super::ProposedHierarchy| {
                matches!(hierarchy.source, HierarchySource::Imported(_))
            };
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

    /// The section `[policy]`; empty without settings.
    pub(super) fn policy_section(&self) -> String {
        let mut lines = self.policy.clone();
        for key in ["l", "t"] {
            let of_key: Vec<&SensitivePolicy> =
                self.sensitive.iter().filter(|policy| policy.key == key).collect();
            let Some(first) = of_key.first() else { continue };
            let entries: Vec<&str> = of_key.iter().map(|policy| policy.entry.as_str()).collect();
            lines.push(format!("{key} = {{ {}, of = {} }}", entries.join(", "), toml_string(&first.of)));
        }
        if lines.is_empty() {
            return String::new();
        }
        format!("[policy]\n{}\n\n", lines.join("\n"))
    }

    /// The lines of a quasi-identifier.
    pub(super) fn lines(&self, name: &str) -> String {
        let level = |level: Option<u8>| level.map_or_else(String::new, |level| level.to_string());
        let levels = self.levels.get(name).map(|&(finest, coarsest)| match (finest, coarsest) {
            (Some(finest), Some(coarsest)) if finest == coarsest => format!("levels = \"{finest}\"\n"),
            _ => format!("levels = \"{}-{}\"\n", level(finest), level(coarsest)),
        });
        let weight = self.weights.get(name).map(|weight| format!("weight = {weight}\n"));
        levels.unwrap_or_default() + &weight.unwrap_or_default()
    }
}
