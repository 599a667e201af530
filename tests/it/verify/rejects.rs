//! Releases that are not faithful, each with the expected finding.

use std::fs;

use palmtop::model::{Level, Presence, Role};
use palmtop::verify::FindingKind::{
    AboveOne, BlankLine, ByteOrderMark, CarriageReturn, ColumnOrder, Count, Empty, ExtraColumn, Fields,
    Identifier, Kept, MissingColumn, NoLineEnd, Nobody, NotInPublic, NotUtf8, Overlap, RepeatedColumn,
    StrayQuote, Unpublished, Unsorted,
};
use palmtop::verify::{ATTACKER, Finding, FindingKind, Limits, verify};

use super::{Workspace, achieved, csv, other, quasi, texts};

const AGE: &str = "type = \"interval\"\nwidths = [10]\n";
const TOWN: &str = "north a;north;*\nnorth b;north;*\n\"south, c\";south;*\nsouth d;south;*\n";

/// Twenty people: ages 10 to 19 in two towns. T is four of them.
fn workspace() -> Workspace {
    let public = (10..20).flat_map(|age| [format!("{age},north a"), format!("{age},\"south, c\"")]);
    let private = "id,age,town,illness\n1,11,north a,flu\n2,13,north a,cold\n3,12,\"south, c\",flu\n4,18,\"south, c\",gout\n";
    let attributes = [
        other("id", Role::Identifier),
        quasi("age", "age.toml", AGE),
        quasi("town", "town.csv", TOWN),
        other("illness", Role::Sensitive),
    ];
    Workspace::new(&csv("age,town", public), private, ("0", "1/4"), &attributes)
}

const GOOD: &str = "age,town,illness\n\
    10-19,\"south, c\",flu\n\
    10-19,\"south, c\",gout\n\
    10-19,north,cold\n\
    10-19,north,flu\n";

/// Verifies the good release after a replacement.
#[track_caller]
fn refused(replace: &str, with: &str, expected: &[Expected]) {
    assert!(GOOD.contains(replace), "{replace}");
    refused_release(&GOOD.replacen(replace, with, 1), expected);
}

#[track_caller]
fn refused_release(release: &str, expected: &[Expected]) {
    let findings = workspace().verify(release);
    assert!(!findings.is_faithful());
    are(&findings.problems, expected);
}

/// A kind of finding, its text with line and numbers, and its values. `…` stands for other words.
type Expected = (FindingKind, &'static str, &'static str);

/// Checks that these are the findings, in this order. Their sentences are on the page of the crate's messages.
#[track_caller]
fn are(problems: &[Finding], expected: &[Expected]) {
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for (problem, (kind, text, values)) in problems.iter().zip(expected) {
        assert_eq!(problem.kind, *kind, "{problem}");
        let (told, mut parts) = (problem.to_string(), text.split('…').map(str::trim));
        assert!(parts.next().is_some_and(|first| told.starts_with(first)), "expected {text}\n{told}");
        assert!(parts.all(|part| told.contains(part)), "expected {text}\n{told}");
        assert_eq!(problem.details().as_deref().unwrap_or_default(), *values, "{problem}");
    }
}

#[test]
fn the_release_that_the_others_spoil_is_good() {
    let findings = workspace().verify(GOOD);
    assert_eq!(achieved(&findings), "1/5..1/5");
    assert!(findings.is_present());
    assert!(ATTACKER.contains("knows the public table's columns exactly"));
}

// holds: Smallest box
#[test]
fn a_box_around_members_alone_breaks_delta() {
    let public = csv("age", (10..=20).map(|age| age.to_string()));
    let workspace = Workspace::new(&public, "age\n12\n13\n", ("0", "1/5"), &[quasi("age", "age.toml", AGE)]);
    let shrunk = workspace.verify("age\n\"[12, 13]\"\n\"[12, 13]\"\n");
    assert_eq!(achieved(&shrunk), "0..1");
    assert!(!shrunk.is_present());
    assert_eq!(shrunk.unmatched, 9);
    let findings = workspace.verify("age\n\"[10, 20]\"\n\"[10, 20]\"\n");
    assert_eq!(achieved(&findings), "2/11..2/11");
    assert!(findings.is_present());
}

