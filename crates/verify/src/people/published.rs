//! Replaces the values of attributes of T only by the labels that a release must have, if they are published coarser.

use std::collections::BTreeMap;

use super::count::Tally;
use super::layout::Layout;
use super::settings::AttributeSpec;
use crate::labels::{ColumnValues, Hierarchy, HierarchySource, ValueRules};
use crate::problems::VerifyError;
use palmtop_terms::Level;

/// An attribute of T only that has a hierarchy.
#[derive(Debug)]
pub(crate) struct Coarsened {
    /// The name of the attribute.
    pub(crate) attribute: String,
    /// For each published text: the numbers of its labels from the published level to the top.
    pub(crate) chains: BTreeMap<String, Vec<u32>>,
}

/// Reads the hierarchies of attributes of T only, and replaces T's texts by the labels that a release must have.
pub(crate) fn coarsen(layout: &Layout, private: &mut Tally) -> Result<Vec<Coarsened>, VerifyError> {
    let has_hierarchy =
        |attribute: &&AttributeSpec| attribute.role.is_kept() && attribute.hierarchy.is_some();
    let attributes = layout.attributes.iter().filter(has_hierarchy);
    attributes.map(|attribute| coarsen_column(attribute, layout, private)).collect()
}

fn coarsen_column(
    attribute: &AttributeSpec,
    layout: &Layout,
    private: &mut Tally,
) -> Result<Coarsened, VerifyError> {
    let no_hierarchy = || VerifyError::no_hierarchy(&attribute.name);
    let column = layout.private_column(attribute);
    let index = layout.kept_index(column).ok_or_else(no_hierarchy)?;
    let source = attribute.hierarchy.as_ref().ok_or_else(no_hierarchy)?;
    let table = &layout.private().path;
    let (spelling, writing) = (&attribute.spelling, &attribute.spelling.private);
    // Values that are published unchanged need no conversion.
    let is_coarser = attribute.publish > Level(0);
    if is_coarser && !spelling.is_plain(writing) {
        let spelt = private.spell(index, |text| spelling.value(writing, text));
        spelt.map_err(|(value, expected)| VerifyError::misspelt(table, column, &value, expected))?;
    }
    let values = private.distinct(index);
    let values_of_column = ColumnValues { table, column, texts: &values };
    let rules = ValueRules {
        missing_label: spelling.missing_label.as_deref(),
        missing_at_top: spelling.missing_at_top,
        adds_private: false,
    };
    let hierarchy = Hierarchy::read(source, &rules, values_of_column, values_of_column)?;
    check_level(attribute, source, &hierarchy)?;
    let mut chains = BTreeMap::new();
    let mut labels: BTreeMap<&str, String> = BTreeMap::new();
    for value in &values {
        let Some(leaf) = hierarchy.leaf(value) else { continue };
        let label = hierarchy.label_of(leaf, attribute.publish).to_owned();
        let above = hierarchy.label_numbers(leaf).split_off(usize::from(attribute.publish.0));
        chains.insert(label.clone(), above);
        labels.insert(value, label);
    }
    let spelt = private.spell(index, |value| {
        labels.get(value).cloned().ok_or_else(|| format!("a value of {}", source.path.display()))
    });
    spelt.map_err(|(value, expected)| VerifyError::misspelt(table, column, &value, expected))?;
    Ok(Coarsened { attribute: attribute.name.clone(), chains })
}

/// Refuses a level that a hierarchy does not have.
fn check_level(
    attribute: &AttributeSpec,
    source: &HierarchySource,
    hierarchy: &Hierarchy,
) -> Result<(), VerifyError> {
    let (level, top) = (attribute.publish, hierarchy.top());
    if level <= top {
        return Ok(());
    }
    let detail = format!(
        "attribute `{}` has `publish = {level}`, but the hierarchy has levels 0 to {top}; correct the project",
        attribute.name
    );
    Err(VerifyError::hierarchy(&source.path, None, detail))
}
