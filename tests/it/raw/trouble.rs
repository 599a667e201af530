//! Files that are not what their names say, and workbooks with a cell that has no text.

use std::fs;
use std::io::{Cursor, Write};

use crate::support::{Done, palmtop};
use rust_xlsxwriter::{Formula, Workbook};
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<String> = (0..40).map(|age| format!("{},f\n", 20 + age % 20)).collect();
    let rows = rows.concat();
    fs::write(folder.path().join("t.csv"), format!("age,sex\n{}", &rows[..20])).unwrap();
    fs::write(folder.path().join("p.csv"), format!("age,sex\n{rows}")).unwrap();
    folder
}

fn init(folder: &TempDir, more: &[&str]) -> Done {
    palmtop(folder.path(), [&["init", "--yes", "--force", "-o", "project.toml"], more].concat())
}

fn zip_of(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The message says what the file is and what to do, in words of no library.
#[test]
fn disguised_files_are_called_what_they_are() {
    let page = b"<html><body><table><tr><td>age</td></tr></table></body></html>".to_vec();
    let archive = zip_of(&[("people.csv", "age\n1\n")]);
    for (name, content, what, remedy) in [
        ("p.xls", page.clone(), "an HTML page", "open it in a spreadsheet"),
        ("p.xlsx", page.clone(), "an HTML page", "open it in a spreadsheet"),
        ("p.parquet", page.clone(), "an HTML page", "open it in a spreadsheet"),
        ("q.csv", page, "an HTML page", "open it in a spreadsheet"),
        ("p.xlsx", archive.clone(), "a zip archive without a workbook: it has \"people.csv\"", "unpack it"),
        ("p.xlsx", archive[..40].to_vec(), "a zip archive that is damaged or cut off", "again"),
        ("p.xlsx", zip_of(&[("xl/workbook.bin", "")]), "a binary workbook (.xlsb)", "save"),
        ("p.parquet", b"age,sex\n1,f\n".to_vec(), "text, unlike its name", "rename it to end in .csv"),
        ("p.xls", b"\x09\x08\x10\0\0\x06\x05\0".to_vec(), "no workbook", "save it again as .xlsx"),
        ("p.xlsx", Vec::new(), "empty", "download it again"),
    ] {
        let folder = folder();
        fs::write(folder.path().join(name), content).unwrap();
        let done = init(&folder, &[name, "t.csv"]);
        done.expect(1, &format!("{name}: the file is {what}")).expect(1, remedy);
    }
}

/// P with a third column, whose cells may have no text.
fn workbook(odd: &dyn Fn(&mut rust_xlsxwriter::Worksheet)) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (column, name) in (0..).zip(["age", "sex", "score"]) {
        sheet.write(0, column, name).unwrap();
    }
    for row in 1..=40 {
        sheet.write(row, 0, 20 + (row - 1) % 20).unwrap();
        sheet.write(row, 1, "f").unwrap();
        sheet.write(row, 2, row % 3).unwrap();
    }
    odd(sheet);
    book.save_to_buffer().unwrap()
}

// holds: Formats are equal
#[test]
fn error_cells_matter_only_in_used_columns() {
    let folder = folder();
    let error = |row, column| {
        move |sheet: &mut rust_xlsxwriter::Worksheet| {
            drop(sheet.write(row, column, Formula::new("=NA()").set_result("#N/A")).map(drop));
        }
    };
    fs::write(folder.path().join("p.xlsx"), workbook(&error(7, 2))).unwrap();
    init(&folder, &["p.xlsx", "t.csv"]).expect(0, "");
    let made = ["anonymize", "project.toml", "--strategy", "n1", "--delta-max", "1", "-o", "out.csv"];
    palmtop(folder.path(), made).expect(0, "");
    palmtop(folder.path(), ["verify", "project.toml", "out.csv", "--delta-max", "1"]).expect(0, "");
    // The same cell in a column that the project uses.
    fs::write(folder.path().join("q.xlsx"), workbook(&error(7, 0))).unwrap();
    init(&folder, &["q.xlsx", "t.csv"]).expect(1, "cell A8: the cell has an error (#N/A)");
}

/// A column with an error that nobody names still says who is a person.
// holds: Doubtful rows are questions
#[test]
fn columns_with_errors_are_searched_for_people() {
    let folder = folder();
    for has_error in [false, true] {
        let repeated = move |sheet: &mut rust_xlsxwriter::Worksheet| {
            sheet.write(0, 2, "person_id").unwrap();
            for row in 1..=40 {
                sheet.write(row, 2, format!("P{:03}", row % 20)).unwrap();
            }
            if has_error {
                sheet.write(7, 2, Formula::new("=NA()").set_result("#N/A")).unwrap();
            }
        };
        fs::write(folder.path().join("p.xlsx"), workbook(&repeated)).unwrap();
        let done = init(&folder, &["p.xlsx", "t.csv"]);
        for text in ["person_id", "is each row a person?"] {
            assert!(done.err.contains(text), "{has_error}: {}", done.err);
        }
    }
}

/// A remedy that is a key of the project has the option that stands for the key.
#[test]
fn a_key_has_its_option_before_a_project() {
    let folder = folder();
    let mut book = Workbook::new();
    for name in ["people", "notes"] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        sheet.write(0, 0, "age").unwrap().write(1, 0, 20).unwrap();
    }
    fs::write(folder.path().join("p.xlsx"), book.save_to_buffer().unwrap()).unwrap();
    let done = init(&folder, &["p.xlsx", "t.csv"]);
    done.expect(1, "`sheet = \"people\"`").expect(1, "`--set public.sheet=…`");
    let taken = init(&folder, &["p.xlsx", "t.csv", "--set", "public.sheet=people"]);
    assert!(!taken.err.contains("several sheets"), "{}", taken.err);
}
