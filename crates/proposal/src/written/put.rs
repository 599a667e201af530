//! Writes a proposal: the project and its hierarchies, all or none, through the gate.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use crate::sources::named::Named;
use crate::written::toml::Written;
use crate::{HierarchySource, Proposal};
use palmtop_tables::write::{self, Gate, RealDisk, Ward, WriteError};

impl Proposal {
    /// Writes the project to `target`, an absolute path, and the hierarchies next to it. Returns the written paths. Existing files are
    /// replaced only with `force`, and input files never.
    ///
    /// # Errors
    /// [`WriteError`] if a name is protected or the disk fails; then no new file exists.
    pub fn put(
        &self,
        gate: &mut Gate,
        target: &Path,
        force: bool,
    ) -> Result<Written, WriteError<Infallible>> {
        self.put_with_tables(gate, target, &[], force)
    }

    /// Writes the project and its hierarchies as [`put`](Self::put) does, and tables with them, all or none.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn put_with_tables(
        &self,
        gate: &mut Gate,
        target: &Path,
        tables: &[(PathBuf, Vec<u8>)],
        force: bool,
    ) -> Result<Written, WriteError<Infallible>> {
        for attribute in &self.attributes {
            if let Some(HierarchySource::File(path)) =
                attribute.hierarchy.as_ref().map(|hierarchy| &hierarchy.source)
            {
                gate.guard(Ward::Input, path);
            }
        }
        let written = self.to_toml(target);
        let folder = target.parent().unwrap_or(Path::new(""));
        let project_folder = folder.join(&written.folder);
        let is_new = project_folder.symlink_metadata().is_err();
        let mut files = vec![(target.to_owned(), written.project.clone().into_bytes())];
        let hierarchies = written.hierarchies.iter();
        files.extend(hierarchies.map(|(path, text)| (folder.join(path), text.clone().into_bytes())));
        files.extend(tables.iter().cloned());
        if !written.hierarchies.is_empty() {
            write::make_folder(&project_folder).map_err(WriteError::Disk)?;
        }
        let put = gate.put_all(&mut RealDisk, &files, force);
        if put.is_err() && is_new {
            write::remove_empty_folder(&project_folder);
        }
        put.map(|()| written)
    }
}

impl Named {
    /// The gate that protects these tables.
    pub fn gate(&self) -> Gate {
        Gate::guarding(Ward::Input, self.inputs())
    }
}
