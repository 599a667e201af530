//! What a project of another program declares besides roles, hierarchies and δ, and what of it cannot be
//! carried over.

use std::collections::{BTreeMap, BTreeSet};

use palmtop_tables::literal::toml_string;

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
    /// The quasi-identifiers of the project.
    pub quasi: BTreeSet<String>,
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
    /// The section `[policy]`; empty without settings.
    pub(crate) fn policy_section(&self) -> String {
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
    pub(crate) fn lines(&self, name: &str) -> String {
        let level = |level: Option<u8>| level.map_or_else(String::new, |level| level.to_string());
        let levels = self.levels.get(name).map(|&(finest, coarsest)| match (finest, coarsest) {
            (Some(finest), Some(coarsest)) if finest == coarsest => format!("levels = \"{finest}\"\n"),
            _ => format!("levels = \"{}-{}\"\n", level(finest), level(coarsest)),
        });
        let weight = self.weights.get(name).map(|weight| format!("weight = {weight}\n"));
        levels.unwrap_or_default() + &weight.unwrap_or_default()
    }
}
