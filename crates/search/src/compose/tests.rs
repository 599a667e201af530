//! Compositions compared with the enumeration of all tables, person by person.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "counts of a few people")]

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use palmtop_core::model::Delta;
use palmtop_core::progress::unwatched;

/// A small world: people of some combinations, and their releases.
#[derive(Clone, Debug)]
struct World {
    people: Vec<u64>,
    releases: Vec<Published>,
    changes: Vec<Change>,
}

/// For one combination's atom in one table, over all tables: the least and the most members, and
/// the mean.
type Truth = (u64, u64, f64);

impl World {
    fn compose(&self, limits: Limits) -> Result<Composition, ComposeError> {
        compose(&self.people, &self.releases, &self.changes, limits, &mut unwatched)
    }

    /// Each way for a person to be in the tables, with a value.
    fn ways(&self) -> Vec<(Vec<bool>, u32)> {
        let values = self.releases.iter().flat_map(|release| &release.rows).flatten().map(|row| row.0).max();
        let mut chains: Vec<Vec<bool>> = vec![vec![false], vec![true]];
        for change in &self.changes {
            let mut longer = Vec::new();
            for chain in chains {
                let last = chain[chain.len() - 1];
                for next in [false, true] {
                    let is_possible = match change {
                        Change::Same => next == last,
                        Change::Added => next || !last,
                        Change::Removed => last || !next,
                    };
                    if is_possible {
                        longer.push([chain.as_slice(), &[next]].concat());
                    }
                }
            }
            chains = longer;
        }
        let mut ways = Vec::new();
        for chain in chains {
            let is_out = chain.iter().all(|is_in| !is_in);
            let values = if is_out { 0..=0 } else { 0..=values.unwrap_or(0) };
            ways.extend(values.map(|value| (chain.clone(), value)));
        }
        ways
    }

    /// The truth for each combination and release, over every table with these releases; `None` if
    /// no table has them.
    fn every_table(&self) -> Option<Vec<Vec<Truth>>> {
        let ways = self.ways();
        let persons: Vec<usize> = (0..self.people.len())
            .flat_map(|combination| vec![combination; self.people[combination] as usize])
            .collect();
        let mut left: Vec<Vec<Vec<u64>>> = self
            .releases
            .iter()
            .map(|release| {
                let all = |rows: &Vec<(u32, u64)>| {
                    (0..4)
                        .map(|value| rows.iter().find(|row| row.0 == value).map_or(0, |row| row.1))
                        .collect()
                };
                // The pool is one more class, with one value for all members.
                let pool = vec![release.withdrawn];
                release.rows.iter().map(all).chain([pool]).collect()
            })
            .collect();
        let mut members = vec![vec![0_u64; self.releases.len()]; self.people.len()];
        let mut found =
            Found { tables: 0, seen: vec![vec![(u64::MAX, 0, 0); self.releases.len()]; self.people.len()] };
        self.assign(&persons, &ways, &mut left, &mut members, &mut found);
        let truth = |&(least, most, sum): &(u64, u64, u64)| (least, most, sum as f64 / found.tables as f64);
        let truths = found.seen.iter().map(|releases| releases.iter().map(truth).collect());
        (found.tables > 0).then(|| truths.collect())
    }

    /// Assigns the remaining persons in every possible way.
    fn assign(
        &self,
        persons: &[usize],
        ways: &[(Vec<bool>, u32)],
        left: &mut [Vec<Vec<u64>>],
        members: &mut [Vec<u64>],
        found: &mut Found,
    ) {
        let Some((&person, remaining)) = persons.split_first() else {
            if left.iter().flatten().flatten().all(|&rows| rows == 0) {
                found.note(&self.atoms(), members);
            }
            return;
        };
        for (chain, value) in ways {
            let row = |release: usize| match self.releases[release].class_of[person] {
                Some(class) => (class as usize, *value as usize),
                None => (self.releases[release].rows.len(), 0),
            };
            let concerned: Vec<usize> = (0..chain.len()).filter(|&release| chain[release]).collect();
            let is_room = |&release: &usize| left[release][row(release).0][row(release).1] > 0;
            if !concerned.iter().all(is_room) {
                continue;
            }
            for &release in &concerned {
                left[release][row(release).0][row(release).1] -= 1;
                members[person][release] += 1;
            }
            self.assign(remaining, ways, left, members, found);
            for &release in &concerned {
                left[release][row(release).0][row(release).1] += 1;
                members[person][release] -= 1;
            }
        }
    }

