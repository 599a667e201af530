//! The state of the hierarchies: the chosen attribute, its tree of labels, the text to find, and
//! the edited hierarchy.

use palmtop_core::model::{Hierarchy, Level, Problem};

use super::asking::Asked;
use super::editing::{Editing, Marks};
use super::limit::Form;
use super::tree::{Branch, LabelTree, Start};
use crate::shared::labels::occurring;
use crate::shared::state::Shared;

/// The state of the screen.
#[derive(Default)]
pub(crate) struct HierarchyTree {
    /// The chosen quasi-identifier.
    pub(crate) attribute: usize,
    /// The tree of each quasi-identifier; none before it is shown.
    trees: Vec<Option<LabelTree>>,
    /// For each quasi-identifier and level, finest first, the number of labels that somebody in P
    /// has.
    occurring: Vec<Vec<usize>>,
    /// For each quasi-identifier, a cell with the most that its limit permits.
    pub(super) widest: Vec<String>,
    /// Whether the members of T are shown. Who groups by them betrays them.
    pub(super) shows_members: bool,
    /// The text to find, in lower case; `^` before it finds labels that begin with it.
    pub(super) search: Option<String>,
    /// The edited hierarchy; only one at a time.
    pub(super) editing: Option<Editing>,
    /// The marked labels of the chosen attribute.
    pub(super) marks: Marks,
    /// The purpose of the line being typed.
    pub(super) asked: Option<Asked>,
}

impl HierarchyTree {
    /// Builds the missing parts of the screen. The tree follows the level of its attribute at the
    /// current node.
    pub(crate) fn show(&mut self, shared: &Shared) {
        let problem = self.problem(shared).clone();
        let count = problem.quasi().len();
        if self.occurring.is_empty() {
            self.occurring = (0..count).map(|attribute| occurring(&problem, attribute)).collect();
            self.trees.resize_with(count, || None);
            self.widest =
                (0..count).map(|place| Form::of(&problem, place).widest_cell(&problem, place)).collect();
        }
        let (attribute, level) = (self.attribute, self.level(shared, self.attribute));
        let tree = self.trees[attribute].get_or_insert_with(|| LabelTree::new(&problem, attribute, level));
        tree.follow(level);
    }

    /// Builds the tree of the chosen attribute again after a change of its hierarchy: unfolded down
    /// to a level, or to the node's level, with the cursor on a label if it exists.
    pub(super) fn grow(&mut self, shared: &Shared, unfolded: Option<Level>, lands: Option<(Level, String)>) {
        let attribute = self.attribute;
        if self.trees.len() <= attribute {
            return;
        }
        let problem = self.problem(shared).clone();
        let level = self.level(shared, attribute);
        let mut tree = LabelTree::new(&problem, attribute, unfolded.unwrap_or(level));
        if let Some((at, text)) = lands {
            let hierarchy = problem.hierarchy(attribute);
            let is_it = |branch: &Branch| branch.level == at && label(hierarchy, branch) == text;
            tree.find(Start::End, true, is_it);
        }
        self.occurring[attribute] = occurring(&problem, attribute);
        self.widest[attribute] = Form::of(&problem, attribute).widest_cell(&problem, attribute);
        self.trees[attribute] = Some(tree);
    }

    /// The shown problem: with the edited hierarchy.
    pub(crate) fn problem<'a>(&'a self, shared: &'a Shared) -> &'a Problem {
        self.editing.as_ref().map_or(&shared.problem, Editing::problem)
    }

    /// The level of an attribute at the node that steps start from, in the shown hierarchy.
    pub(crate) fn level(&self, shared: &Shared, attribute: usize) -> Level {
        let level = shared.ground.node.levels()[attribute];
        match self.editing.as_ref().filter(|editing| editing.attribute == attribute) {
            Some(editing) => editing.level_of(level),
            None => level,
        }
    }

    /// Chooses an attribute.
    pub(crate) fn choose(&mut self, shared: &Shared, attribute: usize) {
        let attribute = attribute.min(shared.problem.quasi().len() - 1);
        if attribute != self.attribute {
            self.marks = Marks::default();
        }
        self.attribute = attribute;
        self.show(shared);
    }

    /// The tree of the chosen attribute; none before the screen is opened.
    pub(crate) fn tree(&self) -> Option<&LabelTree> {
        self.trees.get(self.attribute)?.as_ref()
    }

    /// [`tree`](Self::tree), to move and fold in it.
    pub(crate) fn tree_mut(&mut self) -> Option<&mut LabelTree> {
        self.trees.get_mut(self.attribute)?.as_mut()
    }

