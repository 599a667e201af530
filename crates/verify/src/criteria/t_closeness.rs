//! t-closeness, recounted: how far the sensitive values of each distinct released row are from those of all of T.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint, Sign};

use super::super::ratio::Ratio;
use super::table;
use super::{Released, Twin};

pub(super) const TWIN: Twin = Twin {
    key: "t",
    expected: "a table with `at_most` from 0 to 1, `distance` \"equal\", \"ordered\" or \"hierarchy\", and `of` where there are several \
               sensitive attributes",
    reads: |text| Asked::read(text).is_some(),
    holds,
    achieved,
};

struct Asked {
    at_most: Ratio,
    far: Far,
    of: Option<String>,
}

/// By what values are far from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    Alike,
    InARow,
    InATree,
}

impl Asked {
    fn read(text: &str) -> Option<Self> {
        let entries = table::entries(text, &["at_most", "distance", "of"])?;
        let at_most = table::number(entries.get("at_most")?).filter(|t| t.above <= t.below)?;
        let far = match entries.get("distance").map(toml::Value::as_str) {
            None | Some(Some("equal")) => Far::Alike,
            Some(Some("ordered")) => Far::InARow,
            Some(Some("hierarchy")) => Far::InATree,
            Some(_) => return None,
        };
        let of = match entries.get("of") {
            Some(value) => Some(value.as_str()?.to_owned()),
            None => None,
        };
        Some(Self { at_most, far, of })
    }

    /// The greatest distance of a row, as a ratio; `None` where there is no row, or a value has no place in a row of numbers.
    fn greatest(&self, released: &Released) -> Option<(BigUint, BigUint)> {
        let place = released.place(self.of.as_deref())?;
        let column = &released.sensitive[place];
        let all = &column.all;
        let order = if self.far == Far::InARow { in_a_row(all)? } else { all.keys().collect() };
        let chains = column.chains.as_ref();
        let mut greatest: Option<(BigUint, BigUint)> = None;
        for row in &released.rows {
            let own = &row.sensitive[place];
            let (above, below) = match self.far {
                Far::InATree => by_tree(own, all, chains?)?,
                _ => self.distance(own, all, &order),
            };
            if greatest.as_ref().is_none_or(|known| &above * &known.1 > &known.0 * &below) {
                greatest = Some((above, below));
            }
        }
        greatest
    }

    /// A distance as a ratio: the sum of what the shares differ by, halved, or of what has to pass each step of the row, by the steps.
    fn distance(
        &self,
        own: &BTreeMap<String, u64>,
        all: &BTreeMap<String, u64>,
        order: &[&String],
    ) -> (BigUint, BigUint) {
        let total = |values: &BTreeMap<String, u64>| BigInt::from(values.values().sum::<u64>());
        let (here, whole) = (total(own), total(all));
        let gap = |value: &String| {
            let count =
                |values: &BTreeMap<String, u64>| BigInt::from(values.get(value).copied().unwrap_or(0));
            count(own) * &whole - count(all) * &here
        };
        let (mut sum, mut passing) = (BigInt::from(0), BigInt::from(0));
        for value in order {
            passing = if self.far == Far::InARow { passing + gap(value) } else { gap(value) };
            sum += if passing.sign() == Sign::Minus { -passing.clone() } else { passing.clone() };
        }
        let parts = if self.far == Far::InARow { order.len() - 1 } else { 2 };
        let below = (here * whole).magnitude() * parts.max(1);
        (sum.magnitude().clone(), below)
    }
}

/// Values in the order of the numbers that they are; `None` where one is none.
fn in_a_row(values: &BTreeMap<String, u64>) -> Option<Vec<&String>> {
    let key = |text: &str| -> Option<(BigInt, u32)> {
        let (sign, plain) = match text.as_bytes().first()? {
            b'-' => (-1, &text[1..]),
            b'+' => (1, &text[1..]),
            _ => (1, text),
        };
        let (before, behind) = plain.split_once('.').unwrap_or((plain, ""));
        let digits = format!("{before}{behind}");
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number: BigInt = digits.parse().ok().filter(|_| is_plain)?;
        Some((number * sign, u32::try_from(behind.len()).ok()?))
    };
    let mut keyed = values.keys().map(|text| Some((key(text)?, text))).collect::<Option<Vec<_>>>()?;
    let places = keyed.iter().map(|((_, places), _)| *places).max()?;
    let scaled = |(number, own): &(BigInt, u32)| number * BigInt::from(10).pow(places - own);
    keyed.sort_by(|left, right| scaled(&left.0).cmp(&scaled(&right.0)).then_with(|| left.1.cmp(right.1)));
    Some(keyed.into_iter().map(|(_, text)| text).collect())
}

/// The distance where a value's way to another leads over the lowest label above both: from the bottom up, what one child of a label has
/// too much goes to those that have too little, and costs the label's height; the rest is the label's own. `None` where a value has no
/// place.
fn by_tree(
    own: &BTreeMap<String, u64>,
    all: &BTreeMap<String, u64>,
    chains: &BTreeMap<String, Vec<u32>>,
) -> Option<(BigUint, BigUint)> {
    let total = |values: &BTreeMap<String, u64>| BigInt::from(values.values().sum::<u64>());
    let (here, whole) = (total(own), total(all));
    let height = chains.values().next()?.len().checked_sub(1)?;
    let none = || BigInt::from(0);
    // What each label of a level has too much, with the label above it.
    let mut level: BTreeMap<u32, BigInt> = BTreeMap::new();
    let mut above: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); height];
    for value in all.keys().chain(own.keys().filter(|value| !all.contains_key(*value))) {
        let chain = chains.get(value)?;
        for (links, pair) in above.iter_mut().zip(chain.windows(2)) {
            links.insert(pair[0], pair[1]);
        }
        let count = |values: &BTreeMap<String, u64>| BigInt::from(values.get(value).copied().unwrap_or(0));
        *level.entry(chain[0]).or_insert_with(none) += count(own) * &whole - count(all) * &here;
    }
    let mut cost = BigUint::ZERO;
    for (steps, links) in (1_u64..).zip(&above) {
        let mut sides: BTreeMap<u32, (BigUint, BigUint)> = BTreeMap::new();
        for (label, excess) in level {
            let (too_much, too_little) = sides.entry(*links.get(&label)?).or_default();
            let side = if excess.sign() == Sign::Minus { too_little } else { too_much };
            *side += excess.magnitude();
        }
        cost += sides.values().map(|(much, little)| much.min(little)).sum::<BigUint>() * steps;
        level = sides
            .into_iter()
            .map(|(label, (much, little))| (label, BigInt::from(much) - BigInt::from(little)))
            .collect();
    }
    Some((cost, (here * whole).magnitude() * BigUint::from(height.max(1))))
}

fn holds(text: &str, released: &Released) -> Option<bool> {
    let asked = Asked::read(text)?;
    if released.rows.is_empty() {
        return Some(true);
    }
    let (above, below) = asked.greatest(released)?;
    Some(above * &asked.at_most.below <= below * &asked.at_most.above)
}

fn achieved(text: Option<&str>, released: &Released) -> Option<String> {
    let asked = Asked::read(text?)?;
    let (above, below) = asked.greatest(released)?;
    let name = match asked.far {
        Far::Alike => "equal",
        Far::InARow => "ordered",
        Far::InATree => "hierarchy",
    };
    Some(format!("{name} {}", Ratio { above, below }))
}
