//! `reduce`: caches the reduction of P next to the project.

use palmtop::pipeline::{self, Reduced, Reduction};

use super::args::ReduceArguments;
use palmtop_console::output;
use palmtop_console::progress::ProgressLine;
use palmtop_console::say;
use palmtop_console::status::Status;

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
