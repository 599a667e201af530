use super::*;
use rust_xlsxwriter::{ExcelDateTime, Format as Style, Formula, Workbook};

type Made = Result<(Vec<String>, Vec<Vec<String>>), String>;

fn read(fill: impl FnOnce(&mut Workbook), sheet: Option<&str>, header_row: Option<u32>) -> Made {
    let mut book = Workbook::new();
    fill(&mut book);
    let bytes = book.save_to_buffer().unwrap();
    let spec =
        TableSpec { sheet: sheet.map(ToOwned::to_owned), header_row, ..TableSpec::of("p.xlsx".into()) };
    let sheet = Sheet::new(Path::new("p.xlsx"), Format::Xlsx, &bytes, &spec);
    let (sheet, textless) = sheet.map_err(|error| error.to_string())?;
    if let Some(column) = textless.first() {
        return Err(column.error(Path::new("p.xlsx")).to_string());
    }
    let width = sheet.columns().len();
    let row = |row| (0..width).map(|column| sheet.text(row, column).to_owned()).collect();
    Ok((sheet.columns().to_vec(), (0..sheet.rows).map(row).collect()))
}

#[test]
fn every_kind_of_cell_has_one_text() {
    let read = read(
        |book| {
            let day = Style::new().set_num_format("yyyy-mm-dd");
            let sheet = book.add_worksheet();
            for (column, name) in (0..).zip(["number", "date", "flag", "text"]) {
                sheet.write(0, column, name).unwrap();
            }
            for (row, number) in (1..).zip([39.0, -0.0, 0.1, 1e21, -1.5]) {
                sheet.write(row, 0, number).unwrap();
                sheet.write(row, 3, "007").unwrap();
            }
            let noon = ExcelDateTime::from_ymd(2024, 2, 29).unwrap().and_hms(12, 0, 0.5).unwrap();
            sheet.write_with_format(1, 1, ExcelDateTime::from_ymd(2024, 2, 29).unwrap(), &day).unwrap();
            sheet.write_with_format(2, 1, noon, &day).unwrap();
            sheet.write_with_format(3, 1, 1.0, &day).unwrap();
            sheet.write(1, 2, true).unwrap();
            sheet.write(2, 2, Formula::new("=1+1").set_result("2")).unwrap();
        },
        None,
        None,
    );
    let (columns, rows) = read.unwrap();
    assert_eq!(columns, ["number", "date", "flag", "text"]);
    assert_eq!(
        rows,
        [
            ["39", "2024-02-29", "true", "007"],
            ["0", "2024-02-29 12:00:00.500", "2", "007"],
            ["0.1", "1900-01-01", "", "007"],
            ["1000000000000000000000", "", "", "007"],
            ["-1.5", "", "", "007"],
        ]
    );
}

fn table(book: &mut Workbook, name: &str) {
    let sheet = book.add_worksheet().set_name(name).unwrap();
    sheet.write(0, 0, "age").unwrap().write(0, 1, "zip").unwrap();
    sheet.write(1, 0, 30).unwrap().write(1, 1, 8000).unwrap();
}

/// Where each refusal of a sheet says that it is, and the refusal.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let found = |change: &dyn Fn(&mut rust_xlsxwriter::Worksheet)| {
        let fill = |book: &mut Workbook| {
            table(book, "people");
            change(book.worksheet_from_index(0).unwrap());
        };
        read(fill, None, None).unwrap_err()
    };
    [
        (
            &(|sheet: &mut rust_xlsxwriter::Worksheet| {
                drop(sheet.merge_range(1, 0, 2, 0, "x", &Style::new()).map(drop));
            }) as &dyn Fn(&mut rust_xlsxwriter::Worksheet),
            "p.xlsx, sheet `people`, cell A2: merged cells",
        ),
        (
            &|sheet| drop(sheet.write(1, 1, Formula::new("=1/0").set_result("#DIV/0!")).map(drop)),
            "p.xlsx, sheet `people`, cell B2: the cell",
        ),
        (&|sheet| drop(sheet.write(1, 4, "x").map(drop)), "p.xlsx, sheet `people`, cell E2: the cell"),
        (
            &|sheet| drop(sheet.write(0, 3, "x").map(drop)),
            "p.xlsx, sheet `people`, cell C1: a column without",
        ),
        (&|sheet| drop(sheet.write(3, 0, 31).map(drop)), "p.xlsx, sheet `people`: row 3 is empty"),
        (
            &|sheet| {
                let time = Style::new().set_num_format("hh:mm");
                drop(sheet.write_with_format(1, 0, 0.5, &time).map(drop));
            },
            "p.xlsx, sheet `people`, cell A2: the cell",
        ),
        (
            &|sheet| {
                let day = Style::new().set_num_format("yyyy-mm-dd");
                drop(sheet.write_with_format(1, 0, 60, &day).map(drop));
            },
            "p.xlsx, sheet `people`, cell A2: the cell",
        ),
    ]
    .map(|(change, place)| (place, found(change)))
    .into()
}

// holds: Formats are equal
#[test]
fn invalid_sheet_is_refused_with_its_cell() {
    for (place, found) in refusals() {
        assert!(found.starts_with(place), "expected {place}\n   found {found}");
    }
    let two = |book: &mut Workbook| {
        table(book, "people");
        table(book, "more");
    };
    assert!(read(two, None, None).unwrap_err().contains("several sheets: \"people\", \"more\"; choose one"));
    assert!(
        read(two, Some("other"), None).unwrap_err().contains("no sheet \"other\"; the file has \"people\",")
    );
    assert_eq!(read(two, Some("more"), None).unwrap().1, [["30", "8000"]]);
    assert_eq!(read(two, Some("more"), Some(2)).unwrap().0, ["30", "8000"]);
    assert!(read(two, Some("more"), Some(3)).unwrap_err().contains("row 3 is empty; set `header_row`"));
}

#[test]
fn cells_are_named_as_spreadsheets_name_them() {
    let names =
        [(0, 0, "A1"), (6, 1, "B7"), (0, 25, "Z1"), (0, 26, "AA1"), (9, 701, "ZZ10"), (0, 702, "AAA1")];
    for (row, column, name) in names {
        assert_eq!(address(row, column), name);
    }
}

#[test]
fn endless_text_is_refused_before_it_is_read() {
    let packed = |length: usize| {
        let mut archive = ::zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file("xl/sharedStrings.xml", ::zip::write::SimpleFileOptions::default()).unwrap();
        let text = format!("<t>{}</t>", "a".repeat(length));
        std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
        archive.finish().unwrap().into_inner()
    };
    let most = usize::try_from(crate::source::form::MOST_RECORD).unwrap();
    let bytes = packed(most);
    assert!(bytes.len() < 1 << 17);
    let read = |bytes: &[u8]| {
        let spec = TableSpec::of("p.xlsx".into());
        Sheet::new(Path::new("p"), Format::Xlsx, bytes, &spec).unwrap_err().to_string()
    };
    assert!(read(&bytes).contains("more than 16 MiB"), "{}", read(&bytes));
    assert!(!read(&packed(most - 2)).contains("more than 16 MiB"));
}
