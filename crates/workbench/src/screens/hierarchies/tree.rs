//! The tree of labels of one hierarchy, with their people: the unfolded branches and the cursor.

use palmtop_core::model::{Counts, Hierarchy, Level, Problem};

/// A label with the labels below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) level: Level,
    /// Its number among the labels of its level.
    pub(crate) label: u32,
    /// The people of its leaves.
    pub(crate) counts: Counts,
    /// The number of its leaves.
    pub(crate) leaves: u32,
    /// Whether it stands for one value, which all levels below repeat.
    is_value: bool,
    /// Whether the labels below it are shown.
    unfolded: bool,
}

/// The labels of a hierarchy, depth first from the top.
/// The people are counted once, in O(leaves · levels). Folding only lists the rows again.
pub(crate) struct LabelTree {
    branches: Vec<Branch>,
    /// The indices of the shown branches, ascending.
    rows: Vec<usize>,
    /// The index of a branch; always a shown one.
    cursor: usize,
    /// The level of the last automatic unfolding.
    level: Level,
    /// Whether the analyst has folded or unfolded a branch.
    by_hand: bool,
    /// The finest level.
    base: Level,
    /// For each level from the finest on, the most people of P that a label has.
    most: Vec<u64>,
}

impl LabelTree {
    /// The tree of a quasi-identifier, unfolded down to a level.
    pub(crate) fn new(problem: &Problem, attribute: usize, level: Level) -> Self {
        let hierarchy = problem.hierarchy(attribute);
        let counts: Vec<Vec<Counts>> = hierarchy
            .levels()
            .map(|level| people(hierarchy, problem.leaf_counts(attribute), level))
            .collect();
        let mut tree = Self {
            branches: depth_first(hierarchy, &counts),
            rows: Vec::new(),
            cursor: 0,
            level,
            by_hand: false,
            base: hierarchy.base(),
            most: counts
                .iter()
                .map(|labels| labels.iter().map(|label| label.public).max().unwrap_or(0))
                .collect(),
        };
        tree.unfold_to(level);
        tree
    }

    /// The number of shown rows.
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The branch of a row.
    pub(crate) fn row(&self, row: usize) -> Option<&Branch> {
        self.branches.get(*self.rows.get(row)?)
    }

    /// The row under the cursor.
    pub(crate) fn cursor(&self) -> usize {
        self.rows.binary_search(&self.cursor).unwrap_or(0)
    }

    /// Puts the cursor on a row, or on the last one.
    pub(crate) fn go_to(&mut self, row: usize) {
        self.cursor = self.rows.get(row).or(self.rows.last()).copied().unwrap_or(0);
    }

    /// The label at the top, which everybody has.
    pub(crate) fn top(&self) -> Option<&Branch> {
        self.branches.first()
    }

    /// The most people of P that a label of a level has.
    pub(crate) fn most(&self, level: Level) -> u64 {
        self.most.get(usize::from(level.0 - self.base.0)).copied().unwrap_or(0)
    }

    /// Whether a branch has no labels below it.
    pub(crate) fn is_leaf(&self, branch: &Branch) -> bool {
        branch.level == self.base
    }

    /// Whether the labels below a branch are hidden.
    pub(crate) fn is_folded(&self, branch: &Branch) -> bool {
        !branch.unfolded && !self.is_leaf(branch)
    }

    /// Folds or unfolds the label under the cursor; returns whether it has labels below it.
    pub(crate) fn fold(&mut self) -> bool {
        let Some(branch) = self.branches.get(self.cursor).filter(|branch| !self.is_leaf(branch)) else {
            return false;
        };
        self.branches[self.cursor].unfolded = !branch.unfolded;
        self.by_hand = true;
        self.list();
        true
    }

    /// Unfolds down to a new level, unless the analyst has folded by hand.
    pub(crate) fn follow(&mut self, level: Level) {
        if level != self.level {
            self.level = level;
            if !self.by_hand {
                self.unfold_to(level);
            }
        }
    }

