//! If a run ends while it writes and verifies, no file with rows of T remains, whatever ended the
//! run.
//!
//! `PALMTOP_SIGNALS` and `PALMTOP_KILLS` set how many runs are ended by signals and by kill -9. The
//! defaults are small.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use palmtop::data::write::{Disk, Gate, RealDisk};
use palmtop::pipeline::remove_unfinished;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// The files of the folder before a run.
const INPUTS: [&str; 4] = ["age.toml", "p.toml", "private.csv", "public.csv"];
const PATIENCE: Duration = Duration::from_secs(60);

/// A project so large that writing and verifying its release takes a while.
struct Workspace {
    folder: TempDir,
    /// The release of an undisturbed run.
    release: Vec<u8>,
    /// The time of an undisturbed run from its first written byte to its end.
    phase: Duration,
}

/// How a run ended.
struct Ended {
    status: ExitStatus,
    out: String,
}

impl Workspace {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let (mut public, mut private) = ("age\n".to_owned(), "age,note\n".to_owned());
        for person in 0..60_000 {
            let age = person % 90;
            writeln!(public, "{age}").unwrap();
            if person % 3 == 0 {
                writeln!(private, "{age},\"a note of person {person}, who is in T\"").unwrap();
            }
        }
        write("public.csv", &public);
        write("private.csv", &private);
        write("age.toml", "type = \"interval\"\nwidths = [10, 30]\n");
        write(
            "p.toml",
            "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmax = \"1/2\"\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
             [[attribute]]\nname = \"note\"\nrole = \"sensitive\"\n",
        );
        let mut workspace = Self { folder, release: Vec::new(), phase: Duration::ZERO };
        let mut run = workspace.start(false);
        workspace.wait_for_writing(&mut run);
        let began = Instant::now();
        let ended = end(run);
        assert!(ended.status.success() && ended.out.contains('✓'), "{}", ended.out);
        workspace.phase = began.elapsed();
        workspace.release = fs::read(workspace.target()).unwrap();
        fs::remove_file(workspace.target()).unwrap();
        workspace
    }

    fn target(&self) -> PathBuf {
        self.folder.path().join("out.csv")
    }

    fn start(&self, force: bool) -> Child {
        self.start_to("out.csv", force)
    }

    /// Starts an export to a file, or to a package.
    fn start_to(&self, output: &str, force: bool) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
        command.args(["anonymize", "p.toml", "--node", "3", "-o", output]).args(force.then_some("--force"));
        command.current_dir(self.folder.path()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Waits until the run has opened a file without a name in the folder. Panics if the run ends
    /// before.
    fn wait_for_writing(&self, run: &mut Child) {
        let descriptors = PathBuf::from(format!("/proc/{}/fd", run.id()));
        let real = self.folder.path().canonicalize().unwrap();
        let is_unnamed = |path: PathBuf| {
            let leads_to = fs::read_link(path).unwrap_or_default();
            leads_to.starts_with(&real) && leads_to.to_string_lossy().ends_with(" (deleted)")
        };
        let started = Instant::now();
        while run.try_wait().unwrap().is_none() {
            let mut entries = fs::read_dir(&descriptors).into_iter().flatten().flatten();
            if entries.any(|entry| is_unnamed(entry.path())) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "it never writes; does {} know O_TMPFILE?", real.display());
            thread::sleep(Duration::from_micros(200));
        }
        panic!("it ended before it wrote");
    }

    /// Runs the command, sends signals after this share of the writing and verifying, and checks
    /// the remaining files.
    fn disturb(&self, share: f64, signals: &[(Signal, Duration)], force: bool) {
        let context = format!("{signals:?} at {share:.3}, force {force}");
        if force {
            fs::write(self.target(), "old\n").unwrap();
        }
        let mut run = self.start(force);
        self.wait_for_writing(&mut run);
        thread::sleep(self.phase.mul_f64(share));
        for (signal, pause) in signals {
            thread::sleep(*pause);
            // The run may have ended. Its process id stays reserved until it is waited for.
            let _ = kill_process(Pid::from_child(&run), *signal);
        }
        let ended = end(run);
        let mut left = names(self.folder.path());
        // The history is complete at every moment.
        left.retain(|name| !INPUTS.contains(&name.as_str()) && name != "p.history.toml");
        let register = palmtop::history::of_project(&self.folder.path().join("p.toml"));
        assert!(register.is_ok(), "{context}: {register:?}");
        let found = fs::read(self.target()).ok();
        let is_written = found.as_ref() == Some(&self.release);
        assert!(left.iter().all(|name| name == "out.csv"), "{context}: {left:?}");
        assert!(is_written || found == force.then(|| b"old\n".to_vec()), "{context}: neither old nor whole");
        // A success message is printed only if the release exists.
        assert!(is_written || !ended.out.contains('✓'), "{context}: {}", ended.out);
        match (ended.status.code(), signals) {
            (Some(0), _) => assert!(is_written, "{context}"),
            (Some(status), [.., (last, _)]) => {
                assert!([129, 130, 143].contains(&status), "{context}: status {status}");
                assert!(signals.len() > 1 || (!is_written && status == 128 + last.as_raw()), "{context}");
            }
            _ => assert_eq!(ended.status.signal(), Some(9), "{context}"),
        }
        let _ = fs::remove_file(self.target());
    }
}

