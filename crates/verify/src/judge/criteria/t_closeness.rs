//! t-closeness: the sensitive values of each class are distributed like those of all of T, up to a distance.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint, Sign};

use super::table;
use super::twin::{Released, Twin};
use crate::values::Ratio;

pub(super) const TWIN: Twin = Twin {
    key: "t",
    expected: "a table with `at_most` from 0 to 1, `distance` \"equal\", \"ordered\" or \"hierarchy\", and `of` if there are several \
               sensitive attributes",
    reads: |text| Requirement::read(text).is_some(),
    holds,
    achieved,
};

/// A requirement of t-closeness.
struct Requirement {
    at_most: Ratio,
    ground: Ground,
    of: Option<String>,
}

/// The ground distance between two values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    /// All different values are equally far apart.
    Equal,
    /// The distance of their ranks among numbers.
    Ordered,
    /// The height of their lowest common label.
    Hierarchy,
}

impl Requirement {
    fn read(text: &str) -> Option<Self> {
        let entries = table::entries(text, &["at_most", "distance", "of"])?;
        let at_most = table::number(entries.get("at_most")?).filter(|t| t.above <= t.below)?;
        let ground = match entries.get("distance").map(toml::Value::as_str) {
            None | Some(Some("equal")) => Ground::Equal,
            Some(Some("ordered")) => Ground::Ordered,
            Some(Some("hierarchy")) => Ground::Hierarchy,
            Some(_) => return None,
        };
        let of = match entries.get("of") {
            Some(value) => Some(value.as_str()?.to_owned()),
            None => None,
        };
        Some(Self { at_most, ground, of })
    }

    /// The greatest distance of a class, as a ratio. `None` if there is no class, or a value has no rank or no label.
    fn greatest(&self, released: &Released) -> Option<(BigUint, BigUint)> {
        let index = released.attribute_index(self.of.as_deref())?;
        let column = &released.sensitive[index];
        let all = &column.all;
        let order = if self.ground == Ground::Ordered { ranked(all)? } else { all.keys().collect() };
        let chains = column.chains.as_ref();
        let mut greatest: Option<(BigUint, BigUint)> = None;
        for row in &released.rows {
            let values = &row.sensitive[index];
            let (above, below) = match self.ground {
                Ground::Hierarchy => tree_distance(values, all, chains?)?,
                _ => self.distance(values, all, &order),
            };
            if greatest.as_ref().is_none_or(|known| &above * &known.1 > &known.0 * &below) {
                greatest = Some((above, below));
            }
        }
        greatest
    }

    /// The distance of a class as a ratio. `Equal`: half the sum of the differences of shares. `Ordered`: the sum of the absolute
    /// cumulative differences, divided by the number of steps.
    fn distance(
        &self,
        class: &BTreeMap<String, u64>,
        all: &BTreeMap<String, u64>,
        order: &[&String],
    ) -> (BigUint, BigUint) {
        let total = |values: &BTreeMap<String, u64>| BigInt::from(values.values().sum::<u64>());
        let (class_total, all_total) = (total(class), total(all));
        let gap = |value: &String| {
            let count =
                |values: &BTreeMap<String, u64>| BigInt::from(values.get(value).copied().unwrap_or(0));
            count(class) * &all_total - count(all) * &class_total
        };
        let (mut sum, mut cumulative) = (BigInt::from(0), BigInt::from(0));
        for value in order {
            cumulative = if self.ground == Ground::Ordered { cumulative + gap(value) } else { gap(value) };
            sum += if cumulative.sign() == Sign::Minus { -cumulative.clone() } else { cumulative.clone() };
        }
        let parts = if self.ground == Ground::Ordered { order.len() - 1 } else { 2 };
        let below = (class_total * all_total).magnitude() * parts.max(1);
        (sum.magnitude().clone(), below)
    }
}

