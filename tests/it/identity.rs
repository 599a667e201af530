//! Inputs are identified by file and by content. Nobody is counted twice in P, and no release is
//! compared with itself.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use palmtop::verify::{OtherDelta, VerifySpec, verify};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    /// A project: P has four people, T has two of them and no further column.
    fn new(public: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("P.csv", "q\n1\n2\n3\n4\n");
        folder.write("T.csv", "q\n1\n2\n");
        folder.write("h.toml", "type = \"interval\"\nwidths = [10]\n");
        folder.write_project(public, "T.csv", "h.toml");
        folder
    }

    fn write_project(&self, public: &str, private: &str, hierarchy: &str) {
        self.write(
            "p.toml",
            &format!(
                "[private]\npath = \"{private}\"\n[public]\n{public}\n[delta]\nmax = \"1/2\"\n\
                 [[attribute]]\nname = \"q\"\nrole = \"quasi\"\nhierarchy = \"{hierarchy}\"\n"
            ),
        );
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn copy(&self, from: &str, to: &str) {
        fs::copy(self.path(from), self.path(to)).unwrap();
    }

    /// The status and the output.
    fn run(&self, arguments: &str) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
        let arguments = arguments.split_whitespace().map(|part| part.replace('␣', " "));
        let output = command.args(arguments).current_dir(self.0.path()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    }

    #[track_caller]
    fn refuses(&self, arguments: &str, message: &str) {
        let (status, text) = self.run(arguments);
        assert!(
            status == 1 && text.contains(message),
            "{arguments}: {status}, expected {message:?} in\n{text}"
        );
    }

    #[track_caller]
    fn succeeds(&self, arguments: &str) {
        let (status, text) = self.run(arguments);
        assert_eq!(status, 0, "{arguments}\n{text}");
    }
}

/// Commands that load a project.
const LOADING: [&str; 8] = [
    "check p.toml",
    "lattice p.toml",
    "classes p.toml",
    "compare p.toml",
    "audit p.toml --strategy n1",
    "anonymize p.toml --strategy n1 -o out.txt",
    "compare p.toml 1 --show risk",
    "compare p.toml 1 --show utility",
];

const TWICE: &str = "write under [public]: path = \"P.csv\"";

/// The lines for P's files, T's files, the hierarchy, the engine's message, and the verifier's
/// message.
const SHARED: [[&str; 5]; 9] = [
    ["path = \"*.csv\"", "T.csv", "h.toml", TWICE, "T.csv, a file of P, and "],
    ["path = [\"P.csv\", \"./T.csv\"]", "T.csv", "h.toml", TWICE, "are the same file"],
    [
        "path = [\"P.csv\", \"link.csv\"]",
        "T.csv",
        "h.toml",
        "T.csv and link.csv are the same",
        "are the same file",
    ],
    [
        "path = [\"P.csv\", \"copy.csv\"]",
        "T.csv",
        "h.toml",
        "same content as T.csv, a file of T",
        "have the same content",
    ],
    [
        "path = \"P*.csv\"",
        "T.csv",
        "h.toml",
        "P2.csv, a file of P, has the same content as P.csv, a file of P: its people would be counted twice; write under [public]: \
             path = \"P.csv\"",
        "have the same content",
    ],
    ["path = \"P.csv*\"", "T.csv", "h.toml", "P.csv.gz, a file of P, has the same", "have the same content"],
    [
        "path = \"[Ph].csv\"",
        "T.csv",
        "h.csv",
        "h.csv is the hierarchy of `q` and a file of P: its lines would be counted as people; write under [public]: path = \"P.csv\"",
        "h.csv, a file of P, and h.csv, the hierarchy of `q`, are the same file",
    ],
    [
        "path = \"P.csv\"",
        "T*.csv",
        "h.toml",
        "T3.csv, a file of T, has the same content as T.csv, a file of T: its people would be counted twice; write under [private]: \
             path = \"T.csv\"",
        "have the same content",
    ],
    [
        "path = \"T.csv\"",
        "T.csv",
        "h.toml",
        "T.csv is a file of T and a file of P: the people of T would be counted again in P; name a separate file for P under [public], \
             or, if T is marked in P's rows, remove [private] and write `member = COLUMN` under [public]",
        "are the same file",
    ],
];

