//! The rules of ARCHITECTURE.md that a machine can check.
#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources should stop")]

use std::fs;
use std::path::{Path, PathBuf};

/// The library's modules in their order: each may use only those before it.
const ORDER: [&str; 12] = [
    "text", "model", "metrics", "search", "release", "listing", "explain", "data", "verify", "project",
    "pipeline", "session",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file of a module (a file or a folder), with its code: comments and doc comments left out.
fn files_of(module: &str) -> Vec<(PathBuf, String)> {
    let mut waiting = vec![source().join(module), source().join(format!("{module}.rs"))];
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

/// Whether code names a module of this crate: `crate::name`, or `name` among the braces of a `use crate::{…}`.
fn names_module(code: &str, module: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let direct = code
        .match_indices(&format!("crate::{module}"))
        .any(|(place, text)| !code[place + text.len()..].starts_with(is_word));
    let braced = code.match_indices("crate::{").any(|(place, text)| {
        let list = &code[place + text.len()..];
        let list = list.split(';').next().unwrap_or_default();
        list.split(|character| !is_word(character)).any(|word| word == module)
    });
    direct || braced
}

#[test]
fn a_module_uses_only_those_above_it() {
    for (place, module) in ORDER.iter().enumerate() {
        for (path, code) in files_of(module) {
            for below in &ORDER[place + 1..] {
                assert!(
                    !names_module(&code, below),
                    "{} ({module}) uses {below}, which is below it",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn the_library_declares_its_modules_in_order_and_no_terminal() {
    let code = fs::read_to_string(source().join("lib.rs")).unwrap();
    let declared: Vec<&str> =
        code.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(declared, ORDER);
}

#[test]
fn verify_shares_only_the_definitions_types() {
    let allowed = ["Delta", "Kind", "Level", "Presence", "Role"];
    for (path, code) in files_of("verify") {
        for module in ORDER.iter().filter(|module| !matches!(**module, "model" | "verify")) {
            assert!(!names_module(&code, module), "{} uses {module}", path.display());
        }
        // The crates that the engine reads tables, numbers and dates with.
        for forbidden in
            ["csv::", "rust_decimal", "chrono", "num_integer", "crate::*", "super::super::super::"]
        {
            assert!(!code.contains(forbidden), "{} uses {forbidden}", path.display());
        }
        assert!(
            !code.contains("crate::model;") && !code.contains("crate::{"),
            "{} takes it whole",
            path.display()
        );
        for (place, text) in code.match_indices("crate::model::") {
            let used = &code[place + text.len()..];
            let used = used.strip_prefix('{').map_or_else(
                || used.split(|character: char| !character.is_alphanumeric()).take(1).collect::<Vec<_>>(),
                |list| list.split('}').next().unwrap_or_default().split(',').map(str::trim).collect(),
            );
            for noun in used.into_iter().filter(|noun| !noun.is_empty()) {
                assert!(allowed.contains(&noun), "{} uses {noun}", path.display());
            }
        }
    }
}

#[test]
fn polars_is_named_only_in_data_and_verify() {
    for module in ORDER.iter().filter(|module| !matches!(**module, "data" | "verify")) {
        for (path, code) in files_of(module) {
            assert!(!code.contains("polars"), "{} names polars", path.display());
        }
    }
    for module in ["cli", "tui"] {
        for (path, code) in files_of(module) {
            assert!(!code.contains("polars"), "{} names polars", path.display());
        }
    }
}

#[test]
fn charts_do_not_know_where_their_numbers_come_from() {
    for (path, code) in files_of("chart") {
        for forbidden in ["crate::cli", "crate::tui", "palmtop::pipeline", "palmtop::release"] {
            assert!(!code.contains(forbidden), "{} names {forbidden}", path.display());
        }
    }
}

#[test]
fn no_engine_file_names_a_terminal_or_the_command_line() {
    for module in ORDER {
        for (path, code) in files_of(module) {
            for forbidden in ["ratatui", "crossterm", "clap", "indicatif"] {
                assert!(!code.contains(forbidden), "{} names {forbidden}", path.display());
            }
        }
    }
}

#[test]
fn the_algorithms_read_no_clock_and_print_nothing() {
    for module in ["text", "model", "metrics", "search", "release", "listing", "explain"] {
        for (path, mut code) in files_of(module) {
            if path.ends_with("search/crew.rs") {
                // It waits for its work a while at a time, so that whoever watches is asked meanwhile; it reads no hour.
                code = code.replace("std::time::Duration", "");
            }
            for forbidden in ["std::time", "Instant", "println!", "std::fs", "std::io", "thread_rng"] {
                assert!(!code.contains(forbidden), "{} names {forbidden}", path.display());
            }
        }
    }
}

#[test]
fn nothing_but_the_gate_opens_a_file_for_writing() {
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
    let gate = [source().join("data/write.rs"), source().join("data/write")];
    for module in ORDER.into_iter().chain(["cli", "tui", "chart", "main"]) {
        for (path, code) in files_of(module) {
            let is_test = path.components().any(|part| part.as_os_str() == "tests")
                || path.file_name().is_some_and(|name| name == "tests.rs");
            if is_test || gate.iter().any(|gate| path.starts_with(gate)) {
                continue;
            }
            // The tests of a file stand at its end.
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for forbidden in makes {
                // `LogFile::create` is no `File::create`.
                let is_word = |before: &str| before.ends_with(char::is_alphanumeric);
                let is_named = code.match_indices(forbidden).any(|(place, _)| !is_word(&code[..place]));
                assert!(!is_named, "{} names {forbidden}: that is the gate's", path.display());
            }
        }
    }
}
