//! Edits hierarchies of every type at random and saves them. The readers of the analysis and of the
//! verifier then read the edited hierarchy. The verifier checks an export before the file gets its
//! name.

use std::fs;
use std::path::Path;

use palmtop::data::hierarchies::edit::{Change, Editable};
use palmtop::model::{Hierarchy, Level};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A hierarchy file, values of P, and values that only T has.
struct Sample {
    file: &'static str,
    text: &'static str,
    keys: &'static str,
    public: &'static [&'static str],
    private: &'static [&'static str],
}

const SAMPLES: &[Sample] = &[
    Sample {
        file: "places.csv",
        text: "Canada;N. America;America;*\nUSA;N. America;America;*\nPeru;S. America;America;*\nSpain;Europe;Europe;*\nFrance;Europe;Europe;*\nMali;Africa;Africa;*\n",
        keys: "",
        public: &["Canada", "USA", "Peru", "Spain", "France"],
        private: &["Mali"],
    },
    Sample {
        file: "jobs.toml",
        text: "type = \"tree\"\n[[level]]\n\"a;\\\"b\\\"\" = [\"a\", \"b\", \"never\"]\n\"ç, d\" = [\"c\", \"d\"]\ne = [\"e\"]\n[[level]]\nfirst = [\"a;\\\"b\\\"\", \"ç, d\"]\nrest = [\"e\"]\n",
        keys: "missing = [\"?\"]\nmissing_label = \"unknown\"\n",
        public: &["a", "b", "c", "d", "e", "?"],
        private: &["never"],
    },
    Sample {
        file: "age.toml",
        text: "type = \"interval\"\nwidths = [10, 20]\n",
        keys: "missing = [\"\"]\nmissing_label = \"(none)\"\n",
        public: &["3", "17", "18", "39", "40", "64", "90", ""],
        private: &["55"],
    },
    Sample {
        file: "weight.toml",
        text: "type = \"interval\"\n[[level]]\ncuts = [0.5, 1.25, 7]\nlabels = [\"light\", \"middle\", \"heavy\", \"very heavy\"]\n[[level]]\ncuts = [1.25]\n",
        keys: "",
        public: &["0.1", "0.5", "1", "1.25", "6.9", "7", "12"],
        private: &["3.3"],
    },
    Sample {
        file: "number.toml",
        text: "type = \"flat\"\n",
        keys: "",
        public: &["-4", "1", "2", "3", "5", "8"],
        private: &["4"],
    },
    Sample {
        file: "name.toml",
        text: "type = \"flat\"\n",
        keys: "",
        public: &["x", "y", "z", "z z", "'z"],
        private: &["w"],
    },
    Sample {
        file: "zip.toml",
        text: "type = \"mask\"\nlength = 3\n",
        keys: "",
        public: &["101", "102", "110", "201", "007"],
        private: &["222"],
    },
    Sample {
        file: "day.toml",
        text: "type = \"date\"\nlevels = [\"month\", \"year\"]\n",
        keys: "",
        public: &["2023-12-31", "2024-01-01", "2024-01-20", "2024-02-29", "2025-07-01"],
        private: &["2024-03-01"],
    },
    Sample {
        file: "band.toml",
        text: "type = \"interval\"\nwidths = [10, 20]\n",
        keys: "public_level = 1\n",
        public: &["0-9", "10-19", "20-29", "40-49"],
        private: &["7", "12", "44"],
    },
];

