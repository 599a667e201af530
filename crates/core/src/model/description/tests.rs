//! Descriptions of sets: tables of examples, and all sets of small trees.

use super::*;
use crate::model::{Counts, Delta, EmptyRegions, Histogram, Kind, Label, Presence, Problem, QuasiIdentifier};

fn hierarchy(rows: &[&str]) -> Hierarchy {
    let chain = |row: &&str| row.split(';').map(ToOwned::to_owned).collect();
    let chains: Vec<Vec<String>> = rows.iter().map(chain).collect();
    Hierarchy::new(Kind::Category, Level(0), &chains).unwrap()
}

/// Professions; nobody is a `page`.
fn professions() -> (Hierarchy, DescriptionTree) {
    let hierarchy = hierarchy(&[
        "nurse;health;skilled;*",
        "doctor;health;skilled;*",
        "vet;health;skilled;*",
        "clerk;office;skilled;*",
        "page;office;skilled;*",
        "smith, welder;craft;other;*",
        "cook;kitchen;other;*",
        "waiter;kitchen;other;*",
    ]);
    let page = hierarchy.code("page").unwrap();
    let tree = DescriptionTree::over(&hierarchy, Level(0), |code| code != page);
    (hierarchy, tree)
}

fn text(hierarchy: &Hierarchy, tree: &DescriptionTree, leaves: &[&str]) -> String {
    let codes = leaves.iter().map(|leaf| hierarchy.code(leaf).unwrap());
    tree.describe(hierarchy, &tree.set(codes)).text(hierarchy)
}

