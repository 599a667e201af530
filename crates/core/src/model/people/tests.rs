use super::*;
use crate::model::{
    Classes, Delta, EmptyRegions, EquivalenceClass, Hierarchy, Histogram, Kind, Level, Presence, Problem,
    QuasiIdentifier, Recoding, Rollup,
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
fn row_order_does_not_change_a_persons_multiset() {
    let people = [
        (vec![2, 0], true),
        (vec![0, 2], false),
        (vec![0, 0, 2], false),
        (vec![0], true),
        (vec![2, 0, 0], true),
    ];
    let people = People::of(people);
    let listed: Vec<(Vec<u32>, Counts)> =
        people.multisets().map(<[u32]>::to_vec).zip(people.counts().iter().copied()).collect();
    assert_eq!(
        listed,
        [(vec![0], Counts::new(1, 1)), (vec![0, 0, 2], Counts::new(2, 1)), (vec![0, 2], Counts::new(2, 1))]
    );
    assert_eq!(people.total(), Counts::new(5, 3));
    for (index, (multiset, _)) in listed.iter().enumerate() {
        assert_eq!(people.find(multiset), Some(index));
        assert_eq!(people.multiset(index), multiset);
    }
    assert_eq!((people.find(&[]), people.find(&[0, 0]), people.find(&[3])), (None, None, None));
}

#[test]
fn classes_of_people_never_mix_row_counts() {
    let people =
        [(vec![0, 2], true), (vec![1, 3], false), (vec![0, 1], false), (vec![2], true), (vec![3], false)];
    let problem = rows(&people).with_people(People::of(people)).unwrap();
    let lattice = problem.lattice();
    let of = |level: u8| {
        let node = lattice.node(&[Level(level)]).unwrap();
        let classes = Classes::of(&problem, &Recoding::Node(node));
        let text = |class: EquivalenceClass| (class.texts(&problem).concat(), class.counts);
        classes.iter().map(text).collect::<Vec<_>>()
    };
    let class = |text: &str, public, private| (text.to_owned(), Counts::new(public, private));
    assert_eq!(
        of(0),
        [
            class("0 · 1", 1, 0),
            class("0 · 2", 1, 1),
            class("1 · 3", 1, 0),
            class("2", 1, 1),
            class("3", 1, 0)
        ]
    );
    assert_eq!(of(1), [class("a · a", 1, 0), class("a · b", 2, 1), class("b", 2, 1)]);
    assert_eq!(of(2), [class("*", 2, 1), class("* · *", 3, 1)]);
    let mut rollup = Rollup::new();
    let mut holds = |level| {
        let counts = rollup.counts(&problem, &[Level(level)]);
        counts.iter().all(|&class| problem.policy().allows(class))
    };
    assert_eq!([0, 1, 2].map(&mut holds), [false, true, true]);
}

#[test]
fn each_row_of_a_person_has_its_labels() {
    let people = [(vec![0, 2, 2], true), (vec![1], false), (vec![3], true)];
    let problem = rows(&people).with_people(People::of(people)).unwrap();
    let recoding = Recoding::Node(problem.lattice().node(&[Level(1)]).unwrap());
    let classes = Classes::of(&problem, &recoding);
    let texts: Vec<Vec<Vec<String>>> = classes.iter().map(|class| class.row_texts(&problem)).collect();
    let row = |text: &str| vec![text.to_owned()];
    assert_eq!(texts, [vec![row("a")], vec![row("a"), row("b"), row("b")], vec![row("b")]]);
    assert_eq!(classes.of_rows().len(), 2);
    assert_eq!(classes.of_rows().of_rows().len(), 2);
}

#[test]
fn another_t_includes_people_with_all_their_rows() {
    let people = [(vec![0, 2], true), (vec![0, 2], false), (vec![1], false), (vec![3], true)];
    let problem = rows(&people).with_people(People::of(people)).unwrap();
    let other = problem.with_members(&[2, 1, 0]).unwrap();
    assert_eq!((other.total(), other.histogram().total()), (Counts::new(4, 3), Counts::new(6, 5)));
    assert_eq!(other.people().unwrap().counts(), [Counts::new(2, 2), Counts::new(1, 1), Counts::new(1, 0)]);
    assert!(problem.with_members(&[3, 0, 0]).is_err());
    assert!(problem.with_members(&[0, 0, 0]).is_err());
}

#[test]
fn delta_is_enforced_per_person_not_per_row() {
    let people = [(vec![0, 1], true), (vec![2, 3], false), (vec![3], false)];
    let of_rows = rows(&people);
    let problem = of_rows.with_people(People::of(people)).unwrap();
    assert_eq!((problem.total(), problem.delta().max().to_string()), (Counts::new(3, 1), "1/2".to_owned()));
    assert!(problem.feasibility().holds());
    // Of the two people with one row each, both are in T, and `*` tells them from the person with two rows.
    let people = [(vec![0, 1], false), (vec![2], true), (vec![3], true)];
    let alone = rows(&people).with_people(People::of(people)).unwrap();
    let blocked = alone.with_delta(Delta::new(Presence::ZERO, "3/4".parse().unwrap()).unwrap()).feasibility();
    assert!(!blocked.holds());
    assert_eq!(blocked.blocked.unwrap().counts, Counts::new(2, 2));
    for others in [
        vec![],
        vec![(vec![0, 1], true), (vec![2, 3], false)],
        vec![(vec![0, 1], true), (vec![2, 3], true), (vec![3], false)],
        vec![(vec![0, 1], true), (vec![2, 3], false), (vec![4], false)],
        vec![(vec![0, 1], false), (vec![2, 3], false), (vec![3], false)],
    ] {
        assert!(of_rows.with_people(People::of(others.clone())).is_err(), "{others:?}");
    }
}
