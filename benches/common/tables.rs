//! The real tables: the practice clinic, and UCI Adult if it is present.

use std::io::Write;
use std::path::{Path, PathBuf};

use palmtop::model::{Delta, Presence, Problem};
use palmtop::pipeline::{Analysis, Overrides};

/// The projects of the practice clinic and of both private tables of Adult (`PALMTOP_DATA`, by
/// default `../shared/data`). Prints the tables that are missing.
pub(crate) fn paths() -> Vec<(&'static str, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = std::env::var_os("PALMTOP_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let paths = [
        ("clinic", root.join("sample-data/clinic/clinic.toml")),
        ("random", data.join("adult-45222/random.toml")),
        ("diabetes", data.join("adult-45222/diabetes.toml")),
    ];
    let there = paths.into_iter().filter(|(name, path)| {
        let there = path.is_file();
        if !there {
            let _ = writeln!(
                std::io::stderr(),
                "skipped: {name}, for there is no {}; set PALMTOP_DATA",
                path.display()
            );
        }
        there
    });
    there.collect()
}

/// The same projects, loaded.
pub(crate) fn all() -> Vec<(&'static str, Analysis)> {
    let load = |path: &Path| Analysis::load(path, &Overrides::default()).expect("a sound project");
    paths().into_iter().map(|(name, path)| (name, load(&path))).collect()
}

/// The same tables under another δ.
pub(crate) fn under(problem: &Problem, min: &str, max: &str) -> Problem {
    let presence = |text: &str| text.parse::<Presence>().expect("a presence");
    problem.with_delta(Delta::new(presence(min), presence(max)).expect("ordered bounds"))
}
