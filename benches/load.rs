//! Loads a large table: P of `PALMTOP_ROWS` rows (default 10 million) with half as many
//! combinations of six quasi-identifiers, as Parquet. Each load is a separate process, so that its
//! peak of memory can be measured. The figures are medians of `PALMTOP_RUNS` (3). `PALMTOP_FOLDER`
//! keeps the table for the next time.
//!
//! `PALMTOP_DUCKDB` names a Python that has `DuckDB` (`just scale` installs one). Then `DuckDB` counts the
//! combinations of the same table in turn with palmtop, and the ratios to it are printed.
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

use std::ffi::OsStr;
use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use palmtop::compatibility::Feature;
use palmtop::data::trial;
use palmtop::pipeline::{Analysis, Overrides};

/// With this argument, a process loads a project in a [way](WAYS) and ends.
const LOAD: &str = "--load-once";

/// The ways to load: from the tables, from the tables after a trial in a child process, and from the
/// reduction of P that the load before has stored. Each has its name in the printed table.
const WAYS: [(&str, &str); 3] =
    [("tables", "palmtop"), ("trial", "  with a trial before"), ("stored", "  stored reduction")];

/// Loads a project and prints the costs: combinations, seconds, processor seconds, peak of memory
/// in bytes. Also prints the longest time between two questions whether to continue, and its stage.
fn load(project: &Path, way: &str) {
    let reduction = project.with_file_name(".project.reduced");
    if way != "stored" && reduction.exists() {
        fs::remove_file(reduction).expect("a file of this benchmark");
    }
    if way == "trial" {
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

/// The name of `DuckDB` in the printed table.
const DUCKDB: &str = "DuckDB";

/// A program that counts the table, and what it printed in each run.
struct Work {
    name: String,
    command: Command,
    runs: Vec<Figures>,
}

/// What a program prints: combinations, seconds, processor seconds, bytes, seconds of silence; and
/// the stage of the silence.
type Figures = (Vec<f64>, String);

impl Work {
    fn new(name: &str, program: &Path, arguments: &[&OsStr]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments);
        Self { name: name.to_owned(), command, runs: Vec::new() }
    }

    fn run(&mut self) {
        let output = self.command.output().expect("a program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (figures, stage) = text.split_once('|').unwrap_or((&text, ""));
        let figures = figures.split_whitespace().map(|figure| figure.parse().expect("a figure"));
        self.runs.push((figures.collect(), stage.trim().to_owned()));
    }

    /// The run of the median of the seconds.
    fn median(&self) -> &Figures {
        let mut runs: Vec<&Figures> = self.runs.iter().collect();
        runs.sort_by(|left, right| left.0[1].total_cmp(&right.0[1]));
        runs[runs.len() / 2]
    }

    /// Prints the median, with its ratios to that of `DuckDB`.
    fn print(&self, rows: u64, duckdb: Option<&Figures>) {
        let (figures, stage) = self.median();
        let [combinations, seconds, processor, peak, silence] = figures[..] else { panic!("{figures:?}") };
        println!(
            "  {:<22} {combinations:>10} {seconds:>7.1} s {:>6.1} M rows/s {processor:>7.1} CPU-s {:>7.0} MB {:>5.0} B/combination{}{}",
            self.name,
            rows as f64 / seconds / 1e6,
            peak / 1e6,
            peak / combinations,
            duckdb.map_or_else(String::new, |(duckdb, _)| format!(
                "  {:.2}x the time of DuckDB, {:.2}x its CPU, {:.2}x its memory",
                seconds / duckdb[1],
                processor / duckdb[2],
                peak / duckdb[3]
            )),
            if silence > 0.0 { format!("  asked after {silence:.2} s, {stage}") } else { String::new() },
        );
    }
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
        return load(Path::new(&arguments[index + 1]), &arguments[index + 2]);
    }
    let rows =
        std::env::var("PALMTOP_ROWS").ok().map_or(10_000_000, |rows| rows.parse().expect("a number of rows"));
    let runs = std::env::var("PALMTOP_RUNS").ok().map_or(3, |runs| runs.parse().expect("a number of runs"));
    let kept = std::env::var_os("PALMTOP_FOLDER").map(PathBuf::from);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = kept.as_deref().unwrap_or(folder.path());
    let project = folder.join("project.toml");
    if !project.exists() {
        fs::create_dir_all(folder).expect("a folder");
        million::write(folder, rows, 1);
    }
    let table = folder.join("public.parquet");
    println!(
        "{rows} rows, {:.0} MB of Parquet, median of {runs}",
        table.metadata().expect("a table").len() as f64 / 1e6
    );
    let program = std::env::current_exe().expect("this program");
    let own = WAYS.map(|(way, name)| {
        Work::new(name, &program, &[OsStr::new(LOAD), project.as_os_str(), OsStr::new(way)])
    });
    let mut works = Vec::from(own);
    match std::env::var_os("PALMTOP_DUCKDB") {
        None => println!("  DuckDB is skipped: PALMTOP_DUCKDB names a Python that has it"),
        Some(python) => {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scale/count.py");
            let threads = std::thread::available_parallelism().map_or(1, NonZero::get).to_string();
            let arguments = [script.as_os_str(), table.as_os_str(), OsStr::new(&threads)];
            works.insert(0, Work::new(DUCKDB, Path::new(&python), &arguments));
        }
    }
    match polars() {
        None => println!("  Polars is skipped: PALMTOP_POLARS=1 builds and runs it"),
        Some(program) => {
            for engine in ["streaming", "in-memory"] {
                let arguments = [table.as_os_str(), OsStr::new(engine)];
                works.push(Work::new(&format!("Polars, {engine}"), &program, &arguments));
            }
        }
    }
    for _ in 0..runs {
        works.iter_mut().for_each(Work::run);
    }
    let duckdb = works.iter().find(|work| work.name == DUCKDB).map(Work::median);
    for work in &works {
        work.print(rows, duckdb);
    }
}
