//! Tree hierarchies: the children of each parent, level by level, bottom up.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::Deserialize;

use super::builder::{HierarchyBuilder, Position, position_of_text};
use crate::values::literal::toml_string;
use palmtop_core::model::{Kind, Level};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeFile {
    /// Already read; declared so that serde does not refuse the key as unknown.
    #[serde(rename = "type")]
    _type: String,
    level: Vec<toml::Table>,
}

/// A tree in TOML, from the labels of each value: the parts of each label of each level, bottom up.
pub fn tree_of<Text: AsRef<str>>(rows: &[Vec<Text>]) -> String {
    let mut text = "type = \"tree\"\n".to_owned();
    for level in 1..rows.first().map_or(0, Vec::len) {
        text.push_str("\n[[level]]\n");
        let mut written = BTreeSet::new();
        let mut children: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for row in rows {
            let (part, label) = (row[level - 1].as_ref(), row[level].as_ref());
            if !written.insert(part) {
                continue;
            }
            let index = *known.entry(label).or_insert_with(|| {
                children.push((label, Vec::new()));
                children.len() - 1
            });
            children[index].1.push(part);
        }
        for (label, parts) in children {
            let parts: Vec<String> = parts.into_iter().map(toml_string).collect();
            text.push_str(&format!("{} = [{}]\n", toml_string(label), parts.join(", ")));
        }
    }
    text
}

/// A tree, checked to nest.
pub(super) struct Tree {
    /// For each level except the top: the parent of each label, and the label's position of first
    /// appearance.
    parents: Vec<HashMap<String, (Arc<str>, usize)>>,
    top: String,
}

impl Tree {
    pub(super) fn new(written: &TreeFile) -> Result<Self, String> {
        let mut parents: Vec<HashMap<String, (Arc<str>, usize)>> = Vec::new();
        let mut labels: Vec<String> = Vec::new();
        if written.level.is_empty() {
            return Err("there is no `[[level]]`; give at least one, of `parent = [children]`".to_owned());
        }
        for (number, level) in (1..).zip(&written.level) {
            let (above, known) = read_level(number, level)?;
            if number > 1 {
                if let Some(orphan) = labels.iter().find(|label| !known.contains_key(*label)) {
                    return Err(format!(
                        "level {}: `{orphan}` has no parent at level {number}; list it under one",
                        number - 1
                    ));
                }
                if let Some(stranger) = sorted(&known).into_iter().find(|child| !labels.contains(child)) {
                    return Err(format!(
                        "level {number}: `{stranger}` is not a label of level {}; correct one of them",
                        number - 1
                    ));
                }
            }
            parents.push(known);
            labels = above;
        }
        let top = if let [only] = labels.as_slice() {
            only.clone()
        } else {
            let walk = labels.iter().enumerate();
            parents.push(walk.map(|(index, label)| (label.clone(), (Arc::from("*"), index))).collect());
            "*".to_owned()
        };
        Ok(Self { parents, top })
    }
}

/// The parents of one level in the order of the file, and each child's parent and position.
#[expect(clippy::type_complexity, reason = "both halves of one reading")]
fn read_level(
    number: usize,
    level: &toml::Table,
) -> Result<(Vec<String>, HashMap<String, (Arc<str>, usize)>), String> {
    let mut known: HashMap<String, (Arc<str>, usize)> = HashMap::new();
    let mut position = 0;
    for (parent, children) in level {
        let shared: Arc<str> = Arc::from(parent.as_str());
        let wrong = || {
            format!("level {number}: `{parent}` is not a list of texts; expected `parent = [\"child\", …]`")
        };
        let children = children.as_array().filter(|children| !children.is_empty()).ok_or_else(wrong)?;
        for child in children {
            let child = child.as_str().ok_or_else(wrong)?;
            if let Some((other, _)) = known.insert(child.to_owned(), (Arc::clone(&shared), position)) {
                return Err(format!(
                    "level {number}: `{child}` is listed under both `{other}` and `{parent}`"
                ));
            }
            position += 1;
        }
    }
    if known.is_empty() {
        return Err(format!("level {number} is empty; remove it"));
    }
    Ok((level.keys().cloned().collect(), known))
}

fn sorted(known: &HashMap<String, (Arc<str>, usize)>) -> Vec<&String> {
    let mut children: Vec<&String> = known.keys().collect();
    children.sort();
    children
}

impl HierarchyBuilder for Tree {
    fn kind(&self) -> Kind {
        Kind::Category
    }

    fn height(&self) -> usize {
        self.parents.len()
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        if level == self.top() {
            return (text == self.top).then(|| vec![Arc::from(text)]);
        }
        let mut chain: Vec<Arc<str>> = vec![Arc::from(text)];
        for known in self.parents.get(usize::from(level.0)..)? {
            let (parent, _) = known.get(&**chain.last()?)?;
            chain.push(Arc::clone(parent));
        }
        Some(chain)
    }

    fn named_leaves(&self) -> Option<Vec<String>> {
        let leaves = self.parents.first()?;
        let mut leaves: Vec<String> = leaves.keys().cloned().collect();
        leaves.sort_unstable();
        Some(leaves)
    }

    fn top_label(&self) -> Arc<str> {
        Arc::from(self.top.as_str())
    }

    fn remedy(&self, text: &str) -> String {
        format!(
            "add each to a list of its first [[level]], such as `(label) = [{text:?}]`, or correct the table"
        )
    }

    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position> {
        let chain = self.chain(text, level)?;
        let positions = chain.iter().zip(&self.parents[usize::from(level.0)..]);
        let mut walk: Vec<usize> =
            positions.filter_map(|(label, known)| Some(known.get(&**label)?.1)).collect();
        walk.reverse();
        position_of_text(text, kind, Position::Walk(walk))
    }
}
