//! A package is a folder with a release and its papers: all or none, and what is sent has nothing of T but the release.

use std::fs;
use std::path::{Path, PathBuf};

use crate::export::{FailingDisk, Failure};
use crate::support::{names, palmtop};
use palmtop::data::write::{Disk, RealDisk, TargetError};
use palmtop::history::{self, Draft, Recipe, RecodingRecipe};
use palmtop::model::Level;
use palmtop::package::{self, Package, Paper, WrotePackage};
use palmtop::pipeline::{self, Analysis, Export, ExportOptions, Overrides, PipelineError};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use tempfile::TempDir;

/// A project whose T has an identifier, a withheld note and a sensitive value.
fn project() -> (TempDir, Analysis, Release) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("p.csv", "age\n23\n24\n25\n26\n35\n36\n37\n38\n");
    write("t.csv", "id,age,note,ill\nC-17,23,allotment,gout\nC-18,35,chess,angina\n");
    write("age.toml", "type = \"interval\"\nwidths = [10]\n");
    let attribute = |name: &str, rest: &str| format!("[[attribute]]\nname = \"{name}\"\n{rest}\n");
    let attributes = [
        attribute("id", "role = \"identifier\""),
        attribute("age", "role = \"quasi\"\nhierarchy = \"age.toml\""),
        attribute("note", "role = \"withheld\""),
        attribute("ill", "role = \"sensitive\""),
    ];
    let head = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/4\"\n";
    write("project.toml", &format!("{head}{}", attributes.concat()));
    let analysis = Analysis::load(&folder.path().join("project.toml"), &Overrides::default()).unwrap();
    let release =
        analysis.by_hand(analysis.problem(), analysis.problem().lattice().node(&[Level(1)]).unwrap());
    (folder, analysis, release)
}

fn write(
    analysis: &Analysis,
    release: &Release,
    target: &Path,
    disk: &mut dyn Disk,
    force: bool,
) -> Result<WrotePackage, PipelineError> {
    let export = Export {
        release,
        target,
        options: ExportOptions { force, ..ExportOptions::default() },
        earlier: None,
    };
    let recipe = Recipe::of(RecodingRecipe::Node(vec![Level(1)]));
    let draft = Draft { recipe, reason: None, step: None, accepted: Vec::new() };
    let package = Package { export, papers: &Paper::ALL, project: "project.toml", sitting: None };
    let mut gate = pipeline::export::gate(analysis);
    package::write(analysis, &package, Some(&draft), (&mut gate, disk), &mut unwatched)
}

#[test]
fn only_the_release_is_sent_of_t() {
    let (folder, analysis, release) = project();
    let wrote = write(&analysis, &release, &folder.path().join("out.csv"), &mut RealDisk, false).unwrap();
    assert!(wrote.is_verified && wrote.entry.is_some());
    let sent = folder.path().join("out/to-send");
    assert_eq!(names(&sent), ["out.codebook.csv", "out.csv", "out.recipient.html"]);
    assert_eq!(names(&folder.path().join("out/to-keep")), ["out.report.html"]);
    for name in names(&sent) {
        let text = fs::read_to_string(sent.join(&name)).unwrap();
        for private in ["C-17", "allotment", "gout", "angina", "chess"] {
            let is_released = name == "out.csv" && ["gout", "angina"].contains(&private);
            assert_eq!(text.contains(private), is_released, "{private} in {name}");
        }
    }
    // A file of a package is found in the history as any other.
    let verified =
        palmtop(folder.path(), ["verify", "project.toml", "out/to-send/out.csv"].map(String::from));
    assert_eq!(verified.status, 0, "{}", verified.err);
    let history = history::of_project(analysis.path()).unwrap();
    assert_eq!(history.releases()[0].file, "out/to-send/out.csv");
    assert_eq!(history.reports.len(), 2);
    let report = fs::read_to_string(folder.path().join("out/to-keep/out.report.html")).unwrap();
    assert!(report.contains("out/to-send/out.csv") && !report.contains("How it was made is not known"));
}

// holds: All or none
#[test]
fn a_failing_disk_leaves_no_package() {
    let (folder, analysis, release) = project();
    let targets = tempfile::tempdir().unwrap();
    let target = targets.path().join("out.csv");
    let wrote = write(&analysis, &release, &target, &mut RealDisk, false).unwrap();
    let papers = Paper::ALL.map(|paper| paper.path(&wrote.written.path));
    let sizes = papers.iter().map(|path| path.metadata().unwrap().len());
    let length = usize::try_from(wrote.written.bytes + sizes.sum::<u64>()).unwrap();
    fs::remove_dir_all(&wrote.folder).unwrap();
    let release_bytes = usize::try_from(wrote.written.bytes).unwrap();
    let bytes = [0, 1, release_bytes, release_bytes + 1, length / 2, length - 1].map(Failure::AfterBytes);
    for failure in bytes.into_iter().chain([Failure::AtSync, Failure::AtName]) {
        for has_unnamed in [false, true] {
            let mut disk = FailingDisk { failure, written: 0, has_unnamed };
            let error = write(&analysis, &release, &target, &mut disk, false).unwrap_err();
            assert!(matches!(error, PipelineError::Data(_)), "{failure:?}: {error}");
            assert_eq!(names(targets.path()), Vec::<String>::new(), "{failure:?}");
        }
    }
    // The entries of the failures are gone, and the first one's file is missing.
    assert_eq!(history::of_project(analysis.path()).unwrap().releases().len(), 1);
    drop(folder);
}

#[test]
fn an_existing_package_is_replaced_only_by_force() {
    let (folder, analysis, release) = project();
    let target = folder.path().join("out.csv");
    write(&analysis, &release, &target, &mut RealDisk, false).unwrap();
    let old = folder.path().join("out/to-send/old.csv");
    fs::write(&old, "old").unwrap();
    let error = write(&analysis, &release, &target, &mut RealDisk, false).unwrap_err();
    assert!(matches!(error, PipelineError::Target(TargetError::Exists { .. })), "{error}");
    assert!(old.exists());
    write(&analysis, &release, &target, &mut RealDisk, true).unwrap();
    assert!(!old.exists());
}

#[test]
fn a_killed_package_is_finished_or_removed() {
    let (folder, analysis, release) = project();
    write(&analysis, &release, &folder.path().join("out.csv"), &mut RealDisk, false).unwrap();
    let path: PathBuf = history::path_of(analysis.path());
    let text = fs::read_to_string(&path).unwrap();
    let pending = text.replace("present = true\n", "present = true\npending = true\n");
    assert_ne!(text, pending);
    fs::write(&path, &pending).unwrap();
    // The folder has its name: the entry is that of a release.
    assert_eq!(history::of_project(analysis.path()).unwrap().releases().len(), 1);
    let dead = folder.path().join(".palmtop-dead.tmp");
    fs::rename(folder.path().join("out"), &dead).unwrap();
    assert_eq!(history::of_project(analysis.path()).unwrap().releases().len(), 0);
    assert_eq!(history::tidy(analysis.path()), std::slice::from_ref(&dead));
    assert!(!dead.exists());
}
