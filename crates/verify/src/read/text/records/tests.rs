//! Compares the strict reader with a grammar: accepted files, refused files with their lines, and reads in small pieces.

use std::io::{BufReader, Read};

use proptest::prelude::*;

use super::*;

/// A record's line and its fields.
type Read1 = (u64, Vec<String>);

/// Gives a few bytes at a time.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// All records, or the fault's name and line.
fn read(bytes: &[u8], separator: u8, piece: usize) -> Result<Vec<Read1>, String> {
    let source = BufReader::with_capacity(piece, Trickle(bytes, piece));
    let mut records = Records::new(source, separator, Some(b'"')).keep_raw();
    let mut record = Record::default();
    let (mut all, mut raw) = (Vec::new(), Vec::new());
    while records.read(&mut record).map_err(|fault| format!("{fault:?}"))? {
        all.push((record.line, record.fields().map(ToOwned::to_owned).collect()));
        raw.extend_from_slice(&record.raw);
        raw.extend_from_slice(match record.end {
            End::Line => b"\n",
            End::ReturnAndLine => b"\r\n",
            End::File => b"",
        });
    }
    assert_eq!(raw, bytes, "nothing is lost");
    Ok(all)
}

fn fields(records: Vec<Read1>) -> Vec<Vec<String>> {
    records.into_iter().map(|(_, fields)| fields).collect()
}

/// The grammar, one function per rule. `None` for a file that it does not accept.
fn grammar(mut text: &str) -> Option<Vec<Vec<String>>> {
    let mut records = Vec::new();
    while !text.is_empty() {
        let (record, rest) = record_rule(text)?;
        records.push(record);
        text = rest;
    }
    Some(records)
}

fn record_rule(text: &str) -> Option<(Vec<String>, &str)> {
    if let Some(rest) = line_end_rule(text) {
        return Some((Vec::new(), rest));
    }
    let (first, mut rest) = field_rule(text)?;
    let mut fields = vec![first];
    while let Some(more) = rest.strip_prefix(',') {
        let (next, after) = field_rule(more)?;
        fields.push(next);
        rest = after;
    }
    if rest.is_empty() { Some((fields, rest)) } else { Some((fields, line_end_rule(rest)?)) }
}

fn line_end_rule(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'))
}

fn field_rule(text: &str) -> Option<(String, &str)> {
    let Some(mut inside) = text.strip_prefix('"') else {
        let (plain, rest) = text.split_at(text.find([',', '\n', '\r', '"']).unwrap_or(text.len()));
        return Some((plain.to_owned(), rest));
    };
    let mut value = String::new();
    loop {
        let (before, after) = inside.split_once('"')?;
        value.push_str(before);
        let Some(more) = after.strip_prefix('"') else { return Some((value, after)) };
        value.push('"');
        inside = more;
    }
}

/// Reads every file of up to seven of these characters, in pieces of one byte and in one piece.
#[test]
fn every_short_file_reads_as_the_grammar_says() {
    let mut files = vec![String::new()];
    let (mut good, mut bad) = (0, 0);
    for _ in 0..7 {
        files = files
            .iter()
            .flat_map(|file| ["a", ",", "\"", "\n", "\r"].map(|next| format!("{file}{next}")))
            .collect();
        for file in &files {
            let expected = grammar(file);
            let found = read(file.as_bytes(), b',', 4096);
            assert_eq!(found.clone().ok().map(fields), expected, "{file:?}: {found:?}");
            assert_eq!(read(file.as_bytes(), b',', 1), found, "{file:?}");
            *(if expected.is_some() { &mut good } else { &mut bad }) += 1;
        }
    }
    assert!(good > 10_000 && bad > 50_000, "{good} {bad}");
}

