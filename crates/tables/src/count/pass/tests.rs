use std::path::Path;

use polars::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::weight::{CountColumn, MemberColumn};
use super::*;
use crate::read::{Identified, TableSpec, number_of};
use crate::write::{Lines, ReleaseFormat};
use palmtop_core::progress::unwatched;

const HEADER: [&str; 7] = ["town", "age", "text", "n", "in", "id", "year"];

/// Rows for all parts of a pass: repeated values, blanks, texts too long for a view, rows without
/// people.
fn rows(count: usize, seed: u64) -> Vec<[String; 7]> {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let mut row = |number: usize| {
        let town = match draws.random_range(0..40_u32) {
            0 => String::new(),
            town => format!("a town with a rather long name {town}"),
        };
        let age = draws.random_range(0..90_u32).to_string();
        let text = format!("t{}", draws.random_range(0..=number / 7));
        let (people, member) = (draws.random_range(0..3_u32), draws.random_range(0..2_u32));
        [
            town,
            age,
            text,
            people.to_string(),
            member.to_string(),
            format!("id {number}"),
            (number % 9 + 1).to_string(),
        ]
    };
    (0..count).map(&mut row).collect()
}

/// The tallies of the rows as CSV, Parquet and Arrow IPC, or the error without the file's name.
fn tallied(rows: &[[String; 7]], spec: &TallySpec) -> [Result<String, String>; 3] {
    let folder = tempfile::tempdir().unwrap();
    // Lines do not keep the order of rows, so each begins with its number.
    let mut header = vec!["0".to_owned()];
    header.extend(HEADER.map(ToOwned::to_owned));
    let numbers: Vec<String> = (0..rows.len()).map(|number| format!("{number:09}")).collect();
    let texts = rows.iter().zip(&numbers).map(|(row, number)| {
        (std::iter::once(number.as_str()).chain(row.iter().map(String::as_str)).collect(), 1)
    });
    let lines = Lines::new(&header, texts).unwrap();
    ["t.csv", "t.parquet", "t.arrow"].map(|name| {
        let path = folder.path().join(name);
        let mut bytes = Vec::new();
        lines.write_as(ReleaseFormat::of(Path::new(name)), &mut bytes, &mut unwatched).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let table = Table::open(&TableSpec::of(path.clone())).unwrap();
        let tally = table.tally(spec, &mut unwatched);
        let tally = tally.map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))?;
        let mut shown = format!(
            "{:?} {} {} {:?}",
            tally.texts.iter().map(Texts::listed).collect::<Vec<_>>(),
            tally.rows,
            tally.member_rows,
            tally.count_like
        );
        tally.combinations.visit(|row, people| shown += &format!(" {row:?} {people:?}"));
        Ok(shown)
    })
}

fn check(rows: &[[String; 7]], spec: &TallySpec) -> Result<String, String> {
    let [csv, parquet, arrow] = tallied(rows, spec);
    assert!(csv == parquet, "CSV and Parquet differ");
    assert!(csv == arrow, "CSV and Arrow differ");
    csv
}

// holds: Formats are equal
#[test]
fn tally_of_many_rows_equals_row_by_row() {
    let count = CountColumn::of("n");
    let member = MemberColumn { column: "in".to_owned(), is: Vec::new() };
    let quasi = || vec!["town", "text", "age"];
    let id = Identified { column: "id".to_owned(), ..Identified::default() };
    let plain = TallySpec { quasi: quasi(), spare: vec!["year", "id", "n"], ..TallySpec::default() };
    let full = TallySpec {
        quasi: quasi(),
        count: Some(&count),
        member: Some(&member),
        identifiers: vec!["id"],
        persons: vec![id.clone()],
        spare: vec!["year"],
        ..TallySpec::default()
    };
    for rows in [rows(1, 1), rows(50, 2), rows(140_000, 3)] {
        for spec in [&plain, &full] {
            // A row of two people would share an identifier.
            let is_error = spec.count.is_some() && rows.iter().any(|row| row[3] == "2" && row[4] == "1");
            assert_eq!(check(&rows, spec).is_err(), is_error, "{} rows", rows.len());
        }
        check(&rows, &TallySpec { persons: Vec::new(), ..full.clone() }).unwrap();
    }
    let mut wrong = rows(900, 4);
    wrong[700][3] = "many".to_owned();
    let error = check(&wrong, &TallySpec { persons: Vec::new(), ..full.clone() }).unwrap_err();
    assert!(error.contains("701") && error.contains("many"), "{error}");
    wrong[600][4] = "perhaps".to_owned();
    let error = check(&wrong, &full).unwrap_err();
    assert!(error.contains("601") && error.contains("perhaps"), "{error}");
    let mut same = rows(900, 5);
    same[800][5] = "id 3".to_owned();
    let plain_with_persons = TallySpec { persons: vec![id], ..plain };
    let error = check(&same, &plain_with_persons).unwrap_err();
    assert!(error.contains("rows 4 and 801"), "{error}");
    let mut same = rows(40_000, 6);
    same[39_000][5] = "id 30000".to_owned();
    let error = check(&same, &plain_with_persons).unwrap_err();
    assert!(error.contains("rows 30001 and 39001"), "{error}");
}

// holds: Formats are equal
#[test]
fn tally_is_the_same_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.parquet");
    let mut draws = ChaCha8Rng::seed_from_u64(9);
    let rows = 300_000;
    let ages: Vec<i32> = (0..rows).map(|_| draws.random_range(0..90)).collect();
    let towns: Vec<String> =
        (0..rows).map(|row| format!("a town {}", draws.random_range(0..=row / 40))).collect();
    let columns = vec![Column::new("age".into(), ages), Column::new("town".into(), towns)];
    let mut frame = DataFrame::new(rows, columns).unwrap();
    let file = std::fs::File::create(&path).unwrap();
    ParquetWriter::new(file).with_row_group_size(Some(33_000)).finish(&mut frame).unwrap();
    let table = Table::open(&TableSpec::of(path)).unwrap();
    let spec = TallySpec { quasi: vec!["town", "age"], ..TallySpec::default() };
    let tallied = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let tally = table.tally(&spec, &mut unwatched).unwrap();
            let mut shown: Vec<(Vec<u32>, u64)> = Vec::new();
            tally.combinations.visit(|row, people| shown.push((row.to_vec(), people.public)));
            let texts: Vec<Vec<(String, At)>> = tally
                .texts
                .iter()
                .map(|texts| texts.listed().into_iter().map(|(text, at)| (text.to_owned(), at)).collect())
                .collect();
            (texts, tally.rows, shown)
        })
    };
    let alone = tallied(1);
    assert_eq!(alone.1, rows as u64);
    for threads in [2, 7, 16] {
        assert!(tallied(threads) == alone, "{threads} threads");
    }
    let is_wanted = |town: &str| town.ends_with('7');
    let columns = ["town", "age"];
    let (mut found, mut naive) = (Vec::new(), Vec::new());
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let mut take = |at: At, texts: &[&str]| {
        naive.extend(is_wanted(texts[0]).then(|| (at, owned(texts))));
        Ok(())
    };
    table.visit(&columns, &mut unwatched, &mut take).unwrap();
    let numbers = naive.iter().map(|(_, texts)| number_of(&texts[0])).collect();
    let mut take = |at: At, texts: &[&str]| {
        found.push((at, owned(texts)));
        Ok::<(), DataError>(())
    };
    table.visit_where(&columns, &numbers, &mut unwatched, &mut take).unwrap();
    assert!(found == naive && !found.is_empty());
}
