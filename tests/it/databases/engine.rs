//! The database engines of the tests, and the code that creates their tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A Python with drivers, if one is configured.
pub(crate) fn python() -> Option<PathBuf> {
    let found = std::env::var_os("PALMTOP_DATABASES").map(PathBuf::from);
    if found.is_none() {
        eprintln!("skipped: PALMTOP_DATABASES names no Python with adbc-driver-sqlite and duckdb");
    }
    found
}

pub(crate) fn asked(python: &Path, script: &str) -> String {
    let output = Command::new(python).args(["-c", script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// An engine: the lines of its connection, how a table is created from `rows.csv`, and the library
/// to load before its driver.
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    pub(crate) connection: String,
    pub(crate) preload: Option<String>,
    /// The folder with the manifest of its driver.
    pub(crate) manifests: Option<tempfile::TempDir>,
}

impl Engine {
    pub(crate) fn sqlite(python: &Path) -> Self {
        let driver = asked(python, "import adbc_driver_sqlite as d; print(d._driver_path())");
        Self {
            name: "sqlite",
            connection: format!("driver = {driver:?}\nuri = \"sqlite.db\"\n"),
            preload: None,
            manifests: None,
        }
    }

    /// `None` if the Python library that the driver needs is missing.
    pub(crate) fn duckdb(python: &Path) -> Option<Self> {
        let driver = asked(python, "import _duckdb; print(_duckdb.__file__)");
        // The driver is a module of Python, so it needs the Python library.
        let library = "import sysconfig as s, os; print(os.path.join(s.get_config_var('LIBDIR'), s.get_config_var('LDLIBRARY')))";
        let library = asked(python, library);
        if !Path::new(&library).exists()
            || Path::new(&library).extension().is_some_and(|ending| ending == "a")
        {
            eprintln!("skipped for DuckDB: there is no shared library of Python, which its driver needs");
            return None;
        }
        let manifests = tempfile::tempdir().unwrap();
        let manifest = format!("[Driver]\nentrypoint = \"duckdb_adbc_init\"\nshared = {driver:?}\n");
        fs::write(manifests.path().join("duckdb.toml"), manifest).unwrap();
        let connection = "driver = \"duckdb\"\nuri = \"duckdb.db\"\n".to_owned();
        Some(Self { name: "duckdb", connection, preload: Some(library), manifests: Some(manifests) })
    }

    /// Writes a project that reads a table of this engine. `rest` has the lines after
    /// `[public.source]`.
    pub(crate) fn project(&self, folder: &Path, table: &str, rest: &str) -> PathBuf {
        let rows = if Path::new(table).extension().is_some_and(|ending| ending == "sql") {
            format!("query = {table:?}")
        } else {
            format!("table = {table:?}")
        };
        let path = folder.join(format!("{}.toml", self.name));
        let (connection, name) = (&self.connection, self.name);
        let public = format!("[public.source]\n{connection}{rows}\nsnapshot = \"{name}.parquet\"\n");
        fs::write(&path, format!("{public}{rest}")).unwrap();
        path
    }

    /// A `palmtop` command with these arguments, not started.
    pub(crate) fn command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
        command.args(arguments).current_dir(folder).env("PALMTOP_HUSH", "hush42");
        if let Some(library) = &self.preload {
            command.env("LD_PRELOAD", library);
        }
        if let Some(manifests) = &self.manifests {
            command.env("ADBC_DRIVER_PATH", manifests.path());
        }
        command
    }

    pub(crate) fn palmtop(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.command(folder, arguments).output().unwrap()
    }
}

/// A quoted cell of a CSV file.
pub(crate) fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
