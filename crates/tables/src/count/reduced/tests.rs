use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use palmtop_core::model::Counts;
use palmtop_core::progress::unwatched;

/// A table of two files, and the name of its kept tally.
fn table(rows: &[(u8, &str)]) -> (TempDir, Table, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = rows.split_at(rows.len() / 2);
    let mut spec = TableSpec::of(folder.path().join("a.csv"));
    spec.paths.push(folder.path().join("b.csv"));
    for (path, rows) in spec.paths.iter().zip([first, second]) {
        let lines: Vec<String> = rows.iter().map(|(age, city)| format!("{age},{city},1\n")).collect();
        fs::write(path, format!("age,city,n\n{}", lines.concat())).unwrap();
    }
    let table = Table::open(&spec).unwrap();
    let path = folder.path().join(".p.reduced");
    (folder, table, path)
}

const ROWS: [(u8, &str); 5] = [(3, "Bern"), (30, "Biel"), (3, "Bern"), (4, "Biel"), (31, "Œuf")];

fn spec() -> TallySpec<'static> {
    TallySpec { quasi: vec!["age", "city"], spare: vec!["n"], ..TallySpec::default() }
}

/// All facts of a tally.
fn content(tally: &Tally) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut combinations: Vec<(Vec<u32>, Counts)> = Vec::new();
    tally.combinations.visit(|row, people| combinations.push((row.to_vec(), people)));
    let listed = |texts: &Texts| texts.listed().into_iter().map(|(text, at)| (text.to_owned(), at)).collect();
    let texts: Vec<Vec<(String, At)>> = tally.texts.iter().map(listed).collect();
    let figures = (tally.rows, tally.member_rows, tally.distinct_combinations);
    (texts, combinations, figures, tally.count_like.clone(), tally.files.clone())
}

fn found(path: &Path, table: &Table) -> Kept {
    find(path, table, &spec(), &mut unwatched).unwrap()
}

/// A table with its kept tally.
fn kept() -> (TempDir, Table, PathBuf, Vec<u8>) {
    let (folder, table, path) = table(&ROWS);
    let tally = table.tally(&spec(), &mut unwatched).unwrap();
    let written = put(&mut Gate::default(), &path, &table, &spec(), &tally, &mut unwatched).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(written, bytes.len() as u64);
    match found(&path, &table) {
        Kept::Good(again, _) => assert_eq!(content(&again), content(&tally)),
        other => panic!("{other:?}"),
    }
    (folder, table, path, bytes)
}