/// A project for a sample. P has every value, and one value of another attribute. T has some of
/// them and those that P lacks.
fn write_project(folder: &Path, sample: &Sample) {
    let mut public = "v,w\n".to_owned();
    for (nth, value) in sample.public.iter().enumerate() {
        public.push_str(&format!("\"{value}\",{}\n\"{value}\",{}\n", nth % 2, (nth + 1) % 2));
    }
    let mut private = "v,w\n".to_owned();
    let is_raised = sample.keys.contains("public_level");
    if is_raised {
        private.push_str("7,0\n12,1\n44,0\n");
    } else {
        for (nth, value) in sample.public.iter().enumerate().filter(|(nth, _)| nth % 2 == 0) {
            private.push_str(&format!("\"{value}\",{}\n", nth % 2));
        }
        for value in sample.private {
            private.push_str(&format!("\"{value}\",0\n"));
        }
    }
    let project = format!(
        "# the analyst's\n[private]\npath = \"t.csv\"\nnot_in_public = \"drop\"\n\n[public]\npath = \"p.csv\"\n\n[delta]\nmin = \"0\"\nmax = \"1\"\n\n[[attribute]]\nname = \"v\"\nrole = \"quasi\"\nhierarchy = \"{}\"  # mine\n{}\n[[attribute]]\nname = \"w\"\nrole = \"quasi\"\nhierarchy = \"w.toml\"\n",
        sample.file, sample.keys
    );
    for (name, text) in [
        ("p.csv", public.as_str()),
        ("t.csv", &private),
        ("project.toml", &project),
        (sample.file, sample.text),
        ("w.toml", "type = \"flat\"\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// A random change, which may be impossible.
fn drawn(editable: &Editable, random: &mut ChaCha8Rng) -> Option<Change> {
    let level = Level(random.random_range(editable.base().0..=editable.top().0));
    let labels = editable.labels(level);
    let label = labels[random.random_range(0..labels.len())].to_owned();
    let first = random.random_range(0..labels.len());
    let some: Vec<String> =
        labels[first..].iter().take(random.random_range(1..4)).map(|&label| label.to_owned()).collect();
    let name = ["new", "a;b", "\"quoted\"", "ü, {v}", "[1, 2)", "18-40", " blank ", "#", "new 2"];
    let name = name[random.random_range(0..name.len())].to_owned();
    Some(match random.random_range(0..8) {
        0..2 => Change::Group { level, labels: some, name },
        2 => Change::Split { level, label },
        3 => Change::Rename { level, label, name },
        4 => {
            let above = editable.labels(Level(level.0 + 1));
            let into = above.get(random.random_range(0..above.len().max(1)))?.to_string();
            Change::Move { level, labels: some, into }
        }
        5 => Change::Insert { above: level },
        6 => Change::Remove { level },
        _ => {
            let typed = ["0, 18, 65", "1", "0.5, 2", "2024-01-15, 2024-07-01", "20, 40", "-1.5, 3"];
            let borders = editable.typed_borders(typed[random.random_range(0..typed.len())]).ok()?;
            Change::Borders { level, borders, follow: random.random_bool(0.7) }
        }
    })
}

/// Every leaf with its labels, sorted.
fn chains(hierarchy: &Hierarchy) -> Vec<Vec<String>> {
    let chain = |leaf: usize| {
        let label = |level| hierarchy.labels(level)[hierarchy.labels_of(level)[leaf] as usize].to_owned();
        hierarchy.levels().map(label).collect()
    };
    let mut chains: Vec<Vec<String>> = (0..hierarchy.leaf_count()).map(chain).collect();
    chains.sort();
    chains
}

// holds: Hierarchies read back
#[test]
fn both_readers_read_back_edited_hierarchies() {
    let mut made = 0;
    for seed in 0..30 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for sample in SAMPLES {
            let folder = tempfile::tempdir().unwrap();
            write_project(folder.path(), sample);
            let project = folder.path().join("project.toml");
            let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
            let mut editable = pipeline::hierarchies::editable(&analysis, 0).unwrap();
            assert_eq!(
                chains(&editable.over(analysis.problem().hierarchy(0)).unwrap()),
                chains(analysis.problem().hierarchy(0)),
                "{}: it is what was read",
                sample.file
            );
            let mut changes = Vec::new();
            for _ in 0..12 {
                let Some(change) = drawn(&editable, &mut random) else { continue };
                if let Ok(edited) = editable.apply(&change) {
                    editable = edited.hierarchy;
                    changes.push(change.to_string());
                }
            }
            let what = || format!("seed {seed}, {}: {}", sample.file, changes.join("; "));
            let expected = editable.over(analysis.problem().hierarchy(0)).unwrap();
            let ((_, target), before) = match pipeline::hierarchies::file(&analysis, 0, &editable) {
                Ok(file) => (file, fs::read_to_string(&project).unwrap()),
                Err(error) => panic!("{}: {error}", what()),
            };
            let saved = pipeline::hierarchies::save(&analysis, 0, &editable, &target, &[]).unwrap();
            let after = fs::read_to_string(&project).unwrap();
            let line = format!("hierarchy = \"{}\"", saved.named);
            assert!(after.contains(&line), "{}", what());
            let others = |text: &str| -> Vec<String> {
                let kept = |line: &&str| {
                    !line.contains("# mine") && !line.starts_with("kind = ") && !line.contains("-edited")
                };
                text.lines().filter(kept).map(str::to_owned).collect()
            };
            assert_eq!(others(&before), others(&after), "{}", what());
            assert_eq!(fs::read_to_string(folder.path().join(sample.file)).unwrap(), sample.text);
            let again = Analysis::load(&project, &Overrides::default())
                .unwrap_or_else(|error| panic!("{}: {error}", what()));
            assert_eq!(chains(again.problem().hierarchy(0)), chains(&expected), "{}", what());
            assert_eq!(again.problem().hierarchy(0).kind(), expected.kind(), "{}", what());
            // The verifier reads every level separately and finds the same people in every class.
            for level in again.problem().hierarchy(0).levels() {
                let node = again.problem().lattice().node(&[level, Level(0)]).unwrap();
                let release = again.by_hand(again.problem(), node);
                let target = folder.path().join(format!("release-{level}.csv"));
                let written = pipeline::export::write(&again, &release, &target, ExportOptions::default());
                let written = written.unwrap_or_else(|error| panic!("{}, level {level}: {error}", what()));
                assert_eq!(written.verification.achieved, release.achieved, "{}", what());
            }
            made += changes.len();
        }
    }
    assert!(made > 500, "only {made} changes could be made");
}
