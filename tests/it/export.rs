//! An export is complete and verified, or the file does not exist: whatever the disk does, and
//! however the inputs change.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Done, copies, names, palmtop};
use palmtop::data::write::{Disk, RealDisk};
use palmtop::model::Level;
use palmtop::pipeline::{self, Analysis, Export, ExportOptions, Overrides, PipelineError, Written};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use serde_json::Value;
use tempfile::TempDir;

/// The step at which the disk fails.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    AfterBytes(usize),
    AtSync,
    AtName,
}

pub(crate) struct FailingDisk {
    pub(crate) failure: Failure,
    pub(crate) written: usize,
    pub(crate) has_unnamed: bool,
}

impl FailingDisk {
    fn named(&self) -> io::Result<()> {
        match self.failure {
            Failure::AtName => Err(io::Error::other("read-only")),
            Failure::AfterBytes(_) | Failure::AtSync => Ok(()),
        }
    }
}

impl Disk for FailingDisk {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let room = match self.failure {
            Failure::AfterBytes(limit) => limit - self.written,
            Failure::AtSync | Failure::AtName => bytes.len(),
        };
        if room == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"));
        }
        let count = file.write(&bytes[..bytes.len().min(room)])?;
        self.written += count;
        Ok(count)
    }

    fn sync(&mut self, _: &File) -> io::Result<()> {
        match self.failure {
            Failure::AtSync => Err(io::Error::other("the disk is gone")),
            Failure::AfterBytes(_) | Failure::AtName => Ok(()),
        }
    }

    fn unnamed(&mut self, folder: &Path) -> io::Result<File> {
        if self.has_unnamed { RealDisk.unnamed(folder) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    fn link(&mut self, file: &File, name: &Path) -> io::Result<()> {
        self.named()?;
        RealDisk.link(file, name)
    }

    fn rename_folder(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        self.named()?;
        RealDisk.rename_folder(temporary, name, overwrite)
    }

    fn rename(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        self.named()?;
        RealDisk.rename(temporary, name, overwrite)
    }
}

/// A copy of the paper's project and the release of a node.
fn paper(levels: [u8; 3]) -> (TempDir, Analysis, Release) {
    let folder = copies(&["sample-data/paper", "hierarchies"]);
    let project = folder.path().join("sample-data/paper/paper.toml");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let node = analysis.problem().lattice().node(&levels.map(Level)).unwrap();
    let release = analysis.by_hand(analysis.problem(), node);
    (folder, analysis, release)
}

/// Writes a release to a disk that may fail.
fn write_to(
    analysis: &Analysis,
    disk: &mut dyn Disk,
    release: &Release,
    target: &Path,
    options: ExportOptions,
) -> Result<Written, PipelineError> {
    let export = Export { release, target, options, earlier: None };
    let mut gate = pipeline::export::gate(analysis);
    let written = pipeline::export::write_through(analysis, export, &mut gate, disk, &mut unwatched);
    written.map(|(written, _)| written)
}

// holds: Verified, then named
#[test]
fn a_failing_disk_leaves_nothing_behind() {
    let (_folder, analysis, release) = paper([3, 2, 2]);
    let target_folder = tempfile::tempdir().unwrap();
    let target = target_folder.path().join("out.csv");
    let length =
        pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap().bytes;
    fs::remove_file(&target).unwrap();
    let bytes = (0..usize::try_from(length).unwrap()).map(Failure::AfterBytes);
    for failure in bytes.chain([Failure::AtSync, Failure::AtName]) {
        for has_unnamed in [false, true] {
            let mut disk = FailingDisk { failure, written: 0, has_unnamed };
            let error =
                write_to(&analysis, &mut disk, &release, &target, ExportOptions::default()).unwrap_err();
            assert!(matches!(error, PipelineError::Data(_)), "{error}");
            assert_eq!(names(target_folder.path()), Vec::<String>::new());
        }
    }
}

#[test]
fn export_is_the_same_without_unnamed_files() {
    let (_folder, analysis, release) = paper([3, 2, 2]);
    let folder = tempfile::tempdir().unwrap();
    let complete = Failure::AfterBytes(usize::MAX);
    for (name, force) in [("new.csv", false), ("old.csv", true)] {
        for has_unnamed in [true, false] {
            let target = folder.path().join(format!("{has_unnamed}-{name}"));
            if force {
                fs::write(&target, "old").unwrap();
            }
            let mut disk = FailingDisk { failure: complete, written: 0, has_unnamed };
            let options = ExportOptions { force, ..ExportOptions::default() };
            let written = write_to(&analysis, &mut disk, &release, &target, options).unwrap();
            assert_eq!(written.bytes, fs::metadata(&target).unwrap().len());
            assert_eq!(written.verification.achieved, release.achieved);
        }
    }
    let texts: Vec<Vec<u8>> =
        names(folder.path()).iter().map(|name| fs::read(folder.path().join(name)).unwrap()).collect();
    assert_eq!(texts.len(), 4);
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_refused_release_leaves_nothing_behind() {
    let (_folder, analysis, release) = paper([1, 2, 3]);
    let target_folder = tempfile::tempdir().unwrap();
    let target = target_folder.path().join("out.csv");
    let error = pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap_err();
    assert!(matches!(error, PipelineError::NotPresent { .. }), "{error}");
    assert_eq!(names(target_folder.path()), Vec::<String>::new());
    let admitted = ExportOptions { allow_not_present: true, ..ExportOptions::default() };
    assert_eq!(
        pipeline::export::write(&analysis, &release, &target, admitted).unwrap().verification.achieved,
        release.achieved
    );
}

#[test]
fn an_input_changed_since_loading_is_noticed() {
    for changed in ["paper/public.csv", "paper/private.csv", "paper/paper.toml", "../hierarchies/zip.toml"] {
        let (folder, analysis, release) = paper([3, 2, 2]);
        let input = folder.path().join("sample-data").join(changed);
        let text = fs::read_to_string(&input).unwrap();
        fs::write(&input, format!("{text}\n")).unwrap();
        let target = folder.path().join("out.csv");
        let error =
            pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap_err();
        assert!(matches!(&error, PipelineError::InputChanged { .. }), "{changed}: {error}");
        assert!(!target.exists());
    }
}

// ── The commands ──

/// A small project. P gives the zips of people; the notes are only in T.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new() -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        workspace.write("zip.csv", "a;*\nb;*\n");
        workspace.write("public.csv", "zip\na\na\na\nb\nb\n");
        workspace.write("private.csv", "zip,note\na,flu\nb,cold\n");
        workspace.write(
            "p.toml",
            "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmax = \"1/2\"\n\
             [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
             [[attribute]]\nname = \"note\"\nrole = \"sensitive\"\n",
        );
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Every file with its content.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut names = names(self.folder.path());
        names.retain(|name| self.path(name).is_file());
        names.into_iter().map(|name| (name.clone(), fs::read(self.path(&name)).unwrap())).collect()
    }

    /// Runs palmtop in the folder. Blanks separate the arguments.
    #[track_caller]
    fn run(&self, arguments: &str, status: i32, message: &str) -> Done {
        let done = palmtop(self.folder.path(), arguments.split_whitespace());
        done.expect(status, message);
        done
    }
}

