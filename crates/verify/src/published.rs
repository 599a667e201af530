//! Columns that only T has and that a release has at a level of a hierarchy, recounted: the label that must stand in place of each text.

use std::collections::BTreeMap;

use super::error::VerifyError;
use super::hierarchy::{Held, Hierarchy, HierarchySource, Whole};
use super::layout::Layout;
use super::tally::Tally;
use super::{AttributeSpec, VerifySpec};
use palmtop_terms::Level;

/// What a release has of an attribute of T alone that has a hierarchy.
#[derive(Debug)]
pub(super) struct Coarsened {
    /// The attribute.
    pub(super) attribute: String,
    /// Of each label, or each value that is published as it is, the numbers of the labels above it up to the top, its own first.
    pub(super) chains: BTreeMap<String, Vec<u32>>,
}

/// Reads the hierarchies of attributes of T alone, and puts the labels that a release must have in place of T's texts.
pub(super) fn coarsen(
    spec: &VerifySpec,
    layout: &Layout,
    private: &mut Tally,
) -> Result<Vec<Coarsened>, VerifyError> {
    let has_one = |own: &&AttributeSpec| own.role.is_kept() && own.hierarchy.is_some();
    let attributes = spec.attributes.iter().filter(has_one);
    attributes.map(|attribute| coarsen_column(attribute, layout, private)).collect()
}

fn coarsen_column(
    attribute: &AttributeSpec,
    layout: &Layout,
    private: &mut Tally,
) -> Result<Coarsened, VerifyError> {
    let no_hierarchy = || VerifyError::NoHierarchy { attribute: attribute.name.clone() };
    let column = layout.private_column(attribute);
    let place = layout.kept_place(column).ok_or_else(no_hierarchy)?;
    let source = attribute.hierarchy.as_ref().ok_or_else(no_hierarchy)?;
    let table = &layout.private().path;
    let (spelling, writing) = (&attribute.spelling, &attribute.spelling.private);
    // What is published as it is, is not read.
    let is_coarser = attribute.publish > Level(0);
    if is_coarser && !spelling.is_plain(writing) {
        private.spell(place, |text| spelling.value(writing, text)).map_err(|(value, expected)| {
            VerifyError::Misspelt { table: table.clone(), column: column.to_owned(), value, expected }
        })?;
    }
    let values = private.distinct(place);
    let held = Held { table, column, texts: &values };
    let whole =
        Whole { missing: spelling.missing_label.as_deref(), at_top: spelling.missing_at_top, adds: false };
    let hierarchy = Hierarchy::read(source, &whole, held, held)?;
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
    let spelt = private.spell(place, |value| {
        labels.get(value).cloned().ok_or_else(|| format!("a value of {}", source.path.display()))
    });
    spelt.map_err(|(value, expected)| VerifyError::Misspelt {
        table: table.clone(),
        column: column.to_owned(),
        value,
        expected,
    })?;
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
    Err(VerifyError::Hierarchy {
        path: source.path.clone(),
        line: None,
        detail: format!(
            "attribute `{}` is published at level {level} (`publish`), but its levels are 0 to {top}; correct the project",
            attribute.name
        ),
    })
}
