//! Writing, verifying, recording, printing and reporting a release, for `anonymize`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use palmtop::caution::{Judged, NextRelease};
use palmtop::codebook::{Codebook, Mapping};
use palmtop::compatibility::{Command, Feature};
use palmtop::data::write::{self, Disk, Gate, RealDisk, Ward};
use palmtop::history::{self, Accepted, Draft, HistoryError, Recipe, Wrote};
use palmtop::keys;
use palmtop::model::Standing;
use palmtop::package::{self, Package, Paper, WrotePackage};
use palmtop::pipeline::{
    self, Analysis, Export, ExportObserver, ExportOptions, InputFile, PipelineError, ReadRelease, Together,
    Written,
};
use palmtop::release::Release;
use palmtop::search::simulatable;
use palmtop::verify::attacker;
use palmtop::words::plural;
use serde::Serialize;

use super::args::{AcceptArgument, AcceptArguments, WithFile};
use super::cautions;
use super::compose::View;
use super::with::WithFiles;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output;
use palmtop_console::progress::ProgressLine;
use palmtop_console::result::{Delivered, Made, RunResult, members};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use palmtop_console::written::{not_written, say_removed};

/// The output files of a release, and the options of its export.
#[derive(Clone, Debug)]
pub(super) struct Delivery<'a> {
    /// The project as the user named it.
    pub(super) project: &'a str,
    /// The file of the release.
    pub(super) output: PathBuf,
    /// The package that has the file, if the user wants one.
    pub(super) package: Option<NamedPackage>,
    /// The files beside the release.
    pub(super) with: WithFiles,
    /// The file of the history, if it is not the project's.
    pub(super) history: Option<&'a Path>,
    pub(super) force: bool,
    /// What is accepted with a reason.
    pub(super) accepted: &'a AcceptArguments,
    pub(super) format: Format,
    /// The earlier release of `--beside`, if any.
    pub(super) beside: Option<&'a Path>,
    /// Whether the project is a built-in one. A built-in project has no history.
    pub(super) is_practice: bool,
}

/// A package to write.
#[derive(Clone, Debug)]
pub(super) struct NamedPackage {
    /// The name, as a package takes it.
    pub(super) target: PathBuf,
    /// What it has beside the release.
    pub(super) papers: Vec<Paper>,
}

keys! {
/// The result with the facts that are needed to repeat it: version, and the hashes of all inputs.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    /// The run.
    #[serde(flatten)]
    result: &'a RunResult,
    /// The version of palmtop.
    palmtop: &'static str,
    /// The release.
    output: String,
    /// The SHA-256 hash of the release.
    output_sha256: String,
    /// The number of rows of the release.
    rows: u64,
    /// The assumed attacker, in words.
    adversary: String,
    /// The number of people for each text in P's `count` column that is not a number.
    count_texts: BTreeMap<String, u64>,
    /// The input files.
    inputs: Vec<Input>,
}
}

keys! {
/// An input file with its SHA-256 hash, and its number of rows if it is a table.
#[derive(Serialize)]
pub(super) struct Input {
    /// The file.
    path: String,
    /// Its SHA-256 hash.
    sha256: String,
    /// The number of rows; null if it is not a table.
    rows: Option<u64>,
}
}

impl From<&InputFile> for Input {
    fn from(input: &InputFile) -> Self {
        Self { path: input.path.display().to_string(), sha256: input.sha256.clone(), rows: input.rows }
    }
}

