//! The limit of published sets and ranges: `terms` for categories and codes, `borders` for numbers and dates.
//!
//! A range that ends at values shows birthdays and amounts of people in P. So its ends are labels that many people share.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;

use crate::hierarchies::found::{AtHand, hierarchy_of};
use crate::sources::survey::Column;
use crate::values::reading::Reading;
use crate::{Decisions, HierarchySource};
use palmtop_core::model::{Hierarchy, Level};
use palmtop_project::Limit;
use palmtop_tables::hierarchies::build::ValueKind;

/// The proposed number of terms of a published set.
const TERMS: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// Other numbers of terms that are offered, without 1, which publishes labels only.
const MORE_TERMS: [NonZeroU32; 3] = [NonZeroU32::new(2).unwrap(), TERMS, NonZeroU32::new(5).unwrap()];

/// A border label is shared by at least this many people of P.
const SHARED: u64 = 20;

/// At both ends together, at most one in this number of people may have a label that fewer share.
const ENDS: u64 = 100;

/// Ranges may end at any value if each has at least one in this number of people: such values are as common as
/// labels.
const COMMON: u64 = 200;

/// A proposed limit, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedLimit {
    /// The limit.
    pub limit: Limit,
    /// The reason for it, as a sentence without an end.
    pub reason: String,
}

impl ProposedLimit {
    /// The line of the project and the reason, as a sentence without an end.
    pub fn describe(&self) -> String {
        match self.limit.key() {
            Some(key) => format!("`{key}`: {}", self.reason),
            None => self.reason.clone(),
        }
    }
}

/// The people of P with each value.
pub(crate) struct Occurring {
    pub(crate) people: BTreeMap<String, u64>,
    /// The counted unit: people, or rows if a row of P stands for several people.
    unit: &'static str,
}

impl Occurring {
    /// Counts the people of a column of P. A missing value is not a value.
    pub(crate) fn of(column: &Column, reading: &Reading, has_count: bool) -> Self {
        let mut people: BTreeMap<String, u64> = BTreeMap::new();
        for (text, rows) in &column.texts {
            if let Some(value) = reading.canonical(text) {
                *people.entry(value).or_default() += rows.count;
            }
        }
        Self { people, unit: if has_count { "rows" } else { "people" } }
    }

    /// The people of each label of a level that occurs, in the order of values.
    fn by_label(&self, tree: &Hierarchy, level: Level) -> Vec<(u32, u64)> {
        let mut labels: Vec<(u32, u64)> = Vec::new();
        for (&label, code) in tree.labels_of(level).iter().zip(0..) {
            let people = self.people.get(tree.leaf(code)).copied().unwrap_or_default();
            match labels.last_mut() {
                Some((last, sum)) if *last == label => *sum += people,
                _ => labels.push((label, people)),
            }
        }
        labels.retain(|(_, people)| *people > 0);
        labels
    }
}

/// The hierarchy of numbers or dates over P's sorted values; `None` for other kinds, whose limit does not depend on it.
pub(crate) fn tree(
    source: &HierarchySource,
    kind: ValueKind,
    texts: &[String],
    at_hand: &AtHand,
) -> Option<Hierarchy> {
    match (kind, source) {
        (ValueKind::Category | ValueKind::Code, _) => None,
        (_, HierarchySource::Built(recipe)) => {
            hierarchy_of(Path::new("built.toml"), recipe.to_toml().as_bytes(), kind, texts)
        }
        (_, found) => at_hand.hierarchy(found, kind, texts),
    }
}

