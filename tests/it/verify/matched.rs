//! Which people match which row of a written release, faithful to T or not.

use std::ops::ControlFlow;

use palmtop::model::Role;
use palmtop::progress::unwatched;
use palmtop::verify::{Matched, VerifyError, match_release, verify, verify_and_match};

use super::{Workspace, csv, other, quasi};

const AGE: &str = "type = \"interval\"\nwidths = [10]\n";

/// P has the ages 10 to 14, one of them twice. T is two of these people.
fn workspace() -> Workspace {
    let public = csv("age", ["10", "11", "12", "13", "14", "14"]);
    let attributes =
        [other("id", Role::Identifier), quasi("age", "age.toml", AGE), other("illness", Role::Sensitive)];
    Workspace::new(&public, "id,age,illness\n1,10,flu\n2,14,gout\n", ("0", "1/2"), &attributes)
}

fn read(release: &str) -> Result<Matched, VerifyError> {
    let workspace = workspace();
    let path = workspace.write("release.csv", release);
    match_release(&workspace.spec, &path, &mut unwatched)
}

#[test]
fn a_release_of_another_t_is_recognised() {
    let read = read("age,illness\n\"[10, 11]\",flu\n\"[10, 11]\",flu\n14,gout\n").unwrap();
    assert!(!read.findings.is_faithful());
    let rows: Vec<(u64, &str, u64)> =
        read.rows.iter().map(|row| (row.line, row.texts[0].as_str(), row.rows)).collect();
    assert_eq!(rows, [(4, "14", 1), (2, "[10, 11]", 2)]);
    assert_eq!(read.rows[1].kept, [(vec!["flu".to_owned()], 2)]);
    let leaf = |index: u32| read.denoted[0].occurring[index as usize].as_str();
    let matched: Vec<(&str, u64, Option<usize>)> = read
        .combinations
        .iter()
        .map(|combination| (leaf(combination.leaves().next().unwrap()), combination.people, combination.row))
        .collect();
    let expected =
        [("10", 1, Some(1)), ("11", 1, Some(1)), ("12", 1, None), ("13", 1, None), ("14", 2, Some(0))];
    assert_eq!(matched, expected);
}

#[test]
fn a_joint_recount_equals_two_separate_ones() {
    let workspace = workspace();
    for (name, release, found) in [
        ("a.csv", "age,illness\n\"[10, 11]\",flu\n14,gout\n", (true, true)),
        ("b.csv", "age,illness\n\"[10, 11]\",gout\n14,gout\n", (false, true)),
        ("c.csv", "age,illness\n10,flu\nx,gout\n", (false, false)),
    ] {
        let path = workspace.write(name, release);
        let (findings, matched) = verify_and_match(&workspace.spec, &path).unwrap();
        assert_eq!(findings, verify(&workspace.spec, &path).unwrap());
        assert_eq!((findings.is_faithful(), matched.is_some()), found, "{name}");
        if let Some(matched) = matched {
            assert_eq!(matched, match_release(&workspace.spec, &path, &mut unwatched).unwrap());
        }
    }
}

#[test]
fn an_unreadable_release_names_line_and_column() {
    for (release, expected) in [
        ("", "the file is empty"),
        ("age\n10\n", "column `illness` of T is missing"),
        ("age,age,illness\n10,10,flu\n", "column `age` occurs twice"),
        ("id,age,illness\n1,10,flu\n", "column `id` is an identifier"),
        ("age,illness,mark\n10,flu,x\n", "line 1: column 3 does not belong in a release of T: `mark`"),
        ("age,illness\n10,flu\nx,gout\n", "line 3, column `age`: unreadable text"),
        ("age,illness\n10,flu\n10-19,gout\n", "for example lines 2 and 3"),
        ("age,illness\n10,flu\n11,gout,x\n", "line 3: 3 fields, expected 2"),
        ("age,illness\n10,flu\n11,go\"ut\n", "line 3: a stray quote"),
        ("age,illness\n10,flu\n11,go\rut\n", "line 3: a carriage return"),
    ] {
        let error = read(release).unwrap_err();
        assert!(matches!(error, VerifyError::Unread { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("release.csv cannot be read as a release: "), "{text}");
        assert!(text.contains(expected), "{release:?}: {text}");
    }
}

#[test]
fn a_stop_is_obeyed_at_every_check() {
    let workspace = workspace();
    let path = workspace.write("release.csv", "age,illness\n\"[10, 11]\",flu\n14,gout\n");
    for most in 0_u32.. {
        let mut asked = 0;
        let read = match_release(&workspace.spec, &path, &mut |_| {
            asked += 1;
            if asked > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match read {
            Err(VerifyError::Cancelled) => assert_eq!(asked, most + 1),
            read => {
                assert_eq!(read.unwrap().combinations.len(), 5);
                assert!(asked >= 3, "before the release is read, before it is matched and after that");
                return;
            }
        }
    }
}
