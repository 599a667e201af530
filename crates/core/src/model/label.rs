//! The published label of a class in one quasi-identifier, and its text.

use super::description::{Description, DescriptionTree, Term, member};
use super::hierarchy::{Code, Hierarchy, Level};
use super::problem::Problem;
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
    /// A range of labels of one level, both ends included.
    Span(Level, u32, u32),
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
}

impl SideLabels {
    /// Builds the tree of the occurring values.
    pub fn of(problem: &Problem, attribute: usize) -> Self {
        Self { attribute, tree: DescriptionTree::of(problem, attribute) }
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
                match problem.borders(self.attribute) {
                    Some(level) => {
                        let labels = hierarchy.labels_of(level);
                        Label::Span(level, labels[*low as usize], labels[*high as usize])
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
            Self::Span(level, low, high) => (*low..=*high).map(|label| size(&(*level, label))).sum(),
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
            Self::Span(level, low, high) => {
                (*low..=*high).contains(&hierarchy.labels_of(*level)[code as usize])
            }
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
            Self::Span(level, low, high) => {
                1 + usize::from(low < high && missing_label(hierarchy, *level) == Some(*low))
            }
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
    /// `{unknown, [low, high]}`, or `{unknown, value}`. The ends of a range of labels are written as
    /// [`low_end`] and [`high_end`] give them. The texts of several rows are separated by ` · `.
    pub fn text(&self, hierarchy: &Hierarchy) -> String {
        let label = |&(level, label): &Term| &hierarchy.labels(level)[label as usize];
        match self {
            Self::Of(level, number) => label(&(*level, *number)).to_owned(),
            Self::Range(low, high) if hierarchy.missing() == Some(*low) && low < high => {
                let rest = match low + 1 {
                    only if only == *high => hierarchy.leaf(only).to_owned(),
                    first => Self::Range(first, *high).text(hierarchy),
                };
                format!("{{{}, {rest}}}", member(hierarchy.leaf(*low)))
            }
            Self::Range(low, high) => format!("[{}, {}]", hierarchy.leaf(*low), hierarchy.leaf(*high)),
            Self::Span(level, low, high) if missing_label(hierarchy, *level) == Some(*low) && low < high => {
                let rest = match low + 1 {
                    only if only == *high => label(&(*level, only)).to_owned(),
                    first => Self::Span(*level, first, *high).text(hierarchy),
                };
                format!("{{{}, {rest}}}", member(label(&(*level, *low))))
            }
            Self::Span(level, low, high) => {
                let (low, high) = (label(&(*level, *low)), label(&(*level, *high)));
                let close = if is_half_open(low) && is_half_open(high) { ')' } else { ']' };
                format!("[{}, {}{close}", low_end(low), high_end(high))
            }
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

/// The label of the missing value at a level, if the value has a label alone.
fn missing_label(hierarchy: &Hierarchy, level: Level) -> Option<u32> {
    let label = hierarchy.labels_of(level)[hierarchy.missing()? as usize];
    (hierarchy.label_size(level, label) == 1).then_some(label)
}

/// The lower end of a range that begins with this label: the first number of an interval such as
/// `20-24` or `[20, 25)`, else the label.
pub fn low_end(label: &str) -> &str {
    interval(label).map_or(label, |(low, _)| low)
}

/// The upper end of a range that ends with this label: the last number of an interval such as `20-24`
/// or `[20, 25)`, else the label.
pub fn high_end(label: &str) -> &str {
    interval(label).map_or(label, |(_, high)| high)
}

/// Whether a label is an interval such as `[20, 25)`.
fn is_half_open(label: &str) -> bool {
    label.ends_with(')') && interval(label).is_some()
}

/// The two numbers of an interval.
fn interval(label: &str) -> Option<(&str, &str)> {
    if let Some(inner) = label.strip_prefix('[').and_then(|rest| rest.strip_suffix(')')) {
        return inner.split_once(", ").filter(|(_, high)| !high.contains(", "));
    }
    let (low, high) = label.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = |text: &str| {
        let digits = text.trim_start_matches('0');
        (digits.len(), digits.to_owned())
    };
    (digits(low) && digits(high) && value(low) < value(high)).then_some((low, high))
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

    #[test]
    fn a_side_is_written_as_leaf_else_finest_label_else_range_or_set() {
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

    #[test]
    fn a_range_with_who_has_no_value_is_written_as_the_set_of_both() {
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
