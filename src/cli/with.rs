//! `--with`: the files beside a release or a report, which are named after it.

use std::path::{Path, PathBuf};

use palmtop::codebook::{Codebook, CodebookForm, Mapping};
use palmtop::columns::Table;
use palmtop::data::write::ReleaseFormat;
use palmtop::sql::{Dialect, load_statements};
use serde::Serialize;

use super::args::{WithArguments, WithFile};
use palmtop_console::status::Usage;

/// The requested files, with their names.
#[derive(Clone, Debug)]
pub(super) struct WithFiles {
    files: Vec<(WithFile, PathBuf)>,
    dialect: Dialect,
}

impl WithFiles {
    /// Names the files after this one: `out.csv` gives `out.codebook.csv`.
    pub(super) fn of(arguments: &WithArguments, named: &Path) -> Self {
        let mut files: Vec<(WithFile, PathBuf)> = Vec::new();
        for &file in &arguments.with {
            if files.iter().all(|(known, _)| *known != file) {
                let mut name = named.file_stem().unwrap_or_default().to_owned();
                name.push(format!(".{}", file.ending()));
                files.push((file, named.with_file_name(name)));
            }
        }
        Self { files, dialect: arguments.dialect.unwrap_or_default() }
    }

    /// Refuses statements for a release that no database loads.
    pub(super) fn check_release(&self, release: &Path) -> Result<(), Usage> {
        if self.path_of(WithFile::Sql).is_some() && ReleaseFormat::of(release) != ReleaseFormat::Csv {
            return Err(Usage(format!(
                "--with sql: databases load CSV, and {} is not CSV; write the release as .csv",
                release.display()
            )));
        }
        Ok(())
    }

    /// The names with their options.
    pub(super) fn named(&self) -> impl Iterator<Item = (String, &Path)> {
        self.files.iter().map(|(file, path)| (format!("--with {}", file.name()), path.as_path()))
    }

    /// The name of a file, if it is requested.
    pub(super) fn path_of(&self, file: WithFile) -> Option<&Path> {
        self.files.iter().find(|(known, _)| *known == file).map(|(_, path)| path.as_path())
    }

    /// Whether no file is requested.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The files that explain a written release, with their names in messages, their paths and their contents.
    pub(super) fn contents(
        &self,
        release: &Path,
        codebook: impl Fn() -> anyhow::Result<Codebook>,
        mapping: impl Fn() -> anyhow::Result<Mapping>,
    ) -> anyhow::Result<Vec<(&'static str, &Path, String)>> {
        let mut files = Vec::new();
        for (file, path) in &self.files {
            let path = path.as_path();
            match *file {
                WithFile::Codebook(form) => {
                    let text = content(form, &codebook()?, Codebook::table)?;
                    files.push(("code list", path, text));
                }
                WithFile::Mapping(form) => {
                    let text = content(form, &mapping()?, Mapping::table)?;
                    files.push(("mapping", path, text));
                }
                WithFile::Sql => {
                    let table = release.file_stem().unwrap_or_default().to_string_lossy();
                    files.push(("SQL", path, load_statements(release, &table, self.dialect)?));
                }
                WithFile::Report | WithFile::Transcript | WithFile::Signer | WithFile::Recipient => {}
            }
        }
        Ok(files)
    }
}

/// A value in the form of a file.
fn content<T: Serialize>(form: CodebookForm, value: &T, table: fn(&T) -> Table) -> anyhow::Result<String> {
    Ok(match form {
        CodebookForm::Csv => table(value).to_csv(),
        CodebookForm::Json => serde_json::to_string_pretty(value)? + "\n",
    })
}
