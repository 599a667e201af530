use super::*;
use crate::model::{
    Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, QuasiIdentifier,
};

/// One quasi-identifier of four leaves in pairs, with the rows of these people.
fn rows(people: &[(Vec<u32>, bool)]) -> Problem {
    let chains = [["0", "a", "*"], ["1", "a", "*"], ["2", "b", "*"], ["3", "b", "*"]];
    let chains: Vec<Vec<String>> = chains.iter().map(|chain| chain.map(str::to_owned).to_vec()).collect();
    let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
    let mut counts = vec![Counts::default(); 4];
    for (rows, is_member) in people {
        for &row in rows {
            counts[row as usize] += Counts::new(1, u64::from(*is_member));
        }
    }
    let histogram = Histogram::new(vec![vec![0, 1, 2, 3]], counts).unwrap();
    let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
    let delta = Delta::new(Presence::ZERO, "1/2".parse().unwrap()).unwrap();
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
}

#[test]
fn people_with_the_same_rows_are_one_multiset_whatever_their_order() {
    let people = [
        (vec![2, 0], true),
        (vec![0, 2], false),
        (vec![0, 0, 2], false),
        (vec![0], true),
        (vec![2, 0, 0], true),
    ];
    let entities = Entities::of(people);
    let listed: Vec<(Vec<u32>, Counts)> =
        entities.multisets().map(<[u32]>::to_vec).zip(entities.counts().iter().copied()).collect();
    assert_eq!(
        listed,
        [(vec![0], Counts::new(1, 1)), (vec![0, 0, 2], Counts::new(2, 1)), (vec![0, 2], Counts::new(2, 1))]
    );
    assert_eq!(entities.total(), Counts::new(5, 3));
    for (place, (multiset, _)) in listed.iter().enumerate() {
        assert_eq!(entities.find(multiset), Some(place));
    }
    assert_eq!((entities.find(&[]), entities.find(&[0, 0]), entities.find(&[3])), (None, None, None));
}

#[test]
fn classes_of_people_are_united_by_labels_and_never_by_numbers_of_rows() {
    let people =
        [(vec![0, 2], true), (vec![1, 3], false), (vec![0, 1], false), (vec![2], true), (vec![3], false)];
    let problem = EntityProblem::new(&rows(&people), Entities::of(people)).unwrap();
    let lattice = problem.rows().lattice();
    let of = |level: u8| {
        let classes = problem.classes(&lattice.node(&[Level(level)]).unwrap());
        let mut all: Vec<(usize, Counts)> = (0..)
            .zip(classes.all())
            .map(|(class, data)| (classes.rows(class).len(), data.counts()))
            .collect();
        all.sort_by_key(|(rows, counts)| (*rows, counts.public, counts.private));
        all
    };
    assert_eq!(
        of(0),
        [
            (1, Counts::new(1, 0)),
            (1, Counts::new(1, 1)),
            (2, Counts::new(1, 0)),
            (2, Counts::new(1, 0)),
            (2, Counts::new(1, 1))
        ]
    );
    assert_eq!(of(1), [(1, Counts::new(2, 1)), (2, Counts::new(1, 0)), (2, Counts::new(2, 1))]);
    assert_eq!(of(2), [(1, Counts::new(2, 1)), (2, Counts::new(3, 1))]);
    let mut rollup = EntityRollup::new();
    assert_eq!([0, 1, 2].map(|level| problem.holds(&mut rollup, &[Level(level)])), [false, true, true]);
}

#[test]
fn nothing_is_enforced_of_the_rows_themselves_and_they_are_the_peoples() {
    let people = [(vec![0, 1], true), (vec![2, 3], false), (vec![3], false)];
    let own = rows(&people);
    let problem = EntityProblem::new(&own, Entities::of(people)).unwrap();
    assert!(problem.rows().feasibility().holds());
    assert_eq!(problem.policy().delta().max().to_string(), "1/2");
    for others in [
        vec![],
        vec![(vec![0, 1], true), (vec![2, 3], false)],
        vec![(vec![0, 1], true), (vec![2, 3], true), (vec![3], false)],
        vec![(vec![0, 1], true), (vec![2, 3], false), (vec![4], false)],
        vec![(vec![0, 1], false), (vec![2, 3], false), (vec![3], false)],
    ] {
        assert!(EntityProblem::new(&own, Entities::of(others.clone())).is_err(), "{others:?}");
    }
}