#[test]
fn a_set_is_written_with_the_fewest_terms() {
    let (hierarchy, tree) = professions();
    for (leaves, expected) in [
        (&["nurse"][..], "nurse"),
        // The only occurring value of `office`.
        (&["clerk"], "clerk"),
        (&["nurse", "doctor", "vet"], "health"),
        (&["nurse", "doctor", "vet", "clerk"], "skilled"),
        (&["cook", "waiter", "nurse"], "{nurse, kitchen}"),
        // As many terms: the shorter text, which here is the union.
        (&["nurse", "doctor"], "{nurse, doctor}"),
        (&["nurse", "doctor", "clerk"], "skilled except {vet}"),
        (&["nurse", "doctor", "vet", "cook", "waiter"], "{health, kitchen}"),
        (&["nurse", "doctor", "vet", "clerk", "cook", "waiter"], "{skilled, kitchen}"),
        (&["nurse", "doctor", "clerk", "smith, welder", "waiter"], "* except {vet, cook}"),
        (&["nurse", "smith, welder"], r#"{nurse, "smith, welder"}"#),
    ] {
        assert_eq!(text(&hierarchy, &tree, leaves), expected, "{leaves:?}");
    }
}

#[test]
fn label_before_exceptions_is_quoted_like_a_member() {
    let hierarchy = hierarchy(&["a;x, y;*", "b;x, y;*", "c;x, y;*", "d;x, y;*", "e;z;*"]);
    let tree = DescriptionTree::over(&hierarchy, Level(0), |_| true);
    assert_eq!(text(&hierarchy, &tree, &["a", "b", "d"]), r#""x, y" except {c}"#);
}

/// Some trees of up to nine leaves, of equal and unequal depths and branches.
fn trees() -> Vec<(Hierarchy, DescriptionTree)> {
    let shapes: [&[&str]; 4] = [
        &["a;*", "b;*", "c;*", "d;*", "e;*"],
        &["a;p;*", "b;p;*", "c;p;*", "d;q;*", "e;q;*", "f;q;*", "g;r;*", "h;s;*", "i;s;*"],
        &["a;p;x;*", "b;p;x;*", "c;q;x;*", "d;q;x;*", "e;r;y;*", "f;r;y;*", "g;r;y;*", "h;t;y;*"],
        &["a;p;x;*", "b;q;x;*", "c;r;y;*", "d;r;y;*", "e;s;z;*", "f;s;z;*", "g;s;z;*", "h;s;z;*", "i;u;z;*"],
    ];
    let some = |shape: &&[&str]| {
        let hierarchy = hierarchy(shape);
        [u32::MAX, 3, 0].map(|absent| {
            let tree = DescriptionTree::over(&hierarchy, Level(0), |code| code != absent);
            (hierarchy.clone(), tree)
        })
    };
    shapes.iter().flat_map(some).collect()
}

/// All sets of positions that are not empty.
fn sets(tree: &DescriptionTree) -> impl Iterator<Item = Intervals> + '_ {
    (1_u32..1 << tree.len()).map(|bits| {
        let positions = (0..tree.len()).filter(|position| bits >> position & 1 == 1);
        joined(positions.map(|position| (position, position + 1)))
    })
}

/// The number of terms of the shortest description, by trying every list of nodes.
fn fewest_terms(tree: &DescriptionTree, set: &Intervals) -> usize {
    let nodes: Vec<(u32, u32)> = tree.nodes().collect();
    let fewest_nodes = |set: &Intervals| -> usize {
        // Of the nodes inside a set, the fewest that cover it.
        let inside: Vec<(u32, u32)> =
            nodes.iter().copied().filter(|&node| minus(&[node], set).is_empty()).collect();
        let largest = inside.iter().filter(|node| {
            inside.iter().all(|other| other == *node || !minus(&[**node], &[*other]).is_empty())
        });
        largest.count()
    };
    let around = nodes.iter().filter(|&&node| minus(set, &[node]).is_empty());
    let except = around.map(|&node| 1 + fewest_nodes(&minus(&[node], set)));
    except.chain([fewest_nodes(set)]).min().unwrap()
}

// holds: Shortest description
#[test]
fn every_set_has_one_shortest_description() {
    for (hierarchy, tree) in trees() {
        let mut known = std::collections::BTreeMap::new();
        for set in sets(&tree) {
            let label = Label::from(tree.describe(&hierarchy, &set));
            let occurring: Vec<Code> =
                label.codes(&hierarchy).into_iter().filter(|&code| tree.position(code).is_some()).collect();
            assert_eq!(occurring, tree.codes(&set), "{label:?}");
            assert_eq!(label.terms(&hierarchy), fewest_terms(&tree, &set), "{label:?}");
            assert_eq!(label.codes(&hierarchy).len(), label.leaves(&hierarchy) as usize, "{label:?}");
            for terms in 1..6 {
                let is_short = label.terms(&hierarchy) <= terms;
                assert_eq!(tree.has_at_most(&set, terms), is_short, "{terms}: {label:?}");
            }
            let text = label.text(&hierarchy);
            assert_eq!(known.insert(text.clone(), set), None, "{text}");
        }
    }
}

// holds: Shortest description
#[test]
fn published_set_obeys_the_limit_of_terms() {
    for (hierarchy, tree) in trees() {
        for side in sets(&tree).step_by(3) {
            let terms = Label::from(tree.describe(&hierarchy, &side)).terms(&hierarchy);
            if terms > 4 {
                continue;
            }
            for values in sets(&tree).filter(|values| minus(values, &side).is_empty()) {
                let published = tree.published(&values, &side, terms);
                assert!(tree.has_at_most(&published, terms), "{published:?}");
                assert!(minus(&values, &published).is_empty(), "{values:?} {published:?}");
                assert!(minus(&published, &side).is_empty(), "{published:?} {side:?}");
            }
        }
    }
}

// holds: Shortest description
#[test]
fn ranges_end_at_borders_of_their_level() {
    let ages: Vec<Vec<String>> = (20..40)
        .map(|age: u32| {
            let five = age / 5 * 5;
            vec![age.to_string(), format!("{five}-{}", five + 4), "*".to_owned()]
        })
        .collect();
    let ages = Hierarchy::new(Kind::Number, Level(0), &ages).unwrap();
    let histogram =
        Histogram::new(vec![(0..20).filter(|code| code % 5 != 0).collect()], vec![Counts::new(2, 1); 16]);
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    let quasi = vec![QuasiIdentifier { name: "age".into(), hierarchy: ages }];
    let problem = Problem::new(quasi, histogram.unwrap(), delta, EmptyRegions::Allow).unwrap();
    let problem = problem.with_borders(&[Some(Level(1))]).unwrap();
    // 21 to 28, and 29 to 39: the cut is not at a border, as no search makes it.
    let region_of = (0..16).map(|combination| u32::from(combination > 6)).collect();
    let partition = crate::model::Partition::new(&problem, region_of, 2);
    let classes = crate::model::Classes::of(&problem, &crate::model::Recoding::Regions(partition));
    let texts: Vec<String> =
        classes.labels(0).labels().iter().map(|label| label.text(problem.hierarchy(0))).collect();
    assert_eq!(texts, ["[20, 29]", "[25, 39]"]);
    for wrong in [2, 9] {
        assert!(problem.with_borders(&[Some(Level(wrong))]).is_err());
    }
}
