//! A package is a folder with a release and its papers: all or none, and what is sent has nothing of T but the release.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::export::{FailingDisk, Failure};
use crate::support::{copies, edit, names, palmtop};
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
    assert!(wrote.is_verified && wrote.wrote.entry.is_some() && wrote.pseudonyms.is_none());
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
    let papers = Paper::ALL.map(|paper| paper.path(&wrote.wrote.written.path));
    let sizes = papers.iter().map(|path| path.metadata().unwrap().len());
    let length = usize::try_from(wrote.wrote.written.bytes + sizes.sum::<u64>()).unwrap();
    fs::remove_dir_all(&wrote.folder).unwrap();
    let release_bytes = usize::try_from(wrote.wrote.written.bytes).unwrap();
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

/// The files of the folder that is sent, with their contents.
fn sent(package: &Path) -> Vec<(String, String)> {
    let folder = package.join("to-send");
    names(&folder)
        .into_iter()
        .map(|name| (name.clone(), fs::read_to_string(folder.join(name)).unwrap()))
        .collect()
}

/// The values of a column of T, each once.
fn values(table: &Path, column: &str) -> BTreeSet<String> {
    let mut reader = csv::Reader::from_path(table).unwrap();
    let index = reader.headers().unwrap().iter().position(|name| name == column).unwrap();
    reader
        .records()
        .map(|record| record.unwrap()[index].to_owned())
        .filter(|value| !value.is_empty())
        .collect()
}

// holds: The recipient learns nothing more
#[test]
fn no_private_value_is_sent() {
    let copy = copies(&["sample-data/clinic", "hierarchies"]);
    let folder = copy.path().join("sample-data/clinic");
    // A withheld column with a text for each patient.
    let table = fs::read_to_string(folder.join("private.csv")).unwrap();
    let rows = table.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},remark\n"),
        row => format!("{line},remark number {row} of the ward\n"),
    });
    fs::write(folder.join("private.csv"), rows.collect::<String>()).unwrap();
    let project = fs::read_to_string(folder.join("clinic.toml")).unwrap();
    let remark = "\n[[attribute]]\nname = \"remark\"\nrole = \"withheld\"\n";
    fs::write(folder.join("clinic.toml"), project + remark).unwrap();
    palmtop(&folder, "anonymize clinic.toml --strategy spalm -o out/".split(' ')).expect(0, "");
    let private = folder.join("private.csv");
    let hidden: Vec<String> =
        ["patient", "remark"].iter().flat_map(|column| values(&private, column)).collect();
    assert_eq!(hidden.len(), 1600);
    let sent = sent(&folder.join("out"));
    assert_eq!(sent.len(), 3);
    for (name, text) in &sent {
        assert!(hidden.iter().all(|value| !text.contains(value.as_str())), "{name}");
    }
    for (name, text) in sent.iter().filter(|(name, _)| name != "out.csv") {
        let diagnoses = values(&private, "diagnosis");
        assert!(diagnoses.iter().all(|value| !text.contains(value.as_str())), "{name}");
    }
}

// holds: Pseudonyms need a key
#[test]
fn keyed_pseudonyms_are_listed_for_the_signer() {
    let (folder, ..) = project();
    let keys = tempfile::tempdir().unwrap();
    let key = keys.path().join("study.key");
    fs::write(&key, (0..32).collect::<Vec<u8>>()).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let path = folder.path().join("project.toml");
    let with = |pseudonym: &str| format!("role = \"identifier\"\npseudonym = {pseudonym}");
    edit(&path, "role = \"identifier\"", &with("\"new\""));
    let run = |name: &str| {
        palmtop(folder.path(), ["anonymize", "project.toml", "--node", "1", "-o", name]).expect(0, "");
    };
    run("new/");
    assert_eq!(names(&folder.path().join("new/to-keep")), ["new.report.html"], "new ones are drawn");
    let keyed = format!("{{ key = \"{}\", domain = \"study\" }}", key.display());
    edit(&path, "pseudonym = \"new\"", &format!("pseudonym = {keyed}"));
    let out = palmtop(folder.path(), ["anonymize", "project.toml", "--node", "1", "-o", "keyed/"]);
    out.expect(0, "it is never sent");
    let list = folder.path().join("keyed/to-keep/keyed.pseudonyms.csv");
    assert_eq!(fs::metadata(&list).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(values(&list, "identifier"), BTreeSet::from(["C-17".to_owned(), "C-18".to_owned()]));
    let released = values(&folder.path().join("keyed/to-send/keyed.csv"), "id");
    assert_eq!(values(&list, "pseudonym"), released);
    for (name, text) in sent(&folder.path().join("keyed")) {
        assert!(!text.contains("C-1"), "{name}");
        assert!(
            name == "keyed.csv" || released.iter().all(|pseudonym| !text.contains(pseudonym.as_str())),
            "{name}"
        );
    }
}

#[test]
fn a_slash_at_the_end_names_a_package() {
    let (folder, ..) = project();
    let run = |arguments: &str| {
        palmtop(folder.path(), format!("anonymize project.toml --node 1 {arguments}").split(' '))
    };
    run("-o a.study/").expect(0, "");
    let files = |name: &str| names(&folder.path().join(name));
    assert_eq!(files("a.study/to-send"), ["a.study.codebook.csv", "a.study.csv", "a.study.recipient.html"]);
    assert_eq!(files("a.study/to-keep"), ["a.study.report.html"]);
    run("-o a.study/").expect(1, "--force");
    run("-o a.study").expect(1, "is not a regular file");
    fs::write(folder.path().join("a.study/to-send/old.csv"), "old").unwrap();
    run("-o a.study --force --with recipient,codebook").expect(0, "");
    assert_eq!(files("a.study"), ["to-send"]);
    assert_eq!(files("a.study/to-send").len(), 3);
    run("-o b.parquet/").expect(0, "");
    assert!(folder.path().join("b/to-send/b.parquet").is_file());
    run("-o c.csv --with signer").expect(2, "-o NAME/");
    run("-o c/ --with all").expect(2, "signer, recipient or codebook");
    run("-o c/ --with mapping").expect(2, "--with mapping is for a file");
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/notes.txt"), "mine").unwrap();
    run("-o mine/ --force").expect(1, "other files");
    assert_eq!(files("mine"), ["notes.txt"]);
    assert!(!folder.path().join("c").exists());
}

#[test]
fn a_folder_that_takes_nothing_gets_nothing() {
    let (folder, analysis, _) = project();
    // The kernel's folder is read-only for everybody.
    for name in ["/proc/out/", "no/such/out/"] {
        let done = palmtop(folder.path(), ["anonymize", "project.toml", "--node", "1", "-o", name]);
        assert_eq!(done.status, 1, "{name}: {}", done.err);
        assert!(!done.out.contains('✓'), "{name}: {}", done.out);
    }
    assert!(history::of_project(analysis.path()).unwrap().releases().is_empty());
}
