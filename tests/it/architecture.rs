//! The rules of `ARCHITECTURE.md` that a program can check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the workspace. Each has its root modules in order and the workspace crates that it
/// may depend on. A module uses only the modules before it. The list of modules is empty if the
/// crate is checked as one module.
const CRATES: [(&str, &[&str], &[&str]); 12] = [
    ("terms", &[], &[]),
    ("core", &["escape", "shell", "model", "metrics", "strategy"], &["terms"]),
    ("search", &[], &["core"]),
    ("measure", &["estimate", "risk", "utility", "betrayal"], &["core"]),
    ("tables", &[], &["core"]),
    ("verify", &[], &["terms"]),
    ("project", &[], &["core", "tables"]),
    (
        "release",
        &[
            "columns", "figures", "listing", "explain", "sql", "fetch", "pipeline", "codebook", "history",
            "caution", "svg", "chart", "report", "package",
        ],
        &["core", "measure", "project", "search", "tables", "verify"],
    ),
    ("proposal", &[], &["core", "measure", "project", "release", "tables"]),
    ("workbench", &[], &["core", "measure", "project", "proposal", "release", "search", "tables", "verify"]),
    ("console", &[], &["core", "measure", "project", "proposal", "release", "search", "tables", "verify"]),
    ("paper", &[], &["console", "core", "project", "release", "search", "tables", "workbench"]),
];

/// The crates of the engine. They must not depend on a terminal or on a command line.
const ENGINE: [&str; 9] =
    ["terms", "core", "search", "measure", "tables", "verify", "project", "release", "proposal"];

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The source folder of a crate, or of the program (`palmtop`).
fn source(name: &str) -> PathBuf {
    if name == "palmtop" { root().join("src") } else { root().join("crates").join(name).join("src") }
}

/// The names of a crate's dependencies, then of its dev-dependencies.
fn dependencies(name: &str) -> [Vec<String>; 2] {
    let folder = if name == "palmtop" { root().to_owned() } else { root().join("crates").join(name) };
    let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
    ["dependencies", "dev-dependencies"].map(|section| {
        let section = manifest.get(section).and_then(toml::Value::as_table);
        section.map(|section| section.keys().cloned().collect()).unwrap_or_default()
    })
}

/// Every Rust file of a crate or of one of its modules (`release/pipeline`), with its code. Comments
/// and doc comments are removed.
fn files_of(module: &str) -> Vec<(PathBuf, String)> {
    let (name, below) = module.split_once('/').unwrap_or((module, ""));
    let folder = source(name);
    let mut waiting = vec![folder.join(below), folder.join(format!("{below}.rs"))];
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        if !path.exists() {
            continue;
        }
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            files.push((path, code.join("\n")));
        }
    }
    assert!(!files.is_empty(), "there is no module {module}");
    files
}

/// Whether the code names a module of this crate: as `crate::name`, or as `name` in the braces of
/// `use crate::{…}`.
fn names_module(code: &str, module: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let direct = code
        .match_indices(&format!("crate::{module}"))
        .any(|(start, text)| !code[start + text.len()..].starts_with(is_word));
    let braced = code.match_indices("crate::{").any(|(start, text)| {
        let list = &code[start + text.len()..];
        let list = list.split(';').next().unwrap_or_default();
        list.split(|character| !is_word(character)).any(|word| word == module)
    });
    direct || braced
}

// holds: Independent verifier
// holds: Arrows point down
#[test]
fn crates_depend_on_each_other_as_drawn() {
    for (name, _, allowed) in CRATES {
        let [direct, of_tests] = dependencies(name);
        let ours = |list: &[String]| -> Vec<String> {
            list.iter().filter_map(|name| name.strip_prefix("palmtop-")).map(str::to_owned).collect()
        };
        assert_eq!(ours(&direct), allowed, "crates/{name}/Cargo.toml");
        assert_eq!(ours(&of_tests), [""; 0], "the tests of crates/{name}");
    }
    // The program may use every crate but `paper`, and `terms` through `core`.
    let [direct, of_tests] = dependencies("palmtop");
    let ours = |name: &String| name.strip_prefix("palmtop-").map(str::to_owned);
    let mut below: Vec<&str> = CRATES.map(|(name, ..)| name).to_vec();
    below.retain(|name| !["paper", "terms"].contains(name));
    below.sort_unstable();
    assert_eq!(direct.iter().filter_map(ours).collect::<Vec<_>>(), below, "Cargo.toml");
    assert_eq!(of_tests.iter().filter_map(ours).collect::<Vec<_>>(), [""; 0], "the tests of palmtop");
    let folders = fs::read_dir(root().join("crates")).unwrap().count();
    assert_eq!(folders, CRATES.len(), "a crate is not in the drawing");
}

// holds: Arrows point down
#[test]
fn a_module_uses_only_those_before_it() {
    for (name, modules, _) in CRATES {
        let lib = fs::read_to_string(source(name).join("lib.rs")).unwrap_or_default();
        let declared: Vec<&str> =
            lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
        assert!(modules.is_empty() || declared == modules, "crates/{name}/src/lib.rs declares {declared:?}");
        for (index, module) in modules.iter().enumerate() {
            for (path, code) in files_of(&format!("{name}/{module}")) {
                for later in &modules[index + 1..] {
                    assert!(
                        !names_module(&code, later),
                        "{} ({module}) uses {later}, which comes after it",
                        path.display()
                    );
                }
            }
        }
    }
}

