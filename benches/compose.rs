//! Compositions of two and three releases: what they reveal together, the time to find it, and the
//! error of estimates if exact counts exist. Also the cost of a release that takes an earlier one
//! into account.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "people, for a mean")]

#[path = "common/tables.rs"]
#[expect(dead_code, reason = "the tables are named here and loaded under each δ")]
mod tables;

use std::path::{Path, PathBuf};
use std::time::Instant;

use palmtop::compose::{Composition, Limits, Method};
use palmtop::data::write::RealDisk;
use palmtop::metrics::Metric;
use palmtop::pipeline::{self, Analysis, Export, ExportOptions, Overrides, ReadRelease, Together};
use palmtop::progress::unwatched;
use palmtop::search::{Config, Strategy};

/// The strategies whose releases are composed.
const TOGETHER: [&[&str]; 5] =
    [&["n2", "n3"], &["n2", "best"], &["simulatable", "n2"], &["simulatable", "best"], &["n2", "n3", "best"]];
/// Pairs of strategies: the second search takes the release of the first into account.
const PAIRS: [(&str, &str); 4] = [("n2", "n1"), ("n2", "best"), ("spalm", "best"), ("spalm", "simulatable")];
const DELTA_MAX: [&str; 2] = ["0.05", "0.1"];

fn strategy(name: &str) -> Strategy {
    name.parse().expect("a strategy")
}

fn config() -> Config {
    Config { rounds: Some(20), ..Config::default() }
}

/// Writes a strategy's release into a folder and reads it.
fn released(analysis: &Analysis, folder: &Path, name: &str) -> Option<ReadRelease> {
    let found = analysis.search(analysis.problem(), strategy(name), &config(), &mut unwatched);
    let path = folder.join(name).with_extension("csv");
    pipeline::export::write(analysis, &found.release?, &path, ExportOptions::default())
        .expect("a disk that works");
    Some(pipeline::reading::read(analysis, &path).expect("what was just written"))
}

fn compose(analysis: &Analysis, releases: &[&ReadRelease], names: &str) {
    let started = Instant::now();
    let composed = pipeline::together::of_releases(analysis, releases, Together::default(), &mut unwatched)
        .expect("one T");
    let seconds = started.elapsed().as_secs_f64();
    let judged = composed.judge(analysis.problem().bounds());
    println!(
        "  {names:22} {:>6} groups  certain {:>5}  exact {:>5}  estimated {:>5}  highest {:.2}  {:>3} counted, {} estimated  {seconds:.2} s",
        composed.atoms.len(),
        judged.certain.people,
        judged.exact.people,
        judged.estimated.people,
        judged.highest.presence,
        composed.components.exact,
        composed.components.estimated,
    );
    if composed.components.estimated == 0 {
        compare(analysis, releases, &composed);
    }
}

/// The error of the estimates, if exact counts exist.
fn compare(analysis: &Analysis, releases: &[&ReadRelease], exact: &Composition) {
    let limits = Limits { exact: 0, ..Limits::default() };
    let together = Together { limits, ..Together::default() };
    let rough = pipeline::together::of_releases(analysis, releases, together, &mut unwatched).expect("one T");
    let (mut most, mut sum, mut people, mut differ) = (0.0_f64, 0.0, 0, 0);
    let bounds = analysis.problem().bounds();
    for (exact, rough) in exact.atoms.iter().zip(&rough.atoms) {
        let (exact_counts, estimated) = (exact.members[0], rough.members[0]);
        if rough.method == Method::Exact {
            continue;
        }
        let error = (exact.presence(&exact_counts) - rough.presence(&estimated)).abs();
        most = most.max(error);
        sum += error * exact.people as f64;
        people += exact.people;
        let verdicts = (exact.judge(&exact_counts, bounds).1, rough.judge(&estimated, bounds).1);
        differ += if verdicts.0 == verdicts.1 { 0 } else { exact.people };
    }
    let mean = sum / (people as f64).max(1.0);
    println!(
        "    estimates of {people} people: off by {mean:.5} on the average, {most:.4} at most; another verdict for {differ}"
    );
}

fn within_release(analysis: &Analysis, earlier: &ReadRelease, name: &str, target: &Path) {
    let started = Instant::now();
    let found = pipeline::earlier_release::search(
        analysis,
        analysis.problem(),
        strategy(name),
        &config(),
        earlier,
        &mut unwatched,
    );
    let release = found.expect("a release of its T").release.expect("its classes keep δ");
    let seconds = started.elapsed().as_secs_f64();
    let export =
        Export { release: &release, target, options: ExportOptions::default(), earlier: Some(earlier) };
    let mut gate = pipeline::export::gate(analysis);
    pipeline::export::write_through(analysis, export, &mut gate, &mut RealDisk, &mut unwatched)
        .expect("what keeps δ together");
    let alone = analysis.search(analysis.problem(), strategy(name), &config(), &mut unwatched);
    let alone = alone.release.map_or(f64::NAN, |release| release.metrics.value(Metric::Loss));
    let loss = release.metrics.value(Metric::Loss);
    println!("  {name} beside {}: loss {loss:.4}, alone {alone:.4}; {seconds:.1} s", earlier.path.display());
}

fn run(name: &str, project: &Path) {
    for max in DELTA_MAX {
        let overrides =
            Overrides { delta_max: Some(max.parse().expect("a presence")), ..Overrides::default() };
        let analysis = Analysis::load(project, &overrides).expect("a sound project");
        let folder = tempfile::tempdir().expect("a temporary folder");
        println!("{name}, δmax {max}");
        let names = ["n2", "n3", "best", "simulatable", "spalm"];
        let releases = names.map(|name| (name, released(&analysis, folder.path(), name)));
        let of = |wanted: &str| {
            releases.iter().find(|(name, _)| *name == wanted).and_then(|(_, read)| read.as_ref())
        };
        for names in TOGETHER {
            let Some(together) = names.iter().map(|name| of(name)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            compose(&analysis, &together, &names.join(" "));
        }
        for (earlier, name) in PAIRS {
            let Some(read) = of(earlier) else { continue };
            let read = ReadRelease { path: PathBuf::from(earlier), ..read.clone() };
            within_release(&analysis, &read, name, &folder.path().join(format!("{name}-{earlier}.csv")));
        }
    }
}

fn main() {
    for (name, project) in tables::paths() {
        run(name, &project);
    }
}