const ANONYMIZE: &str = "anonymize p.toml --node 1";

// holds: One gate
#[test]
fn no_input_is_overwritten_by_any_name() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("sub")).unwrap();
    fs::hard_link(workspace.path("private.csv"), workspace.path("hard.csv")).unwrap();
    std::os::unix::fs::symlink(workspace.path("private.csv"), workspace.path("link.csv")).unwrap();
    let refuse = |arguments: &str, is_link: bool, before: &[(String, Vec<u8>)]| {
        // The command refuses to replace a link, without following it.
        let why = if is_link { "is not a regular file" } else { "is a file of this project" };
        let done = workspace.run(&format!("{ANONYMIZE} {arguments} --force"), 1, why);
        assert_eq!(done.out, "", "{arguments}: nothing is said to be there");
        assert_eq!(workspace.files(), before, "{arguments}");
    };
    let before = workspace.files();
    let inputs = ["private.csv", "public.csv", "zip.csv", "p.toml"];
    for name in inputs.into_iter().chain(["./private.csv", "sub/../p.toml", "hard.csv", "link.csv"]) {
        refuse(&format!("-o {name}"), name == "link.csv", &before);
    }
    // The name of a report follows from that of the release, so only a link makes it an input.
    let report = workspace.path("out.report.json");
    for (name, is_link) in inputs.into_iter().map(|name| (name, false)).chain([("private.csv", true)]) {
        let input = workspace.path(name);
        if is_link {
            std::os::unix::fs::symlink(input, &report).unwrap();
        } else {
            fs::hard_link(input, &report).unwrap();
        }
        let before = workspace.files();
        for target in ["out.csv", "./out.csv", "sub/../out.csv"] {
            refuse(&format!("-o {target} --with report"), is_link, &before);
        }
        fs::remove_file(&report).unwrap();
    }
}