impl Workspace {
    /// Ends a package by a signal after a delay, and checks that the folder is complete or absent, and that the next start removes
    /// what is left. Returns whether the folder is there.
    fn disturb_package(&self, delay: Duration, signal: Signal) -> bool {
        let context = format!("{signal:?} after {delay:?}");
        let path = |name: &str| self.folder.path().join(name);
        let mut run = self.start_to("out/", false);
        self.wait_for_writing(&mut run);
        thread::sleep(delay);
        let _ = kill_process(Pid::from_child(&run), signal);
        let ended = end(run);
        let is_there = path("out").exists();
        if is_there {
            let files = |folder: &str| {
                let mut files = names(&path(folder));
                files.sort();
                files
            };
            assert_eq!(
                files("out/to-send"),
                ["out.codebook.csv", "out.csv", "out.recipient.html"],
                "{context}"
            );
            assert_eq!(files("out/to-keep"), ["out.report.html"], "{context}");
            assert!(fs::read(path("out/to-send/out.csv")).unwrap() == self.release, "{context}");
        }
        assert!(is_there || !ended.out.contains('✓'), "{context}: {}", ended.out);
        let mut others = names(self.folder.path());
        others.retain(|name| !INPUTS.contains(&name.as_str()) && name != "p.history.toml" && name != "out");
        let is_left = |name: &String| signal == Signal::KILL && name.starts_with(".palmtop-");
        assert!(others.iter().all(is_left), "{context}: {others:?}");
        let entries = palmtop::history::of_project(&path("p.toml")).unwrap().releases().len();
        assert_eq!(entries, usize::from(is_there), "{context}");
        assert!(end(self.start_to("next.csv", false)).status.success());
        let left = names(self.folder.path()).into_iter().filter(|name| name.starts_with(".palmtop-"));
        assert_eq!(left.count(), 0, "{context}");
        for name in ["next.csv", "p.history.toml"] {
            fs::remove_file(path(name)).unwrap();
        }
        let _ = fs::remove_dir_all(path("out"));
        is_there
    }
}

fn end(run: Child) -> Ended {
    let output = run.wait_with_output().unwrap();
    Ended { status: output.status, out: String::from_utf8(output.stdout).unwrap() }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn count(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).ok().map_or(otherwise, |count| count.parse().unwrap())
}

/// Shares of the writing and verifying, spread evenly, in an order that mixes early and late.
fn shares(count: u32) -> impl Iterator<Item = (u32, f64)> {
    (0..count).map(|nth| (nth, (f64::from(nth) * 0.618_034).fract() * 1.05))
}

