//! Random projects: small, of every hierarchy type, with odd labels, and some of them malformed.

mod columns;
mod hierarchies;
mod malformed;
mod plan;
mod texts;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::dice::Dice;

/// The files of a project by their names.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The name of a project's own file.
pub(crate) const PROJECT: &str = "project.toml";

/// A project as files, and releases that somebody might think are its.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    pub(crate) files: Files,
    /// Everybody at `*`, and everybody as they are.
    pub(crate) guesses: Vec<Vec<u8>>,
}

/// A random project, and for some what became of it by a mistake.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) project: Project,
    pub(crate) malformed: Option<Project>,
}

impl Case {
    /// The case of a seed.
    pub(crate) fn of(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let plan = plan::plan(&mut dice);
        let project = plan.render();
        let malformed = dice.percent(45).then(|| malformed::malform(&mut dice, &plan));
        Self { project, malformed }
    }
}

impl Project {
    /// Writes the files into a folder, which has nothing else afterwards; the path of the project file.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        for (name, content) in &self.files {
            fs::write(folder.join(name), content)?;
        }
        Ok(folder.join(PROJECT))
    }
}
