//! One file of a table: CSV, Parquet, Arrow IPC or a workbook, read row by row; every cell is text.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::disguise;
use super::encoding::Decoded;
use super::error::DataError;
use super::input;
use super::packing::{Packing, Unpacked};
use super::records::{self, Records};
use super::sheet::Sheet;
use super::source::{Format, TableSpec};
use super::stamp::Stamp;
use super::tally::first_repeated;
use super::trial;
use super::typed::{Lot, Typed};
use super::watch::Hashing;
use crate::progress::{Meter, unwatched};

/// How to read a file of a table.
#[derive(Clone, Debug)]
enum Source {
    Text { separator: u8 },
    Typed(Typed),
    Sheet(Sheet),
}

/// A row, or many rows at once. Rows are numbered from 1.
pub(super) enum Piece<'a> {
    /// The number of a row, and its texts.
    Row(u64, &'a [&'a str]),
    /// The number of the first of many rows.
    Lot(u64, Lot),
}

/// Is shown the number of a row, from 1, and its texts; answers whether it wants more.
pub(super) type PartVisitor<'a> = dyn FnMut(u64, &[&str]) -> Result<bool, DataError> + 'a;

/// Is shown the number of a row, from 1, and its texts.
pub(super) type RowVisitor<'a> = dyn FnMut(u64, &[&str]) -> Result<(), DataError> + 'a;

/// A file of a table whose header has been read.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    source: Source,
    /// How it is written.
    spec: TableSpec,
    pub(super) columns: Vec<String>,
    /// Of the moment before it was opened.
    stamp: Option<Stamp>,
    /// The SHA-256 of the bytes that are kept in memory.
    sha256: Option<String>,
}

impl Part {
    /// Opens a file; the meter is told of the bytes that are read of one that has to be in memory. It needs no trial where its hash is
    /// among those `tried`.
    pub(super) fn open(
        path: &Path,
        spec: &TableSpec,
        tried: &[String],
        meter: &mut Meter,
    ) -> Result<Self, DataError> {
        let stamp = Stamp::of(path);
        let Some(format) = Format::of(path) else {
            disguise::check(path, spec.encoding)?;
            return Err(DataError::UnknownFormat { path: path.to_owned() });
        };
        if let Some((setting, other)) = spec.settings().find(|(_, own)| own.kind() != format.kind()) {
            return Err(DataError::SettingForOthers { path: path.to_owned(), setting, kind: other.kind() });
        }
        disguise::check(path, spec.encoding)?;
        let mut sha256 = None;
        let source = if format == Format::Text {
            let separator = match spec.separator {
                Some(separator) => separator,
                None => records::sniff_separator(text(path, spec, None, &mut unwatched)?, spec.quote.mark())
                    .map_err(DataError::io("read", path))?,
            };
            Source::Text { separator }
        } else {
            let (bytes, hash) = read_whole(path, meter)?;
            let sheet = spec.sheet.as_deref();
            if sheet.is_some() || !tried.contains(&hash) {
                trial::check(path, format, sheet, &bytes, meter)?;
            }
            sha256 = Some(hash);
            match format {
                Format::Xlsx | Format::Xls | Format::Ods => {
                    Source::Sheet(Sheet::new(path, format, bytes, sheet, spec.header_row)?)
                }
                _ => Source::Typed(Typed::new(path, format, bytes)?),
            }
        };
        let mut part =
            Self { path: path.to_owned(), source, spec: spec.clone(), columns: Vec::new(), stamp, sha256 };
        part.columns = part.read_header()?;
        if part.columns.is_empty() {
            return Err(DataError::NoHeader { path: part.path });
        }
        if let Some(column) = first_repeated(&part.columns) {
            return Err(DataError::RepeatedColumn { column: column.clone(), path: part.path });
        }
        Ok(part)
    }

    fn read_header(&self) -> Result<Vec<String>, DataError> {
        match &self.source {
            Source::Text { separator } => {
                let meter: &mut Meter = &mut unwatched;
                let input = text(&self.path, &self.spec, None, meter)?;
                let mut records = Records::new(&self.path, *separator, self.spec.quote.mark(), input);
                let Some(header) = records.next()? else {
                    return Err(DataError::NoHeader { path: self.path.clone() });
                };
                header.texts(&[]).map(|name| name.map(ToOwned::to_owned)).collect()
            }
            Source::Typed(typed) => Ok(typed.columns().map(ToOwned::to_owned).collect()),
            Source::Sheet(sheet) => Ok(sheet.columns().to_vec()),
        }
    }

