//! The published label of a class in one quasi-identifier, and its text.

use super::hierarchy::{Code, Hierarchy, Level};
use super::problem::Problem;

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
    /// A set of leaves, in ascending order of codes.
    Set(Vec<Code>),
    /// The labels of all rows of a person, in the order of the rows. Files do not contain this
    /// text, because a release writes each row separately.
    Rows(Vec<Label>),
}

/// Finds the labels of regions' sides in one quasi-identifier.
#[derive(Debug)]
pub(super) struct SideLabels<'a> {
    problem: &'a Problem,
    attribute: usize,
    /// For each permitted level, the number of occurring leaves under each label.
    occurring: Vec<(Level, Vec<usize>)>,
}

impl<'a> SideLabels<'a> {
    /// Counts the occurring leaves under every label: O(leaves) a level.
    pub(super) fn of(problem: &'a Problem, attribute: usize) -> Self {
        let hierarchy = problem.hierarchy(attribute);
        let finest = problem.finest(attribute).0.max(hierarchy.base().0 + 1);
        let count = |level: Level| {
            let mut counts = vec![0; hierarchy.label_count(level)];
            for (code, &label) in (0..).zip(hierarchy.labels_of(level)) {
                counts[label as usize] += usize::from(problem.occurs(attribute, code));
            }
            (level, counts)
        };
        let occurring = (finest..=hierarchy.top().0).map(Level).map(count).collect();
        Self { problem, attribute, occurring }
    }

    /// The label of a region's side (DESIGN, section 3). O(codes) a level.
    ///
    /// The first possible choice applies, and no label is finer than the problem permits:
    ///
    /// - the leaf, if only one occurs;
    /// - the finest label whose occurring leaves are exactly those of the side;
    /// - the range or set itself.
    pub(super) fn label(&self, side: &Side) -> Label {
        let hierarchy = self.problem.hierarchy(self.attribute);
        let codes: Vec<Code> = match side {
            Side::Range { low, high } => {
                (*low..=*high).filter(|&code| self.problem.occurs(self.attribute, code)).collect()
            }
            Side::Set(codes) => codes.clone(),
        };
        let finest = self.problem.finest(self.attribute);
        if let ([only], true) = (codes.as_slice(), finest == hierarchy.base()) {
            return Label::Of(finest, *only);
        }
        for (level, occurring) in &self.occurring {
            let labels = hierarchy.labels_of(*level);
            let label = labels[codes[0] as usize];
            if codes.iter().any(|&code| labels[code as usize] != label) {
                continue;
            }
            if occurring[label as usize] == codes.len() {
                return Label::Of(*level, label);
            }
            break;
        }
        match side {
            Side::Range { low, high } => Label::Range(*low, *high),
            Side::Set(_) => Label::Set(codes),
        }
    }
}

impl Label {
    /// The number of leaves that the text denotes. For several rows, the sum over the rows.
    pub fn leaves(&self, hierarchy: &Hierarchy) -> u32 {
        match self {
            Self::Of(level, label) => hierarchy.label_size(*level, *label),
            Self::Range(low, high) => hierarchy.leaves_between(*low, *high),
            Self::Set(codes) => codes.iter().map(|&code| hierarchy.leaf_size(code)).sum(),
            Self::Rows(labels) => labels.iter().map(|label| label.leaves(hierarchy)).sum(),
        }
    }

    /// Whether the text denotes a leaf.
    pub fn denotes(&self, hierarchy: &Hierarchy, code: Code) -> bool {
        match self {
            Self::Of(level, label) => hierarchy.labels_of(*level)[code as usize] == *label,
            Self::Range(low, high) => (*low..=*high).contains(&code),
            Self::Set(codes) => codes.binary_search(&code).is_ok(),
            Self::Rows(labels) => labels.iter().any(|label| label.denotes(hierarchy, code)),
        }
    }

    /// The label of each row. Only a person with several rows has several labels.
    pub fn rows(&self) -> &[Self] {
        match self {
            Self::Rows(labels) => labels,
            Self::Of(..) | Self::Range(..) | Self::Set(_) => std::slice::from_ref(self),
        }
    }

    /// The text in a release: a label, `[low, high]`, or `{a, b}`.
    ///
    /// A range that begins with the missing value is written as a set of that leaf and the rest:
    /// `{unknown, [low, high]}`, or `{unknown, value}`. The texts of several rows are separated by
    /// ` · `.
    pub fn text(&self, hierarchy: &Hierarchy) -> String {
        match self {
            Self::Of(level, label) => hierarchy.labels(*level)[*label as usize].to_owned(),
            Self::Range(low, high) if hierarchy.missing() == Some(*low) && low < high => {
                let rest = match low + 1 {
                    only if only == *high => hierarchy.leaf(only).to_owned(),
                    first => Self::Range(first, *high).text(hierarchy),
                };
                format!("{{{}, {rest}}}", member(hierarchy.leaf(*low)))
            }
            Self::Range(low, high) => format!("[{}, {}]", hierarchy.leaf(*low), hierarchy.leaf(*high)),
            Self::Set(codes) => {
                let members: Vec<String> = codes.iter().map(|&code| member(hierarchy.leaf(code))).collect();
                format!("{{{}}}", members.join(", "))
            }
            Self::Rows(labels) => {
                let texts: Vec<String> = labels.iter().map(|label| label.text(hierarchy)).collect();
                texts.join(" · ")
            }
        }
    }
}

/// The text of a leaf in a set: the leaf itself, or a JSON string if the leaf could be misread.
fn member(leaf: &str) -> String {
    let special = leaf.contains([',', '{', '}', '"', '\\']) || leaf.trim() != leaf;
    if special { json_string(leaf) } else { leaf.to_owned() }
}

/// A text as a JSON string (RFC 8259, section 7).
fn json_string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            plain => quoted.push(plain),
        }
    }
    quoted.push('"');
    quoted
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
        let label = SideLabels::of(problem, 0).label(side);
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