    /// For each combination, the combinations in the same class of every release.
    fn atoms(&self) -> Vec<Vec<usize>> {
        let classes =
            |combination: usize| self.releases.iter().map(move |release| release.class_of[combination]);
        let all = 0..self.people.len();
        let alike = |combination: usize| {
            all.clone().filter(move |&other| classes(combination).eq(classes(other))).collect()
        };
        all.clone().map(alike).collect()
    }
}

struct Found {
    tables: u64,
    seen: Vec<Vec<(u64, u64, u64)>>,
}

impl Found {
    fn note(&mut self, atoms: &[Vec<usize>], members: &[Vec<u64>]) {
        self.tables += 1;
        for (seen, atom) in self.seen.iter_mut().zip(atoms) {
            for (release, seen) in seen.iter_mut().enumerate() {
                let count: u64 = atom.iter().map(|&combination| members[combination][release]).sum();
                *seen = (seen.0.min(count), seen.1.max(count), seen.2 + count);
            }
        }
    }
}

/// Limits under which only flows are exact.
const ROUGH: Limits = Limits { component: 0, exact: 0, flow: 1 << 20, fit: 1 << 26 };
/// Limits under which no result is exact.
const ROUGHEST: Limits = Limits { flow: 0, ..ROUGH };

/// A release with the members of each class by value. One class may be withdrawn.
fn published(class_of: &[u32], mut rows: Vec<Vec<u64>>, withdrawn: Option<usize>) -> Published {
    let withdrawn = withdrawn.map_or(0, |class| rows[class].drain(..).sum());
    let is_empty = |class: u32| rows[class as usize].iter().all(|&rows| rows == 0);
    let listed = |rows: &Vec<u64>| (0..).zip(rows.iter().copied()).filter(|row| row.1 > 0).collect();
    Published {
        class_of: class_of.iter().map(|&class| (!is_empty(class)).then_some(class)).collect(),
        rows: rows.iter().map(listed).collect(),
        withdrawn,
    }
}

/// Worlds of up to `most` people with a true T. Each person has a combination, a membership, the
/// release after which the membership changes, and a value. Some releases withdraw a class.
fn worlds(
    most: usize,
    changes: impl Strategy<Value = Vec<Change>>,
    values: u32,
) -> impl Strategy<Value = World> {
    let person = (0..6_usize, prop::bool::weighted(0.45), 0..4_usize, 0..values);
    (prop::collection::vec(person, 3..=most), changes).prop_flat_map(|(persons, changes)| {
        let classes = prop::collection::vec(prop::collection::vec(0..3_u32, 6), changes.len() + 1);
        let withdrawn = prop::collection::vec(prop::option::of(0..3_usize), changes.len() + 1);
        let withdrawn = prop_oneof![Just(vec![None; changes.len() + 1]), withdrawn];
        (Just(persons), Just(changes), classes, withdrawn).prop_map(
            |(persons, changes, classes, withdrawn)| {
                let mut people = [0; 6];
                let mut rows = vec![vec![vec![0_u64; 4]; 3]; classes.len()];
                for &(combination, is_in, turn, value) in &persons {
                    people[combination] += 1;
                    let mut is_member = is_in;
                    for release in 0..classes.len() {
                        if let Some(change) = release.checked_sub(1).map(|before| changes[before]) {
                            is_member = match change {
                                Change::Same => is_member,
                                Change::Added => is_member || turn == release,
                                Change::Removed => is_member && turn != release,
                            };
                        }
                        rows[release][classes[release][combination] as usize][value as usize] +=
                            u64::from(is_member);
                    }
                }
                let occurs = |combination: &usize| people[*combination] > 0;
                let combinations: Vec<usize> = (0..6).filter(occurs).collect();
                let release = |(release, rows): (usize, Vec<Vec<u64>>)| {
                    let class_of: Vec<u32> =
                        combinations.iter().map(|&combination| classes[release][combination]).collect();
                    published(&class_of, rows, withdrawn[release])
                };
                let releases = rows.into_iter().enumerate().map(release).collect();
                World {
                    people: combinations.iter().map(|&combination| people[combination]).collect(),
                    releases,
                    changes,
                }
            },
        )
    })
}

