//! Pages of the tables and of a release have the rows of the files, from any offset.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;

use crate::support::tables;
use palmtop::model::{Level, Role};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, Page, PipelineError, Which};
use polars::prelude::{DataType, NamedFrom, Series};
use tempfile::TempDir;

/// A folder with a project of these tables. Its attributes are `zip` and those in `attributes`.
fn project(tables: &str, attributes: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("zip.toml"),
        "type = \"mask\"\nlength = 3\nfrom = \"right\"\ncharacter = \"*\"\n",
    )
    .unwrap();
    let zip = "[[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.toml\"\n";
    fs::write(folder.path().join("p.toml"), format!("{tables}\n[delta]\nmax = 1\n{zip}{attributes}"))
        .unwrap();
    folder
}

fn load(folder: &TempDir) -> Analysis {
    Analysis::load(&folder.path().join("p.toml"), &Overrides::default()).unwrap()
}

fn write(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).unwrap();
}

/// The header and the rows of a CSV file, from a separate reader.
fn csv_rows(path: &Path, separator: u8) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).has_headers(false).from_path(path).unwrap();
    let texts = |record: csv::StringRecord| record.iter().map(ToOwned::to_owned).collect::<Vec<_>>();
    let mut rows: Vec<Vec<String>> = reader.records().map(|record| texts(record.unwrap())).collect();
    let header = rows.remove(0);
    (header, rows)
}

fn columns(page: &Page) -> Vec<(&str, Option<Role>)> {
    page.columns.iter().map(|column| (column.name.as_str(), column.role)).collect()
}

/// Compares pages of many sizes and offsets with these rows, also beyond the end.
fn check_pages(expected: &[Vec<String>], page: impl Fn(u64, usize) -> Page) {
    let total = expected.len();
    for rows in [0, 1, 3, 100, usize::MAX] {
        for offset in [0, 1, 2, total / 2, total.saturating_sub(1), total, total + 1, total + 1000] {
            let end = offset.saturating_add(rows).min(total);
            let page = page(offset as u64, rows);
            assert_eq!((page.offset, page.total), (offset as u64, total as u64));
            assert_eq!(page.rows, expected.get(offset.min(end)..end).unwrap_or_default(), "{offset}, {rows}");
        }
    }
    assert_eq!(page(u64::MAX, usize::MAX).rows.len(), 0);
}

/// Checks that the visited rows are these rows, and that the class of each row has the label of its
/// `zip` at level 1.
fn check_rows(analysis: &Analysis, which: Which, expected: &[Vec<String>]) {
    let page = pipeline::page::of_table(analysis, which, 0, 0).unwrap();
    let names: Vec<&str> = page.columns.iter().map(|column| column.name.as_str()).collect();
    let mut seen: Vec<Vec<String>> = Vec::new();
    let all = pipeline::find::visit_rows(analysis, which, &names, &mut |row| {
        seen.push(row.iter().map(|text| (*text).to_owned()).collect());
        ControlFlow::Continue(())
    });
    all.unwrap();
    assert_eq!(seen, expected);
    let mut backwards = names.clone();
    backwards.reverse();
    let mut left = 3;
    let stopped = pipeline::find::visit_rows(analysis, which, &backwards, &mut |row| {
        left -= 1;
        assert!(expected[2 - left].iter().rev().eq(row));
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(stopped, Err(PipelineError::Cancelled)));
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().node(&[Level(1)]).unwrap());
    let zip = names.iter().position(|name| *name == "zip").unwrap();
    let class_of_row = |row: &[String]| {
        let mut go_on = || ControlFlow::Continue(());
        pipeline::find::class_of_row(analysis, &release, (which, row), &mut go_on).unwrap()
    };
    for row in expected {
        let class = class_of_row(row).unwrap();
        let text = &release.classes.class(class).texts(problem)[0];
        assert_eq!(*text, format!("{}*", &row[zip][..2]));
    }
    if which == Which::Private {
        let mut classes = Vec::new();
        let seen = pipeline::find::visit_units(analysis, &mut || ControlFlow::Continue(()), &mut |unit| {
            classes.push(unit.map(|unit| release.classes.class_of[unit]));
            ControlFlow::Continue(())
        });
        seen.unwrap();
        assert_eq!(classes, expected.iter().map(|row| class_of_row(row)).collect::<Vec<_>>());
    }
    let mut unknown = expected[0].clone();
    "999".clone_into(&mut unknown[zip]);
    assert_eq!(class_of_row(&unknown), None);
    assert_eq!(class_of_row(&[]), None);
    assert!(
        pipeline::find::visit_rows(analysis, which, &["nowhere"], &mut |_| ControlFlow::Break(())).is_err()
    );
}

