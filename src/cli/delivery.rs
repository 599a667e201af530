//! What `anonymize` and `replay` do with a release: it is written, verified, printed, and reported.

use std::path::Path;

use anyhow::Context;
use palmtop::data::write::{self, RealDisk, WriteError};
use palmtop::pipeline::{Analysis, ExportOptions, InputFile, PipelineError, Written};
use palmtop::release::Release;
use palmtop::verify::ADVERSARY;
use serde::Serialize;

use super::args::Format;
use super::interrupt::Interrupt;
use super::output;
use super::progress::Progress;
use super::result::{RunResult, compared_columns};
use super::status::{Status, Usage};

/// Where a release goes, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery<'a> {
    pub(super) output: &'a Path,
    pub(super) report: Option<&'a Path>,
    pub(super) options: ExportOptions,
    pub(super) format: Format,
}

/// The result with what makes it repeatable: versions, and the hashes of all inputs.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    result: &'a RunResult,
    palmtop: &'static str,
    output: String,
    output_sha256: String,
    rows: u64,
    adversary: &'static str,
    inputs: Vec<Input>,
}

#[derive(Serialize)]
struct Input {
    path: String,
    sha256: String,
    rows: Option<u64>,
}

impl Delivery<'_> {
    /// Refuses a taken name before the search rather than after it.
    pub(super) fn check_names(&self) -> anyhow::Result<()> {
        self.refuse_taken(self.output)?;
        if let Some(report) = self.report {
            if report == self.output {
                return Err(Usage("--report and --output name the same file".to_owned()).into());
            }
            self.refuse_taken(report)?;
        }
        Ok(())
    }

    fn refuse_taken(&self, path: &Path) -> anyhow::Result<()> {
        if !self.options.force && path.symlink_metadata().is_ok() {
            return Err(PipelineError::Exists { path: path.to_owned() }.into());
        }
        Ok(())
    }

    /// Writes and verifies a release, prints its result, and writes the report.
    pub(super) fn deliver(
        &self,
        analysis: &Analysis,
        release: &Release,
        result: &RunResult,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Status> {
        if interrupt.is_asked() {
            return Ok(stopped(interrupt));
        }
        let mut progress = Progress::start("writing", None).with_interrupt(Some(interrupt.clone()));
        let written = analysis
            .export_watched(release, self.output, self.options, &mut |stage| progress.observe_stage(&stage));
        drop(progress);
        if matches!(written, Err(PipelineError::Cancelled)) {
            return Ok(stopped(interrupt));
        }
        self.print(result)?;
        let written = written?;
        if let Some(path) = self.report {
            write_report(analysis, result, &written, path, self.options.force).with_context(|| {
                format!("the release {} was written and verified, its report was not", written.path.display())
            })?;
        }
        eprintln!(
            "{}: {} rows written and verified: presence {} to {}, for an adversary who {ADVERSARY}",
            written.path.display(),
            written.rows,
            written.verification.achieved.min,
            written.verification.achieved.max
        );
        if !release.is_present() {
            eprintln!("palmtop: it is NOT δ-present; it was written because --allow-not-present says so");
        }
        Ok(Status::of_presence(release.is_present()))
    }

    /// Prints a result.
    pub(super) fn print(&self, result: &RunResult) -> anyhow::Result<()> {
        match self.format {
            Format::Json => output::print_json(result),
            Format::Table => output::print(&result.lines()),
            Format::Csv => {
                let lines = vec![result.cells()];
                output::Rows { header: compared_columns(), lines, numbers_from: 0 }.print_csv()
            }
        }
    }
}

/// Says that a signal came before anything was written.
pub(super) fn stopped(interrupt: &Interrupt) -> Status {
    eprintln!("palmtop: stopped by a signal; nothing was written");
    interrupt.signal().map_or(Status::Error, Status::Signal)
}

fn write_report(
    analysis: &Analysis,
    result: &RunResult,
    written: &Written,
    path: &Path,
    force: bool,
) -> anyhow::Result<()> {
    let input = |input: &InputFile| Input {
        path: input.path.display().to_string(),
        sha256: input.sha256.clone(),
        rows: input.rows,
    };
    let report = Report {
        result,
        palmtop: env!("CARGO_PKG_VERSION"),
        output: written.path.display().to_string(),
        output_sha256: palmtop::data::read::hash_file(&written.path)?,
        rows: written.rows,
        adversary: ADVERSARY,
        inputs: analysis.inputs().iter().map(input).collect(),
    };
    let mut text = serde_json::to_string_pretty(&report)?;
    text.push('\n');
    let unchecked = |_: &Path| Ok::<(), std::convert::Infallible>(());
    write::write_whole(&mut RealDisk, path, force, text.as_bytes(), unchecked).map_err(|error| match error {
        WriteError::Disk(error) => anyhow::Error::new(error),
        other => anyhow::Error::msg(other.to_string()),
    })
}
