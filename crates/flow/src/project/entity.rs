//! `role = "entity"`: the identifier that shows which rows belong to one person, and the settings that it excludes.

use super::{Project, PublicTable};
use palmtop_tables::join::OutsiderRule;

/// Refuses settings that do not work if people have several rows.
pub(super) fn check(project: &Project) -> Result<(), String> {
    let mut entities = project.attributes.iter().filter(|attribute| attribute.is_entity);
    let Some(entity) = entities.next() else { return Ok(()) };
    let name = &entity.name;
    if let Some(other) = entities.next() {
        return Err(format!(
            "`{name}` and `{}` both have `role = \"entity\"`, but a row belongs to one person; make one of them `role = \"identifier\"` with \
             `repeats = true`",
            other.name
        ));
    }
    let PublicTable { count, sample_of, .. } = &project.public;
    let outsiders = &project.outsiders;
    let refused = [
        (
            count.is_some(),
            "`count` does not show which rows belong to one person; remove `count`, or give P one row for each person",
        ),
        (
            sample_of.is_some(),
            "estimates from a sample (`sample_of`) count rows, not people; remove one of them",
        ),
        (
            project.prior.is_some(),
            "a prior is a probability for a row, not for a person with several rows; remove the prior",
        ),
        (
            *outsiders != OutsiderRule::Refuse,
            "a person with different rows in T and P can be neither dropped nor added; remove `not_in_public`",
        ),
        (
            !project.suppression.is_none(),
            "no search withdraws people with several rows; remove `suppress_at_most` of [policy]",
        ),
    ];
    match refused.iter().find(|(is_set, _)| *is_set) {
        Some((_, why)) => Err(format!("`{name}` has `role = \"entity\"`, but {why}")),
        None => Ok(()),
    }
}
