//! Decodes a file in a process that may crash: a damaged length can make a library ask for more memory than exists, which ends
//! the process.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::guard::broken;
use super::sheet;
use super::typed::{Typed, TypedFormat};
use crate::problems::Stop;
use crate::problems::VerifyError;

/// The first word of the command line of a trial; the format and the sheet follow.
pub const TRIAL: &str = "--try-table";

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that decodes each file first, by [`run_trial`]. A caller that has tried its files sets none.
pub fn set_trial_program(program: PathBuf) {
    // The first program stays.
    let _ = PROGRAM.set(program);
}

/// Lets the program of trials decode the bytes of a file.
pub(crate) fn check(path: &Path, format: &str, sheet: Option<&str>, bytes: &[u8]) -> Result<(), VerifyError> {
    match PROGRAM.get().map(|program| decode(program, format, sheet, bytes)) {
        // An error that the process could report is reported by the reader.
        Some(Ok(status)) if status.code().is_none() => {
            Err(broken(path, "the file is damaged: the library that decodes it ended the process"))
        }
        // Without a process there is no trial.
        _ => Ok(()),
    }
}

fn decode(program: &Path, format: &str, sheet: Option<&str>, bytes: &[u8]) -> io::Result<ExitStatus> {
    let mut process = Command::new(program)
        .args([TRIAL, format])
        .args(sheet)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = process.stdin.take() {
        // A process that has ended reads no more.
        let _ = stdin.write_all(bytes);
    }
    process.wait()
}

/// Runs a trial of the bytes from stdin, with a limit of memory that is far above what a sound file needs.
///
/// # Errors
/// A [`VerifyError`] if the bytes are no table.
pub fn run_trial(format: &str, sheet: Option<&str>) -> Result<(), VerifyError> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(VerifyError::io(Path::new("stdin")))?;
    let most = (4_u64 << 30).saturating_add((bytes.len() as u64).saturating_mul(64));
    // Where there is no such limit, that of the system ends the process.
    let _ = setrlimit(Resource::As, Rlimit { current: Some(most), maximum: Some(most) });
    try_typed(format, sheet, bytes)
}

/// Decodes all readable columns of a Parquet (`parquet`) or Arrow (`arrow`) file, or one sheet of a workbook, or all sheets. It
/// makes the same library calls as a verification; the work on decoded cells cannot crash.
///
/// # Errors
/// The errors that a verification of the table returns.
pub fn try_typed(format: &str, sheet: Option<&str>, bytes: Vec<u8>) -> Result<(), VerifyError> {
    let path = Path::new("stdin");
    let format = match format {
        "parquet" => TypedFormat::Parquet,
        "arrow" => TypedFormat::Ipc,
        book => return sheet::attempt(book, sheet, &bytes),
    };
    let typed = Typed::of(path, format, bytes)?;
    let columns = typed.readable_columns();
    if columns.is_empty() {
        return Err(broken(path, "none of its columns can be read"));
    }
    typed.visit_waves(path, &columns, &|_| (), &Stop::default(), &mut |wave| {
        wave.into_iter().flat_map(|slice| slice.made).collect()
    })
}
