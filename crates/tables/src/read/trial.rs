//! A Parquet or Arrow file or a workbook is read by a child process first: a damaged length in it can make the library ask for more memory
//! than there is, which ends a process whatever it catches. Better the child's than ours.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::bytes::read_whole;
use super::sheet;
use super::typed::{Typed, stride};
use crate::error::DataError;
use crate::source::spec::{Format, TableSpec};
use crate::source::watch;
use palmtop_core::progress::{Cancelled, Meter, unwatched};

/// The hidden command of the program that runs a trial.
pub const COMMAND: &str = "try-table";

/// The program that knows the command; a library without it goes without trials.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program runs trials: palmtop itself. Only the first call counts.
pub fn set_program(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// Lets a child process read a file's bytes as we are about to; of a workbook the sheet of this name, or every one. The meter is asked
/// all the while, and told nothing.
///
/// # Errors
/// [`DataError::Polars`] where the child did not live to its end, [`DataError::Cancelled`] where the meter says stop.
pub(crate) fn check(
    path: &Path,
    format: Format,
    sheet: Option<&str>,
    bytes: &[u8],
    meter: &mut Meter,
) -> Result<(), DataError> {
    let status = match PROGRAM.get().map(|program| read_in_child(program, format, sheet, bytes, meter)) {
        Some(Ok(status)) => status,
        Some(Err(error)) if watch::is_cancelled(&error) => return Err(DataError::Cancelled),
        // Where no child can be had there is no trial.
        Some(Err(_)) | None => return Ok(()),
    };
    // What the child can tell as an error is told better here.
    if status.code().is_some() {
        return Ok(());
    }
    let detail = "it is damaged: the library that reads it broke down over it".to_owned();
    Err(DataError::Polars { path: path.to_owned(), detail })
}

/// How many bytes the child is given between two looks at the meter.
const STRIDE: usize = 1 << 20;

fn read_in_child(
    program: &Path,
    format: Format,
    sheet: Option<&str>,
    bytes: &[u8],
    meter: &mut Meter,
) -> io::Result<ExitStatus> {
    let mut child = Command::new(program)
        .args([COMMAND, format.as_str()])
        // A sheet may be called as an option is.
        .args(sheet.map(|sheet| format!("--sheet={sheet}")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if talk(&mut child, bytes, meter).is_break() {
        // It may have ended by itself.
        let _ = child.kill();
        child.wait()?;
        return Err(io::Error::other(Cancelled));
    }
    child.wait()
}

/// Gives the child its bytes and listens until it is done: it shows every now and then that it lives.
fn talk(child: &mut Child, bytes: &[u8], meter: &mut Meter) -> ControlFlow<()> {
    if let Some(mut stdin) = child.stdin.take() {
        for chunk in bytes.chunks(STRIDE) {
            meter(0)?;
            // A child that is gone already reads no more.
            if stdin.write_all(chunk).is_err() {
                break;
            }
        }
    }
    if let Some(mut stdout) = child.stdout.take() {
        let mut sign = [0];
        while matches!(stdout.read(&mut sign), Ok(1..)) {
            meter(0)?;
        }
    }
    ControlFlow::Continue(())
}

/// Lets a child process read the files of a table that somebody else is about to read; CSV needs no trial. Answers the SHA-256 of
/// each file that was tried.
///
/// # Errors
/// [`DataError::Polars`] where the child did not live to its end, [`DataError::Io`] where a file cannot be read.
pub fn check_files(table: &TableSpec) -> Result<Vec<String>, DataError> {
    let mut tried = Vec::new();
    for path in &table.paths {
        if let Some(format) = Format::of(path).filter(|format| *format != Format::Text) {
            let (bytes, sha256) = read_whole(path, &mut unwatched)?;
            check(path, format, table.sheet.as_deref(), &bytes, &mut unwatched)?;
            tried.push(sha256);
        }
    }
    Ok(tried)
}

/// Lets a child process read a release that somebody else is about to read; CSV needs no trial.
///
/// # Errors
/// As [`check_files`].
pub fn check_release(path: &Path) -> Result<(), DataError> {
    check_files(&TableSpec::of(path.to_owned())).map(drop)
}

/// What the child is given, with its memory limited to what honest files need and far more: the bytes of a file.
///
/// # Errors
/// [`DataError::Io`] where stdin cannot be read.
pub fn bytes() -> Result<Vec<u8>, DataError> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(DataError::io("read", Path::new("stdin")))?;
    let most = (4_u64 << 30).saturating_add((bytes.len() as u64).saturating_mul(64));
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    let _ = setrlimit(Resource::As, limit);
    Ok(bytes)
}

/// The trial itself, in the child: decodes every column of a file that can be read. What is done with decoded cells breaks nothing down.
/// `verify` has its own reader, and its own trial of the same bytes.
///
/// # Errors
/// As reading the table does.
pub fn run(format: &str, sheet: Option<&str>, bytes: Vec<u8>) -> Result<(), DataError> {
    let path = Path::new("stdin");
    match Format::of(Path::new(&format!("table.{format}"))) {
        Some(format @ (Format::Parquet | Format::Ipc)) => {
            let typed = Typed::new(path, format, bytes)?;
            let columns: Vec<&str> = typed.columns().filter(|column| typed.is_readable(column)).collect();
            typed.visit(&columns, 0, stride(columns.len()), &mut |_| Ok(true))
        }
        Some(format @ (Format::Xlsx | Format::Xls | Format::Ods)) => {
            sheet::attempt(path, format, &bytes, sheet)
        }
        Some(Format::Text) | None => Err(DataError::UnknownFormat { path: PathBuf::from(format) }),
    }
}
