//! Withdrawn members: recounts the pool of everybody who matches no row.

use palmtop::model::{Role, Suppression};

use super::{Workspace, achieved, csv, other, quasi};

const AGES: &str = "30;*\n40;*\n50;*\n";

/// A project with the number of people and of members of each age.
fn people(ages: [(&str, usize, usize); 3], delta: (&str, &str)) -> Workspace {
    let rows = |count: fn(&(&str, usize, usize)) -> usize| {
        let all = ages.iter().flat_map(|age| vec![age.0; count(age)]);
        csv("age", all)
    };
    Workspace::new(&rows(|age| age.1), &rows(|age| age.2), delta, &[quasi("age", "age.csv", AGES)])
}

/// Members: 2 of 4 people of age 30, 3 of 6 of age 40, 0 of 4 of age 50.
fn usual(delta: (&str, &str)) -> Workspace {
    people([("30", 4, 2), ("40", 6, 3), ("50", 4, 0)], delta)
}

/// A release of the members of age 40 alone.
fn forties() -> String {
    csv("age", ["40"; 3])
}

#[test]
fn unmatched_people_and_withdrawn_members_are_one_class() {
    let findings = usual(("0", "1/2")).with_suppression("40%").verify(&forties());
    assert_eq!(achieved(&findings), "1/4..1/2");
    assert!(findings.is_present());
    assert_eq!((findings.withdrawn, findings.withdrawn_at_most, findings.unmatched), (2, 2, 8));
    assert_eq!((findings.rows, findings.private), (3, 5));
    // If every member is published, there is no pool.
    let everybody = csv("age", ["30", "30", "40", "40", "40"]);
    let findings = usual(("0", "1/2")).with_suppression("40%").verify(&everybody);
    assert_eq!((achieved(&findings).as_str(), findings.withdrawn), ("0..1/2", 0));
}

// holds: The pool is a class
#[test]
fn a_pool_that_breaks_delta_is_refused() {
    // The pool has 4 people, and 3 of them are members.
    let above = people([("30", 4, 3), ("40", 6, 3), ("50", 0, 0)], ("0", "1/2"));
    let findings = above.with_suppression("50%").verify(&forties());
    assert_eq!(achieved(&findings), "1/2..3/4");
    assert!(!findings.keeps_delta() && !findings.is_present());
    // The pool has 8 people and 2 members, which is below 1/3.
    let findings = usual(("1/3", "1/2")).with_suppression("40%").verify(&forties());
    assert_eq!(achieved(&findings), "1/4..1/2");
    assert!(!findings.keeps_delta());
    assert!(usual(("1/4", "1/2")).with_suppression("40%").verify(&forties()).is_present());
}

// holds: The pool is a class
#[test]
fn more_members_than_may_be_are_not_withdrawn() {
    let missing = "2 members of T match no row";
    assert_eq!(usual(("0", "1/2")).problems(&forties()), format!("{missing} | such as age `30`"));
    for (share, most) in [("39.9%", 1), ("1/5", 1)] {
        let findings = usual(("0", "1/2")).with_suppression(share).verify(&forties());
        assert!(!findings.is_faithful(), "{share}");
        let found = super::texts(&findings.problems).join("\n");
        let expected = format!("allows at most {most} | such as age `30`");
        assert!(found.starts_with(missing) && found.ends_with(&expected), "{found}");
    }
    // A share of less than one member allows no withdrawal.
    let problems = usual(("0", "1/2")).with_suppression("19%").problems(&forties());
    assert!(problems.starts_with(missing) && !problems.contains("withdrawn"), "{problems}");
}

#[test]
fn a_class_is_withdrawn_whole() {
    let problems = usual(("0", "1/2")).with_suppression("60%").problems(&csv("age", ["40"; 2]));
    assert!(problems.contains("line 2: its quasi-identifiers occur 2 times, but 3 "), "{problems}");
}