/// The limit of an attribute: the decided one if it is possible, else the proposed one. `tree` has the hierarchy of numbers or
/// dates.
pub(crate) fn propose(
    (name, kind): (&str, ValueKind),
    tree: Option<&Hierarchy>,
    occurring: &Occurring,
    decisions: &Decisions,
) -> ProposedLimit {
    let decided = decisions.limit(name).filter(|limit| is_possible(*limit, tree));
    if let Some(limit) = decided {
        return ProposedLimit { limit, reason: "by your decision".to_owned() };
    }
    match (kind, tree) {
        (ValueKind::Number | ValueKind::Date, Some(tree)) => borders(tree, occurring),
        _ => ProposedLimit {
            limit: Limit::Terms(TERMS),
            reason: format!("a set of at most {TERMS} labels, values and exceptions is easy to read"),
        },
    }
}

/// The possible limits, each with its meaning.
pub(crate) fn choices(tree: Option<&Hierarchy>, occurring: &Occurring) -> Vec<(Limit, String)> {
    let labels = (Limit::Terms(NonZeroU32::MIN), "labels of its hierarchy only".to_owned());
    let Some(tree) = tree else {
        let terms = MORE_TERMS.map(|terms| {
            (Limit::Terms(terms), format!("sets of at most {terms} labels, values and exceptions"))
        });
        let free = (Limit::Free, "any set, however long".to_owned());
        return std::iter::once(labels).chain(terms).chain([free]).collect();
    };
    let border = |level| {
        let least = occurring.by_label(tree, level).iter().map(|(_, people)| *people).min();
        let label = format!(
            "ranges between labels of level {level}{}; the least label has {} {} of P",
            example(tree, occurring, level),
            least.unwrap_or_default(),
            occurring.unit
        );
        (Limit::Borders(level), label)
    };
    let free = (Limit::Free, "ranges between any two values".to_owned());
    border_levels(tree).map(border).chain([labels, free]).collect()
}

fn is_possible(limit: Limit, tree: Option<&Hierarchy>) -> bool {
    match limit {
        Limit::Terms(terms) => tree.is_none() || terms == NonZeroU32::MIN,
        Limit::Borders(level) => {
            tree.is_some_and(|tree| border_levels(tree).any(|possible| possible == level))
        }
        Limit::Free => true,
    }
}

/// The levels between a value and `*` whose labels are ranges of values, finest first.
fn border_levels(tree: &Hierarchy) -> impl Iterator<Item = Level> {
    let inner = tree.levels().filter(|level| (tree.base()..tree.top()).contains(level));
    inner.skip(1).filter(|level| tree.labels_of(*level).is_sorted())
}

/// The finest level at which enough people share each label, else the finest level with labels.
fn borders(tree: &Hierarchy, occurring: &Occurring) -> ProposedLimit {
    let unit = occurring.unit;
    if let Some(least) = least_common(occurring) {
        return ProposedLimit {
            limit: Limit::Free,
            reason: format!(
                "no `borders`, because each value has at least {least} {unit} of P: a range that ends at one shows nobody"
            ),
        };
    }
    let shared = border_levels(tree).find(|level| are_shared(&occurring.by_label(tree, *level)));
    let chosen = shared.or_else(|| border_levels(tree).next());
    let Some(level) = chosen else {
        let lacks = if tree.levels().count() > 2 {
            "the labels of its hierarchy are not ranges of values"
        } else {
            "its hierarchy has no level between the values and `*`"
        };
        return ProposedLimit {
            limit: Limit::Free,
            reason: format!(
                "no `borders`, because {lacks}: ranges end at values of P; add a level of bands on the hierarchies screen or in a \
                 file, then write `borders` with its number"
            ),
        };
    };
    let example = example(tree, occurring, level);
    let why = if shared.is_some() {
        let has_ends = occurring.by_label(tree, level).iter().any(|(_, people)| *people < SHARED);
        let ends = if has_ends { ", except the first and the last ones" } else { "" };
        format!("the finest level whose labels have at least {SHARED} {unit} of P each{ends}")
    } else {
        format!("its finest level; no level has labels with at least {SHARED} {unit} of P each")
    };
    ProposedLimit {
        limit: Limit::Borders(level),
        reason: format!("ranges begin and end at labels of level {level}{example}: {why}"),
    }
}

