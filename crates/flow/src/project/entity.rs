//! `role = "entity"`: the identifier that shows which rows belong to one person.

use super::Project;

/// Refuses a second entity.
pub(super) fn check(project: &Project) -> Result<(), String> {
    let mut entities = project.attributes.iter().filter(|attribute| attribute.is_entity);
    match (entities.next(), entities.next()) {
        (Some(entity), Some(other)) => Err(format!(
            "`{}` and `{}` both have `role = \"entity\"`, but a row belongs to one person; make one of them `role = \"identifier\"` with \
             `repeats = true`",
            entity.name, other.name
        )),
        _ => Ok(()),
    }
}
