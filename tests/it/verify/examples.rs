//! The worked examples of the literature. The releases are written by hand and verified.

use palmtop::model::{Level, Role};

use super::{Workspace, achieved, csv, delta, other, quasi};

const ZIP: &str = "type = \"mask\"\nlength = 5\n";
const AGE_40: &str = "type = \"interval\"\n[[level]]\ncuts = [41]\nlabels = [\"<=40\", \">40\"]\n";
const NATIONALITY: &str = r#"type = "tree"
[[level]]
"N. America" = ["USA", "Canada"]
"S. America" = ["Peru", "Brazil"]
Europe = ["Spain", "Bulgaria", "France"]
[[level]]
America = ["N. America", "S. America"]
Europe = ["Europe"]
"#;

/// Table 1 of the paper.
fn paper() -> Workspace {
    let public = csv(
        "person,zip,age,nationality",
        [
            "a,47906,35,USA",
            "b,47903,59,Canada",
            "c,47906,42,USA",
            "d,47630,18,Brazil",
            "e,47630,22,Brazil",
            "f,47633,63,Peru",
            "g,48973,33,Spain",
            "h,48972,47,Bulgaria",
            "i,48970,52,France",
        ],
    );
    let private =
        csv("person,zip,age,nationality", public.lines().filter(|line| "bcfhi".contains(&line[..1])));
    Workspace::new(
        &public,
        &private,
        ("1/2", "2/3"),
        &[
            other("person", Role::Identifier),
            quasi("zip", "zip.toml", ZIP),
            quasi("age", "age.toml", AGE_40),
            quasi("nationality", "nationality.toml", NATIONALITY),
        ],
    )
}

#[test]
fn the_papers_node_3_2_2_keeps_delta() {
    let america = ["47***,*,America"; 3];
    let findings =
        paper().verify(&csv("zip,age,nationality", america.into_iter().chain(["48***,*,Europe"; 2])));
    assert_eq!(achieved(&findings), "1/2..2/3");
    assert!(findings.is_present());
    assert_eq!((findings.rows, findings.classes), (5, 2));
    assert_eq!((findings.public, findings.private, findings.unmatched), (9, 5, 0));
}

#[test]
fn the_papers_5_anonymous_table_gives_everybody_away() {
    let findings = paper().verify(&csv("zip,age,nationality", ["4****,>40,*"; 5]));
    assert_eq!(achieved(&findings), "0..1");
    assert!(!findings.is_present());
    assert_eq!(findings.unmatched, 4);
}

#[test]
fn the_papers_2_anonymous_table_breaks_delta() {
    let rows = ["4790*,*,*", "4790*,*,*", "4763*,*,*", "4897*,*,*", "4897*,*,*"];
    let findings = paper().verify(&csv("zip,age,nationality", rows));
    assert_eq!(achieved(&findings), "1/3..2/3");
    assert!(!findings.is_present());
}

#[test]
fn ranges_and_sets_of_the_paper_are_read() {
    let rows = [
        "47***,\"[42, 63]\",America",
        "47***,\"[42, 63]\",America",
        "47***,\"[42, 63]\",America",
        "48***,*,\"{Bulgaria, France}\"",
        "48***,*,\"{Bulgaria, France}\"",
    ];
    let findings = paper().verify(&csv("zip,age,nationality", rows));
    assert_eq!(achieved(&findings), "0..1");
    assert_eq!(findings.unmatched, 4);
}

#[test]
fn googles_example_by_hand() {
    let people = (12..=89).map(|age| format!("85942,{age}")).chain(vec!["85942,72".to_owned()]);
    let people = people.chain(vec!["85942,11".to_owned()]).chain(vec!["62083,53".to_owned(); 5]);
    let private = "zip,age\n85942,72\n85942,72\n62083,53\n";
    let age = "type = \"interval\"\nwidths = [5, 10]\n";
    let workspace = Workspace::new(
        &csv("zip,age", people),
        private,
        ("0", "1/5"),
        &[quasi("zip", "zip.toml", ZIP), quasi("age", "age.toml", age)],
    );
    let raw = workspace.verify("zip,age\n62083,53\n85942,72\n85942,72\n");
    assert_eq!(achieved(&raw), "0..1");
    assert!(!raw.is_present());
    let hidden = workspace.verify("zip,age\n62083,53\n85942,*\n85942,*\n");
    assert_eq!(achieved(&hidden), "1/40..1/5");
    assert!(hidden.is_present());
}

#[test]
fn desfontaines_trial_is_raised_to_the_censuss_bands() {
    let public =
        "zip,age,people\n85535,10-19,5\n85535,20-29,5\n85535,30-39,10\n85535,40-49,10\n85535,50+,20\n";
    let private = "zip,age,outcome\n85535,10,good\n85535,12,bad\n85535,13,good\n85535,13,bad\n85535,16,good\n85535,43,bad\n";
    let age = "type = \"interval\"\n\
        [[level]]\ncuts = [20, 30, 40, 50]\nlabels = [\"10-19\", \"20-29\", \"30-39\", \"40-49\", \"50+\"]\n\
        [[level]]\ncuts = [40, 50]\nlabels = [\"10-39\", \"40-49\", \"50+\"]\n";
    let attributes =
        [quasi("zip", "zip.toml", ZIP), quasi("age", "age.toml", age), other("outcome", Role::Sensitive)];
    let mut workspace = Workspace::new(public, private, ("0", "1/4"), &attributes);
    workspace.spec.count = Some(super::people());
    workspace.spec.attributes[1].hierarchy.as_mut().unwrap().public_level = Level(1);
    let with = |young: &str| {
        let rows = ["good", "bad", "good", "bad", "good"].map(|outcome| format!("85535,{young},{outcome}"));
        csv("zip,age,outcome", rows.into_iter().chain(["85535,40-49,bad".to_owned()]))
    };
    let by_decade = workspace.verify(&with("10-19"));
    assert_eq!(achieved(&by_decade), "0..1");
    assert!(!by_decade.is_present());
    let merged = workspace.verify(&with("10-39"));
    assert_eq!(achieved(&merged), "0..1/4");
    assert!(merged.is_present());
    assert_eq!((merged.public, merged.unmatched), (50, 20));
    let range = workspace.verify(&with("\"[10-19, 30-39]\""));
    assert_eq!(achieved(&range), "0..1/4");
    workspace.spec.delta = delta("1/100", "1/4");
    assert!(!workspace.verify(&with("10-39")).is_present(), "twenty people match nothing: presence 0");
    // A value below the level of P would reveal more than P does.
    let finer = workspace.problems(&csv("zip,age,outcome", ["85535,10,good"]));
    assert!(finer.contains("line 2, column `age`: unreadable text: finer than level 1"), "{finer}");
}