#[test]
fn faults_name_the_line_that_they_stand_in() {
    for (file, fault) in [
        ("a,b\n1,x\"y\n", "StrayQuote { line: 2 }"),
        ("a,b\n\"1\n2\"x,3\n", "StrayQuote { line: 3 }"),
        ("a,b\n1, \"x\"\n", "StrayQuote { line: 2 }"),
        ("a,b\n1,2\n3,\"x\n4,5\n", "OpenQuote { line: 3 }"),
        ("a,b\r1,2\n", "LoneReturn { line: 1 }"),
        ("a,b\n1,2\r", "LoneReturn { line: 2 }"),
        ("a,b\n\"x\"\ry\n", "LoneReturn { line: 2 }"),
    ] {
        for piece in [1, 2, 3, 4096] {
            assert_eq!(read(file.as_bytes(), b',', piece).unwrap_err(), fault, "{file:?}");
        }
    }
    for (file, fault) in [
        (&b"a,b\n1,\xff\n"[..], "NotUtf8 { line: 2, field: 1 }"),
        (b"a,b\n\"1\n\xc3\",x\n", "NotUtf8 { line: 3, field: 0 }"),
        // Two halves of one character in two fields.
        (b"a,b\n\xc3,\xa9\n", "NotUtf8 { line: 2, field: 0 }"),
        (b"\xc3\n\xa9\n", "NotUtf8 { line: 1, field: 0 }"),
    ] {
        assert_eq!(read(file, b',', 4096).unwrap_err(), fault, "{file:?}");
    }
}

#[test]
fn lines_are_numbered_as_an_editor_numbers_them() {
    let records = read(b"a;b\r\n\"1\n2\";x\n\n\"\"\n3;\"\"\"\"", b';', 3).unwrap();
    let expected: [(u64, &[&str]); 5] =
        [(1, &["a", "b"]), (2, &["1\n2", "x"]), (4, &[]), (5, &[""]), (6, &["3", "\""])];
    let expected: Vec<Read1> =
        expected.map(|(line, fields)| (line, fields.iter().map(ToString::to_string).collect())).to_vec();
    assert_eq!(records, expected);
}

#[test]
fn record_with_an_open_quote_still_ends() {
    let long = |length: usize| [b"\"", vec![b'x'; length].as_slice(), b"\"\n1\n"].concat();
    assert_eq!(read(&long(LONGEST - 2), b',', 1 << 16).unwrap().len(), 2);
    assert_eq!(read(&long(LONGEST - 1), b',', 1 << 16).unwrap_err(), "TooLong { line: 1 }");
    let endless = BufReader::new(io::repeat(b'x'));
    let fault = Records::new(endless, b',', Some(b'"')).read(&mut Record::default()).unwrap_err();
    assert!(matches!(fault, Fault::TooLong { line: 1 }), "{fault:?}");
}

/// A field, and whether it is quoted though it need not be.
fn field() -> impl Strategy<Value = (String, bool)> {
    let character =
        prop::sample::select(vec!["a", "é", " ", ",", ";", "\"", "\n", "\r", "\r\n", "\t", "\u{2028}", "\0"]);
    (prop::collection::vec(character, 0..4).prop_map(|parts| parts.concat()), any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn file_written_by_the_grammar_reads_back(
        records in prop::collection::vec((prop::collection::vec(field(), 1..4), any::<bool>()), 0..5),
        separator in prop::sample::select(vec![b',', b';', b'\t', b'|']),
        ends in any::<bool>(),
        piece in 1..20_usize,
    ) {
        let (mut file, mut expected, mut line) = (String::new(), Vec::new(), 1);
        let count = records.len();
        for (number, (fields, is_windows)) in records.into_iter().enumerate() {
            let is_alone = fields.len() == 1;
            let written = fields.iter().map(|(text, quoted)| {
                let must = text.contains([char::from(separator), '"', '\n', '\r']) || (is_alone && text.is_empty());
                if *quoted || must { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
            });
            let written = written.collect::<Vec<_>>().join(&char::from(separator).to_string());
            let lines = written.matches('\n').count() as u64;
            file.push_str(&written);
            if ends || number + 1 < count {
                file.push_str(if is_windows { "\r\n" } else { "\n" });
            }
            expected.push((line, fields.into_iter().map(|(text, _)| text).collect::<Vec<String>>()));
            line += lines + 1;
        }
        prop_assert_eq!(read(file.as_bytes(), separator, piece), Ok(expected));
    }
}
