//! Reference tables of `docs/`, made from the program's lists and never edited by hand.
//!
//! A page marks a generated part with `<!-- NAME: written by "just docs" -->` before it and
//! `<!-- end of NAME -->` after it. `just docs` writes the parts. At any other time, the test here
//! fails if a page differs. A new list needs a row in [`parts`] and two marks in a page.

mod markup;
mod outputs;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use palmtop::caution;
use palmtop::compatibility::{self, Answer, Feature, RULES};
use palmtop::keys::Key;
use palmtop::listing::Column;
use palmtop::model::criterion::kinds;
use palmtop::project::Project;
use palmtop::search::Strategy;
use palmtop::strategy::OF_NINE;

use markup::{code, table};
use palmtop_workbench::{commands_without_key, list_of_screens};

/// A generated part: the page, the name of the part, and its text.
type Part = (&'static str, &'static str, String);

fn parts() -> Vec<Part> {
    vec![
        ("docs/keys.md", "alphabet", alphabet()),
        ("docs/keys.md", "commands", commands()),
        ("docs/workbench.md", "screens", screens()),
        ("docs/strategies.md", "strategies", strategies()),
        ("docs/cautions.md", "cautions", cautions()),
        ("docs/project-file.md", "criteria", criteria()),
        ("docs/project-file.md", "keys of projects", keys_of_projects()),
        ("docs/commands.md", "columns of classes", columns_of_classes()),
        ("docs/outputs.md", "recurring names", outputs::recurring()),
        ("docs/outputs.md", "outputs", outputs::each()),
        ("docs/combinations.md", "sentences", sentences()),
    ]
}

/// The alphabet: the keys of the verbs.
fn alphabet() -> String {
    let rows = palmtop_workbench::alphabet().into_iter();
    table(["key", "verb", "does"], rows.map(|(keys, name, does)| [code(&keys), code(name), does.to_owned()]))
}

/// The commands of the workbench that have no key.
fn commands() -> String {
    let rows = commands_without_key().into_iter();
    table(["command", "does"], rows.map(|(name, does)| [code(name), does.to_owned()]))
}

fn screens() -> String {
    let rows = list_of_screens()
        .into_iter()
        .map(|(tab, name, purpose)| [code(tab), name.to_owned(), purpose.to_owned()]);
    table(["tab", "screen", "what you do there"], rows)
}

fn strategies() -> String {
    let rows = Strategy::all().map(Strategy::info).map(|info| {
        let name = match info.alias {
            Some(alias) => format!("`{}` (`{alias}`)", info.name),
            None => code(info.name),
        };
        // The page says once what the nine have in common.
        [name, info.title.strip_prefix(OF_NINE).unwrap_or(info.title).to_owned()]
    });
    table(["name", "how"], rows)
}

fn cautions() -> String {
    let rows = caution::Key::ALL.iter().map(|key| {
        let severity = match key.severity() {
            caution::Severity::Severe => "severe",
            caution::Severity::Note => "note",
        };
        [code(key.as_str()), severity.to_owned(), key.meaning()]
    });
    table(["key", "severity", "meaning"], rows)
}

fn criteria() -> String {
    let rows = kinds().flat_map(|kind| kind.docs).map(|row| row.map(str::to_owned));
    table(["criterion", "in `[policy]`", "a class satisfies it if", "notes"], rows)
}

/// The keys of a project file, each of them once: a section for each table, and one for each block of keys that several tables
/// have. A key whose value may be a table on one line has the keys of this table in its meaning.
fn keys_of_projects() -> String {
    let section = |(heading, rows): (&str, Vec<[String; 2]>)| {
        format!("### {heading}\n\n{}", table(["key", "meaning"], rows))
    };
    let sections = project_keys().into_iter();
    let sections = sections.map(|(heading, keys)| {
        (heading, keys.into_iter().map(|key| [code(&key.path), key.meaning.replace('|', "\\|")]).collect())
    });
    sections.map(section).collect::<Vec<_>>().join("\n")
}

/// The sections of a project's keys: the heading, and the keys without the table that they are in.
fn project_keys() -> Vec<(&'static str, Vec<Key>)> {
    const SECTIONS: [&str; 9] = [
        "At the top",
        "A file: `[private]` and `[public]`",
        "T: `[private]`",
        "P: `[public]`",
        "P in a database: `[public.source]`",
        "δ and searches: `[delta]` and `[search]`",
        "A column: `[[attribute]]`",
        "Its values: `[[attribute]]`, `[attribute.public]` and `[attribute.private]`",
        "Statements: `[report]`",
    ];
    let keys = Project::keys();
    let has = |path: String| keys.iter().any(|key| key.path == path);
    let is_of_file = |name: &str| has(format!("private.{name}")) && has(format!("public.{name}"));
    let is_of_values = |name: &str| has(format!("attribute[].public.{name}"));
    let heading = |path: &str| -> Option<(usize, String)> {
        let (section, name) = match path.split_once('.') {
            None => (0, path),
            Some(("private", name)) if is_of_file(name) => (1, name),
            Some(("public", name)) if is_of_file(name) => return None,
            Some(("private", name)) => (2, name),
            Some(("public", name)) => match name.split_once('.') {
                Some(("source", name)) => (4, name),
                _ => (3, name),
            },
            Some(("delta" | "search", _)) => (5, path),
            Some(("attribute[]", name)) if is_of_values(name) => (7, name),
            Some(("attribute[]", name)) => (6, name),
            Some((_, name)) => (8, name),
        };
        let is_table = ["private", "public", "delta", "search", "policy", "attribute", "report"]
            .contains(&path)
            || (section == 3 && name == "source")
            || (section == 6 && ["public", "private"].contains(&name));
        // A key of a table on one line is in the meaning of this table.
        let is_inner = name.trim_start_matches("delta.").trim_start_matches("search.").contains('.');
        // The top has the same list of missing values.
        let is_again = section == 0 && is_of_values(name);
        (!is_table && !is_inner && !is_again).then(|| (section, name.to_owned()))
    };
    let mut sections: Vec<(&str, Vec<Key>)> =
        SECTIONS.into_iter().map(|heading| (heading, Vec::new())).collect();
    for key in &keys {
        if let Some((section, name)) = heading(&key.path) {
            sections[section].1.push(Key { path: name, meaning: key.meaning.clone() });
        }
    }
    sections
}