    /// Goes to the next label that `wanted` accepts, or the previous one, and unfolds the labels
    /// above it.
    /// The search starts at the label under the cursor, after it, or at the end of the tree.
    pub(crate) fn find(&mut self, from: Start, forward: bool, wanted: impl Fn(&Branch) -> bool) -> bool {
        let found = |(index, branch): (usize, &Branch)| wanted(branch).then_some(index);
        let count = self.branches.len();
        let start = match (from, forward) {
            (Start::Here, _) | (Start::Beyond, false) => self.cursor,
            (Start::Beyond, true) => (self.cursor + 1).min(count),
            (Start::End, true) => 0,
            (Start::End, false) => count,
        };
        let index = if forward {
            (start..).zip(&self.branches[start..]).find_map(found)
        } else {
            self.branches[..start].iter().enumerate().rev().find_map(found)
        };
        if let Some(index) = index {
            self.show(index);
        }
        index.is_some()
    }

    /// Puts the cursor on a branch, and unfolds the labels above it.
    fn show(&mut self, index: usize) {
        self.cursor = index;
        let mut inner = index;
        while let Some(outer) = self.above(inner) {
            self.branches[outer].unfolded = true;
            inner = outer;
        }
        self.list();
    }

    /// The branch above a branch.
    fn above(&self, index: usize) -> Option<usize> {
        let level = self.branches.get(index)?.level;
        self.branches[..index].iter().rposition(|branch| branch.level > level)
    }

    fn unfold_to(&mut self, level: Level) {
        for branch in &mut self.branches {
            branch.unfolded = branch.level > level && !branch.is_value;
        }
        self.list();
    }

    /// Lists the shown rows. A cursor on a hidden label moves to the label above it.
    fn list(&mut self) {
        self.rows.clear();
        let mut folded: Option<Level> = None;
        for (index, branch) in self.branches.iter().enumerate() {
            if folded.is_some_and(|level| branch.level < level) {
                continue;
            }
            folded = (!branch.unfolded).then_some(branch.level);
            self.rows.push(index);
        }
        while self.rows.binary_search(&self.cursor).is_err() {
            self.cursor = self.above(self.cursor).unwrap_or(0);
        }
    }
}

/// The start of a search for a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// The label under the cursor.
    Here,
    /// The label after it, or before it.
    Beyond,
    /// The first label, or the last.
    End,
}

/// The people of each label of a level.
fn people(hierarchy: &Hierarchy, leaves: &[Counts], level: Level) -> Vec<Counts> {
    let mut counts = vec![Counts::default(); hierarchy.label_count(level)];
    for (&label, &people) in hierarchy.labels_of(level).iter().zip(leaves) {
        counts[label as usize] += people;
    }
    counts
}

/// Whether a label stands for one value and has its text.
fn is_value(hierarchy: &Hierarchy, level: Level, label: u32) -> bool {
    hierarchy.label_size(level, label) == 1
        && hierarchy.labels_of(level).iter().position(|&found| found == label).is_some_and(|leaf| {
            let value = hierarchy.labels_of(hierarchy.base())[leaf];
            hierarchy.labels(level)[label as usize] == hierarchy.labels(hierarchy.base())[value as usize]
        })
}

