//! Loads a large table: P of `PALMTOP_ROWS` rows (default 10 million) with half as many
//! combinations of six quasi-identifiers, as Parquet. Each load is a separate process, so that its
//! peak of memory can be measured. The figures are medians of `PALMTOP_RUNS` (3). `PALMTOP_FOLDER`
//! keeps the table for the next time.
//!
//! `PALMTOP_POLARS=1` builds the program in `benches/polars` (ten minutes the first time) and runs
//! the same group-by with it. A path instead of `1` names that program, already built.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "figures to read")]

#[path = "common/memory.rs"]
#[expect(dead_code, reason = "a process that loads once need not begin anew")]
mod memory;
#[path = "common/million.rs"]
mod million;
#[path = "common/processor.rs"]
mod processor;
#[path = "common/program.rs"]
mod program;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use palmtop::compatibility::Feature;
use palmtop::data::trial;
use palmtop::pipeline::{Analysis, Overrides};

/// With this argument, a process loads a project and ends.
const LOAD: &str = "--load-once";

/// Loads a project and prints the costs: combinations, seconds, processor seconds, peak of memory
/// in bytes. Also prints the longest time between two questions whether to continue, and its stage.
fn load(project: &Path, with_trial: bool) {
    if with_trial {
        trial::set_program(program::palmtop());
    }
    let (started, mut asked) = (Instant::now(), Instant::now());
    let mut longest = (Duration::ZERO, String::new());
    let features = [Feature::Verdict, Feature::RowCount];
    let analysis = Analysis::load_for(project, &Overrides::default(), &features, &mut |progress| {
        longest = longest.clone().max((asked.elapsed(), progress.stage.to_string()));
        asked = Instant::now();
        ControlFlow::Continue(())
    });
    let (silence, stage) = longest.max((asked.elapsed(), "the rest".to_owned()));
    let analysis = analysis.expect("the project loads");
    let seconds = started.elapsed().as_secs_f64();
    let silence = silence.as_secs_f64();
    let (processor, peak) = (processor::seconds().unwrap_or_default(), memory::peak().unwrap_or_default());
    println!("{} {seconds} {processor} {peak} {silence}|{stage}", analysis.problem().histogram().len());
}

/// The figures that a program prints, each the median of some runs.
fn figures(command: &mut Command, runs: usize) -> (Vec<f64>, String) {
    let mut all: Vec<(Vec<f64>, String)> = (0..runs)
        .map(|_| {
            let output = command.output().expect("a program");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let (figures, stage) = text.split_once('|').unwrap_or((&text, ""));
            let figures = figures.split_whitespace().map(|figure| figure.parse().expect("a figure"));
            (figures.collect(), stage.trim().to_owned())
        })
        .collect();
    all.sort_by(|left, right| left.0[1].total_cmp(&right.0[1]));
    all.swap_remove(runs / 2)
}

fn print(name: &str, rows: u64, (figures, stage): &(Vec<f64>, String)) {
    let [combinations, seconds, processor, peak, silence] = figures[..] else { panic!("{figures:?}") };
    println!(
        "  {name:<22} {combinations:>10} {seconds:>7.1} s {:>6.1} M rows/s {processor:>7.1} CPU-s {:>7.0} MB {:>5.0} B/combination {}",
        rows as f64 / seconds / 1e6,
        peak / 1e6,
        peak / combinations,
        if silence > 0.0 { format!("asked after {silence:.2} s, {stage}") } else { String::new() },
    );
}

/// The Polars program, built if `PALMTOP_POLARS` requires it.
fn polars() -> Option<PathBuf> {
    let wish = std::env::var("PALMTOP_POLARS").ok()?;
    if wish != "1" {
        return Some(PathBuf::from(wish));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("polars");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("polars");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--locked", "--target-dir"]).arg(&target).current_dir(folder);
    assert!(build.status().expect("cargo").success(), "Polars does not build");
    Some(target.join("release/palmtop-polars"))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(index) = arguments.iter().position(|argument| argument == LOAD) {
        return load(Path::new(&arguments[index + 1]), arguments.len() > index + 2);
    }
    let rows =
        std::env::var("PALMTOP_ROWS").ok().map_or(10_000_000, |rows| rows.parse().expect("a number of rows"));
    let runs = std::env::var("PALMTOP_RUNS").ok().map_or(3, |runs| runs.parse().expect("a number of runs"));
    let kept = std::env::var_os("PALMTOP_FOLDER").map(PathBuf::from);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = kept.as_deref().unwrap_or(folder.path());
    let project = folder.join("project.toml");
    if !project.exists() {
        million::write(folder, rows, 1);
    }
    let table = folder.join("public.parquet");
    println!(
        "{rows} rows, {:.0} MB of Parquet, median of {runs}",
        table.metadata().expect("a table").len() as f64 / 1e6
    );
    let program = std::env::current_exe().expect("this program");
    let polars = polars();
    print("palmtop", rows, &figures(Command::new(&program).arg(LOAD).arg(&project), runs));
    let trial = &mut Command::new(&program);
    print("  with a trial before", rows, &figures(trial.arg(LOAD).arg(&project).arg("trial"), runs));
    match polars {
        None => println!("  Polars is skipped: PALMTOP_POLARS=1 builds and runs it"),
        Some(program) => {
            for engine in ["streaming", "in-memory"] {
                let name = format!("Polars, {engine}");
                print(&name, rows, &figures(Command::new(&program).arg(&table).arg(engine), runs));
            }
        }
    }
}
