//! The attributes of T that are published at a coarser level.

use std::path::Path;

use palmtop::keys;
use palmtop::model::Level;
use palmtop::project::Attribute;
use palmtop_console::output;
use serde::Serialize;

keys! {
/// The published level of an attribute that only T has.
#[derive(Serialize)]
pub(super) struct PublishedLevel {
    /// The attribute.
    attribute: String,
    /// The published level.
    level: u8,
    /// The highest level.
    top: u8,
    /// The file of the hierarchy.
    hierarchy: String,
}
}

impl PublishedLevel {
    /// Lists the attributes that are published at a coarser level.
    pub(super) fn list<'a>(published: impl Iterator<Item = (&'a Attribute, Level)>) -> Vec<Self> {
        let listed = published.map(|(attribute, top)| Self {
            attribute: attribute.name.clone(),
            level: attribute.publish.0,
            top: top.0,
            hierarchy: attribute.value_tree.as_deref().map(file_name).unwrap_or_default(),
        });
        listed.collect()
    }

    /// A line of the output for each attribute.
    pub(super) fn lines(published: &[Self]) -> String {
        let line = |Self { attribute, level, top, hierarchy }: &Self| {
            let (attribute, hierarchy) = (output::shown(attribute), output::shown(hierarchy));
            format!("published `{attribute}`: at level {level} of {hierarchy}, whose levels are 0 to {top}\n")
        };
        published.iter().map(line).collect()
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
