//! Checks published texts against the limits that the project declares for a quasi-identifier.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::hierarchy::Hierarchy;
use super::leaves::{Denoted, Leaf};
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
    /// The most labels, values and exceptions in a published set of a category. 1 means labels only, also for numbers
    /// and dates.
    pub terms: Option<u32>,
    /// For numbers and dates, the level of the labels at which a range begins and ends. The base level is no limit. No
    /// region has a finer label; a column whose labels all have one level may have finer ones.
    pub borders: Option<Level>,
}

impl Limits {
    /// Checks that a hierarchy has these levels.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    pub(crate) fn check(self, hierarchy: &Hierarchy) -> Result<(), String> {
        let (base, top) = (hierarchy.base, hierarchy.top());
        let (finest, coarsest) = (self.finest.unwrap_or(base), self.coarsest.unwrap_or(top));
        if base > finest || finest > coarsest || coarsest > top {
            return Err(format!(
                "the project's `levels` are {finest} to {coarsest}, but the hierarchy has levels {base} to {top} for \
                 P's values; correct the project"
            ));
        }
        match self.borders {
            Some(_) if !hierarchy.kind.is_ordered() => {
                Err("the project has `borders`, but only numbers and dates have ranges; remove `borders`"
                    .to_owned())
            }
            Some(level) if level < base || level >= top || level > coarsest => Err(format!(
                "the project's `borders` are level {level}, but expected a level from {base} to below {top}, and no coarser \
                 than `levels` permit; correct the project"
            )),
            Some(level) if !are_runs(hierarchy.groups(level)) => Err(format!(
                "the project's `borders` are level {level}, whose labels are not ranges of values; correct the project"
            )),
            _ => Ok(()),
        }
    }

    /// The level of the borders, if it is above the base level.
    pub(crate) fn borders_above(self, base: Level) -> Option<Level> {
        self.borders.filter(|&level| level > base)
    }

    /// Prepares the check of many texts. `occurs` states for each leaf whether it occurs in P.
    pub(crate) fn checker<'a>(self, hierarchy: &'a Hierarchy, occurs: &'a [bool]) -> LimitChecker<'a> {
        let mut members: FxHashMap<u32, Vec<Leaf>> = FxHashMap::default();
        let finest = self.finest.filter(|&level| level > hierarchy.base);
        if let Some(finest) = finest {
            for (leaf, &label) in (0..).zip(hierarchy.groups(finest)) {
                members.entry(label).or_default().push(leaf);
            }
        }
        let coarsest = self.coarsest.filter(|&level| level < hierarchy.top());
        LimitChecker {
            hierarchy,
            occurs,
            only_labels: self.labels || self.terms == Some(1),
            most_terms: self.terms.filter(|_| !hierarchy.kind.is_ordered()),
            borders: self.borders_above(hierarchy.base),
            finest,
            coarsest,
            members,
        }
    }
}

/// Whether the leaves of each label follow each other.
fn are_runs(labels: &[u32]) -> bool {
    let mut seen = FxHashSet::default();
    labels.chunk_by(|left, right| left == right).all(|run| seen.insert(run[0]))
}

/// Checks texts of one quasi-identifier against its limits.
pub(crate) struct LimitChecker<'a> {
    hierarchy: &'a Hierarchy,
    /// For each leaf, whether it occurs in P.
    occurs: &'a [bool],
    only_labels: bool,
    /// The most terms of a set, for categories.
    most_terms: Option<u32>,
    /// The level of the borders, if it is above the base level.
    borders: Option<Level>,
    /// The finest level, if it is above the base level.
    finest: Option<Level>,
    /// The coarsest level, if it is below the top.
    coarsest: Option<Level>,
    /// The leaves of each label of the finest level, by the number of the label.
    members: FxHashMap<u32, Vec<Leaf>>,
}

impl LimitChecker<'_> {
    /// The limit that a text breaks, if it breaks one. The time depends on the leaves of the labels that the text
    /// touches, not on those of the hierarchy. Whether a label is finer than the borders depends on the column:
    /// [`finer_than_borders`](Self::finer_than_borders).
    pub(crate) fn broken(&self, text: &str, Denoted { leaves, terms }: &Denoted) -> Option<String> {
        let hierarchy = self.hierarchy;
        let is_label = hierarchy.label(text).is_some();
        if self.only_labels && !is_label {
            return Some(
                "expected a label, because of `shape`, `levels` or `terms` of the project".to_owned(),
            );
        }
        if let Some(most) = self.most_terms.filter(|&most| *terms > most as usize) {
            return Some(format!(
                "a set of {terms} labels, values and exceptions; expected at most {most}, the `terms` of the project"
            ));
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
    /// The texts of a column that are finer than the borders, each as its index and the problem. There are none if all
    /// texts are labels of one level, as in a node.
    pub(crate) fn finer_than_borders(&self, texts: &[&str]) -> Vec<(usize, String)> {
        let Some(borders) = self.borders else { return Vec::new() };
        let levels: Vec<Vec<Level>> = texts.iter().map(|text| self.hierarchy.levels_of(text)).collect();
        let is_node = levels.split_first().is_some_and(|(first, rest)| {
            first.iter().any(|level| rest.iter().all(|levels| levels.contains(level)))
        });
        let is_finer = |levels: &[Level]| levels.last().is_some_and(|&coarsest| coarsest < borders);
        let finer = (0..texts.len()).filter(|&text| !is_node && is_finer(&levels[text]));
        finer
            .map(|text| {
                let problem = format!(
                    "finer than level {borders}, the `borders` of the project; expected labels of level {borders} or \
                     above, or labels of one level in the whole column"
                );
                (text, problem)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
