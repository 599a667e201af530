//! The leaves that a published text denotes: those of a label, of a range `[low, high]`, of a union `{A, B}`, or of a
//! label with exceptions, `L except {A, B}`.

use super::borders::{Borders, ordered_member};
use super::description::{DescriptionTree, Form};
use super::hierarchy::Hierarchy;
use super::leaves::{Denoted, Leaf, Leaves};
use super::limits::Limits;
use super::members;

/// The words between a label and its exceptions.
const EXCEPT: &str = " except ";

/// Reads the published texts of one quasi-identifier.
#[derive(Debug)]
pub(crate) struct TextReader<'a> {
    hierarchy: &'a Hierarchy,
    sets: Sets<'a>,
}

/// The texts that are not labels.
#[derive(Debug)]
enum Sets<'a> {
    /// Ranges of leaves.
    Ranges,
    /// Ranges of labels, and sets of ranges and labels.
    Borders(Box<Borders<'a>>),
    /// Unions and exceptions.
    Descriptions(DescriptionTree<'a>),
}

impl<'a> TextReader<'a> {
    /// Prepares the reading of many texts. `occurs` states for each leaf whether it occurs in P. O(leaves · levels).
    pub(crate) fn new(hierarchy: &'a Hierarchy, limits: Limits, occurs: &[bool]) -> Self {
        let is_ordered = hierarchy.kind.is_ordered();
        let sets = match limits.borders_above(hierarchy.base) {
            Some(level) if is_ordered => Sets::Borders(Box::new(Borders::new(hierarchy, occurs, level))),
            _ if is_ordered => match Borders::of_odd_values(hierarchy, occurs) {
                Some(borders) => Sets::Borders(Box::new(borders)),
                None => Sets::Ranges,
            },
            _ => {
                let finest = limits.finest.map_or(hierarchy.base, |finest| finest.max(hierarchy.base));
                Sets::Descriptions(DescriptionTree::new(hierarchy, occurs, finest))
            }
        };
        Self { hierarchy, sets }
    }

    /// The leaves that a text denotes. Every set of occurring categories has one text, and no other is read.
    ///
    /// # Errors
    /// The text that was expected, without any value.
    pub(crate) fn read(&self, text: &str) -> Result<Denoted, String> {
        let hierarchy = self.hierarchy;
        if let Some(leaves) = hierarchy.label(text) {
            return Ok(Denoted { leaves: leaves.into_owned(), terms: 1 });
        }
        let is_range = text.starts_with('[') && text.ends_with([']', ')', '[']);
        let is_set = text.ends_with('}') && (text.starts_with('{') || text.contains(" except {"));
        if !is_range && !is_set {
            return Err(self.no_label(text));
        }
        match &self.sets {
            Sets::Borders(borders) => borders.read(text),
            Sets::Ranges => self.range_or_missing(text),
            Sets::Descriptions(tree) if is_set => self.set(tree, text),
            Sets::Descriptions(_) => {
                Err("only numbers and dates have ranges; expected a label, or a set `{a, b}`".to_owned())
            }
        }
    }

    fn no_label(&self, text: &str) -> String {
        let base = self.hierarchy.base;
        if self.hierarchy.is_finer(text) {
            return format!(
                "finer than level {base}, the level of the public table; expected a label of level {base} or above"
            );
        }
        format!("expected a label of its hierarchy, of level {base} or above, a range or a set")
    }

    /// A range of leaves, or the label of missing values beside a range or a value.
    fn range_or_missing(&self, text: &str) -> Result<Denoted, String> {
        let hierarchy = self.hierarchy;
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Ok(Denoted { leaves: range(hierarchy, inner)?, terms: 1 });
        }
        let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        match (inner, hierarchy.missing) {
            (Some(inner), Some(missing)) => {
                Ok(Denoted { leaves: with_missing(hierarchy, missing, inner)?, terms: 2 })
            }
            _ => Err("only categories have sets; expected a label, or a range `[low, high]`".to_owned()),
        }
    }

    /// A union or a label with exceptions. The text must be the shortest description of its occurring values.
    fn set(&self, tree: &DescriptionTree, text: &str) -> Result<Denoted, String> {
        let (around, members) = parts(text)?;
        let sets = members.iter().map(|member| {
            let label = self.hierarchy.label(member);
            label.ok_or("a member of its set is not a label of the hierarchy, of the level of P or above")
        });
        let sets = sets.collect::<Result<Vec<_>, _>>()?;
        let united = Leaves::united(sets.iter().map(AsRef::as_ref));
        let (leaves, terms) = match &around {
            Some(label) => {
                let all = self
                    .hierarchy
                    .label(label)
                    .ok_or("expected a label of the hierarchy before ` except {`")?;
                (all.without(&united), 1 + members.len())
            }
            None => (united, members.len()),
        };
        let shortest = tree.shortest(&leaves);
        match shortest {
            Some(description) if description.text == text => Ok(Denoted { leaves, terms }),
            Some(description) => Err(expected(description.form)),
            None => Err(format!(
                "expected a set of values that occur in P, with labels of level {} or above",
                tree.floor()
            )),
        }
    }
}

