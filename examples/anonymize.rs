//! From a project to a verified file:
//!
//! `cargo run --example anonymize -- sample-data/paper/paper.toml release.csv`.

use std::path::PathBuf;

use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::search::{Config, Strategy};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(project), Some(target)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("expected a project and the file to write");
    };
    let analysis = Analysis::load(&project, &Overrides::default())?;
    let problem = analysis.problem();
    // With 100 rounds instead of a time limit, every machine writes the same file.
    let config = Config { rounds: Some(100), ..Config::default() };
    let found = analysis.search(problem, Strategy::Best, &config, &mut unwatched);
    let Some(release) = found.release else {
        anyhow::bail!("no release satisfies the policy: {:?}", found.report.stop);
    };
    // The file is written without a name, recounted from the raw tables, and gets its name last.
    let written = pipeline::export::write(&analysis, &release, &target, ExportOptions::default())?;
    let achieved = &written.verification.achieved;
    anyhow::ensure!(release.is_present(), "what was found keeps the policy");
    println(&format!("{} rows, presence {} to {}", written.rows, achieved.min, achieved.max));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "what an example is for")]
fn println(line: &str) {
    println!("{line}");
}
