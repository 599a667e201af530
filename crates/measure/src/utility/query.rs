//! Conjunctive counting queries: the number of rows whose attributes have some values. T and a
//! release answer them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::floats::{float, size};
use super::original::OriginalTable;
use super::published::PublishedTable;
use palmtop_core::model::size::number;

/// `SELECT COUNT(*) WHERE` each of some attributes has a value in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The requested values of quasi-identifiers, in ascending order of the attributes.
    pub(super) quasi: Vec<Predicate>,
    /// The requested values of a sensitive attribute, if T has one that varies.
    pub(super) sensitive: Option<Predicate>,
}

/// An attribute with a set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Predicate {
    /// The index of the attribute, among the quasi-identifiers or among the sensitive attributes.
    pub(super) attribute: usize,
    /// The indices of the values, as ascending runs without the end.
    pub(super) runs: Vec<(u32, u32)>,
}

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct QueryAnswer {
    /// The number of people who satisfy the query.
    pub(super) all: f64,
    /// The people who satisfy the conditions on quasi-identifiers, for each sensitive value of T.
    /// Empty if this was not requested.
    pub(super) by_value: Vec<f64>,
}

impl Query {
    /// Draws a query of two or three attributes, with equal chance.
    ///
    /// It has fewer attributes if fewer of them have at least two values. Of an attribute with m
    /// values, the query asks for ⌈m·s^(1/d)⌉, with d attributes and selectivity s. These values
    /// are neighbours if the values are ordered, and arbitrary otherwise. Source: Xiao and Tao,
    /// *Anatomy*, VLDB 2006, section 6.
    pub(super) fn draw(original: &OriginalTable, selectivity: f64, random: &mut ChaCha8Rng) -> Self {
        let attributes = original.attributes();
        let width = original.width();
        let varies = |attribute: &usize| attributes[*attribute].values.len() > 1;
        let mut quasi: Vec<usize> = (0..width).filter(varies).collect();
        let sensitive: Vec<usize> = (width..attributes.len()).filter(varies).collect();
        let wanted = random.random_range(2..=3_u32) as usize;
        let has_sensitive = usize::from(!sensitive.is_empty());
        quasi = chosen(&quasi, wanted - has_sensitive, random);
        let sensitive = chosen(&sensitive, 1, random).first().copied();
        let asked = quasi.len() + has_sensitive;
        let mut predicate = |attribute: usize| {
            let known = &attributes[attribute];
            let first = u32::from(known.has_missing && known.is_ordered);
            let values = number(known.values.len()) - first;
            let count = share_of(values, selectivity, asked);
            let runs = if known.is_ordered {
                let begin = first + random.random_range(0..=values - count);
                vec![(begin, begin + count)]
            } else {
                let all: Vec<usize> = (0..known.values.len()).collect();
                let picked = chosen(&all, count as usize, random);
                picked.into_iter().map(|value| (number(value), number(value) + 1)).collect()
            };
            Predicate { attribute, runs }
        };
        let quasi = quasi.into_iter().map(&mut predicate).collect();
        let sensitive = sensitive.map(|attribute| {
            let drawn = predicate(attribute);
            Predicate { attribute: attribute - width, ..drawn }
        });
        Self { quasi, sensitive }
    }

