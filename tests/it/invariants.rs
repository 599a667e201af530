//! The pages of the house name what exists: each invariant of `ARCHITECTURE.md` has a test, and each
//! path is that of a file.

use std::collections::BTreeSet;
use std::fs;

use crate::architecture::{root, rust_files};

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// The names of the invariants of `ARCHITECTURE.md`, in its order.
fn invariants(page: &str) -> Vec<&str> {
    let (_, section) = page.split_once("\n## Invariants\n").unwrap();
    let items = section.lines().filter_map(|line| line.strip_prefix("- "));
    items.map(|item| item.strip_prefix("**").and_then(|item| item.split_once(".**")).expect(item).0).collect()
}

/// The invariants that `// holds:` names above the tests of a file. Each such line must be above a test.
fn held(code: &str) -> Result<Vec<&str>, String> {
    let (mut held, mut waiting, mut is_test) = (Vec::new(), Vec::new(), false);
    for line in code.lines().map(str::trim_start) {
        if let Some(name) = line.strip_prefix("// holds: ") {
            waiting.push(name);
        } else if line.starts_with(['#', '/']) {
            is_test |= line == "#[test]";
        } else {
            match waiting.first() {
                Some(name) if !is_test => return Err(format!("`{name}` is not above a test")),
                _ => held.append(&mut waiting),
            }
            is_test = false;
        }
    }
    Ok(held)
}

#[test]
fn every_invariant_has_a_test() {
    let architecture = page("ARCHITECTURE.md");
    let invariants = invariants(&architecture);
    let names: BTreeSet<&str> = invariants.iter().copied().collect();
    assert_eq!(names.len(), invariants.len(), "two invariants have one name");
    let mut all = BTreeSet::new();
    for path in rust_files() {
        let code = fs::read_to_string(&path).unwrap();
        let held = held(&code).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let unknown = held.iter().find(|name| !names.contains(*name));
        assert_eq!(unknown, None, "{}: ARCHITECTURE.md has no such invariant", path.display());
        all.extend(held.into_iter().map(str::to_owned));
    }
    let without: Vec<_> = names.iter().filter(|name| !all.contains(**name)).collect();
    assert_eq!(without, [&""; 0], "invariants without a test");
    // Both directions are seen.
    let test = "/// It is so.\n// holds: A\n// holds: B\n#[test]\nfn a() {}\n";
    assert_eq!(held(test), Ok(vec!["A", "B"]));
    assert!(held("// holds: A\nfn a() {}\n").is_err());
    assert!(held("// holds: A\n\n#[test]\nfn a() {}\n").is_err());
}

#[test]
fn paths_that_the_pages_name_exist() {
    let folders = ["crates/", "src/", "tests/", "docs/", "fuzz/", "benches/"];
    let mut count = 0;
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions.md"] {
        let page = page(name);
        for path in page.split('`').skip(1).step_by(2) {
            // `NAME` and `TARGET` are for any.
            let path = path.split(['N', 'T']).next().unwrap();
            if folders.iter().any(|folder| path.starts_with(folder)) && !path.contains([' ', '\n']) {
                assert!(root().join(path).exists(), "{name} names {path}, which does not exist");
                count += 1;
            }
        }
    }
    assert!(count > 10, "too few paths are recognized: {count}");
}
