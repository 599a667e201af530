//! The further effects of a decision.

use palmtop_proposal::{Proposal, ProposedAttribute};

/// The attributes whose proposal changed, each with the changed parts.
pub(super) fn changes(before: &Proposal, now: &Proposal) -> Vec<(String, String)> {
    let of = |attribute: &ProposedAttribute| {
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
        (!changed.is_empty()).then(|| (attribute.name.clone(), changed.join(" and ")))
    };
    now.attributes.iter().filter_map(of).collect()
}

/// The changes in a sentence.
pub(super) fn sentence(before: &Proposal, now: &Proposal) -> String {
    let mut parts: Vec<String> =
        changes(before, now).into_iter().map(|(name, sides)| format!("{name}: {sides}")).collect();
    let settings = [
        ("the count of people", before.count != now.count),
        ("members of T", before.member != now.member),
        ("members that P lacks", before.not_in_public != now.not_in_public),
        ("δmax", before.delta != now.delta),
    ];
    parts.extend(settings.into_iter().filter(|(_, is)| *is).map(|(what, _)| what.to_owned()));
    let settled = before.ambiguities.len().saturating_sub(now.ambiguities.len());
    if parts.is_empty() {
        return if settled > 0 {
            "settled: it stays as proposed".to_owned()
        } else {
            "nothing changed".to_owned()
        };
    }
    format!("changed: {}", parts.join(", "))
}
