//! The utility of a release, compared with its written rows and with its file.
#![expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use crate::support::sample;
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, UtilityBasis};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::search::{Config, Strategy};
use palmtop::utility::{Utility, Workload};

fn load(project: &str) -> (Analysis, UtilityBasis) {
    let analysis = Analysis::load(&sample(project), &Overrides::default()).unwrap();
    let basis = pipeline::utility::basis(&analysis, 0, 300).unwrap();
    (analysis, basis)
}

fn searched(analysis: &Analysis, strategy: &str) -> Release {
    let config = Config { rounds: Some(3), ..Config::default() };
    let strategy: Strategy = strategy.parse().unwrap();
    analysis.search(analysis.problem(), strategy, &config, &mut unwatched).release.unwrap()
}

/// Compares two measurements up to the last digits, because the verifier's reader numbers labels in
/// another order.
#[track_caller]
fn assert_alike(left: &Utility, right: &Utility, what: &str) {
    let near = |left: f64, right: f64| assert!((left - right).abs() < 1e-9, "{what}: {left}, {right}");
    assert_eq!((left.members, left.rows), (right.members, right.rows), "{what}");
    for (one, other) in left.attributes.iter().zip(&right.attributes) {
        assert_eq!(
            (&one.name, one.values, one.groups.len()),
            (&other.name, other.values, other.groups.len())
        );
        near(one.distance, other.distance);
        near(one.ordered.unwrap_or(-1.0), other.ordered.unwrap_or(-1.0));
        for (one, other) in one.groups.iter().zip(&other.groups) {
            near(one.published, other.published);
        }
    }
    for (one, other) in left.pairs.iter().zip(&right.pairs) {
        let (one, other) = (one.association.unwrap(), other.association.unwrap());
        assert!((one.published - other.published).abs() < 1e-6, "{what}");
        near(one.original, other.original);
    }
    near(left.queries.all.median, right.queries.all.median);
    near(left.queries.all.ninetieth, right.queries.all.ninetieth);
    for (one, other) in left.queries.by_value.iter().zip(&right.queries.by_value) {
        near(one.errors.mean, other.errors.mean);
    }
    for (one, other) in left.worst.iter().zip(&right.worst) {
        assert_eq!((&one.labels, one.rows), (&other.labels, other.rows), "{what}");
        near(one.loss, other.loss);
    }
}

/// Labels, ranges and sets, with and without a sensitive attribute.
// holds: Utility spreads evenly
#[test]
fn a_file_and_its_release_are_equally_useful() {
    let folder = tempfile::tempdir().unwrap();
    for (project, strategies) in [
        ("clinic/clinic.toml", ["spalm", "p3", "best", "n2"]),
        ("paper/paper.toml", ["spalm", "b1", "best", "n2"]),
    ] {
        let (analysis, basis) = load(project);
        for strategy in strategies {
            let release = searched(&analysis, strategy);
            let path = folder.path().join("release.csv");
            let options = ExportOptions { force: true, ..ExportOptions::default() };
            pipeline::export::write(&analysis, &release, &path, options).unwrap();
            let read = pipeline::reading::read(&analysis, &path).unwrap();
            let of_file = pipeline::utility::of_file(&analysis, &basis, &read, 5).unwrap();
            let of_release = pipeline::utility::of_release(&analysis, &basis, &release, 5);
            assert_alike(&of_release, &of_file, &format!("{project} {strategy}"));
            assert!(
                of_release.distance() > 0.0 && of_release.queries.all.median > 0.0,
                "{project} {strategy}"
            );
            assert!(
                (basis.workload().median(&pipeline::utility::published(&analysis, &basis, &release))
                    - of_release.queries.all.median)
                    .abs()
                    < 1e-12
            );
        }
    }
}

/// The shares of a sensitive attribute, and T's share of each group of sexes, match the rows of the
/// file.
#[test]
fn ungeneralized_shares_match_the_written_rows() {
    let (analysis, basis) = load("clinic/clinic.toml");
    let release = searched(&analysis, "spalm");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("release.csv");
    pipeline::export::write(&analysis, &release, &path, ExportOptions::default()).unwrap();
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    let position = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (sex, diagnosis) = (position("sex"), position("diagnosis"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let utility = pipeline::utility::of_release(&analysis, &basis, &release, 5);
    for (name, column) in [("sex", sex), ("diagnosis", diagnosis)] {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for row in &rows {
            *shares.entry(&row[column]).or_default() += 1.0 / rows.len() as f64;
        }
        assert!(shares.len() > 1, "{name} is not generalized");
        let attribute = utility.attributes.iter().find(|attribute| attribute.name == name).unwrap();
        for group in &attribute.groups {
            let share = shares.get(group.label.as_str()).copied().unwrap_or_default();
            assert!((group.published - share).abs() < 1e-9, "{name} {}", group.label);
            assert!((group.original - share).abs() < 1e-9, "{name} {}", group.label);
        }
        assert!(attribute.distance < 1e-12, "{name}");
    }
}

#[test]
fn the_top_answers_queries_worse_than_t() {
    let (analysis, basis) = load("clinic/clinic.toml");
    let problem = analysis.problem();
    let of = |node| pipeline::utility::of_release(&analysis, &basis, &analysis.by_hand(problem, node), 5);
    let (finest, top) = (of(problem.lattice().bottom()), of(problem.lattice().top()));
    assert_eq!((finest.queries.all.median, finest.queries.all.mean, finest.distance()), (0.0, 0.0, 0.0));
    assert!(top.queries.all.median > 0.2 && top.distance() > 0.2, "{:?}", top.queries.all);
    assert!(top.pairs.iter().all(|pair| pair.association.unwrap().published < 1e-6));
    // At the top, everybody is in one class, and the loss is maximal.
    assert_eq!(
        (top.worst.len(), top.worst[0].rows, top.worst[0].loss, top.worst[0].share),
        (1, 800, 1.0, 1.0)
    );
}

/// Measures the time to evaluate a release of the paper's data, if the data is present.
#[test]
fn a_release_of_adult_is_measured_quickly() {
    let data =
        std::env::var_os("PALMTOP_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let project = data.join("adult-45222/random.toml");
    if !project.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}; set PALMTOP_DATA", project.display());
        return;
    }
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let release = searched(&analysis, "n2");
    let started = Instant::now();
    let basis = pipeline::utility::basis(&analysis, 0, Workload::QUERIES).unwrap();
    let drawn = started.elapsed();
    let utility = pipeline::utility::of_release(&analysis, &basis, &release, 5);
    let (took, classes) = (started.elapsed(), release.released_classes());
    let _ = writeln!(std::io::stderr(), "{classes} classes: workload {drawn:?}, with the release {took:?}");
    // The time of a search to evaluate one recoding, with the maximum number of classes.
    let finest = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom());
    for release in [&release, &finest] {
        let started = Instant::now();
        let median = basis.workload().median(&pipeline::utility::published(&analysis, &basis, release));
        let (asked, classes) = (started.elapsed(), release.released_classes());
        let _ = writeln!(std::io::stderr(), "{classes} classes: median {median:.4} in {asked:?}");
    }
    assert_eq!((utility.members, utility.queries.queries), (1957, Workload::QUERIES));
    // The limit allows for a debug build on a busy machine.
    assert!(took.as_secs() < 10, "{took:?}");
}
