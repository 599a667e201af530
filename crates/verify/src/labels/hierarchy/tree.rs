//! Tree hierarchies. The file lists the children of each parent, level by level from the bottom; they are unfolded into rows.

use rustc_hash::{FxHashMap, FxHashSet};
use toml::Spanned;
use toml::de::DeValue;

use super::grid::Grid;
use super::listed::Listed;
use super::settings::Settings;
use crate::problems::VerifyError;

/// The parents of a level, each with its children, in the order of the file.
type Families<'a> = Vec<(&'a str, Vec<&'a str>)>;

pub(super) fn read(settings: &Settings) -> Result<Listed, VerifyError> {
    settings.only(&["type", "level"])?;
    let levels = settings.tables("level")?;
    let mut families: Vec<Families> = Vec::new();
    for (number, level) in (1_usize..).zip(levels) {
        let table = *level.get_ref();
        let mut of_level: Families = Vec::new();
        let mut parent_of: FxHashMap<&str, &str> = FxHashMap::default();
        for (parent, children) in table {
            let parent: &str = parent.get_ref();
            let children = children_of(settings, number, parent, children)?;
            for &child in &children {
                if let Some(first) = parent_of.insert(child, parent) {
                    let detail = format!(
                        "level {number}: `{child}` has two parents, `{first}` and `{parent}`; remove it from one"
                    );
                    return Err(settings.wrong(None, detail));
                }
            }
            of_level.push((parent, children));
        }
        if of_level.is_empty() {
            return Err(settings.wrong(Some(level.span()), format!("level {number} is empty; remove it")));
        }
        if let Some(below) = families.last() {
            check_connected(below, &parent_of, number).map_err(|detail| settings.wrong(None, detail))?;
        }
        families.push(of_level);
    }
    unfold(&families).and_then(Listed::of_tree).map_err(|detail| settings.wrong(None, detail))
}

fn children_of<'a>(
    settings: &Settings,
    number: usize,
    parent: &str,
    children: &'a Spanned<DeValue>,
) -> Result<Vec<&'a str>, VerifyError> {
    let texts = children.get_ref().as_array().and_then(|children| {
        children.iter().map(|child| child.get_ref().as_str()).collect::<Option<Vec<&str>>>()
    });
    texts.filter(|texts| !texts.is_empty()).ok_or_else(|| {
        let detail =
            format!("level {number}: `{parent}` is not a list of texts; expected `parent = [\"child\", …]`");
        settings.wrong(Some(children.span()), detail)
    })
}

/// Checks that the parents of one level are the children of the next.
fn check_connected(below: &Families, parent_of: &FxHashMap<&str, &str>, number: usize) -> Result<(), String> {
    if let Some((orphan, _)) = below.iter().find(|(parent, _)| !parent_of.contains_key(parent)) {
        let level = number - 1;
        return Err(format!("level {level}: `{orphan}` has no parent at level {number}; list it under one"));
    }
    let labels: FxHashSet<&str> = below.iter().map(|(parent, _)| *parent).collect();
    match parent_of.keys().filter(|child| !labels.contains(**child)).min() {
        Some(child) => Err(format!(
            "level {number}: `{child}` is not a label of level {}; correct one of them",
            number - 1
        )),
        None => Ok(()),
    }
}

/// A grid with a row for each leaf, in depth-first order from the top.
fn unfold(families: &[Families]) -> Result<Grid, String> {
    let tops = families.last().map(Vec::as_slice).unwrap_or_default();
    let mut paths: Vec<Vec<&str>> = tops.iter().map(|(parent, _)| vec![*parent]).collect();
    for families in families.iter().rev() {
        let children: FxHashMap<&str, &[&str]> =
            families.iter().map(|(parent, children)| (*parent, children.as_slice())).collect();
        let mut longer = Vec::new();
        for path in &paths {
            let below = path.last().and_then(|label| children.get(label)).copied().unwrap_or_default();
            longer.extend(below.iter().map(|child| [path.as_slice(), &[*child]].concat()));
        }
        paths = longer;
    }
    let mut grid = Grid::new(families.len() + 1)?;
    for path in paths {
        grid.push(path.into_iter().rev())?;
    }
    grid.with_single_top()
}