#[test]
fn overlapping_rows() {
    refused_release(
        &csv(
            "age,town,illness",
            [
                "\"[10, 12]\",*,flu",
                "\"[10, 12]\",*,flu",
                "\"[12, 19]\",north,cold",
                "\"[12, 19]\",south,gout",
            ],
        ),
        &[
            (
                Overlap,
                "2 individuals in P match more",
                "age `12` · town `north a` matches both `[10, 12]` · `*` (line 2) and `[12, 19]` · `north` (line 4)",
            ),
            (Count, "line 5: … occur once, but 2 members", "`[12, 19]` · `south`"),
        ],
    );
}

// holds: Label after box
#[test]
fn the_ancestor_of_an_uneven_region_overlaps() {
    // Regions [10, 13] and [14, 19]. The first is relabelled with its ancestor.
    let workspace = workspace();
    let findings = workspace.verify(&csv(
        "age,town,illness",
        ["10-19,*,flu", "10-19,*,cold", "10-19,*,flu", "\"[14, 19]\",*,gout"],
    ));
    let overlap = findings.problems.iter().find(|problem| problem.kind == FindingKind::Overlap);
    assert_eq!(overlap.unwrap().people, 12, "{:?}", findings.problems);
}

#[test]
fn a_label_changed() {
    refused(
        "north,cold",
        "north a,cold",
        &[
            (
                Overlap,
                "10 individuals in P match more",
                "age `10` · town `north a` matches both `10-19` · `north` (line 5) and `10-19` · `north a` (line 4)",
            ),
            (Count, "line 4: … occur once, but 2 members", "`10-19` · `north a`"),
            (Count, "line 5: … occur once, but 2 members", "`10-19` · `north`"),
        ],
    );
}

#[test]
fn a_row_changed_added_or_dropped() {
    refused(
        "north,cold",
        "north,chill",
        &[
            (Kept, "line 4: … occur once … expected 0 times ", "`10-19` · `north` with `chill`"),
            (Kept, "line 4: … occur 0 times … expected once ", "`10-19` · `north` with `cold`"),
        ],
    );
    refused(
        "10-19,north,cold\n",
        "10-19,north,cold\n10-19,north,cold\n",
        &[(Count, "line 4: … occur 3 times, but 2 members", "`10-19` · `north`")],
    );
    refused("10-19,north,cold\n", "", &[(Count, "line 4: … occur once, but 2 members", "`10-19` · `north`")]);
    refused(
        "10-19,north,cold\n10-19,north,flu\n",
        "",
        &[(Unpublished, "2 members of T match no row", "such as age `11` · town `north a`")],
    );
}

#[test]
fn sensitive_values_swapped_between_classes() {
    refused_release(
        &csv(
            "age,town,illness",
            ["10-19,\"south, c\",cold", "10-19,\"south, c\",flu", "10-19,north,flu", "10-19,north,gout"],
        ),
        &[
            (Kept, "line 2: … occur once … expected 0 times ", "`10-19` · `south, c` with `cold`"),
            (Kept, "line 2: … occur 0 times … expected once ", "`10-19` · `south, c` with `gout`"),
            (Kept, "line 4: … occur 0 times … expected once ", "`10-19` · `north` with `cold`"),
            (Kept, "line 4: … occur once … expected 0 times ", "`10-19` · `north` with `gout`"),
        ],
    );
}

#[test]
fn a_row_without_people_or_members_is_refused() {
    refused(
        "10-19,north,cold\n",
        "10-19,north b,cold\n10-19,north,cold\n",
        &[
            (Nobody, "line 4: ", "`10-19` · `north b`"),
            (Count, "line 4: … occur once, but 0 members", "`10-19` · `north b`"),
        ],
    );
}

