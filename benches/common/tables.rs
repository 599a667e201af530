//! The real tables: the practice clinic, and UCI Adult if it is present.

use std::io::Write;
use std::path::{Path, PathBuf};

use palmtop::model::{Delta, Presence, Problem};
use palmtop::pipeline::{Analysis, Overrides};

/// A copy of the practice clinic's project without `terms` and `borders`: the figures of
/// `benches/README.md` have no limits.
fn clinic(root: &Path) -> PathBuf {
    let home = root.join("sample-data/clinic");
    let text = std::fs::read_to_string(home.join("clinic.toml")).expect("the practice clinic");
    let is_limit = |line: &&str| line.starts_with("terms = ") || line.starts_with("borders = ");
    let lines: Vec<&str> = text.lines().filter(|line| !is_limit(line)).collect();
    let absolute = |name: &str| format!("path = \"{}\"", home.join(name).display());
    let hierarchies = format!("\"{}/", root.join("hierarchies").display());
    let text = lines.join("\n").replace("\"../../hierarchies/", &hierarchies);
    let text = ["private.csv", "public.csv"]
        .iter()
        .fold(text, |text, name| text.replace(&format!("path = \"{name}\""), &absolute(name)));
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clinic.toml");
    std::fs::write(&copy, text).expect("a folder for temporary files");
    copy
}

/// The projects of the practice clinic, without its limits, and of both private tables of Adult
/// (`PALMTOP_DATA`, by default `../shared/data`). Prints the tables that are missing.
pub(crate) fn paths() -> Vec<(&'static str, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root of the repository");
    let data = std::env::var_os("PALMTOP_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let paths = [
        ("clinic", clinic(root)),
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
