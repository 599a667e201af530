//! A proposal as text: the role of each column, the reasons, and the open questions.

use std::io::{self, IsTerminal};

use palmtop::model::Role;
use palmtop::proposal::{Ambiguity, Proposal, ProposedAttribute, UNREADABLE};

use palmtop::columns::Table;
use palmtop_console::output::{self, shown};
use palmtop_console::say;
use ratatui::crossterm::terminal;
use unicode_width::UnicodeWidthStr;

/// Every attribute with its role, kind, hierarchy and reasons, and the unused columns.
pub(super) fn table(proposal: &Proposal) -> String {
    let row = |attribute: &ProposedAttribute| {
        let hierarchy = attribute.hierarchy.as_ref().map(|hierarchy| hierarchy.source.describe());
        let kind = if attribute.role == Role::Quasi { attribute.kind.as_str() } else { "" };
        let role = attribute.role.as_str();
        [attribute.name.clone(), role.to_owned(), kind.to_owned(), hierarchy.unwrap_or_default()]
    };
    let rows = proposal.attributes.iter().map(row);
    let mut text =
        output::to_table(&Table::of_texts(["attribute", "role", "kind", "hierarchy"], rows)) + "\n";
    let width = io::stdout().is_terminal().then(line_width).flatten();
    for attribute in &proposal.attributes {
        let mut why = attribute.reason.clone();
        if let Some(hierarchy) = &attribute.hierarchy {
            why = format!("{why}; hierarchy {}", hierarchy.reason);
        }
        if let Some(limit) = &attribute.limit {
            why = format!("{why}; {}", limit.describe());
        }
        let read = [("P", &attribute.readings.0), ("T", &attribute.readings.1)];
        let read = read.into_iter().filter(|(_, reading)| !reading.is_plain());
        let read: Vec<String> =
            read.map(|(table, reading)| format!("{table}: {}", reading.describe())).collect();
        if !read.is_empty() {
            why = format!("{why}; read {}", read.join(", "));
        }
        text.push_str(&folded(&format!("{}: {}", shown(&attribute.name), shown(&why)), width));
    }
    if let Some(count) = &proposal.count {
        text.push_str(&format!("{}: for how many people a row of P stands\n", shown(count)));
    }
    if let Some(member) = &proposal.member {
        text.push_str(&format!("{}: who is in T\n", shown(member)));
    }
    for (column, why) in &proposal.ignored {
        text.push_str(&folded(&format!("{}: not used, since {why}", shown(column)), width));
    }
    for column in &proposal.unreadable {
        text.push_str(&folded(&format!("{}: not used: {UNREADABLE}", shown(column)), width));
    }
    text + "\n"
}

/// Prints the ambiguities on stderr.
pub(super) fn say_ambiguities(proposal: &Proposal) {
    let width = io::stderr().is_terminal().then(line_width).flatten();
    for ambiguity in &proposal.ambiguities {
        let sentence = sentence(ambiguity);
        let text = format!("palmtop: {sentence}: {}", ambiguity.remedy);
        say::question(ambiguity.attribute.as_deref(), (&sentence, &ambiguity.remedy), &folded(&text, width));
    }
}

/// Prints on stderr what of a project of another program differs or is not carried over.
pub(super) fn say_notes(proposal: &Proposal) {
    let width = io::stderr().is_terminal().then(line_width).flatten();
    for note in proposal.declared.iter().flat_map(|declared| &declared.notes) {
        say::folded(note, &folded(&format!("palmtop: {note}"), width));
    }
}

/// The width of the terminal.
fn line_width() -> Option<usize> {
    terminal::size().ok().map(|(width, _)| usize::from(width)).filter(|width| *width > 0)
}

/// Breaks a line between words, so that a terminal of this width breaks no word; later lines are indented.
fn folded(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return format!("{text}\n") };
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.width() > width {
            lines.push_str("\n ");
            used = 1;
        }
        if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += word.width();
    }
    lines + "\n"
}

/// The sentence on an ambiguity as lines of the terminal.
pub(super) fn question(ambiguity: &Ambiguity) -> String {
    folded(&sentence(ambiguity), line_width())
}

/// The sentence on an ambiguity, with the name of its attribute.
fn sentence(ambiguity: &Ambiguity) -> String {
    match &ambiguity.attribute {
        Some(attribute) => format!("`{attribute}`: {}", ambiguity.what),
        None => ambiguity.what.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn a_line_is_broken_between_words_only() {
        let text = "zip: both tables have it, so an attacker finds people by it";
        let lines = folded(text, Some(24));
        assert!(lines.lines().all(|line| line.chars().count() <= 24), "{lines}");
        assert_eq!(lines.split_whitespace().collect::<Vec<_>>(), text.split(' ').collect::<Vec<_>>());
        assert_eq!(folded(text, None), format!("{text}\n"));
        assert_eq!(folded("unbreakable", Some(5)), "unbreakable\n");
    }
}