/// `core` once had a module `text` for whatever no other crate wanted.
#[test]
fn escaping_and_quoting_stay_by_themselves() {
    for (module, functions) in
        [("escape", vec!["escape", "escape_lines", "is_unsafe"]), ("shell", vec!["quoted"])]
    {
        for (path, code) in files_of(&format!("core/{module}")) {
            let public = code.split("\npub ").skip(1).filter_map(|item| item.split(['(', ' ', ':']).nth(1));
            assert_eq!(public.collect::<Vec<_>>(), functions, "{}", path.display());
        }
    }
}

// holds: Independent verifier
#[test]
fn the_verifier_uses_none_of_the_engines_parsers() {
    let [direct, _] = dependencies("verify");
    for forbidden in ["csv", "rust_decimal", "chrono", "num-integer", "num-rational"] {
        assert!(!direct.contains(&forbidden.to_owned()), "crates/verify depends on {forbidden}");
    }
}

// holds: Polars decides nothing
#[test]
fn polars_is_used_only_for_tables_and_frames() {
    for name in CRATES.map(|(name, ..)| name).into_iter().chain(["palmtop"]) {
        let [direct, _] = dependencies(name);
        let reads = ["tables", "verify", "release"].contains(&name);
        assert_eq!(direct.contains(&"polars".to_owned()), reads, "{name}");
    }
    for (path, code) in files_of("release") {
        let gives_frames =
            path.ends_with("write/frames.rs") || path.components().any(|part| part.as_os_str() == "fetch");
        assert!(gives_frames || !code.contains("polars"), "{} names polars", path.display());
    }
}

// holds: Charts know no source
#[test]
fn charts_do_not_know_who_made_their_numbers() {
    for (path, code) in ["release/chart", "release/svg", "workbench/kit/chart"].into_iter().flat_map(files_of)
    {
        for forbidden in ["pipeline", "search::release"] {
            assert!(!code.contains(forbidden), "{} names {forbidden}", path.display());
        }
    }
}

// holds: No terminal below the programs
#[test]
fn the_engine_knows_no_terminal_or_command_line() {
    for name in ENGINE {
        let [direct, of_tests] = dependencies(name);
        for forbidden in ["ratatui", "crossterm", "clap", "indicatif", "comfy-table", "anstyle"] {
            let known = direct.iter().chain(&of_tests).any(|dependency| dependency == forbidden);
            assert!(!known, "crates/{name} depends on {forbidden}");
        }
    }
}

// holds: Equal inputs, equal results
#[test]
fn the_algorithms_read_no_clock_and_print_nothing() {
    for module in ["terms", "core", "search", "measure", "release/listing", "release/explain"] {
        for (path, mut code) in code_of(module) {
            if path.ends_with("search/src/control/worker_pool.rs") {
                // The search waits for its workers in short intervals and asks its caller between
                // two intervals. It does not read the clock.
                code = code.replace("std::time::Duration", "");
            }
            for forbidden in ["std::time", "Instant", "println!", "std::fs", "std::io", "thread_rng"] {
                assert!(!code.contains(forbidden), "{} names {forbidden}", path.display());
            }
        }
    }
}

// holds: No truncated number
#[test]
fn the_engine_never_caps_a_size() {
    for name in ENGINE {
        for (path, code) in files_of(name) {
            for bits in ["u8", "u16", "u32", "u64", "u128", "usize", "i32", "i64"] {
                let cut_off = format!(".unwrap_or({bits}::MAX)");
                assert!(
                    !code.contains(&cut_off),
                    "{} has {cut_off}: see core/src/model/size.rs",
                    path.display()
                );
            }
        }
    }
}

// holds: Simulatable is blind
#[test]
fn a_simulatable_search_knows_no_private_count() {
    let folder = source("search").join("simulatable");
    let ways = [
        ("population", 0),
        ("candidates/mod", 0),
        ("candidates/belief", 0),
        ("candidates/extents", 0),
        ("candidates/free", 0),
        ("candidates/values", 0),
        ("states/mod", 0),
        ("states/cell", 0),
        ("states/cluster", 0),
        ("states/weight", 0),
        ("offer", 0),
    ];
    for (file, problems) in ways {
        let code = std::fs::read_to_string(folder.join(file).with_extension("rs")).unwrap();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        assert!(!code.contains(".private"), "{file} looks at private counts");
        // All others are given an `Unseen`, which is a problem without its T.
        assert_eq!(code.matches("problem: &").count(), problems, "{file} is given a problem");
        assert!(!code.contains("Histogram"), "{file} knows a histogram");
    }
}

// holds: Priors decide nothing
#[test]
fn no_search_looks_at_a_prior() {
    for (path, code) in files_of("search") {
        // The word `Priority` does not count.
        let mut words = code.split(|character: char| !character.is_alphanumeric() && character != '_');
        let word = words.find(|word| ["prior", "Prior", "Posteriors"].contains(word));
        assert_eq!(word, None, "{}", path.display());
    }
}

