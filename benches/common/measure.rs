//! Times and memory.

use std::fs;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use palmtop::model::{Problem, Recoding};
use palmtop::search::{Config, SearchReport, Strategy, run};

/// The median of so many runs, and what the last one gave.
pub(crate) fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let started = Instant::now();
        let result = work();
        (started.elapsed(), result)
    };
    let (first, mut result) = timed();
    let mut times = vec![first];
    for _ in 1..runs {
        let (time, next) = timed();
        times.push(time);
        result = next;
    }
    times.sort_unstable();
    (times[times.len() / 2], result)
}

/// A search that nobody stops.
pub(crate) fn search(
    problem: &Problem,
    strategy: Strategy,
    config: &Config,
) -> (Option<Recoding>, SearchReport) {
    run(strategy, problem, config, &mut |_| ControlFlow::Continue(()))
}

/// `best` stopped at its first valid release, and how long that took.
pub(crate) fn first_valid(problem: &Problem) -> (Duration, Recoding) {
    let started = Instant::now();
    let mut found = None;
    let (recoding, _) = run(Strategy::Best, problem, &Config::default(), &mut |step| {
        if step.best.is_none() {
            return ControlFlow::Continue(());
        }
        found.get_or_insert_with(|| started.elapsed());
        ControlFlow::Break(())
    });
    (found.unwrap_or_else(|| started.elapsed()), recoding.expect("a feasible δ"))
}

/// Begins to measure the peak of memory anew.
pub(crate) fn reset_peak() {
    // Where there is no such file, there is no peak either.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory held since [`reset_peak`], in bytes, where the system tells.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
