//! Whether what a release has for a quasi-identifier is within the limits that the project declares for it.

use super::denote::Leaves;
use super::hierarchy::Hierarchy;
use palmtop_terms::Level;

/// The limits of a quasi-identifier; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nothing finer than the labels of this level is published.
    pub finest: Option<Level>,
    /// Nothing that more than one label of this level denotes is published.
    pub coarsest: Option<Level>,
    /// Nothing but labels is published.
    pub labels: bool,
}

impl Limits {
    /// Whether a hierarchy has such levels; else what is wrong.
    pub(super) fn check(self, hierarchy: &Hierarchy) -> Result<(), String> {
        let (base, top) = (hierarchy.base, hierarchy.top());
        let (finest, coarsest) = (self.finest.unwrap_or(base), self.coarsest.unwrap_or(top));
        if base <= finest && finest <= coarsest && coarsest <= top {
            return Ok(());
        }
        Err(format!(
            "`levels` of the project are {finest} to {coarsest}, but its levels are {base} to {top} there; correct the project"
        ))
    }

    /// What is expected of a text in place of one that denotes these leaves, where it is beyond the limits. `occurs` says of
    /// each leaf whether anybody in P has it.
    pub(super) fn broken(
        self,
        hierarchy: &Hierarchy,
        (text, leaves): (&str, &Leaves),
        occurs: &[bool],
    ) -> Option<String> {
        let is_label = hierarchy.label(text).is_some();
        if self.labels && !is_label {
            return Some("expected a label, as `cuts` or `levels` of the project ask for".to_owned());
        }
        let mut inside = vec![false; hierarchy.leaf_count()];
        leaves.iter().for_each(|leaf| inside[leaf as usize] = true);
        if let Some(coarsest) = self.coarsest.filter(|&level| level < hierarchy.top()) {
            let groups = hierarchy.groups(coarsest);
            let mut groups = leaves.iter().map(|leaf| groups[leaf as usize]);
            let first = groups.next();
            if groups.any(|group| Some(group) != first) {
                return Some(format!(
                    "coarser than level {coarsest}, which `levels` of the project permits at most"
                ));
            }
        }
        if let Some(finest) = self.finest.filter(|&level| level > hierarchy.base) {
            let groups = hierarchy.groups(finest);
            // A set names values that occur; a label or a range denotes others, too.
            let is_set = !is_label && !hierarchy.kind.is_ordered();
            let touched: std::collections::BTreeSet<u32> =
                leaves.iter().map(|leaf| groups[leaf as usize]).collect();
            let is_outside =
                |leaf: usize| !inside[leaf] && touched.contains(&groups[leaf]) && (occurs[leaf] || !is_set);
            if (0..inside.len()).any(is_outside) {
                return Some(format!(
                    "finer than level {finest}, the finest that `levels` of the project permits"
                ));
            }
        }
        None
    }
}
