//! How a project reads the hierarchy of a quasi-identifier.

use palmtop_project::{Attribute, HierarchyFile, Project};
use palmtop_tables::hierarchies::HierarchySpec;
use palmtop_tables::join::OutsiderRule;

/// How the project reads the hierarchy of a quasi-identifier.
pub(in crate::pipeline) fn spec_of(
    project: &Project,
    attribute: &Attribute,
    file: &HierarchyFile,
) -> HierarchySpec {
    HierarchySpec {
        path: file.path.clone(),
        kind: file.kind,
        base: file.public_level,
        missing_label: attribute.readings.missing_label().map(ToOwned::to_owned),
        missing_at_top: attribute.readings.missing_at_top,
        adds: project.outsiders == OutsiderRule::Add,
    }
}