impl Delivery<'_> {
    /// Refuses output names that exist already or that are the same file, before any file is read.
    pub(super) fn check_names(&self) -> anyhow::Result<()> {
        self.with.check_release(&self.output)?;
        let output = std::iter::once(("--output".to_owned(), self.output.as_path()));
        let named: Vec<(String, &Path)> = output.chain(self.with.named()).collect();
        for (index, (flag, name)) in named.iter().enumerate() {
            if let Some((other, _)) =
                named[..index].iter().find(|(_, other)| write::is_same_file(name, other))
            {
                return Err(Usage(format!("{flag} and {other} name the same file")).into());
            }
        }
        self.check_through(&self.guard_named(Gate::default()))
    }

    /// Refuses output names that are input files, and pseudonyms that cannot be made, before any
    /// search.
    pub(super) fn check_inputs(&self, analysis: &Analysis) -> anyhow::Result<()> {
        self.check_through(&self.gate(pipeline::export::gate(analysis), analysis.path()))?;
        if !self.is_practice {
            history::tidy(analysis.path());
            // Without it, no caution names earlier releases of T, and this release has no entry.
            let history = history::of_project(analysis.path());
            history.and_then(|history| history.check_taken()).map_err(unreadable_history)?;
        }
        pipeline::pseudonyms::check(analysis).map_err(Into::into)
    }

    /// Refuses output names that the gate protects.
    pub(super) fn check_through(&self, gate: &Gate) -> anyhow::Result<()> {
        if let Some(NamedPackage { target, papers }) = &self.package {
            package::check(gate, target, papers, self.force).map_err(PipelineError::from)?;
            return Ok(());
        }
        for name in std::iter::once(self.output.as_path()).chain(self.with.named().map(|(_, name)| name)) {
            gate.check(name, self.force).map_err(PipelineError::from)?;
        }
        Ok(())
    }

    /// What the package asks of a project.
    pub(super) fn asked(&self) -> Option<Feature> {
        let has_report =
            self.package.iter().flat_map(|package| &package.papers).any(|paper| paper.reader().is_some());
        has_report.then_some(Feature::Command(Command::Report))
    }

    /// Extends the gate of the project's inputs by the other protected files of this delivery.
    pub(super) fn gate(&self, mut gate: Gate, project: &Path) -> Gate {
        if !self.is_practice {
            history::guard(&mut gate, project);
        }
        self.guard_named(gate)
    }

    fn guard_named(&self, mut gate: Gate) -> Gate {
        if let Some(history) = self.history {
            gate.guard(Ward::History, history);
        }
        if let Some(earlier) = self.beside {
            gate.guard(Ward::Input, earlier);
        }
        gate
    }

    /// Writes and verifies the release, writes the report, and then prints the result. So every
    /// printed ✓ is already verified.
    pub(super) fn deliver(
        &self,
        release: &Release,
        made: &Made<'_>,
        draft: Draft,
        earlier: Option<&ReadRelease>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Status> {
        if interrupt.is_asked() {
            return Ok(interrupt.stopped());
        }
        let analysis = made.analysis;
        let reason = draft.reason.as_deref().filter(|_| draft.step.is_none());
        let next = NextRelease {
            recoding: &draft.recipe.recoding,
            delta: release.delta(),
            sitting: draft.step.map(|step| step.sitting),
            file: Some(&self.output),
            reason: self.accepted.looser_delta().or(reason),
        };
        let basis = cautions::Basis::of(analysis)?;
        let judged = basis.judge(analysis, (release, &next), &self.accepted.cautions());
        let made = Made { judged: Some(&judged), ..*made };
        let draft = self.complete(draft, &judged);
        let mut gate = self.gate(pipeline::export::gate(analysis), analysis.path());
        let options =
            ExportOptions { force: self.force, allow_not_present: self.accepted.not_present().is_some() };
        let export = Export { release, target: &self.output, options, earlier };
        let draft = (!self.is_practice).then_some(draft);
        let export = |gate: &mut Gate, observer: &mut ExportObserver| {
            self.export(analysis, export, draft.as_ref(), gate, observer)
        };
        let print = || self.print(&RunResult::of(&made));
        let Some((Wrote { written, both, taken, .. }, list)) =
            self.write(&mut gate, (release.is_present(), &judged), export, &print, interrupt)?
        else {
            return Ok(interrupt.stopped());
        };
        if let Some(message) = history::taken_over(analysis.path(), &taken) {
            say::message(&message);
        }
        let releases: Vec<&ReadRelease> =
            earlier.into_iter().chain(both.as_ref().map(|both| &both.release)).collect();
        let view =
            both.as_ref().map(|both| View::of(analysis, &releases, Together::default(), &both.composition));
        let beside = view.as_ref().map(|view| serde_json::json!(view.result()));
        let delivered = Delivered { written: &written, beside: beside.as_ref() };
        let result = &RunResult::of(&Made { delivered: Some(delivered), ..made });
        say_notes(&written);
        if let Some(list) = list {
            say::message(&format!(
                "{} has each identifier with its pseudonym: it is never sent",
                list.display()
            ));
        }
        let without = |what| {
            let release = written.path.display();
            move || format!("the release {release} was written and verified, its {what} was not")
        };
        if let Some(path) = self.with.path_of(WithFile::Report) {
            let put = self.write_report(&mut gate, analysis, result, &written, path);
            put.with_context(without("report"))?;
        }
        if let Some(path) = self.with.path_of(WithFile::Transcript) {
            self.write_transcript(&mut gate, analysis, path).with_context(without("transcript"))?;
        }
        let codebook = || Ok(Codebook::of_release(analysis, release));
        for (what, path, text) in
            self.with.contents(&written.path, codebook, || Ok(Mapping::of_release(analysis, release)))?
        {
            self.put(&mut gate, path, &text).with_context(without(what))?;
        }
        self.print(result)?;
        if let (Some(view), Format::Table) = (&view, self.format) {
            output::print(&format!("\n{}", view.lines()))?;
        }
        say::line(&format!(
            "{}: {} written and verified{}: presence {} to {}{}, for an attacker who {}",
            written.path.display(),
            rows_written(analysis, &written),
            withdrawn(written.verification.withdrawn),
            written.verification.achieved.min,
            written.verification.achieved.max,
            enforced(release),
            judged.revealing.limit_attacker(&attacker(analysis.notes().added()))
        ));
        cautions::say_others(&judged);
        say_broken(release.standings());
        Ok(Status::of_presence(release.is_present()))
    }

    /// Writes the file, or the package. Returns the release, and the list of pseudonyms if there is one.
    fn export(
        &self,
        analysis: &Analysis,
        export: Export,
        draft: Option<&Draft>,
        gate: &mut Gate,
        observer: &mut ExportObserver,
    ) -> Result<(Wrote, Option<PathBuf>), PipelineError> {
        let to = (gate, &mut RealDisk as &mut dyn Disk);
        let Some(NamedPackage { target, papers }) = &self.package else {
            return Ok((history::write(analysis, export, draft, to, observer)?, None));
        };
        let export = Export { target, ..export };
        let package = Package { export, papers, project: self.project, sitting: None };
        let WrotePackage { wrote, pseudonyms, .. } = package::write(analysis, &package, draft, to, observer)?;
        Ok((wrote, pseudonyms))
    }

    /// Writes and verifies a release; refuses if it has an open severe caution. Returns `None` if a
    /// signal stopped the writing. A release that breaks the policy is refused for that reason
    /// only. If the release is refused, its result is printed first.
    pub(super) fn write<W>(
        &self,
        gate: &mut Gate,
        (is_present, judged): (bool, &Judged),
        export: impl FnOnce(&mut Gate, &mut ExportObserver) -> Result<W, PipelineError>,
        print: &dyn Fn() -> anyhow::Result<()>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<W>> {
        if is_present || self.accepted.not_present().is_some() {
            if let Err(unanswered) = cautions::check(judged) {
                print()?;
                return Err(unanswered.into());
            }
            cautions::ask(judged)?;
        }
        let mut progress = ProgressLine::start("writing", None).with_interrupt(Some(interrupt.clone()));
        let written = export(gate, &mut |stage| progress.observe_stage(&stage));
        drop(progress);
        say_removed(gate);
        match written {
            Ok(written) => Ok(Some(written)),
            Err(PipelineError::Cancelled) => Ok(None),
            Err(error) => {
                // The printed ✗ is correct although no file was written.
                if matches!(error, PipelineError::NotPresent { .. }) && !is_present {
                    print()?;
                }
                Err(error.into())
            }
        }
    }

    /// The draft with the accepted cautions, and with the reasons for a release that breaks the policy
    /// and for a looser δ.
    fn complete(&self, draft: Draft, judged: &Judged) -> Draft {
        let not_present = self.accepted.not_present().map(|reason| Accepted {
            key: AcceptArgument::NOT_PRESENT.to_owned(),
            subject: None,
            reason: reason.to_owned(),
            fact: None,
        });
        Draft {
            accepted: judged.accepted().into_iter().chain(not_present).collect(),
            reason: self.accepted.looser_delta().map(ToOwned::to_owned).or(draft.reason),
            recipe: Recipe { has_earlier_release: self.beside.is_some(), ..draft.recipe },
            ..draft
        }
    }

    fn write_report(
        &self,
        gate: &mut Gate,
        analysis: &Analysis,
        result: &RunResult,
        written: &Written,
        path: &Path,
    ) -> anyhow::Result<()> {
        let report = Report {
            result,
            palmtop: env!("CARGO_PKG_VERSION"),
            output: written.path.display().to_string(),
            output_sha256: palmtop::data::read::hash_file(&written.path)?,
            rows: written.rows,
            adversary: attacker(analysis.notes().added()),
            count_texts: analysis.count_texts(),
            inputs: analysis.inputs().iter().map(Input::from).collect(),
        };
        let mut text = serde_json::to_string_pretty(&serde_json::to_value(&report)?)?;
        text.push('\n');
        self.put(gate, path, &text)
    }

    /// Writes the questions asked of T. It repeats the search, which is deterministic.
    fn write_transcript(&self, gate: &mut Gate, analysis: &Analysis, path: &Path) -> anyhow::Result<()> {
        let problem = analysis.problem();
        let transcript = simulatable::transcript_of(problem).context("the search found nothing")?;
        let text = transcript.text(problem);
        self.put(gate, path, &text)
    }

    /// Writes a further file through the gate.
    pub(super) fn put(&self, gate: &mut Gate, path: &Path, text: &str) -> anyhow::Result<()> {
        let put = gate.put(&mut RealDisk, path, self.force, text.as_bytes());
        say_removed(gate);
        put.map_err(not_written)
    }

    pub(super) fn print(&self, result: &RunResult) -> anyhow::Result<()> {
        result.print(self.format)
    }
}

/// Prints the warnings on formulas in spreadsheets and on the method of the pseudonyms.
pub(super) fn say_notes(written: &Written) {
    if let Some(warning) = written.formulas.warning() {
        say::message(&warning);
    }
    for note in &written.pseudonyms {
        say::message(&note.warning());
    }
}

/// Prints the criteria that a written release breaks.
pub(super) fn say_broken(standings: Vec<Standing>) {
    let broken = standings.into_iter().filter(|standing| !standing.holds).map(|standing| {
        if standing.is_delta() { "is NOT δ-present".to_owned() } else { format!("BREAKS {standing}") }
    });
    let broken: Vec<String> = broken.collect();
    if !broken.is_empty() {
        let broken = broken.join(" and ");
        say::message(&format!("it {broken}; it was written because `--accept not_present` says so"));
    }
}

/// `6 rows`, or `6 rows of 3 people` if people have several rows.
fn rows_written(analysis: &Analysis, written: &Written) -> String {
    let rows = plural(written.rows, "row");
    match analysis.problem().people() {
        None => rows,
        Some(people) => format!("{rows} of {}", plural(people.total().private, "person")),
    }
}

/// `, 24 members withdrawn`, or empty if the number is 0.
fn withdrawn(count: u64) -> String {
    if count == 0 { String::new() } else { format!(", {} withdrawn", members(count)) }
}

/// The enforced criteria other than δ with their results: `, k = 5: achieved 7`.
fn enforced(release: &Release) -> String {
    let standings = release.standings().into_iter();
    let enforced = standings.filter(|standing| !standing.is_delta() && standing.required.is_some());
    enforced.fold(String::new(), |text, standing| text + &format!(", {standing}"))
}

fn unreadable_history(error: HistoryError) -> anyhow::Error {
    anyhow::Error::from(error).context(
        "nothing was searched or written, because a release needs the history of its project: correct the file, or its \
         permissions",
    )
}
