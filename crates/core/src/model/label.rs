//! The published label of a class in one quasi-identifier, and its text.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::description::{Description, DescriptionTree, Term, json_string, member};
use super::hierarchy::{Code, Hierarchy, Level};
use super::problem::Problem;
use super::ranges::{Ranges, is_plain_in_set, range_text};
use super::size;

/// One side of a region's box: the leaves of the region's public people in one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// All leaves between two codes, both included. Used for numbers and dates.
    Range {
        /// The lowest code.
        low: Code,
        /// The highest code.
        high: Code,
    },
    /// A set of leaves, in the order of their codes. Used for categories.
    Set(Vec<Code>),
}

impl Side {
    /// Whether the side contains a leaf.
    pub fn contains(&self, code: Code) -> bool {
        match self {
            Self::Range { low, high } => (*low..=*high).contains(&code),
            Self::Set(codes) => codes.binary_search(&code).is_ok(),
        }
    }

    /// Whether both sides contain the same leaf.
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Range { low, high }, Self::Range { low: from, high: to }) => low <= to && from <= high,
            (Self::Set(codes), side) | (side, Self::Set(codes)) => {
                codes.iter().any(|&code| side.contains(code))
            }
        }
    }
}

/// The published label of a class in one quasi-identifier.
///
/// The order of the variants is only for sorting; see [`Label::text`] for the format.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A label of the hierarchy, as its level and number. It denotes all its leaves, including
    /// those that do not occur.
    Of(Level, u32),
    /// A range of leaves, both ends included.
    Range(Code, Code),
    /// The labels of one level from one to another, both included, as the members of its text. Each member
    /// has a first and a last label.
    Span(Level, Vec<(u32, u32)>),
    /// A union of disjoint labels, in the order of their leaves.
    Union(Vec<Term>),
    /// A label without some labels below it, in the order of their leaves.
    Except(Term, Vec<Term>),
    /// The labels of all rows of a person, in the order of the rows. Files do not contain this
    /// text, because a release writes each row separately.
    Rows(Vec<Label>),
}

/// Finds the labels of regions' sides in one quasi-identifier.
#[derive(Clone, Debug)]
pub struct SideLabels {
    attribute: usize,
    tree: DescriptionTree,
    /// The ranges of labels; `None` if a range names two values.
    ranges: Option<Arc<Ranges>>,
}

impl SideLabels {
    /// Builds the tree of the occurring values, and finds the ranges that mean what they say.
    pub fn of(problem: &Problem, attribute: usize) -> Self {
        Self { attribute, tree: DescriptionTree::of(problem, attribute), ranges: problem.ranges(attribute) }
    }

    /// Whether the text of a range may have several terms, although no value is missing.
    pub fn has_sets_of_ranges(&self) -> bool {
        self.ranges.as_ref().is_some_and(|ranges| !ranges.are_always_one())
    }

    /// The label of a region's side (DESIGN, section 3). O(codes · height).
    ///
    /// It is the first possible choice, and no label is finer than the problem permits:
    ///
    /// - the finest label whose occurring leaves are exactly those of the side;
    /// - the range, or the shortest description of the set.
    ///
    /// `problem` is the one of which the tree was built.
    pub fn label(&self, problem: &Problem, side: &Side) -> Label {
        let hierarchy = problem.hierarchy(self.attribute);
        match side {
            Side::Range { low, high } => {
                if let Some((level, label)) = self.tree.label(&self.tree.set(*low..=*high)) {
                    return Label::Of(level, label);
                }
                match &self.ranges {
                    Some(ranges) => {
                        let labels = hierarchy.labels_of(ranges.level());
                        let members = ranges.members(labels[*low as usize], labels[*high as usize]);
                        Label::Span(ranges.level(), members)
                    }
                    None => Label::Range(*low, *high),
                }
            }
            Side::Set(codes) => self.tree.describe(hierarchy, &self.tree.set(codes.iter().copied())).into(),
        }
    }
}

impl Label {
    /// The number of leaves that the text denotes. For several rows, the sum over the rows.
    pub fn leaves(&self, hierarchy: &Hierarchy) -> u32 {
        let size = |&(level, label): &Term| hierarchy.label_size(level, label);
        match self {
            Self::Of(level, label) => hierarchy.label_size(*level, *label),
            Self::Range(low, high) => hierarchy.leaves_between(*low, *high),
            Self::Span(level, members) => span(members).map(|label| size(&(*level, label))).sum(),
            Self::Union(terms) => terms.iter().map(size).sum(),
            Self::Except(around, exceptions) => size(around) - exceptions.iter().map(size).sum::<u32>(),
            Self::Rows(labels) => labels.iter().map(|label| label.leaves(hierarchy)).sum(),
        }
    }

