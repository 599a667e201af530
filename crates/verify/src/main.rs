//! `palmtop-verify PROJECT RELEASE`: recounts a release from the raw tables.
//!
//! An auditor can build this program without the searches, the engine's readers and the terminal: it depends on
//! `palmtop-terms` alone. It reads the project file with the verifier's own reader.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use palmtop_terms::Presence;
use palmtop_terms::words::chain;
use palmtop_verify::{Findings, OtherDelta, TRIAL, VerifySpec, run_trial, set_trial_program, verify};
use serde_json::json;

const HELP: &str = "\
Recounts a written release from the raw tables and says whether it keeps δ.

Usage: palmtop-verify [--delta-min D] [--delta-max D] [--json] PROJECT RELEASE

  PROJECT        the project file
  RELEASE        the release: CSV, Parquet or Arrow
  --delta-min D  δmin, if it is not the one of the project
  --delta-max D  δmax, if it is not the one of the project
  --json         print JSON
  --version      print the version

Exit status: 0 if the release is faithful and keeps all that the project asks for; 3 if it does
not; 1 if an input cannot be read; 2 if the command line is wrong.
";

const VERSION: &str = concat!("palmtop-verify ", env!("CARGO_PKG_VERSION"), "\n");

/// The command line.
#[derive(Debug, Default)]
struct Arguments {
    project: PathBuf,
    release: PathBuf,
    delta: OtherDelta,
    is_json: bool,
}

impl Arguments {
    /// Reads the words of the command line; a text if they ask for it: the help or the version.
    fn read(mut words: impl Iterator<Item = OsString>) -> Result<Result<Self, &'static str>, String> {
        let mut arguments = Self::default();
        let mut files = Vec::new();
        while let Some(word) = words.next() {
            let mut bound = || -> Result<Option<Presence>, String> {
                let text = words.next().ok_or_else(|| format!("{} needs a bound", word.display()))?;
                text.to_string_lossy()
                    .parse()
                    .map(Some)
                    .map_err(|error| format!("{}: {error}", word.display()))
            };
            match word.to_str() {
                Some("-h" | "--help") => return Ok(Err(HELP)),
                Some("-V" | "--version") => return Ok(Err(VERSION)),
                Some("--json") => arguments.is_json = true,
                Some("--delta-min") => arguments.delta.min = bound()?,
                Some("--delta-max") => arguments.delta.max = bound()?,
                Some(option) if option.starts_with("--") => {
                    return Err(format!("there is no option {option}"));
                }
                _ => files.push(PathBuf::from(word)),
            }
        }
        let files: Result<[PathBuf; 2], _> = files.try_into();
        let [project, release] = files.map_err(|_| "expected a project file and a release".to_owned())?;
        Ok(Ok(Self { project, release, ..arguments }))
    }
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let [trial, format, sheet @ ..] = words.as_slice()
        && trial == TRIAL
    {
        let sheet = sheet.first().map(|sheet| sheet.to_string_lossy());
        let tried = run_trial(&format.to_string_lossy(), sheet.as_deref());
        return if tried.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    if let Ok(program) = std::env::current_exe() {
        set_trial_program(program);
    }
    let arguments = match Arguments::read(words.into_iter()) {
        Ok(Ok(arguments)) => arguments,
        Ok(Err(asked)) => return ended(&io::stdout().lock().write_all(asked.as_bytes()), ExitCode::SUCCESS),
        Err(error) => {
            let written = write!(io::stderr().lock(), "palmtop-verify: {}\n\n{HELP}", shown(&error));
            return ended(&written, ExitCode::from(2));
        }
    };
    match run(&arguments) {
        Ok((text, is_good)) => {
            let status = if is_good { ExitCode::SUCCESS } else { ExitCode::from(3) };
            ended(&io::stdout().lock().write_all(text.as_bytes()), status)
        }
        Err(error) => {
            ended(&writeln!(io::stderr().lock(), "palmtop-verify: {}", shown(&error)), ExitCode::FAILURE)
        }
    }
}