// holds: Verified, then named
#[test]
fn signals_leave_only_a_verified_release() {
    let workspace = Workspace::new();
    let kinds = [Signal::INT, Signal::TERM, Signal::HUP];
    for (nth, share) in shares(count("PALMTOP_SIGNALS", 14)) {
        let (first, second) = (kinds[nth as usize % 3], kinds[nth as usize / 3 % 3]);
        // Every second run has a pair, 0 to 5 ms apart.
        let gap = Duration::from_micros(u64::from(nth / 2 % 11) * 500);
        let signals = [(first, Duration::ZERO), (second, gap)];
        workspace.disturb(share, &signals[..=(nth as usize % 2)], nth % 4 > 1);
    }
}

// holds: Verified, then named
#[test]
fn kill_9_leaves_nothing_with_unnamed_files() {
    let workspace = Workspace::new();
    for (nth, share) in shares(count("PALMTOP_KILLS", 6)) {
        // Overwriting needs a temporary name for a moment. If a kill leaves a file there, the next
        // run removes it.
        workspace.disturb(share, &[(Signal::KILL, Duration::ZERO)], nth % 2 > 0);
    }
}

// holds: All or none
#[test]
fn a_signal_leaves_a_whole_package_or_none() {
    let workspace = Workspace::new();
    let mut run = workspace.start_to("out/", false);
    workspace.wait_for_writing(&mut run);
    let began = Instant::now();
    assert!(end(run).status.success());
    let phase = began.elapsed();
    fs::remove_dir_all(workspace.folder.path().join("out")).unwrap();
    fs::remove_file(workspace.folder.path().join("p.history.toml")).unwrap();
    let kinds = [Signal::KILL, Signal::HUP, Signal::KILL, Signal::TERM];
    let shares = shares(count("PALMTOP_PACKAGES", 8));
    let ends: Vec<bool> = shares
        .map(|(nth, share)| workspace.disturb_package(phase.mul_f64(share), kinds[nth as usize % 4]))
        .collect();
    assert!(ends.contains(&false), "no signal came in time");
}

/// Starts a long search in a practice project, which is unpacked into a temporary folder, and waits
/// for it.
fn practise(folder: &Path) -> Child {
    let before = names(folder);
    let mut command = Command::new("sh");
    let run = "umask 0; exec \"$0\" anonymize @clinic --strategy best --budget 60s -o out.csv";
    command.args(["-c", run, env!("CARGO_BIN_EXE_palmtop")]).env("TMPDIR", folder).current_dir(folder);
    let run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    let is_there = |name: &String| {
        !before.contains(name) && folder.join(name).join("sample-data/clinic/public.csv").exists()
    };
    while !names(folder).iter().any(is_there) {
        assert!(started.elapsed() < PATIENCE, "nothing is unpacked");
        thread::sleep(Duration::from_millis(1));
    }
    run
}

#[test]
fn a_practice_folder_is_private_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for signals in [&[Signal::TERM][..], &[Signal::HUP, Signal::TERM], &[Signal::INT, Signal::INT]] {
        let run = practise(path);
        let mut waiting = vec![path.join(&names(path)[0])];
        while let Some(entry) = waiting.pop() {
            let mode = fs::metadata(&entry).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, if entry.is_dir() { 0o700 } else { 0o600 }, "{}", entry.display());
            if entry.is_dir() {
                waiting.extend(fs::read_dir(&entry).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
        for signal in signals {
            kill_process(Pid::from_child(&run), *signal).unwrap();
        }
        let status = end(run).status.code().unwrap();
        assert!([129, 130, 143].contains(&status), "{signals:?}: {status}");
        assert_eq!(names(path), Vec::<String>::new(), "{signals:?}");
    }
}

#[test]
fn practice_folders_of_killed_runs_are_removed_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let killed = practise(path);
    kill_process(Pid::from_child(&killed), Signal::KILL).unwrap();
    end(killed);
    let left = names(path);
    assert_eq!(left.len(), 1);
    let run = practise(path);
    let now = names(path);
    assert!(now.len() == 1 && now != left, "{left:?} {now:?}");
    // A second run does not remove the files of a running one.
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(["check", "@paper"]).env("TMPDIR", path).stdout(Stdio::null());
    assert!(command.status().unwrap().success());
    assert_eq!(names(path), now);
    kill_process(Pid::from_child(&run), Signal::TERM).unwrap();
    end(run);
    assert!(names(path).is_empty());
}