#[test]
fn a_report_never_overwrites_its_release() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("sub")).unwrap();
    workspace.write("r.csv", "old");
    fs::hard_link(workspace.path("r.csv"), workspace.path("r.report.json")).unwrap();
    let before = workspace.files();
    for release in ["r.csv", "./r.csv", "sub/../r.csv"] {
        for force in ["", " --force"] {
            let arguments = format!("{ANONYMIZE} -o {release} --with report{force}");
            workspace.run(&arguments, 2, "--with report and --output name the same file");
            assert_eq!(workspace.files(), before, "{arguments}");
        }
    }
    fs::remove_file(workspace.path("r.report.json")).unwrap();
    // A release may have the name of a report; its report has another.
    let named = "-o r.report.json --with report,report";
    workspace.run(&format!("{ANONYMIZE} {named}"), 0, "2 rows written and verified");
    assert!(workspace.read("r.report.json").starts_with("zip,"));
    assert!(workspace.read("r.report.report.json").starts_with('{'));
}

#[test]
fn nothing_but_a_regular_file_is_replaced() {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path("folder")).unwrap();
    assert!(Command::new("mkfifo").arg(workspace.path("pipe")).status().unwrap().success());
    std::os::unix::fs::symlink(workspace.path("nothing"), workspace.path("dangling")).unwrap();
    workspace.write("other", "other");
    std::os::unix::fs::symlink(workspace.path("other"), workspace.path("link")).unwrap();
    // What has the name of a report.
    fs::create_dir(workspace.path("a.report.json")).unwrap();
    assert!(Command::new("mkfifo").arg(workspace.path("b.report.json")).status().unwrap().success());
    for (target, link) in
        [("/dev/null", "c.report.json"), ("nothing", "d.report.json"), ("other", "e.report.json")]
    {
        std::os::unix::fs::symlink(target, workspace.path(link)).unwrap();
    }
    let before = names(workspace.folder.path()).len();
    let releases = ["/dev/null", "folder", "pipe", "dangling", "link"].map(|name| format!("-o {name}"));
    let reports = ["a", "b", "c", "d", "e"].map(|name| format!("-o {name}.csv --with report"));
    for arguments in releases.iter().chain(&reports) {
        for force in ["", " --force"] {
            let arguments = format!("{ANONYMIZE} {arguments}{force}");
            let done = workspace.run(&arguments, 1, "is not a regular file");
            assert_eq!(
                (done.out.as_str(), names(workspace.folder.path()).len()),
                ("", before),
                "{arguments}"
            );
        }
    }
    assert_eq!(workspace.read("other"), "other");
}

// holds: No ✓ before the fact
#[test]
fn no_verdict_is_printed_before_the_file_exists() {
    let workspace = Workspace::new();
    let before = workspace.files();
    for format in ["table", "json", "csv"] {
        let arguments = format!("{ANONYMIZE} --format {format}");
        let done = workspace.run(&format!("{arguments} -o nowhere/out.csv"), 1, "nowhere/out.csv");
        assert_eq!((done.out.as_str(), workspace.files()), ("", before.clone()));
        // If the name of the report is too long, nothing is written.
        let long = format!("{arguments} -o {}.csv --with report", "o".repeat(251));
        let done = workspace.run(&long, 1, "report.json: File name too long");
        assert_eq!((done.out.as_str(), workspace.files()), ("", before.clone()));
        // No file of this run may be longer than the release and the history are.
        let run = format!("trap '' XFSZ; ulimit -f 3; exec \"$0\" {arguments} -o out.csv --with report");
        let mut command = Command::new("sh");
        command.args(["-c", &run, env!("CARGO_BIN_EXE_palmtop")]).current_dir(workspace.folder.path());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let expected = "the release out.csv was written and verified, its report was not";
        assert!(output.status.code() == Some(1) && said.contains(expected), "{said}");
        assert_eq!(output.stdout, b"");
        // The release was written, so the history has it.
        assert!(workspace.read("p.history.toml").contains("out.csv"));
        for file in ["out.csv", "p.history.toml"] {
            fs::remove_file(workspace.path(file)).unwrap();
        }
    }
    // A command may report at once that the release is not δ-present, because later stages cannot
    // change this.
    let refused =
        workspace.run("anonymize p.toml --node 0 -o out.csv --delta-max 2/5", 3, "nothing was written");
    assert!(refused.out.contains('✗') && !refused.out.contains('✓'), "{}", refused.out);
    let done =
        workspace.run(&format!("{ANONYMIZE} -o out.csv --with report"), 0, "2 rows written and verified");
    assert!(done.out.contains("✓ δ-present"), "{}", done.out);
    let report: Value = serde_json::from_str(&workspace.read("out.report.json")).unwrap();
    assert_eq!(report["rows"], 2);
}

#[test]
fn leftovers_of_a_killed_run_are_removed() {
    let workspace = Workspace::new();
    workspace.write(".palmtop-x1Y2z3.tmp", "zip,note\na,flu\n");
    let done =
        workspace.run(&format!("{ANONYMIZE} -o out.csv"), 0, ".palmtop-x1Y2z3.tmp: left unfinished by a run");
    assert!(!workspace.path(".palmtop-x1Y2z3.tmp").exists());
    assert_eq!(done.err.matches("left unfinished").count(), 1, "{}", done.err);
}

