//! Decompresses files whose names end in `.gz` or `.zst` while they are read.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::file;
use crate::problems::VerifyError;

/// The decompressed content of a file.
pub(crate) type Contents = Box<dyn Read>;

/// The name of a file without `.gz` or `.zst`.
pub(crate) fn bare_name(path: &Path) -> PathBuf {
    if packer(path).is_some() { path.with_extension("") } else { path.to_owned() }
}

fn packer(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    ["gz", "zst"].contains(&ending.as_str()).then_some(ending)
}

/// Opens a regular file and decompresses it while it is read.
pub(crate) fn open(path: &Path) -> Result<Contents, VerifyError> {
    unpacked(path, BufReader::with_capacity(1 << 16, file::open(path)?)).map_err(VerifyError::io(path))
}

fn unpacked(path: &Path, packed: BufReader<File>) -> io::Result<Contents> {
    Ok(match packer(path).as_deref() {
        Some("gz") => Box::new(Checked(flate2::bufread::MultiGzDecoder::new(packed))),
        Some(_) => Box::new(Checked(zstd::Decoder::with_buffer(packed)?)),
        None => Box::new(packed),
    })
}

/// Reads a file into memory and decompresses it. The limit of size holds for the decompressed content.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, VerifyError> {
    if packer(path).is_none() {
        return file::read(path, file::MOST_TYPED);
    }
    let (mut bytes, most) = (Vec::new(), most_unpacked());
    open(path)?.take(most + 1).read_to_end(&mut bytes).map_err(VerifyError::io(path))?;
    if bytes.len() as u64 > most {
        return Err(VerifyError::too_large(path, most));
    }
    Ok(bytes)
}

/// The limit of decompressed content, in bytes: half of the memory, if its size is known. The size of a compressed file does
/// not bound its content.
fn most_unpacked() -> u64 {
    #[cfg(target_os = "linux")]
    {
        let system = rustix::system::sysinfo();
        file::MOST_TYPED.min(system.totalram.saturating_mul(u64::from(system.mem_unit)) / 2)
    }
    #[cfg(not(target_os = "linux"))]
    {
        1 << 30
    }
}

/// A decompressed stream that reports damage with a remedy.
struct Checked<R>(R);

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.raw_os_error() {
            Some(_) => error,
            None => io::Error::new(
                error.kind(),
                format!("the compressed content is damaged or cut off ({error}); compress the file again"),
            ),
        })
    }
}