/// Files of a crate without tests, and without unit tests at the end of a file.
fn code_of(name: &str) -> Vec<(PathBuf, String)> {
    let is_test = |path: &Path| {
        path.components().any(|part| part.as_os_str() == "tests")
            || ["src/messages.rs", "cli/messages.rs"].iter().any(|page| path.ends_with(page))
            || path.file_name().is_some_and(|name| {
                ["tests.rs", "testing.rs", "references.rs"].iter().any(|test| name == *test)
            })
    };
    let tests = ["mod tests {", "pub(crate) mod tests {"].map(|tests| format!("#[cfg(test)]\n{tests}"));
    let code = |text: String| {
        let code =
            tests.iter().fold(text.as_str(), |code, tests| code.split(tests).next().unwrap_or_default());
        code.to_owned()
    };
    let files = files_of(name).into_iter().filter(|(path, _)| !is_test(path));
    files.map(|(path, text)| (path, code(text))).collect()
}

// holds: One list of strategies
#[test]
fn only_the_table_of_strategies_lists_strategies() {
    // A strategy is named here because the code is about this strategy, not about a property of it.
    let named = [
        // An audit repeats SPALM on a thread of its own pool.
        ("search/src/audit/resampled.rs", 1),
        // The regions of a written file have the type of those of `best`.
        ("release/src/pipeline/written/recovered.rs", 1),
        // The key and the first row of `best`.
        ("workbench/src/screens/releases/update.rs", 3),
    ];
    // The experiments of the paper are about its strategies.
    for name in CRATES.map(|(name, ..)| name).into_iter().chain(["palmtop"]).filter(|name| *name != "paper") {
        for (path, code) in code_of(name).into_iter().filter(|(path, _)| !path.ends_with("strategy.rs")) {
            let variants = ["Simulatable", "Spalm", "Mpalm", "Best"];
            let count = |variant| code.matches(&format!("Strategy::{variant}")).count();
            let found: usize = variants.into_iter().map(count).sum();
            let allowed = named.iter().find(|(file, _)| path.ends_with(file)).map_or(0, |(_, count)| *count);
            assert!(found <= allowed, "{} names {found} strategies: use their properties", path.display());
        }
    }
}

// holds: One gate
#[test]
fn only_the_gate_opens_files_for_writing() {
    let makes = [
        "fs::write",
        "File::create",
        "File::options",
        "OpenOptions",
        "OFlags::CREATE",
        "OFlags::TMPFILE",
        "DirBuilder",
        "create_dir",
        "fs::copy",
        "fs::rename",
        "hard_link",
        "linkat",
        "tempfile",
        "NamedTempFile",
    ];
    let gate = [source("tables").join("write.rs"), source("tables").join("write")];
    let pseudonyms = source("tables").join("write/pseudonym");
    for name in CRATES.map(|(name, ..)| name).into_iter().chain(["palmtop"]) {
        for (path, code) in code_of(name) {
            if gate.iter().any(|gate| path.starts_with(gate)) && !path.starts_with(&pseudonyms) {
                continue;
            }
            for forbidden in makes {
                // `LogFile::create` is not `File::create`.
                let is_word = |before: &str| before.ends_with(char::is_alphanumeric);
                let is_named = code.match_indices(forbidden).any(|(at, _)| !is_word(&code[..at]));
                assert!(!is_named, "{} names {forbidden}: that is the gate's", path.display());
            }
        }
    }
}

/// The folders of the workbench, from the lowest layer up. A folder may use the folders of lower
/// layers. Two folders of one layer may not use each other.
const ROOMS: [(&str, u8); 5] = [("kit", 0), ("shared", 1), ("screens", 2), ("windows", 2), ("app", 3)];

/// The modules of `tables`, from the lowest up. Each module may use the modules before it.
const DATA_ROOMS: [&str; 8] = ["values", "source", "error", "read", "hierarchies", "arx", "write", "count"];

/// A file of a crate that is not a test: its path below `src`, the path of its module, and the
/// modules that it names.
struct Used {
    file: PathBuf,
    module: Vec<String>,
    names: Vec<Vec<String>>,
}

impl Used {
    /// The first two folders of the path, such as `screens` and `lattice`.
    fn room_and_part(&self) -> (&str, &str) {
        let part = |nth: usize| self.module.get(nth).map_or("", String::as_str);
        (part(0), part(1))
    }
}

/// Every path in the code that begins with one of these words. Lists in `use` are expanded.
fn paths_from(code: &str, starts: &[&str]) -> Vec<Vec<String>> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut paths = Vec::new();
    for start in starts {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            let rest = &code[at..];
            if before.is_some_and(|before| is_word(before) || before == ':')
                || !rest[start.len()..].starts_with("::")
            {
                continue;
            }
            let end =
                rest.find(|character: char| !is_word(character) && character != ':').unwrap_or(rest.len());
            let head: Vec<String> =
                rest[..end].split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            if rest[end..].starts_with('{') {
                paths.extend(written_out(&rest[end..]).into_iter().map(|tail| [head.clone(), tail].concat()));
            } else {
                paths.push(head);
            }
        }
    }
    paths
}