    /// The number of labels of a level that somebody in P has.
    pub(crate) fn occurring(&self, problem: &Problem, attribute: usize, level: Level) -> usize {
        let index = usize::from(level.0 - problem.hierarchy(attribute).base().0);
        self.occurring.get(attribute).and_then(|levels| levels.get(index)).copied().unwrap_or(0)
    }

    /// Finds a text in labels of any level, or at their beginning after `^`: in the chosen attribute from the cursor on, then in the
    /// others.
    /// # Errors
    /// No label has the text.
    pub(crate) fn find(&mut self, shared: &Shared, typed: &str) -> Result<String, String> {
        let problem = &self.problem(shared).clone();
        let wanted = typed.trim().to_lowercase();
        if wanted.trim_start_matches('^').is_empty() {
            self.search = None;
            return Ok(String::new());
        }
        let count = count(problem, &wanted);
        if count == 0 {
            return Err(format!("no hierarchy has a label with `{}`", typed.trim()));
        }
        let here = self.attribute;
        let others = (1..problem.quasi().len()).map(|away| (here + away) % problem.quasi().len());
        let starts = [(here, Start::Here), (here, Start::End)].into_iter();
        self.go_to(shared, starts.chain(others.map(|other| (other, Start::End))), true, &wanted);
        self.search = Some(wanted);
        Ok(self.describe_position(problem, count))
    }

    /// Goes to the next matching label, or the previous one, in all attributes.
    /// # Errors
    /// No text to find was given yet.
    pub(crate) fn find_again(&mut self, shared: &Shared, forward: bool) -> Result<String, String> {
        let problem = &self.problem(shared).clone();
        let wanted = self.search.clone().ok_or("find something first")?;
        let (here, attributes) = (self.attribute, problem.quasi().len());
        let away = |step: usize| if forward { here + step } else { here + attributes - step };
        let others = (1..=attributes).map(|step| (away(step) % attributes, Start::End));
        self.go_to(shared, [(here, Start::Beyond)].into_iter().chain(others), forward, &wanted);
        Ok(self.describe_position(problem, count(problem, &wanted)))
    }

    /// Goes to the first match of a text.
    fn go_to(
        &mut self,
        shared: &Shared,
        starts: impl Iterator<Item = (usize, Start)>,
        forward: bool,
        wanted: &str,
    ) {
        let before = self.attribute;
        let problem = &self.problem(shared).clone();
        for (attribute, from) in starts {
            let hierarchy = problem.hierarchy(attribute);
            let has = |branch: &Branch| is_in(label(hierarchy, branch), wanted);
            // A tree is built only if it is shown.
            if !hierarchy
                .levels()
                .any(|level| hierarchy.labels(level).iter().any(|label| is_in(label, wanted)))
            {
                continue;
            }
            self.choose(shared, attribute);
            if self.tree_mut().is_some_and(|tree| tree.find(from, forward, has)) {
                return;
            }
        }
        self.choose(shared, before);
    }

    /// The message about a match.
    fn describe_position(&self, problem: &Problem, count: usize) -> String {
        let Some(branch) = self.tree().and_then(|tree| tree.row(tree.cursor())) else { return String::new() };
        let quasi = &problem.quasi()[self.attribute];
        let found = label(&quasi.hierarchy, branch);
        let others = match count - 1 {
            0 => "the only one".to_owned(),
            1 => "1 other has it".to_owned(),
            others => format!("{others} others have it"),
        };
        format!("{}: `{found}` at level {}; {others}", quasi.name, branch.level)
    }
}

/// The text of a branch.
pub(crate) fn label<'a>(hierarchy: &'a Hierarchy, branch: &Branch) -> &'a str {
    &hierarchy.labels(branch.level)[branch.label as usize]
}

/// Whether a label is one of those to find.
pub(super) fn is_in(label: &str, wanted: &str) -> bool {
    let label = label.to_lowercase();
    wanted.strip_prefix('^').map_or_else(|| label.contains(wanted), |start| label.starts_with(start))
}

/// The number of labels with a text, over all hierarchies.
fn count(problem: &Problem, wanted: &str) -> usize {
    let hierarchies = problem.quasi().iter().map(|quasi| &quasi.hierarchy);
    let labels =
        hierarchies.flat_map(|hierarchy| hierarchy.levels().flat_map(|level| hierarchy.labels(level).iter()));
    labels.filter(|label| is_in(label, wanted)).count()
}
