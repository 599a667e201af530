//! The cached reduction of P. It is used only if it matches P, it changes no result, and it
//! contains no data of T.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, PipelineError, Reduction};
use palmtop::progress::unwatched;
use palmtop::search::{Config, Strategy};
use tempfile::TempDir;

/// A project with two files of P, read as numbers and texts. T is a part of P.
struct Sample(TempDir);

impl Sample {
    fn new() -> Self {
        let sample = Self(tempfile::tempdir().unwrap());
        let row = |row: u32| {
            format!("{},{},{}\n", row % 40, ["Bern", "Biel", "Thun"][row as usize % 3], row % 7 + 1)
        };
        let rows = |rows: std::ops::Range<u32>| rows.map(row).collect::<Vec<String>>().concat();
        sample.write("p-1.csv", &format!("age,city,size\n{}", rows(0..90)));
        sample.write("p-2.csv", &format!("age,city,size\n{}", rows(90..120)));
        let members = (0..40)
            .map(|row| format!("{},{},secret-{row}\n", row * 3 % 40, ["Bern", "Biel", "Thun"][row * 3 % 3]));
        sample.write("t.csv", &format!("age,city,note\n{}", members.collect::<Vec<String>>().concat()));
        sample.write("age.toml", "type = \"interval\"\nwidths = [5, 10]\n");
        sample.write("city.toml", "type = \"flat\"\n");
        sample.write("p.toml", &project("path = \"p-*.csv\"", ""));
        sample
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn replace(&self, name: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(old), "{name} has no {old}");
        self.write(name, &text.replacen(old, new, 1));
    }

    fn load(&self) -> Result<Analysis, PipelineError> {
        Analysis::load(&self.path("p.toml"), &Overrides::default())
    }

    /// Loads the project, and keeps a P of any size reduced.
    fn reduce(&self) -> Reduction {
        self.reduce_above(0)
    }

    fn reduce_above(&self, rows: u64) -> Reduction {
        let loaded = Analysis::load_keeping(&self.path("p.toml"), &Overrides::default(), rows);
        loaded.unwrap().reduction().clone()
    }

    fn kept(&self) -> PathBuf {
        self.path(".p.reduced")
    }

    /// The visible result of a project: the loaded data and the release, or the error.
    fn seen(&self) -> Result<String, String> {
        let analysis = self.load().map_err(|error| error.to_string())?;
        let found = analysis.search(analysis.problem(), Strategy::Spalm, &Config::default(), &mut unwatched);
        let target = self.path("release.csv");
        let options = ExportOptions { force: true, ..ExportOptions::default() };
        pipeline::export::write(&analysis, &found.release.unwrap(), &target, options).unwrap();
        let (histogram, notes, inputs) =
            (analysis.problem().histogram(), analysis.notes(), analysis.inputs());
        let release = fs::read_to_string(&target).unwrap();
        Ok(format!("{histogram:?}\n{notes:?}\n{inputs:?}\n{release}"))
    }

    /// The result without the cache and with it, which must be equal.
    fn seen_twice(&self) -> Result<String, String> {
        assert!(!self.kept().exists());
        let without = self.seen();
        let reduced = Analysis::load_keeping(&self.path("p.toml"), &Overrides::default(), 0);
        assert!(self.kept().exists());
        if let Ok(reduced) = &reduced {
            assert!(matches!(reduced.reduction(), Reduction::Made { stale: None, .. }));
        }
        assert_eq!(self.seen(), without);
        if let Ok(analysis) = self.load() {
            assert!(matches!(analysis.reduction(), Reduction::Used { .. }), "{:?}", analysis.reduction());
        }
        without
    }

    /// The message if the cache no longer matches P. The result equals the one without a cache.
    fn stale(&self) -> String {
        let with = self.load().unwrap();
        let message = with.reduction().message().unwrap();
        assert!(matches!(with.reduction(), Reduction::Made { stale: Some(_), .. }), "{message}");
        assert!(matches!(self.load().unwrap().reduction(), Reduction::Used { .. }));
        let used = self.seen();
        fs::remove_file(self.kept()).unwrap();
        assert_eq!(self.seen(), used);
        message
    }
}

