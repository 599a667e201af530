//! Bytes become records of text: files are opened, decompressed, decoded and split into fields.
//!
//! A path enters. Records of a CSV file, or pieces of it that have some, leave one at a time, each with its line; what is no
//! text or no CSV is a [`Fault`] or an error with all lines that are wrong.

mod records;
mod pieces;
mod encoding;
pub(crate) mod file;
pub(crate) mod unpack;
pub(crate) mod bad_lines;

pub(crate) use self::encoding::{Text, no_text_of};
pub(crate) use self::file::{Beginning, FileRecords};
pub(crate) use self::pieces::{Piece, Pieces};
pub(crate) use self::records::{End, Fault, LONGEST, Record, line_ends};
pub(crate) use self::unpack::Contents;
