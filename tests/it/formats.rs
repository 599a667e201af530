//! The same people in every format give one histogram and one release, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use crate::support::runs_alone;
use palmtop::data::write::{Lines, ReleaseFormat};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file};
use proptest::prelude::*;

/// Towns with letters that the encodings write differently, and with characters that CSV quotes.
const TOWNS: [&str; 5] = ["Zürich", "Genève", "O'Hara", "a;b, \"c\"", "Nîmes"];

/// A person: age, the index of the town, and whether the person is in T.
type Person = (u8, usize, bool);

/// Columns and rows.
type Rows = (Vec<&'static str>, Vec<Vec<String>>);

/// The form of a table: its file extension, and the keys that the project needs for it.
#[derive(Clone, Copy, Debug)]
struct Form {
    ending: &'static str,
    keys: &'static str,
}

const FORMS: [Form; 15] = [
    Form { ending: "csv", keys: "" },
    Form { ending: "tsv", keys: "" },
    Form { ending: "marked.csv", keys: "" },
    Form { ending: "quoted.txt", keys: "separator = \"|\"\nquote = \"'\"\n" },
    Form { ending: "le.csv", keys: "separator = \";\"\n" },
    Form { ending: "be.csv", keys: "" },
    Form { ending: "unmarked.csv", keys: "encoding = \"utf-16le\"\n" },
    Form { ending: "windows.csv", keys: "encoding = \"windows-1252\"\n" },
    Form { ending: "csv.gz", keys: "" },
    Form { ending: "csv.zst", keys: "" },
    Form { ending: "parquet", keys: "" },
    Form { ending: "arrow", keys: "" },
    Form { ending: "parquet.zst", keys: "" },
    Form { ending: "xlsx", keys: "" },
    Form { ending: "titled.xlsx", keys: "sheet = \"people\"\nheader_row = 3\n" },
];

impl Form {
    fn write(self, path: &Path, (columns, rows): &Rows) {
        let bytes = match self.ending {
            "parquet" | "arrow" | "parquet.zst" => {
                let names: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
                let texts = rows.iter().map(|row| (row.iter().map(String::as_str).collect(), 1));
                let lines = Lines::new(&names, texts).unwrap();
                let format =
                    if self.ending == "arrow" { ReleaseFormat::Arrow } else { ReleaseFormat::Parquet };
                let mut bytes = Vec::new();
                lines.write_as(format, &mut bytes, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
                if self.ending == "parquet.zst" { zstd::encode_all(&bytes[..], 1).unwrap() } else { bytes }
            }
            "xlsx" => workbook(columns, rows, 0),
            "titled.xlsx" => workbook(columns, rows, 2),
            _ => self.text(columns, rows),
        };
        fs::write(path, bytes).unwrap();
    }

    fn text(self, columns: &[&str], rows: &[Vec<String>]) -> Vec<u8> {
        let (separator, quote) = match self.ending {
            "tsv" => ("\t", '"'),
            "le.csv" | "be.csv" => (";", '"'),
            "quoted.txt" => ("|", '\''),
            _ => (",", '"'),
        };
        let field = |text: &str| {
            let must = text.contains([quote, ',', ';', '|', '"', '\'']);
            if must {
                format!("{quote}{}{quote}", text.replace(quote, &format!("{quote}{quote}")))
            } else {
                text.to_owned()
            }
        };
        let line = |fields: Vec<String>| fields.join(separator) + "\n";
        let mut text = line(columns.iter().map(|name| field(name)).collect());
        text.extend(rows.iter().map(|row| line(row.iter().map(|text| field(text)).collect())));
        let narrow = || text.chars().map(|character| u8::try_from(character).unwrap()).collect();
        let wide = |mark: &str, to: fn(u16) -> [u8; 2]| {
            format!("{mark}{text}").encode_utf16().flat_map(to).collect()
        };
        match self.ending {
            "marked.csv" => format!("\u{feff}{text}").into_bytes(),
            "le.csv" => wide("\u{feff}", u16::to_le_bytes),
            "be.csv" => wide("\u{feff}", u16::to_be_bytes),
            "unmarked.csv" => wide("", u16::to_le_bytes),
            "windows.csv" => narrow(),
            "csv.gz" => {
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packer.write_all(text.as_bytes()).unwrap();
                packer.finish().unwrap()
            }
            "csv.zst" => zstd::encode_all(text.as_bytes(), 1).unwrap(),
            _ => text.into_bytes(),
        }
    }
}

/// Writes numbers as numbers and other values as texts, with a title above the column names.
fn workbook(columns: &[&str], rows: &[Vec<String>], header: u32) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet().set_name("people").unwrap();
    if header > 0 {
        sheet.write(0, 0, "People").unwrap();
    }
    for (column, name) in (0..).zip(columns) {
        sheet.write(header, column, *name).unwrap();
    }
    for (row, texts) in (header + 1..).zip(rows) {
        for (column, text) in (0..).zip(texts) {
            match text.parse::<f64>() {
                Ok(number) => sheet.write(row, column, number).unwrap(),
                Err(_) => sheet.write(row, column, text.as_str()).unwrap(),
            };
        }
    }
    if header > 0 {
        book.add_worksheet().set_name("notes").unwrap().write(0, 0, "none").unwrap();
    }
    book.save_to_buffer().unwrap()
}

/// Writes a table into this many files. Returns the keys of its part of the project.
fn write(folder: &Path, name: &str, form: Form, files: usize, (columns, rows): &Rows) -> String {
    let size = rows.len().div_ceil(files).max(1);
    let parts: Vec<&[Vec<String>]> = rows.chunks(size).collect();
    for (nth, part) in parts.iter().enumerate() {
        // Every second file has the columns in another order.
        let mut content = (columns.clone(), part.to_vec());
        if nth % 2 == 1 {
            content.0.reverse();
            content.1.iter_mut().for_each(|row| row.reverse());
        }
        form.write(&folder.join(format!("{name}-{nth:02}.{}", form.ending)), &content);
    }
    let path = match parts.len() {
        1 => format!("path = \"{name}-00.{}\"", form.ending),
        _ => format!("path = \"{name}-*.{}\"", form.ending),
    };
    format!("{path}\n{}", form.keys)
}

/// The histogram and the releases of people in this form, in the order CSV, Parquet, Arrow.
fn outcome(
    people: &[Person],
    (public, private): (Form, Form),
    files: usize,
    counts: bool,
) -> (String, [Vec<u8>; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let combination = |&(age, town, _): &Person| vec![age.to_string(), TOWNS[town].to_owned()];
    let all: Rows = if counts {
        let mut grouped: BTreeMap<Vec<String>, u32> = BTreeMap::new();
        for person in people {
            *grouped.entry(combination(person)).or_default() += 1;
        }
        let rows = grouped.into_iter().enumerate().map(|(nth, (mut row, count))| {
            row.extend([count.to_string(), format!("r{nth}")]);
            row
        });
        (vec!["age", "town", "n", "row"], rows.collect())
    } else {
        let rows = people.iter().enumerate().map(|(nth, person)| {
            let mut row = combination(person);
            row.push(format!("r{nth}"));
            row
        });
        (vec!["age", "town", "row"], rows.collect())
    };
    let members = people.iter().enumerate().filter(|(_, person)| person.2).map(|(nth, person)| {
        let mut row = combination(person);
        row.extend([format!("s{}", nth % 3), format!("i{nth}")]);
        row
    });
    let public = write(root, "public", public, files, &all);
    let private =
        write(root, "private", private, files, &(vec!["age", "town", "illness", "id"], members.collect()));
    fs::write(root.join("age.toml"), "type = \"interval\"\nwidths = [3, 6]\n").unwrap();
    let towns = TOWNS.map(|town| format!("\"{}\";*\n", town.replace('"', "\"\"")));
    fs::write(root.join("town.csv"), towns.concat()).unwrap();
    let count = if counts { "count = \"n\"\ncounts = \"people\"\n" } else { "" };
    let project = root.join("p.toml");
    fs::write(
        &project,
        format!(
            "[private]\n{private}[public]\n{public}{count}[delta]\nmax = 1\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
             [[attribute]]\nname = \"town\"\nrole = \"quasi\"\nhierarchy = \"town.csv\"\n\
             [[attribute]]\nname = \"illness\"\nrole = \"sensitive\"\n\
             [[attribute]]\nname = \"id\"\nrole = \"identifier\"\n"
        ),
    )
    .unwrap();
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().bottom());
    let written = ["csv", "parquet", "arrow"].map(|ending| {
        let target = root.join(format!("release.{ending}"));
        // `write` also verifies the release.
        let written =
            pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap();
        let bytes = fs::read(&target).unwrap();
        assert_eq!(written.bytes, bytes.len() as u64);
        let findings = verify_file(&project, &Overrides::default(), &target).unwrap();
        assert!(findings.is_faithful() && findings.is_present(), "{ending}: {:?}", findings.problems);
        bytes
    });
    let histogram = problem.histogram();
    let people: Vec<String> = (0..histogram.len())
        .map(|index| {
            let codes: Vec<String> = (0..2)
                .map(|column| {
                    let code = histogram.column(column)[index];
                    problem.quasi()[column].hierarchy.leaf(code).to_owned()
                })
                .collect();
            format!("{codes:?} {:?}", histogram.counts()[index])
        })
        .collect();
    let mut people = people;
    people.sort();
    (people.join("\n"), written)
}

/// Whether a file of P would have the people of a file of T, so that it is refused: among few people, this happens by chance.
fn have_a_file_in_common(people: &[Person]) -> bool {
    let combination = |&(age, town, _): &Person| (age, town);
    let members: Vec<_> =
        people.iter().filter(|person| person.2).map(|person| vec![combination(person)]).collect();
    let rows: Vec<_> = people.iter().map(|person| vec![combination(person)]).collect();
    let mut grouped = BTreeMap::new();
    for combination in people.iter().map(combination) {
        grouped.entry(combination).or_insert_with(Vec::new).push(combination);
    }
    let grouped: Vec<_> = grouped.into_values().collect();
    let parts = |rows: &[Vec<_>], files: usize| -> Vec<Vec<_>> {
        let parts = rows.chunks(rows.len().div_ceil(files).max(1)).map(|part| {
            let mut part = part.concat();
            part.sort_unstable();
            part
        });
        parts.collect()
    };
    [3, 10].into_iter().any(|files| {
        let of_t = parts(&members, files);
        [&rows, &grouped].into_iter().any(|rows| parts(rows, files).iter().any(|part| of_t.contains(part)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    // holds: Formats are equal
    #[test]
    fn every_format_gives_the_same_release(
        mut people in prop::collection::vec((20..40_u8, 0..TOWNS.len(), any::<bool>()), 1..40),
        shift in 0..FORMS.len(),
    ) {
        people[0].2 = true;
        prop_assume!(!have_a_file_in_common(&people));
        let expected = outcome(&people, (FORMS[0], FORMS[0]), 1, false);
        for (nth, form) in FORMS.into_iter().enumerate() {
            let other = FORMS[(nth + shift) % FORMS.len()];
            let (files, counts) = ([1, 10, 3][nth % 3], (nth + shift) % 2 == 0);
            let found = outcome(&people, (form, other), files, counts);
            prop_assert_eq!(&found, &expected, "{:?} {:?} {} {}", form, other, files, counts);
        }
    }
}

/// The error for a project of these files, with `path` and other keys of P.
fn refusal(files: &[(&str, &[u8])], keys: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("t.csv", "age\n30\n".to_owned());
    write("age.toml", "type = \"interval\"\nwidths = [5]\n".to_owned());
    write(
        "p.toml",
        format!(
            "[private]\npath = \"t.csv\"\n[public]\n{keys}\n[delta]\nmax = 1\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n"
        ),
    );
    let error = Analysis::load(&folder.path().join("p.toml"), &Overrides::default()).unwrap_err();
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        let cause = inner.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
        source = inner.source();
    }
    text.replace(&format!("{}/", folder.path().display()), "")
}

/// A file's name and its content.
type NamedBytes<'a> = (&'a str, &'a [u8]);

/// Files that cannot be read: where each refusal says that it is, and the refusal.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let gz = |text: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    };
    let packed = gz(b"age\n30\n31\n");
    let behind = [packed.as_slice(), b"x"].concat();
    let wide: Vec<u8> = "age\n30\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (a, b): (NamedBytes, NamedBytes) = (("a.csv", b"age,zip\n30,1\n"), ("b.csv", b"age,place\n30,1\n"));
    [
        (vec![a, b], "path = \"[ab].csv\"", "b.csv: its columns differ"),
        (vec![a], "path = [\"a.csv\", \"./a.csv\"]", "./a.csv is named twice"),
        (vec![a], "path = \"c-*.csv\"", "project p.toml: [public]: pattern \"c-*.csv\": no file"),
        (vec![a], "path = \"**/*.csv\"", "project p.toml: [public]: pattern \"**/*.csv\": `**`"),
        (vec![a], "path = \"a.csv\"\nsheet = \"x\"", "a.csv: `sheet` applies only"),
        (vec![a], "path = \"a.csv\"\nencoding = \"utf-16le\"", "a.csv, line 1"),
        (
            vec![("l.csv", b"age,name\n30,M\xfcller\n")],
            "path = \"l.csv\"",
            "l.csv, line 2: not UTF-8 in column `name` (byte fc)\n",
        ),
        (
            vec![("l.csv", b"age,name\n30,M\x81\n")],
            "path = \"l.csv\"\nencoding = \"windows-1252\"",
            "l.csv, line 2, character 5: byte 81",
        ),
        (vec![("w.csv", &wide)], "path = \"w.csv\"", "w.csv: the file is text in UTF-16"),
        (vec![("p.csv.gz", &packed[..9])], "path = \"p.csv.gz\"", "cannot read p.csv.gz: its gzip"),
        (vec![("p.csv.gz", &behind)], "path = \"p.csv.gz\"", "cannot read p.csv.gz: its gzip"),
        (vec![("p.csv", &packed)], "path = \"p.csv\"", "p.csv: the file is packed by gzip"),
        (vec![("p.ods", b"PK\x03\x04")], "path = \"p.ods\"", "p.ods: palmtop reads no"),
        (
            vec![("p.xlsx", b"PK\x03\x04 and no more")],
            "path = \"p.xlsx\"",
            "p.xlsx: the file is a zip archive that",
        ),
        (
            vec![("1.csv", b"age\n30\n31\n"), ("2.csv", b"age\nx\n")],
            "path = \"[12].csv\"",
            "1.csv … 2.csv (2 files), column `age`: 1 value",
        ),
        (
            vec![("1.csv", b"age,n\n30,1\n"), ("2.csv", b"age,n\n31,1\n32,many\n")],
            "path = \"[12].csv\"\ncount = \"n\"\ncounts = \"people\"",
            "2.csv, row 2 (header not counted), column `n`: `many`",
        ),
    ]
    .into_iter()
    .map(|(files, keys, place)| (place, refusal(&files, keys)))
    .collect()
}

// holds: Formats are equal
#[test]
fn what_cannot_be_read_says_file_and_place() {
    for (place, found) in refusals() {
        assert!(found.starts_with(place), "expected {place}\n   found {found}");
        assert!(found.lines().count() <= 12);
    }
}

#[test]
fn a_hard_link_is_no_second_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("p-1.csv"), "age\n30\n").unwrap();
    fs::hard_link(path("p-1.csv"), path("p-2.csv")).unwrap();
    fs::write(path("t.csv"), "age\n30\n").unwrap();
    fs::write(path("age.toml"), "type = \"interval\"\nwidths = [5]\n").unwrap();
    fs::write(
        path("p.toml"),
        "[private]\npath = \"t.csv\"\n[public]\npath = \"p-*.csv\"\n[delta]\nmax = 1\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n",
    )
    .unwrap();
    let loaded = Analysis::load(&path("p.toml"), &Overrides::default()).unwrap_err();
    assert!(loaded.to_string().contains("are the same file"), "{loaded}");
    fs::write(path("r.csv"), "age\n30\n").unwrap();
    let verified = verify_file(&path("p.toml"), &Overrides::default(), &path("r.csv")).unwrap_err();
    assert!(verified.to_string().contains("are the same file"), "{verified}");
}

// holds: Rows and nothing else
#[test]
fn a_release_with_hidden_bytes_is_refused() {
    if !runs_alone("formats::a_release_with_hidden_bytes_is_refused") {
        return;
    }
    // A damaged size may end the process that reads it, so a child of this process reads it first.
    palmtop::data::trial::set_program(env!("CARGO_BIN_EXE_palmtop").into());
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("t.csv", "age\n30\n");
    write("p.csv", "age\n30\n31\n");
    write("age.toml", "type = \"interval\"\nwidths = [5]\n");
    let project = folder.path().join("p.toml");
    write(
        "p.toml",
        "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = 1\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n",
    );
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let release = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom());
    for ending in ["parquet", "arrow"] {
        let target = folder.path().join(format!("r.{ending}"));
        pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap();
        let faithful = |bytes: &[u8]| {
            fs::write(&target, bytes).unwrap();
            verify_file(&project, &Overrides::default(), &target).is_ok_and(|findings| findings.is_faithful())
        };
        let bytes = fs::read(&target).unwrap();
        assert!(faithful(&bytes));
        // The verifier rejects the file if one bit of any byte changes, or if one byte is added.
        for position in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[position] ^= 1;
            assert!(!faithful(&changed), "{ending}: byte {position}");
        }
        assert!(!faithful(&[bytes.as_slice(), b"x"].concat()));
    }
}