/// The values in numeric order; `None` if one is not a number.
fn ranked(values: &BTreeMap<String, u64>) -> Option<Vec<&String>> {
    let key = |text: &str| -> Option<(BigInt, u32)> {
        let (sign, plain) = match text.as_bytes().first()? {
            b'-' => (-1, &text[1..]),
            b'+' => (1, &text[1..]),
            _ => (1, text),
        };
        let (integer, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let digits = format!("{integer}{fraction}");
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number: BigInt = digits.parse().ok().filter(|_| is_plain)?;
        Some((number * sign, u32::try_from(fraction.len()).ok()?))
    };
    let mut keyed = values.keys().map(|text| Some((key(text)?, text))).collect::<Option<Vec<_>>>()?;
    let most = keyed.iter().map(|((_, decimals), _)| *decimals).max()?;
    let scaled = |(number, decimals): &(BigInt, u32)| number * BigInt::from(10).pow(most - decimals);
    keyed.sort_by(|left, right| scaled(&left.0).cmp(&scaled(&right.0)).then_with(|| left.1.cmp(right.1)));
    Some(keyed.into_iter().map(|(_, text)| text).collect())
}

/// The earth mover's distance over a hierarchy, as a ratio. `None` if a value has no labels.
///
/// The two values of a move pay the height of their lowest common label. From the bottom up, each label moves the excess of some
/// children to the deficit of others, at the cost of its height. It passes the rest to the label above it.
fn tree_distance(
    class: &BTreeMap<String, u64>,
    all: &BTreeMap<String, u64>,
    chains: &BTreeMap<String, Vec<u32>>,
) -> Option<(BigUint, BigUint)> {
    let total = |values: &BTreeMap<String, u64>| BigInt::from(values.values().sum::<u64>());
    let (class_total, all_total) = (total(class), total(all));
    let height = chains.values().next()?.len().checked_sub(1)?;
    let zero = || BigInt::from(0);
    // The excess of each label of the current level.
    let mut level: BTreeMap<u32, BigInt> = BTreeMap::new();
    // For each level, the parent of each label.
    let mut parents: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); height];
    for value in all.keys().chain(class.keys().filter(|value| !all.contains_key(*value))) {
        let chain = chains.get(value)?;
        for (links, pair) in parents.iter_mut().zip(chain.windows(2)) {
            links.insert(pair[0], pair[1]);
        }
        let count = |values: &BTreeMap<String, u64>| BigInt::from(values.get(value).copied().unwrap_or(0));
        *level.entry(chain[0]).or_insert_with(zero) += count(class) * &all_total - count(all) * &class_total;
    }
    let mut cost = BigUint::ZERO;
    for (steps, links) in (1_u64..).zip(&parents) {
        let mut sides: BTreeMap<u32, (BigUint, BigUint)> = BTreeMap::new();
        for (label, excess) in level {
            let (surplus, deficit) = sides.entry(*links.get(&label)?).or_default();
            let side = if excess.sign() == Sign::Minus { deficit } else { surplus };
            *side += excess.magnitude();
        }
        cost += sides.values().map(|(surplus, deficit)| surplus.min(deficit)).sum::<BigUint>() * steps;
        level = sides
            .into_iter()
            .map(|(label, (surplus, deficit))| (label, BigInt::from(surplus) - BigInt::from(deficit)))
            .collect();
    }
    Some((cost, (class_total * all_total).magnitude() * BigUint::from(height.max(1))))
}

fn holds(text: &str, released: &Released) -> Option<bool> {
    let required = Requirement::read(text)?;
    if released.rows.is_empty() {
        return Some(true);
    }
    let (above, below) = required.greatest(released)?;
    Some(above * &required.at_most.below <= below * &required.at_most.above)
}

fn achieved(text: Option<&str>, released: &Released) -> Option<String> {
    let required = Requirement::read(text?)?;
    let (above, below) = required.greatest(released)?;
    let name = match required.ground {
        Ground::Equal => "equal",
        Ground::Ordered => "ordered",
        Ground::Hierarchy => "hierarchy",
    };
    Some(format!("{name} {}", Ratio { above, below }))
}
