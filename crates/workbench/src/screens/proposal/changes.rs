//! What a decision changed.

use palmtop_proposal::{Proposal, ProposedAttribute};

/// The changed parts of an attribute; none if it is as it was.
fn change(before: &Proposal, attribute: &ProposedAttribute) -> Option<String> {
    let old = before.attributes.iter().find(|old| old.name == attribute.name)?;
    let hierarchy = |attribute: &ProposedAttribute| {
        attribute.hierarchy.as_ref().map(|hierarchy| hierarchy.source.clone())
    };
    let limit = |attribute: &ProposedAttribute| attribute.limit.as_ref().map(|own| own.limit);
    let sides = [
        ("role", old.role != attribute.role),
        ("column of P", old.public_column != attribute.public_column),
        ("values", old.kind != attribute.kind),
        ("form", old.readings != attribute.readings),
        ("hierarchy", hierarchy(old) != hierarchy(attribute)),
        ("limit", limit(old) != limit(attribute)),
    ];
    let changed: Vec<&str> = sides.iter().filter(|(_, is)| *is).map(|(side, _)| *side).collect();
    (!changed.is_empty()).then(|| format!("{}: {}", attribute.name, changed.join(" and ")))
}

/// The changes in a sentence; blank if all is as it was.
pub(super) fn sentence(before: &Proposal, now: &Proposal) -> String {
    let mut parts: Vec<String> =
        now.attributes.iter().filter_map(|attribute| change(before, attribute)).collect();
    let settings = [
        ("the count of people", before.count != now.count),
        ("members of T", before.member != now.member),
        ("members that P lacks", before.not_in_public != now.not_in_public),
        ("δmax", before.delta != now.delta),
    ];
    parts.extend(settings.into_iter().filter(|(_, is)| *is).map(|(what, _)| what.to_owned()));
    if parts.is_empty() { String::new() } else { format!("changed: {}", parts.join(", ")) }
}
