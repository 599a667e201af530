//! An attribute whose distributions are compared, and the few groups of values that show it.

use palmtop_core::model::{Code, Level, Problem, SensitiveColumn};

/// The greatest number of groups of an attribute.
pub(super) const MOST_GROUPS: usize = 8;

/// An attribute whose distributions are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredAttribute {
    /// The name of the attribute.
    pub name: String,
    /// Whether the attribute is sensitive, and so published unchanged. All others are
    /// quasi-identifiers.
    pub is_sensitive: bool,
    /// Whether its values are ordered, as numbers and dates are.
    pub is_ordered: bool,
    /// Its values. A quasi-identifier has the leaves that occur in P, in the order of its
    /// hierarchy. A sensitive attribute has the values of T.
    pub values: Vec<String>,
    /// Whether the first value means a missing value, which belongs to no range.
    pub has_missing: bool,
    /// The names of the groups that show the attribute.
    pub groups: Vec<String>,
    /// The group of each value, as an index into `groups`.
    pub group_of: Vec<u32>,
}

impl MeasuredAttribute {
    /// A quasi-identifier, from the codes of its leaves that occur in P and from the members of
    /// each leaf.
    pub(super) fn quasi(problem: &Problem, index: usize, occurring: &[Code], members: &[u64]) -> Self {
        let (quasi, hierarchy) = (&problem.quasi()[index], problem.hierarchy(index));
        let values: Vec<String> = occurring.iter().map(|&code| hierarchy.leaf(code).to_owned()).collect();
        let is_ordered = hierarchy.kind().is_ordered();
        let has_missing = hierarchy.missing().is_some() && hierarchy.missing() == occurring.first().copied();
        let by_level = |level: Level| {
            let labels = hierarchy.labels_of(level);
            let of_values: Vec<u32> = occurring.iter().map(|&code| labels[code as usize]).collect();
            let mut distinct: Vec<u32> = Vec::new();
            for label in &of_values {
                if !distinct.contains(label) {
                    distinct.push(*label);
                }
                if distinct.len() > MOST_GROUPS {
                    return None;
                }
            }
            let group_number = |label: &u32| {
                (0..).zip(&distinct).find(|(_, known)| *known == label).map_or(0, |(number, _)| number)
            };
            let group_of: Vec<u32> = of_values.iter().map(group_number).collect();
            let text = |label: &u32| hierarchy.labels(level)[*label as usize].to_owned();
            (distinct.len() > 1).then(|| (distinct.iter().map(text).collect(), group_of))
        };
        let (groups, group_of) = hierarchy
            .levels()
            .find_map(by_level)
            .unwrap_or_else(|| grouped(&values, is_ordered, has_missing, members));
        Self {
            name: quasi.name.clone(),
            is_sensitive: false,
            is_ordered,
            values,
            has_missing,
            groups,
            group_of,
        }
    }

    pub(super) fn sensitive(column: &SensitiveColumn) -> Self {
        let mut members = vec![0; column.values.len()];
        for (value, people) in column.all.iter() {
            members[value as usize] = people;
        }
        let values = column.values.clone();
        let (groups, group_of) = grouped(&values, column.is_ordered, false, &members);
        Self {
            name: column.name.clone(),
            is_sensitive: true,
            is_ordered: column.is_ordered,
            values,
            has_missing: false,
            groups,
            group_of,
        }
    }
}

/// Groups of values without a suitable level of a hierarchy.
///
/// Ordered values are grouped with their neighbours, so that the groups have about equally many
/// members. Of other values, the most frequent ones are groups of one, and the rest is one group.
fn grouped(
    values: &[String],
    is_ordered: bool,
    has_missing: bool,
    members: &[u64],
) -> (Vec<String>, Vec<u32>) {
    if values.len() <= MOST_GROUPS {
        return (values.to_vec(), (0..).take(values.len()).collect());
    }
    if is_ordered { neighbours(values, has_missing, members) } else { most_frequent(values, members) }
}

fn neighbours(values: &[String], has_missing: bool, members: &[u64]) -> (Vec<String>, Vec<u32>) {
    let first = usize::from(has_missing);
    let all: u64 = members[first..].iter().sum();
    let parts = (MOST_GROUPS - first) as u64;
    let mut ends: Vec<(usize, usize)> = if has_missing { vec![(0, 0)] } else { Vec::new() };
    let (mut begin, mut before, mut part) = (first, 0, 1);
    for (value, &people) in members.iter().enumerate().skip(first) {
        before += people;
        let is_full =
            u128::from(before) * u128::from(parts) >= u128::from(all) * u128::from(part) && part < parts;
        if is_full || value + 1 == values.len() {
            ends.push((begin, value));
            begin = value + 1;
            // One value may have the members of several parts.
            while part < parts && u128::from(before) * u128::from(parts) >= u128::from(all) * u128::from(part)
            {
                part += 1;
            }
        }
    }
    let text = |&(low, high): &(usize, usize)| {
        if low == high { values[low].clone() } else { format!("{} to {}", values[low], values[high]) }
    };
    let group_of = (0..).zip(&ends).flat_map(|(group, (low, high))| (*low..=*high).map(move |_| group));
    (ends.iter().map(text).collect(), group_of.collect())
}

fn most_frequent(values: &[String], members: &[u64]) -> (Vec<String>, Vec<u32>) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| members[right].cmp(&members[left]).then(left.cmp(&right)));
    let (separate, rest) = order.split_at(MOST_GROUPS - 1);
    let mut groups: Vec<String> = separate.iter().map(|&value| values[value].clone()).collect();
    groups.push(format!("{} others", rest.len()));
    let mut group_of = vec![palmtop_core::model::size::number(separate.len()); values.len()];
    for (group, &value) in (0..).zip(separate) {
        group_of[value] = group;
    }
    (groups, group_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(groups: &[String], group_of: &[u32]) -> String {
        let of = |group: usize| group_of.iter().filter(|known| **known as usize == group).count();
        let each = groups.iter().enumerate().map(|(group, text)| format!("{text} ({})", of(group)));
        each.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn neighbouring_values_form_groups_of_similar_size() {
        let values: Vec<String> = (10..30).map(|value: u32| value.to_string()).collect();
        let (groups, group_of) = neighbours(&values, false, &[5; 20]);
        assert_eq!(group_of.len(), values.len());
        assert_eq!(
            shown(&groups, &group_of),
            "10 to 12 (3), 13 to 14 (2), 15 to 17 (3), 18 to 19 (2), 20 to 22 (3), 23 to 24 (2), 25 to 27 (3), 28 to 29 (2)"
        );
        // The missing value is alone. The value with most members stays in one group. The values
        // after it, which no member has, belong to the last group.
        let mut members = vec![0; 20];
        (members[0], members[3], members[4]) = (9, 90, 10);
        let (groups, group_of) = neighbours(&values, true, &members);
        assert_eq!(shown(&groups, &group_of), "10 (1), 11 to 13 (3), 14 to 29 (16)");
    }

    #[test]
    fn the_most_frequent_values_stand_alone() {
        let values: Vec<String> = ('a'..='j').map(|value| value.to_string()).collect();
        let (groups, group_of) = most_frequent(&values, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(
            shown(&groups, &group_of),
            "j (1), i (1), h (1), g (1), f (1), e (1), d (1), 3 others (3)"
        );
    }
}
