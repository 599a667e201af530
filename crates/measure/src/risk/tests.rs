use super::*;

fn values(members: &[u64]) -> ValueCounts {
    ValueCounts::of((0..).zip(members.iter().copied()))
}

fn class(label: &str, public: u64, members: &[u64]) -> RiskClass {
    let counts = Counts::new(public, members.iter().sum());
    RiskClass { labels: vec![label.to_owned()], counts, values: vec![values(members)] }
}

/// Four classes by hand, with a diagnosis of three ordered values.
fn classes() -> RiskClasses {
    let released = vec![
        class("young", 40, &[2, 2, 0]),
        class("old", 11, &[1, 1, 2]),
        class("alone", 5, &[0, 0, 1]),
        class("known", 1, &[1, 0, 0]),
    ];
    let column = SensitiveColumn {
        name: "diagnosis".to_owned(),
        values: ["1", "2", "3"].map(str::to_owned).to_vec(),
        is_ordered: true,
        tree: None,
        all: values(&[4, 3, 3]),
    };
    RiskClasses { all: 6, released, sensitive: vec![column] }
}

#[test]
fn risk_of_four_classes_equals_hand_count() {
    let risk = Risk::of(&classes(), &"3".parse().unwrap());
    assert_eq!((risk.classes, risk.released_classes, risk.members), (6, 4, 10));
    assert_eq!((risk.k, risk.k_map, risk.unique_members, risk.unique_people), (1, 1, 2, 1));
    // Ten members are in classes of 4, 4, 1 and 1: four classes over ten members.
    assert_eq!(risk.mean_risk, "2/5".parse().unwrap());
    // (4/40 + 4/11 + 1/5 + 1)/10.
    assert_eq!(risk.mean_map_risk, "183/1100".parse().unwrap());
    // Classes of 4, 4, 1 and 1 members; of 40, 11, 5 and 1 people.
    let above = |limit: &str, count| classes().members_above(limit.parse().unwrap(), count);
    assert_eq!([above("1/11", |counts| counts.private), above("1/4", |counts| counts.private)], [10, 2]);
    assert_eq!([above("1/11", |counts| counts.public), above("1/20", |counts| counts.public)], [2, 6]);
    let [diagnosis] = &risk.sensitive[..] else { panic!("{:?}", risk.sensitive) };
    assert_eq!((diagnosis.distinct, diagnosis.recursive), (1, 1));
    assert!((diagnosis.entropy - 1.0).abs() < 1e-12);
    // The most frequent value has 2 of 4, 2 of 4, 1 of 1 and 1 of 1.
    let guesses = (diagnosis.largest_guess.to_string(), diagnosis.mean_guess.to_string());
    assert_eq!((diagnosis.one_value, guesses), (2, ("1".to_owned(), "3/5".to_owned())));
    // All members have the third value, against 4, 3 and 3 of ten. A share of .7 has to move. If
    // the values are ordered, .4 moves two steps and .3 one step, out of two.
    assert_eq!(diagnosis.equal.to_string(), "7/10");
    assert_eq!(diagnosis.ordered.as_ref().map(ToString::to_string).as_deref(), Some("11/20"));
}

#[test]
fn occupied_class_is_in_one_bucket_per_kind() {
    let risk = Risk::of(&classes(), &"3".parse().unwrap());
    let Buckets { members, people, distinct, presence } = &risk.buckets;
    for buckets in [members, people, distinct, presence] {
        let sum = |of: fn(&Bucket) -> u64| buckets.iter().map(of).sum::<u64>();
        assert_eq!((sum(|bucket| bucket.classes), sum(|bucket| bucket.members)), (4, 10));
    }
    let filled = |buckets: &[Bucket]| -> Vec<String> {
        let filled = buckets.iter().filter(|bucket| bucket.classes > 0);
        let text = |Bucket { from, to, classes, members }: &Bucket| {
            format!("{from}..{}: {classes}, {members}", to.as_deref().unwrap_or(""))
        };
        filled.map(text).collect()
    };
    assert_eq!(filled(members), ["1..1: 2, 2", "3..4: 2, 8"]);
    assert_eq!(filled(people), ["1..1: 1, 1", "5..9: 1, 1", "10..19: 1, 4", "20..49: 1, 4"]);
    assert_eq!(filled(distinct), ["1..1: 2, 2", "2..2: 1, 4", "3..4: 1, 4"]);
    assert_eq!(
        filled(presence),
        ["1/20..1/10: 1, 4", "1/10..1/5: 1, 1", "33/100..1/2: 1, 4", "99/100..1: 1, 1"]
    );
}

#[test]
fn worst_classes_have_fewest_members_then_fewest_people() {
    let classes = classes();
    let worst: Vec<&str> = classes.worst(3).into_iter().map(|class| class.labels[0].as_str()).collect();
    assert_eq!(worst, ["known", "alone", "old"]);
}

#[test]
fn a_release_without_members_risks_nothing() {
    let empty = RiskClasses { released: Vec::new(), ..classes() };
    let risk = Risk::of(&empty, &"3".parse().unwrap());
    assert_eq!((risk.k, risk.k_map, risk.members, risk.released_classes), (0, 0, 0, 0));
    assert!(risk.mean_risk.is_zero() && risk.sensitive[0].equal.is_zero());
}