    /// Whether the text denotes a leaf.
    pub fn denotes(&self, hierarchy: &Hierarchy, code: Code) -> bool {
        let has = |&(level, label): &Term| hierarchy.labels_of(level)[code as usize] == label;
        match self {
            Self::Of(level, label) => has(&(*level, *label)),
            Self::Range(low, high) => (*low..=*high).contains(&code),
            Self::Span(level, members) => span(members).contains(&hierarchy.labels_of(*level)[code as usize]),
            Self::Union(terms) => terms.iter().any(has),
            Self::Except(around, exceptions) => has(around) && !exceptions.iter().any(has),
            Self::Rows(labels) => labels.iter().any(|label| label.denotes(hierarchy, code)),
        }
    }

    /// The leaves that the text denotes, ascending, each once. O(leaves · terms).
    pub fn codes(&self, hierarchy: &Hierarchy) -> Vec<Code> {
        let leaves = 0..size::number(hierarchy.leaf_count());
        leaves.filter(|&code| self.denotes(hierarchy, code)).collect()
    }

    /// The number of terms of the text: labels, values, ranges and exceptions. For several rows, the
    /// largest number of one row.
    pub fn terms(&self, hierarchy: &Hierarchy) -> usize {
        match self {
            Self::Of(..) => 1,
            Self::Range(low, high) => 1 + usize::from(low < high && hierarchy.missing() == Some(*low)),
            Self::Span(_, members) => members.len(),
            Self::Union(terms) => terms.len(),
            Self::Except(_, exceptions) => 1 + exceptions.len(),
            Self::Rows(labels) => labels.iter().map(|label| label.terms(hierarchy)).max().unwrap_or(0),
        }
    }

    /// The label of each row. Only a person with several rows has several labels.
    pub fn rows(&self) -> &[Self] {
        match self {
            Self::Rows(labels) => labels,
            _ => std::slice::from_ref(self),
        }
    }

    /// The text in a release: a label, `[low, high]`, `{a, b}`, or `label except {a, b}`.
    ///
    /// A range that begins with the missing value is written as a set of that leaf and the rest:
    /// `{unknown, [low, high]}`, or `{unknown, value}`. A range of labels has the ends of their texts. If it has
    /// several members, it is a set of them: `{[20, 60), >=60}`. The texts of several rows are separated by
    /// ` · `.
    pub fn text(&self, hierarchy: &Hierarchy) -> String {
        let label = |&(level, label): &Term| &hierarchy.labels(level)[label as usize];
        match self {
            Self::Of(level, number) => label(&(*level, *number)).to_owned(),
            Self::Range(low, high) if hierarchy.missing() == Some(*low) && low < high => {
                let rest = match low + 1 {
                    only if only == *high => ordered_member(hierarchy, hierarchy.leaf(only)),
                    first => Self::Range(first, *high).text(hierarchy),
                };
                format!("{{{}, {rest}}}", ordered_member(hierarchy, hierarchy.leaf(*low)))
            }
            Self::Range(low, high) => format!("[{}, {}]", hierarchy.leaf(*low), hierarchy.leaf(*high)),
            Self::Span(level, members) => span_text(hierarchy, *level, members),
            Self::Union(terms) => Description::Union(terms.clone()).text(hierarchy),
            Self::Except(around, exceptions) => {
                Description::Except(*around, exceptions.clone()).text(hierarchy)
            }
            Self::Rows(labels) => {
                let texts: Vec<String> = labels.iter().map(|label| label.text(hierarchy)).collect();
                texts.join(" · ")
            }
        }
    }
}

impl From<Description> for Label {
    fn from(description: Description) -> Self {
        match description {
            Description::Label((level, label)) => Self::Of(level, label),
            Description::Union(terms) => Self::Union(terms),
            Description::Except(around, exceptions) => Self::Except(around, exceptions),
        }
    }
}

/// All labels of the members of a span.
pub fn span(members: &[(u32, u32)]) -> RangeInclusive<u32> {
    let first = members.first().map_or(0, |(low, _)| *low);
    first..=members.last().map_or(first, |(_, high)| *high)
}

/// The text of some members: a label, a range, or a set of both.
fn span_text(hierarchy: &Hierarchy, level: Level, members: &[(u32, u32)]) -> String {
    let text = |label: u32| &hierarchy.labels(level)[label as usize];
    let range = |low: u32, high: u32| {
        range_text(hierarchy, text(low), text(high))
            .unwrap_or_else(|| format!("[{}, {}]", text(low), text(high)))
    };
    let in_set = |&(low, high): &(u32, u32)| {
        if low == high { ordered_member(hierarchy, text(low)) } else { range(low, high) }
    };
    match members {
        [(low, high)] if low == high => text(*low).to_owned(),
        [(low, high)] => range(*low, *high),
        _ => format!("{{{}}}", members.iter().map(in_set).collect::<Vec<_>>().join(", ")),
    }
}