/// The paths in the list in braces at the beginning of the text.
fn written_out(list: &str) -> Vec<Vec<String>> {
    let mut depth = 0;
    let mut items = vec![String::new()];
    for character in list.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match (depth, character) {
            (0, _) => break,
            (1, '{') => {}
            (1, ',') => items.push(String::new()),
            (_, character) => items.last_mut().unwrap().push(character),
        }
    }
    let mut paths = Vec::new();
    // A new name after `as` is ignored.
    let named = |item: &String| item.split(" as ").next().unwrap_or_default().trim().to_owned();
    for item in items.iter().map(|item| if item.contains('{') { item.trim().to_owned() } else { named(item) })
    {
        if item.is_empty() {
            continue;
        }
        let (head, tail) =
            item.split_once('{').map_or((item.as_str(), None), |(head, _)| (head, Some(&item[head.len()..])));
        let head: Vec<String> = head.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        match tail {
            Some(tail) => {
                paths.extend(written_out(tail).into_iter().map(|tail| [head.clone(), tail].concat()));
            }
            None => paths.push(head),
        }
    }
    paths
}

/// The files of a crate, without their tests.
fn files_below(folder: &str) -> Vec<Used> {
    let root = source(folder);
    let mut files = Vec::new();
    for (path, code) in files_of(folder) {
        let file = path.strip_prefix(&root).unwrap_or(Path::new("lib.rs")).to_owned();
        let is_test =
            file.iter().any(|part| ["tests", "tests.rs", "testing.rs"].iter().any(|name| part == *name));
        if is_test || file == Path::new("messages.rs") {
            continue;
        }
        let mut module: Vec<String> =
            file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if module.last().is_some_and(|last| last == "mod" || last == "lib") {
            module.pop();
        }
        // The unit tests are at the end of a file.
        let tests = ["\nmod tests {", "\npub(super) mod tests {", "\npub(crate) mod tests {"];
        let code =
            tests.iter().fold(code.as_str(), |code, tests| code.split(tests).next().unwrap_or_default());
        files.push((file, module, code.to_owned()));
    }
    let modules: Vec<Vec<String>> = files.iter().map(|(_, module, _)| module.clone()).collect();
    let mut shown = Vec::new();
    let mut found = Vec::new();
    for (file, module, code) in files {
        let is_child = |other: &&Vec<String>| other.len() == module.len() + 1 && other.starts_with(&module);
        let children: Vec<&str> =
            modules.iter().filter(is_child).map(|module| module[module.len() - 1].as_str()).collect();
        let paths = |code: &str| -> Vec<Vec<String>> {
            let fixed = paths_from(code, &["crate", "self", "super"]);
            let fixed = fixed.into_iter().filter_map(|path| resolved(&module, path));
            let below = paths_from(code, &children).into_iter().map(|path| [module.clone(), path].concat());
            fixed.chain(below).collect()
        };
        let (shown_lines, other_lines) = without_shown(&code);
        for target in paths(&shown_lines) {
            let name = target[target.len() - 1].clone();
            shown.push(([module.clone(), vec![name]].concat(), target));
        }
        found.push((file, module.clone(), paths(&other_lines)));
    }
    // A name that another file re-exports counts as a use of the file that defines it.
    let followed = |mut name: Vec<String>| {
        while let Some((head, target)) = shown
            .iter()
            .find(|(head, target)| name.starts_with(head) && head != target && !modules.contains(head))
        {
            name = [target.clone(), name[head.len()..].to_vec()].concat();
        }
        name
    };
    let followed_names = found.into_iter().map(|(file, module, names)| {
        let names = names.into_iter().map(followed).collect();
        Used { file, module, names }
    });
    followed_names.collect()
}

/// A path in a file of a crate, resolved; `None` if the path leaves the crate.
fn resolved(module: &[String], path: Vec<String>) -> Option<Vec<String>> {
    let mut base = match path[0].as_str() {
        "crate" => return Some(path[1..].to_vec()),
        _ => module.to_vec(),
    };
    for part in path {
        match part.as_str() {
            "self" => {}
            "super" => drop(base.pop()?),
            _ => base.push(part),
        }
    }
    Some(base)
}

/// The code split into its re-exports (`pub use`) and the rest.
fn without_shown(code: &str) -> (String, String) {
    let (mut shown, mut rest) = (String::new(), String::new());
    let mut is_shown = false;
    for line in code.lines() {
        is_shown |=
            ["pub use ", "pub(crate) use ", "pub(super) use "].iter().any(|start| line.starts_with(start));
        let text = if is_shown { &mut shown } else { &mut rest };
        text.push_str(line);
        text.push('\n');
        is_shown &= !line.ends_with(';');
    }
    (shown, rest)
}

/// For each file, the indices of the files that it uses.
fn uses(files: &[Used]) -> Vec<Vec<usize>> {
    let file_of = |name: &[String]| {
        (0..=name.len()).rev().find_map(|length| files.iter().position(|file| file.module == name[..length]))
    };
    let used = |index: usize| {
        files[index].names.iter().filter_map(|name| file_of(name)).filter(move |used| *used != index)
    };
    (0..files.len()).map(|index| used(index).collect()).collect()
}

