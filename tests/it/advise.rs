//! `palmtop advise` as a shell sees it: the numbers, the three output formats, messages, and exit
//! statuses.

use std::fs;
use std::path::Path;

use crate::support::{Done, palmtop, sample};
use serde_json::{Value, json};

/// Runs `palmtop advise`. Blanks separate the arguments.
fn advise(arguments: &str) -> Done {
    palmtop(&sample("paper"), std::iter::once("advise").chain(arguments.split_whitespace()))
}

#[test]
fn the_papers_advice_is_exact_and_rounded_safely() {
    let done = advise("0.04 --prior 0.07 --misuse 1/100 --misuse-down 2%");
    let expected = "\
|T|/|P|   1/25 = 0.040000
prior     7/100 = 0.070000
misuse    1/100 where belief rises, 1/50 where it falls
cost      1
δmin      3/155   0.01936  belief afterwards at least 0.05000
δmax      39/775  0.05032  belief afterwards at most 0.08000
to say    2 % to 5 %: two digits, rounded to the stricter side
next      in the project:

[delta]
min = \"2%\"
max = \"5%\"
";
    assert_eq!(done.expect(0, "").out, expected);
}

#[test]
fn json_has_every_key_and_csv_one_line() {
    let words = "4% --prior 7% --misuse 0.5 --misuse-down 1 --cost 50";
    let expected = json!({
        "share": "1/25",
        "prior": "7/100",
        "cost": "50",
        "misuse": "1/2",
        "misuse_down": "1",
        "relative_f1": null,
        "delta": { "min": "3/155", "max": "39/775" },
        "delta_decimal": { "min": "0.01936", "max": "0.05032" },
        "delta_said": { "min": "2%", "max": "5%" },
        "rounded": false,
        "feasible": true,
        "reason": null,
    });
    let json = advise(&format!("{words} --format json")).expect(0, "").json();
    assert_eq!(json, expected);
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, expected.as_object().unwrap().keys().collect::<Vec<_>>(), "in this order");
    let csv = "share,prior,cost,misuse,misuse_down,relative_f1,delta_min,delta_max,delta_decimal_min,delta_decimal_max,\
               delta_said_min,delta_said_max,rounded,feasible,reason\n\
               1/25,7/100,50,1/2,1,,3/155,39/775,0.01936,0.05032,2%,5%,false,true,\n";
    assert_eq!(advise(&format!("{words} --format csv")).expect(0, "").out, csv);
}

#[test]
fn advice_is_compared_with_the_projects_delta() {
    let next =
        |delta: &str| format!("palmtop anonymize @paper {delta} --strategy simulatable -o release.csv\n");
    advise("@paper --prior 0.6 --misuse 0.05 --misuse-down 0.05")
        .expect(0, "")
        .says("|T|/|P|   5/9 = 0.555556 (5 of 9 people)\n")
        .says("project   1/2 to 2/3: the advised δ is stricter\n")
        .says(&next("--delta-min 50% --delta-max 61%"));
    for (words, standing) in [
        ("--prior 5/9 --misuse 1/9 --misuse-down 1/18", "the same"),
        ("--prior 5/9 --misuse 0.2 --misuse-down 0.2", "looser"),
        ("--prior 5/9 --misuse 0.05", "stricter above and looser below"),
        ("--prior 5/9 --misuse 0.2 --misuse-down 0.05", "looser above and stricter below"),
    ] {
        advise(&format!("paper.toml {words}")).expect(0, "").says(&format!("the advised δ is {standing}\n"));
    }
}

#[test]
fn a_project_without_delta_gets_advice_too() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["public.csv", "private.csv", "nationality.toml"] {
        fs::copy(root.join("sample-data/paper").join(file), folder.path().join(file)).unwrap();
    }
    let hierarchies = root.join("hierarchies");
    let project = fs::read_to_string(root.join("sample-data/paper/paper.toml")).unwrap();
    let project = project.replace("../../hierarchies", hierarchies.to_str().unwrap());
    let path = folder.path().join("p.toml");
    fs::write(&path, project.replace("[delta]\nmin = \"1/2\"\nmax = \"2/3\"\n", "")).unwrap();
    let done = advise(&format!("{} --prior 0.6 --misuse 0.05", path.display()));
    done.expect(0, "").says("δmax      11/18  0.61111  belief afterwards at most 0.65000\n");
    assert!(!done.out.contains("\nproject "), "{}", done.out);
}

