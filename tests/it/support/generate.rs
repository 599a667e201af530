//! Random small problems.

use palmtop::model::{
    Code, Counts, Criteria, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, Problem,
    QuasiIdentifier,
};
use proptest::prelude::*;

/// A problem in the plainest form. The engine and the naive implementations both start from it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// For each quasi-identifier: its kind, its finest level, and a chain of labels for each leaf.
    pub attributes: Vec<(Kind, u8, Vec<Vec<String>>)>,
    /// Combinations of leaf codes with their numbers of people in P and of members.
    pub people: Vec<(Vec<Code>, u64, u64)>,
    /// δmin and δmax as numerator and denominator.
    pub delta: [(u64, u64); 2],
    /// Whether regions may be empty.
    pub empty_regions: EmptyRegions,
    /// The least number of members of a class with members.
    pub k: Option<u64>,
    /// The least number of people of P in a class with members.
    pub k_map: Option<u64>,
}

impl Case {
    /// The problem for the engine.
    pub(crate) fn problem(&self) -> Problem {
        let quasi =
            self.attributes.iter().enumerate().map(|(position, (kind, base, chains))| QuasiIdentifier {
                name: format!("q{position}"),
                hierarchy: Hierarchy::new(*kind, Level(*base), chains).unwrap(),
            });
        let columns =
            (0..self.attributes.len()).map(|a| self.people.iter().map(|(codes, ..)| codes[a]).collect());
        let counts = self.people.iter().map(|&(_, public, private)| Counts::new(public, private)).collect();
        let [min, max] =
            self.delta.map(|(numerator, denominator)| Presence::new(numerator, denominator).unwrap());
        let delta = Delta::new(min, max).unwrap();
        let histogram = Histogram::new(columns.collect(), counts).unwrap();
        let settings = [("k", self.k), ("k_map", self.k_map)];
        let settings: Vec<(&str, String)> =
            settings.iter().filter_map(|&(key, k)| Some((key, k?.to_string()))).collect();
        let criteria = Criteria::read(settings.iter().map(|(key, k)| (*key, k.as_str()))).unwrap();
        Problem::new(quasi.collect(), histogram, delta, self.empty_regions).unwrap().with_criteria(criteria)
    }
}

/// Problems of two to four quasi-identifiers, nearly always with a feasible δ.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let attributes = prop::collection::vec(attribute(), 2..=4);
    let empty_regions = prop_oneof![Just(EmptyRegions::Allow), Just(EmptyRegions::Forbid)];
    attributes
        .prop_flat_map(|attributes| {
            let leaves: Vec<Code> =
                attributes.iter().map(|(_, _, chains)| Code::try_from(chains.len()).unwrap()).collect();
            let codes: Vec<_> = leaves.into_iter().map(|leaves| 0..leaves).collect();
            let people = prop::collection::btree_map(codes, (1..6_u64, 0..4_u64), 1..40);
            (Just(attributes), people)
        })
        .prop_flat_map(move |(attributes, people)| {
            let mut people: Vec<(Vec<Code>, u64, u64)> = people
                .into_iter()
                .map(|(codes, (public, private))| (codes, public, private.saturating_sub(1).min(public)))
                .collect();
            if people.iter().all(|&(_, _, private)| private == 0) {
                people[0].2 = 1;
            }
            let (public, private) =
                people.iter().fold((0, 0), |(p, t), &(_, public, private)| (p + public, t + private));
            // k is often absent. T as one class mostly keeps it.
            let k = prop_oneof![3 => Just(None), 3 => (1..=private.min(6)).prop_map(Some), 1 => (1..12_u64).prop_map(Some)];
            let k_map = prop_oneof![4 => Just(None), 2 => (1..=public.min(12)).prop_map(Some)];
            (Just(attributes), Just(people), deltas(public, private), empty_regions.clone(), (k, k_map))
        })
        .prop_map(|(attributes, people, delta, empty_regions, (k, k_map))| Case {
            attributes,
            people,
            delta,
            empty_regions,
            k,
            k_map,
        })
}

/// δ around |T|/|P|. δmin is 0 half the time, and one δ in twenty is arbitrary.
fn deltas(public: u64, private: u64) -> impl Strategy<Value = [(u64, u64); 2]> {
    let above = (0..=4_u64).prop_map(move |part| (private * 4 + (public - private) * part, public * 4));
    let below = prop_oneof![Just(0), 0..=4_u64].prop_map(move |part| (private * part, public * 4));
    let any = (0..=6_u64, 0..=6_u64).prop_map(|(a, b)| [(a.min(b), 6), (a.max(b), 6)]);
    prop_oneof![19 => (below, above).prop_map(|(min, max)| [min, max]), 1 => any]
}

/// A hierarchy of one to six leaves and one to four levels, nested at random.
fn attribute() -> impl Strategy<Value = (Kind, u8, Vec<Vec<String>>)> {
    let kind = prop_oneof![Just(Kind::Number), Just(Kind::Date), Just(Kind::Category)];
    let levels = prop::collection::vec(prop::collection::vec(0..3_usize, 6), 0..=2);
    (kind, 0..=1_u8, 1..=6_usize, levels).prop_map(|(kind, base, leaves, levels)| {
        let mut labels: Vec<usize> = (0..leaves).collect();
        let mut chains: Vec<Vec<String>> = (0..leaves).map(|leaf| vec![format!("leaf {leaf}")]).collect();
        for (number, parents) in levels.iter().enumerate() {
            labels = labels.iter().map(|&label| parents[label]).collect();
            for (chain, label) in chains.iter_mut().zip(&labels) {
                chain.push(format!("level {number} group {label}"));
            }
        }
        for chain in &mut chains {
            chain.push("*".to_owned());
        }
        (kind, base, chains)
    })
}