    /// Whether the file was written to since it was opened, as far as its size and its time tell.
    pub(super) fn was_changed(&self) -> bool {
        let now = Stamp::of(&self.path);
        self.stamp.is_none_or(|own| now.is_none_or(|now| !own.is_as_written(&now)))
    }

    /// What it looked like before it was opened.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// The SHA-256 of what will be read of it, in hexadecimal; the meter is told of the bytes that have to be read for it.
    pub(super) fn hash(&self, meter: &mut Meter) -> Result<String, DataError> {
        match &self.sha256 {
            Some(sha256) => Ok(sha256.clone()),
            None => hash_watched(&self.path, meter),
        }
    }

    /// Its size in bytes, as it lies on the disk.
    pub(super) fn size(&self) -> u64 {
        self.stamp.map_or(0, |stamp| stamp.size)
    }

    /// Whether a column's values can be read as texts. All of a CSV file and of a workbook can.
    pub(super) fn is_readable(&self, column: &str) -> bool {
        match &self.source {
            Source::Text { .. } | Source::Sheet(_) => self.columns.iter().any(|known| known == column),
            Source::Typed(typed) => typed.is_readable(column),
        }
    }

    /// Whether rows can be passed over without being read.
    pub(super) fn skips(&self) -> bool {
        !matches!(self.source, Source::Text { .. })
    }

    /// Shows the texts of some columns, row by row, and answers the SHA-256 of the file, in hexadecimal. The meter is told of
    /// the bytes of a CSV file, now and then; of others it is asked between two lots of rows.
    pub(super) fn visit(
        &self,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut RowVisitor,
    ) -> Result<String, DataError> {
        let mut all = |row, texts: &[&str]| show(row, texts).map(|()| true);
        if let Source::Text { separator } = &self.source {
            let mut hasher = Sha256::new();
            self.visit_text(*separator, columns, Some(&mut hasher), meter, &mut all)?;
            return Ok(hexadecimal(&hasher.finalize()));
        }
        self.visit_from(columns, 0, meter, &mut all)?;
        self.hash(&mut unwatched)
    }

    /// Shows all of some columns as comes quickest, many rows at once where the file's format allows, and answers the SHA-256 of the file
    /// and how many rows it has. Of many rows the first `numbered` columns are numbered.
    pub(super) fn visit_pieces(
        &self,
        columns: &[&str],
        numbered: usize,
        meter: &mut Meter,
        show: &mut dyn FnMut(Piece) -> Result<(), DataError>,
    ) -> Result<(String, u64), DataError> {
        let mut rows = 0;
        let Source::Typed(typed) = &self.source else {
            let sha256 = self.visit(columns, meter, &mut |row, texts| {
                rows = row;
                show(Piece::Row(row, texts))
            })?;
            return Ok((sha256, rows));
        };
        // Rows are told as so many of the file's bytes.
        let all = typed.rows().map_or(0, |rows| rows as u64);
        let done = |rows: u64| {
            let bytes = u128::from(self.size()) * u128::from(rows) / u128::from(all.max(1));
            if all > 0 { u64::try_from(bytes).unwrap_or_default() } else { 0 }
        };
        typed.visit_ahead(columns, numbered, &mut |lot| {
            if meter(done(rows)).is_break() {
                return Err(DataError::Cancelled);
            }
            let first = rows + 1;
            rows += lot.rows as u64;
            show(Piece::Lot(first, lot))?;
            Ok(true)
        })?;
        Ok((self.hash(&mut unwatched)?, rows))
    }

