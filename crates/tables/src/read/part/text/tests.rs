use super::super::Part;
use super::*;
use crate::read::bytes::hexadecimal;
use crate::source::rows::{Header, RowName, RowRules};
use palmtop_core::progress::unwatched;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::Digest;

/// The rows of a file, those left out, and its hash; or the error.
type Read = Result<(Vec<Vec<String>>, Vec<u64>, String), String>;

fn opened(path: &Path, rows: &RowRules) -> Result<Part, DataError> {
    let spec = TableSpec { rows: rows.clone(), ..TableSpec::of(path.to_owned()) };
    Part::open(path, &spec, &[], &mut unwatched)
}

/// What is left out, and the hash.
fn ended(part: &Part, hasher: Sha256) -> (Vec<u64>, String) {
    (part.left_out.lock().unwrap().clone(), hexadecimal(&hasher.finalize()))
}

/// Reads a file row by row.
fn in_one(path: &Path, rules: &RowRules) -> Read {
    let read = || {
        let part = opened(path, rules)?;
        let columns: Vec<&str> = part.columns.iter().map(String::as_str).collect();
        let (mut rows, mut hasher) = (Vec::new(), Sha256::new());
        part.visit_rows(&columns, 0, 100, Some(&mut hasher), &mut unwatched, &mut |number, texts| {
            rows.push(texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
            assert_eq!(number, rows.len() as u64);
            Ok(true)
        })?;
        let (left_out, hash) = ended(&part, hasher);
        Ok((rows, left_out, hash))
    };
    read().map_err(|error: DataError| error.to_string())
}

/// Reads a file in blocks of some bytes on some threads.
fn in_blocks(path: &Path, rules: &RowRules, size: usize, threads: usize) -> Read {
    let read = || {
        let part = opened(path, rules)?;
        let columns: Vec<&str> = part.columns.iter().map(String::as_str).collect();
        let (mut rows, mut hasher) = (Vec::new(), Sha256::new());
        let asked = Asked::all(&columns, columns.len());
        part.text_file(b',').visit_blocks(size, asked, &mut hasher, &mut unwatched, &mut |lot| {
            for row in 0..lot.rows {
                let cells = lot.numbered.iter().map(|column| column.text(column.numbers[row]).to_owned());
                rows.push(cells.collect::<Vec<_>>());
            }
            Ok(true)
        })?;
        let (left_out, hash) = ended(&part, hasher);
        Ok((rows, left_out, hash))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| read().map_err(|error: DataError| error.to_string()))
}

/// A cell, sometimes with all that may be between quotes.
fn cell(draws: &mut ChaCha8Rng) -> String {
    let plain = draws.random_range(0..40).to_string();
    match draws.random_range(0..60) {
        0 => format!("\"{plain}\n{plain}\""),
        1 => format!("\"{plain}\"\"\r\n\"\"\""),
        2 => format!("\"{plain},\""),
        3 => "\u{feff}x".to_owned(),
        4 => "na\u{ef}ve \u{1f600}".to_owned(),
        5 => String::new(),
        6 => "left out".to_owned(),
        _ => plain,
    }
}

/// A line that is wrong, or looks like no person.
const ODD: [&str; 14] = [
    "a,b\"c,d",
    "\"a\"b,c,d",
    "",
    "a,b\rc,d",
    "a,b",
    "a,b,c,d",
    "Total,,",
    "a,b,c",
    ",,",
    "\"open,1,2",
    "note",
    "1,2,word",
    "\u{feff}1,2,3",
    "units,years,kg",
];

/// A file of random lines, of which at most so many are odd.
fn file(draws: &mut ChaCha8Rng, odd: usize) -> Vec<u8> {
    let mut text = "a,b,c\n".to_owned();
    let rows = [0, 1, 5, 300, 2_500][draws.random_range(0..5)];
    for _ in 0..rows {
        let cells: Vec<String> = (0..3).map(|_| cell(draws)).collect();
        text.push_str(&cells.join(","));
        text.push_str(if draws.random_range(0..9) == 0 { "\r\n" } else { "\n" });
    }
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    for _ in 0..draws.random_range(0..=odd) {
        // Mostly at the end, where notes are.
        let from = if draws.random() { 1 } else { lines.len().saturating_sub(4).max(1) };
        let at = draws.random_range(from..=lines.len());
        lines.insert(at, ODD[draws.random_range(0..ODD.len())]);
        lines.insert(at + 1, "\n");
    }
    let mut bytes = lines.concat().into_bytes();
    match draws.random_range(0..if odd > 1 { 9 } else { 40 }) {
        0 => drop(bytes.pop()),
        1 => bytes.extend(b"\xff,1,2\n"),
        2 => bytes.extend(b"source\nmade\n"),
        3 => bytes.extend(b"note,\n".repeat(draws.random_range(8..14))),
        _ => {}
    }
    bytes
}

// holds: Formats are equal
#[test]
fn blocks_give_the_rows_of_one_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let mut draws = ChaCha8Rng::seed_from_u64(44);
    let left_out = RowName::Text("left out".to_owned());
    let rules = [
        RowRules::default(),
        RowRules { header: Header::InFile, leave_out: vec![left_out], ..RowRules::default() },
        RowRules { keep: vec![RowName::Text(String::new())], ..RowRules::default() },
        RowRules { header: Header::None, ..RowRules::default() },
    ];
    let (mut read, mut refused) = (0, 0);
    for case in 0..160 {
        // The first of several errors depends on how far a reader looks ahead.
        let odd = 1 + case % 3 / 2;
        std::fs::write(&path, file(&mut draws, odd)).unwrap();
        let rules = &rules[case % rules.len()];
        let expected = in_one(&path, rules);
        *if expected.is_ok() { &mut read } else { &mut refused } += 1;
        for threads in [1, 2, 7, 16] {
            let size = [40, 300, 1000, 8000][draws.random_range(0..4)];
            let found = in_blocks(&path, rules, size, threads);
            let are_equal = found == expected || (odd > 1 && found.is_err() && expected.is_err());
            assert!(are_equal, "{case}, {threads} threads, {size} bytes: {found:?} {expected:?}");
        }
    }
    assert!(read > 40 && refused > 40, "{read} {refused}");
}

