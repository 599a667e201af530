//! Ready lists, from raw tables of codes to a verified release: the engine and the verifier read each of them.

use std::fs;

use crate::support::dice::Dice;
use crate::support::{palmtop as run, root};

/// The ready lists of `hierarchies/`: those that name a source.
fn lists() -> Vec<(String, String)> {
    let files = fs::read_dir(root("hierarchies")).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let read = |path: std::path::PathBuf| {
        (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
    };
    let mut lists: Vec<_> = texts.map(read).filter(|(_, text)| text.contains("# Source: ")).collect();
    lists.sort();
    lists
}

/// The codes of a list: the parts of its first level.
fn codes(text: &str) -> Vec<String> {
    let table: toml::Table = text.parse().unwrap();
    let first = table["level"].as_array().unwrap()[0].as_table().unwrap();
    let parts = first.values().flat_map(|parts| parts.as_array().unwrap());
    let codes = parts.map(|part| part.as_str().unwrap().to_owned());
    // Without texts that CSV quotes.
    codes.filter(|code| !code.contains(',')).collect()
}

#[test]
fn both_readers_read_every_ready_list() {
    let lists = lists();
    assert_eq!(lists.len(), 8);
    for (name, text) in lists {
        let codes = codes(&text);
        for wrong in [0, 10] {
            let mut dice = Dice::new(wrong);
            let code = |row: u64| if row < wrong { format!("?{row}") } else { dice.pick(&codes).clone() };
            let codes: Vec<String> = (0..1_000).map(code).collect();
            let folder = tempfile::tempdir().unwrap();
            let put = |file: &str, people: usize| {
                let rows =
                    codes[..people].iter().enumerate().map(|(row, code)| format!("{code},{}\n", row % 2));
                fs::write(folder.path().join(file), format!("of,sex\n{}", rows.collect::<String>())).unwrap();
            };
            put("p.csv", 1_000);
            put("t.csv", 50);
            let init = run(folder.path(), ["init", "p.csv", "t.csv", "--yes", "-o", "x.toml"]);
            init.expect(0, "");
            let project = fs::read_to_string(folder.path().join("x.toml")).unwrap();
            assert!(project.contains(&format!("palmtop's list {name} (source: ")), "{name}: {project}");
            let named = (0..wrong).all(|row| init.err.contains(&format!("\"?{row}\"")));
            assert!(named && init.err.contains(" lacks ") == (wrong > 0), "{name}: {}", init.err);
            run(folder.path(), ["check", "x.toml"]).expect(0, "");
            run(folder.path(), ["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"])
                .expect(0, "written and verified");
        }
    }
}