// holds: Rooms of the workbench
#[test]
fn rooms_of_the_workbench_use_only_lower_rooms() {
    let level = |room: &str| ROOMS.iter().find(|(name, _)| *name == room).map(|(_, level)| *level);
    let files = files_below("workbench");
    for (file, used) in files.iter().zip(uses(&files)) {
        let (room, _) = file.room_and_part();
        // Only the main loop is above all layers.
        assert!(level(room).is_some() || file.module.is_empty(), "{} is in no room", file.file.display());
        for used in used {
            let (other, _) = files[used].room_and_part();
            let is_below = match (level(room), level(other)) {
                (None, _) => true,
                (Some(level_of_room), Some(other)) => other < level_of_room,
                (Some(_), None) => false,
            };
            assert!(
                is_below || room == other,
                "{} uses {}, which is not below it",
                file.file.display(),
                files[used].file.display()
            );
        }
    }
}

// holds: Rooms of the workbench
#[test]
fn no_screen_uses_another_and_no_window_another() {
    let files = files_below("workbench");
    for (file, used) in files.iter().zip(uses(&files)) {
        let (room, part) = file.room_and_part();
        // `screens/mod.rs` is the list of the screens.
        if part.is_empty() {
            continue;
        }
        for used in used.into_iter().map(|used| &files[used]) {
            let (other_room, other) = used.room_and_part();
            assert!(
                !matches!(room, "screens" | "windows") || room != other_room || part == other,
                "{} uses {}",
                file.file.display(),
                used.file.display()
            );
        }
    }
}

// holds: One component
#[test]
fn one_trait_takes_keys_and_draws() {
    let drawing: Vec<(PathBuf, String)> = files_of("workbench")
        .into_iter()
        .filter(|(_, code)| code.contains("trait ") && code.contains("fn draw("))
        .collect();
    let [(path, code)] = &drawing[..] else {
        panic!("{:?}", drawing.iter().map(|(path, _)| path).collect::<Vec<_>>())
    };
    assert!(path.ends_with("shared/component.rs"), "{}", path.display());
    let (_, methods) = code.split_once("trait Component: Any {").unwrap();
    let (methods, _) = methods.split_once("\n}\n").unwrap();
    assert!(methods.matches("\n    fn ").count() <= 10, "{methods}");
}

// holds: One screen before a project
#[test]
fn only_the_opening_of_a_proposal_knows_it() {
    for (path, code) in
        code_of("workbench").into_iter().filter(|(path, _)| path.starts_with(source("workbench").join("app")))
    {
        let knows = code.contains("screens::proposal");
        assert!(!knows || path.ends_with("proposing.rs"), "{} knows the proposal", path.display());
    }
}

/// The files of a crate that are in a cycle of uses, or between two cycles.
fn circles(folder: &str) -> Vec<String> {
    circles_among(&files_below(folder))
}

fn circles_among(files: &[Used]) -> Vec<String> {
    let uses = uses(files);
    let mut left: Vec<usize> = (0..files.len()).collect();
    loop {
        let before = left.len();
        let open = left.clone();
        // A file is in no cycle if it uses no remaining file, or if no remaining file uses it.
        left.retain(|file| uses[*file].iter().any(|used| open.contains(used)));
        let open = left.clone();
        left.retain(|file| open.iter().any(|other| uses[*other].contains(file)));
        if left.len() == before {
            return left.iter().map(|file| files[*file].file.display().to_string()).collect();
        }
    }
}

// holds: No circles
#[test]
fn files_of_the_workbench_form_no_cycle() {
    assert_eq!(circles("workbench"), [""; 0]);
}

// holds: No circles
#[test]
fn files_from_project_to_release_form_no_cycle() {
    for name in ["project", "release", "proposal"] {
        assert_eq!(circles(name), [""; 0], "{name}");
    }
}

/// The entries of `pipeline`, from the lowest up. Each may use those before it.
const PIPELINE_ROOMS: [&str; 10] = [
    "read",
    "analysis",
    "edit",
    "rows",
    "written",
    "measures",
    "loading",
    "estimation",
    "write",
    "recounted",
];

// holds: Arrows point down
#[test]
fn rooms_of_the_pipeline_use_only_earlier_rooms() {
    let files = files_below("release");
    let level = |file: &Used| {
        let room = file.module.get(1).filter(|_| file.module[0] == "pipeline")?;
        Some(
            PIPELINE_ROOMS
                .iter()
                .position(|known| known == room)
                .unwrap_or_else(|| panic!("{room}: no room")),
        )
    };
    let mut count = 0;
    for (file, used) in files.iter().zip(uses(&files)) {
        let Some(of_file) = level(file) else { continue };
        for used in used.into_iter().map(|used| &files[used]) {
            let is_before = level(used).is_none_or(|of_used| of_used <= of_file);
            assert!(is_before, "{} uses {}", file.file.display(), used.file.display());
            count += 1;
        }
    }
    assert!(count > 100, "too few uses are seen: {count}");
}

// holds: No circles
#[test]
fn files_of_measure_form_no_cycle() {
    assert_eq!(circles("measure"), [""; 0]);
}

// holds: No circles
#[test]
fn files_of_tables_form_no_cycle() {
    assert_eq!(circles("tables"), [""; 0]);
}

