//! In which encodings a table may be written, and how some of its texts read in each.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_KR, GBK, ISO_8859_2, ISO_8859_15, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257,
};

use crate::error::DataError;
use crate::source::encoding::Encoding;
use crate::source::input;
use crate::source::packing::{Packing, Unpacked};
use crate::source::spec::Format;

/// An encoding in which a table may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The encoding.
    pub encoding: Encoding,
    /// Some values that are not ASCII, as they read in it.
    pub texts: Vec<String>,
}

/// The most bytes that are examined, in lines that are neither ASCII nor UTF-8.
const MOST_BYTES: usize = 1 << 20;
/// The most values of a candidate.
const VALUES: usize = 3;
/// The bytes of a value that is long to read.
const LONG: usize = 40;
/// The most candidates.
const CANDIDATES: usize = 4;

/// Encodings that tables have, the more frequent first.
const USUAL: [&encoding_rs::Encoding; 14] = [
    WINDOWS_1252,
    WINDOWS_1250,
    WINDOWS_1251,
    ISO_8859_2,
    MACINTOSH,
    SHIFT_JIS,
    GBK,
    BIG5,
    EUC_KR,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1257,
    KOI8_R,
    ISO_8859_15,
];

/// The encodings in which files of text may be written, the likeliest first: that of a table beside this
/// one, the guess of `chardetng`, then usual ones in which all lines are valid and most characters are letters. Encodings in which all
/// values read alike are one.
///
/// # Errors
/// A [`DataError`] if a file cannot be read.
pub fn candidates(paths: &[PathBuf], beside: Option<Encoding>) -> Result<Vec<Candidate>, DataError> {
    let mut sample = Vec::new();
    for path in paths.iter().filter(|path| Format::of(path) == Some(Format::Text)) {
        add_lines(path, &mut sample).map_err(DataError::io("read", path))?;
    }
    Ok(of_sample(&sample, beside))
}

/// Adds the lines that are neither ASCII nor UTF-8.
fn add_lines(path: &Path, sample: &mut Vec<u8>) -> std::io::Result<()> {
    let unpacked = Unpacked::new(Packing::of(path).0, input::open(path)?)?;
    let mut lines = BufReader::new(unpacked);
    let mut line = Vec::new();
    while sample.len() < MOST_BYTES && (&mut lines).take(MOST_BYTES as u64).read_until(b'\n', &mut line)? > 0
    {
        if std::str::from_utf8(&line).is_err() {
            sample.extend(&line);
        }
        line.clear();
    }
    Ok(())
}

fn of_sample(sample: &[u8], beside: Option<Encoding>) -> Vec<Candidate> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    let guess = Encoding::of(detector.guess(None, Utf8Detection::Deny));
    let values = values(sample);
    let mut found: Vec<Candidate> = Vec::new();
    for encoding in beside.into_iter().chain([guess]).chain(USUAL.map(Encoding::of)) {
        let Some(text) = encoding.decode(sample) else { continue };
        if encoding != guess && Some(encoding) != beside && !has_letters(&text) {
            continue;
        }
        let texts: Option<Vec<String>> = values.iter().map(|value| encoding.decode(value)).collect();
        let Some(texts) = texts else { continue };
        if found.len() < CANDIDATES && found.iter().all(|other| other.texts != texts) {
            found.push(Candidate { encoding, texts });
        }
    }
    found
}

/// Whether most characters of a text that are not ASCII are letters.
fn has_letters(text: &str) -> bool {
    let others = || text.chars().filter(|character| !character.is_ascii());
    2 * others().filter(|character| character.is_alphabetic()).count() > others().count()
}