// holds: Regular files
#[test]
fn a_large_count_costs_no_memory() {
    let workspace = Workspace::new();
    workspace.write(
        "p.toml",
        "[public]\npath = \"public.csv\"\ncount = \"n\"\ncounts = \"people\"\nmember = \"m\"\n[delta]\nmax = \"1\"\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n",
    );
    let started = Instant::now();
    for (count, refusal) in [
        ("4294967295", "the release has more than 50000000 rows"),
        ("50000001", "the release has more than 50000000 rows"),
    ] {
        workspace.write("public.csv", &format!("zip,n,m\na,{count},1\na,{count},0\n"));
        let done = workspace.run("anonymize p.toml --node 0 -o out.csv", 1, refusal);
        assert!(done.out.is_empty() && !workspace.path("out.csv").exists());
    }
    assert!(started.elapsed() < Duration::from_secs(20));
    workspace.write("public.csv", "zip,n,m\na,3,1\nb,2,1\na,4000000,0\nb,1,0\n");
    workspace.run("anonymize p.toml --node 0 -o out.csv", 0, "5 rows written and verified");
    assert_eq!(workspace.read("out.csv"), "zip\na\na\na\nb\nb\n");
}

#[test]
fn a_disguised_row_is_refused_before_writing() {
    let workspace = Workspace::new();
    workspace.write("private.csv", "zip,note\na,flu\nb,\"cold\nb,SECRET\"\n");
    let before = workspace.files();
    let refusal =
        "private.csv, row 2 (header not counted), column `note`: the value has a line that reads as a row";
    let done = workspace.run(&format!("{ANONYMIZE} -o out.csv"), 1, refusal);
    assert!(!done.err.contains("SECRET"), "{}", done.err);
    assert_eq!((done.out.as_str(), workspace.files()), ("", before));
    // A line break alone is not a disguised row.
    workspace.write("private.csv", "zip,note\na,flu\nb,\"cold\nand wet\"\n");
    workspace.run(&format!("{ANONYMIZE} -o out.csv"), 0, "2 rows written and verified");
}

#[test]
fn formulas_are_said_by_number_and_column_alone() {
    let workspace = Workspace::new();
    workspace.write("private.csv", "zip,note\na,=cmd()\nb,-5\n");
    let done = workspace.run(
        &format!("{ANONYMIZE} -o out.csv"),
        0,
        "1 cell begins as a formula does, in column `note`",
    );
    assert!(!done.err.contains("cmd") && !done.out.contains("cmd"), "{}{}", done.err, done.out);
    workspace.write("private.csv", "zip,note\na,flu\nb,-5\n");
    let done = workspace.run(&format!("{ANONYMIZE} -o out.csv --force"), 0, "written and verified");
    assert!(!done.err.contains("formula"), "{}", done.err);
}

#[test]
fn only_the_owner_can_read_a_release() {
    let workspace = Workspace::new();
    for umask in ["0", "022", "0777"] {
        let run = format!(
            "umask {umask}; exec \"$0\" {ANONYMIZE} -o out-{umask}.csv --with report,codebook,mapping,sql"
        );
        let mut command = Command::new("sh");
        command.args(["-c", &run, env!("CARGO_BIN_EXE_palmtop")]).current_dir(workspace.folder.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{umask}: {}", String::from_utf8_lossy(&output.stderr));
        for ending in ["csv", "report.json", "codebook.csv", "mapping.csv", "sql"] {
            let name = format!("out-{umask}.{ending}");
            let mode = fs::metadata(workspace.path(&name)).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{name}");
        }
    }
}

/// The verifier has a separate reader for the project file.
// holds: Two readings of the project
#[test]
fn a_project_changed_since_loading_is_not_verified() {
    let workspace = Workspace::new();
    workspace.run(&format!("{ANONYMIZE} -o r.csv"), 0, "2 rows written and verified");
    let analysis = Analysis::load(&workspace.path("p.toml"), &Overrides::default()).unwrap();
    let delta = analysis.problem().delta();
    pipeline::export::verify(&analysis, delta, &workspace.path("r.csv")).unwrap();
    let project = workspace.read("p.toml");
    workspace.write("p.toml", &project.replacen("[[attribute]]", "[policy]\nk = 2\n\n[[attribute]]", 1));
    let error = pipeline::export::verify(&analysis, delta, &workspace.path("r.csv")).unwrap_err().to_string();
    assert!(
        error.contains("[policy] differs from what was loaded") && error.contains("nothing was verified"),
        "{error}"
    );
}