// holds: No circles
#[test]
fn files_of_core_form_no_cycle() {
    assert_eq!(circles("core"), [""; 0]);
}

/// `compose` is checked as one file: its parts share the system of equations.
// holds: No circles
#[test]
fn files_of_search_form_no_cycle() {
    let circles = circles("search");
    let outside: Vec<&String> = circles.iter().filter(|file| !file.starts_with("compose/")).collect();
    assert_eq!(outside, [""; 0]);
}

/// The entries of a folder that are in a cycle of uses, or between two cycles. All files of a folder
/// below it are one entry. The folder's `mod.rs` is none.
fn circles_of_rooms(files: &[Used], folder: &[String]) -> Vec<String> {
    let entry =
        |file: &Used| file.module.starts_with(folder).then(|| file.module.get(folder.len()).cloned())?;
    let mut arrows: BTreeSet<(String, String)> = BTreeSet::new();
    for (file, used) in files.iter().zip(uses(files)) {
        let Some(from) = entry(file) else { continue };
        let to = used.into_iter().filter_map(|used| entry(&files[used]));
        arrows.extend(to.filter(|to| *to != from).map(|to| (from.clone(), to)));
    }
    loop {
        let before = arrows.len();
        let froms: BTreeSet<String> = arrows.iter().map(|(from, _)| from.clone()).collect();
        arrows.retain(|(_, to)| froms.contains(to));
        let tos: BTreeSet<String> = arrows.iter().map(|(_, to)| to.clone()).collect();
        arrows.retain(|(from, _)| tos.contains(from));
        if arrows.len() == before {
            return arrows.into_iter().map(|(from, to)| format!("{from} uses {to}")).collect();
        }
    }
}

/// The folders with these files, at any depth. The first is the source folder of the crate.
fn folders(files: &[Used]) -> BTreeSet<&[String]> {
    files.iter().flat_map(|file| (0..file.module.len()).map(|length| &file.module[..length])).collect()
}

// holds: No circles
#[test]
fn rooms_of_search_form_no_circle() {
    let files = files_below("search");
    let folders = folders(&files);
    assert!(folders.len() > 12, "too few folders are seen: {}", folders.len());
    // `compose` is checked as one file.
    for folder in folders.into_iter().filter(|folder| folder.first().is_none_or(|room| room != "compose")) {
        assert_eq!(circles_of_rooms(&files, folder), [""; 0], "{}", folder.join("/"));
    }
    let file = |module: &str, name: &str| {
        let path = |text: &str| text.split('/').map(str::to_owned).collect();
        Used { file: module.into(), module: path(module), names: vec![path(name)] }
    };
    let circle = [file("a/b", "c"), file("c", "a/d"), file("a/d", "e"), file("e", "e")];
    assert_eq!(circles_of_rooms(&circle, &[]), ["a uses c", "c uses a"]);
}

#[test]
fn folders_have_at_most_twelve_entries() {
    let tests = ["tests", "tests.rs", "messages.rs", "snapshots"];
    let mut waiting = vec![source("search"), source("verify"), source("release").join("pipeline")];
    let mut count = 0;
    while let Some(folder) = waiting.pop() {
        let entries: Vec<PathBuf> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let of_the_room =
            entries.iter().filter(|path| !tests.iter().any(|test| path.ends_with(test))).count();
        assert!(of_the_room <= 12, "{} has {of_the_room} entries", folder.display());
        count += 1;
        waiting.extend(entries.into_iter().filter(|path| path.is_dir()));
    }
    assert!(count > 30, "too few folders are seen: {count}");
}

/// The rooms of `verify`, from the lowest up. Each room may use the rooms before it.
const VERIFY_ROOMS: [&str; 8] =
    ["problems", "values", "read", "labels", "people", "matching", "judge", "project"];

// holds: Arrows point down
#[test]
fn rooms_of_verify_use_only_earlier_rooms() {
    let files = files_below("verify");
    let level = |file: &Used| {
        let room = file.module.first()?;
        VERIFY_ROOMS.iter().position(|known| known == room)
    };
    let is_program = |file: &Used| file.module.is_empty() || file.module == ["main"];
    for (file, used) in files.iter().zip(uses(&files)).filter(|(file, _)| !is_program(file)) {
        assert!(level(file).is_some(), "{} is in no room", file.file.display());
        for used in used.into_iter().map(|used| &files[used]) {
            let is_before = level(used).is_some_and(|used| Some(used) <= level(file));
            assert!(is_before, "{} uses {}", file.file.display(), used.file.display());
        }
    }
    let count = |room: &str| {
        files.iter().filter(|file| file.module.first().is_some_and(|first| first == room)).count()
    };
    assert!(VERIFY_ROOMS.iter().all(|room| count(room) > 2), "a room is empty");
    for folder in folders(&files) {
        assert_eq!(circles_of_rooms(&files, folder), [""; 0], "{}", folder.join("/"));
    }
}

