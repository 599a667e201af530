//! `verify`: re-reads a written release and recounts it from the raw tables.

use std::io::Write;

use palmtop::pipeline;
use palmtop::verify::{ADVERSARY, Findings};
use serde_json::json;

use super::args::{Format, VerifyArguments};
use super::load::ProjectFile;
use super::output::{self, Rows};
use super::result::Bounds;
use super::status::Status;

/// Runs the command.
pub(super) fn run(arguments: &VerifyArguments) -> anyhow::Result<Status> {
    let file = ProjectFile::find(&arguments.project)?;
    let findings = pipeline::verify_file(&file.path, &(&arguments.delta).into(), &arguments.release)?;
    match arguments.format {
        Format::Json => output::print_json(&object(&findings))?,
        Format::Csv => rows(&findings).print_csv()?,
        Format::Table => output::print(&text(&findings))?,
    }
    tell_details(&findings);
    Ok(Status::of_presence(findings.is_faithful() && findings.is_present()))
}

/// Tells the values that the problems are about, on stderr: they are T's, and no result. Nobody may be left to read them.
fn tell_details(findings: &Findings) {
    let mut stderr = std::io::stderr().lock();
    for problem in &findings.problems {
        if let Some(details) = problem.details() {
            let _ = writeln!(stderr, "{}", output::shown(&format!("{problem}: {details}")));
        }
    }
}

fn problems(findings: &Findings) -> Vec<String> {
    findings.problems.iter().map(ToString::to_string).collect()
}

fn object(findings: &Findings) -> serde_json::Value {
    json!({
        "faithful": findings.is_faithful(),
        "present": findings.is_faithful() && findings.is_present(),
        "delta": Bounds::from(findings.delta),
        "achieved": { "min": findings.achieved_min.to_string(), "max": findings.achieved_max.to_string() },
        "rows": findings.rows,
        "released_classes": findings.classes,
        "public": findings.public,
        "private": findings.private,
        "unmatched": findings.unmatched,
        "problems": problems(findings),
        "adversary": ADVERSARY,
    })
}

fn rows(findings: &Findings) -> Rows {
    let cells = [
        ("faithful", findings.is_faithful().to_string()),
        ("present", (findings.is_faithful() && findings.is_present()).to_string()),
        ("delta_min", findings.delta.min().to_string()),
        ("delta_max", findings.delta.max().to_string()),
        ("achieved_min", findings.achieved_min.to_string()),
        ("achieved_max", findings.achieved_max.to_string()),
        ("rows", findings.rows.to_string()),
        ("released_classes", findings.classes.to_string()),
        ("unmatched", findings.unmatched.to_string()),
        ("problems", problems(findings).join("; ")),
    ];
    let (header, row) = cells.into_iter().map(|(name, value)| (name.to_owned(), value)).unzip();
    Rows { header, lines: vec![row], numbers_from: 0 }
}

fn text(findings: &Findings) -> String {
    let verdict = match (findings.is_faithful(), findings.is_present()) {
        (true, true) => "✓ a faithful release, δ-present",
        (true, false) => "✗ a faithful release, but NOT δ-present",
        (false, _) => "✗ NOT a faithful release of the private table",
    };
    let mut text = format!(
        "{verdict}\n\
         δ          {} to {}\n\
         achieved   {} to {}\n\
         rows       {} in {} released classes\n\
         public     {} people, {} of whom match no released row\n\
         adversary  {ADVERSARY}\n",
        findings.delta.min(),
        findings.delta.max(),
        findings.achieved_min,
        findings.achieved_max,
        findings.rows,
        findings.classes,
        findings.public,
        findings.unmatched
    );
    for problem in problems(findings) {
        text.push_str(&format!("✗ {}\n", output::shown(&problem)));
    }
    text
}
