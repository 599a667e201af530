//! Detects files that are not what their names indicate: a workbook named `.csv`, a packed table,
//! text in another encoding.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use zip::ZipArchive;

use crate::error::DataError;
use crate::source::encoding::Encoding;
use crate::source::input;
use crate::source::packing::{Packing, Unpacked};
use crate::source::spec::Format;
use palmtop_core::words::short;

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

const KINDS: [Kind; 8] = [
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

/// How a page or document begins, in lower case, and what it is.
const MARKUP: [(&str, &str); 5] = [
    ("<!doctype html", "an HTML page"),
    ("<html", "an HTML page"),
    ("<head", "an HTML page"),
    ("<table", "an HTML page"),
    ("<?xml", "an XML document"),
];

/// The remedy for pages and documents, which spreadsheets open.
const OPEN: &str = "open it in a spreadsheet, and save the sheet with the table as .xlsx or as CSV (UTF-8)";

/// What a zip archive is by the end of the name of a part, in lower case.
const PARTS: [(&str, &str); 5] = [
    ("workbook.bin", "a binary workbook (.xlsb)"),
    ("word/document.xml", "a Word document (.docx)"),
    ("ppt/presentation.xml", "a presentation (.pptx)"),
    ("content.xml", "an OpenDocument file (.ods)"),
    (".iwa", "a document of Numbers or Pages"),
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
    let (format, packing) = (Format::of(path), Packing::of(path).0);
    if packing.is_none() && beginning.starts_with(OLD_EXCEL) {
        return streams(path, format);
    }
    let found = match format {
        _ if packing.is_none() && beginning.starts_with(ZIP) => archive(path, format),
        _ => name(&beginning, format, encoding).map(|(what, remedy)| (what.into(), remedy.into())),
    };
    found.map_or(Ok(()), |(what, remedy)| Err(is(path, &what, &remedy)))
}

/// What a file is, and the remedy.
type Found = (Cow<'static, str>, Cow<'static, str>);

fn is(path: &Path, what: &str, remedy: &str) -> DataError {
    DataError::of_file(path, &format!("the file is {what}"), remedy)
}

/// What a zip archive is, by the names of its parts; `None` if it is the workbook that its name says.
fn archive(path: &Path, format: Option<Format>) -> Option<Found> {
    let opened = input::open(path).ok()?;
    let Ok(archive) = ZipArchive::new(opened) else {
        return Some((
            "a zip archive that is damaged or cut off".into(),
            "download it or save it again".into(),
        ));
    };
    let mut names: Vec<String> =
        archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let has = |end: &str| names.iter().any(|name| name.to_lowercase().ends_with(end));
    if has("workbook.xml") {
        let is_named = format == Some(Format::Xlsx);
        return (!is_named).then(|| ("a workbook (.xlsx)".into(), "rename it to end in .xlsx".into()));
    }
    if let Some((_, what)) = PARTS.iter().find(|(end, _)| has(end)) {
        return Some(((*what).into(), OPEN.into()));
    }
    names.retain(|name| !name.ends_with('/'));
    names.sort_unstable();
    let more = if names.len() > 3 { ", …" } else { "" };
    let listed = names.iter().take(3).map(|name| format!("{:?}", short(name))).collect::<Vec<_>>().join(", ");
    let what = match names.len() {
        0 => "an empty zip archive".to_owned(),
        _ => format!("a zip archive without a workbook: it has {listed}{more}"),
    };
    Some((what.into(), "unpack it, and name the file with the table".into()))
}

/// Refuses a file of streams, unless it is the old workbook that its name says.
fn streams(path: &Path, format: Option<Format>) -> Result<(), DataError> {
    let mut bytes = Vec::new();
    let read = input::open(path).map(|file| file.take(input::MOST_TYPED).read_to_end(&mut bytes));
    let has = |stream: &str| {
        let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
        read.is_ok() && memchr::memmem::find(&bytes, &name).is_some()
    };
    if has("EncryptedPackage") {
        return Err(DataError::of_file(path, "the workbook has a password", "save it without one"));
    }
    if !has("Workbook") && !has("Book") {
        return Err(is(path, "an old Office file without a workbook", OPEN));
    }
    match format {
        Some(Format::Xls) => Ok(()),
        _ => Err(is(path, "an old Excel workbook (.xls)", "rename it to end in .xls")),
    }
}

/// The kind of a file with these first bytes, and the remedy; `None` if it is of the format of its
/// name.
fn name(
    beginning: &[u8],
    format: Option<Format>,
    encoding: Option<Encoding>,
) -> Option<(&'static str, &'static str)> {
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
    let bare = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning).trim_ascii_start();
    let markup = MARKUP.iter().find(|(start, _)| {
        bare.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
    });
    if let Some((_, what)) = markup {
        return Some((what, OPEN));
    }
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
        Some(Format::Text) | None => None,
        Some(_) if beginning.is_empty() => Some(("empty", "write or download it again")),
        Some(_) if is_text => Some(("text, unlike its name", "rename it to end in .csv if it is a table")),
        Some(Format::Parquet) if !begins(b"PAR1") => Some(("no Parquet file", "write or download it again")),
        Some(Format::Xlsx | Format::Xls) => {
            Some(("no workbook", "save it again as .xlsx, or as CSV (UTF-8)"))
        }
        Some(Format::Parquet | Format::Ipc) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_kind_are_recognised() {
        let what = |beginning: &[u8], format| name(beginning, format, None).map(|(what, _)| what);
        for (beginning, format, expected) in [
            (b"\x1f\x8b\x08".as_slice(), Some(Format::Parquet), Some("packed by gzip")),
            (b"\x1f\x8b\x08", Some(Format::Text), Some("packed by gzip")),
            (b"<html><body>", Some(Format::Xls), Some("an HTML page")),
            (b"\xef\xbb\xbf\r\n <!DOCTYPE html>", Some(Format::Text), Some("an HTML page")),
            (b"<Table border=0>", Some(Format::Parquet), Some("an HTML page")),
            (b"<?xml version=\"1.0\"?>", Some(Format::Xlsx), Some("an XML document")),
            (b"<htm", Some(Format::Text), None),
            (b"age,zip\n", Some(Format::Xlsx), Some("text, unlike its name")),
            (b"age,zip\n", Some(Format::Parquet), Some("text, unlike its name")),
            (b"\x09\x08\x10\0\0\x06", Some(Format::Xls), Some("no workbook")),
            (b"\0\0\0\0", Some(Format::Parquet), Some("no Parquet file")),
            (b"", Some(Format::Xlsx), Some("empty")),
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

    #[test]
    fn archives_are_called_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let found = |file: &str, parts: &[&str]| {
            let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            for part in parts {
                archive.start_file(*part, zip::write::SimpleFileOptions::default()).unwrap();
            }
            let path = folder.path().join(file);
            std::fs::write(&path, archive.finish().unwrap().into_inner()).unwrap();
            let error = check(&path, None).err().map(|error| error.to_string());
            error.map(|error| error.split_once(": the file is ").unwrap().1.to_owned())
        };
        assert_eq!(found("a.xlsx", &["[Content_Types].xml", "xl/workbook.xml"]), None);
        let renamed = "a workbook (.xlsx); rename it to end in .xlsx";
        assert_eq!(found("a.csv", &["xl/workbook.xml"]).as_deref(), Some(renamed));
        for (parts, expected) in [
            (&["xl/workbook.bin"][..], "a binary workbook (.xlsb)"),
            (&["word/document.xml"], "a Word document (.docx)"),
            (&["mimetype", "content.xml"], "an OpenDocument file (.ods)"),
            (&["b.csv", "a.csv"], "a zip archive without a workbook: it has \"a.csv\", \"b.csv\";"),
        ] {
            let found = found("a.xlsx", parts).unwrap();
            assert!(found.starts_with(expected), "{found}");
        }
        let path = folder.path().join("cut.xlsx");
        std::fs::write(&path, b"PK\x03\x04\x14\0").unwrap();
        assert!(check(&path, None).unwrap_err().to_string().contains("damaged or cut off"));
        let path = folder.path().join("letter.xls");
        std::fs::write(&path, OLD_EXCEL).unwrap();
        assert!(check(&path, None).unwrap_err().to_string().contains("without a workbook"));
    }
}
