//! Finds all values that a hierarchy lacks, with their people and the nearest label. Also saves
//! hierarchies in which these values have a label.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::save::{SavedHierarchy, save_file};
use super::{free_name, held_in};
use crate::pipeline::PipelineError;
use crate::pipeline::read::hierarchy_spec;
use crate::pipeline::read::stage::{LoadObserver, LoadStage};
use crate::pipeline::read::tables::Tables;
use palmtop_core::progress::Progress;
use palmtop_project::Project;
use palmtop_tables::encode::Whose;
use palmtop_tables::hierarchies::edit::{EditError, Editable};
use palmtop_tables::hierarchies::{self, HierarchySpec, Values};

/// The nearest label is searched for at most this many values of an attribute, those of most
/// people.
const MOST_NEAREST: usize = 500;

/// A quasi-identifier with values that its hierarchy lacks.
#[derive(Clone, Debug)]
pub struct Unplaced {
    /// The name of the attribute.
    pub attribute: String,
    /// The path of its hierarchy.
    pub path: PathBuf,
    /// The hierarchy without these values.
    pub editable: Editable,
    /// The values, those of most people first.
    pub values: Vec<UnplacedValue>,
    /// Whether people have several rows. Then the numbers of `values` are rows.
    pub counts_rows: bool,
    spec: HierarchySpec,
    /// The values of P and of T, each with the table and the column.
    held: [(PathBuf, String, Vec<String>); 2],
    /// The files of the tables and of the project.
    inputs: Vec<PathBuf>,
}

/// A value that the hierarchy lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnplacedValue {
    /// The text of the value.
    pub text: String,
    /// The number of people of P with the value. If it is finer than P's values, or if P lacks it,
    /// this is the number of members of T.
    pub people: u64,
    /// Whether only T has the value.
    pub is_of_private: bool,
    /// Whether the value is finer than the values of P. Then its parent must be one of P's values.
    pub is_finer: bool,
    /// The nearest label, if one was found.
    pub nearest: Option<String>,
}

/// A hierarchy to which values were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The name of the attribute.
    pub attribute: String,
    /// The saved hierarchy.
    pub saved: SavedHierarchy,
}

/// All values of a project's tables that a hierarchy lacks: one entry for each quasi-identifier
/// with such values.
///
/// # Errors
/// A [`PipelineError`] if the project, a table or a hierarchy cannot be read.
pub fn unplaced(project: &Path, observer: &mut LoadObserver) -> Result<Vec<Unplaced>, PipelineError> {
    let project = Project::read(project)?;
    let mut opening = |_| observer(Progress { stage: LoadStage::Project, done: 0, total: 1 });
    let tables = Tables::open(&project, &mut opening)?;
    tables.check_roles()?;
    let (public, private, _) = tables.tally(observer)?;
    let mut found = Vec::new();
    for (index, (attribute, file)) in project.quasi().enumerate() {
        let spec = hierarchy_spec::spec_of(&project, attribute, file);
        let bytes = hierarchies::read_file(&spec.path)?;
        let of_public = public.distinct(index);
        let of_private = private.as_ref().map_or_else(Vec::new, |private| private.distinct(index));
        let editable = Editable::read(&spec, &bytes, &of_public, &of_private)?;
        let mut values: BTreeMap<String, UnplacedValue> = BTreeMap::new();
        let mut add = |text: &String, is_of_private: bool, people: u64| {
            let is_finer = is_of_private && editable.base().0 > 0;
            values.entry(text.clone()).or_insert_with(|| UnplacedValue {
                text: text.clone(),
                people,
                is_of_private,
                is_finer,
                nearest: None,
            });
        };
        for text in editable.lacking(&of_public, false) {
            add(text, false, public.position(&tables.public, index, text).people);
        }
        if let Some(private) = &private {
            for text in editable.lacking(&of_private, true) {
                add(text, true, private.position(&tables.private, index, text).people);
            }
        }
        let mut values: Vec<UnplacedValue> = values.into_values().collect();
        if values.is_empty() {
            continue;
        }
        values.sort_by(|left, right| right.people.cmp(&left.people).then_with(|| left.text.cmp(&right.text)));
        for value in values.iter_mut().take(MOST_NEAREST) {
            value.nearest = editable.nearest(&value.text, value.is_finer).map(ToOwned::to_owned);
        }
        let (public_path, private_path) = (tables.public.path().to_owned(), tables.private.path().to_owned());
        let column = project.private_column(attribute).to_owned();
        let of_private = if private.is_some() { of_private } else { of_public.clone() };
        let read = public.files.iter().chain(private.iter().flat_map(|private| &private.files));
        let hierarchies = project.quasi().map(|(_, file)| file.path.clone());
        found.push(Unplaced {
            attribute: attribute.name.clone(),
            path: spec.path.clone(),
            editable,
            values,
            counts_rows: project.entity().is_some(),
            spec,
            held: [
                (public_path, attribute.public_column.clone(), of_public),
                (private_path, column, of_private),
            ],
            inputs: read.map(|file| file.path.clone()).chain(hierarchies).collect(),
        });
    }
    Ok(found)
}

impl Unplaced {
    /// The hierarchy with each of these values under the given label.
    ///
    /// # Errors
    /// [`EditError`], with the value that cannot have the label.
    pub fn placed(&self, places: &[(UnplacedValue, String)]) -> Result<Editable, EditError> {
        let places =
            places.iter().map(|(value, under)| (value.text.as_str(), under.as_str(), value.is_finer));
        self.editable.with_places(places)
    }
}

/// Saves hierarchies to which values were added. Each gets a new file in the folder of the old one,
/// and the project names the new file.
///
/// # Errors
/// A [`PipelineError`]. The hierarchies before the failed one are saved.
pub fn mend(project: &Path, mended: &[(&Unplaced, Editable)]) -> Result<Vec<Mended>, PipelineError> {
    let read = Project::read(project)?;
    let mut done = Vec::new();
    for (unplaced, editable) in mended {
        let found = read.quasi().find(|(attribute, _)| attribute.name == unplaced.attribute);
        let Some((attribute, _)) = found else { continue };
        let [(public_table, public_column, public), (private_table, private_column, private)] =
            &unplaced.held;
        let public_held = held_in(public_table, public_column, attribute, Whose::Public);
        let private_held = held_in(private_table, private_column, attribute, Whose::Private);
        let written = editable.to_file(
            &unplaced.spec,
            None,
            Values { held: public_held, texts: public },
            Values { held: private_held, texts: private },
        )?;
        let target = free_name(&unplaced.path, written.ending);
        let inputs = unplaced.inputs.iter().map(PathBuf::as_path);
        let saved = save_file(project, &unplaced.attribute, &written, &target, inputs, &[])?;
        done.push(Mended { attribute: unplaced.attribute.clone(), saved });
    }
    Ok(done)
}
