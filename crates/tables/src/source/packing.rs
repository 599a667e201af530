//! Unpacks files with a second ending `.gz` or `.zst` while they are read.
//!
//! Several gzip members or zstd frames are one stream, as both formats define. A stream that is cut
//! off, or that other bytes follow, is an error.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder;

use super::watch;

/// The packing of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// The packing by the end of the name, and the name without that end.
    pub(crate) fn of(path: &Path) -> (Option<Self>, PathBuf) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let packing = match extension.to_ascii_lowercase().as_str() {
            "gz" => Self::Gzip,
            "zst" => Self::Zstd,
            _ => return (None, path.to_owned()),
        };
        (Some(packing), path.with_extension(""))
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// The unpacked content of a file.
pub(crate) enum Unpacked<R: Read> {
    Plain(R),
    Gzip(Box<MultiGzDecoder<BufReader<R>>>),
    Zstd(Box<Decoder<'static, BufReader<R>>>),
}

impl<R: Read> Unpacked<R> {
    pub(crate) fn new(packing: Option<Packing>, packed: R) -> io::Result<Self> {
        Ok(match packing {
            None => Self::Plain(packed),
            Some(Packing::Gzip) => Self::Gzip(Box::new(MultiGzDecoder::new(BufReader::new(packed)))),
            Some(Packing::Zstd) => Self::Zstd(Box::new(Decoder::with_buffer(BufReader::new(packed))?)),
        })
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(plain) => plain.read(buffer),
            Self::Gzip(packed) => packed.read(buffer).map_err(|error| damaged(Packing::Gzip, error)),
            Self::Zstd(packed) => packed.read(buffer).map_err(|error| damaged(Packing::Zstd, error)),
        }
    }
}

/// The error of a damaged stream. Errors of the system and a stop are passed on.
fn damaged(packing: Packing, error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() || watch::is_cancelled(&error) {
        return error;
    }
    let (kind, packing) = (error.kind(), packing.as_str());
    let detail = format!(
        "its {packing} stream is damaged, cut off, or followed by other bytes ({error}); pack it again"
    );
    io::Error::new(kind, detail)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use super::*;

    pub(crate) fn pack(packing: Packing, text: &[u8]) -> Vec<u8> {
        match packing {
            Packing::Gzip => {
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packer.write_all(text).unwrap();
                packer.finish().unwrap()
            }
            Packing::Zstd => zstd::encode_all(text, 1).unwrap(),
        }
    }

    fn unpack(packing: Packing, packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Unpacked::new(Some(packing), packed)?.read_to_end(&mut text)?;
        Ok(text)
    }

    // holds: Formats are equal
    #[test]
    fn only_whole_compressed_streams_are_unpacked() {
        let text: Vec<u8> = (0..5000_u32).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        for packing in [Packing::Gzip, Packing::Zstd] {
            let packed = pack(packing, &text);
            assert_eq!(unpack(packing, &packed).unwrap(), text);
            let twice = [packed.as_slice(), &packed].concat();
            assert_eq!(unpack(packing, &twice).unwrap(), [text.as_slice(), &text].concat());
            for cut in [1, 5, packed.len() / 2, packed.len() - 1] {
                assert!(unpack(packing, &packed[..cut]).is_err(), "{packing:?} {cut}");
            }
            for garbage in [&b"\0"[..], b"x", b"more of it"] {
                assert!(unpack(packing, &[packed.as_slice(), garbage].concat()).is_err(), "{packing:?}");
            }
        }
        let mut garbled = pack(Packing::Gzip, &text);
        let middle = garbled.len() / 2;
        garbled[middle] ^= 0x55;
        assert!(unpack(Packing::Gzip, &garbled).unwrap_err().to_string().contains("gzip stream is damaged"));
    }

    #[test]
    fn file_ending_tells_how_it_is_packed() {
        let of = |name: &str| {
            let (packing, bare) = Packing::of(Path::new(name));
            (packing, bare.to_str().unwrap().to_owned())
        };
        assert_eq!(of("p.csv.gz"), (Some(Packing::Gzip), "p.csv".to_owned()));
        assert_eq!(of("p.CSV.ZST"), (Some(Packing::Zstd), "p.CSV".to_owned()));
        assert_eq!(of("p.gz.csv"), (None, "p.gz.csv".to_owned()));
    }
}