#[test]
fn a_pool_with_members_is_no_empty_class() {
    let forbidding = |share: &str| {
        let mut workspace = usual(("0", "1/2")).with_suppression(share);
        workspace.spec.forbids_empty = true;
        workspace
    };
    assert!(forbidding("40%").verify(&forties()).is_present());
    let everybody = csv("age", ["30", "30", "40", "40", "40"]);
    let findings = forbidding("40%").verify(&everybody);
    assert!(findings.is_faithful() && !findings.is_present());
}

#[test]
fn other_criteria_apply_to_released_rows_only() {
    assert!(usual(("0", "1/2")).with_k("3").with_suppression("40%").verify(&forties()).is_present());
    assert!(!usual(("0", "1/2")).with_k("4").with_suppression("40%").verify(&forties()).is_present());
}

/// The diagnoses of the members of age 30 are a, a, and those of age 40 are a, b, b. A release of
/// age 40 alone has a distance of 4/15 from all of T, and none from the rows that it has.
// holds: The pool is a class
#[test]
fn class_values_are_compared_with_all_of_t() {
    let public = csv("age", ["30", "30", "30", "30", "40", "40", "40", "40", "40", "40"]);
    let private = csv("age,diagnosis", ["30,a", "30,a", "40,a", "40,b", "40,b"]);
    let released = csv("age,diagnosis", ["40,a", "40,b", "40,b"]);
    let attributes = [quasi("age", "age.csv", AGES), other("diagnosis", Role::Sensitive)];
    let verify = |key: &str, text: &str| {
        let workspace = Workspace::new(&public, &private, ("0", "1/2"), &attributes);
        let mut workspace = workspace.with_suppression("40%");
        workspace.spec.policy = vec![(key.to_owned(), text.to_owned())];
        workspace.verify(&released)
    };
    for (key, text, achieved, holds) in [
        ("t", "{ at_most = \"4/15\" }", "equal 4/15", true),
        ("t", "{ at_most = \"0.266\" }", "equal 4/15", false),
        ("l", "{ distinct = 2 }", "distinct 2", true),
        ("l", "{ distinct = 3 }", "distinct 2", false),
    ] {
        let findings = verify(key, text);
        assert_eq!((findings.withdrawn, findings.is_present()), (2, holds), "{key} = {text}");
        let outcome = findings.criteria.iter().find(|outcome| outcome.criterion == key).unwrap();
        let shown = outcome.achieved.as_deref().unwrap_or_default();
        assert!(shown.contains(achieved), "{key} = {text}: {shown}");
    }
}

#[test]
fn a_member_missing_from_p_is_not_withdrawn() {
    let workspace = people([("30", 1, 2), ("40", 6, 3), ("50", 4, 0)], ("0", "1"));
    assert!(!workspace.with_suppression("40%").verify(&forties()).is_faithful());
}

// holds: The pool is a class
#[test]
fn the_verifier_reads_shares_as_the_engine_does() {
    for share in
        ["0", "0%", "19%", "20%", "0.2", ".2", "1/5", "39.999%", "2 / 5", "0.799999999999999999", "99%"]
    {
        let findings = usual(("0", "1/2")).with_suppression(share).verify(&forties());
        let engine: Suppression = share.parse().unwrap();
        assert_eq!(findings.withdrawn_at_most, engine.most(5), "{share}");
    }
}

#[test]
fn what_is_no_share_is_refused() {
    for share in ["100%", "1", "two", "-1%"] {
        assert!(share.parse::<Suppression>().is_err());
        let refused = usual(("0", "1/2")).with_suppression(share).refusal();
        let expected = format!("[policy]: `suppress_at_most = {share}` is not allowed");
        assert!(refused.starts_with(&expected), "{refused}");
    }
}

#[test]
fn kept_values_are_compared_in_what_is_released() {
    let public = csv("age", ["30", "30", "40", "40"]);
    let private = csv("age,note", ["30,a", "40,b"]);
    let attributes = [quasi("age", "age.csv", AGES), other("note", Role::Sensitive)];
    let workspace = || Workspace::new(&public, &private, ("0", "1/2"), &attributes).with_suppression("50%");
    assert!(workspace().verify(&csv("age,note", ["40,b"])).is_present());
    assert!(!workspace().verify(&csv("age,note", ["40,a"])).is_faithful());
}