#[test]
fn pages_show_all_rows_and_columns_in_order() {
    let folder = project(
        "[private]\npath = \"t.csv\"\nunlisted = \"drop\"\n[public]\npath = \"p.csv\"",
        "[[attribute]]\nname = \"who\"\nrole = \"identifier\"\nprivate_column = \"id\"\npublic_column = \"name\"\n\
         [[attribute]]\nname = \"ill\"\nrole = \"sensitive\"\n[[attribute]]\nname = \"ward\"\nrole = \"insensitive\"\n",
    );
    let (mut public, mut private) = ("note;name;zip\n".to_owned(), "ill,id,zip,ward,x*\n".to_owned());
    for row in 0..700 {
        // Line ends, quotes and separators in quotes; an empty field; a quoted field.
        let note =
            ["\"two\nlines\"", "\"a \"\"quote\"\"\"", "\"semi;colon\"", "", "plain", "\" \r\n\n\""][row % 6];
        public.push_str(&format!("{note};Person {row};{}\n", 100 + row % 40));
        if row % 2 == 0 {
            private.push_str(&format!("\"ill, {row}\nof it\",{row},{},,\"{row}\n\"\n", 100 + row % 40));
        }
    }
    write(&folder, "p.csv", &public);
    write(&folder, "t.csv", &private);
    let analysis = load(&folder);
    for (which, name, separator) in [(Which::Public, "p.csv", b';'), (Which::Private, "t.csv", b',')] {
        let (_, rows) = csv_rows(&folder.path().join(name), separator);
        check_pages(&rows, |offset, rows| pipeline::page::of_table(&analysis, which, offset, rows).unwrap());
        check_rows(&analysis, which, &rows);
    }
    let public = pipeline::page::of_table(&analysis, Which::Public, 0, 1).unwrap();
    let (identifier, quasi) = (Some(Role::Identifier), Some(Role::Quasi));
    assert_eq!(columns(&public), [("note", None), ("name", identifier), ("zip", quasi)]);
    let private = pipeline::page::of_table(&analysis, Which::Private, 5000, 1).unwrap();
    let (ill, ward) = (Some(Role::Sensitive), Some(Role::Insensitive));
    assert_eq!(
        columns(&private),
        [("ill", ill), ("id", identifier), ("zip", quasi), ("ward", ward), ("x*", None)]
    );
}

#[test]
fn pages_of_t_inside_p_are_member_rows() {
    for count in ["", "count = \"people\"\ncounts = \"people\"\n"] {
        let tables =
            format!("[public]\npath = \"p.csv\"\nmember = \"in\"\n{count}[private]\nunlisted = \"drop\"");
        let folder = project(&tables, "");
        let mut text = "people,in,zip\n".to_owned();
        for row in 0..500 {
            let member = ["yes", "", "no", "1", "false", "true", "0"][row % 7];
            text.push_str(&format!("{},{member},{}\n", row % 4 + 1, 100 + row % 30));
        }
        write(&folder, "p.csv", &text);
        let analysis = load(&folder);
        let (_, rows) = csv_rows(&folder.path().join("p.csv"), b',');
        check_pages(&rows, |offset, rows| {
            pipeline::page::of_table(&analysis, Which::Public, offset, rows).unwrap()
        });
        check_rows(&analysis, Which::Public, &rows);
        let is_member = |row: &Vec<String>| ["yes", "1", "true"].contains(&row[1].as_str());
        let members: Vec<Vec<String>> = rows.into_iter().filter(is_member).collect();
        check_pages(&members, |offset, rows| {
            pipeline::page::of_table(&analysis, Which::Private, offset, rows).unwrap()
        });
        check_rows(&analysis, Which::Private, &members);
        let page = pipeline::page::of_table(&analysis, Which::Private, 0, 2).unwrap();
        assert_eq!(columns(&page), [("people", None), ("in", None), ("zip", Some(Role::Quasi))]);
    }
}

#[test]
fn typed_tables_are_paged_as_text() {
    let folder =
        project("[private]\npath = \"t.arrow\"\nunlisted = \"drop\"\n[public]\npath = \"p.parquet\"", "");
    let numbers: Vec<i32> = (0..300).collect();
    let zips: Vec<i32> = numbers.iter().map(|number| 100 + number % 40).collect();
    let halves: Vec<Option<f64>> =
        numbers.iter().map(|&number| (number % 5 != 0).then(|| f64::from(number) / 2.0)).collect();
    let marks: Vec<bool> = numbers.iter().map(|number| number % 2 == 0).collect();
    let expected: Vec<Vec<String>> = (0..300)
        .map(|row| {
            let half = halves[row].map(|half| format!("{half:?}")).unwrap_or_default();
            vec![
                numbers[row].to_string(),
                half,
                marks[row].to_string(),
                zips[row].to_string(),
                format!("a{row}"),
            ]
        })
        .collect();
    let columns = [
        ("^number$", tables::numbers(&DataType::Int32, numbers.into_iter().map(Some))),
        ("*", tables::numbers(&DataType::Float64, halves)),
        ("mark", Series::new("".into(), marks)),
        ("zip", tables::numbers(&DataType::Int32, zips.into_iter().map(Some))),
        ("note", tables::texts((0..300).map(|row| Some(format!("a{row}"))))),
    ];
    tables::write(&folder.path().join("p.parquet"), &columns, 70);
    let first = columns.map(|(name, column)| (name, column.slice(0, 120)));
    tables::write(&folder.path().join("t.arrow"), &first, 50);
    let analysis = load(&folder);
    check_pages(&expected, |offset, rows| {
        pipeline::page::of_table(&analysis, Which::Public, offset, rows).unwrap()
    });
    check_pages(&expected[..120], |offset, rows| {
        pipeline::page::of_table(&analysis, Which::Private, offset, rows).unwrap()
    });
    check_rows(&analysis, Which::Public, &expected);
    check_rows(&analysis, Which::Private, &expected[..120]);
}

