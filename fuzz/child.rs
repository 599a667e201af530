//! The child process: it runs inputs one after another and always records the number of the current
//! one.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{only, program, targets};

/// The variable that starts this program as a child: the first number, the number after the last,
/// and a folder.
pub(crate) const CHILD: &str = "PALMTOP_FUZZ_CHILD";
/// The time limit of an input. A slow input gets a second attempt, because the machine may be busy.
const LONGEST: Duration = Duration::from_secs(2);
/// The limit of the process's peak of memory, in KiB.
const MEMORY: u64 = 1 << 20;
/// One input in this many is also run by the program.
const BY_PROGRAM: u64 = 250;

/// Numbers of inputs, from `from` to `until` − 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) from: u64,
    pub(crate) until: u64,
}

/// An error of an input.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) number: u64,
    pub(crate) what: String,
}

/// A folder in memory, if the system has one.
pub(crate) fn memory() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() { memory } else { std::env::temp_dir() }
}

/// The number of the input that the child of this folder runs.
pub(crate) fn current(folder: &Path) -> Option<u64> {
    fs::read_to_string(folder.join("current")).ok()?.trim().parse().ok()
}

/// The errors that the child of this folder found.
pub(crate) fn reports(folder: &Path) -> Vec<Report> {
    let lines = fs::read_to_string(folder.join("reports")).unwrap_or_default();
    let report = |line: &str| {
        let (number, what) = line.split_once(' ')?;
        Some(Report { number: number.parse().ok()?, what: what.to_owned() })
    };
    lines.lines().filter_map(report).collect()
}

/// The peak of memory of this process, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The position and the message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

#[test]
fn runs_inputs() {
    let Ok(arguments) = std::env::var(CHILD) else { return };
    let mut words = arguments.split(' ');
    let mut next = || words.next().unwrap();
    let (from, until, folder): (u64, u64, PathBuf) =
        (next().parse().unwrap(), next().parse().unwrap(), next().into());
    std::panic::set_hook(Box::new(|panic| *PANIC.lock().unwrap() = panic.to_string().replace('\n', " ")));
    // A child of the program reads damaged Parquet and Arrow files first, as in the program itself.
    palmtop::data::trial::set_program(env!("CARGO_BIN_EXE_palmtop").into());
    let seeds = targets::seeds();
    let mut current = fs::File::create(folder.join("current")).unwrap();
    let mut reports = fs::File::create(folder.join("reports")).unwrap();
    for number in from..until {
        current.seek(SeekFrom::Start(0)).unwrap();
        writeln!(current, "{number:20}").unwrap();
        let input = targets::input(&seeds, number, only());
        let mut wrong = Vec::new();
        for attempt in 0..2 {
            let work = folder.join("work");
            fs::create_dir_all(&work).unwrap();
            let started = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| targets::feed(&input, &work)));
            let taken = started.elapsed();
            match result {
                Ok(Ok(())) => (),
                Ok(Err(what)) if what.starts_with("panic") => {
                    wrong.push(format!("{what} {}", PANIC.lock().unwrap()));
                }
                Ok(Err(what)) => wrong.push(what),
                Err(_) => wrong.push(PANIC.lock().unwrap().clone()),
            }
            if wrong.is_empty() && number % BY_PROGRAM == 0 {
                wrong.extend(program::run(&input, &work).err());
            }
            fs::remove_dir_all(&work).unwrap();
            if taken <= LONGEST {
                break;
            }
            if attempt == 1 {
                wrong.push(format!("takes {} ms", taken.as_millis()));
            }
        }
        let peak = peak();
        if peak > MEMORY {
            wrong.push(format!("{} MB", peak / 1024));
        }
        for what in &wrong {
            writeln!(reports, "{number} {}", what.replace(['\n', '\r'], " ")).unwrap();
        }
        if peak > MEMORY {
            // A new process measures the next input.
            return;
        }
    }
}
