//! The three disclosures of the signer's report, by hand.

use std::fs;
use std::path::Path;

use crate::support::{edit, palmtop};
use palmtop::report::{AttemptKind, DisclosuresSection, Figure, Report, Share};
use tempfile::TempDir;

/// Four towns, of which D and C match no row of the release:
///
/// ```text
/// town   P   T  diagnoses  presence
/// A      4   2  x x        1/2
/// B      6   3  x y y      1/2
/// D      4   1  y          withdrawn, because k = 2
/// C      8   0             with D: 12 people, 1 member, 1/12
/// ```
///
/// T has a member of E, too, whom P lacks: T counts 6 members, and π = 6/22.
fn written() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let public =
        [("A", 4), ("B", 6), ("C", 8), ("D", 4)].map(|(town, people)| format!("{town}\n").repeat(people));
    write("p.csv", &format!("town\n{}", public.concat()));
    write("t.csv", "town,diagnosis\nA,x\nA,x\nB,x\nB,y\nB,y\nD,y\nE,y\n");
    write("town.csv", "A;*\nB;*\nC;*\nD;*\nE;*\n");
    write(
        "x.toml",
        "[private]\npath = \"t.csv\"\nnot_in_public = \"drop\"\n[public]\npath = \"p.csv\"\n\
         [delta]\nmax = \"3/5\"\n[policy]\nk = 2\nsuppress_at_most = \"20%\"\n\
         [[attribute]]\nname = \"town\"\nrole = \"quasi\"\nhierarchy = \"town.csv\"\n\
         [[attribute]]\nname = \"diagnosis\"\nrole = \"sensitive\"\n",
    );
    palmtop(folder.path(), ["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]).expect(0, "");
    folder
}

fn disclosures(folder: &Path) -> DisclosuresSection {
    palmtop(folder, ["report", "x.toml", "r.csv", "-o", "r.json", "--force"]).expect(0, "");
    let report: Report = serde_json::from_str(&fs::read_to_string(folder.join("r.json")).unwrap()).unwrap();
    report.disclosures.unwrap()
}

fn exact(share: &Share) -> &str {
    &share.exact
}

#[test]
fn membership_counts_withdrawn_but_no_excluded_members() {
    let folder = written();
    let found = disclosures(folder.path()).membership;
    assert!(found.within);
    let shares = [&found.prior, &found.threshold, &found.highest, &found.mean].map(exact);
    // (2 · 1/2 + 3 · 1/2 + 1 · 1/12)/6 = 31/72 = .43055…
    assert_eq!(shares, ["3/11", "3/5", "1/2", "0.43056"]);
    assert_eq!((found.lift.as_deref(), found.lift_decimal.as_deref()), (Some("11/6"), Some("1.84")));
    assert_eq!([&found.guessing.as_many, &found.guessing.everyone].map(exact), ["3/11", "3/7"]);
    // A and B: 5 of 10. With the pool, F1 would be 12/28.
    let attack = found.attack.unwrap();
    assert_eq!((attack.classes, attack.people, attack.members), (2, 10, 5));
    let relative =
        [&attack.f1_relative, &attack.f1_relative_everyone].map(|share| exact(share.as_ref().unwrap()));
    // 2 · 5/(6 + 10); (5/8 − 3/11)/(8/11); (5/8 − 3/7)/(4/7).
    assert_eq!([&attack.precision, &attack.recall, &attack.f1].map(exact), ["1/2", "5/6", "5/8"]);
    assert_eq!(relative, ["31/64", "11/32"]);
    assert_eq!(attack.f1.percent, "62.5 %");
    // From 3/5 alone: 6/8; (3/4 − 3/11)/(8/11); (3/4 − 3/7)/(4/7).
    let bound = found.bound.unwrap();
    let relative =
        [&bound.f1_relative, &bound.f1_relative_everyone].map(|share| exact(share.as_ref().unwrap()));
    assert_eq!([&bound.precision, &bound.f1].map(exact), ["3/5", "3/4"]);
    assert_eq!((relative, bound.knows_algorithm), (["21/32", "9/16"], false));
}

#[test]
fn bound_holds_for_insiders_of_simulatable_only() {
    let folder = written();
    edit(&folder.path().join("x.toml"), "k = 2\nsuppress_at_most = \"20%\"\n", "");
    let simulatable = ["anonymize", "x.toml", "--strategy", "simulatable", "-o", "r.csv", "--force"];
    palmtop(folder.path(), simulatable).expect(0, "");
    assert!(disclosures(folder.path()).membership.bound.unwrap().knows_algorithm);
    // A file that breaks δ has no bound.
    let strict = ["report", "x.toml", "r.csv", "-o", "r.json", "--force", "--delta-max", "1/4"];
    palmtop(folder.path(), strict).expect(3, "");
    let report = fs::read_to_string(folder.path().join("r.json")).unwrap();
    let membership = serde_json::from_str::<Report>(&report).unwrap().disclosures.unwrap().membership;
    assert!(!membership.within && membership.bound.is_none() && membership.attack.is_some());
}

#[test]
fn identity_and_attribute_equal_the_hand_count() {
    let folder = written();
    let found = disclosures(folder.path());
    let identity = &found.identity;
    assert_eq!((identity.k, identity.k_map, identity.released_classes), (2, 4, 2));
    assert_eq!((identity.unique_members, identity.unique_people, identity.counts), (0, 0, Figure::Largest));
    let [prosecutor, journalist, marketer] = &identity.attackers[..] else { panic!("{identity:?}") };
    let largest = [prosecutor, journalist].map(|risk| exact(risk.largest.as_ref().unwrap()));
    assert_eq!((largest, marketer.largest.is_none()), (["1/2", "1/4"], true));
    // 2 classes over 5 members; (2/4 + 3/6)/5.
    assert_eq!([prosecutor, journalist, marketer].map(|risk| exact(&risk.mean)), ["2/5", "0.20000", "2/5"]);
    for (threshold, name) in prosecutor.thresholds.iter().zip(["0.09", "0.075", "0.05"]) {
        assert_eq!((threshold.threshold.as_str(), threshold.kept, threshold.members), (name, false, Some(5)));
        assert_eq!(threshold.share.as_ref().map(exact), Some("1"));
    }
    let [diagnosis] = &found.attribute.attributes[..] else { panic!("{found:?}") };
    assert_eq!((diagnosis.distinct, diagnosis.one_value), (1, 2));
    let guesses = [&diagnosis.one_value_share, &diagnosis.largest_guess, &diagnosis.mean_guess].map(exact);
    assert_eq!(guesses, ["2/5", "1", "4/5"]);
}

#[test]
fn attempts_are_weighed_and_the_largest_leads() {
    let folder = written();
    let project = folder.path().join("x.toml");
    let overall = || {
        let found = disclosures(folder.path());
        let each = found.attempts.iter();
        let each: Vec<_> =
            each.map(|each| (each.kind, each.risk.exact.clone(), each.overall.exact.clone())).collect();
        (found.identity.counts, each)
    };
    let text = |kind, risk: &str, overall: &str| (kind, risk.to_owned(), overall.to_owned());
    // Nothing is stated: the worst is assumed.
    assert_eq!(overall(), (Figure::Largest, vec![text(AttemptKind::NotStated, "1/2", "1/2")]));
    let attempt = "attempt = { deliberate = \"40%\", inadvertent = 0.2, breach = \"1/4\" }\n";
    edit(&project, "[delta]", &format!("[report]\ncontext = \"agreement\"\n{attempt}[delta]"));
    let weighed = vec![
        text(AttemptKind::Deliberate, "2/5", "4/25"),
        text(AttemptKind::Breach, "2/5", "1/10"),
        text(AttemptKind::Inadvertent, "2/5", "2/25"),
    ];
    assert_eq!(overall(), (Figure::Mean, weighed));
    edit(&project, "\"agreement\"", "\"public\"");
    assert_eq!(overall(), (Figure::Largest, vec![text(AttemptKind::Public, "1/2", "1/2")]));
    edit(&project, "\"public\"", "\"two universities\"");
    assert_eq!(overall().1[0], text(AttemptKind::Deliberate, "1/2", "1/5"));
}
