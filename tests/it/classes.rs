//! `palmtop classes` with a filter and an order, as a shell sees it.

use std::path::Path;

use crate::support::{Done, palmtop};

/// Lists the classes of the paper's people as CSV, before any recoding or at a node.
fn classes(arguments: &[&str]) -> (i32, String, String) {
    let list = ["classes", "@paper", "--format", "csv"];
    let Done { status, out, err } = palmtop(Path::new("."), list.iter().chain(arguments));
    (status, out, err)
}

/// The ages of the listed people.
fn ages(arguments: &[&str]) -> Vec<String> {
    let (status, out, err) = classes(arguments);
    assert_eq!(status, 3, "{err}");
    out.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn a_filtered_listing_says_how_many_classes() {
    let (status, out, err) = classes(&["--filter", "zip:4790 !private<1"]);
    let expected = "zip,age,nationality,private,public,presence,verdict\n\
                    47903,59,Canada,1,1,1,over\n\
                    47906,42,USA,1,1,1,over\n";
    assert_eq!((status, out.as_str(), err.as_str()), (3, expected, "palmtop: 2 of 9 classes are listed\n"));
    let (_, _, err) = classes(&[]);
    assert_eq!(err, "");
}

#[test]
fn the_exit_status_judges_unlisted_classes_too() {
    assert_eq!(classes(&["--node", "1,2,3", "--filter", "ok"]).0, 3);
    let (status, out, err) = classes(&["--node", "3,2,2", "--filter", "broken"]);
    assert_eq!((status, out.lines().count(), err.as_str()), (0, 1, "palmtop: 0 of 2 classes are listed\n"));
}

#[test]
fn classes_follow_the_requested_order() {
    assert_eq!(ages(&["--sort", "age"]), ["18", "22", "33", "35", "42", "47", "52", "59", "63"]);
    assert_eq!(ages(&["--sort", "-AGE", "--filter", "over"]), ["63", "59", "52", "47", "42"]);
    assert_eq!(ages(&["--sort", "-presence"])[..4], ["18", "22", "35", "33"]);
}

#[test]
fn an_unknown_filter_or_order_is_wrong_usage() {
    for (arguments, expected) in [
        (["--filter", "place:47"], "palmtop: --filter: there is no `place` here; expected one of presence,"),
        (["--filter", "presence>1.5"], "palmtop: --filter: invalid presence `1.5`: expected a fraction"),
        (
            ["--sort", "size"],
            "palmtop: --sort: there is no `size` here; expected one of worst, presence, private, public, zip, age, \
             nationality\n",
        ),
    ] {
        let (status, out, err) = classes(&arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.starts_with(expected), "{err}");
    }
}
