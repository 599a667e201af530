//! The sensitive values of T's members, which some criteria need in addition to counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::presence::Counts;
use super::values::ValueCounts;

/// A sensitive attribute of T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitiveColumn {
    /// The name of the attribute.
    pub name: String,
    /// Its distinct values in T. Whole and decimal numbers are ordered by value, other values by
    /// text.
    pub values: Vec<String>,
    /// Whether all values are numbers, so that distances between them are defined.
    pub is_ordered: bool,
    /// The hierarchy of the values, if there is one. It defines another distance.
    pub tree: Option<ValueTree>,
    /// The frequency of each value in all of T.
    pub all: ValueCounts,
}

/// The labels of values in a hierarchy, with the members of T under each label. Values under a
/// common label are nearer than others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTree {
    levels: Vec<TreeLevel>,
    members: u64,
}

/// One level of the hierarchy of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeLevel {
    labels: Vec<u32>,
    members: Vec<u64>,
}

impl TreeLevel {
    /// The label of a value.
    ///
    /// # Panics
    /// If the value is not in the tree.
    pub fn label(&self, value: u32) -> u32 {
        self.labels[value as usize]
    }

    /// The members of all of T with a value under a label.
    ///
    /// # Panics
    /// If there is no such label.
    pub fn members(&self, label: u32) -> u64 {
        self.members[label as usize]
    }
}

impl ValueTree {
    /// Creates a tree from the label of each value at each level, and the frequency of each value
    /// in all of T.
    ///
    /// The first level is that of the values. The top, which has one label, is omitted.
    ///
    /// # Panics
    /// If levels differ in their number of values, or lack a value that occurs.
    pub fn new(levels: Vec<Vec<u32>>, all: &ValueCounts) -> Self {
        assert!(levels.windows(2).all(|pair| pair[0].len() == pair[1].len()), "a label of every value");
        let level = |labels: Vec<u32>| {
            let mut members = vec![0; labels.iter().max().map_or(0, |&last| last as usize + 1)];
            for (value, value_members) in all.iter() {
                members[labels[value as usize] as usize] += value_members;
            }
            TreeLevel { labels, members }
        };
        Self { levels: levels.into_iter().map(level).collect(), members: all.members() }
    }

    /// The levels below the top. The first is that of the values.
    pub fn levels(&self) -> &[TreeLevel] {
        &self.levels
    }

    /// The number of members of T.
    pub fn members(&self) -> u64 {
        self.members
    }
}

/// The sensitive values of the members of a class.
#[derive(Clone, Debug)]
pub struct ClassValues {
    columns: Arc<[SensitiveColumn]>,
    counts: Vec<ValueCounts>,
}

/// The sensitive values of every member of T, by combination.
#[derive(Clone, Debug)]
pub struct SensitiveValues {
    columns: Arc<[SensitiveColumn]>,
    /// Each combination with members, ascending, with the values of each attribute.
    of: Vec<(u32, Vec<ValueCounts>)>,
}

impl PartialEq for ClassValues {
    /// Classes are compared within one table, so the columns are equal.
    fn eq(&self, other: &Self) -> bool {
        self.counts == other.counts
    }
}

impl Eq for ClassValues {}

impl ClassValues {
    /// Creates the values of a class, one entry for each attribute.
    ///
    /// # Panics
    /// If the number of entries differs from the number of attributes.
    pub fn new(columns: &Arc<[SensitiveColumn]>, counts: Vec<ValueCounts>) -> Self {
        assert_eq!(columns.len(), counts.len(), "values of every sensitive attribute");
        Self { columns: Arc::clone(columns), counts }
    }

    /// The values of the class's members, one entry for each attribute.
    pub fn counts(&self) -> &[ValueCounts] {
        &self.counts
    }

    /// The attribute with this name and its values. Without a name, the only attribute.
    pub fn of(&self, name: Option<&str>) -> Option<(&SensitiveColumn, &ValueCounts)> {
        let index = find_column(&self.columns, name)?;
        Some((&self.columns[index], &self.counts[index]))
    }

    /// The values of the union of two classes of one table.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        let counts = self.counts.iter().zip(&other.counts).map(|(one, other)| one.united(other)).collect();
        Self { columns: Arc::clone(&self.columns), counts }
    }
}