#[test]
fn columns_that_do_not_belong_or_are_missing() {
    let with = |column: &str, value: &str| {
        let mut lines = GOOD.lines();
        let header = format!("{column},{}\n", lines.next().unwrap());
        lines.fold(header, |text, line| format!("{text}{value},{line}\n"))
    };
    refused_release(&with("id", "1"), &[(Identifier, "column `id` is", "")]);
    refused_release(&with("people", "1"), &[(ExtraColumn, "line 1: column 1 ", "`people`")]);
    refused_release(&with("age", "*"), &[(RepeatedColumn, "column `age` occurs twice", "")]);
    refused_release("age,town\n10-19,*\n", &[(MissingColumn, "column `illness` ", "")]);
    refused_release(
        "town,age,illness\n*,*,cold\n*,*,flu\n*,*,flu\n*,*,gout\n",
        &[(ColumnOrder, "the columns are `town` · `age` · `illness`; … `age` · `town` · `illness`", "")],
    );
    let blind = workspace().verify("age,town\n10-19,*\n");
    assert_eq!((blind.achieved_min, blind.achieved_max), (Presence::ZERO, Presence::ONE));
    assert!(!blind.is_present(), "what cannot be read is never taken for safe");
}

#[test]
fn the_files_form() {
    refused("north,cold\n10-19,north,flu", "north,flu\n10-19,north,cold", &[(Unsorted, "line 5: ", "")]);
    refused("gout\n", "gout\r\n", &[(CarriageReturn, "line 3: ", "")]);
    refused("10-19,north,cold\n", "\n10-19,north,cold\n", &[(BlankLine, "line 4: ", "")]);
    refused("north,flu\n", "north,flu", &[(NoLineEnd, "line 5: ", "")]);
    refused("age,", "\u{feff}age,", &[(ByteOrderMark, "line 1: ", "")]);
    refused("north,cold", "\"nor\"th,cold", &[(StrayQuote, "line 4: ", "")]);
}

#[test]
fn separators_fields_and_encodings() {
    refused(
        "10-19,north,cold\n",
        "10-19,north,cold,\n",
        &[
            (Fields, "line 4: 4 fields, expected 3", ""),
            (Count, "line 5: … occur once, but 2 members", "`10-19` · `north`"),
        ],
    );
    let workspace = workspace();
    assert!(workspace.problems(&GOOD.replace(',', ";")).contains("column `age` of T is missing"));
    are(&workspace.verify("").problems, &[(Empty, "", "")]);
    let path = workspace.path("latin.csv");
    fs::write(&path, b"age,town,illness\n10-19,*,gr\xfcn\n").unwrap();
    let findings = verify(&workspace.spec, &path).unwrap();
    are(&findings.problems[..1], &[(NotUtf8, "line 2: ", "")]);
    assert!(!findings.is_present());
    assert!(verify(&workspace.spec, &workspace.path("absent.csv")).is_err());
}

#[test]
fn texts_that_denote_nothing() {
    for (column, text, why) in [
        ("age", "10-14", "expected a label of its hierarchy"),
        ("age", "\"[10, 20]\"", "expected `[low, high]` with two values"),
        ("age", "\"[19, 10]\"", "the ends of its range are reversed"),
        ("age", "\"{10, 19}\"", "only categories have sets"),
        ("age", " 10-19", "expected a label of its hierarchy"),
        ("town", "\"[north a, south d]\"", "only numbers and dates have ranges"),
        ("town", "\"{north a, north c}\"", "of its set is not a label"),
        ("town", "\"{south, north a}\"", "has the values of its set"),
        ("town", "north a except {north b}", "has the values of its set"),
        ("town", "north a except {north a}", "a set of values that occur in P"),
        ("town", "north except north a", "expected a label of its hierarchy"),
        ("town", "\"{north a, south, c}\"", "of its set is not a label"),
    ] {
        let row = if column == "age" { format!("{text},north,flu\n") } else { format!("10-19,{text},flu\n") };
        let findings = workspace().verify(&format!("age,town,illness\n{row}"));
        let problem = findings.problems[0].to_string();
        assert!(problem.starts_with(&format!("line 2, column `{column}`: unreadable text: ")), "{problem}");
        assert!(problem.contains(why), "{problem}");
        assert!(!findings.is_present());
    }
}

