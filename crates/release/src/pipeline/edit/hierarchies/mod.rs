//! Editing the hierarchy of a quasi-identifier: the hierarchy as it was read, the problem with the
//! edited hierarchy, and its file.

mod save;
mod unplaced;

use std::path::{Path, PathBuf};

use crate::pipeline::read::hierarchy_spec;
use crate::pipeline::{Analysis, PipelineError};
use palmtop_core::model::Problem;
use palmtop_project::Attribute;
use palmtop_tables::encode::Whose;
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::edit::{EditError, Editable, Written};
use palmtop_tables::hierarchies::{self, Domain, HierarchySpec, Values};
use palmtop_tables::read;
use palmtop_tables::refused::Held;

pub use save::{SavedHierarchy, choose, save};
pub use unplaced::{Mended, Unplaced, UnplacedValue, mend, unplaced};

/// A hierarchy and the input from which it was read.
struct Source {
    spec: HierarchySpec,
    domain: Domain,
    editable: Editable,
    /// The values of P, then those of T.
    values: [Vec<String>; 2],
}

/// The hierarchy of a quasi-identifier, for editing.
///
/// # Errors
/// [`PipelineError::InputChanged`] if its file changed since loading.
pub fn editable(analysis: &Analysis, attribute: usize) -> Result<Editable, PipelineError> {
    Ok(source(analysis, attribute)?.editable)
}

/// The file of an edited hierarchy, and a proposed path for it. The path is in the folder of the
/// present file and does not exist yet.
///
/// # Errors
/// As [`editable`]; [`PipelineError::Edit`] if no format can express the hierarchy.
pub fn file(
    analysis: &Analysis,
    attribute: usize,
    edited: &Editable,
) -> Result<(Written, PathBuf), PipelineError> {
    let source = source(analysis, attribute)?;
    let written = source.to_file(edited)?;
    let name = free_name(&source.spec.path, written.ending);
    Ok((written, name))
}

fn source(analysis: &Analysis, attribute: usize) -> Result<Source, PipelineError> {
    let spec = spec(analysis, attribute);
    let changed = || PipelineError::changed(&spec.path);
    let known = analysis.inputs.iter().find(|input| input.path == spec.path);
    if known.is_none_or(|input| read::hash_file(&spec.path).ok().as_ref() != Some(&input.sha256)) {
        return Err(changed());
    }
    let bytes = hierarchies::read_file(&spec.path)?;
    let values = values_of(analysis, attribute);
    let [public, private] = &values;
    let domain = hierarchies::of_bytes(&spec, &bytes, held(public), held(private))?;
    let editable = Editable::read(&spec, &bytes, public, private)?;
    if domain.hierarchy != *analysis.problem.hierarchy(attribute) {
        return Err(changed());
    }
    Ok(Source { spec, domain, editable, values })
}

/// How the project reads the hierarchy of a quasi-identifier.
fn spec(analysis: &Analysis, attribute: usize) -> HierarchySpec {
    let quasi = analysis.project.quasi().nth(attribute);
    let (quasi_attribute, file) = quasi.expect("a quasi-identifier of this project");
    hierarchy_spec::spec_of(&analysis.project, quasi_attribute, file)
}

/// The values of P and of T, as they are read.
fn values_of(analysis: &Analysis, attribute: usize) -> [Vec<String>; 2] {
    let hierarchy = analysis.problem.hierarchy(attribute);
    let (mut public, mut private) = (Vec::new(), analysis.encoder.beyond(attribute));
    for (people, code) in analysis.problem.leaf_counts(attribute).iter().zip(0..) {
        if people.public > 0 {
            public.push(hierarchy.leaf(code).to_owned());
        }
        if people.private > 0 {
            private.push(hierarchy.leaf(code).to_owned());
        }
    }
    public.sort_unstable();
    private.sort_unstable();
    [public, private]
}

impl Source {
    fn to_file(&self, edited: &Editable) -> Result<Written, EditError> {
        let [public, private] = &self.values;
        edited.to_file(&self.spec, Some(&self.domain), held(public), held(private))
    }
}

/// Values without a table and column for messages.
fn held(texts: &[String]) -> Values<'_> {
    Values { held: Held::plain(Path::new(""), ""), texts }
}

/// A problem with another hierarchy of one quasi-identifier.
///
/// # Errors
/// [`EditError`] if the edited hierarchy lacks a leaf of the present one.
pub fn regrouped(problem: &Problem, attribute: usize, edited: &Editable) -> Result<Problem, EditError> {
    Ok(problem.with_hierarchy(attribute, edited.over(problem.hierarchy(attribute))?))
}

/// An unused path in the folder of a file: `zip-edited.toml`, `zip-edited-2.toml`.
fn free_name(path: &Path, ending: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // A hierarchy that was edited before keeps a single `-edited` in its name.
    let stem = stem.split("-edited").next().unwrap_or_default();
    let name = |nth: u32| match nth {
        1 => format!("{stem}-edited.{ending}"),
        nth => format!("{stem}-edited-{nth}.{ending}"),
    };
    let mut names = (1..).map(|nth| path.with_file_name(name(nth)));
    names.find(|name| name.symlink_metadata().is_err()).unwrap_or_else(|| path.with_file_name(name(1)))
}

impl From<EditError> for PipelineError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

/// The tables and columns with their names for messages.
fn held_in<'a>(table: &'a Path, column: &'a str, attribute: &'a Attribute, whose: Whose) -> Held<'a> {
    let keys = match whose {
        Whose::Public => "public.",
        Whose::Private => "private.",
    };
    Held { table, column, attribute: &attribute.name, reading: attribute.readings.of(whose), keys }
}

/// The error for a file that cannot be a hierarchy, with its name.
fn no_file(path: &Path, ending: &str) -> PipelineError {
    let detail = format!("a name ending in .{ending} is needed for what it says");
    DataError::hierarchy(path, None, detail).into()
}
