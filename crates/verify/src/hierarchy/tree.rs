//! Tree hierarchies: for each level, which children a parent has, bottom up; unfolded from the top into rows.

use rustc_hash::FxHashMap;
use toml::Spanned;
use toml::de::DeValue;

use super::grid::Grid;
use super::listed::Listed;
use super::settings::Settings;
use crate::error::VerifyError;

/// A level: each parent with its children, in the order of the file.
type Families<'a> = Vec<(&'a str, Vec<&'a str>)>;

pub(super) fn read(settings: &Settings) -> Result<Listed, VerifyError> {
    settings.only(&["type", "level"])?;
    let levels = settings.tables("level")?;
    let mut families: Vec<Families> = Vec::new();
    for (number, level) in (1_usize..).zip(levels) {
        let table = *level.get_ref();
        let mut families_here: Families = Vec::new();
        let mut parent_of: FxHashMap<&str, &str> = FxHashMap::default();
        for (parent, children) in table {
            let parent: &str = parent.get_ref();
            let children = children_of(settings, number, parent, children)?;
            for &child in &children {
                if let Some(other) = parent_of.insert(child, parent) {
                    let detail =
                        format!("level {number}: `{child}` stands under both `{other}` and `{parent}`");
                    return Err(settings.wrong(None, detail));
                }
            }
            families_here.push((parent, children));
        }
        if families_here.is_empty() {
            return Err(settings.wrong(Some(level.span()), format!("level {number} is empty; leave it out")));
        }
        if let Some(below) = families.last() {
            check_joint(below, &parent_of, number).map_err(|detail| settings.wrong(None, detail))?;
        }
        families.push(families_here);
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
            format!("level {number}: `{parent}` is no list of texts; expected `parent = [\"child\", …]`");
        settings.wrong(Some(children.span()), detail)
    })
}

/// The parents of one level must be the children of the next.
fn check_joint(below: &Families, parent_of: &FxHashMap<&str, &str>, number: usize) -> Result<(), String> {
    if let Some((orphan, _)) = below.iter().find(|(parent, _)| !parent_of.contains_key(parent)) {
        let level = number - 1;
        return Err(format!("level {level}: `{orphan}` has no parent at level {number}; list it under one"));
    }
    let mut strangers: Vec<&str> =
        parent_of.keys().copied().filter(|child| below.iter().all(|(parent, _)| parent != child)).collect();
    strangers.sort_unstable();
    match strangers.first() {
        Some(stranger) => Err(format!(
            "level {number}: `{stranger}` is no label of level {}; correct one of them",
            number - 1
        )),
        None => Ok(()),
    }
}

/// A row a leaf, in the order of a walk from the top.
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
    grid.crown()
}
