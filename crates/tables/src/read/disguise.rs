//! Detects files that are not what their names indicate: a workbook named `.csv`, a packed table,
//! text in another encoding.

use std::io::Read;
use std::path::Path;

use crate::error::DataError;
use crate::source::encoding::Encoding;
use crate::source::input;
use crate::source::packing::{Packing, Unpacked};
use crate::source::spec::Format;

/// A kind of file that is not a table, known by its first bytes.
struct Kind {
    beginnings: &'static [&'static [u8]],
    what: &'static str,
    remedy: &'static str,
}

const SAVE: &str = "save its table as CSV (UTF-8)";
const UNPACK: &str = "unpack it first";

const ZIP: &[u8] = b"PK\x03\x04";
const OLD_EXCEL: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

const KINDS: [Kind; 10] = [
    Kind {
        beginnings: &[ZIP],
        what: "a workbook (.xlsx) or another zip archive",
        remedy: "rename it to end in .xlsx if it was saved as that, else save it as .xlsx",
    },
    Kind {
        beginnings: &[OLD_EXCEL],
        what: "an old Excel workbook (.xls)",
        remedy: "rename it to end in .xls",
    },
    Kind { beginnings: &[b"$FL2@(#)", b"$FL3@(#)"], what: "an SPSS file (.sav)", remedy: SAVE },
    Kind { beginnings: &[b"<stata_dta>"], what: "a Stata file (.dta)", remedy: SAVE },
    Kind {
        beginnings: &[b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60"],
        what: "a SAS file (.sas7bdat)",
        remedy: SAVE,
    },
    Kind { beginnings: &[b"SQLite format 3\0"], what: "an SQLite database", remedy: SAVE },
    Kind { beginnings: &[b"%PDF-"], what: "a PDF document", remedy: SAVE },
    Kind { beginnings: &[b"\x1f\x8b"], what: "packed by gzip", remedy: "add .gz to the end of its name" },
    Kind {
        beginnings: &[b"\x28\xb5\x2f\xfd"],
        what: "packed by zstd",
        remedy: "add .zst to the end of its name",
    },
    Kind { beginnings: &[b"\xfd7zXZ\0"], what: "packed by xz", remedy: UNPACK },
];

/// The number of bytes that are examined.
const BEGINNING: u64 = 64;

/// Refuses a file of another kind than its name and the project indicate. A file that cannot be
/// read passes; its reader reports the error.
///
/// # Errors
/// A [`DataError`] with the kind of file and the remedy.
pub(crate) fn check(path: &Path, encoding: Option<Encoding>) -> Result<(), DataError> {
    let mut beginning = Vec::new();
    let unpacked = input::open(path).and_then(|file| Unpacked::new(Packing::of(path).0, file));
    let read = unpacked.and_then(|unpacked| unpacked.take(BEGINNING).read_to_end(&mut beginning));
    if read.is_err() {
        return Ok(());
    }
    if beginning.starts_with(OLD_EXCEL) && is_encrypted(path) {
        return Err(DataError::of_file(path, "the workbook has a password", "save it without one"));
    }
    match name(&beginning, Format::of(path), encoding) {
        Some((what, remedy)) => Err(DataError::of_file(path, &format!("the file is {what}"), remedy)),
        None => Ok(()),
    }
}

/// Whether a file of streams has the one of an encrypted workbook.
fn is_encrypted(path: &Path) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut bytes = Vec::new();
    let read = input::open(path).map(|file| file.take(input::MOST_TYPED).read_to_end(&mut bytes));
    read.is_ok() && memchr::memmem::find(&bytes, &name).is_some()
}

/// The kind of a file with these first bytes, and the remedy; `None` if it is of the format of its
/// name.
fn name(
    beginning: &[u8],
    format: Option<Format>,
    encoding: Option<Encoding>,
) -> Option<(&'static str, &'static str)> {
    match format {
        Some(Format::Xlsx) if beginning.starts_with(ZIP) => return None,
        Some(Format::Xls) if beginning.starts_with(OLD_EXCEL) => return None,
        _ => {}
    }
    let known = KINDS.iter().find(|kind| kind.beginnings.iter().any(|start| beginning.starts_with(start)));
    if let Some(kind) = known {
        return Some((kind.what, kind.remedy));
    }
    let is_text = std::str::from_utf8(beginning).is_ok_and(|text| {
        !text.contains(|character: char| character.is_control() && !"\t\r\n".contains(character))
    });
    // A column of a text file may have such a name.
    let begins = |start: &[u8]| beginning.starts_with(start) && !is_text;
    // Latin letters in UTF-16 without a byte-order mark: every other byte is 0.
    let every_other_is_0 =
        |from: usize| beginning.len() >= 8 && beginning.iter().skip(from).step_by(2).all(|&byte| byte == 0);
    match format {
        _ if begins(b"BZh") => Some(("packed by bzip2", UNPACK)),
        None | Some(Format::Text | Format::Ipc) if begins(b"PAR1") => {
            Some(("a Parquet file", "rename it to end in .parquet"))
        }
        // A stream of Arrow IPC has no magic number.
        None | Some(Format::Text | Format::Parquet) if begins(b"ARROW1") => {
            Some(("an Arrow file", "rename it to end in .arrow"))
        }
        None | Some(Format::Text) if encoding.is_none() && every_other_is_0(1) => Some((
            "text in UTF-16 without a byte-order mark",
            "write `encoding = \"utf-16le\"` under its path in the project",
        )),
        None | Some(Format::Text) if encoding.is_none() && every_other_is_0(0) => Some((
            "text in UTF-16 without a byte-order mark",
            "write `encoding = \"utf-16be\"` under its path in the project",
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_kind_are_recognised() {
        let what = |beginning: &[u8], format| name(beginning, format, None).map(|(what, _)| what);
        for (beginning, format, expected) in [
            (b"PK\x03\x04\x14\0\x06\0".as_slice(), None, Some("a workbook (.xlsx) or another zip archive")),
            (b"\x1f\x8b\x08", Some(Format::Parquet), Some("packed by gzip")),
            (b"\x1f\x8b\x08", Some(Format::Text), Some("packed by gzip")),
            (b"PK\x03\x04\x14\0\x06\0", Some(Format::Xlsx), None),
            (b"PK\x03\x04\x14\0\x06\0", Some(Format::Xls), Some("a workbook (.xlsx) or another zip archive")),
            (b"\xff\xfea\0g\0e\0\n\0", Some(Format::Text), None),
            (b"a\0g\0e\0\n\0", Some(Format::Text), Some("text in UTF-16 without a byte-order mark")),
            (b"\0a\0g\0e\0\n", Some(Format::Text), Some("text in UTF-16 without a byte-order mark")),
            (b"PAR1\x15\x04", Some(Format::Text), Some("a Parquet file")),
            (b"PAR1,age\n", None, None),
            (b"BZh,age\n", None, None),
            (b"PAR1\x15\x04", Some(Format::Parquet), None),
            (b"ARROW1\0\0", Some(Format::Parquet), Some("an Arrow file")),
            (b"ARROW1\0\0", Some(Format::Ipc), None),
            (b"age,zip\n", None, None),
            (b"\xef\xbb\xbfage,zip\n", None, None),
            (b"", None, None),
        ] {
            assert_eq!(what(beginning, format), expected, "{beginning:?}");
        }
    }
}
