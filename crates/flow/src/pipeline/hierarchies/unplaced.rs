//! Values that lack a place in a hierarchy, all of them, with their people and the label that is nearest; and the hierarchies
//! in which they have one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::PipelineError;
use super::super::stage::{LoadObserver, LoadStage};
use super::super::tables::Tables;
use super::save::{SavedHierarchy, save_file};
use super::{free_name, held_in};
use crate::project::Project;
use palmtop_core::progress::Progress;
use palmtop_tables::encode::Whose;
use palmtop_tables::hierarchies::edit::{EditError, Editable};
use palmtop_tables::hierarchies::{self, HierarchySpec, Values};

/// For so many values of an attribute at most the nearest label is looked for, those of most people.
const MOST_NEAREST: usize = 500;

/// A quasi-identifier with values that lack a place.
#[derive(Clone, Debug)]
pub struct Unplaced {
    /// The attribute.
    pub attribute: String,
    /// Its hierarchy.
    pub path: PathBuf,
    /// The hierarchy without them.
    pub editable: Editable,
    /// The values, those of most people first.
    pub values: Vec<UnplacedValue>,
    spec: HierarchySpec,
    /// P's values and T's, each with the table and the column.
    held: [(PathBuf, String, Vec<String>); 2],
    /// The files that the tables and the project are made of.
    inputs: Vec<PathBuf>,
}

/// A value that lacks a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnplacedValue {
    /// The value.
    pub text: String,
    /// How many people of P have it; of T, where it is finer than P's values or P has it not.
    pub people: u64,
    /// Whether only T has it.
    pub is_of_private: bool,
    /// Whether it is finer than the values of P, so that its place is one of these.
    pub is_finer: bool,
    /// The label that is nearest.
    pub nearest: Option<String>,
}

/// A hierarchy in which values were given a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The attribute.
    pub attribute: String,
    /// What was saved.
    pub saved: SavedHierarchy,
}

/// Every value of a project's tables that lacks a place in its hierarchy, an entry each quasi-identifier that has some.
///
/// # Errors
/// A [`PipelineError`] where the project, a table or a hierarchy cannot be read.
pub fn unplaced(project: &Path, observer: &mut LoadObserver) -> Result<Vec<Unplaced>, PipelineError> {
    let project = Project::read(project)?;
    let mut opening = |_| observer(Progress { stage: LoadStage::Project, done: 0, total: 1 });
    let tables = Tables::open(&project, &mut opening)?;
    tables.check_roles()?;
    let (public, private, _) = tables.tally(observer)?;
    let mut found = Vec::new();
    for (place, (attribute, file)) in project.quasi().enumerate() {
        let spec = super::spec_of(&project, attribute, file);
        let bytes = hierarchies::read_file(&spec.path)?;
        let of_public = public.distinct(place);
        let of_private = private.as_ref().map_or_else(Vec::new, |private| private.distinct(place));
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
            add(text, false, public.place_of(&tables.public, place, text).people);
        }
        if let Some(private) = &private {
            for text in editable.lacking(&of_private, true) {
                add(text, true, private.place_of(&tables.private, place, text).people);
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
    /// The hierarchy in which these values lie in these labels.
    ///
    /// # Errors
    /// [`EditError`], with the value that cannot lie there.
    pub fn placed(&self, places: &[(UnplacedValue, String)]) -> Result<Editable, EditError> {
        let places =
            places.iter().map(|(value, under)| (value.text.as_str(), under.as_str(), value.is_finer));
        self.editable.with_places(places)
    }
}

/// Saves hierarchies in which values have a place now, each to a new file beside the old one, and lets the project name them.
///
/// # Errors
/// A [`PipelineError`]; hierarchies before the one that failed are saved.
pub fn mend(project: &Path, mended: &[(&Unplaced, Editable)]) -> Result<Vec<Mended>, PipelineError> {
    let read = Project::read(project)?;
    let mut done = Vec::new();
    for (unplaced, editable) in mended {
        let own = read.quasi().find(|(attribute, _)| attribute.name == unplaced.attribute);
        let Some((attribute, _)) = own else { continue };
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
