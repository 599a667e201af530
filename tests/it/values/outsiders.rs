//! Members of T who are missing in P: an error, removed, or added to P.

use super::{Written, quasi};

const FILES: [(&str, &str); 3] = [
    ("t.csv", "age\n30\n30\n41\n"),
    ("p.csv", "age\n30\n35\n35\n"),
    ("age.toml", "type = \"interval\"\nwidths = [10]\n"),
];

fn project(rule: &str) -> Written {
    let head = format!(
        "[private]\npath = \"t.csv\"\nnot_in_public = \"{rule}\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1\"\n"
    );
    Written::with_head(&head, &FILES, &quasi("age", "age.toml", ""))
}

#[test]
fn people_outside_p_are_refused_dropped_or_added() {
    assert!(project("refuse").refusal().starts_with("2 people of t.csv are not in p.csv"));
    assert!(project("drop").load().is_err(), "of each combination T has more than P: nobody is left");
    let analysis = project("add").load().unwrap();
    let total = analysis.problem().histogram().total();
    assert_eq!((total.public, total.private), (5, 3));
    assert_eq!((analysis.notes().added(), analysis.notes().dropped()), (2, 0));
    assert_eq!(
        analysis.notes().outsiders.as_ref().unwrap().to_string(),
        "2 members of T not in P, added to P as the project says: rows with such a combination 1, 2, 3; all results \
         hold against an attacker who knows P with these people added; `age` alone explains 2: check whether the tables \
         spell or code it differently"
    );
    // P has no person with 41, but 41 is a leaf.
    assert_eq!(analysis.problem().hierarchy(0).leaf_count(), 3);
}