/// Each sentence about what does not combine, with the pairs that it is about.
fn sentences() -> String {
    let fixed = Feature::OF_PROJECTS.into_iter().chain(Feature::releases()).chain(Feature::OPTIONS);
    let all: Vec<Feature> = fixed.chain(Feature::commands()).collect();
    let sentence = |(number, rule): (usize, &compatibility::Rule)| {
        let (mark, why) = match rule.answer {
            Answer::Refused(why) => ("✗", why),
            Answer::Limited(why) => ("◐", why),
            Answer::Works => return String::new(),
        };
        let mut pairs: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for (position, &one) in all.iter().enumerate() {
            let with =
                all[position..].iter().filter(|&&other| compatibility::rule(one, other) == Some(number));
            let with: Vec<String> = with.map(|&other| heading(other)).collect();
            match pairs.last_mut() {
                _ if with.is_empty() => {}
                Some((names, same)) if *same == with => names.push(heading(one)),
                _ => pairs.push((vec![heading(one)], with)),
            }
        }
        let pairs = pairs.iter().map(|(one, other)| format!("{} with {}", one.join(", "), other.join(", ")));
        format!("{}. {mark} **{why}.**\n   {}\n", number + 1, pairs.collect::<Vec<_>>().join("; "))
    };
    RULES.iter().enumerate().map(sentence).collect()
}

/// A feature as a heading: its text as code.
fn heading(feature: Feature) -> String {
    match feature {
        Feature::Strategy(strategy) => code(strategy.info().name),
        other => code(
            &other
                .to_string()
                .replace('`', "")
                .replace(" or ", "`, `")
                .replace(", ", "`, `")
                .replace("``", "`"),
        ),
    }
}

fn columns_of_classes() -> String {
    let rows = Column::ALL.into_iter().map(|column| {
        let filters = if column.is_figure() { "yes" } else { "no" };
        [code(column.name()), filters.to_owned()]
    });
    table(["column", "in `--filter` and `--sort`"], rows)
}

/// Replaces the text between the two marks of a part; `None` if the page lacks a mark.
fn with_part(page: &str, name: &str, part: &str) -> Option<String> {
    let (begin, end) =
        (format!("<!-- {name}: written by \"just docs\" -->"), format!("<!-- end of {name} -->"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}\n\n{part}\n{end}{after}"))
}

// holds: One list of screens
#[test]
fn the_references_are_those_of_the_program() {
    let writes = env::var_os("PALMTOP_WRITE_DOCS").is_some();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut pages = BTreeMap::<&str, String>::new();
    for (page, name, part) in parts() {
        let text = pages.entry(page).or_insert_with(|| fs::read_to_string(root.join(page)).unwrap());
        *text = with_part(text, name, &part).unwrap_or_else(|| panic!("{page} has no marks for {name}"));
    }
    for (page, text) in pages {
        let path = root.join(page);
        if writes {
            fs::write(&path, &text).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap();
        let differs = found.lines().zip(text.lines()).find(|(found, expected)| found != expected);
        assert!(found == text, "{page} is not what the program has; run `just docs`: {differs:?}");
    }
}

/// Each key has one row, however many tables have it, and there are few.
#[test]
fn each_key_of_a_project_has_one_row() {
    let sections = project_keys();
    let rows: Vec<&Key> = sections.iter().flat_map(|(_, keys)| keys).collect();
    assert!(rows.len() <= 70, "{} rows", rows.len());
    let keys = Project::keys();
    for key in &keys {
        // The keys of a table on one line are in its meaning, and so is each that several tables have.
        let name = key.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]");
        let is_row = rows.iter().any(|row| row.path.rsplit('.').next() == Some(name));
        let is_named = rows.iter().any(|row| row.meaning.contains(&format!("{name} = ")));
        let is_table = keys.iter().any(|other| other.path.starts_with(&format!("{}.", key.path)))
            || ["policy", "attribute"].contains(&name);
        assert!(is_row || is_named || is_table, "{}", key.path);
    }
    // A block is one block: its keys mean the same in each table.
    for block in ["private.", "attribute[].public."] {
        for key in keys.iter().filter(|key| key.path.starts_with(block)) {
            let name = key.path.trim_start_matches(block);
            for other in ["public.", "attribute[].", "attribute[].private."] {
                let is_file = other == "public.";
                let same = keys.iter().find(|key| key.path == format!("{other}{name}"));
                if let Some(same) = same.filter(|_| is_file == (block == "private.")) {
                    assert_eq!(same.meaning, key.meaning, "{} and {}", same.path, key.path);
                }
            }
        }
    }
}
