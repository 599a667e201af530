//! The requirements of policies on sensitive values, computed without the engine's arithmetic.

use std::collections::BTreeMap;

use proptest::prelude::*;

/// The requirements on the secrets of a class. Secrets are integers.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    k: usize,
    distinct: usize,
    /// The least e^H.
    entropy: f64,
    /// c as a ratio, and l.
    recursive: Option<(usize, usize, usize)>,
    /// t, and the distance between values.
    t: Option<(f64, Ground)>,
}

/// Distances between values: all equal, in a row, or pairs in a tree of two levels.
#[derive(Clone, Copy, Debug)]
enum Ground {
    Equal,
    Ordered,
    Hierarchy,
}

/// A policy as text for the project file, and its requirements.
pub(crate) fn asked() -> impl Strategy<Value = (String, Asked)> {
    let recursive = prop::option::of((1..5_usize, 1..3_usize, 1..4_usize));
    let t = prop::option::of((
        prop::sample::select(vec!["0", "1/5", "0.4", "70%"]),
        prop::sample::select(vec![Ground::Equal, Ground::Ordered, Ground::Hierarchy]),
    ));
    let entropy = prop::sample::select(vec!["1", "1.5", "2", "2.8", "3"]);
    (1..4_usize, 1..4_usize, entropy, recursive, t).prop_map(|(k, distinct, entropy, recursive, t)| {
        let mut lines = vec![format!("k = {k}")];
        let written = recursive.map_or_else(String::new, |(above, below, l)| {
            format!(", recursive = [\"{above}/{below}\", {l}]")
        });
        lines.push(format!("l = {{ distinct = {distinct}, entropy = {entropy}{written} }}"));
        let t = t.map(|(t, ground)| {
            let name = match ground {
                Ground::Equal => "equal",
                Ground::Ordered => "ordered",
                Ground::Hierarchy => "hierarchy",
            };
            lines.push(format!("t = {{ at_most = \"{t}\", distance = \"{name}\", of = \"secret\" }}"));
            let number = match t {
                "1/5" => 0.2,
                "70%" => 0.7,
                plain => plain.parse().unwrap(),
            };
            (number, ground)
        });
        let entropy = entropy.parse().unwrap();
        (lines.join("\n"), Asked { k, distinct, entropy, recursive, t })
    })
}

fn counted(secrets: &[u8]) -> BTreeMap<u8, usize> {
    let mut counts = BTreeMap::new();
    for &secret in secrets {
        *counts.entry(secret).or_insert(0) += 1;
    }
    counts
}

impl Asked {
    /// Whether a class of members with these secrets is allowed, if T has the secrets `all`.
    pub(crate) fn allow(&self, secrets: &[u8], all: &[u8]) -> bool {
        if secrets.is_empty() {
            return true;
        }
        let counts = counted(secrets);
        let share = |count: usize, of: &[u8]| count as f64 / of.len() as f64;
        let effective: f64 =
            counts.values().map(|&count| share(count, secrets).powf(-share(count, secrets))).product();
        let mut descending: Vec<usize> = counts.values().copied().collect();
        descending.sort_unstable();
        descending.reverse();
        let is_recursive = |(above, below, l): (usize, usize, usize)| {
            descending[0] * below < above * descending.iter().skip(l - 1).sum::<usize>()
        };
        secrets.len() >= self.k
            && counts.len() >= self.distinct
            && effective >= self.entropy - 1e-9
            && self.recursive.is_none_or(is_recursive)
            && self.t.is_none_or(|(t, ground)| distance(&counts, secrets, all, ground) <= t + 1e-9)
    }
}

/// The earth mover's distance, computed from the mass that has to be moved.
fn distance(counts: &BTreeMap<u8, usize>, secrets: &[u8], all: &[u8], ground: Ground) -> f64 {
    let overall = counted(all);
    let gaps: Vec<f64> = overall
        .iter()
        .map(|(value, count)| {
            let in_class = counts.get(value).copied().unwrap_or(0);
            in_class as f64 / secrets.len() as f64 - *count as f64 / all.len() as f64
        })
        .collect();
    let too_much = |gaps: &mut dyn Iterator<Item = f64>| gaps.filter(|gap| *gap > 0.0).sum::<f64>();
    match ground {
        Ground::Equal => return too_much(&mut gaps.iter().copied()),
        Ground::Hierarchy => {
            // Mass that stays within its pair moves half the distance; the rest moves the full
            // distance.
            let mut pairs = [0.0; 2];
            overall.keys().zip(&gaps).for_each(|(value, gap)| pairs[usize::from(value / 2)] += gap);
            let beyond = too_much(&mut pairs.into_iter());
            return beyond + (too_much(&mut gaps.iter().copied()) - beyond) / 2.0;
        }
        Ground::Ordered => {}
    }
    let steps = gaps.len() - 1;
    let carried: f64 = (0..steps).map(|step| gaps[..=step].iter().sum::<f64>().abs()).sum();
    if steps == 0 { 0.0 } else { carried / steps as f64 }
}