#[test]
fn advice_without_a_bound_says_so() {
    advise("0.04 --prior 0.07 --misuse 1")
        .expect(0, "")
        .says("misuse    1 where belief rises, any where it falls\n")
        .says("δmin      0  0.00000  belief afterwards at least 0.03125 (no bound: --misuse-down sets one)\n")
        .says("δmax      1  1.00000  belief afterwards at most 1.00000 (no bound is needed)\n");
    advise("0.04 --prior 0.07 --misuse 0 --misuse-down 1")
        .expect(0, "")
        .says("δmin      0     0.00000  belief afterwards at least 0.03125 (no bound is needed)\n")
        .says("δmax      1/25  0.04000  belief afterwards at most 0.07000\n");
}

#[test]
fn a_long_fraction_is_rounded_and_says_so() {
    let words = "1/3 --prior 1/2 --misuse 0.00000000000000000001";
    advise(words).expect(0, "").says("rounded   to 18 decimals, towards the stricter side");
    let json = advise(&format!("{words} --format json")).json();
    assert_eq!((&json["rounded"], &json["delta"]["max"]), (&true.into(), &"1/3".into()));
}

#[test]
fn a_prior_below_the_share_is_infeasible() {
    let expected = "a prior of 3/100 is infeasible: |T|/|P| = 1/25 is more";
    let words = "4% --prior 3% --misuse 1%";
    advise(words).expect(3, expected).says("δ         ✗ infeasible\n");
    let json = advise(&format!("{words} --format json")).expect(3, expected).json();
    assert_eq!((&json["feasible"], &json["delta"]["min"]), (&false.into(), &Value::Null));
    assert!(json["reason"].as_str().unwrap().starts_with(expected) && json["delta_decimal"]["max"].is_null());
    advise(&format!("{words} --format csv"))
        .expect(3, expected)
        .says("1/25,3/100,1,1/100,,,,,,,,,false,false,");
    advise("@paper --prior 1/2 --misuse 1%").expect(3, "|T|/|P| = 5/9 is more");
}

#[test]
fn relative_f1_is_advised_instead_of_belief() {
    // F = 1/25 + 1/5 · 24/25 = 29/125; δmax = F/(2 − F) = 29/221, which is 13.12 %.
    let done = advise("4% --relative-f1 20%");
    let expected = "\
|T|/|P|   1/25 = 0.040000
F1        at most 1/5, relative to guessing 1/25
δmin      0       0.00000  no bound
δmax      29/221  0.13122  at most 13.2 % of the people who are called members are members
to say    0 % to 13 %: two digits, rounded to the stricter side
next      in the project:

[delta]
min = \"0%\"
max = \"13%\"
";
    assert_eq!(done.expect(0, "").out, expected);
    let json = advise("4% --relative-f1 20% --format json").expect(0, "").json();
    let asked = ["prior", "cost", "misuse", "misuse_down"].map(|key| json[key].is_null());
    assert_eq!((asked, json["relative_f1"].as_str()), ([true; 4], Some("1/5")));
    let refused = advise("4% --relative-f1 3% --format json").expect(3, "already has 1/26").json();
    assert_eq!(refused["feasible"], false);
}

#[test]
fn wrong_usage_is_told_with_the_remedy() {
    for (words, expected) in [
        ("--prior 7% --misuse 1%", "<PROJECT|SHARE>"),
        ("4% --misuse 1%", "--prior <D>"),
        ("4% --prior 7%", "--misuse <M>"),
        ("1.5 --prior 7% --misuse 1%", "invalid presence `1.5`: expected a fraction"),
        ("4% --prior 0 --misuse 1%", "give a prior of at least |T|/|P| = 1/25"),
        ("4% --prior 1 --misuse 1%", "give a prior below 1"),
        ("0 --prior 7% --misuse 1%", "with nobody in T"),
        ("4% --prior 7% --misuse 1% --cost 0", "give a cost above 0"),
        ("4% --prior 7% --misuse 1% --cost -1", "invalid number `-1`: expected a fraction"),
        ("4%", "--prior <D>"),
        ("4% --relative-f1 20% --prior 7%", "cannot be used with '--prior <D>'"),
        ("4% --relative-f1 20% --misuse 1%", "cannot be used with '--misuse <M>'"),
        ("4% --relative-f1 20% --misuse-down 1%", "cannot be used with '--misuse-down <M>'"),
        ("4% --relative-f1 20% --cost 2", "cannot be used with '--cost <C>'"),
        ("4% --relative-f1 1.2", "invalid presence `1.2`"),
        ("0 --relative-f1 20%", "with nobody in T"),
        ("4% --prior 7% --misuse 1e-2", "invalid number `1e-2`: expected a fraction"),
    ] {
        assert_eq!(advise(words).expect(2, expected).out, "", "{words}");
    }
    advise("nowhere.toml --prior 7% --misuse 1%").expect(1, "cannot read project nowhere.toml");
}
