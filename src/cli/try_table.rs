//! The trial of a table's bytes, in a child process: both readers at once, either of which may break down.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use palmtop::data::trial;
use palmtop::verify;

use super::Status;
use palmtop_console::output::print_raw;

/// How long the parent hears nothing at most.
const SILENCE: Duration = Duration::from_millis(50);

/// The stack of a process's first thread, which a decoder may need.
const STACK: usize = 8 << 20;

/// Reads what comes from stdin with both readers, and shows meanwhile that it lives.
pub(super) fn run(format: &str, sheet: Option<&str>) -> anyhow::Result<Status> {
    let bytes = trial::bytes()?;
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(SILENCE) == Err(RecvTimeoutError::Timeout) {
                // A parent that is gone is not waited for.
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
