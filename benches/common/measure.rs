//! Searches and their times.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use palmtop::model::{Problem, Recoding};
use palmtop::progress::unwatched;
use palmtop::search::{Config, SearchReport, Strategy, run};

/// The median time of this many runs, and the result of the last run.
pub(crate) fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut run_once = || {
        let started = Instant::now();
        let result = work();
        (started.elapsed(), result)
    };
    let (first, mut result) = run_once();
    let mut times = vec![first];
    for _ in 1..runs {
        let (time, next) = run_once();
        times.push(time);
        result = next;
    }
    times.sort_unstable();
    (times[times.len() / 2], result)
}

/// A search that runs to its end.
pub(crate) fn search(
    problem: &Problem,
    strategy: Strategy,
    config: &Config,
) -> (Option<Recoding>, SearchReport) {
    run(strategy, problem, config, &mut unwatched)
}

/// `best`, stopped after its first tree, and its time. A coarser release is valid from the start.
pub(crate) fn first_tree(problem: &Problem) -> (Duration, Recoding) {
    let started = Instant::now();
    let mut found = None;
    let (recoding, _) = run(Strategy::Best, problem, &Config::default(), &mut |step| {
        // Before the first tree is complete, `done` is 0.
        if step.done == 0 && step.stage.rounds.is_none() {
            return ControlFlow::Continue(());
        }
        found.get_or_insert_with(|| started.elapsed());
        ControlFlow::Break(())
    });
    (found.unwrap_or_else(|| started.elapsed()), recoding.expect("a feasible δ"))
}