/// A label of numbers or dates as a member of a set.
fn ordered_member(hierarchy: &Hierarchy, label: &str) -> String {
    if is_plain_in_set(hierarchy, label) {
        return label.to_owned();
    }
    // An unquoted member that begins with a bracket is a range.
    if label.starts_with('[') { json_string(label) } else { member(label) }
}

#[cfg(test)]
mod tests {
    use super::super::delta::Delta;
    use super::super::hierarchy::Kind;
    use super::super::histogram::Histogram;
    use super::super::policy::EmptyRegions;
    use super::super::presence::{Counts, Presence};
    use super::super::tables::QuasiIdentifier;
    use super::*;

    /// Five leaves under `low` and `high`; the last does not occur.
    fn problem(kind: Kind, leaves: [&str; 5]) -> Problem {
        let groups = ["low", "low", "low", "high", "high"];
        let chains: Vec<Vec<String>> = leaves
            .iter()
            .zip(groups)
            .map(|(leaf, group)| vec![(*leaf).into(), group.into(), "*".into()])
            .collect();
        let hierarchy = Hierarchy::new(kind, Level(0), &chains).unwrap();
        let counts = vec![Counts::new(1, 1); 4];
        let histogram = Histogram::new(vec![vec![0, 1, 2, 3]], counts).unwrap();
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        let quasi = vec![QuasiIdentifier { name: "x".into(), hierarchy }];
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    fn written(problem: &Problem, side: &Side) -> (String, u32) {
        let label = SideLabels::of(problem, 0).label(problem, side);
        (label.text(problem.hierarchy(0)), label.leaves(problem.hierarchy(0)))
    }

    // holds: Label after box
    #[test]
    fn side_is_written_as_its_shortest_text() {
        let numbers = problem(Kind::Number, ["1", "2", "3", "4", "5"]);
        for (low, high, text, leaves) in [
            (1, 1, "2", 1),
            (0, 2, "low", 3),
            (0, 1, "[1, 2]", 2),
            (3, 4, "4", 1),
            (0, 3, "*", 5),
            (2, 3, "[3, 4]", 2),
        ] {
            assert_eq!(written(&numbers, &Side::Range { low, high }), (text.to_owned(), leaves));
        }
        let words = problem(Kind::Category, ["a", "b, c", " d", "\"e\\", "f"]);
        for (codes, text, leaves) in [
            (vec![0, 1, 2], "low", 3),
            (vec![0, 1], r#"{a, "b, c"}"#, 2),
            (vec![2, 3], r#"{" d", "\"e\\"}"#, 2),
            (vec![3], "\"e\\", 1),
        ] {
            assert_eq!(written(&words, &Side::Set(codes)), (text.to_owned(), leaves));
        }
    }

    // holds: No value is a leaf
    #[test]
    fn range_with_missing_values_is_written_as_set() {
        let numbers = problem(Kind::Number, ["none, here", "2", "3", "4", "5"]);
        let mut quasi = numbers.quasi().to_vec();
        quasi[0].hierarchy = quasi[0].hierarchy.clone().with_missing("none, here");
        let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
        let problem = Problem::new(quasi, numbers.histogram().clone(), delta, EmptyRegions::Allow).unwrap();
        for (low, high, text, leaves) in [
            (0, 0, "none, here", 1),
            (0, 1, r#"{"none, here", 2}"#, 2),
            (0, 2, "low", 3),
            (1, 2, "[2, 3]", 2),
            (0, 3, "*", 5),
        ] {
            assert_eq!(written(&problem, &Side::Range { low, high }), (text.to_owned(), leaves));
        }
        assert_eq!(Label::Range(0, 3).text(problem.hierarchy(0)), r#"{"none, here", [2, 4]}"#);
        for (leaf, text) in [("1,000-1,999", r#"{-, "1,000-1,999"}"#), ("[20, 25)", "{-, [20, 25)}")] {
            let chain = |leaf: &str| vec![leaf.to_owned(), "*".to_owned()];
            let chains = ["-", leaf, "5"].map(chain);
            let hierarchy = Hierarchy::new(Kind::Number, Level(1), &chains).unwrap().with_missing("-");
            assert_eq!(Label::Range(0, 1).text(&hierarchy), text);
        }
    }

    #[test]
    fn sides_overlap_where_a_leaf_lies_in_both() {
        let range = |low, high| Side::Range { low, high };
        assert!(range(0, 2).overlaps(&range(2, 3)));
        assert!(!range(0, 1).overlaps(&range(2, 3)));
        assert!(!Side::Set(vec![0, 2]).overlaps(&Side::Set(vec![1, 3])));
        assert!(Side::Set(vec![0, 2]).overlaps(&range(1, 2)));
    }
}
