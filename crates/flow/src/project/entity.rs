//! `role = "entity"`: the identifier by which both tables say which rows are one person's, and what does not go with it.

use super::{Project, PublicTable};
use palmtop_tables::join::OutsiderRule;

/// Refuses what cannot be counted in people who have several rows.
pub(super) fn check(project: &Project) -> Result<(), String> {
    let mut entities = project.attributes.iter().filter(|attribute| attribute.is_entity);
    let Some(own) = entities.next() else { return Ok(()) };
    let name = &own.name;
    if let Some(other) = entities.next() {
        return Err(format!(
            "`{name}` and `{}` both have `role = \"entity\"`, but a row is of one person; make one of them `role = \"identifier\"` with \
             `repeats = true`",
            other.name
        ));
    }
    let PublicTable { count, sample_of, .. } = &project.public;
    let outsiders = &project.outsiders;
    let refused = [
        (
            count.is_some(),
            "a row of P that stands for several people (`count`) does not say whose rows are one person's; leave out `count`, or give P a \
             row for each",
        ),
        (
            sample_of.is_some(),
            "of a P that is a sample (`sample_of`) estimates are made by rows; leave out one of them",
        ),
        (
            project.prior.is_some(),
            "a prior is of rows and not of people who have several; leave out the prior",
        ),
        (
            *outsiders != OutsiderRule::Refuse,
            "who has other rows in T than in P can be neither left out nor added (`not_in_public`); leave it out",
        ),
        (
            !project.suppression.is_none(),
            "[policy]: no search withdraws people who have several rows (`suppress_at_most`); leave it out",
        ),
    ];
    match refused.iter().find(|(is_so, _)| *is_so) {
        Some((_, why)) => Err(format!("`{name}` has `role = \"entity\"`, and {why}")),
        None => Ok(()),
    }
}