/// Some fields that are not ASCII: each has the most bytes that those before it lack, since encodings
/// may differ in few bytes. Long ones are taken only if all are long.
fn values(sample: &[u8]) -> Vec<&[u8]> {
    let mut known: BTreeSet<u8> = BTreeSet::new();
    let fields = sample.split(|byte| b",;\t|\"\r\n".contains(byte)).map(<[u8]>::trim_ascii);
    let mut seen = BTreeSet::new();
    let mut fields: Vec<&[u8]> = fields.filter(|field| !field.is_ascii() && seen.insert(*field)).collect();
    if fields.iter().any(|field| field.len() <= LONG) {
        fields.retain(|field| field.len() <= LONG);
    }
    let bytes_of =
        |field: &[u8]| -> BTreeSet<u8> { field.iter().copied().filter(|byte| !byte.is_ascii()).collect() };
    let mut values = Vec::new();
    for _ in 0..VALUES {
        let new = |field: &[u8]| bytes_of(field).difference(&known).count();
        let best = fields.iter().rev().max_by_key(|field| new(field)).filter(|field| new(field) > 0);
        let Some(&best) = best else { break };
        known.extend(bytes_of(best));
        values.push(best);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The encodings of a column of words, and the words as the first of them reads them.
    fn found(encoding: &'static encoding_rs::Encoding, words: &[&str]) -> (Vec<String>, Vec<String>) {
        let lines: Vec<String> = words.iter().cycle().take(40).map(|word| format!("12;{word};f\n")).collect();
        let lines = lines.concat();
        let (bytes, _, is_lossy) = encoding.encode(&lines);
        assert!(!is_lossy);
        let found = of_sample(&bytes, None);
        let names = found.iter().map(|candidate| candidate.encoding.to_string()).collect();
        (names, found[0].texts.clone())
    }

    #[test]
    fn the_first_candidates_read_towns() {
        for (encoding, words) in [
            (WINDOWS_1252, &["Z\u{fc}rich", "Gen\u{e8}ve", "K\u{f6}ln"][..]),
            (
                WINDOWS_1250,
                &["\u{141}\u{f3}d\u{17a}", "Cz\u{119}stochowa", "\u{17b}ory", "P\u{142}o\u{144}sk"],
            ),
            (
                WINDOWS_1251,
                &["\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}", "\u{41f}\u{435}\u{440}\u{43c}\u{44c}"],
            ),
            (SHIFT_JIS, &["\u{6771}\u{4eac}", "\u{5927}\u{962a}", "\u{4eac}\u{90fd}"]),
            (GBK, &["\u{5317}\u{4eac}", "\u{4e0a}\u{6d77}", "\u{5e7f}\u{5dde}"]),
            (EUC_KR, &["\u{c11c}\u{c6b8}", "\u{bd80}\u{c0b0}", "\u{b300}\u{ad6c}"]),
        ] {
            let (names, texts) = found(encoding, words);
            let index = names.iter().position(|name| *name == Encoding::of(encoding).to_string());
            assert!(index.is_some_and(|index| index < 2), "{names:?} {texts:?}");
            assert!(names.len() <= CANDIDATES && texts.len() <= VALUES);
        }
        let (names, _) = found(MACINTOSH, &["Z\u{fc}rich", "Gen\u{e8}ve", "K\u{f6}ln", "M\u{fc}nchen"]);
        assert!(names.contains(&"macintosh".to_owned()), "{names:?}");
    }

    #[test]
    fn the_table_beside_it_decides_first() {
        let sample = b"1;\xa3\xf3d\x9f\n";
        let beside = Some(Encoding::of(WINDOWS_1250));
        assert_eq!(of_sample(sample, beside)[0].texts, ["\u{141}\u{f3}d\u{17a}"]);
        // Its bytes are no text in that encoding.
        let found = of_sample(b"1;\x81\x40\x81\x9f\n", beside);
        assert!(found.iter().all(|candidate| Some(candidate.encoding) != beside), "{found:?}");
    }

    #[test]
    fn values_of_a_candidate_show_different_bytes() {
        let sample = b"1;Z\xfcrich\n2;Z\xfcrich\n3;K\xf6ln;\"Gen\xe8ve\"\n4;\xfc\xf6\n";
        assert_eq!(values(sample), [&b"\xfc\xf6"[..], b"Gen\xe8ve"]);
        assert_eq!(values(&sample[..24]), [&b"Z\xfcrich"[..], b"K\xf6ln"]);
        // Hungarian: only one word tells windows-1250 from windows-1252.
        let (names, texts) = found(
            WINDOWS_1250,
            &[
                "k\u{ed}v\u{fc}l",
                "r\u{e9}szt",
                "l\u{e1}tja",
                "beszi\u{fa}",
                "tev\u{e9}kenys\u{e9}g\u{e9}r\u{151}l",
            ],
        );
        assert!(names[..2].contains(&"windows-1250".to_owned()), "{names:?}");
        assert!(texts.iter().any(|text| text.starts_with("tev")), "{texts:?}");
    }
}