#[test]
fn odd_rows_are_found_in_any_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let people: Vec<String> = (0..2_100).map(|row| format!("{},{},m\n", row % 70, row % 9)).collect();
    let mut asked = 0;
    for (empty, odd) in [
        ("", "a note\n"),
        ("", "a note\nmade today\n"),
        ("", "a note,,\n"),
        ("", ",,\n"),
        ("12,,\n", "a note,1,\n"),
        (",,\n,,\n,,\n,,\n", ",,\n"),
        ("", "total,,\n"),
        ("", "1,word,m\n"),
        ("", "a,b,c\n"),
        ("years,weeks,x\n", "1,2,m\n"),
        ("total,1,m\n".repeat(11).as_str(), "1,2,m\n"),
    ] {
        let text = format!("a,b,c\n{}{empty}{}{odd}", people.concat(), people[..300].concat());
        std::fs::write(&path, text).unwrap();
        let expected = in_one(&path, &RowRules::default());
        asked += u32::from(expected.is_err());
        for size in [6, 31, 1 << 10] {
            assert_eq!(in_blocks(&path, &RowRules::default(), size, 2), expected, "{odd:?} {size}");
        }
    }
    assert!(asked > 4, "{asked}");
}

#[test]
fn stop_of_a_reader_is_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, format!("a,b\n{}", "1,2\n".repeat(50_000))).unwrap();
    let part = opened(&path, &RowRules::default()).unwrap();
    let visit = |meter: &mut Meter, most: usize| {
        let mut lots = 0;
        let asked = Asked::all(&["b"], 1);
        let ended = part.text_file(b',').visit_blocks(1 << 10, asked, &mut Sha256::new(), meter, &mut |_| {
            lots += 1;
            Ok(lots < most)
        });
        (lots, ended)
    };
    let (lots, ended) = visit(&mut unwatched, 3);
    assert!(lots == 3 && ended.is_ok());
    let mut asked = 0;
    let (lots, ended) = visit(
        &mut |_| {
            asked += 1;
            if asked > 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
        usize::MAX,
    );
    assert!(lots <= 41 && matches!(ended, Err(DataError::Cancelled)));
}
