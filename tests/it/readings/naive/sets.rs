//! The texts of sets and ranges: what each of them denotes, and the only text of a set.

use std::collections::BTreeSet;

use super::{Kind, Quasi, Refusal, meaning};

type Set = BTreeSet<String>;

/// The leaves that a released text denotes: those of a label, of a range, or of a set.
pub(super) fn denoted(quasi: &Quasi, text: &str) -> Result<Set, Refusal> {
    let meant = quasi.meaning(text).or_else(|| match quasi.kind {
        Kind::Category => set(quasi, text),
        Kind::Number | Kind::Date => meaning::denoted(quasi, text),
    });
    meant.ok_or_else(|| Refusal(format!("{}: {text:?} denotes nothing", quasi.name)))
}

/// Whether the distinct texts of a column keep the limits of its quasi-identifier.
pub(super) fn keeps_limits(quasi: &Quasi, column: &[&str]) -> bool {
    let most = quasi.terms.unwrap_or(usize::MAX);
    let is_short = |text: &&str| {
        let is_label = quasi.meaning(text).is_some();
        is_label || (most > 1 && (quasi.kind != Kind::Category || terms(text) <= most))
    };
    let is_of = |text: &str, level: usize| {
        quasi.leaves.iter().any(|leaf| quasi.labels[leaf][level - quasi.base] == text)
    };
    let all = quasi.base..=quasi.top();
    let is_node = all.clone().any(|level| column.iter().all(|text| is_of(text, level)));
    let is_fine = |text: &&str| {
        let mut coarse = all.clone().filter(|&level| Some(level) >= quasi.borders);
        quasi.meaning(text).is_none() || coarse.any(|level| is_of(text, level))
    };
    column.iter().all(is_short) && (is_node || column.iter().all(is_fine))
}

/// The number of terms of a set.
fn terms(text: &str) -> usize {
    parts(text).map_or(1, |(around, members)| members.len() + usize::from(around.is_some()))
}

/// The leaves of `low, high`, both included. If a leaf contains a comma, all readings have to
/// agree.
pub(super) fn range(quasi: &Quasi, inner: &str) -> Option<Set> {
    let place = |leaf: &str| quasi.leaves.iter().position(|own| own == leaf);
    let mut found: Option<Set> = None;
    for (comma, separator) in inner.match_indices(", ") {
        let ends = place(&inner[..comma]).zip(place(&inner[comma + separator.len()..]));
        if let Some((low, high)) = ends.filter(|(low, high)| low <= high) {
            let leaves: Set = quasi.leaves[low..=high].iter().cloned().collect();
            if found.as_ref().is_some_and(|other| *other != leaves) {
                return None;
            }
            found = Some(leaves);
        }
    }
    found
}

/// The leaves of a union or of a label with exceptions. Any text but the only one of the set denotes
/// nothing.
fn set(quasi: &Quasi, text: &str) -> Option<Set> {
    let (around, members) = parts(text)?;
    let mut leaves = Set::new();
    for member in members {
        leaves.extend(quasi.meaning(&member)?);
    }
    if let Some(around) = around {
        leaves = quasi.meaning(&around)?.difference(&leaves).cloned().collect();
    }
    (text_of(quasi, &leaves)? == text).then_some(leaves)
}

/// The label before ` except `, and the members of the set.
fn parts(text: &str) -> Option<(Option<String>, Vec<String>)> {
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return Some((None, members(inner)?));
    }
    let (label, rest) = if text.starts_with('"') {
        json_string(text)?
    } else {
        let end = text.find(" except {")?;
        (text[..end].to_owned(), &text[end..])
    };
    let inner = rest.strip_prefix(" except {")?.strip_suffix('}')?;
    Some((Some(label), members(inner)?))
}

/// The members of `a, b`. A member in quotes is a JSON string; any other ends before a comma.
fn members(inner: &str) -> Option<Vec<String>> {
    let mut members = Vec::new();
    let mut rest = inner;
    loop {
        let (member, behind) = if rest.starts_with('"') {
            json_string(rest)?
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            (rest[..end].to_owned(), &rest[end..])
        };
        members.push(member);
        if behind.is_empty() {
            return Some(members);
        }
        rest = behind.strip_prefix(", ")?;
    }
}

/// The JSON string at the beginning of a text, and the rest.
pub(super) fn json_string(text: &str) -> Option<(String, &str)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let string = stream.next()?.ok()?;
    Some((string, &text[stream.byte_offset()..]))
}

/// A label or a leaf as a part of a set: a JSON string if it has a comma, a brace, a quote, a
/// backslash or an outer blank, and only then.
pub(super) fn written(text: &str) -> String {
    let needs_quotes = text.contains([',', '{', '}', '"', '\\']) || text.trim() != text;
    if needs_quotes { serde_json::to_string(text).unwrap_or_default() } else { text.to_owned() }
}

/// The labels from a level on that denote different occurring leaves, with these leaves. Of several
/// labels that denote the same, the finest is taken.
pub(super) fn nodes(quasi: &Quasi, floor: usize) -> Vec<(String, Set)> {
    let mut nodes: Vec<(String, Set)> = Vec::new();
    for level in floor..=quasi.top() {
        for leaf in &quasi.occurring {
            let label = &quasi.labels[leaf][level - quasi.base];
            let is_below = |other: &&String| quasi.labels[*other][level - quasi.base] == *label;
            let leaves: Set = quasi.occurring.iter().filter(is_below).cloned().collect();
            if nodes.iter().all(|(_, other)| *other != leaves) {
                nodes.push((label.clone(), leaves));
            }
        }
    }
    nodes
}

/// The only text of the occurring leaves of a set: of categories their shortest description, of numbers
/// and dates that of all between them. An empty set has no text.
pub(crate) fn text_of(quasi: &Quasi, leaves: &Set) -> Option<String> {
    if quasi.kind != Kind::Category {
        return meaning::text_of(quasi, leaves);
    }
    let leaves: Set = leaves.iter().filter(|leaf| quasi.occurring.contains(leaf)).cloned().collect();
    let nodes = nodes(quasi, quasi.base);
    if let Some((label, _)) = nodes.iter().find(|(_, node)| *node == leaves) {
        return Some(label.clone());
    }
    let place = |leaf: &String| quasi.occurring.iter().position(|own| own == leaf);
    // The labels with leaves of the set only that are below no other such label.
    let largest = |set: &Set| {
        let inside: Vec<&(String, Set)> = nodes.iter().filter(|(_, node)| node.is_subset(set)).collect();
        let is_largest = |node: &&&(String, Set)| {
            !inside.iter().any(|other| other.1.len() > node.1.len() && node.1.is_subset(&other.1))
        };
        let mut largest: Vec<&(String, Set)> = inside.iter().filter(is_largest).copied().collect();
        largest.sort_by_key(|(_, node)| node.iter().filter_map(place).min());
        let members: Vec<String> = largest.iter().map(|(label, _)| written(label)).collect();
        (members.len(), format!("{{{}}}", members.join(", ")))
    };
    let around = nodes.iter().filter(|(_, node)| leaves.is_subset(node));
    let (label, around) = around.min_by_key(|(_, node)| node.len()).filter(|_| !leaves.is_empty())?;
    let (exceptions, listed) = largest(&around.difference(&leaves).cloned().collect());
    let exception = format!("{} except {listed}", written(label));
    let (members, union) = largest(&leaves);
    let cost = |terms: usize, text: &str| (terms, text.chars().count());
    Some(if cost(members, &union) <= cost(1 + exceptions, &exception) { union } else { exception })
}
