//! Recounts a written release from the raw tables:
//!
//! `cargo run --example verify -- sample-data/google/google.toml sample-data/google/release.csv`.

use std::path::PathBuf;

use palmtop::pipeline::{Overrides, verify_file};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(project), Some(release)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("expected a project and a release");
    };
    let findings = verify_file(&project, &Overrides::default(), &release)?;
    for problem in &findings.problems {
        println(&problem.to_string());
    }
    println(&format!(
        "faithful: {}, satisfies the policy: {}, presence {} to {}",
        findings.is_faithful(),
        findings.is_present(),
        findings.achieved_min,
        findings.achieved_max
    ));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "what an example is for")]
fn println(line: &str) {
    println!("{line}");
}