/// The people of the rarest value, if all values are common.
fn least_common(occurring: &Occurring) -> Option<u64> {
    let all: u64 = occurring.people.values().sum();
    let least = occurring.people.values().copied().min()?;
    (least >= SHARED && least.saturating_mul(COMMON) >= all).then_some(least)
}

/// The label of a level that most people have.
fn example(tree: &Hierarchy, occurring: &Occurring, level: Level) -> String {
    let labels = occurring.by_label(tree, level);
    let most = labels.iter().max_by_key(|(_, people)| *people);
    most.map_or_else(String::new, |(label, _)| {
        format!(", such as `{}`", &tree.labels(level)[*label as usize])
    })
}

/// Whether enough people share each label, except for a few people at the two ends.
fn are_shared(labels: &[(u32, u64)]) -> bool {
    let before: Vec<u64> = std::iter::once(0)
        .chain(labels.iter().scan(0, |sum, (_, people)| {
            *sum += people;
            Some(*sum)
        }))
        .collect();
    let all = before[labels.len()];
    let small: Vec<usize> = (0..labels.len()).filter(|&label| labels[label].1 < SHARED).collect();
    // The first `lower` small labels belong to the lower end, the others to the upper end.
    (0..=small.len()).any(|lower| {
        let low = if lower == 0 { 0 } else { before[small[lower - 1] + 1] };
        let high = small.get(lower).map_or(0, |&first| all - before[first]);
        (low + high).saturating_mul(ENDS) <= all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::Kind;

    fn shared(people: &[u64]) -> bool {
        are_shared(&(0..).zip(people.iter().copied()).collect::<Vec<_>>())
    }

    #[test]
    fn only_labels_at_the_ends_may_be_small() {
        for (people, expected) in [
            (&[20, 20][..], true),
            (&[20, 19, 20], false),
            (&[19], false),
            (&[5, 2_000, 2_000, 3], true),
            (&[5, 2_000, 2_000, 30, 3], true),
            (&[5, 2_000, 2_000, 1, 40], false),
            (&[2_000, 1, 2_000], false),
            // Twenty or more people beyond a small label belong to the end, too.
            (&[21, 5, 2_000, 2_000, 3], true),
            (&[40, 5, 2_000, 2_000], false),
        ] {
            assert_eq!(shared(people), expected, "{people:?}");
        }
    }

    #[test]
    fn ranges_of_common_values_end_anywhere() {
        let of = |people: &[u64]| {
            let people = people.iter().zip(0..).map(|(&people, value)| (i32::to_string(&value), people));
            least_common(&Occurring { people: people.collect(), unit: "people" })
        };
        assert_eq!(of(&[30, 25, 400]), Some(25));
        assert_eq!(of(&[30, 19, 400]), None);
        assert_eq!(of(&[30, 4_000, 2_000]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn limit_is_possible_only_where_its_level_exists() {
        let chain = |year: &str, decade: &str| [year, decade, "*"].map(str::to_owned).to_vec();
        let tree =
            Hierarchy::new(Kind::Number, Level(0), &[chain("1", "a"), chain("2", "a"), chain("3", "b")]);
        let tree = tree.unwrap();
        let two = Limit::Terms(NonZeroU32::new(2).unwrap());
        assert!(is_possible(Limit::Borders(Level(1)), Some(&tree)));
        assert!(!is_possible(Limit::Borders(Level(2)), Some(&tree)));
        assert!(!is_possible(two, Some(&tree)) && is_possible(two, None));
        assert!(!is_possible(Limit::Borders(Level(1)), None));
        let mixed = [chain("1", "a"), chain("2", "b"), chain("3", "a")];
        let mixed = Hierarchy::new(Kind::Number, Level(0), &mixed).unwrap();
        assert_eq!(border_levels(&mixed).count(), 0);
    }
}