#[test]
fn many_like_problems_are_counted_not_listed() {
    let findings =
        workspace().verify(&csv("age,town,illness", (0..25).map(|number| format!("x{number:02},*,flu"))));
    let more = findings.problems.iter().find(|problem| problem.unlisted > 0).unwrap();
    assert!(more.to_string().starts_with("15 more like this: line 2, column `age`: "), "{more}");
    assert_eq!(more.details().unwrap(), "`x00`");
}

#[test]
fn members_missing_from_p_are_reported() {
    let workspace = workspace();
    let more = fs::read_to_string(workspace.path("private.csv")).unwrap()
        + "5,11,north a,flu\n6,11,north a,flu\n7,99,north a,flu\n";
    workspace.write("private.csv", &more);
    let release =
        csv("age,town,illness", ["11,*,flu", "11,*,flu", "11,*,flu", "12,*,flu", "13,*,cold", "18,*,gout"]);
    let findings = workspace.verify(&release);
    are(
        &findings.problems,
        &[
            (NotInPublic, "3 members of T ", "such as age `11` · town `north a`"),
            (Unpublished, "1 member of T ", "such as age `99` · town `north a`"),
            (AboveOne, "line 2: 3 members … but only 2 ", "`11` · `*`"),
        ],
    );
    assert_eq!(findings.achieved_max, Presence::ONE);
}

// holds: Limits hold
#[test]
fn going_beyond_column_limits_breaks_the_policy() {
    let limits = |finest: Option<u8>, coarsest: Option<u8>, labels| Limits {
        finest: finest.map(Level),
        coarsest: coarsest.map(Level),
        labels,
        ..Limits::default()
    };
    let town = 2;
    let south = ("\"south, c\"", "\"south, c\"");
    for (attribute, limits, (replace, with), expected) in [
        (town, limits(Some(1), None, false), ("\"south, c\"", "south"), None),
        (town, limits(None, Some(1), false), south, None),
        (town, limits(Some(1), Some(1), false), ("\"south, c\"", "south"), None),
        (1, limits(Some(1), Some(1), true), south, None),
        // P has no person of south d; `south, c` is finer than `south` nevertheless.
        (town, limits(Some(1), None, false), south, Some("finer than level 1")),
        (town, limits(None, Some(0), false), south, Some("coarser than level 0")),
        (1, limits(None, None, true), ("10-19", "\"[10, 19]\""), Some("expected a label")),
        (1, limits(None, Some(0), false), south, Some("coarser than level 0")),
        (1, limits(Some(1), None, false), ("10-19", "\"[10, 19]\""), None),
        (1, limits(Some(1), None, false), ("10-19", "\"[10, 18]\""), Some("finer than level 1")),
    ] {
        let mut workspace = workspace();
        workspace.spec.attributes[attribute].limits = limits;
        let lines = GOOD.replace(replace, with);
        let (header, rows) = lines.split_once('\n').unwrap();
        let mut rows: Vec<&str> = rows.lines().collect();
        rows.sort_unstable();
        let findings = workspace.verify(&format!("{header}\n{}\n", rows.join("\n")));
        let found = findings.problems.iter().find(|problem| problem.kind == FindingKind::BeyondLimits);
        assert_eq!(found.is_some(), expected.is_some(), "{limits:?} {with}: {:?}", texts(&findings.problems));
        assert_eq!(findings.beyond_limits > 0, expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            assert!(found.to_string().contains(expected), "{found}");
            assert!(!findings.is_present() && !found.is_unfaithful());
        }
    }
    let mut workspace = workspace();
    workspace.spec.attributes[town].limits = limits(None, Some(3), false);
    let file = workspace.folder.path().join("release.csv");
    fs::write(&file, GOOD).unwrap();
    let error = verify(&workspace.spec, &file).unwrap_err().to_string();
    assert!(error.contains("`levels` are 0 to 3, but") && error.contains("levels 0 to 2"), "{error}");
}