fn project(public: &str, policy: &str) -> String {
    format!(
        "[private]\npath = \"t.csv\"\nunlisted = \"drop\"\n[public]\n{public}\n[delta]\nmax = \"3/4\"\n{policy}\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\nnumber = {{ }}\n\
         [[attribute]]\nname = \"city\"\nrole = \"quasi\"\nhierarchy = \"city.toml\"\n"
    )
}

// holds: Reduced P matches
#[test]
fn the_cache_changes_no_result() {
    let sample = Sample::new();
    let reduced = sample.seen_twice().unwrap();
    assert!(reduced.contains("age,city"));
    assert!(matches!(sample.reduce(), Reduction::Used { .. }));
    assert_eq!(sample.load().unwrap().notes().unused, ["size"]);
}

#[test]
fn only_a_large_p_is_kept() {
    let sample = Sample::new();
    assert_eq!(sample.load().unwrap().reduction(), &Reduction::Nothing);
    assert_eq!(sample.reduce_above(120), Reduction::Nothing);
    assert!(!sample.kept().exists());
    assert!(matches!(sample.reduce_above(119), Reduction::Made { stale: None, .. }));
}

#[test]
fn a_cached_row_counts_all_its_people() {
    let sample = Sample::new();
    sample.write("p.toml", &project("path = \"p-*.csv\"\ncount = \"size\"\ncounts = \"people\"", ""));
    sample.seen_twice().unwrap();
    // Without the count column, each row is one person.
    let counted = sample.load().unwrap().problem().histogram().total().public;
    sample.write("p.toml", &project("path = \"p-*.csv\"", ""));
    assert!(sample.stale().contains("the project says something else of P now"));
    assert_ne!(sample.load().unwrap().problem().histogram().total().public, counted);
}

// holds: Reduced P matches
#[test]
fn messages_about_values_and_people_are_the_same() {
    let lacking = Sample::new();
    lacking.replace("p-2.csv", "\n10,", "\n-1e9x,");
    let message = lacking.seen_twice().unwrap_err();
    assert!(message.contains("-1e9x") && message.contains("p-2.csv"), "{message}");
    let outside = Sample::new();
    outside.replace("t.csv", "\n0,Bern,", "\n0,Basel,");
    let message = outside.seen_twice().unwrap_err();
    assert!(message.contains("Basel"), "{message}");
    let beyond = Sample::new();
    beyond.write("city.csv", "Bern;*\nBiel;*\n");
    beyond.replace("p.toml", "city.toml", "city.csv");
    let message = beyond.seen_twice().unwrap_err();
    assert!(message.contains("Thun") && message.contains("row 3"), "{message}");
}

// holds: Reduced P matches
#[test]
fn a_changed_file_is_read_again() {
    let sample = Sample::new();
    sample.reduce();
    sample.replace("p-2.csv", "Thun,", "Bern,");
    assert!(sample.stale().contains("p-2.csv changed since"));
    sample.reduce();
    let text = fs::read_to_string(sample.path("p-1.csv")).unwrap();
    sample.write("p-1.csv", &format!("{text}5,Bern,1\n"));
    assert!(sample.stale().contains("p-1.csv changed since"));
    sample.reduce();
    sample.write("p-3.csv", "age,city,size\n7,Biel,1\n");
    sample.stale();
}

// holds: Reduced P matches
#[test]
fn a_change_with_its_time_reset_is_found() {
    let sample = Sample::new();
    thread::sleep(Duration::from_millis(3100));
    sample.reduce();
    // The files are old enough that their time and size identify them without reading.
    assert!(matches!(sample.load().unwrap().reduction(), Reduction::Used { .. }));
    let path = sample.path("p-1.csv");
    let written = path.metadata().unwrap().modified().unwrap();
    sample.replace("p-1.csv", "Thun,", "Bern,");
    File::options().append(true).open(&path).unwrap().set_modified(written).unwrap();
    assert!(sample.stale().contains("p-1.csv changed since"));
}

