//! Labels as ARX's aggregate functions make them, in a form that palmtop reads.

use std::collections::HashMap;

use palmtop_core::model::hierarchy::reads_as_side;

use super::object::Node;

/// An aggregate function of ARX: how a group of values becomes a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// The least and the greatest value, or the first and the last.
    Ends,
    /// All values.
    Set,
    /// A text.
    Constant(String),
    /// The beginning that all values share; other characters are hidden by this one.
    CommonPrefix(Option<char>),
    /// The first characters of each value.
    Prefixes(usize),
}

impl Function {
    /// The function of an object.
    ///
    /// # Errors
    /// The name of a function that cannot be represented.
    pub(super) fn read(node: Node) -> Result<Self, String> {
        let function = match node.short_class() {
            "GenericInterval" | "GenericBounds" => Some(Self::Ends),
            "GenericSet" => Some(Self::Set),
            "GenericConstant" => node.text("value").map(|value| Self::Constant(value.to_owned())),
            "GenericCommonPrefix" => {
                let hidden = node.node("redaction").and_then(|boxed| boxed.character("value"));
                Some(Self::CommonPrefix(hidden))
            }
            "GenericSetOfPrefixes" => {
                let length = node.whole("length").and_then(|length| usize::try_from(length).ok());
                length.map(Self::Prefixes)
            }
            _ => None,
        };
        function.ok_or_else(|| {
            let name = node.short_class().trim_start_matches("Generic");
            format!(
                "the aggregate function `{name}`; in ARX, choose Interval, Set of values or Constant value"
            )
        })
    }

    /// The label of a half-open interval.
    pub(super) fn of_interval(&self, low: &str, high: &str) -> String {
        match self {
            Self::Constant(text) => readable(text),
            Self::Ends | Self::Set => format!("[{low}, {high}["),
            Self::CommonPrefix(_) | Self::Prefixes(_) => {
                self.of_values(&[low.to_owned(), high.to_owned()], (0, 1))
            }
        }
    }

    /// The label of some values; `ends` are the indexes of the least and the greatest one.
    pub(super) fn of_values(&self, values: &[String], ends: (usize, usize)) -> String {
        match self {
            Self::Constant(text) => readable(text),
            Self::Ends if values[ends.0] == values[ends.1] => values[ends.0].clone(),
            Self::Ends => format!("{} to {}", values[ends.0], values[ends.1]),
            Self::Set => values.join(", "),
            Self::CommonPrefix(hidden) => {
                let first: Vec<char> = values[0].chars().collect();
                let shared = (0..first.len())
                    .take_while(|&index| {
                        values.iter().all(|value| value.chars().nth(index) == Some(first[index]))
                    })
                    .count();
                let longest = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
                let rest = hidden.map(|character| character.to_string().repeat(longest - shared));
                first[..shared].iter().collect::<String>() + &rest.unwrap_or_default()
            }
            Self::Prefixes(length) => {
                let short = values.iter().map(|value| value.chars().take(*length).collect());
                short.collect::<Vec<String>>().join("-")
            }
        }
    }
}

/// A label that reads as a range or a set of a release, in other words: `[0, 10]` becomes `0 to 10`,
/// and `{a, b}` becomes `a, b`.
pub(super) fn readable(text: &str) -> String {
    let inner = || text[1..text.len() - 1].to_owned();
    match reads_as_side(text) {
        Some("range") => inner().replacen(", ", " to ", 1),
        Some(_) if text.starts_with('{') => inner(),
        Some(_) => text.replace(['{', '}'], ""),
        None => text.to_owned(),
    }
}

/// Gives equal labels of different groups of a level different endings, as ARX does: `low`,
/// `low-1`, `low-2`.
#[derive(Debug)]
pub(super) struct Distinct<Group> {
    /// Of each label: its groups in the order of appearance.
    groups: HashMap<String, Vec<Group>>,
}

impl<Group: PartialEq> Distinct<Group> {
    pub(super) fn new() -> Self {
        Self { groups: HashMap::new() }
    }

    pub(super) fn label(&mut self, label: String, group: Group) -> String {
        let groups = self.groups.entry(label.clone()).or_default();
        let number = groups.iter().position(|known| *known == group).unwrap_or_else(|| {
            groups.push(group);
            groups.len() - 1
        });
        if number == 0 { label } else { format!("{label}-{number}") }
    }
}
