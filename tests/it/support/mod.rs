//! What many tests share: the program as a shell runs it, and copies of the sample projects.

pub(crate) mod check;
pub(crate) mod dice;
pub(crate) mod generate;
pub(crate) mod naive;
pub(crate) mod tables;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// The exit status and the output of a command.
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs palmtop in a folder.
pub(crate) fn palmtop(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    let output = command.args(arguments).current_dir(folder).output().unwrap();
    Done {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Done {
    /// Checks the exit status and a part of the messages.
    #[track_caller]
    pub(crate) fn expect(&self, status: i32, message: &str) -> &Self {
        assert_eq!(self.status, status, "{}\n{}", self.out, self.err);
        assert!(self.err.contains(message), "expected {message:?} in\n{}", self.err);
        self
    }

    /// Checks a part of the output.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "expected {text:?} in\n{}", self.out);
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }
}

/// The keys of a JSON object, in order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A file or folder of the repository.
pub(crate) fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file or folder of the sample data.
pub(crate) fn sample(path: &str) -> PathBuf {
    root("sample-data").join(path)
}

/// A folder with the files of these folders of the repository, at the same paths.
pub(crate) fn copies(folders: &[&str]) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for folder in folders {
        fs::create_dir_all(copy.path().join(folder)).unwrap();
        for entry in fs::read_dir(root(folder)).unwrap() {
            let file = entry.unwrap();
            // A history belongs to the analyst.
            let name = file.file_name().to_string_lossy().into_owned();
            if !name.ends_with(".releases.toml") && !name.ends_with(".history.toml") {
                fs::copy(file.path(), copy.path().join(folder).join(file.file_name())).unwrap();
            }
        }
    }
    copy
}

/// Copies a folder with all below it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Copies the paper's project and its hierarchies into one folder.
pub(crate) fn paper() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["paper.toml", "public.csv", "private.csv", "nationality.toml"] {
        fs::copy(sample("paper").join(file), folder.path().join(file)).unwrap();
    }
    for file in ["zip.toml", "age-40.toml"] {
        fs::copy(root("hierarchies").join(file), folder.path().join(file)).unwrap();
    }
    edit(&folder.path().join("paper.toml"), "../../hierarchies/", "");
    folder
}

/// Replaces a text in a file, which has it.
#[track_caller]
pub(crate) fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{} has no {from:?}", path.display());
    fs::write(path, text.replace(from, to)).unwrap();
}

/// The names of the files and folders in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Whether this process runs one test alone. If not, a child runs it and must pass: the test sets
/// something for its whole process.
#[track_caller]
pub(crate) fn runs_alone(test: &str) -> bool {
    const ALONE: &str = "PALMTOP_ALONE";
    if std::env::var(ALONE).is_ok_and(|name| name == test) {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(["--exact", test, "--nocapture"]).env(ALONE, test).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains(" 1 passed"), "{out}\n{err}");
    false
}
