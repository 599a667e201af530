//! Complete commands, as a shell runs them: `anonymize` from the start of the process to its end,
//! and its parts, on the practice clinic and on Adult if it is present. The rest is the time of the
//! process itself.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "common/program.rs"]
mod program;
#[path = "common/tables.rs"]
#[expect(dead_code, reason = "the tables are named here and loaded by the command")]
mod tables;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

const RUNS: usize = 9;
const PARTS: [&str; 5] = ["load_seconds", "seconds", "bound_seconds", "write_seconds", "verify_seconds"];

/// The milliseconds of the process and of its parts; 0 for a part that did not run.
fn run(project: &Path, strategy: &str, max: &str, options: &[&str], folder: &Path) -> Vec<f64> {
    let mut command = Command::new(program::palmtop());
    command.arg("anonymize").arg(project).args(["--strategy", strategy, "--delta-max", max]);
    command.args(["--force", "--format", "json", "-o"]).arg(folder.join("release.csv")).args(options);
    let started = Instant::now();
    let output = command.output().expect("palmtop runs");
    let total = started.elapsed().as_secs_f64();
    let result: Value = serde_json::from_slice(&output.stdout).expect("a result");
    let parts = PARTS.iter().map(|part| result[part].as_f64().unwrap_or(0.0));
    std::iter::once(total).chain(parts).map(|seconds| seconds * 1000.0).collect()
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "{:<10} {:<22} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "", "δmax, strategy", "whole", "load", "search", "bound", "write", "verify", "rest"
    );
    for (name, path) in tables::paths() {
        for (strategy, max, options) in [
            ("spalm", "0.05", &[][..]),
            ("spalm", "0.5", &[]),
            ("n2", "0.05", &[]),
            ("n2", "0.5", &[]),
            ("n2", "0.05", &["--bound"]),
        ] {
            let mut runs: Vec<Vec<f64>> =
                (0..RUNS).map(|_| run(&path, strategy, max, options, folder.path())).collect();
            runs.sort_by(|left, right| left[0].total_cmp(&right[0]));
            let median = &runs[RUNS / 2];
            let rest = median[0] - median[1..].iter().sum::<f64>();
            let figures = median.iter().chain([&rest]).map(|figure| format!(" {figure:>7.1}"));
            println!(
                "{name:<10} {:<22}{} ms",
                format!("{max} {strategy} {}", options.concat()),
                figures.collect::<String>()
            );
        }
    }
}
