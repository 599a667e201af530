//! The sensitive values of T's members: what criteria beside counts look at.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::presence::Counts;
use super::values::ValueCounts;

/// A sensitive attribute of T.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitiveColumn {
    /// Its name.
    pub name: String,
    /// Its distinct values in T: whole or decimal numbers by value, else as written.
    pub values: Vec<String>,
    /// Whether all values are numbers, so that there is a distance between them.
    pub is_ordered: bool,
    /// Its hierarchy, where it has one: by that, too, values are near and far.
    pub tree: Option<ValueTree>,
    /// How often each occurs in all of T.
    pub all: ValueCounts,
}

/// The labels of values in a hierarchy, with the members of T under each: what is under one label is nearer than what is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTree {
    levels: Vec<TreeLevel>,
    members: u64,
}

/// A level of the hierarchy of values.
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
    /// From the label of each value at each level, the values themselves first, without the top, where all have one label; and from how
    /// often each value occurs in all of T.
    ///
    /// # Panics
    /// If levels are not of as many values, or lack one that occurs.
    pub fn new(levels: Vec<Vec<u32>>, all: &ValueCounts) -> Self {
        assert!(levels.windows(2).all(|pair| pair[0].len() == pair[1].len()), "a label of every value");
        let level = |labels: Vec<u32>| {
            let mut members = vec![0; labels.iter().max().map_or(0, |&last| last as usize + 1)];
            for (value, own) in all.iter() {
                members[labels[value as usize] as usize] += own;
            }
            TreeLevel { labels, members }
        };
        Self { levels: levels.into_iter().map(level).collect(), members: all.members() }
    }

    /// The levels below the top, the values themselves first.
    pub fn levels(&self) -> &[TreeLevel] {
        &self.levels
    }

    /// All members of T.
    pub fn members(&self) -> u64 {
        self.members
    }
}

/// The sensitive values of the members of a class.
#[derive(Clone, Debug)]
pub struct ClassValues {
    columns: Arc<[SensitiveColumn]>,
    own: Vec<ValueCounts>,
}

/// The sensitive values of every member of T, by combination.
#[derive(Clone, Debug)]
pub struct SensitiveValues {
    columns: Arc<[SensitiveColumn]>,
    /// Each combination with members, ascending, and of each attribute their values.
    of: Vec<(u32, Vec<ValueCounts>)>,
}

impl PartialEq for ClassValues {
    /// Of one table: what all of T has is the same.
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own
    }
}

impl Eq for ClassValues {}

impl ClassValues {
    /// Those of a class.
    ///
    /// # Panics
    /// If there are not as many as attributes.
    pub fn new(columns: &Arc<[SensitiveColumn]>, own: Vec<ValueCounts>) -> Self {
        assert_eq!(columns.len(), own.len(), "values of every sensitive attribute");
        Self { columns: Arc::clone(columns), own }
    }

    /// Of each attribute.
    pub fn own(&self) -> &[ValueCounts] {
        &self.own
    }

    /// An attribute with its values, by its name; the only one where none is named.
    pub fn of(&self, name: Option<&str>) -> Option<(&SensitiveColumn, &ValueCounts)> {
        let place = place(&self.columns, name)?;
        Some((&self.columns[place], &self.own[place]))
    }

    /// Those of two classes of one table.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        let own = self.own.iter().zip(&other.own).map(|(own, other)| own.united(other)).collect();
        Self { columns: Arc::clone(&self.columns), own }
    }
}

impl SensitiveValues {
    /// From the values of the members of each combination that has any.
    ///
    /// # Panics
    /// If combinations do not ascend.
    pub fn new(columns: Vec<SensitiveColumn>, of: Vec<(u32, Vec<ValueCounts>)>) -> Self {
        assert!(of.is_sorted_by(|left, right| left.0 < right.0), "each combination once, in order");
        Self { columns: columns.into(), of }
    }

    /// The attributes.
    pub fn columns(&self) -> &[SensitiveColumn] {
        &self.columns
    }

    /// An attribute by its name; the only one where none is named.
    pub fn column(&self, name: Option<&str>) -> Option<&SensitiveColumn> {
        place(&self.columns, name).map(|place| &self.columns[place])
    }

    /// The combinations with members, ascending.
    pub fn combinations(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.of.iter().map(|(combination, _)| *combination)
    }

    /// How many members have a sensitive value counted.
    pub fn members(&self) -> u64 {
        self.columns.first().map_or(0, |column| column.all.members())
    }

    /// The values of each class with members; `class_of` says to which class a combination belongs, and is told its place among those with
    /// members, too.
    pub fn by_class(&self, class_of: impl Fn(usize, u32) -> u32) -> BTreeMap<u32, Arc<ClassValues>> {
        let mut members: BTreeMap<u32, Vec<&Vec<ValueCounts>>> = BTreeMap::new();
        for (place, (combination, values)) in self.of.iter().enumerate() {
            members.entry(class_of(place, *combination)).or_default().push(values);
        }
        members.into_iter().map(|(class, parts)| (class, Arc::new(self.joined(&parts)))).collect()
    }

    /// The values of the members of some combinations; nobody's for those without members.
    pub fn among(&self, combinations: impl IntoIterator<Item = u32>) -> Arc<ClassValues> {
        let find = |combination: u32| self.of.binary_search_by_key(&combination, |(known, _)| *known).ok();
        let parts: Vec<_> =
            combinations.into_iter().filter_map(find).map(|place| &self.of[place].1).collect();
        Arc::new(self.joined(&parts))
    }

    /// The values of everybody in T.
    pub fn everybody(&self) -> Arc<ClassValues> {
        Arc::new(self.joined(&self.of.iter().map(|(_, values)| values).collect::<Vec<_>>()))
    }

    /// Those of some combinations alone, numbered anew by their places in a list that ascends; what all of T has stays.
    #[must_use]
    pub fn within(&self, combinations: &[u32]) -> Self {
        let place = |(combination, values): &(u32, Vec<ValueCounts>)| {
            let place = combinations.binary_search(combination).ok()?;
            Some((super::size::number(place), values.clone()))
        };
        Self { columns: Arc::clone(&self.columns), of: self.of.iter().filter_map(place).collect() }
    }

    /// Those of combinations that become one, by the number that each gets; what all of T has stays.
    #[must_use]
    pub fn merged(&self, number_of: impl Fn(u32) -> u32) -> Self {
        let merged = self.by_class(|_, combination| number_of(combination));
        let of = merged.into_iter().map(|(number, values)| (number, values.own.clone())).collect();
        Self { columns: Arc::clone(&self.columns), of }
    }

    /// Whether every combination has the values of as many members as it has.
    pub fn is_of(&self, counts: &[Counts]) -> bool {
        let mut known = self.of.iter().peekable();
        (0..).zip(counts).all(|(combination, people): (u32, _)| {
            let values = known.next_if(|(place, _)| *place == combination).map(|(_, values)| values);
            let has = |values: &Vec<ValueCounts>| values.iter().all(|own| own.members() == people.private);
            values.map_or(people.private == 0, has)
        }) && known.next().is_none()
    }

    fn joined(&self, parts: &[&Vec<ValueCounts>]) -> ClassValues {
        let of = |column: usize| ValueCounts::of(parts.iter().flat_map(|values| values[column].iter()));
        ClassValues { columns: Arc::clone(&self.columns), own: (0..self.columns.len()).map(of).collect() }
    }
}

fn place(columns: &[SensitiveColumn], name: Option<&str>) -> Option<usize> {
    match name {
        Some(name) => columns.iter().position(|column| column.name == name),
        None => (columns.len() == 1).then_some(0),
    }
}
