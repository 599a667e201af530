//! UCI Adult in its two forms, the data of the paper's section 7. The tests run every strategy
//! under several δ and verify every release.
//!
//! The data is not part of the repository. `PALMTOP_DATA` names its folder, by default
//! `../shared/data`.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

use crate::support::copy_folder;
use palmtop::model::{Delta, Presence};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::search::{AuditConfig, AuditMethod, Config, Strategy, audit};
use tempfile::TempDir;

/// A copy of a project of the data, so that no register of releases is written beside the data. If the
/// data is missing, `None` and a line on stderr.
fn project(path: &str) -> Option<Copied> {
    let root =
        std::env::var_os("PALMTOP_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let project = root.join(path);
    if project.is_file() {
        let folder = tempfile::tempdir().unwrap();
        copy_folder(project.parent().unwrap(), folder.path());
        return Some(Copied { path: folder.path().join(project.file_name().unwrap()), _folder: folder });
    }
    let _ = writeln!(std::io::stderr(), "skipped: there is no {}; set PALMTOP_DATA", project.display());
    None
}

/// A project in a folder that is removed afterwards.
struct Copied {
    path: PathBuf,
    _folder: TempDir,
}

/// Each strategy finds a release under each δ. The release is written and verified.
fn every_strategy_keeps_every_delta(path: &str) {
    let Some(project) = project(path) else { return };
    let folder = tempfile::tempdir().unwrap();
    let analysis = Analysis::load(&project.path, &Overrides::default()).unwrap();
    for min in ["0", "0.02"] {
        for max in ["0.05", "0.1", "0.2"] {
            let presence = |text: &str| text.parse::<Presence>().unwrap();
            let problem = analysis.problem().with_delta(Delta::new(presence(min), presence(max)).unwrap());
            for strategy in Strategy::of_the_paper().chain([Strategy::Best, Strategy::Simulatable]) {
                let go_on = &mut |_| ControlFlow::Continue(());
                let config = Config { rounds: Some(1), ..Config::default() };
                let found = analysis.search(&problem, strategy, &config, go_on);
                let report = found.report;
                let release =
                    found.release.unwrap_or_else(|| panic!("{strategy} ({min}, {max}): {report:?}"));
                assert!(release.is_present(), "{strategy} ({min}, {max})");
                let options = ExportOptions { force: true, allow_not_present: false };
                let written =
                    pipeline::export::write(&analysis, &release, &folder.path().join("out.csv"), options);
                let written = written.unwrap_or_else(|error| panic!("{strategy} ({min}, {max}): {error}"));
                assert_eq!(written.rows, problem.histogram().total().private);
                // A class without members publishes no row. If δmin is above 0, no such class
                // exists.
                assert!(min == "0" || written.verification.unmatched == 0, "{strategy} ({min}, {max})");
            }
        }
    }
}

#[test]
fn random_people_of_adult_45222() {
    every_strategy_keeps_every_delta("adult-45222/random.toml");
}

#[test]
fn diabetes_like_people_of_adult_45222() {
    every_strategy_keeps_every_delta("adult-45222/diabetes.toml");
}

#[test]
fn random_people_of_adult_as_arx_ships_it() {
    every_strategy_keeps_every_delta("adult-arx/random4.toml");
}

#[test]
fn spalm_finds_the_losses_that_are_known() {
    let Some(project) = project("adult-45222/random.toml") else { return };
    let analysis = Analysis::load(&project.path, &Overrides::default()).unwrap();
    for (max, loss) in [("0.05", 0.722), ("0.1", 0.633), ("0.2", 0.589)] {
        let problem =
            analysis.problem().with_delta(Delta::new(Presence::ZERO, max.parse().unwrap()).unwrap());
        let go_on = &mut |_| ControlFlow::Continue(());
        let found = analysis.search(&problem, Strategy::Spalm, &Config::default(), go_on);
        let found = found.release.unwrap().metrics.loss.mean();
        assert!((found - loss).abs() < 0.0005, "δmax {max}: loss {found}, expected {loss}");
    }
}

#[test]
fn every_command_works_on_both_forms() {
    for path in ["adult-45222/diabetes.toml", "adult-arx/random4.toml"] {
        let Some(project) = project(path) else { return };
        let folder = tempfile::tempdir().unwrap();
        let run = |arguments: &str, expected: i32| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
            let mut words = arguments.split(' ');
            command.arg(words.next().unwrap()).arg(&project.path).args(words).current_dir(folder.path());
            let output = command.output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(expected), "{path}: {arguments}\n{err}");
            String::from_utf8(output.stdout).unwrap()
        };
        run("check", 0);
        run("check --delta-max 0.01", 3);
        assert!(run("classes --format csv", 3).lines().count() > 18_000);
        run("classes --strategy b3", 0);
        assert!(run("lattice --format csv", 0).lines().count() > 6_480);
        run("anonymize --strategy n2 -o out.csv --with report", 0);
        run("verify out.csv", 0);
        run("anonymize --strategy spalm --metric discernibility -o out.csv --force --format json", 0);
        run("compare --strategy spalm,n2 --delta-max 0.05,0.1 --format csv", 0);
    }
}

/// The loss of `simulatable` is the same on every machine and equals the loss in the book.
#[test]
fn simulatable_loses_what_the_book_says() {
    for (path, max, expected) in [
        ("adult-45222/random.toml", "0.1", "0.0661"),
        ("adult-45222/random.toml", "0.2", "0.0301"),
        ("adult-45222/diabetes.toml", "0.1", "0.1859"),
        ("adult-45222/diabetes.toml", "0.2", "0.0514"),
    ] {
        let Some(project) = project(path) else { return };
        let analysis = Analysis::load(&project.path, &Overrides::default()).unwrap();
        let presence = |text: &str| text.parse::<Presence>().unwrap();
        let problem = analysis.problem().with_delta(Delta::new(Presence::ZERO, presence(max)).unwrap());
        let go_on = &mut |_| ControlFlow::Continue(());
        let found = analysis.search(&problem, Strategy::Simulatable, &Config::default(), go_on);
        let loss = found.release.unwrap().metrics.loss.mean();
        assert_eq!(format!("{loss:.4}"), expected, "{path} {max}");
    }
}

/// Most people of n1 and n2 beyond δ are in regions that the audit enumerates exactly. It samples
/// the other regions.
#[test]
fn an_audit_finds_people_betrayed_by_rejected_cuts() {
    let Some(project) = project("adult-45222/random.toml") else { return };
    let analysis = Analysis::load(&project.path, &Overrides::default()).unwrap();
    let problem = analysis.problem().with_delta(Delta::new(Presence::ZERO, "0.05".parse().unwrap()).unwrap());
    for (name, regions, expected) in [("n1", 510, 344), ("n2", 494, 438)] {
        let strategy: Strategy = name.parse().unwrap();
        let go_on = &mut |_| ControlFlow::Continue(());
        let release = analysis.search(&problem, strategy, &Config::default(), go_on).release.unwrap();
        let (config, how) = (Config::default(), AuditConfig { draws: 20_000, ..AuditConfig::default() });
        let found =
            audit(&problem, strategy, &release.recoding, &config, how, &mut |_| ControlFlow::Continue(()))
                .unwrap();
        assert_eq!((found.method, found.regions), (AuditMethod::RejectedCuts, regions));
        let (people, doubtful) = (found.beyond_by_region_cuts, found.beyond.doubtful);
        assert!(people >= 200 && people + doubtful >= expected, "{name}: {people} and {doubtful}");
    }
}
