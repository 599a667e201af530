//! The beginning and the end of a program: panics, the answers of clap, and the exit status.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::hint::black_box;
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::status::Status;
use crate::{output, say};

/// Runs a program: prints its error, if it ends with one, and turns its end into an exit status.
pub fn run(
    program: impl FnOnce() -> anyhow::Result<Status>,
    status_of: impl FnOnce(&anyhow::Error) -> Status,
) -> ExitCode {
    panic::set_hook(Box::new(tell_where));
    keep_freed_memory();
    match program() {
        Ok(status) => status.into(),
        Err(error) => {
            say::error(&error, &message_of(&error));
            status_of(&error).into()
        }
    }
}

/// Lets the allocator of glibc keep freed memory of up to 64 MB, instead of giving each block of a table
/// back to the system and clearing a new one for the next rows (`man mallopt`, `M_MMAP_THRESHOLD`): it
/// follows the largest block up to 32 MB that was freed. Other allocators do nothing here.
fn keep_freed_memory() {
    const MOST: usize = (32 << 20) - (64 << 10);
    drop(black_box(Vec::<u8>::with_capacity(MOST)));
}

/// The chain of causes, once. If a file is missing, it also says what to do.
fn message_of(error: &anyhow::Error) -> String {
    let is_missing = |cause: &(dyn std::error::Error + 'static)| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::NotFound && cause.raw_os_error().is_some())
    };
    let message = format!("{error:#}");
    match message.rsplit_once(" (os error ") {
        Some((message, number)) if number.ends_with(')') && error.chain().any(is_missing) => format!(
            "{message}; check the name and the folder: a path on the command line starts at the current folder, \
             and a path in a project at the project's"
        ),
        _ => message,
    }
}

/// Prints the answer of clap: help and the version on stdout, a wrong command line on stderr. An error quotes the command
/// line, so it is escaped and has no colours.
pub fn answered(answer: &clap::Error) -> anyhow::Result<Status> {
    if matches!(answer.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        output::is_written(answer.print())?;
        return Ok(Status::Done);
    }
    let text = answer.render().to_string();
    if say::is_json() {
        // Without the usage and the hints at the help, which are for a person.
        let end = ["\n\nUsage:", "\n\nFor more information"].iter().filter_map(|hint| text.find(hint)).min();
        let what = text[..end.unwrap_or(text.len())].trim_start_matches("error: ").trim_end();
        say::error(&anyhow::anyhow!("{what}"), what);
    } else {
        say::line(&text);
    }
    Ok(Status::Usage)
}

/// Prints the position of a panic, but not its text, which may contain rows of a table. A failure to print is ignored.
fn tell_where(panic: &PanicHookInfo) {
    // A library panicked on a damaged file. The reader catches this panic and reports an error of the file.
    if palmtop_tables::panics_are_caught() || palmtop_verify::panics_are_caught() {
        return;
    }
    let location = panic.location().map(|location| format!(" at {location}")).unwrap_or_default();
    let backtrace = Backtrace::capture();
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "palmtop: an internal error{location}; this is a bug in palmtop");
    if backtrace.status() == BacktraceStatus::Captured {
        let _ = writeln!(stderr, "{backtrace}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn missing_file_is_named_with_a_remedy() {
        let read =
            |name: &str| std::fs::read(name).with_context(|| format!("cannot read {name}")).unwrap_err();
        let message = message_of(&read("no-such-file.csv"));
        assert!(
            message.starts_with("cannot read no-such-file.csv: ")
                && message.contains("; check the name and the folder"),
            "{message}"
        );
        assert!(!message.contains("os error"), "{message}");
        assert_eq!(message_of(&anyhow::anyhow!("a count is 0 (os error 2)")), "a count is 0 (os error 2)");
        let other = message_of(&read("."));
        assert!(!other.contains("check the name"), "{other}");
    }
}