/// A room is given what it needs of the project, not the whole.
#[test]
fn no_room_of_verify_sees_the_whole_project() {
    let root = source("verify");
    let mut count = 0;
    for (path, code) in files_of("verify") {
        let file = path.strip_prefix(&root).unwrap();
        let may_name = file.starts_with("project")
            || ["lib.rs", "main.rs", "messages.rs"].iter().any(|known| file == Path::new(known));
        assert!(may_name || !code.contains("VerifySpec"), "{} names the whole project", file.display());
        count += usize::from(!may_name);
    }
    assert!(count > 60, "too few files are seen: {count}");
}

/// The parameters of all functions in the code, each with the name of its function.
fn parameters(code: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let name: String =
            code[at + 3..].chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let Some(open) = code[at..].find('(').filter(|_| !name.is_empty()) else { continue };
        let (mut depth, mut one) = (0, String::new());
        // An angle bracket of `->` closes nothing.
        for character in code[at + open..].replace("->", "").chars() {
            match character {
                '(' | '[' | '{' | '<' => depth += 1,
                ')' | ']' | '}' | '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && character == ',') {
                found.push((name.clone(), std::mem::take(&mut one).trim().to_owned()));
            } else if depth > 1 || character != '(' {
                one.push(character);
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

/// Whether a parameter is a tuple, taken apart or not.
fn is_tuple(parameter: &str) -> bool {
    let kind = parameter.split_once(':').map_or("", |(_, kind)| kind.trim().trim_start_matches('&'));
    let kind = kind.trim_start_matches("mut ");
    let is_bound = ["(impl ", "(dyn "].iter().any(|bound| kind.starts_with(bound));
    parameter.starts_with('(') || (kind.starts_with('(') && !is_bound)
}

#[test]
fn no_function_of_verify_takes_a_tuple() {
    let seen = parameters(
        "fn a(b: u8, (c, d): (u8, &str), e: [(u8, u8); 2]) -> (u8, u8) {}\nfn f(&self, g: (u8, u8)) {}",
    );
    let tuples: Vec<&str> =
        seen.iter().filter(|(_, one)| is_tuple(one)).map(|(_, one)| one.as_str()).collect();
    assert_eq!(tuples, ["(c, d): (u8, &str)", "g: (u8, u8)"]);
    for (path, code) in code_of("verify") {
        let tuple = parameters(&code).into_iter().find(|(_, one)| is_tuple(one));
        assert_eq!(tuple, None, "{}", path.display());
    }
}

// holds: No circles
#[test]
fn files_of_verify_and_terms_form_no_cycle() {
    assert_eq!(circles("verify"), [""; 0]);
    assert_eq!(circles("terms"), [""; 0]);
}

// holds: No circles
#[test]
fn files_of_the_command_line_form_no_circle() {
    let mut files = files_below("palmtop");
    // A `mod.rs` starts the commands beside it, and has what all of them use.
    files.retain(|file| !file.file.ends_with("mod.rs"));
    assert_eq!(circles_among(&files), [""; 0]);
}

// holds: Arrows point down
#[test]
fn rooms_of_tables_use_only_earlier_rooms() {
    let level = |file: &Used| {
        let room = file.module.first()?;
        Some(DATA_ROOMS.iter().position(|known| known == room).unwrap_or_else(|| panic!("{room} is no room")))
    };
    let files = files_below("tables");
    for (file, used) in files.iter().zip(uses(&files)) {
        for used in used.into_iter().map(|used| &files[used]) {
            // The names that `data` itself re-exports are for other crates.
            let is_before =
                file.module.is_empty() || level(used).is_some_and(|used| Some(used) <= level(file));
            assert!(
                is_before,
                "{} uses {}, which is not before it",
                file.file.display(),
                used.file.display()
            );
        }
    }
    let count = |room: &str| {
        files.iter().filter(|file| file.module.first().is_some_and(|first| first == room)).count()
    };
    assert!(DATA_ROOMS.iter().all(|room| count(room) > 2), "a room is empty");
}

// holds: Drawing changes nothing
#[test]
fn the_workbench_has_no_interior_mutability() {
    for room in ["shared", "screens", "windows", "app"] {
        for (path, code) in files_of(&format!("workbench/{room}")) {
            for forbidden in ["std::cell", "RefCell", "OnceCell", "static mut"] {
                assert!(!code.contains(forbidden), "{} names {forbidden}", path.display());
            }
        }
    }
}

#[test]
fn every_way_to_write_a_use_is_seen() {
    let code =
        "use crate::kit::{slot::Slot, text, hits::{self, Target}};\nlet x = super::super::y::Z::of(1);\n";
    let paths = paths_from(code, &["crate", "self", "super"]);
    let seen: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    let expected = [
        "crate::kit::slot::Slot",
        "crate::kit::text",
        "crate::kit::hits::self",
        "crate::kit::hits::Target",
        "super::super::y::Z::of",
    ];
    assert_eq!(seen, expected);
    for (folder, file, used) in [
        ("workbench", "app/registry.rs", "shared/screen.rs"),
        ("workbench", "screens/lattice/mod.rs", "screens/lattice/walk.rs"),
        ("tables", "count/tally.rs", "read/table.rs"),
        ("tables", "read/part.rs", "read/trial.rs"),
        ("tables", "read/typed.rs", "read/typed/decode.rs"),
    ] {
        let files = files_below(folder);
        let index_of = |file: &str| files.iter().position(|used| used.file == Path::new(file)).unwrap();
        assert!(uses(&files)[index_of(file)].contains(&index_of(used)), "{file} uses {used}");
    }
}

/// The Rust files of a folder of tests that no `mod` names, and the programs beside `it`. Such a file
/// is compiled by nobody or is linked alone.
fn strays(tests: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        entries.collect::<Vec<_>>()
    };
    let is_rust = |path: &Path| path.extension().is_some_and(|ending| ending == "rs");
    let mut strays: Vec<PathBuf> = entries(tests)
        .into_iter()
        .filter(|path| !path.ends_with("it"))
        .map(|path| if path.is_dir() { path.join("main.rs") } else { path })
        .filter(|path| is_rust(path) && path.exists())
        .collect();
    let mut waiting = entries(&tests.join("it"));
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(entries(&path));
            continue;
        }
        // The file of module `a` is `a.rs` or `a/mod.rs`.
        let module = if path.ends_with("mod.rs") { path.parent().unwrap() } else { &path };
        let folder = module.parent().unwrap();
        let parents = [folder.join("main.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
        let parent: String = parents.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
        let line = format!("mod {};", module.file_stem().unwrap().display());
        let is_named = parent.lines().any(|found| found.trim_start_matches("pub(crate) ") == line);
        if is_rust(&path) && !path.ends_with("main.rs") && !is_named {
            strays.push(path);
        }
    }
    strays
}

#[test]
fn every_test_is_in_the_one_program() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for package in crates.chain([root().to_owned()]) {
        assert_eq!(strays(&package.join("tests")), Vec::<PathBuf>::new());
    }
    // The others have data of tests. Git keeps no empty folder.
    let has_files = |path: &PathBuf| fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
    let paths = fs::read_dir(root().join("tests")).unwrap().map(|entry| entry.unwrap().path());
    let names = paths.filter(has_files).map(|path| path.file_name().unwrap().to_owned());
    let mut folders: Vec<_> = names.collect();
    folders.sort();
    assert_eq!(folders, ["arx", "histories", "it", "net", "typed"]);
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    };
    write("it/main.rs", "mod a;\n");
    write("it/a.rs", "mod part;\n");
    write("it/a/part.rs", "");
    write("data/part.rs", "");
    let alone = ["it/b.rs", "it/a/other.rs", "it/c/mod.rs", "cli.rs", "d/main.rs"];
    let mut alone = alone.map(|path| write(path, ""));
    let mut found = strays(folder.path());
    alone.sort();
    found.sort();
    assert_eq!(found, alone);
}