/// `verify` has a separate reader. All other commands that read a release load the project too.
// holds: One file, one input
#[test]
fn a_file_used_twice_counts_nobody_twice() {
    for [public, private, hierarchy, expected, verified] in SHARED {
        let folder = Folder::new(public);
        folder.write_project(public, private, hierarchy);
        folder.write("h.csv", "q\n1\n2\n3\n4\n");
        if public.contains("*.csv") && !public.contains("P*") {
            fs::remove_file(folder.path("h.csv")).unwrap();
        }
        match () {
            () if public.contains("link") => {
                std::os::unix::fs::symlink("T.csv", folder.path("link.csv")).unwrap();
            }
            () if public.contains("copy") => folder.copy("T.csv", "copy.csv"),
            () if public.contains("P*.csv") => folder.copy("P.csv", "P2.csv"),
            () if private.contains('*') => folder.copy("T.csv", "T3.csv"),
            () if public.contains("P.csv*") => {
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packer.write_all(&fs::read(folder.path("P.csv")).unwrap()).unwrap();
                fs::write(folder.path("P.csv.gz"), packer.finish().unwrap()).unwrap();
            }
            () => {}
        }
        for command in LOADING {
            folder.refuses(command, expected);
        }
        folder.write("r.txt", "q\n\"[0, 10)\"\n\"[0, 10)\"\n");
        folder.refuses("verify p.toml r.txt", verified);
        for command in [
            "report p.toml r.txt -o r.html",
            "compose p.toml r.txt r.txt",
            "compare p.toml r.txt --show risk",
            "compare p.toml r.txt --show utility",
        ] {
            folder.refuses(command, expected);
        }
        assert!(!folder.path("out.txt").exists() && !folder.path("r.html").exists());
    }
}

/// The names of a copy's file and its content: the same rows in another form.
fn forms(rows: &[(i64, &str)]) -> Vec<(&'static str, Vec<u8>)> {
    use polars::prelude::{Column, DataFrame, ParquetWriter};
    let lines: Vec<String> = rows.iter().map(|(q, id)| format!("{q},{id}\n")).collect();
    let text = |lines: String| ["q,id\n".to_owned(), lines].concat();
    let plain = text(lines.concat());
    let (numbers, ids): (Vec<i64>, Vec<&str>) = rows.iter().copied().unzip();
    let columns = vec![Column::new("q".into(), numbers), Column::new("id".into(), ids)];
    let mut parquet = Vec::new();
    ParquetWriter::new(&mut parquet).finish(&mut DataFrame::new(rows.len(), columns).unwrap()).unwrap();
    vec![
        ("copy.parquet", parquet),
        ("copy.csv", plain.replace('\n', "\r\n").into_bytes()),
        ("copy.csv", format!("\u{feff}{plain}").into_bytes()),
        ("copy.csv", text(lines.iter().rev().cloned().collect()).into_bytes()),
        ("copy.csv", plain.replace(',', ";").into_bytes()),
        ("copy.csv", plain.replace(',', ".0,").replace("q.0", "q").into_bytes()),
    ]
}

/// The members of T, or people of P, who are in P once more in another form.
#[test]
fn rows_in_another_form_are_the_same_rows() {
    let everybody = [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (6, "f")];
    for (of, is_private) in [(&everybody[..2], true), (&everybody[..], false)] {
        for (copy, content) in forms(of) {
            let folder = Folder::new(&format!("path = [\"P.csv\", \"{copy}\"]"));
            folder.write("P.csv", "q,id\n1,a\n2,b\n3,c\n4,d\n5,e\n6,f\n");
            folder.write("T.csv", "q,id\n1,a\n2,b\n");
            let project = fs::read_to_string(folder.path("p.toml")).unwrap();
            folder.write("p.toml", &(project + "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\nrepeats = \"a copy has each number again\"\n"));
            fs::write(folder.path(copy), content).unwrap();
            folder.write("r.txt", "q\n\"[0, 10)\"\n\"[0, 10)\"\n");
            let other = if is_private {
                "T.csv, a file of T, in another form"
            } else {
                "P.csv, a file of P, in another form"
            };
            for command in ["check p.toml", "anonymize p.toml --node 1 -o o.txt", "verify p.toml r.txt"] {
                folder.refuses(command, other);
            }
            let init = format!("init --public P.csv {copy} --private T.csv -o q.toml --yes");
            folder.refuses(&init, &format!("{other}: "));
            let spec = VerifySpec::of_project(&folder.path("p.toml"), OtherDelta::default()).unwrap();
            let error = verify(&spec, &folder.path("r.txt")).unwrap_err().to_string();
            assert!(error.contains("in another form"), "{copy}: {error}");
        }
    }
}

