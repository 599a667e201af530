//! `reduce`: caches the reduction of P next to the project.

use palmtop::pipeline::{self, Reduced, Reduction};

use clap::Args;
use palmtop_console::output;
use palmtop_console::progress::ProgressLine;
use palmtop_console::say;
use palmtop_console::status::Status;
use std::path::PathBuf;

/// What `reduce` says, in its help.
const REDUCING: &str = "The command writes the file .NAME.reduced into the folder of NAME.toml. The file holds P's values and \
    combinations with their counts, and nothing of T. It is as sensitive as P: keep it where P is kept, and out of version \
    control. Every command uses the file as long as P's files, and what the project says about them, are the same. If they \
    differ, the command makes the file again. Loading writes the file by itself if reading P took more than 5 seconds. \
    `cache = false` under [public] switches the file off.";

#[derive(Debug, Args)]
#[command(after_help = REDUCING)]
pub(crate) struct ReduceArguments {
    /// The project file.
    pub(crate) project: PathBuf,
}

pub(super) fn run(arguments: &ReduceArguments) -> anyhow::Result<Status> {
    let mut progress = ProgressLine::start("reducing", None);
    let reduced = pipeline::reduce(&arguments.project, &mut |stage| progress.observe_stage(&stage))?;
    drop(progress);
    let Reduced { reduction, rows, combinations } = reduced;
    let what = format!("{rows} rows of P, {combinations} distinct combinations");
    let text = match &reduction {
        Reduction::Made { path, bytes, stale, .. } => {
            if stale.is_some()
                && let Some(message) = reduction.message()
            {
                say::message(&message);
            }
            format!("{what}: {bytes} bytes in {}", path.display())
        }
        Reduction::Used { path, .. } => format!("{what}: {} exists and matches P", path.display()),
        Reduction::Nothing | Reduction::Failed { .. } => unreachable!("a failure is an error"),
    };
    output::print(&format!("{}\n", output::shown(&text)))?;
    Ok(Status::Done)
}
