//! Random projects: small, with every hierarchy type and odd labels. Some of them are malformed.

mod columns;
mod dates;
mod hierarchies;
mod malformed;
mod persons;
mod plan;
mod texts;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::support::dice::Dice;

/// The files of a project by their names.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The name of the project file.
pub(crate) const PROJECT: &str = "project.toml";

/// A project as files, and releases that might be faithful to it.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    pub(crate) files: Files,
    /// One release with every value at `*`, and one with unchanged values.
    pub(crate) guesses: Vec<Vec<u8>>,
}

/// A random project and, for some seeds, the same project after a mistake.
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
    /// Empties the folder and writes the files into it. Returns the path of the project file.
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
