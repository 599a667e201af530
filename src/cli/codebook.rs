//! `--codebook` and `--mapping`: the code list of a release and the applied mapping, as files.

use std::path::Path;

use palmtop::codebook::{self, Codebook, CodebookForm, Mapping};
use palmtop::columns::Table;
use serde::Serialize;

use super::args::CodebookArguments;
use palmtop_console::output;
use palmtop_console::status::Usage;

/// The requested files, each with the form that its ending selects.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeFiles<'a> {
    codebook: Option<(&'a Path, CodebookForm)>,
    mapping: Option<(&'a Path, CodebookForm)>,
}

impl<'a> CodeFiles<'a> {
    /// Reads the options; refuses an ending that selects no form.
    pub(super) fn of(arguments: &'a CodebookArguments) -> Result<Self, Usage> {
        let file = |flag: &str, path: &'a Option<std::path::PathBuf>| {
            let path = path.as_deref();
            let with_form = |path| codebook::form_of(flag, path).map(|form| (path, form)).map_err(Usage);
            path.map(with_form).transpose()
        };
        Ok(Self {
            codebook: file("--codebook", &arguments.codebook)?,
            mapping: file("--mapping", &arguments.mapping)?,
        })
    }

    /// The names with their options.
    pub(super) fn named(&self) -> [(&'static str, Option<&'a Path>); 2] {
        [("--codebook", self.codebook.map(|file| file.0)), ("--mapping", self.mapping.map(|file| file.0))]
    }

    /// Whether neither file is requested.
    pub(super) fn is_empty(&self) -> bool {
        self.codebook.is_none() && self.mapping.is_none()
    }

    /// The requested files with their names in messages, their paths and their contents.
    pub(super) fn contents(
        &self,
        codebook: impl FnOnce() -> anyhow::Result<Codebook>,
        mapping: impl FnOnce() -> anyhow::Result<Mapping>,
    ) -> anyhow::Result<Vec<(&'static str, &'a Path, String)>> {
        let mut files = Vec::new();
        if let Some((path, form)) = self.codebook {
            let found = codebook()?;
            files.push(("code list", path, content(form, &found, Codebook::table, Codebook::to_markdown)?));
        }
        if let Some((path, form)) = self.mapping {
            let found = mapping()?;
            files.push(("mapping", path, content(form, &found, Mapping::table, Mapping::to_markdown)?));
        }
        Ok(files)
    }
}

/// A value in the form of a file.
fn content<T: Serialize>(
    form: CodebookForm,
    value: &T,
    table: fn(&T) -> Table,
    markdown: fn(&T) -> String,
) -> anyhow::Result<String> {
    Ok(match form {
        CodebookForm::Csv => String::from_utf8(output::to_csv(&table(value))?)?,
        CodebookForm::Json => serde_json::to_string_pretty(value)? + "\n",
        CodebookForm::Markdown => markdown(value),
    })
}
