//! A proposal as text: the role of each column, the reasons, and the open questions.

use palmtop::model::Role;
use palmtop::proposal::{Ambiguity, Proposal, ProposedAttribute};

use palmtop_console::output::{OutputRows, shown};
use palmtop_console::say;

/// Every attribute with its role, kind, hierarchy and reasons, and the unused columns.
pub(super) fn table(proposal: &Proposal) -> String {
    let header = ["attribute", "role", "kind", "hierarchy"];
    let row = |attribute: &ProposedAttribute| {
        let hierarchy = attribute.hierarchy.as_ref().map(|hierarchy| hierarchy.source.describe());
        let kind = if attribute.role == Role::Quasi { attribute.kind.as_str() } else { "" };
        let role = attribute.role.as_str();
        vec![attribute.name.clone(), role.to_owned(), kind.to_owned(), hierarchy.unwrap_or_default()]
    };
    let rows = OutputRows {
        header: header.map(ToOwned::to_owned).to_vec(),
        lines: proposal.attributes.iter().map(row).collect(),
        numbers_from: header.len(),
    };
    let mut text = rows.to_table() + "\n";
    for attribute in &proposal.attributes {
        let mut why = attribute.reason.clone();
        if let Some(hierarchy) = &attribute.hierarchy {
            why = format!("{why}; hierarchy {}", hierarchy.reason);
        }
        let read = [("P", &attribute.readings.0), ("T", &attribute.readings.1)];
        let read = read.into_iter().filter(|(_, reading)| !reading.is_plain());
        let read: Vec<String> =
            read.map(|(table, reading)| format!("{table}: {}", reading.describe())).collect();
        if !read.is_empty() {
            why = format!("{why}; read {}", read.join(", "));
        }
        text.push_str(&format!("{}: {}\n", shown(&attribute.name), shown(&why)));
    }
    if let Some(count) = &proposal.count {
        text.push_str(&format!("{}: for how many people a row of P stands\n", shown(count)));
    }
    if let Some(member) = &proposal.member {
        text.push_str(&format!("{}: who is in T\n", shown(member)));
    }
    for (column, why) in &proposal.ignored {
        text.push_str(&format!("{}: not used, since {why}\n", shown(column)));
    }
    text + "\n"
}

/// Prints the ambiguities on stderr.
pub(super) fn say_ambiguities(proposal: &Proposal) {
    for ambiguity in &proposal.ambiguities {
        say::message(&format!("{}: {}", sentence(ambiguity), ambiguity.remedy));
    }
}

/// The sentence on an ambiguity, with the name of its attribute.
pub(super) fn sentence(ambiguity: &Ambiguity) -> String {
    match &ambiguity.attribute {
        Some(attribute) => format!("`{attribute}`: {}", ambiguity.what),
        None => ambiguity.what.clone(),
    }
}
