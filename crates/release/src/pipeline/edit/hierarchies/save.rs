//! Saves an edited hierarchy: writes a new file, and changes the one line of the project that names
//! it.

use std::path::{Path, PathBuf};

use super::no_file;
use crate::pipeline::edit::settings;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::located::LocatedError;
use palmtop_project::lines;
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::HierarchySpec;
use palmtop_tables::hierarchies::edit::{Editable, Written};
use palmtop_tables::write::{Gate, RealDisk, Ward};
use palmtop_tables::{hierarchies, input, read};

/// A hierarchy that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedHierarchy {
    /// The path of its new file.
    pub path: PathBuf,
    /// The path as the project file writes it.
    pub named: String,
    /// The removed unfinished files in its folder, from runs that were killed.
    pub removed: Vec<PathBuf>,
}

/// Saves an edited hierarchy to a new file, and changes its path in the project file.
///
/// All other bytes of the project file stay. The files in `kept` are never overwritten.
///
/// # Errors
/// A [`PipelineError`] in these cases:
///
/// - The new name exists, or is not a name for such a file.
/// - The project or the hierarchy changed since loading.
/// - No format can express the hierarchy.
/// - The disk fails.
///
/// After each error the project file is unchanged.
pub fn save(
    analysis: &Analysis,
    attribute: usize,
    edited: &Editable,
    target: &Path,
    kept: &[PathBuf],
) -> Result<SavedHierarchy, PipelineError> {
    let (written, _) = super::file(analysis, attribute, edited)?;
    let path = analysis.project.path.as_path();
    let known = analysis.inputs.iter().find(|input| input.path == path);
    if known.is_none_or(|input| read::hash_file(path).ok().as_ref() != Some(&input.sha256)) {
        return Err(PipelineError::changed(path));
    }
    let name = &analysis.problem.quasi()[attribute].name;
    let inputs = analysis.inputs.iter().map(|input| input.path.as_path());
    save_file(path, name, &written, target, inputs, kept)
}

/// Writes another file for the hierarchy of an attribute into the project; returns the path as the project writes it.
///
/// # Errors
/// A [`PipelineError`] if the file is no hierarchy, if it lacks a value of the tables, or if the project file changed since
/// loading, cannot be edited or cannot be written. Then the project file is unchanged.
///
/// # Panics
/// If there is no such quasi-identifier.
pub fn choose(analysis: &Analysis, attribute: usize, file: &Path) -> Result<String, PipelineError> {
    let project = analysis.project.path.as_path();
    let path = std::path::absolute(file).map_err(DataError::io("read", file))?;
    let spec = HierarchySpec { path: path.clone(), ..super::spec(analysis, attribute) };
    let bytes = hierarchies::read_file(&path)?;
    let [public, private] = super::values_of(analysis, attribute);
    hierarchies::of_bytes(&spec, &bytes, super::held(&public), super::held(&private))?;
    let folder = std::path::absolute(project).map_err(DataError::io("read", project))?;
    let folder = folder.parent().unwrap_or_else(|| Path::new(""));
    let named = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
    let name = &analysis.problem.quasi()[attribute].name;
    settings::edit(
        analysis,
        |text| lines::with_hierarchy(text, name, &named, None),
        || no_line(name, &named),
    )?;
    Ok(named)
}

/// The message about a project whose line cannot be found, with its remedy.
fn no_line(attribute: &str, named: &str) -> (String, String) {
    let wrong = format!("the line of [[attribute]] `{attribute}` that names its hierarchy cannot be found");
    (wrong, format!("write it yourself: {}", lines::hierarchy_line(named)))
}

/// Writes a hierarchy to a new file, then the project with its name. So the project never names a
/// file that does not exist.
pub(super) fn save_file<'a>(
    project: &Path,
    attribute: &str,
    written: &Written,
    target: &Path,
    inputs: impl Iterator<Item = &'a Path>,
    kept: &[PathBuf],
) -> Result<SavedHierarchy, PipelineError> {
    if target.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case(written.ending)) {
        return Err(no_file(target, written.ending));
    }
    let folder = project.parent().unwrap_or_else(|| Path::new(""));
    let named = target.strip_prefix(folder).unwrap_or(target).to_string_lossy().into_owned();
    let bytes = input::read(project, input::MOST_TEXT).map_err(DataError::io("read", project))?;
    let text = String::from_utf8(bytes).ok();
    let text = text.and_then(|text| lines::with_hierarchy(&text, attribute, &named, written.kind));
    let text = text.ok_or_else(|| {
        let (wrong, remedy) = no_line(attribute, &named);
        LocatedError::new(wrong).in_file(project).remedy(remedy)
    })?;
    // The project file is the only input that may be overwritten.
    let mut gate = Gate::guarding(Ward::Input, inputs.filter(|input| *input != project));
    for file in kept {
        gate.guard(Ward::History, file);
    }
    let mut inner = gate.clone();
    inner.guard(Ward::Input, project);
    gate.write(
        &mut RealDisk,
        project,
        true,
        |out| out.write_all(text.as_bytes()),
        |_| inner.put(&mut RealDisk, target, false, &written.bytes),
    )?;
    let removed = [gate.take_removed(), inner.take_removed()].concat();
    Ok(SavedHierarchy { path: target.to_owned(), named, removed })
}
