//! The screen of hierarchies: which attribute is chosen, its tree of labels, and what is looked for in them.

use palmtop::model::{Hierarchy, Level, Node, Problem};

use crate::tui::shared::labels::occurring;

use super::tree::{Branch, LabelTree, Start};

/// The state of the screen.
#[derive(Default)]
pub(crate) struct HierarchyTree {
    /// The chosen quasi-identifier.
    pub(crate) attribute: usize,
    /// Of each quasi-identifier, its tree once it was shown.
    trees: Vec<Option<LabelTree>>,
    /// Of each quasi-identifier and level, finest first, how many labels have somebody in P.
    occurring: Vec<Vec<usize>>,
    /// What is looked for, in lower case.
    search: Option<String>,
}

impl HierarchyTree {
    /// Makes what the screen shows and is not there yet; the tree follows the level that its attribute has at a node.
    pub(crate) fn show(&mut self, problem: &Problem, node: &Node) {
        let count = problem.quasi().len();
        if self.occurring.is_empty() {
            self.occurring = (0..count).map(|attribute| occurring(problem, attribute)).collect();
            self.trees.resize_with(count, || None);
        }
        let (attribute, level) = (self.attribute, node.levels()[self.attribute]);
        let tree = self.trees[attribute].get_or_insert_with(|| LabelTree::new(problem, attribute, level));
        tree.follow(level);
    }

    /// Chooses an attribute.
    pub(crate) fn choose(&mut self, problem: &Problem, node: &Node, attribute: usize) {
        self.attribute = attribute.min(problem.quasi().len() - 1);
        self.show(problem, node);
    }

    /// The tree of the chosen attribute, once the screen was opened.
    pub(crate) fn tree(&self) -> Option<&LabelTree> {
        self.trees.get(self.attribute)?.as_ref()
    }

    /// The same, to move and fold in it.
    pub(crate) fn tree_mut(&mut self) -> Option<&mut LabelTree> {
        self.trees.get_mut(self.attribute)?.as_mut()
    }

    /// How many labels of a level have somebody in P.
    pub(crate) fn occurring(&self, problem: &Problem, attribute: usize, level: Level) -> usize {
        let place = usize::from(level.0 - problem.hierarchy(attribute).base().0);
        self.occurring.get(attribute).and_then(|levels| levels.get(place)).copied().unwrap_or(0)
    }

    /// Looks for a text in labels of any level: in the chosen attribute from the cursor on, then in the others.
    ///
    /// # Errors
    /// Where no label has it.
    pub(crate) fn find(&mut self, problem: &Problem, node: &Node, typed: &str) -> Result<String, String> {
        let wanted = typed.trim().to_lowercase();
        if wanted.is_empty() {
            self.search = None;
            return Ok(String::new());
        }
        let count = count(problem, &wanted);
        if count == 0 {
            return Err(format!("no label of any hierarchy has `{}`", typed.trim()));
        }
        let here = self.attribute;
        let others = (1..problem.quasi().len()).map(|away| (here + away) % problem.quasi().len());
        let places = [(here, Start::Here), (here, Start::End)].into_iter();
        self.go_to(problem, node, places.chain(others.map(|other| (other, Start::End))), true, &wanted);
        self.search = Some(wanted);
        Ok(self.said(problem, count))
    }

    /// Goes to the next label that has what was looked for, or the one before, through every attribute.
    ///
    /// # Errors
    /// Where nothing was looked for yet.
    pub(crate) fn find_again(
        &mut self,
        problem: &Problem,
        node: &Node,
        forward: bool,
    ) -> Result<String, String> {
        let wanted = self.search.clone().ok_or("nothing was looked for yet")?;
        let (here, attributes) = (self.attribute, problem.quasi().len());
        let away = |step: usize| if forward { here + step } else { here + attributes - step };
        let others = (1..=attributes).map(|step| (away(step) % attributes, Start::End));
        self.go_to(problem, node, [(here, Start::Beyond)].into_iter().chain(others), forward, &wanted);
        Ok(self.said(problem, count(problem, &wanted)))
    }

    /// Goes to the first place where a text is found.
    fn go_to(
        &mut self,
        problem: &Problem,
        node: &Node,
        places: impl Iterator<Item = (usize, Start)>,
        forward: bool,
        wanted: &str,
    ) {
        let before = self.attribute;
        for (attribute, from) in places {
            let hierarchy = problem.hierarchy(attribute);
            let has = |branch: &Branch| is_in(label(hierarchy, branch), wanted);
            // A tree is made only where something of it is shown.
            if !hierarchy
                .levels()
                .any(|level| hierarchy.labels(level).iter().any(|label| is_in(label, wanted)))
            {
                continue;
            }
            self.choose(problem, node, attribute);
            if self.tree_mut().is_some_and(|tree| tree.find(from, forward, has)) {
                return;
            }
        }
        self.choose(problem, node, before);
    }

    /// What was found, in words.
    fn said(&self, problem: &Problem, count: usize) -> String {
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

fn is_in(label: &str, wanted: &str) -> bool {
    label.to_lowercase().contains(wanted)
}

/// How many labels of all hierarchies have a text.
fn count(problem: &Problem, wanted: &str) -> usize {
    let hierarchies = problem.quasi().iter().map(|quasi| &quasi.hierarchy);
    let labels = hierarchies.flat_map(|own| own.levels().flat_map(|level| own.labels(level)));
    labels.filter(|label| is_in(label, wanted)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop::pipeline::{Analysis, Overrides};

    #[test]
    fn a_text_is_looked_for_in_the_chosen_attribute_first_then_in_the_others() {
        let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/paper/paper.toml");
        let problem = Analysis::load(&project, &Overrides::default()).unwrap().problem().clone();
        let node = problem.lattice().bottom();
        let mut screen = HierarchyTree::default();
        screen.show(&problem, &node);
        for (typed, said) in [
            ("47906", "zip: `47906` at level 0; the only one"),
            ("EUROPE", "nationality: `Europe` at level 2; 1 other has it"),
            ("40", "age: `<=40` at level 1; 1 other has it"),
            ("", ""),
        ] {
            assert_eq!(screen.find(&problem, &node, typed).unwrap(), said);
        }
        assert_eq!(screen.find_again(&problem, &node, true).unwrap_err(), "nothing was looked for yet");
        let refused = screen.find(&problem, &node, " Atlantis ").unwrap_err();
        assert_eq!(refused, "no label of any hierarchy has `Atlantis`");
        screen.find(&problem, &node, "*").unwrap();
        let mut walk: Vec<String> = Vec::new();
        for _ in 0..3 {
            let said = screen.find_again(&problem, &node, false).unwrap();
            walk.push(said.split(';').next().unwrap().to_owned());
        }
        assert_eq!(walk, ["zip: `4897*` at level 1", "zip: `489**` at level 2", "zip: `48***` at level 3"]);
    }

    #[test]
    fn labels_without_people_are_not_counted() {
        let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/paper/paper.toml");
        let problem = Analysis::load(&project, &Overrides::default()).unwrap().problem().clone();
        let mut screen = HierarchyTree::default();
        screen.show(&problem, &problem.lattice().bottom());
        let counts: Vec<usize> =
            problem.hierarchy(2).levels().map(|level| screen.occurring(&problem, 2, level)).collect();
        assert_eq!(counts, [7, 3, 2, 1]);
    }
}
