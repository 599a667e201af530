//! The built-in projects: embedded in the program, and unpacked to a temporary folder while they
//! are open.

use std::path::{Path, PathBuf};

use anyhow::bail;
use palmtop_proposal::CARRIED;
use palmtop_tables::write::PrivateFolder;

use crate::interrupt;

/// Embeds files of the repository, each with its path there.
macro_rules! carried {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $path)))),*]
    };
}

/// A built-in project on disk. Its folder is removed when this value is dropped, and also when a
/// signal ends the program.
pub struct Practice {
    folder: PrivateFolder,
    project: &'static str,
}

impl Practice {
    /// Unpacks `clinic`, `paper` or `trial`.
    pub fn unpack(name: &str) -> anyhow::Result<Self> {
        let project = match name {
            "clinic" => "sample-data/clinic/clinic.toml",
            "paper" => "sample-data/paper/paper.toml",
            "trial" => "sample-data/trial/trial.toml",
            _ => bail!("no such project; the built-in projects are @clinic, @paper and @trial"),
        };
        let prefix = Path::new(project).parent().unwrap_or(Path::new(""));
        let hierarchies =
            CARRIED.iter().map(|(name, content)| (Path::new("hierarchies").join(name), *content));
        let samples = carried_files().into_iter().map(|(path, content)| (PathBuf::from(path), content));
        let needed: Vec<(PathBuf, &str)> =
            samples.filter(|(path, _)| path.starts_with(prefix)).chain(hierarchies).collect();
        interrupt::leave_tidily()?;
        let folder = PrivateFolder::create(
            "palmtop-practice-",
            needed.iter().map(|(path, content)| (path.as_path(), content.as_bytes())),
        )?;
        Ok(Self { folder, project })
    }

    /// The path of the unpacked project file.
    pub fn project(&self) -> PathBuf {
        self.folder.path().join(self.project)
    }
}

/// Every embedded file: its path in the repository, and its text.
fn carried_files() -> Vec<(&'static str, &'static str)> {
    carried![
        "sample-data/clinic/clinic.toml",
        "sample-data/clinic/private.csv",
        "sample-data/clinic/public.csv",
        "sample-data/paper/nationality.toml",
        "sample-data/paper/paper.toml",
        "sample-data/paper/private.csv",
        "sample-data/paper/public.csv",
        "sample-data/trial/age.toml",
        "sample-data/trial/private.csv",
        "sample-data/trial/public.csv",
        "sample-data/trial/trial.toml",
    ]
    .to_vec()
}