    /// The query in words: `age 20 to 44, occupation cook or nurse`.
    pub(super) fn text(&self, original: &OriginalTable) -> String {
        let quasi = self.quasi.iter().map(|values| (values.attribute, values));
        let sensitive = self.sensitive.iter().map(|values| (original.width() + values.attribute, values));
        let each = quasi.chain(sensitive).map(|(attribute, values)| {
            let known = &original.attributes()[attribute];
            let value = |index: u32| known.values[index as usize].as_str();
            let names: Vec<String> = values
                .runs
                .iter()
                .map(|&(begin, end)| match end - begin {
                    1 => value(begin).to_owned(),
                    _ => format!("{} to {}", value(begin), value(end - 1)),
                })
                .collect();
            format!("{} {}", known.name, names.join(" or "))
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// The answer of T. Takes O(combinations).
    pub(super) fn of_original(&self, original: &OriginalTable, by_value: bool) -> QueryAnswer {
        let asked: Vec<(Vec<u32>, &[u32])> = self
            .quasi
            .iter()
            .map(|predicate| {
                let values = original.attributes()[predicate.attribute].values.len();
                (predicate.before(values), original.column(predicate.attribute))
            })
            .collect();
        let counted = |index: &usize| {
            let has = |(before, column): &(Vec<u32>, &[u32])| is_in(before, column[*index]);
            asked.iter().all(has)
        };
        let combinations = (0..original.combinations()).filter(counted);
        let Some(sensitive) = &self.sensitive else {
            let people: u64 = combinations.map(|index| original.rows_of()[index]).sum();
            return QueryAnswer { all: float(people), by_value: Vec::new() };
        };
        let values = original.attributes()[original.width() + sensitive.attribute].values.len();
        let (before, counts) = (sensitive.before(values), original.sensitive(sensitive.attribute));
        let mut all = 0;
        let mut by_value_people = vec![0; if by_value { values } else { 0 }];
        for index in combinations {
            for &(value, people) in counts.of(index) {
                if is_in(&before, value) {
                    all += people;
                }
                if by_value {
                    by_value_people[value as usize] += people;
                }
            }
        }
        QueryAnswer { all: float(all), by_value: by_value_people.into_iter().map(float).collect() }
    }

    /// The answer of a release. Each row is spread evenly over the values of its labels.
    ///
    /// Takes O(classes), plus the distinct labels and the values of the attributes.
    pub(super) fn of_published(
        &self,
        original: &OriginalTable,
        published: &PublishedTable,
        by_value: bool,
    ) -> QueryAnswer {
        let mut shares = vec![1.0; published.classes()];
        for predicate in &self.quasi {
            let Predicate { attribute, .. } = *predicate;
            let before = predicate.before(original.attributes()[attribute].values.len());
            let labels = published.labels(attribute).iter();
            let of_label: Vec<f64> =
                labels.map(|label| f64::from(values_within(label.runs(), &before)) / label.size()).collect();
            for (share, &label) in shares.iter_mut().zip(published.label_of(attribute)) {
                *share *= of_label[label as usize];
            }
        }
        let counted = shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0);
        let Some(sensitive) = &self.sensitive else {
            let all = counted.map(|(class, share)| share * float(published.rows_of()[class])).sum();
            return QueryAnswer { all, by_value: Vec::new() };
        };
        let values = original.attributes()[original.width() + sensitive.attribute].values.len();
        let (before, counts) = (sensitive.before(values), published.sensitive(sensitive.attribute));
        let mut all = 0.0;
        let mut by_value_rows = vec![0.0; if by_value { values } else { 0 }];
        for (class, share) in counted {
            let mut within = 0;
            // No query asks for values that T lacks.
            for &(value, rows) in counts.of(class).iter().filter(|(value, _)| (*value as usize) < values) {
                if is_in(&before, value) {
                    within += rows;
                }
                if by_value {
                    by_value_rows[value as usize] += share * float(rows);
                }
            }
            all += share * float(within);
        }
        QueryAnswer { all, by_value: by_value_rows }
    }
}

impl Predicate {
    /// For each index, the number of requested values before it. The last entry has all of them.
    fn before(&self, values: usize) -> Vec<u32> {
        let mut before = vec![0; values + 1];
        for &(begin, end) in &self.runs {
            (begin..end).for_each(|value| before[value as usize + 1] = 1);
        }
        for value in 0..values {
            before[value + 1] += before[value];
        }
        before
    }
}

/// Whether the query asks for a value.
fn is_in(before: &[u32], value: u32) -> bool {
    before[value as usize + 1] > before[value as usize]
}

/// The number of requested values in some runs.
fn values_within(runs: &[(u32, u32)], before: &[u32]) -> u32 {
    runs.iter().map(|&(begin, end)| before[end as usize] - before[begin as usize]).sum()
}

/// ⌈m·s^(1/d)⌉, from 1 to m. For two and three attributes, the result does not depend on the
/// platform's power function.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count from 0 to m, rounded up"
)]
fn share_of(values: u32, selectivity: f64, attributes: usize) -> u32 {
    let share = match attributes {
        0 | 1 => selectivity,
        2 => selectivity.sqrt(),
        3 => libm::cbrt(selectivity),
        more => libm::pow(selectivity, 1.0 / size(more)),
    };
    ((f64::from(values) * share).ceil() as u32).clamp(1, values)
}

/// `count` random things, or all if there are fewer, in their order.
fn chosen(things: &[usize], count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut things = things.to_vec();
    let count = count.min(things.len());
    for index in 0..count {
        let left = number(things.len() - index);
        things.swap(index, index + random.random_range(0..left) as usize);
    }
    things.truncate(count);
    things.sort_unstable();
    things
}
