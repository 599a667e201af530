//! CSV: every record is a line of fields. A field is quoted completely or not at all.

use super::{Refusal, refuse};

/// The separators that a header may have, in the order in which they win a tie.
pub(crate) const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Decodes a UTF-8 file and skips its byte-order mark.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, Refusal> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.starts_with("\u{feff}\u{feff}") => refuse("two byte-order marks"),
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(_) => refuse("not UTF-8"),
    }
}

/// Decodes a table in UTF-16 with its byte-order mark; `None` if the mark is missing.
pub(super) fn decode_utf_16(bytes: &[u8]) -> Result<Option<String>, Refusal> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, 0, 0, ..] => return refuse("UTF-32, or a zero in UTF-16"),
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(None),
    };
    if !bytes.len().is_multiple_of(2) {
        return refuse("half a character");
    }
    let units: Vec<u16> = bytes[2..].chunks(2).map(|pair| unit([pair[0], pair[1]])).collect();
    match String::from_utf16(&units) {
        Ok(text) if text.starts_with('\u{feff}') => refuse("two byte-order marks"),
        Ok(text) => Ok(Some(text)),
        Err(_) => refuse("no UTF-16"),
    }
}

/// How often a separator occurs outside quotes in the first record.
fn count_in_first_record(text: &str, separator: u8) -> usize {
    let (mut quoted, mut count) = (false, 0);
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if byte == separator && !quoted => count += 1,
            _ => (),
        }
    }
    count
}

/// The separator of a table: the one that occurs most often in the header.
pub(super) fn table_separator(text: &str) -> u8 {
    let mut best = (b',', 0);
    for separator in SEPARATORS {
        let count = count_in_first_record(text, separator);
        if count > best.1 {
            best = (separator, count);
        }
    }
    best.0
}

/// The separator of a hierarchy: `;` if the first record has one, otherwise `,`.
pub(super) fn hierarchy_separator(text: &str) -> u8 {
    if count_in_first_record(text, b';') > 0 { b';' } else { b',' }
}

/// The records of a text, each with its line; `first` is the line of the first.
pub(super) fn lines(text: &str, separator: u8, first: usize) -> Result<Vec<(usize, Vec<String>)>, Refusal> {
    let (mut records, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let line = first + text[..at].matches('\n').count();
        let (record, next) = record(text, at, separator)?;
        let Some(record) = record else { return refuse(format!("line {line}: a blank line")) };
        records.push((line, record));
        at = next;
    }
    Ok(records)
}

/// The records of a text. Every record is as long as the first.
pub(crate) fn records(text: &str, separator: u8) -> Result<Vec<Vec<String>>, Refusal> {
    let bytes = text.as_bytes();
    let mut records: Vec<Vec<String>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let number = records.len() + 1;
        let (record, next) = record(text, at, separator)?;
        let Some(record) = record else { return refuse(format!("record {number}: a blank line")) };
        if records.first().is_some_and(|first| first.len() != record.len()) {
            return refuse(format!("record {number}: {} fields", record.len()));
        }
        records.push(record);
        at = next;
    }
    Ok(records)
}

/// The record that begins at `start`, or `None` if its line is blank, and the start of the next
/// record.
fn record(text: &str, start: usize, separator: u8) -> Result<(Option<Vec<String>>, usize), Refusal> {
    let bytes = text.as_bytes();
    if let Some(next) = line_end(bytes, start)? {
        return Ok((None, next));
    }
    let mut fields = Vec::new();
    let mut at = start;
    loop {
        let (field, end) = field(text, at, separator)?;
        fields.push(field);
        if end == bytes.len() {
            return Ok((Some(fields), end));
        }
        if bytes[end] == separator {
            at = end + 1;
            continue;
        }
        match line_end(bytes, end)? {
            Some(next) => return Ok((Some(fields), next)),
            None => return refuse("something behind a closing quote"),
        }
    }
}

/// The start of the next line, if this line ends at `at`.
fn line_end(bytes: &[u8], at: usize) -> Result<Option<usize>, Refusal> {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\n'), _) => Ok(Some(at + 1)),
        (Some(b'\r'), Some(b'\n')) => Ok(Some(at + 2)),
        (Some(b'\r'), _) => refuse("a carriage return alone"),
        _ => Ok(None),
    }
}

/// The field that begins at `start`, and its end.
fn field(text: &str, start: usize, separator: u8) -> Result<(String, usize), Refusal> {
    let bytes = text.as_bytes();
    if bytes.get(start) != Some(&b'"') {
        let is_end = |byte: &u8| *byte == separator || *byte == b'\n' || *byte == b'\r';
        let length = bytes[start..].iter().position(is_end).unwrap_or(bytes.len() - start);
        let value = &text[start..start + length];
        return if value.contains('"') {
            refuse("a quote in a field without quotes")
        } else {
            Ok((value.to_owned(), start + length))
        };
    }
    let mut value = String::new();
    let mut at = start + 1;
    loop {
        let Some(length) = bytes[at..].iter().position(|byte| *byte == b'"') else {
            return refuse("a quote is never closed");
        };
        value.push_str(&text[at..at + length]);
        at += length + 1;
        if bytes.get(at) != Some(&b'"') {
            return Ok((value, at));
        }
        value.push('"');
        at += 1;
    }
}

/// A record as a release writes it, with quotes only if they are needed.
pub(crate) fn release_line(fields: &[String]) -> String {
    if fields.len() == 1 && fields[0].is_empty() {
        return "\"\"".to_owned();
    }
    let quoted = fields.iter().map(|field| {
        if field.contains([',', '"', '\r', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}
