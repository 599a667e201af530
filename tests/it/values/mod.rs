//! Values as they come: the keys that describe how tables write values, their effect, and the
//! errors.

mod dirty;
mod flow;
pub(crate) mod messages;
mod outsiders;
mod twins;

use std::fs;
use std::path::Path;

use palmtop::pipeline::{Analysis, Overrides};
use palmtop::words::chain;
use tempfile::TempDir;

/// A project of these files. `p.toml` begins with T, P and δ from 0 to 1, and `attributes` follow.
struct Written {
    folder: TempDir,
}

impl Written {
    fn new(files: &[(&str, &str)], attributes: &str) -> Self {
        let head = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1\"\n";
        Self::with_head(head, files, attributes)
    }

    fn with_head(head: &str, files: &[(&str, &str)], attributes: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        fs::write(folder.path().join("p.toml"), format!("{head}{attributes}")).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn load(&self) -> Result<Analysis, String> {
        Analysis::load(&self.path().join("p.toml"), &Overrides::default())
            .map_err(|error| chain(&error).replace(&format!("{}/", self.path().display()), ""))
    }

    fn refusal(&self) -> String {
        self.load().map(drop).unwrap_err()
    }
}

/// A quasi-identifier with more keys.
fn quasi(name: &str, hierarchy: &str, keys: &str) -> String {
    format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{hierarchy}\"\n{keys}\n")
}
