//! Reads a Parquet file, an Arrow file or a workbook in a child process first. A damaged length can
//! make the library request more memory than exists, which ends the process. A child process
//! protects ours.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::bytes::read_all;
use super::sheet;
use super::typed::Typed;
use crate::error::DataError;
use crate::source::spec::{Format, TableSpec};
use crate::source::watch;
use palmtop_core::progress::{Cancelled, Meter, unwatched};

/// The hidden command of the program that runs a trial.
pub const COMMAND: &str = "try-table";

/// The program that has the command; a library without it makes no trials.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that runs trials: palmtop itself. Only the first call has an effect.
pub fn set_program(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// Lets a child process read the bytes of a file as we would; of a workbook, the named sheet or
/// all. The meter is only asked whether to stop.
///
/// # Errors
/// A [`DataError`] if the child crashed; [`DataError::Cancelled`] if the meter asks to stop.
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
        // Without a child process there is no trial.
        Some(Err(_)) | None => return Ok(()),
    };
    // The parent reports ordinary errors better.
    if status.code().is_some() {
        return Ok(());
    }
    Err(DataError::unreadable(path, "the file is damaged: the library that reads it failed"))
}

/// The number of bytes sent to the child between two checks of the meter.
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
        // The name of a sheet may look like an option.
        .args(sheet.map(|sheet| format!("--sheet={sheet}")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if talk(&mut child, bytes, meter).is_break() {
        // The child may have ended already.
        let _ = child.kill();
        child.wait()?;
        return Err(io::Error::other(Cancelled));
    }
    child.wait()
}

/// Sends the bytes to the child and waits until it ends; the child sends a sign of life at
/// intervals.
fn talk(child: &mut Child, bytes: &[u8], meter: &mut Meter) -> ControlFlow<()> {
    if let Some(mut stdin) = child.stdin.take() {
        for chunk in bytes.chunks(STRIDE) {
            meter(0)?;
            // A child that has ended reads no more.
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

/// Tries the files of a table in a child process before another reader reads them; CSV needs no
/// trial. Returns the SHA-256 of each tried file.
///
/// # Errors
/// A [`DataError`] if the child crashed, or a file cannot be read.
pub fn check_files(table: &TableSpec) -> Result<Vec<String>, DataError> {
    let mut tried = Vec::new();
    for path in &table.paths {
        if let Some(format) = Format::of(path).filter(|format| *format != Format::Text) {
            let (bytes, sha256) = read_all(path, &mut unwatched)?;
            check(path, format, table.sheet.as_deref(), &bytes, &mut unwatched)?;
            tried.push(sha256);
        }
    }
    Ok(tried)
}

/// Tries a release in a child process before another reader reads it; CSV needs no trial.
///
/// # Errors
/// As [`check_files`].
pub fn check_release(path: &Path) -> Result<(), DataError> {
    check_files(&TableSpec::of(path.to_owned())).map(drop)
}

/// Reads the bytes of the file from stdin, with a memory limit far above the needs of valid files.
///
/// # Errors
/// A [`DataError`] if stdin cannot be read.
pub fn bytes() -> Result<Vec<u8>, DataError> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(DataError::io("read", Path::new("stdin")))?;
    let most = (4_u64 << 30).saturating_add((bytes.len() as u64).saturating_mul(64));
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    let _ = setrlimit(Resource::As, limit);
    Ok(bytes)
}

/// Runs the trial in the child: decodes every readable column. Work on decoded cells cannot crash.
/// `verify` has another reader and another trial of the same bytes.
///
/// # Errors
/// As reading the table does.
pub fn run(format: &str, sheet: Option<&str>, bytes: Vec<u8>) -> Result<(), DataError> {
    let path = Path::new("stdin");
    match Format::of(Path::new(&format!("table.{format}"))) {
        Some(format @ (Format::Parquet | Format::Ipc)) => Typed::new(path, format, bytes)?.decode_all(),
        Some(format @ (Format::Xlsx | Format::Xls)) => sheet::attempt(path, format, &bytes, sheet),
        Some(Format::Text) | None => Err(DataError::unknown_format(Path::new(format))),
    }
}
