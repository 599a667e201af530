//! The columns that only T has and that a release has coarser, with their published labels.

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::pipeline::PipelineError;
use palmtop_core::model::Level;
use palmtop_core::progress::Meter;
use palmtop_project::{Attribute, Project};
use palmtop_tables::error::DataError;
use palmtop_tables::hierarchies::{self, Domain, HierarchySpec, Values};
use palmtop_tables::read::{ReadFile, Table};
use palmtop_tables::reading::Reading;
use palmtop_tables::refused::Held;
use palmtop_tables::tally::TallySpec;

/// The columns of T that a release has coarser than T.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct PublishedColumns {
    columns: Vec<PublishedColumn>,
}

/// A column of T that a release has at a level of its hierarchy.
#[derive(Debug)]
pub(in crate::pipeline) struct PublishedColumn {
    name: String,
    /// The published label of each text of T.
    pub(in crate::pipeline) labels: FxHashMap<String, String>,
    /// The coarsest level of the hierarchy.
    pub(in crate::pipeline) top: Level,
}

/// Maps the texts of one column of T to published texts.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline) struct Publisher<'a>(pub(in crate::pipeline) Option<&'a PublishedColumn>);

impl<'a> Publisher<'a> {
    /// The published text for a text of T; `None` if the loaded T did not have this text.
    pub(in crate::pipeline) fn text<'t>(self, text: &'t str) -> Option<&'t str>
    where
        'a: 't,
    {
        match self.0 {
            None => Some(text),
            Some(column) => column.labels.get(text).map(String::as_str),
        }
    }
}

/// The hierarchy of an attribute that only T has, from a level upwards. If the texts are published
/// unchanged, no text denotes a missing value.
pub(in crate::pipeline) fn spec(attribute: &Attribute, level: Level) -> Option<HierarchySpec> {
    let readings = &attribute.readings;
    let is_coarser = attribute.publish > Level(0);
    attribute.value_tree.clone().map(|path| HierarchySpec {
        missing_label: readings.private.missing_label.clone().filter(|_| is_coarser),
        missing_at_top: is_coarser && readings.missing_at_top,
        ..HierarchySpec::of(path, None, level)
    })
}

/// A column of T that has a hierarchy, and how its texts are read. Texts that are published
/// unchanged are read literally.
fn held<'a>(project: &'a Project, attribute: &'a Attribute, table: &'a Path) -> Held<'a> {
    static PLAIN: Reading = Reading::PLAIN;
    let is_coarser = attribute.publish > Level(0);
    let reading = if is_coarser { &attribute.readings.private } else { &PLAIN };
    let column = project.private_column(attribute);
    Held { table, column, attribute: &attribute.name, reading, keys: "" }
}

impl PublishedColumns {
    /// Reads the hierarchies of attributes that only T has, and T's texts of these columns. T is
    /// read once more if there are such attributes. Also returns the files of T that were read.
    pub(in crate::pipeline) fn read(
        table: &Table,
        project: &Project,
        meter: &mut Meter,
    ) -> Result<(Self, Vec<ReadFile>), PipelineError> {
        let attributes: Vec<&Attribute> =
            project.attributes.iter().filter(|attribute| attribute.value_tree.is_some()).collect();
        if attributes.is_empty() {
            return Ok((Self::default(), Vec::new()));
        }
        let held: Vec<Held> =
            attributes.iter().map(|attribute| held(project, attribute, table.path())).collect();
        let columns = held.iter().map(|held| held.column).collect();
        let mut tally = table.tally(&TallySpec { quasi: columns, ..TallySpec::default() }, meter)?;
        tally.read(table, &held)?;
        let mut columns = Vec::new();
        let mut wrong = Vec::new();
        for (nth, (attribute, held)) in attributes.iter().zip(&held).enumerate() {
            let values = tally.distinct(nth);
            match domain(attribute, Values { held: *held, texts: &values }) {
                Err(error) => {
                    let position = |_: &Path, _: &str, value: &str| Some(tally.position(table, nth, value));
                    wrong.push(Err(error.with_positions(&position)));
                }
                Ok(domain) if attribute.publish > Level(0) => columns.push(PublishedColumn {
                    name: held.column.to_owned(),
                    labels: labels(&domain, attribute.publish, tally.readings(nth)),
                    top: domain.hierarchy.top(),
                }),
                Ok(_) => {}
            }
        }
        DataError::all(wrong)?;
        Ok((Self { columns }, tally.files))
    }

    /// The column of this name, if a release has it coarser.
    pub(in crate::pipeline) fn of(&self, column: &str) -> Option<&PublishedColumn> {
        self.columns.iter().find(|known| known.name == column)
    }
}

/// The hierarchy of an attribute over T's values. It must have the published level.
fn domain(attribute: &Attribute, values: Values) -> Result<Domain, DataError> {
    let spec = spec(attribute, Level(0)).ok_or_else(|| {
        let detail = format!("`{}` has no hierarchy; name one", attribute.name);
        DataError::hierarchy(values.held.table, None, detail)
    })?;
    let domain = hierarchies::read(&spec, values, values)?;
    let top = domain.hierarchy.top();
    if attribute.publish > top {
        let detail = format!(
            "`publish = {}` of attribute `{}`, but its levels are 0 to {top}; correct the project",
            attribute.publish, attribute.name
        );
        return Err(DataError::hierarchy(&spec.path, None, detail));
    }
    Ok(domain)
}

/// The label of each text, by the value that the text denotes.
fn labels<'t>(
    domain: &Domain,
    level: Level,
    pairs: impl Iterator<Item = (&'t str, &'t str)>,
) -> FxHashMap<String, String> {
    let (of_leaves, texts) = (domain.hierarchy.labels_of(level), domain.hierarchy.labels(level));
    let label = |(text, value): (&str, &str)| {
        let label = of_leaves[domain.code(value)? as usize];
        Some((text.to_owned(), texts[label as usize].to_owned()))
    };
    pairs.filter_map(label).collect()
}
