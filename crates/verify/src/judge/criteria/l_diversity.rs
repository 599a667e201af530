//! l-diversity: each class has diverse sensitive values.

use num_bigint::BigUint;

use super::table;
use super::twin::{Released, Twin};
use crate::values::Ratio;

pub(super) const TWIN: Twin = Twin {
    key: "l",
    expected: "a table with `distinct`, `entropy` or `recursive` = [c, l], and `of` if there are several sensitive attributes",
    reads: |text| Requirement::read(text).is_some(),
    holds,
    achieved,
};

/// A requirement of l-diversity.
struct Requirement {
    distinct: Option<u64>,
    entropy: Option<Ratio>,
    recursive: Option<(Ratio, u64)>,
    of: Option<String>,
}

impl Requirement {
    fn read(text: &str) -> Option<Self> {
        let entries = table::entries(text, &["distinct", "entropy", "recursive", "of"])?;
        let natural =
            |value: &toml::Value| value.as_integer().and_then(|l| u64::try_from(l).ok()).filter(|l| *l > 0);
        let distinct = match entries.get("distinct") {
            Some(value) => Some(natural(value)?),
            None => None,
        };
        let entropy = match entries.get("entropy") {
            Some(value) => Some(table::number(value).filter(|l| l.is_at_least(1, 1))?),
            None => None,
        };
        let recursive = match entries.get("recursive") {
            Some(toml::Value::Array(pair)) if pair.len() == 2 => {
                Some((table::number(&pair[0]).filter(|c| c.above != BigUint::ZERO)?, natural(&pair[1])?))
            }
            Some(_) => return None,
            None => None,
        };
        let of = match entries.get("of") {
            Some(value) => Some(value.as_str()?.to_owned()),
            None => None,
        };
        let is_some = distinct.is_some() || entropy.is_some() || recursive.is_some();
        is_some.then_some(Self { distinct, entropy, recursive, of })
    }

    /// For each class the numbers of rows with each sensitive value, in descending order.
    fn spreads(&self, released: &Released) -> Option<Vec<Vec<u64>>> {
        let index = released.attribute_index(self.of.as_deref())?;
        let spread = |values: Vec<u64>| {
            let mut values = values;
            values.sort_by(|left, right| right.cmp(left));
            values
        };
        let rows = released.rows.iter().map(|row| row.sensitive[index].values().copied().collect());
        Some(rows.map(spread).collect())
    }
}

fn holds(text: &str, released: &Released) -> Option<bool> {
    let required = Requirement::read(text)?;
    let is_diverse = |spread: &Vec<u64>| {
        required.distinct.is_none_or(|l| spread.len() as u64 >= l)
            && required.entropy.as_ref().is_none_or(|l| has_entropy(spread, l))
            && required.recursive.as_ref().is_none_or(|(c, l)| is_recursive(spread, c, *l))
    };
    Some(required.spreads(released)?.iter().all(is_diverse))
}

fn achieved(text: Option<&str>, released: &Released) -> Option<String> {
    let required = Requirement::read(text?)?;
    let spreads = required.spreads(released)?;
    let mut parts = Vec::new();
    if required.distinct.is_some() {
        parts.push(format!("distinct {}", spreads.iter().map(Vec::len).min()?));
    }
    if required.entropy.is_some() {
        let hundredths = spreads.iter().map(|spread| hundredths(spread)).min()?;
        parts.push(format!("entropy {}.{:02}", hundredths / 100, hundredths % 100));
    }
    if let Some((c, _)) = &required.recursive {
        let level = |spread: &Vec<u64>| {
            let levels = 1..=spread.len() as u64;
            levels.rev().find(|&l| is_recursive(spread, c, l)).unwrap_or(0)
        };
        let least = spreads.iter().map(level).min()?;
        parts.push(format!("recursive ({c}, {least})"));
    }
    Some(parts.join(", "))
}

/// Recursive (c, l)-diversity: the most frequent value has fewer rows than c times the l-th most frequent and all rarer ones.
fn is_recursive(spread: &[u64], c: &Ratio, l: u64) -> bool {
    let rest: u64 = (1..).zip(spread).filter(|(rank, _): &(u64, _)| *rank >= l).map(|(_, rows)| rows).sum();
    let most = spread.first().copied().unwrap_or_default();
    &c.below * most < &c.above * rest
}

/// Whether the entropy of the values is at least ln l. For l = p/q and t rows, of which s have the same value, that is
/// tᵗ·qᵗ ≥ pᵗ·∏ sˢ.
///
/// Compares logarithms if they differ clearly, and exact integers otherwise.
#[expect(clippy::cast_precision_loss, reason = "close cases are decided with exact integers")]
fn has_entropy(spread: &[u64], l: &Ratio) -> bool {
    let all: u64 = spread.iter().sum();
    let of = |share: u64| share as f64 * (all as f64 / share as f64).ln();
    let entropy: f64 = spread.iter().map(|&share| of(share)).sum::<f64>() / all as f64;
    let logarithm = |number: &BigUint| number.to_string().parse::<f64>().map_or(f64::INFINITY, f64::ln);
    let bound = logarithm(&l.above) - logarithm(&l.below);
    if bound.is_finite() && (entropy - bound).abs() > 1e-7 {
        return entropy > bound;
    }
    // Only shares matter, so a common divisor is removed first.
    let common = spread.iter().fold(0, |common, &share| {
        let (mut left, mut right) = (common, share);
        while right > 0 {
            (left, right) = (right, left % right);
        }
        left
    });
    let power =
        |base: BigUint, exponent: u64| u32::try_from(exponent).map(|exponent| base.pow(exponent)).ok();
    let all = all / common;
    let sides = || {
        let mut right = power(l.above.clone(), all)?;
        for share in spread.iter().map(|share| share / common) {
            right *= power(share.into(), share)?;
        }
        Some(power(all.into(), all)? * power(l.below.clone(), all)? >= right)
    };
    sides().unwrap_or(false)
}

/// The greatest l, in hundredths and at least 1, such that the values have entropy ln l.
fn hundredths(spread: &[u64]) -> u64 {
    let has =
        |hundredths: u64| has_entropy(spread, &Ratio { above: hundredths.into(), below: 100_u8.into() });
    let (mut low, mut high) = (100, 100 * spread.len() as u64 + 1);
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if has(middle) { low = middle } else { high = middle }
    }
    low
}