/// All labels, each followed by the labels below it, in the order of the values.
fn depth_first(hierarchy: &Hierarchy, counts: &[Vec<Counts>]) -> Vec<Branch> {
    let base = hierarchy.base();
    let tier = |level: Level| usize::from(level.0 - base.0);
    // For each level above the finest, the labels one level below each label.
    let mut below: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for coarse in hierarchy.levels().skip(1) {
        let mut children = vec![Vec::new(); hierarchy.label_count(coarse)];
        for (child, parent) in (0..).zip(hierarchy.labels_above(Level(coarse.0 - 1), coarse)) {
            children[parent as usize].push(child);
        }
        below.push(children);
    }
    let mut branches = Vec::new();
    let mut open = vec![(hierarchy.top(), 0_u32)];
    while let Some((level, label)) = open.pop() {
        branches.push(Branch {
            level,
            label,
            counts: counts[tier(level)][label as usize],
            leaves: hierarchy.label_size(level, label),
            is_value: is_value(hierarchy, level, label),
            unfolded: false,
        });
        if level > base {
            let children = below[tier(level)][label as usize].iter();
            open.extend(children.rev().map(|child| (Level(level.0 - 1), *child)));
        }
    }
    branches
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_release::pipeline::{Analysis, Overrides};

    fn paper() -> Problem {
        let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .unwrap()
            .join("sample-data/paper/paper.toml");
        Analysis::load(&project, &Overrides::default()).unwrap().problem().clone()
    }

    /// The shown rows: indented labels, members, people, leaves.
    fn shown(problem: &Problem, attribute: usize, tree: &LabelTree) -> Vec<String> {
        let hierarchy = problem.hierarchy(attribute);
        (0..tree.row_count())
            .map(|row| {
                let branch = tree.row(row).unwrap();
                let indent = "  ".repeat(usize::from(hierarchy.top().0 - branch.level.0));
                let label = &hierarchy.labels(branch.level)[branch.label as usize];
                let fold = if tree.is_folded(branch) { " +" } else { "" };
                format!(
                    "{indent}{label} {}/{} {}{fold}",
                    branch.counts.private, branch.counts.public, branch.leaves
                )
            })
            .collect()
    }

    #[test]
    fn every_label_has_the_people_of_its_leaves() {
        let problem = paper();
        let tree = LabelTree::new(&problem, 2, Level(0));
        assert_eq!(
            shown(&problem, 2, &tree),
            [
                "* 5/9 7",
                "  America 3/6 4",
                "    N. America 2/3 2",
                "      USA 1/2 1",
                "      Canada 1/1 1",
                "    S. America 1/3 2",
                "      Peru 1/1 1",
                "      Brazil 0/2 1",
                "  Europe 2/3 3",
                "    Europe 2/3 3",
                "      Spain 0/1 1",
                "      Bulgaria 1/1 1",
                "      France 1/1 1",
            ]
        );
        assert_eq!((tree.most(Level(0)), tree.most(Level(2)), tree.most(Level(3))), (2, 6, 9));
    }

    #[test]
    fn tree_is_unfolded_to_the_current_level() {
        let problem = paper();
        let mut tree = LabelTree::new(&problem, 2, Level(2));
        assert_eq!(shown(&problem, 2, &tree), ["* 5/9 7", "  America 3/6 4 +", "  Europe 2/3 3 +"]);
        tree.go_to(2);
        tree.follow(Level(3));
        assert_eq!(shown(&problem, 2, &tree), ["* 5/9 7 +"]);
        assert_eq!(tree.cursor(), 0, "what is folded away gives its cursor to what it lies in");
        tree.follow(Level(1));
        assert_eq!(tree.row_count(), 6);
    }

    #[test]
    fn folding_by_hand_stays_when_the_level_changes() {
        let problem = paper();
        let mut tree = LabelTree::new(&problem, 2, Level(1));
        tree.go_to(1);
        assert!(tree.fold());
        let folded = ["* 5/9 7", "  America 3/6 4 +", "  Europe 2/3 3", "    Europe 2/3 3 +"];
        assert_eq!(shown(&problem, 2, &tree), folded);
        tree.follow(Level(2));
        assert_eq!(shown(&problem, 2, &tree), folded);
        tree.go_to(3);
        assert!(tree.fold());
        tree.go_to(usize::MAX);
        assert!(!tree.fold(), "a leaf has nothing below it");
        assert_eq!(shown(&problem, 2, &tree).last().unwrap(), "      France 1/1 1");
    }

    #[test]
    fn folded_label_is_still_found() {
        let problem = paper();
        let mut tree = LabelTree::new(&problem, 2, Level(3));
        let hierarchy = problem.hierarchy(2);
        let has = |text: &'static str| {
            move |branch: &Branch| hierarchy.labels(branch.level)[branch.label as usize].contains(text)
        };
        assert!(tree.find(Start::Here, true, has("Peru")));
        assert_eq!(shown(&problem, 2, &tree)[tree.cursor()], "      Peru 1/1 1");
        assert!(!tree.find(Start::Beyond, true, has("Peru")));
        assert!(tree.find(Start::Beyond, false, has("S. A")));
        assert_eq!(shown(&problem, 2, &tree)[tree.cursor()], "    S. America 1/3 2");
        assert!(tree.find(Start::End, false, has("America")));
        assert!(tree.find(Start::End, true, has("America")));
        assert_eq!(shown(&problem, 2, &tree)[tree.cursor()], "  America 3/6 4");
    }
}