/// The status of the program; a result that could not be written is an error.
fn ended(written: &io::Result<()>, status: ExitCode) -> ExitCode {
    match written {
        Ok(()) => status,
        Err(error) => {
            // A message that cannot be written either is ignored.
            let _ = writeln!(io::stderr().lock(), "palmtop-verify: cannot write the result: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The text of the result, and whether it is good.
fn run(arguments: &Arguments) -> Result<(String, bool), String> {
    let spec =
        VerifySpec::of_project(&arguments.project, arguments.delta).map_err(|error| error.to_string())?;
    let findings = verify(&spec, &arguments.release).map_err(|error| chain(&error))?;
    let is_good = findings.is_faithful() && findings.is_present();
    let text = if arguments.is_json {
        format!("{}\n", shown(&object(&findings).to_string()))
    } else {
        lines(&findings, is_good)
    };
    Ok((text, is_good))
}

/// A text that is safe in a terminal: control characters and marks of direction are replaced.
fn shown(text: &str) -> String {
    let is_unsafe = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|character| if is_unsafe(character) { '\u{fffd}' } else { character }).collect()
}

fn lines(findings: &Findings, is_good: bool) -> String {
    let verdict = match (is_good, findings.is_faithful()) {
        (true, _) => "✓ VERIFIED: a faithful release that keeps δ and all other criteria of the project",
        (false, true) => "✗ a faithful release, but it does NOT keep all that the project asks for",
        (false, false) => "✗ NOT a faithful release of T",
    };
    let mut text = format!(
        "{verdict}\nδ          {}\nachieved   ({}, {})\nrows       {} in {} released classes\npeople     {} of T, {} of P\n",
        findings.delta,
        findings.achieved_min,
        findings.achieved_max,
        findings.rows,
        findings.classes,
        findings.private,
        findings.public
    );
    if findings.repeats != (0, 0) {
        let (public, private) = findings.repeats;
        text.push_str(&format!(
            "repeats    {private} rows of T and {public} of P repeat a person and are left out\n"
        ));
    }
    if findings.dropped + findings.added > 0 {
        text.push_str(&format!(
            "not in P   {} of T left out, {} added to P\n",
            findings.dropped, findings.added
        ));
    }
    if findings.left_out != (0, 0) {
        let (public, private) = findings.left_out;
        text.push_str(&format!("no people  {public} rows of P, {private} of T, by the project\n"));
    }
    if findings.withdrawn_at_most > 0 {
        text.push_str(&format!(
            "withdrawn  {} members; at most {} may be\n",
            findings.withdrawn, findings.withdrawn_at_most
        ));
    }
    for outcome in findings.criteria.iter().filter(|outcome| outcome.required.is_some()) {
        let mark = if outcome.holds { "✓" } else { "✗" };
        let required = outcome.required.as_deref().unwrap_or_default();
        let achieved = outcome.achieved.as_deref().unwrap_or("unknown");
        text.push_str(&format!("{mark} {} = {}: {}\n", outcome.criterion, shown(required), shown(achieved)));
    }
    for problem in &findings.problems {
        text.push_str(&format!("✗ {}\n", shown(&problem.to_string())));
    }
    text.push_str(&format!("holds for  {}\n", shown(&findings.attacker())));
    if is_good {
        text.push_str("This is a recount of δ and the policy. `palmtop verify` also lists cautions: read them before you sign.\n");
    }
    text
}

fn object(findings: &Findings) -> serde_json::Value {
    let criteria = findings.criteria.iter().map(|outcome| {
        json!({ "criterion": outcome.criterion, "required": outcome.required, "achieved": outcome.achieved, "holds": outcome.holds })
    });
    json!({
        "faithful": findings.is_faithful(),
        "present": findings.is_faithful() && findings.is_present(),
        "delta": { "min": findings.delta.min().to_string(), "max": findings.delta.max().to_string() },
        "achieved": { "min": findings.achieved_min.to_string(), "max": findings.achieved_max.to_string() },
        "criteria": criteria.collect::<Vec<_>>(),
        "rows": findings.rows,
        "released_classes": findings.classes,
        "private": findings.private,
        "public": findings.public,
        "dropped": findings.dropped,
        "added": findings.added,
        "public_rows_left_out": findings.left_out.0,
        "private_rows_left_out": findings.left_out.1,
        "unmatched": findings.unmatched,
        "suppressed": findings.withdrawn,
        "suppressed_at_most": findings.withdrawn_at_most,
        "problems": findings.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "adversary": findings.attacker(),
    })
}
