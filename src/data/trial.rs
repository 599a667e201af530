//! A Parquet or Arrow file or a workbook is read by a child process first: a damaged length in it can make the library ask for more memory
//! than there is, which ends a process whatever it catches. Better the child's than ours.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::error::DataError;
use super::part;
use super::sheet;
use super::source::{Format, TableSpec};
use super::typed::Typed;

/// The hidden command of the program that runs a trial.
pub const COMMAND: &str = "try-table";

/// The program that knows the command; a library without it goes without trials.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program runs trials: palmtop itself. Only the first call counts.
pub fn set_program(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// Lets a child process read a file's bytes as we are about to; of a workbook the sheet of this name, or every one.
///
/// # Errors
/// [`DataError::Polars`] where the child did not live to its end.
pub(super) fn check(path: &Path, format: Format, sheet: Option<&str>, bytes: &[u8]) -> Result<(), DataError> {
    // Where no child can be had there is no trial.
    let Some(Ok(status)) = PROGRAM.get().map(|program| read_in_child(program, format, sheet, bytes)) else {
        return Ok(());
    };
    // What the child can tell as an error is told better here.
    if status.code().is_some() {
        return Ok(());
    }
    let detail = "it is damaged: the library that reads it broke down over it".to_owned();
    Err(DataError::Polars { path: path.to_owned(), detail })
}

fn read_in_child(
    program: &Path,
    format: Format,
    sheet: Option<&str>,
    bytes: &[u8],
) -> io::Result<ExitStatus> {
    let mut child = Command::new(program)
        .args([COMMAND, format.as_str()])
        // A sheet may be called as an option is.
        .args(sheet.map(|sheet| format!("--sheet={sheet}")))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A child that is gone already reads no more.
        let _ = stdin.write_all(bytes);
    }
    child.wait()
}

/// Lets a child process read the files of a table that somebody else is about to read; CSV needs no trial.
///
/// # Errors
/// [`DataError::Polars`] where the child did not live to its end, [`DataError::Io`] where a file cannot be read.
pub fn check_files(table: &TableSpec) -> Result<(), DataError> {
    for path in &table.paths {
        if let Some(format) = Format::of(path).filter(|format| *format != Format::Text) {
            let (bytes, _) = part::read_whole(path)?;
            check(path, format, table.sheet.as_deref(), &bytes)?;
        }
    }
    Ok(())
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

/// The trial itself, in the child: reads every column of a file that can be read. `verify` has its own reader, and its own
/// trial of the same bytes.
///
/// # Errors
/// As reading the table does.
pub fn run(format: &str, sheet: Option<&str>, bytes: Vec<u8>) -> Result<(), DataError> {
    let path = Path::new("stdin");
    match Format::of(Path::new(&format!("table.{format}"))) {
        Some(format @ (Format::Parquet | Format::Ipc)) => {
            let typed = Typed::new(path, format, bytes)?;
            let columns: Vec<&str> = typed.columns().filter(|column| typed.is_readable(column)).collect();
            typed.visit(&columns, 0, &mut |_, _| Ok(true))
        }
        Some(format @ (Format::Xlsx | Format::Xls | Format::Ods)) => {
            sheet::attempt(path, format, &bytes, sheet)
        }
        Some(Format::Text) | None => Err(DataError::UnknownFormat { path: PathBuf::from(format) }),
    }
}