/// All Rust files of the repository.
pub(crate) fn rust_files() -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> =
        ["src", "crates", "tests", "examples", "fuzz", "benches"].map(|folder| root().join(folder)).to_vec();
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() && !path.ends_with("target") {
            waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn names_of_tests_have_at_most_eight_words() {
    let mut count = 0;
    for path in rust_files() {
        let code = fs::read_to_string(&path).unwrap();
        for test in code.split("#[test]\n").skip(1) {
            let Some(name) = test.split("fn ").nth(1).and_then(|rest| rest.split('(').next()) else {
                continue;
            };
            assert!(name.split('_').count() <= 8, "{}: {name}", path.display());
            count += 1;
        }
    }
    assert!(count > 1000, "too few tests are recognized: {count}");
}

/// The crates without a function that takes a tuple to save an argument.
const WITHOUT_TUPLES: [&str; 4] = ["core", "measure", "search", "tables"];

#[test]
fn no_function_takes_a_tuple_for_an_argument() {
    let mut count = 0;
    for name in WITHOUT_TUPLES {
        for (path, code) in code_of(name) {
            let parameters = parameters(&code);
            count += parameters.len();
            let packed = parameters.into_iter().find(|(_, parameter)| parameter.starts_with('('));
            assert_eq!(packed, None, "{}", path.display());
        }
    }
    assert!(count > 2_000, "too few parameters are recognized: {count}");
}

/// A doc comment of a doc comment, as in `/// / # Errors`, is no heading.
#[test]
fn no_doc_comment_begins_with_a_slash() {
    for path in rust_files() {
        let code = fs::read_to_string(&path).unwrap();
        let is_damaged = |line: &&str| {
            let line = line.trim_start();
            line.strip_prefix("/// ").or(line.strip_prefix("//! ")).is_some_and(|text| text.starts_with("/ "))
        };
        assert_eq!(code.lines().find(is_damaged), None, "{}", path.display());
    }
}

/// `doctest = false` saves a build, and would hide an example.
#[test]
fn every_example_in_doc_comments_is_run() {
    let files = rust_files();
    for (name, ..) in CRATES {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        if !manifest.contains("doctest = false") {
            continue;
        }
        for path in files.iter().filter(|path| path.starts_with(source(name))) {
            let code = fs::read_to_string(path).unwrap();
            let mut is_open = false;
            for line in code.lines().map(str::trim).filter(|line| line.starts_with("//")) {
                let Some((_, language)) = line.split_once("```") else { continue };
                let is_example = !is_open && matches!(language, "" | "rust" | "no_run" | "should_panic");
                assert!(!is_example, "{}: {line}", path.display());
                is_open = !is_open;
            }
        }
    }
}