/// The refusal of a set that has a description of this form.
fn expected(form: Form) -> String {
    const ORDER: &str =
        "each once, in the order of the hierarchy, with JSON strings only for members that need them";
    let members = |count: usize| if count == 1 { "1 label".to_owned() } else { format!("{count} labels") };
    match form {
        Form::Label => "one label has the values of its set; expected the finest such label".to_owned(),
        Form::Union(count) => {
            format!("expected the shortest description of its values: a set of {}, {ORDER}", members(count))
        }
        Form::Exceptions(count) => format!(
            "expected the shortest description of its values: a label with `except` and a set of {}, {ORDER}",
            members(count)
        ),
    }
}

/// The label before ` except `, if there is one, and the members of the set.
fn parts(text: &str) -> Result<(Option<String>, Vec<String>), String> {
    let wrong = || "expected a set `{a, b}`, or a label with exceptions, `label except {a, b}`".to_owned();
    let inside = |set: &str| -> Result<Vec<String>, String> {
        let inner = set.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        members::read(inner.ok_or_else(wrong)?)
    };
    if text.starts_with('{') {
        return Ok((None, inside(text)?));
    }
    // A brace in the label would need a JSON string.
    let (label, after) = if text.starts_with('"') {
        members::first_string(text)?
    } else {
        let (label, after) = text.split_at(text.find(" except {").ok_or_else(wrong)?);
        (label.to_owned(), after)
    };
    Ok((Some(label), inside(after.strip_prefix(EXCEPT).ok_or_else(wrong)?)?))
}

/// The inside of `{unknown, 5}` or `{unknown, [5, 9]}`: the label of missing values, and one value or a range.
fn with_missing(hierarchy: &Hierarchy, missing: Leaf, inner: &str) -> Result<Leaves, String> {
    let expected = || {
        "expected the label of missing values, then `, `, then a value or a range; a value with a comma as a JSON string"
            .to_owned()
    };
    let label = ordered_member(hierarchy.kind, hierarchy.text(missing));
    let rest = inner.strip_prefix(&label).and_then(|rest| rest.strip_prefix(", "));
    let rest = rest.ok_or_else(expected)?;
    let values = if let Some(inner) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        match range(hierarchy, inner)?.runs().collect::<Vec<_>>().as_slice() {
            // A range of one value is written as the value.
            [(low, high)] if low < high => *low..=*high,
            _ => return Err(expected()),
        }
    } else {
        let value = if rest.starts_with('"') { members::first_string(rest)?.0 } else { rest.to_owned() };
        let leaf = hierarchy.leaf(&value).filter(|&leaf| leaf != missing).ok_or_else(expected)?;
        if ordered_member(hierarchy.kind, &value) != rest {
            return Err(expected());
        }
        leaf..=leaf
    };
    Ok(Leaves::from_ascending(std::iter::once(missing).chain(values)))
}

/// The inside of `[low, high]`, both leaves and both included. A leaf may contain `, `, so every split is tried.
fn range(hierarchy: &Hierarchy, inner: &str) -> Result<Leaves, String> {
    let ends = inner.match_indices(", ").filter_map(|(position, comma)| {
        let end = |text| hierarchy.leaf(text).filter(|leaf| Some(*leaf) != hierarchy.missing);
        Some((end(&inner[..position])?, end(&inner[position + comma.len()..])?))
    });
    match ends.collect::<Vec<_>>().as_slice() {
        [(low, high)] if low <= high => Ok(Leaves::of_run(*low, *high)),
        [_] => Err("the ends of its range are reversed; expected `[low, high]`".to_owned()),
        [] => Err("expected `[low, high]` with two values of the hierarchy".to_owned()),
        [_, _, ..] => Err("its range can be read in two ways; rename values that contain a comma".to_owned()),
    }
}

#[cfg(test)]
pub(crate) mod tests;
