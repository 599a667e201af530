//! Synthetic tables of any size. Each quasi-identifier has a few common values and many rare ones,
//! as in a census. The members are random people.

use palmtop::model::{
    Code, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, Problem, QuasiIdentifier,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of leaves, and how many labels of each level form one label of the next.
pub(crate) type Shape = (u32, &'static [u32]);

/// One person in this many is a member.
const PUBLIC_PER_PRIVATE: u32 = 23;

/// A table of this many distinct combinations under δ = (0, `max`). The first quasi-identifier is a
/// number. Each value is the least of `draws` uniform ones.
pub(crate) fn problem(shapes: &[Shape], combinations: usize, draws: u32, max: &str) -> Problem {
    let quasi = shapes.iter().enumerate().map(|(position, &(leaves, widths))| QuasiIdentifier {
        name: format!("q{position}"),
        hierarchy: hierarchy(if position == 0 { Kind::Number } else { Kind::Category }, leaves, widths),
    });
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (keys, counts) = people(shapes, combinations, draws, &mut random);
    let mut columns = vec![Vec::with_capacity(keys.len()); shapes.len()];
    for mut key in keys {
        for (column, &(leaves, _)) in columns.iter_mut().zip(shapes).rev() {
            column.push(Code::try_from(key % u64::from(leaves)).expect("below the number of leaves"));
            key /= u64::from(leaves);
        }
    }
    let histogram = Histogram::new(columns, counts).expect("a sound histogram");
    let delta = Delta::new(Presence::ZERO, max.parse().expect("a presence")).expect("ordered bounds");
    Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).expect("a sound problem")
}

/// Distinct combinations, packed and sorted, with their people.
fn people(
    shapes: &[Shape],
    combinations: usize,
    draws: u32,
    random: &mut ChaCha8Rng,
) -> (Vec<u64>, Vec<Counts>) {
    let least = |leaves: u32, random: &mut ChaCha8Rng| {
        (0..draws).map(|_| random.random_range(0..leaves)).min().unwrap_or(0)
    };
    let mut everybody: Vec<u64> = Vec::new();
    let mut distinct = 0;
    while distinct < combinations {
        let missing = combinations - distinct;
        everybody.extend((0..missing + missing / 8).map(|_| {
            let pack = |key, &(leaves, _): &Shape| key * u64::from(leaves) + u64::from(least(leaves, random));
            shapes.iter().fold(0, pack)
        }));
        everybody.sort_unstable();
        distinct = everybody.chunk_by(|left, right| left == right).count();
    }
    // The surplus is removed evenly.
    let surplus = distinct - combinations;
    let (mut keys, mut counts) = (Vec::with_capacity(combinations), Vec::with_capacity(combinations));
    for (index, people) in everybody.chunk_by(|left, right| left == right).enumerate() {
        if (index + 1) * surplus / distinct > index * surplus / distinct {
            continue;
        }
        let private = people.iter().filter(|_| random.random_ratio(1, PUBLIC_PER_PRIVATE)).count();
        keys.push(people[0]);
        counts.push(Counts::new(people.len() as u64, private as u64));
    }
    (keys, counts)
}

fn hierarchy(kind: Kind, leaves: u32, widths: &[u32]) -> Hierarchy {
    let chain = |leaf: u32| {
        let mut chain = vec![leaf.to_string()];
        let mut group = leaf;
        for (level, width) in (1..).zip(widths) {
            group /= width;
            chain.push(format!("{level}-{group}"));
        }
        chain.push("*".to_owned());
        chain
    };
    let chains: Vec<Vec<String>> = (0..leaves).map(chain).collect();
    Hierarchy::new(kind, Level(0), &chains).expect("a sound hierarchy")
}