    /// Shows the texts of some columns from a row on, as long as `show` wants more. Rows of a CSV file are not passed over.
    pub(super) fn visit_from(
        &self,
        columns: &[&str],
        from: usize,
        meter: &mut Meter,
        show: &mut PartVisitor,
    ) -> Result<(), DataError> {
        match &self.source {
            Source::Text { separator } => self.visit_text(*separator, columns, None, meter, show),
            Source::Typed(typed) => visit_typed(typed, columns, from, meter, show),
            Source::Sheet(sheet) => {
                let places: Vec<usize> = columns.iter().map(|column| self.position(column)).collect();
                for row in from..sheet.rows() {
                    // How many bytes a row is nobody knows.
                    if row.is_multiple_of(1 << 14) && meter(0).is_break() {
                        return Err(DataError::Cancelled);
                    }
                    let texts: Vec<&str> = places.iter().map(|&place| sheet.text(row, place)).collect();
                    if !show(row as u64 + 1, &texts)? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    fn visit_text(
        &self,
        separator: u8,
        columns: &[&str],
        hasher: Option<&mut Sha256>,
        meter: &mut Meter,
        show: &mut PartVisitor,
    ) -> Result<(), DataError> {
        let wanted: Vec<usize> = columns.iter().map(|column| self.position(column)).collect();
        let input = text(&self.path, &self.spec, hasher, meter)?;
        let mut records = Records::new(&self.path, separator, self.spec.quote.mark(), input);
        let mut row = 0;
        let mut is_header = true;
        while let Some(record) = records.next()? {
            let (found, expected) = (record.len(), self.columns.len());
            if found != expected {
                let (path, line) = (self.path.clone(), record.line);
                return Err(DataError::Ragged { path, line, found, expected });
            }
            let all = record.texts(&self.columns).collect::<Result<Vec<&str>, _>>()?;
            if std::mem::take(&mut is_header) {
                if all != self.columns {
                    return Err(DataError::Changed { path: self.path.clone() });
                }
                continue;
            }
            let texts: Vec<&str> = wanted.iter().map(|&place| all[place]).collect();
            row += 1;
            if !show(row, &texts)? {
                break;
            }
        }
        Ok(())
    }

    fn position(&self, column: &str) -> usize {
        let place = self.columns.iter().position(|known| known == column);
        place.expect("whoever names a column has required it first")
    }
}

/// Polars does not say how many bytes it read: the meter is asked between two lots of rows.
fn visit_typed(
    typed: &Typed,
    columns: &[&str],
    from: usize,
    meter: &mut Meter,
    show: &mut PartVisitor,
) -> Result<(), DataError> {
    let mut number = from as u64;
    typed.visit(columns, from, &mut |lots, height| {
        if meter(0).is_break() {
            return Err(DataError::Cancelled);
        }
        let mut texts = Vec::with_capacity(columns.len());
        for row in 0..height {
            texts.clear();
            texts.extend(lots.iter().map(|lot| lot.get(row).unwrap_or_default()));
            number += 1;
            if !show(number, &texts)? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// What a CSV file says, unpacked, in UTF-8.
fn text<'a, 'm>(
    path: &Path,
    spec: &TableSpec,
    hasher: Option<&'a mut Sha256>,
    meter: &'a mut Meter<'m>,
) -> Result<Decoded<Unpacked<Hashing<'a, 'm, std::fs::File>>>, DataError> {
    let file = input::open(path).map_err(DataError::io("read", path))?;
    let unpacked = Unpacked::new(Packing::of(path).0, Hashing::new(file, hasher, meter));
    unpacked.and_then(|unpacked| Decoded::new(unpacked, spec.encoding)).map_err(DataError::io("read", path))
}

/// What a file holds that has to be in memory, unpacked, and the SHA-256 of its bytes as they lie on the disk.
pub(super) fn read_whole(path: &Path, meter: &mut Meter) -> Result<(Vec<u8>, String), DataError> {
    let mut hasher = Sha256::new();
    let bytes =
        input::read_through(path, input::MOST_TYPED, |file| Hashing::new(file, Some(&mut hasher), meter))
            .map_err(DataError::io("read", path))?;
    let sha256 = hexadecimal(&hasher.finalize());
    let (packing, _) = Packing::of(path);
    if packing.is_none() {
        return Ok((bytes, sha256));
    }
    let unpacked = Unpacked::new(packing, bytes.as_slice());
    let unpacked = unpacked.and_then(|unpacked| input::read_unpacked(unpacked, input::most_unpacked()));
    Ok((unpacked.map_err(DataError::io("read", path))?, sha256))
}

/// The SHA-256 of a file, in hexadecimal.
pub(super) fn hash_watched(path: &Path, meter: &mut Meter) -> Result<String, DataError> {
    let file = input::open(path).map_err(DataError::io("read", path))?;
    hash(BufReader::new(file), meter).map_err(DataError::io("read", path))
}

fn hash(input: impl Read, meter: &mut Meter) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut Hashing::new(input, Some(&mut hasher), meter), &mut io::sink())?;
    Ok(hexadecimal(&hasher.finalize()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        text.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or_default());
        text.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or_default());
        text
    })
}