fn changes(count: usize) -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(prop::sample::select(vec![Change::Same, Change::Added, Change::Removed]), count)
}

/// The members of each combination in the table of each release, with its atom.
fn members_of(world: &World, composition: &Composition) -> Vec<Vec<(Members, Atom)>> {
    let of = |combination: usize| {
        let atom = &composition.atoms[composition.atom_of[combination] as usize];
        composition.table_of.iter().map(|&table| (atom.members[table], atom.clone())).collect()
    };
    (0..world.people.len()).map(of).collect()
}

#[track_caller]
fn agree_exactly(world: &World) {
    let truth = world.every_table().expect("the truth is one");
    let composition = world.compose(Limits::default()).unwrap();
    assert_eq!(composition.components.estimated, 0);
    for (truth, (members, atom)) in
        truth.iter().flatten().zip(members_of(world, &composition).iter().flatten())
    {
        assert_eq!((members.least, members.most), (truth.0, truth.1), "{world:?}");
        assert!((members.expected - truth.2).abs() < 1e-9, "{} is {}: {world:?}", members.expected, truth.2);
        assert!(atom.is_tight && atom.method == Method::Exact);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Several releases
    #[test]
    fn two_releases_reveal_what_enumerating_tables_reveals(world in worlds(9, changes(1), 1)) {
        agree_exactly(&world);
    }

    // holds: Several releases
    #[test]
    fn three_releases_do_too(world in worlds(8, changes(2), 1)) {
        agree_exactly(&world);
    }

    // holds: Several releases
    #[test]
    fn what_is_published_unchanged_links_rows(world in worlds(7, changes(1), 3)) {
        agree_exactly(&world);
    }

    // holds: Several releases
    #[test]
    fn composition_bounds_contain_the_truth(world in worlds(9, changes(1), 1)) {
        let truth = world.every_table().unwrap();
        for (limits, is_narrowest) in [(ROUGH, true), (ROUGHEST, false)] {
            let composition = world.compose(limits).unwrap();
            for (truth, (members, atom)) in truth.iter().flatten().zip(members_of(&world, &composition).iter().flatten()) {
                prop_assert!(members.least <= truth.0 && members.most >= truth.1);
                if is_narrowest || atom.is_tight {
                    prop_assert_eq!((members.least, members.most), (truth.0, truth.1));
                }
                prop_assert!(members.expected >= members.least as f64 && members.expected <= members.most as f64);
                prop_assert!(members.expected.is_sign_positive(), "nobody is 0.0, not -0.0");
            }
        }
    }

    #[test]
    fn bounds_of_three_releases_contain_the_truth(world in worlds(8, changes(2), 2)) {
        let truth = world.every_table().unwrap();
        let composition = world.compose(ROUGH).unwrap();
        for (truth, (members, atom)) in truth.iter().flatten().zip(members_of(&world, &composition).iter().flatten()) {
            prop_assert!(members.least <= truth.0 && members.most >= truth.1);
            prop_assert!(!atom.is_tight || (members.least, members.most) == (truth.0, truth.1));
        }
    }

    #[test]
    fn the_estimates_meet_every_margin(world in worlds(9, changes(1), 2)) {
        let composition = world.compose(ROUGH).unwrap();
        // If bounds are not the narrowest, a cell may be forced to its bound, where fitting
        // converges slowly.
        if composition.fit.is_some_and(|fit| !fit.has_converged()) {
            return Ok(());
        }
        for (release, published) in world.releases.iter().enumerate() {
            for (class, rows) in (0..).zip(&published.rows) {
                let atoms = composition.atoms.iter().filter(|atom| atom.classes[release] == Some(class));
                let sum: f64 = atoms.map(|atom| atom.members[composition.table_of[release]].expected).sum();
                let rows: u64 = rows.iter().map(|row| row.1).sum();
                prop_assert!((sum - rows as f64).abs() < 1e-4, "{} of {}", sum, rows);
            }
        }
    }

    #[test]
    fn of_one_release_fitting_is_exact(world in worlds(9, changes(0), 1)) {
        let truth = world.every_table().unwrap();
        for limits in [ROUGH, Limits::default()] {
            let composition = world.compose(limits).unwrap();
            for (truth, (members, _)) in truth.iter().flatten().zip(members_of(&world, &composition).iter().flatten()) {
                prop_assert!((members.expected - truth.2).abs() < 1e-9);
            }
        }
    }

    // holds: Several releases
    #[test]
    fn releases_that_fit_no_single_t_are_refused(
        world in worlds(8, changes(1), 1),
        moved in (0..2_usize, 0..3_usize, 0..3_usize),
    ) {
        let mut world = world;
        let (release, from, to) = moved;
        let rows = &mut world.releases[release].rows;
        // One row more in one class, and one less in another.
        if let Some(row) = rows[from].first_mut().filter(|row| row.1 > 1) {
            row.1 -= 1;
            match rows[to].first_mut() {
                Some(row) => row.1 += 1,
                None => return Ok(()),
            }
        }
        let is_possible = world.every_table().is_some();
        for limits in [Limits::default(), ROUGH] {
            match world.compose(limits) {
                Ok(_) => prop_assert!(is_possible),
                Err(ComposeError::NoTable { pair }) => prop_assert!(!is_possible && pair == Some((0, 1))),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }
}

/// Young and old, men and women, as two releases: by age and by sex.
fn by_age_and_by_sex(people: [u64; 4], by_age: [u64; 2], by_sex: [u64; 2]) -> World {
    let published = |class_of: [u32; 4], rows: [u64; 2]| Published {
        class_of: class_of.map(Some).to_vec(),
        rows: rows.iter().map(|&rows| vec![(0, rows)]).collect(),
        withdrawn: 0,
    };
    World {
        people: people.to_vec(),
        releases: vec![published([0, 0, 1, 1], by_age), published([0, 1, 0, 1], by_sex)],
        changes: vec![Change::Same],
    }
}

/// The text `least to most, mean` for each of the four combinations.
fn table(world: &World) -> Vec<String> {
    let composition = world.compose(Limits::default()).unwrap();
    let line = |entry: &Vec<(Members, Atom)>| {
        let Members { least, most, expected } = entry[0].0;
        format!("{least} to {most}, {expected:.3}")
    };
    members_of(world, &composition).iter().map(line).collect()
}

#[test]
fn two_releases_within_delta_can_reveal_a_member() {
    //             men      women
    //  young    x of 1  2−x of 3   2 of 4
    //  old    2−x of 3  x−1 of 1   1 of 4
    //           2 of 4    1 of 4
    // x is at least 1, because the number of old women cannot be negative: the young man is a member.
    let world = by_age_and_by_sex([1, 3, 3, 1], [2, 1], [2, 1]);
    assert_eq!(table(&world), ["1 to 1, 1.000", "1 to 1, 1.000", "1 to 1, 1.000", "0 to 0, 0.000"]);
    let judged = |max: &str| {
        let delta = Delta::new("0".parse().unwrap(), max.parse().unwrap()).unwrap();
        world.compose(Limits::default()).unwrap().judge(delta.into())
    };
    let judgement = judged("1/2");
    assert_eq!(judgement.certain, Beyond { over: 1, under: 0, people: 1 });
    assert_eq!(judgement.exact, judgement.certain);
    assert_eq!((judgement.highest.presence, judgement.highest.atom), (1.0, 0));
    assert!(judged("1").holds());
}

#[test]
fn expected_belief_may_leave_delta_without_certainty() {
    // As before with two people each: x = 1 in C(2,1)³ = 8 tables, x = 2 in C(2,1) = 2, and so its
    // mean is 12/10.
    let world = by_age_and_by_sex([2, 2, 2, 2], [2, 1], [2, 1]);
    assert_eq!(table(&world), ["1 to 2, 1.200", "0 to 1, 0.800", "0 to 1, 0.800", "0 to 1, 0.200"]);
    let delta = |min: &str| Delta::new(min.parse().unwrap(), "1/2".parse().unwrap()).unwrap();
    let judge = |min| world.compose(Limits::default()).unwrap().judge(delta(min).into());
    assert_eq!(judge("0").certain.people, 0);
    assert_eq!(judge("0").exact, Beyond { over: 2, under: 0, people: 2 });
    assert_eq!(judge("1/5").exact, Beyond { over: 2, under: 2, people: 4 });
    assert_eq!(judge("1/10").exact, Beyond { over: 2, under: 0, people: 2 }, "1/10 is δmin itself");
    let estimated = world.compose(ROUGH).unwrap().judge(delta("0").into());
    assert_eq!((estimated.exact.people, estimated.estimated.people), (0, 2));
}

#[test]
fn added_people_are_distinguished_from_earlier_members() {
    // A: 1 of the 2 who are young, nobody else; B, after one person more was added: 2 of all 4.
    let class = |rows| vec![(0, rows)];
    let releases = vec![
        Published { class_of: vec![Some(0), None], rows: vec![class(1)], withdrawn: 0 },
        Published { class_of: vec![Some(0), Some(0)], rows: vec![class(2)], withdrawn: 0 },
    ];
    let added = World { people: vec![2, 2], releases: releases.clone(), changes: vec![Change::Added] };
    // The added person is one of three: the other young person, or one of the two old people.
    let composition = added.compose(Limits::default()).unwrap();
    let means: Vec<f64> =
        composition.atoms.iter().flat_map(|atom| &atom.members).map(|members| members.expected).collect();
    for (mean, expected) in means.iter().zip([1.0, 4.0 / 3.0, 0.0, 2.0 / 3.0]) {
        assert!((mean - expected).abs() < 1e-12, "{means:?}");
    }
    let mut removed = added.clone();
    removed.releases.reverse();
    removed.changes = vec![Change::Removed];
    let back = removed.compose(Limits::default()).unwrap();
    let swapped: Vec<f64> = back
        .atoms
        .iter()
        .flat_map(|atom| atom.members.iter().rev())
        .map(|members| members.expected)
        .collect();
    for (left, right) in means.iter().zip(&swapped) {
        assert!((left - right).abs() < 1e-12);
    }
    let same = World { changes: vec![Change::Same], ..added };
    let error = same.compose(Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "releases 0 and 1 have 1 and 2 rows, but releases of one T have the same number of rows"
    );
}

#[test]
fn a_withdrawn_member_is_found_by_another_release() {
    // By age, 1 of the 4 young people is a member, and the member among the 4 old people is
    // withdrawn. By sex, both members are men.
    let mut world = by_age_and_by_sex([1, 3, 1, 3], [1, 1], [2, 0]);
    world.releases[0].class_of = vec![Some(0), Some(0), None, None];
    world.releases[0].rows.truncate(1);
    world.releases[0].withdrawn = 1;
    assert_eq!(table(&world), ["1 to 1, 1.000", "0 to 0, 0.000", "1 to 1, 1.000", "0 to 0, 0.000"]);
    // If the members of the pool are not counted, the two releases contradict each other.
    world.releases[0].withdrawn = 0;
    assert!(matches!(world.compose(Limits::default()), Err(ComposeError::Sizes { rows: (1, 2), .. })));
}

#[test]
fn member_without_rows_may_have_any_published_value() {
    // Five people. The first release has the first two in one class and the third in another, and
    // the second release the first and the fourth. All others are in the pools.
    let of = |class_of: [Option<u32>; 5], values: u32| {
        let rows = vec![vec![(0, 1)], vec![(values - 1, 1)]];
        Published { class_of: class_of.to_vec(), rows, withdrawn: 1 }
    };
    let table_of = |values| {
        let first = of([Some(0), Some(0), Some(1), None, None], values);
        let second = of([Some(0), None, Some(1), Some(0), None], values);
        table(&World { people: vec![1; 5], releases: vec![first, second], changes: vec![Change::Same] })
    };
    // T has the first, the third and the fifth person, or the second, the third and the fourth.
    let half = "0 to 1, 0.500";
    assert_eq!(table_of(1), [half, half, "1 to 1, 1.000", half, half]);
    // With two values, there are two T with the fifth person, whose value no row shows.
    let (third, two) = ("0 to 1, 0.333", "0 to 1, 0.667");
    assert_eq!(table_of(2), [two, third, "1 to 1, 1.000", third, two]);
}

#[test]
fn releases_with_different_values_share_no_t() {
    let of = |value| Published { class_of: vec![Some(0)], rows: vec![vec![(value, 1)]], withdrawn: 0 };
    let world = World { people: vec![2], releases: vec![of(0), of(1)], changes: vec![Change::Same] };
    assert_eq!(world.compose(Limits::default()), Err(ComposeError::Kept { first: 0, second: 1 }));
}

#[test]
fn two_incompatible_releases_among_three_are_named() {
    let mut world = by_age_and_by_sex([1, 3, 3, 1], [2, 1], [2, 1]);
    // A third release by age with other counts.
    world.releases.push(Published {
        class_of: world.releases[0].class_of.clone(),
        rows: vec![vec![(0, 1)], vec![(0, 2)]],
        withdrawn: 0,
    });
    world.changes.push(Change::Same);
    let error = world.compose(Limits::default()).unwrap_err();
    assert_eq!(error, ComposeError::NoTable { pair: Some((0, 2)) });
    assert_eq!(error.to_string(), "no T gives both release 0 and release 2");
}

#[test]
fn a_composition_can_be_stopped() {
    let people = vec![5; 4000];
    let rows = |class_of: &[Option<u32>]| {
        let mut rows = vec![vec![(0, 0)]; 97];
        class_of.iter().enumerate().for_each(|(combination, class)| {
            rows[class.unwrap() as usize][0].1 += u64::from(combination % 3 == 0);
        });
        rows
    };
    let released = |class: fn(u32) -> u32| {
        let class_of: Vec<Option<u32>> = (0..4000).map(|combination| Some(class(combination))).collect();
        Published { rows: rows(&class_of), class_of, withdrawn: 0 }
    };
    let published = [released(|combination| combination % 97), released(|combination| combination / 42)];
    let mut asked = 0;
    let stop = &mut |_| {
        asked += 1;
        if asked == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = compose(&people, &published, &[Change::Same], Limits::default(), stop);
    assert!(stopped == Err(ComposeError::Cancelled) && asked == 3, "asked {asked} times");
}

/// The error of the estimates on systems that can be solved exactly: two releases of some hundred
/// people.
#[test]
fn the_estimates_are_near_the_exact_means() {
    let mut worst: f64 = 0.0;
    for seed in 0..20_u64 {
        let mut state = seed;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let people: Vec<u64> = (0..24).map(|_| 1 + draw(12)).collect();
        let members: Vec<u64> =
            people.iter().map(|&people| (0..people).filter(|_| draw(5) == 0).count() as u64).collect();
        let mut release = |classes: u64| {
            let class_of: Vec<u32> = (0..24).map(|_| draw(classes) as u32).collect();
            let mut rows = vec![vec![(0, 0)]; classes as usize];
            class_of.iter().zip(&members).for_each(|(&class, members)| rows[class as usize][0].1 += members);
            Published { class_of: class_of.into_iter().map(Some).collect(), rows, withdrawn: 0 }
        };
        let releases = vec![release(4), release(3)];
        let world = World { people, releases, changes: vec![Change::Same] };
        let (exact, rough) = (world.compose(Limits::default()).unwrap(), world.compose(ROUGH).unwrap());
        assert_eq!(exact.components.estimated, 0);
        for (exact, rough) in exact.atoms.iter().zip(&rough.atoms) {
            let difference = exact.presence(&exact.members[0]) - rough.presence(&rough.members[0]);
            worst = worst.max(difference.abs());
        }
    }
    assert!(worst < 0.02, "{worst}");
    assert!(worst > 1e-6, "it would be exact");
}