#[test]
fn stop_is_obeyed_while_reading_and_writing() {
    let (_folder, table, path, _) = kept();
    let stopped_after = |questions: u64| {
        let mut asked = 0;
        let found = find(&path, &table, &spec(), &mut |_| {
            asked += 1;
            if asked > questions { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (matches!(found, Err(DataError::Cancelled)), asked)
    };
    let (_, all) = stopped_after(u64::MAX);
    assert!(all >= 6, "{all} questions");
    for questions in 0..all {
        assert!(stopped_after(questions).0, "after {questions} of {all}");
    }
    let mut bytes = Vec::new();
    let mut stop = |_| ControlFlow::Break(());
    let stopped = Sealing::new(&mut bytes, &mut stop).write_all(&vec![0; 1 << 24]).unwrap_err();
    assert!(watch::is_cancelled(&stopped));
}

#[test]
fn read_files_are_trusted_only_from_this_version() {
    let (_folder, table, path, bytes) = kept();
    let files = table.tally(&spec(), &mut unwatched).unwrap().files;
    assert_eq!(tried(&path), files.into_iter().map(|file| file.sha256).collect::<Vec<_>>());
    let version = MAGIC.len();
    for offset in [0, version, version + 16] {
        let mut other = bytes.clone();
        other[offset] ^= 1;
        fs::write(&path, other).unwrap();
        assert!(tried(&path).is_empty(), "byte {offset}");
    }
    for length in 0..MAGIC.len() + 100 {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(tried(&path).is_empty(), "{length} bytes");
    }
    fs::remove_file(&path).unwrap();
    assert!(tried(&path).is_empty());
}

// holds: Reduced P matches
#[test]
fn any_changed_or_missing_byte_is_detected() {
    let (_folder, table, path, bytes) = kept();
    for offset in 0..bytes.len() {
        let mut other = bytes.clone();
        other[offset] ^= 1 << (offset % 8);
        fs::write(&path, &other).unwrap();
        let expected = offset >= MAGIC.len();
        match found(&path, &table) {
            Kept::Foreign if !expected => {}
            Kept::Stale(Stale::Damaged) if expected => {}
            wrong => panic!("byte {offset}: {wrong:?}"),
        }
        fs::write(&path, &bytes[..offset]).unwrap();
        assert!(matches!(found(&path, &table), Kept::Foreign | Kept::Stale(Stale::Damaged)), "cut {offset}");
    }
    fs::write(&path, [&bytes[..], b"\0"].concat()).unwrap();
    assert!(matches!(found(&path, &table), Kept::Stale(Stale::Damaged)));
}

// holds: Reduced P matches
#[test]
fn another_version_and_other_settings_are_told() {
    let (_folder, table, path, bytes) = kept();
    let other = TallySpec { quasi: vec!["city", "age"], ..spec() };
    let found_with = find(&path, &table, &other, &mut unwatched).unwrap();
    assert!(matches!(found_with, Kept::Stale(Stale::Settings)), "{found_with:?}");
    let mut content = bytes[..bytes.len() - Sealing::SEAL].to_vec();
    content[MAGIC.len()] += 1;
    fs::write(&path, sealed(&content)).unwrap();
    assert!(matches!(found(&path, &table), Kept::Stale(Stale::Version)));
}

#[test]
fn rows_wider_than_one_number_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let columns: Vec<String> = (0..130).map(|column| format!("c{column}")).collect();
    let row = |value: &str| vec![value; 130].join(",");
    let path = folder.path().join("p.csv");
    fs::write(&path, format!("{}\n{}\n{}\n", columns.join(","), row("0"), row("1"))).unwrap();
    let table = Table::open(&TableSpec::of(path)).unwrap();
    for (width, expected) in [(64, true), (65, true), (128, true), (129, false)] {
        let quasi = columns[..width].iter().map(String::as_str).collect();
        let spec = TallySpec { quasi, ..TallySpec::default() };
        let tally = table.tally(&spec, &mut unwatched).unwrap();
        assert_eq!(can_be_kept(&tally), expected, "{width}");
        if expected {
            let kept = folder.path().join(format!(".{width}.reduced"));
            put(&mut Gate::default(), &kept, &table, &spec, &tally, &mut unwatched).unwrap();
            match find(&kept, &table, &spec, &mut unwatched).unwrap() {
                Kept::Good(again, _) => assert_eq!(content(&again), content(&tally)),
                other => panic!("{other:?}"),
            }
        }
    }
}

fn sealed(content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut asked = unwatched;
    let mut out = Sealing::new(&mut bytes, &mut asked);
    out.write_all(content).unwrap();
    out.seal().unwrap();
    bytes
}

proptest! {
    /// The seal only guards against damage: a forged one must not cause a crash.
    #[test]
    fn forged_seal_never_causes_a_crash(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let (_folder, table, path, bytes) = kept();
        let mut content = bytes[..bytes.len() - Sealing::SEAL].to_vec();
        let head = MAGIC.len() + 16;
        for (offset, byte) in edits {
            let offset = head + offset.index(content.len() - head);
            content[offset] = byte;
        }
        if is_cut {
            content.truncate(head + cut.index(content.len() - head));
        }
        fs::write(&path, sealed(&content)).unwrap();
        if let Kept::Good(tally, _) = found(&path, &table) {
            for (texts, offset) in tally.texts.iter().zip(0..) {
                prop_assert!(texts.len() >= tally.distinct(offset).len());
            }
            tally.position(&table, 0, "3");
        }
    }
}
