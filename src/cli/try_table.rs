//! A trial of a table's bytes in a child process. Both readers run at once, and each of them may
//! crash.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clap::Args;
use palmtop::data::trial;
use palmtop::verify;

use super::Status;
use palmtop_console::output::print_raw;

/// The longest time without a sign of life to the parent.
const SILENCE: Duration = Duration::from_millis(50);

/// The stack size of a process's first thread, in bytes. A decoder may need that much.
const STACK: usize = 8 << 20;

#[derive(Debug, Args)]
pub(crate) struct TryTableArguments {
    /// `parquet`, `arrow`, `xlsx` or `xls`.
    format: String,
    /// The sheet of a workbook; by default every sheet.
    #[arg(long)]
    sheet: Option<String>,
}

/// Reads the bytes from stdin with both readers, and meanwhile prints a dot at each interval.
pub(super) fn run(TryTableArguments { format, sheet }: &TryTableArguments) -> anyhow::Result<Status> {
    let sheet = sheet.as_deref();
    let bytes = trial::bytes()?;
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
                // The parent has ended, so no more dots are needed.
                if print_raw(".").is_err() {
                    break;
                }
            }
        });
        let copy = bytes.clone();
        let verifier = thread::Builder::new().stack_size(STACK);
        let verifier = verifier.spawn_scoped(scope, || verify::try_typed(format, sheet, copy))?;
        let read = trial::run(format, sheet, bytes);
        let tried = verifier.join();
        drop(done);
        read?;
        tried.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Status::Done)
    })
}