#[test]
fn pages_of_a_release_match_the_written_file() {
    let folder = project(
        "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"",
        "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n[[attribute]]\nname = \"ill\"\nrole = \"sensitive\"\n",
    );
    let (mut public, mut private) = ("zip\n".to_owned(), "id,ill,zip\n".to_owned());
    for row in 0..60 {
        let ill = ["a", "\"a, b\"", "\"!\n\"", "\"\"\"q\"\"\"", ""][row % 5];
        public.push_str(&format!("{}\n", 100 + row));
        private.push_str(&format!("{row},{ill},{}\n", 100 + row));
    }
    write(&folder, "p.csv", &public);
    write(&folder, "t.csv", &private);
    let analysis = load(&folder);
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().node(&[Level(1)]).unwrap());
    let target = folder.path().join("out.csv");
    pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap();
    let (header, rows) = csv_rows(&target, b',');
    check_pages(&rows, |offset, rows| pipeline::page::of_release(&analysis, &release, offset, rows).unwrap());
    let mut seen: Vec<Vec<String>> = Vec::new();
    let mut show = |row: &[&str]| {
        seen.push(row.iter().map(|text| (*text).to_owned()).collect());
        ControlFlow::Continue(())
    };
    pipeline::find::visit_release_rows(&analysis, &release, &mut || ControlFlow::Continue(()), &mut show)
        .unwrap();
    assert_eq!(seen, rows);
    let stopped =
        pipeline::find::visit_release_rows(&analysis, &release, &mut || ControlFlow::Break(()), &mut |_| {
            ControlFlow::Break(())
        });
    assert!(matches!(stopped, Err(PipelineError::Cancelled)));
    let page = pipeline::page::of_release(&analysis, &release, 0, 1).unwrap();
    assert_eq!(columns(&page), [("ill", Some(Role::Sensitive)), ("zip", Some(Role::Quasi))]);
    let mut expected = vec![header];
    expected.extend_from_slice(&rows[..20]);
    assert_eq!(pipeline::page::preview(&analysis, &release, 20).unwrap(), expected);
    let longest = pipeline::page::longest_rows(&analysis, &release, 3).unwrap();
    let mut by_length: Vec<&Vec<String>> = Vec::new();
    for row in &rows {
        if by_length.iter().all(|other| other[1] != row[1]) {
            by_length.push(row);
        }
    }
    by_length.sort_by_key(|row| std::cmp::Reverse(row[1].chars().count()));
    let found: Vec<&Vec<String>> = longest.rows.iter().map(|(_, row)| row).collect();
    assert_eq!(found, by_length[..found.len()]);
    assert!(longest.rows.iter().all(|(characters, row)| *characters == row[1].chars().count()));
    assert_eq!((longest.rows.len(), longest.columns), (by_length.len().min(3), page.columns));
}

#[test]
fn a_table_changed_since_loading_is_noticed() {
    let folder = project("[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"", "");
    write(&folder, "p.csv", "zip\n100\n101\n102\n");
    write(&folder, "t.csv", "zip\n100\n");
    let analysis = load(&folder);
    let is_noticed = |which| {
        let error = pipeline::page::of_table(&analysis, which, 0, 2).unwrap_err();
        assert!(matches!(error, PipelineError::InputChanged { .. }), "{error}");
    };
    write(&folder, "p.csv", "zip\n100\n101\n");
    is_noticed(Which::Public);
    write(&folder, "p.csv", "zip,more\n100,1\n101,1\n102,1\n");
    is_noticed(Which::Public);
    // Other people, in the same number.
    write(&folder, "t.csv", "zip\n101\n");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    File::options().write(true).open(folder.path().join("t.csv")).unwrap().set_modified(later).unwrap();
    is_noticed(Which::Private);
    let release = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom());
    assert!(matches!(
        pipeline::page::of_release(&analysis, &release, 0, 2),
        Err(PipelineError::InputChanged { .. })
    ));
}