#[test]
fn other_people_and_parts_are_no_copies() {
    for (name, rest, private) in [
        // Other people with the same quasi-identifiers, a part, and all of it with one more.
        ("other people", "q,id\n1,e\n2,f\n", "q,id\n1,a\n2,b\n"),
        ("a part", "q,id\n5,e\n", "q,id\n1,a\n5,e\n"),
        ("more", "q,id\n1,e\n2,f\n3,g\n", "q,id\n1,a\n2,b\n"),
    ] {
        let folder = Folder::new("path = [\"P.csv\", \"rest.csv\"]");
        folder.write("P.csv", "q,id\n1,a\n2,b\n3,c\n4,d\n");
        folder.write("T.csv", private);
        folder.write("rest.csv", rest);
        let project = fs::read_to_string(folder.path("p.toml")).unwrap();
        folder.write("p.toml", &(project + "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n"));
        let (status, text) = folder.run("check p.toml");
        assert_eq!(status, 0, "{name}: {text}");
        folder.succeeds("anonymize p.toml --node 1 -o o.txt");
        let spec = VerifySpec::of_project(&folder.path("p.toml"), OtherDelta::default()).unwrap();
        assert!(verify(&spec, &folder.path("o.txt")).unwrap().is_faithful(), "{name}");
    }
    // A P of one file may have the rows of T in another form: everybody in P is in T.
    let folder = Folder::new("path = \"P.csv\"");
    folder.write("T.csv", "q\n4\n3\n2\n1\n");
    // No δ permits this.
    assert_eq!(folder.run("check p.toml").0, 3);
}

// holds: One file, one input
#[test]
fn a_release_may_not_become_its_own_input() {
    let folder = Folder::new("path = \"P*.csv\"");
    let refusal = "the project's `path = \"P*.csv\"` stands for this name, too: once written, the file would be a part of that input";
    for target in ["P2.csv", "./P2.csv"] {
        folder.refuses(
            &format!("anonymize p.toml --node 0 -o {target} --accept not_present=the␣test␣needs␣it"),
            refusal,
        );
    }
    folder.refuses("anonymize p.toml --node 1 -o P2.csv --force", refusal);
    assert!(!folder.path("P2.csv").exists());
    folder.succeeds("anonymize p.toml --node 1 -o out.txt");
    folder.succeeds("verify p.toml out.txt");
    let accepted = "--accept not_present=the␣test␣needs␣it --accept certain=the␣test␣needs␣it";
    assert_eq!(folder.run(&format!("anonymize p.toml --node 0 -o raw.txt {accepted}")).0, 3);
    assert_eq!(folder.run("verify p.toml raw.txt").0, 3);
    // At level 0, a release may have the same bytes as T. Such a file is a release and not a file
    // of P.
    folder.copy("raw.txt", "P2.csv");
    folder.write("T.csv", "q\n2\n3\n");
    for (release, found) in
        [("P2.csv", "P2.csv is the same file as "), ("raw.txt", "raw.txt has the same content as ")]
    {
        for command in [
            "verify p.toml R",
            "report p.toml R -o r.html",
            "compare p.toml R --show risk",
            "compare p.toml R --show utility",
            "compose p.toml R out.txt",
        ] {
            folder.refuses(&command.replace('R', release), found);
        }
        folder.refuses(&format!("anonymize p.toml --strategy n1 --beside {release} -o o.txt"), found);
    }
    fs::remove_file(folder.path("P2.csv")).unwrap();
    for (input, what) in
        [("T.csv", "a file of T"), ("p.toml", "the project file"), ("h.toml", "the hierarchy of `q`")]
    {
        folder.refuses(&format!("verify p.toml {input}"), what);
    }
}

// holds: One file, one input
#[test]
fn a_proposal_never_takes_t_for_p() {
    let folder = Folder::new("path = \"P.csv\"");
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(["init", "--public", "*.csv", "--private", "T.csv", "-o", "q.toml", "--yes"]);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains(
            "T.csv is a file of T and a file of P: the people of T would be counted again in P; write --public P.csv"
        ),
        "{text}"
    );
    assert!(!folder.path("q.toml").exists());
    folder.copy("P.csv", "P (copy).csv");
    folder.refuses("init --public P*.csv --private T.csv -o q.toml --yes", "counted twice; write --public");
    // A table in the folder of hierarchies is not a hierarchy.
    folder.write("town.csv", "town\na\nb\nc\n");
    folder.write("members.csv", "town\na\n");
    let (_, text) =
        folder.run("init --public town.csv --private members.csv --hierarchies . -o town.toml --yes");
    let project = fs::read_to_string(folder.path("town.toml")).unwrap();
    assert!(!project.contains("hierarchy = \"town.csv\""), "{text}\n{project}");
}

