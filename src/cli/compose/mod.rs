//! `compose`: computes what several releases of one table reveal together.

mod view;

use std::path::Path;

use palmtop::compatibility::{Command, Feature};
use palmtop::compose::{Change, Composition};
use palmtop::data::write::{RealDisk, Ward};
use palmtop::history;
use palmtop::pipeline::{self, Analysis, PipelineError, ReadRelease, Together};

use super::args::{ChangeArgument, DeltaArguments};
use super::load::{self, ProjectFile};
use clap::Args;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use palmtop_console::written::{not_written, say_removed};
use std::path::PathBuf;

/// What `compose` says, in its help.
const COMPOSING: &str = "Bounds hold for every prior belief. Expectations assume the uniform prior: all T of this size are \
    equally likely, or with --change added|removed all chains of T. If T changed in any other way, the releases cannot be \
    combined: judge each with `classes` and `verify`.\n\n\
    Exit status: 0 nobody is outside δ, by bounds or by expectation; 3 somebody is; 1 an error, for example if no T gives all \
    of the releases.";

#[derive(Debug, Args)]
#[command(after_long_help = COMPOSING)]
pub(crate) struct ComposeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The written releases, at least two, in the order in which they were made.
    #[arg(required = true, num_args = 2.., value_name = "RELEASE")]
    pub(crate) releases: Vec<PathBuf>,
    /// How T may have changed from each release to the next.
    #[arg(long, value_enum, value_name = "C", default_value_t)]
    pub(crate) change: ChangeArgument,
    /// Also write the combinations of P whose people are outside δ, with what can be inferred, as CSV.
    ///
    /// This file is for you only.
    #[arg(short = 'o', long = "output", value_name = "FILE.csv")]
    pub(crate) people: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[cfg(test)]
pub(super) use view::ComposeResult;
pub(super) use view::View;

impl From<ChangeArgument> for Change {
    fn from(change: ChangeArgument) -> Self {
        match change {
            ChangeArgument::Same => Self::Same,
            ChangeArgument::Added => Self::Added,
            ChangeArgument::Removed => Self::Removed,
        }
    }
}

pub(super) fn run(arguments: &ComposeArguments) -> anyhow::Result<Status> {
    if arguments.format == Format::Csv {
        return Err(Usage(
            "compose has no --format csv; -o FILE.csv writes the people outside δ as CSV".to_owned(),
        )
        .into());
    }
    let interrupt = Interrupt::watch()?;
    match composed(arguments, &interrupt) {
        Err(error) if matches!(error.downcast_ref(), Some(PipelineError::Cancelled)) => {
            Ok(interrupt.stopped())
        }
        status => status,
    }
}

fn composed(arguments: &ComposeArguments, interrupt: &Interrupt) -> anyhow::Result<Status> {
    let file = ProjectFile::find(&arguments.project)?;
    let asked = [Feature::Command(Command::Compose)];
    let analysis = load::watched((&file, &(&arguments.delta).into()), &asked, Some(interrupt.clone()))?;
    let mut gate = pipeline::export::gate(&analysis);
    history::guard(&mut gate, analysis.path());
    arguments.releases.iter().for_each(|release| gate.guard(Ward::Input, release));
    if let Some(people) = &arguments.people {
        gate.check(people, arguments.force).map_err(PipelineError::from)?;
    }
    let releases = arguments.releases.iter().map(|path| read(&analysis, path, interrupt));
    let releases: Vec<ReadRelease> = releases.collect::<Result<_, _>>()?;
    let together = Together { change: arguments.change.into(), ..Together::default() };
    let all: Vec<&ReadRelease> = releases.iter().collect();
    let composition = compose(&analysis, &all, together, interrupt)?;
    let view = View::of(&analysis, &all, together, &composition);
    if let Some(path) = &arguments.people {
        let rows = view.people().to_csv();
        gate.put(&mut RealDisk, path, arguments.force, rows.as_bytes()).map_err(not_written)?;
        say_removed(&mut gate);
    }
    view.print(arguments.format)?;
    // The problem of a file may be printed. The values behind it are T's and are not printed.
    for release in releases.iter().filter(|release| !release.is_faithful()) {
        let first = release.findings.problems.first().map(ToString::to_string).unwrap_or_default();
        say::message(&format!(
            "{} is not a faithful release of the present T: {first}",
            release.path.display()
        ));
    }
    Ok(Status::of_presence(view.holds()))
}

/// Reads a written release with a progress line.
pub(super) fn read(
    analysis: &Analysis,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<ReadRelease, PipelineError> {
    let mut progress =
        ProgressLine::start("reading the releases", None).with_interrupt(Some(interrupt.clone()));
    let total = pipeline::reading::rows_to_recount(analysis);
    pipeline::reading::read_watched(analysis, path, &mut |done| {
        progress.observe_count(done.min(total), total)
    })
}

/// Composes releases with a progress line.
pub(super) fn compose(
    analysis: &Analysis,
    releases: &[&ReadRelease],
    together: Together,
    interrupt: &Interrupt,
) -> Result<Composition, PipelineError> {
    let mut progress = ProgressLine::start("compose", None).with_interrupt(Some(interrupt.clone()));
    let total = analysis.problem().histogram().len() as u64;
    pipeline::together::of_releases(analysis, releases, together, &mut |done| {
        progress.observe_count(done, total)
    })
}
