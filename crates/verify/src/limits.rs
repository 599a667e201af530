//! Checks published texts against the limits that the project declares for a quasi-identifier.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::hierarchy::Hierarchy;
use super::leaves::{Leaf, Leaves};
use palmtop_terms::Level;

/// The limits of a quasi-identifier. The default is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The finest level whose labels are published.
    pub finest: Option<Level>,
    /// The coarsest level: a published text lies within one of its labels.
    pub coarsest: Option<Level>,
    /// Whether only labels are published, and no ranges or sets.
    pub labels: bool,
}

impl Limits {
    /// Checks that a hierarchy has these levels.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    pub(super) fn check(self, hierarchy: &Hierarchy) -> Result<(), String> {
        let (base, top) = (hierarchy.base, hierarchy.top());
        let (finest, coarsest) = (self.finest.unwrap_or(base), self.coarsest.unwrap_or(top));
        if base <= finest && finest <= coarsest && coarsest <= top {
            return Ok(());
        }
        Err(format!(
            "the project's `levels` are {finest} to {coarsest}, but the hierarchy has levels {base} to {top} for P's values; \
             correct the project"
        ))
    }

    /// Prepares the check of many texts. `occurs` states for each leaf whether it occurs in P.
    pub(super) fn checker<'a>(self, hierarchy: &'a Hierarchy, occurs: &'a [bool]) -> LimitChecker<'a> {
        let mut members: FxHashMap<u32, Vec<Leaf>> = FxHashMap::default();
        let finest = self.finest.filter(|&level| level > hierarchy.base);
        if let Some(finest) = finest {
            for (leaf, &label) in (0..).zip(hierarchy.groups(finest)) {
                members.entry(label).or_default().push(leaf);
            }
        }
        let coarsest = self.coarsest.filter(|&level| level < hierarchy.top());
        LimitChecker { hierarchy, occurs, only_labels: self.labels, finest, coarsest, members }
    }
}

/// Checks texts of one quasi-identifier against its limits.
pub(super) struct LimitChecker<'a> {
    hierarchy: &'a Hierarchy,
    /// For each leaf, whether it occurs in P.
    occurs: &'a [bool],
    only_labels: bool,
    /// The finest level, if it is above the base level.
    finest: Option<Level>,
    /// The coarsest level, if it is below the top.
    coarsest: Option<Level>,
    /// The leaves of each label of the finest level, by the number of the label.
    members: FxHashMap<u32, Vec<Leaf>>,
}

impl LimitChecker<'_> {
    /// The limit that a text breaks, if it breaks one. `leaves` are the leaves that the text denotes. The time depends on
    /// the leaves of the labels that the text touches, not on those of the hierarchy.
    pub(super) fn broken(&self, text: &str, leaves: &Leaves) -> Option<String> {
        let hierarchy = self.hierarchy;
        let is_label = hierarchy.label(text).is_some();
        if self.only_labels && !is_label {
            return Some("expected a label, because of `cuts` or `levels` of the project".to_owned());
        }
        if let Some(coarsest) = self.coarsest {
            let groups = hierarchy.groups(coarsest);
            let mut labels = leaves.iter().map(|leaf| groups[leaf as usize]);
            let first = labels.next();
            if labels.any(|label| Some(label) != first) {
                return Some(format!(
                    "coarser than level {coarsest}, the coarsest in `levels` of the project"
                ));
            }
        }
        if let Some(finest) = self.finest {
            let groups = hierarchy.groups(finest);
            let touched: BTreeSet<u32> = leaves.iter().map(|leaf| groups[leaf as usize]).collect();
            // A set lists only values that occur. A label or a range also covers values that do not.
            let is_set = !is_label && !hierarchy.kind.is_ordered();
            let is_left_out = |leaf: Leaf| !leaves.contains(leaf) && (self.occurs[leaf as usize] || !is_set);
            let mut members = touched.iter().filter_map(|label| self.members.get(label)).flatten();
            if members.any(|&leaf| is_left_out(leaf)) {
                return Some(format!("finer than level {finest}, the finest in `levels` of the project"));
            }
        }
        None
    }
}
