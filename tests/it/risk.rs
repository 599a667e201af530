//! The risk of a release, compared with a separate recount of its written file.
#![expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::sample;
use palmtop::model::Fraction;
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::risk::Risk;
use palmtop::search::{Config, Strategy};

fn searched(analysis: &Analysis, strategy: &str) -> Release {
    let config = Config { rounds: Some(3), ..Config::default() };
    let strategy: Strategy = strategy.parse().unwrap();
    analysis.search(analysis.problem(), strategy, &config, &mut unwatched).release.unwrap()
}

fn three() -> Fraction {
    "3".parse().unwrap()
}

/// A written release: for each text of the quasi-identifiers, the sensitive values of its rows.
fn rows(path: &Path, quasi: &[&str], sensitive: &str) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let position = |name: &str| header.iter().position(|column| column == name).unwrap();
    let mut classes: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for record in reader.records() {
        let record = record.unwrap();
        let texts = quasi.iter().map(|name| record[position(name)].to_owned()).collect();
        classes.entry(texts).or_default().push(record[position(sensitive)].to_owned());
    }
    classes
}

fn shares(values: &[String]) -> BTreeMap<String, f64> {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for value in values {
        *shares.entry(value.clone()).or_default() += 1.0 / values.len() as f64;
    }
    shares
}

/// The class sizes, diversity and closeness of the clinic's releases match the written rows.
#[test]
fn measured_risk_matches_the_written_rows() {
    let analysis = Analysis::load(&sample("clinic/clinic.toml"), &Overrides::default()).unwrap();
    let quasi: Vec<&str> = analysis.problem().quasi().iter().map(|quasi| quasi.name.as_str()).collect();
    let folder = tempfile::tempdir().unwrap();
    for strategy in ["spalm", "n2", "best", "simulatable"] {
        let release = searched(&analysis, strategy);
        let risk = Risk::of(&pipeline::risk::classes(&analysis, &release).unwrap(), &three());
        let path = folder.path().join(format!("{strategy}.csv"));
        pipeline::export::write(&analysis, &release, &path, ExportOptions::default()).unwrap();
        let classes = rows(&path, &quasi, "diagnosis");
        let everybody: Vec<String> = classes.values().flatten().cloned().collect();
        assert_eq!(risk.released_classes, classes.len() as u64, "{strategy}");
        assert_eq!(risk.members, everybody.len() as u64, "{strategy}");
        assert_eq!(risk.k, classes.values().map(Vec::len).min().unwrap() as u64, "{strategy}");
        let alone = classes.values().filter(|class| class.len() == 1).count();
        assert_eq!(risk.unique_members, alone as u64, "{strategy}");
        let least = |measure: &dyn Fn(&[String]) -> f64| {
            classes.values().map(|class| measure(class)).fold(f64::INFINITY, f64::min)
        };
        let attribute = &risk.sensitive[0];
        assert_eq!(attribute.name, "diagnosis");
        let distinct = classes.values().map(|class| shares(class).len()).min().unwrap();
        assert_eq!(attribute.distinct, distinct as u64, "{strategy}");
        let effective =
            |class: &[String]| shares(class).values().map(|share| -share * share.ln()).sum::<f64>().exp();
        assert!((attribute.entropy - least(&effective)).abs() < 1e-9, "{strategy}");
        let all = shares(&everybody);
        let far = |class: &[String]| {
            let class = shares(class);
            let of = |value: &String| class.get(value).copied().unwrap_or_default();
            all.iter().map(|(value, share)| (of(value) - share).abs()).sum::<f64>() / 2.0
        };
        let farthest = classes.values().map(|class| far(class)).fold(0.0, f64::max);
        assert!((attribute.equal.to_f64() - farthest).abs() < 1e-9, "{strategy}");
        assert_eq!(attribute.ordered, None, "diagnoses stand in no row");
    }
}

/// A release and its file have the same figures, from any strategy. In the file, all people who
/// match no row form one class.
#[test]
fn a_written_file_risks_what_the_release_did() {
    let folder = tempfile::tempdir().unwrap();
    for (project, strategies) in
        [("clinic/clinic.toml", ["spalm", "p3"]), ("paper/paper.toml", ["spalm", "b1"])]
    {
        let analysis = Analysis::load(&sample(project), &Overrides::default()).unwrap();
        for strategy in strategies {
            let release = searched(&analysis, strategy);
            let path = folder.path().join("release.csv");
            pipeline::export::write(
                &analysis,
                &release,
                &path,
                ExportOptions { force: true, ..ExportOptions::default() },
            )
            .unwrap();
            let written = pipeline::risk::classes_of_file(
                &analysis,
                &pipeline::reading::read(&analysis, &path).unwrap(),
            )
            .unwrap();
            let of_release = Risk::of(&pipeline::risk::classes(&analysis, &release).unwrap(), &three());
            let read = Risk::of(&written, &three());
            assert_eq!(Risk { classes: of_release.classes, ..read }, of_release, "{project} {strategy}");
        }
    }
}