#[test]
fn touching_or_moving_a_file_keeps_the_cache() {
    let sample = Sample::new();
    sample.reduce();
    File::options()
        .append(true)
        .open(sample.path("p-1.csv"))
        .unwrap()
        .set_modified(std::time::UNIX_EPOCH)
        .unwrap();
    assert!(matches!(sample.load().unwrap().reduction(), Reduction::Used { .. }));
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(sample.0.path()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let copy = Sample(copy);
    assert!(matches!(copy.load().unwrap().reduction(), Reduction::Used { .. }));
    assert!(copy.load().unwrap().inputs()[0].path.starts_with(copy.0.path()));
}

#[test]
fn a_damaged_one_is_said_and_made_again() {
    let sample = Sample::new();
    sample.reduce();
    let mut bytes = fs::read(sample.kept()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(sample.kept(), bytes).unwrap();
    assert!(sample.stale().contains("it is damaged or was edited"));
}

#[test]
fn what_is_no_kept_p_is_never_overwritten() {
    let sample = Sample::new();
    sample.write(".p.reduced", "my notes");
    let message = sample.reduce().message().unwrap();
    assert!(message.contains("is something else, and is never overwritten"), "{message}");
    assert_eq!(sample.load().unwrap().reduction(), &Reduction::Nothing);
    assert_eq!(fs::read_to_string(sample.kept()).unwrap(), "my notes");
    fs::remove_file(sample.kept()).unwrap();
    sample.reduce();
    fs::rename(sample.kept(), sample.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(sample.path("elsewhere"), sample.kept()).unwrap();
    assert!(matches!(sample.reduce(), Reduction::Failed { .. }));
    assert!(sample.kept().symlink_metadata().unwrap().is_symlink());
}

// holds: Reduced P matches
#[test]
fn the_cache_is_private_without_anything_of_t() {
    use std::os::unix::fs::PermissionsExt;

    let sample = Sample::new();
    // The value is in a band of the hierarchy, and in no row of P.
    sample.replace("p.toml", "unlisted = \"drop\"", "unlisted = \"drop\"\nnot_in_public = \"drop\"");
    sample.replace("t.csv", "\n0,Bern,", "\n38.515625,Bern,");
    sample.reduce();
    assert_eq!(sample.kept().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let bytes = fs::read(sample.kept()).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has("Bern") && !has("secret") && !has("note") && !has("38.5") && !has("t.csv"));
    // The cache file does not depend on T.
    sample.write("t.csv", "age,city,note\n1,Biel,other\n");
    assert!(matches!(sample.reduce(), Reduction::Used { .. }));
    fs::remove_file(sample.kept()).unwrap();
    sample.reduce();
    assert_eq!(fs::read(sample.kept()).unwrap(), bytes);
}

#[test]
fn nothing_is_kept_where_rows_are_needed() {
    let keeps_none = |public: &str, policy: &str| {
        let sample = Sample::new();
        let text = project(public, policy);
        let text = if public.contains("member") { text.replace("path = \"t.csv\"\n", "") } else { text };
        sample.write("p.toml", &text);
        let loaded = Analysis::load_keeping(&sample.path("p.toml"), &Overrides::default(), 0);
        assert!(loaded.is_err() || loaded.unwrap().reduction() == &Reduction::Nothing, "{public}");
        assert!(!sample.kept().exists(), "{public}");
    };
    keeps_none("path = \"p-*.csv\"\nmember = { column = \"size\", is = \"1\" }", "");
    keeps_none("path = \"p-*.csv\"\ncache = false", "");
    let people = "[[attribute]]\nname = \"size\"\nrole = \"entity\"\nprivate_column = \"note\"\n";
    keeps_none("path = \"p-*.csv\"", people);
}

#[test]
fn a_project_without_cache_ignores_old_ones() {
    let sample = Sample::new();
    sample.reduce();
    let bytes = fs::read(sample.kept()).unwrap();
    sample.replace("p-1.csv", "Thun,", "Bern,");
    sample.write("p.toml", &project("path = \"p-*.csv\"\ncache = false", ""));
    assert_eq!(sample.load().unwrap().reduction(), &Reduction::Nothing);
    assert_eq!(fs::read(sample.kept()).unwrap(), bytes);
}

#[test]
fn an_unwritable_folder_stops_nothing() {
    use std::os::unix::fs::PermissionsExt;

    let sample = Sample::new();
    sample.reduce();
    sample.replace("p-1.csv", "Thun,", "Bern,");
    let folder = Path::new(sample.0.path());
    fs::set_permissions(folder, fs::Permissions::from_mode(0o500)).unwrap();
    let is_refused = File::create(sample.path("probe")).is_err();
    let loaded = sample.load();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    let expected = if is_refused { "cannot be kept" } else { "was made again" };
    assert!(loaded.unwrap().reduction().message().unwrap().contains(expected));
}