/// If a file was joined to itself, each person would count as two.
#[test]
fn a_doubled_public_table_is_noticed() {
    let folder = Folder::new("path = \"P.csv\"");
    let rows: Vec<String> = (0..40).map(|row| format!("{},{}\n", row % 20, row % 4)).collect();
    let write = |times: usize, extra: &str| {
        folder.write("P.csv", &format!("q,other\n{}{extra}", rows[..20].concat().repeat(times)));
    };
    let warning = |times: u64| format!("public table has every row {times} times, or a multiple of that");
    for (times, extra, expected) in
        [(1, "", None), (2, "", Some(2)), (3, "", Some(3)), (2, "7,9\n", None), (2, "7,3\n7,3\n", Some(2))]
    {
        write(times, extra);
        let (status, text) = folder.run("check p.toml --format json");
        assert_eq!(status, 0, "{text}");
        match expected {
            Some(times) => assert!(text.contains(&warning(times)), "{times} {extra}: {text}"),
            None => assert!(!text.contains("has every row"), "{times} {extra}: {text}"),
        }
    }
    // If each combination has two people, rows do not occur twice.
    let apart: Vec<String> = (0..40).map(|row| format!("{},{row}\n", row % 20)).collect();
    let apart = apart.concat();
    folder.write("P.csv", &format!("q,other\n{apart}"));
    assert!(!folder.run("check p.toml").1.contains("has every row"));
}

#[test]
fn identifiers_differing_only_in_spaces_are_reported() {
    let folder = Folder::new("path = \"P.csv\"");
    let project = fs::read_to_string(folder.path("p.toml")).unwrap();
    folder.write("p.toml", &(project + "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n"));
    let warned = "Column `id` of the private table: 1 identifier differs from another only by spaces";
    for (first, second, is_alike) in [
        ("X1", "X1 ", true),
        ("7", "07", true),
        ("7", "7.0", true),
        ("X1", "X1\u{200b}", true),
        ("X1", "x1", false),
    ] {
        folder.write("T.csv", &format!("id,q\n\"{first}\",1\n\"{second}\",2\n"));
        let (status, text) = folder.run("check p.toml");
        assert_eq!(status, 0, "{text}");
        assert_eq!(text.contains(warned), is_alike, "{first:?} {second:?}: {text}");
        assert!(!is_alike || text.contains("for example in row 1 and row 2"), "{text}");
    }
}

#[test]
fn a_sample_without_hierarchies_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/clinic");
    for name in ["clinic.toml", "public.csv", "private.csv"] {
        fs::copy(sample.join(name), folder.path().join(name)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    let output = command.args(["check", "clinic.toml"]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text.matches("no such hierarchy").count(), 1, "{text}");
    for part in [
        "../../hierarchies/zip.toml, ",
        "copy the files there, or correct `hierarchy`",
        "`palmtop check @clinic`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// If the tables already use the label as a value, it would have two meanings. The same holds for a
/// number.
#[test]
fn no_value_is_called_as_nothing_else_is() {
    let folder = Folder::new("path = \"P.csv\"");
    let project = fs::read_to_string(folder.path("p.toml")).unwrap();
    let with = |keys: &str| folder.write("p.toml", &(project.clone() + keys));
    folder.write("r.txt", "q\n*\n*\n");
    for label in ["7", "1.0", "+5", "1e3"] {
        with(&format!("missing = [\"\"]\nmissing_label = \"{label}\"\n"));
        folder.refuses(
            "check p.toml",
            &format!("`missing_label = \"{label}\"` reads as a number, as the values of `q` do"),
        );
        folder
            .refuses("verify p.toml r.txt", &format!("`{label}` of missing values reads as a number of `q`"));
    }
    with("missing = [\"\"]\nmissing_label = \"nan\"\n");
    folder.succeeds("check p.toml");
    folder.write("h.toml", "type = \"tree\"\n[[level]]\nNA = [\"1\", \"2\"]\nother = [\"3\", \"4\"]\n");
    for keys in ["missing = [\"\", \"NA\"]\n", "[attribute.private]\nmissing = [\"NA\"]\n"] {
        with(keys);
        folder.refuses(
            "check p.toml",
            "its label `NA` (level 1) is also a text for missing values in the tables (`missing`)",
        );
        folder.refuses(
            "verify p.toml r.txt",
            "`NA` means a missing value in the tables, but is a label of the hierarchy",
        );
    }
    with("missing = [\"\", \"*\"]\n");
    folder.succeeds("check p.toml");
}