/// Twelve people of six towns and six ages. T is one person of each town.
fn towns() -> Workspace {
    const TOWN: &str = "n1;north;*\nn2;north;*\nn3;north;*\ns1;south;*\ns2;south;*\ns3;south;*\n";
    let towns = ["n1", "n2", "n3", "s1", "s2", "s3"];
    let rows = (20..).step_by(3).zip(towns).map(|(age, town)| format!("{age},{town}"));
    let private: Vec<String> = rows.collect();
    let public = csv("age,town", private.iter().chain(&private));
    let attributes = [quasi("age", "age.toml", AGE), quasi("town", "town.csv", TOWN)];
    Workspace::new(&public, &csv("age,town", private), ("0", "1/2"), &attributes)
}

#[test]
fn every_set_of_towns_has_one_text() {
    let with = |first: &str, second: &str| {
        let rows = [first, second].map(|text| format!("*,{text}"));
        csv("age,town", rows.iter().flat_map(|row| [row; 3]))
    };
    for (first, second, expected) in [
        ("\"{n1, s1, s2}\"", "\"* except {n1, s1, s2}\"", Some("a set of 3 labels")),
        ("\"{n1, s1, s2}\"", "\"{n2, n3, s3}\"", None),
        ("\"{n1, s2, s1}\"", "\"{n2, n3, s3}\"", Some("in the order of the hierarchy")),
        ("\"{n1, n2, n3}\"", "south", Some("expected the finest such label")),
        ("north", "south", None),
    ] {
        let findings = towns().verify(&with(first, second));
        assert_eq!(findings.is_faithful(), expected.is_none(), "{first}: {:?}", texts(&findings.problems));
        let Some(expected) = expected else { continue };
        let problem = &findings.problems[0];
        assert_eq!(problem.kind, FindingKind::Unreadable);
        assert!(problem.to_string().contains(expected), "{problem}");
        assert!(!problem.to_string().contains("n1") && problem.details().unwrap().contains('{'), "{problem}");
    }
    let exception = csv(
        "age,town",
        ["*,n2", "*,* except {n2}"].iter().zip([1, 5]).flat_map(|(row, count)| vec![row; count]),
    );
    assert!(towns().verify(&exception).is_present());
}

#[test]
fn too_many_terms_or_finer_labels_break_policy() {
    const TOWN: usize = 1;
    const AGES: usize = 0;
    let terms = |most| Limits { terms: Some(most), ..Limits::default() };
    let borders = |level| Limits { borders: Some(Level(level)), ..Limits::default() };
    let by_town = ["*,\"{n1, s1, s2}\"", "*,\"{n2, n3, s3}\""].map(|row| [row; 3]).concat();
    let (by_age, ages) = (["20-29,*"; 4], ["30-39,*"; 2]);
    let by_age = [by_age.as_slice(), &ages].concat();
    let mixed = [["20-29,*"; 4].as_slice(), &["32,*", "35,*"]].concat();
    let values = ["20,n1", "23,n2", "26,n3", "29,s1", "32,s2", "35,s3"].to_vec();
    for (attribute, limits, rows, expected) in [
        (TOWN, terms(3), &by_town, None),
        (TOWN, terms(2), &by_town, Some("a set of 3 labels, values and exceptions; expected at most 2")),
        (TOWN, terms(1), &by_town, Some("expected a label, because of `shape`, `levels` or `terms`")),
        (TOWN, terms(1), &by_age, None),
        (AGES, borders(1), &by_age, None),
        (AGES, borders(1), &mixed, Some("finer than level 1, the `borders` of the project")),
        (AGES, borders(0), &mixed, None),
        (AGES, borders(1), &values, None),
    ] {
        let mut workspace = towns();
        workspace.spec.attributes[attribute].limits = limits;
        let findings = workspace.verify(&csv("age,town", rows));
        let found = texts(&findings.problems).join("\n");
        assert!(findings.is_faithful(), "{found}");
        assert_eq!(findings.is_present(), expected.is_none(), "{limits:?} {found}");
        assert!(expected.is_none_or(|expected| found.contains(expected)), "{found}");
    }
    let mut workspace = towns();
    workspace.spec.attributes[TOWN].limits = borders(1);
    let error = workspace.try_verify("age\n").unwrap_err().to_string();
    assert!(error.contains("remove `borders`"), "{error}");
}
