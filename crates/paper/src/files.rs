//! The files of an experiment: the table of all runs, and each figure as CSV and as SVG.

use std::path::{Path, PathBuf};

use palmtop_release::pipeline::{self, Analysis, PipelineError};
use palmtop_tables::write::{self, Gate, RealDisk};

use super::Experiment;
use super::figure::Figure;
use palmtop_console::answer::Answer;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output::shown;
use palmtop_console::written::{not_written, say_removed};
use palmtop_release::columns::Table;

/// The folder of the files. It is made before the first file is written.
pub(super) struct Folder<'a> {
    path: &'a Path,
    force: bool,
    gate: Gate,
}

impl<'a> Folder<'a> {
    /// Unless `force` is set, refuses a folder that has a file of one of the names. It runs before
    /// any input is read.
    pub(super) fn claim(path: &'a Path, force: bool) -> anyhow::Result<Self> {
        let folder = Self { path, force, gate: Gate::default() };
        if path.symlink_metadata().is_ok() && !path.is_dir() {
            anyhow::bail!("{} is no folder; choose another name", path.display());
        }
        folder.check()?;
        Ok(folder)
    }

    /// Refuses a folder with a file name that is an input's, before any search. The gate then
    /// protects the inputs.
    pub(super) fn guard(&mut self, analysis: &Analysis) -> anyhow::Result<()> {
        self.gate = pipeline::export::gate(analysis);
        self.check()
    }

    fn check(&self) -> anyhow::Result<()> {
        for name in names() {
            self.gate.check(&self.path.join(name), self.force).map_err(PipelineError::from)?;
        }
        Ok(())
    }

    /// Writes every file, each completely or not at all. Returns the number of files; `None` if a
    /// signal stopped it.
    pub(super) fn write(
        &mut self,
        experiment: &Experiment,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<usize>> {
        let mut contents = vec![(TABLE.to_owned(), experiment.table().to_csv().into_bytes())];
        for figure in Figure::ALL {
            let grid = experiment.grid(figure.bound);
            let rows = Table::of_texts(figure.columns(grid), figure.lines(grid));
            contents.push((format!("{}.csv", figure.file_stem()), rows.to_csv().into_bytes()));
            let drawn = figure.svg(grid, &shown(&experiment.project));
            contents.push((format!("{}.svg", figure.file_stem()), format!("{drawn}\n").into_bytes()));
        }
        write::make_folder(self.path)?;
        for (name, content) in &contents {
            if interrupt.is_asked() {
                return Ok(None);
            }
            let put = self.gate.put(&mut RealDisk, &self.path.join(name), self.force, content);
            say_removed(&mut self.gate);
            put.map_err(not_written)?;
        }
        Ok(Some(contents.len()))
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.to_owned()
    }
}

const TABLE: &str = "table.csv";

/// Every file name that an experiment may write.
fn names() -> impl Iterator<Item = String> {
    let figures = Figure::ALL.into_iter();
    let both =
        figures.flat_map(|figure| ["csv", "svg"].map(|ending| format!("{}.{ending}", figure.file_stem())));
    std::iter::once(TABLE.to_owned()).chain(both)
}