impl SensitiveValues {
    /// Creates the values of T from those of each combination with members.
    ///
    /// # Panics
    /// If combinations do not ascend.
    pub fn new(columns: Vec<SensitiveColumn>, of: Vec<(u32, Vec<ValueCounts>)>) -> Self {
        assert!(of.is_sorted_by(|left, right| left.0 < right.0), "each combination once, in order");
        Self { columns: columns.into(), of }
    }

    /// The sensitive attributes.
    pub fn columns(&self) -> &[SensitiveColumn] {
        &self.columns
    }

    /// The attribute with this name. Without a name, the only attribute.
    pub fn column(&self, name: Option<&str>) -> Option<&SensitiveColumn> {
        find_column(&self.columns, name).map(|index| &self.columns[index])
    }

    /// The combinations with members, ascending.
    pub fn combinations(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.of.iter().map(|(combination, _)| *combination)
    }

    /// The number of members whose sensitive values are counted.
    pub fn members(&self) -> u64 {
        self.columns.first().map_or(0, |column| column.all.members())
    }

    /// The values of each class with members. `class_of` returns the class of a combination; its
    /// arguments are the index among combinations with members, and the combination.
    pub fn by_class(&self, class_of: impl Fn(usize, u32) -> u32) -> BTreeMap<u32, Arc<ClassValues>> {
        let mut members: BTreeMap<u32, Vec<&Vec<ValueCounts>>> = BTreeMap::new();
        for (index, (combination, values)) in self.of.iter().enumerate() {
            members.entry(class_of(index, *combination)).or_default().push(values);
        }
        members.into_iter().map(|(class, parts)| (class, Arc::new(self.joined(&parts)))).collect()
    }

    /// The values of the members of these combinations. Combinations without members add no values.
    pub fn among(&self, combinations: impl IntoIterator<Item = u32>) -> Arc<ClassValues> {
        let find = |combination: u32| self.of.binary_search_by_key(&combination, |(known, _)| *known).ok();
        let parts: Vec<_> =
            combinations.into_iter().filter_map(find).map(|index| &self.of[index].1).collect();
        Arc::new(self.joined(&parts))
    }

    /// The values of all members of T.
    pub fn everybody(&self) -> Arc<ClassValues> {
        Arc::new(self.joined(&self.of.iter().map(|(_, values)| values).collect::<Vec<_>>()))
    }

    /// The values of these ascending combinations, each numbered by its index in the list. The
    /// values of all of T are unchanged.
    #[must_use]
    pub fn within(&self, combinations: &[u32]) -> Self {
        let numbered = |(combination, values): &(u32, Vec<ValueCounts>)| {
            let index = combinations.binary_search(combination).ok()?;
            Some((super::size::number(index), values.clone()))
        };
        Self { columns: Arc::clone(&self.columns), of: self.of.iter().filter_map(numbered).collect() }
    }

    /// The values after combinations are merged; `number_of` gives the new number of each. The
    /// values of all of T are unchanged.
    #[must_use]
    pub fn merged(&self, number_of: impl Fn(u32) -> u32) -> Self {
        let merged = self.by_class(|_, combination| number_of(combination));
        let of = merged.into_iter().map(|(number, values)| (number, values.counts.clone())).collect();
        Self { columns: Arc::clone(&self.columns), of }
    }

    /// Whether the number of values of each combination is its number of members.
    pub fn is_of(&self, counts: &[Counts]) -> bool {
        let mut known = self.of.iter().peekable();
        (0..).zip(counts).all(|(combination, people): (u32, _)| {
            let values = known.next_if(|(index, _)| *index == combination).map(|(_, values)| values);
            let has =
                |values: &Vec<ValueCounts>| values.iter().all(|counts| counts.members() == people.private);
            values.map_or(people.private == 0, has)
        }) && known.next().is_none()
    }

    fn joined(&self, parts: &[&Vec<ValueCounts>]) -> ClassValues {
        let of = |column: usize| ValueCounts::of(parts.iter().flat_map(|values| values[column].iter()));
        ClassValues { columns: Arc::clone(&self.columns), counts: (0..self.columns.len()).map(of).collect() }
    }
}

fn find_column(columns: &[SensitiveColumn], name: Option<&str>) -> Option<usize> {
    match name {
        Some(name) => columns.iter().position(|column| column.name == name),
        None => (columns.len() == 1).then_some(0),
    }
}