/// A disk whose file system has no files without names.
struct Named;

impl Disk for Named {
    fn unnamed(&mut self, _: &Path) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The rows that [`writer`] writes repeatedly.
const ROWS: &[u8] = &[b'x'; 1 << 20];

/// The process that the tests below end; it is not a test. It writes to files with temporary names.
/// If `PALMTOP_LEAVES` is set, it exits by itself, as after a second signal.
#[test]
#[ignore = "it runs until it is ended; the tests below start it"]
fn writer() {
    let folder = PathBuf::from(std::env::var_os("PALMTOP_WRITER").unwrap());
    if let Ok(delay) = std::env::var("PALMTOP_LEAVES") {
        let delay = Duration::from_micros(delay.parse().unwrap());
        thread::spawn(move || {
            thread::sleep(delay);
            remove_unfinished();
            std::process::exit(7);
        });
    }
    for number in 0.. {
        let target = folder.join(format!("{}.csv", number % 3));
        Gate::default().put(&mut Named, &target, true, ROWS).unwrap();
    }
}

/// Whether a file has a name for unfinished files.
fn is_temporary(name: &str) -> bool {
    name.starts_with(".palmtop-")
}

fn start_writer(folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "signals::writer", "--ignored"])
        .env("PALMTOP_WRITER", folder)
        .stdout(Stdio::null());
    command
}

#[test]
fn an_abrupt_exit_removes_temporary_files() {
    for nth in 0..count("PALMTOP_LEAVES_COUNT", 20) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut command = start_writer(path);
        command.env("PALMTOP_LEAVES", (nth * 700 + 5000).to_string());
        assert_eq!(command.status().unwrap().code(), Some(7));
        for name in names(path) {
            assert!(!is_temporary(&name), "{name}");
            assert!(fs::read(path.join(&name)).unwrap() == ROWS, "{name} is not whole");
        }
    }
}

#[test]
fn the_next_writer_removes_what_kill_9_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let left = || {
        let names = names(path).into_iter().filter(|name| is_temporary(name));
        names.map(|name| path.join(name)).collect::<Vec<_>>()
    };
    let started = Instant::now();
    while left().is_empty() {
        assert!(started.elapsed() < PATIENCE, "no kill leaves anything");
        let mut run = start_writer(path).spawn().unwrap();
        while names(path).is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(u64::from(started.elapsed().subsec_micros() % 3000)));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let leftovers = left();
    let mut gate = Gate::default();
    gate.put(&mut RealDisk, &path.join("next.csv"), false, b"x").unwrap();
    assert_eq!(gate.take_removed(), leftovers);
    assert!(left().is_empty());
}

#[test]
fn a_signal_during_init_leaves_all_or_nothing() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arx/study.deid");
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        for _ in 0..4 {
            let folder = tempfile::tempdir().unwrap();
            let run = ["init", project.to_str().unwrap(), "T.csv", "-o", "s.toml"];
            let mut child = Command::new(env!("CARGO_BIN_EXE_palmtop"))
                .args(run)
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let began = Instant::now();
            let is_begun = || fs::read_dir(folder.path()).unwrap().next().is_some();
            while !is_begun() && child.try_wait().unwrap().is_none() {
                assert!(began.elapsed() < PATIENCE, "init neither writes nor ends");
                thread::sleep(Duration::from_micros(200));
            }
            // A run that has ended gets no signal.
            let _ = kill_process(Pid::from_child(&child), signal);
            child.wait().unwrap();
            let mut files: Vec<String> = fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            files.sort();
            assert_eq!(files, ["T.csv", "s-hierarchies", "s-public.csv", "s.toml"], "{signal:?}");
        }
    }
}
