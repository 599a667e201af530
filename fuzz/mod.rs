//! Mutated inputs: no input causes a panic, an abort, a hang, too much memory, or an output that
//! reveals values of T.
//!
//! `PALMTOP_MUTATIONS=1000000 cargo test --test it fuzz::` runs that many inputs; `PALMTOP_FROM` is the
//! first number. `PALMTOP_TARGET=parquet` selects one target. `PALMTOP_CASE=N` runs one input in
//! this process. An input depends only on `fuzz/seeds` and its number, on any machine. A child
//! process runs the inputs and records the current number, so that the test knows which input ended
//! the child.

mod child;
mod mutator;
mod program;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use child::{CHILD, Range, Report};
use targets::{Input, Target};

/// How many inputs a child runs before a new one continues.
const CHUNK: u64 = 2_000;
/// How long a child may make no progress before it counts as hung. The child has a stricter time
/// limit for each input.
const SILENCE: Duration = Duration::from_secs(30);
/// The address space of a child, in KiB: more than it needs, and far less than a length field can
/// request.
const SPACE: u64 = 12_000_000;

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The target that the environment selects.
fn only() -> Option<Target> {
    let name = std::env::var("PALMTOP_TARGET").ok()?;
    Some(Target::ALL.into_iter().find(|target| target.name() == name).unwrap())
}

// holds: A panic is an error
#[test]
fn no_mutated_input_does_harm() {
    let seeds = targets::seeds();
    if let Some(case) = number("PALMTOP_CASE") {
        let folder = tempfile::tempdir().unwrap();
        let input = targets::input(&seeds, case, only());
        let kept = keep(&input);
        println!("{:?} from {}, {} bytes: {}", input.target, input.name, input.content.len(), kept.display());
        let result = targets::feed(&input, folder.path());
        assert!(result.is_ok(), "{result:?}");
        program::run(&input, folder.path()).unwrap();
        return;
    }
    let first = number("PALMTOP_FROM").unwrap_or(0);
    let count = first + number("PALMTOP_MUTATIONS").unwrap_or(2_000) + seeds.len() as u64;
    let (next, failures) = (AtomicU64::new(first), Mutex::new(Vec::new()));
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let from = next.fetch_add(CHUNK.min(count / 4 + 1), Ordering::Relaxed);
                    if from >= count {
                        break;
                    }
                    let until = (from + CHUNK.min(count / 4 + 1)).min(count);
                    let found = chunk(Range { from, until });
                    for Report { number, what } in &found {
                        eprintln!("{number}: {what}");
                    }
                    failures.lock().unwrap().extend(found);
                    if until / 10_000 > from / 10_000 {
                        eprintln!("{until} inputs after {} s", started.elapsed().as_secs());
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    println!("{} inputs, {} failures", count - first, failures.len());
    let lines: Vec<String> = failures
        .iter()
        .take(40)
        .map(|Report { number, what }| {
            let input = targets::input(&seeds, *number, only());
            let what: String = what.chars().take(400).collect();
            format!(
                "{number} ({} from {}): {what}\n    {}",
                input.target.name(),
                input.name,
                keep(&input).display()
            )
        })
        .collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), lines.join("\n"));
}

/// Saves an input under the target folder. Once its error is fixed, move the input to the seeds.
fn keep(input: &Input) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(input.target.name());
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}-{}", input.number, input.name));
    fs::write(&path, &input.content).unwrap();
    path
}

/// Runs some inputs in children. If an input ends a child, a new child continues after it.
fn chunk(range: Range) -> Vec<Report> {
    let mut failures = Vec::new();
    let mut from = range.from;
    while from < range.until {
        let folder = tempfile::Builder::new().prefix("palmtop-fuzz-").tempdir_in(child::memory()).unwrap();
        let mut process = start(Range { from, until: range.until }, folder.path());
        let end = watch(&mut process, folder.path());
        failures.extend(child::reports(folder.path()));
        match (end, child::current(folder.path())) {
            (Ok(()), Some(at)) => from = at + 1,
            (Ok(()), None) => {
                failures.push(Report { number: from, what: "the child did not begin".to_owned() });
                break;
            }
            (Err(what), at) => {
                let number = at.unwrap_or(from);
                failures.push(Report { number, what });
                from = number + 1;
            }
        }
    }
    failures
}

/// Starts this test program as a child with these inputs.
fn start(range: Range, folder: &Path) -> Child {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("ulimit -v {SPACE}; exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "fuzz::child::runs_inputs", "--nocapture", "--test-threads", "1"])
        .env(CHILD, format!("{} {} {}", range.from, range.until, folder.display()))
        .env("RAYON_NUM_THREADS", "2")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join("stderr")).unwrap());
    command.spawn().unwrap()
}

/// Waits for a child. If it did not succeed, returns how it ended.
fn watch(process: &mut Child, folder: &Path) -> Result<(), String> {
    let mut seen = (None, Instant::now());
    loop {
        if let Some(status) = process.try_wait().unwrap() {
            let stderr = fs::read_to_string(folder.join("stderr")).unwrap_or_default();
            let last: Vec<&str> = stderr.lines().rev().take(3).collect();
            return if status.success() { Ok(()) } else { Err(format!("{status}: {}", last.join(" / "))) };
        }
        let current = child::current(folder);
        if current != seen.0 {
            seen = (current, Instant::now());
        }
        if seen.1.elapsed() > SILENCE {
            process.kill().unwrap();
            process.wait().unwrap();
            return Err(format!("hangs for {} s", SILENCE.as_secs()));
        }
        thread::sleep(Duration::from_millis(20));
    }
}
