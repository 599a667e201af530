//! The files of an experiment: the table of all runs, and each figure as CSV and as SVG.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use palmtop::data::write::{self, RealDisk, WriteError};
use palmtop::pipeline::PipelineError;

use super::super::interrupt::Interrupt;
use super::super::output::{Rows, shown};
use super::figure::Figure;
use super::{Experiment, svg};

/// A folder that the files go to. It is made when the first is written.
pub(super) struct Folder<'a> {
    path: &'a Path,
    force: bool,
}

impl<'a> Folder<'a> {
    /// Refuses, before any search, a folder where one of the names is taken.
    pub(super) fn claim(path: &'a Path, force: bool) -> anyhow::Result<Self> {
        let folder = Self { path, force };
        if path.symlink_metadata().is_ok() && !path.is_dir() {
            anyhow::bail!("{} is no folder; choose another name", path.display());
        }
        let taken =
            names().map(|name| path.join(name)).find(|path| !force && path.symlink_metadata().is_ok());
        match taken {
            Some(path) => Err(PipelineError::Exists { path }.into()),
            None => Ok(folder),
        }
    }

    /// Writes every file, each whole or not at all; answers how many, or `None` where a signal stopped it.
    pub(super) fn write(
        &self,
        experiment: &Experiment,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<usize>> {
        let mut contents = vec![(TABLE.to_owned(), experiment.table().to_csv()?)];
        for figure in Figure::ALL {
            let grid = experiment.grid(figure.bound);
            let rows = Rows { header: figure.columns(grid), lines: figure.lines(grid), numbers_from: 0 };
            contents.push((format!("{}.csv", figure.file_stem()), rows.to_csv()?));
            let drawn = svg::draw(figure, grid, &shown(&experiment.project))?;
            contents.push((format!("{}.svg", figure.file_stem()), drawn.into_bytes()));
        }
        fs::create_dir_all(self.path)
            .with_context(|| format!("cannot make folder {}", self.path.display()))?;
        for (name, content) in &contents {
            if interrupt.is_asked() {
                return Ok(None);
            }
            self.write_one(&self.path.join(name), content)?;
        }
        Ok(Some(contents.len()))
    }

    fn write_one(&self, path: &Path, content: &[u8]) -> anyhow::Result<()> {
        let unchecked = |_: &Path| Ok::<(), Infallible>(());
        write::write_whole(&mut RealDisk, path, self.force, content, unchecked).map_err(|error| match error {
            WriteError::Disk(error) => anyhow::Error::new(error),
            WriteError::Exists { path } => PipelineError::Exists { path }.into(),
            WriteError::Refused(never) => match never {},
        })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.to_owned()
    }
}

const TABLE: &str = "table.csv";

/// Every name that an experiment may write.
fn names() -> impl Iterator<Item = String> {
    let figures = Figure::ALL.into_iter();
    let both =
        figures.flat_map(|figure| ["csv", "svg"].map(|ending| format!("{}.{ending}", figure.file_stem())));
    std::iter::once(TABLE.to_owned()).chain(both)
}
