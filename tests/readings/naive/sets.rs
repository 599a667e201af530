//! The texts of sets and ranges: what each of them denotes, and the only text of a set.

use std::collections::BTreeSet;

use super::{Kind, Quasi, Refusal};

type Set = BTreeSet<String>;

/// The leaves that a released text denotes: those of a label, of a range, or of a set.
pub(super) fn denoted(quasi: &Quasi, text: &str) -> Result<Set, Refusal> {
    let meant = quasi.meaning(text).or_else(|| match (quasi.kind, quasi.borders) {
        (Kind::Category, _) => set(quasi, text),
        (_, Some(level)) if level > quasi.base => between_borders(quasi, level, text),
        _ => range(quasi, text.strip_prefix('[')?.strip_suffix(']')?),
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
fn range(quasi: &Quasi, inner: &str) -> Option<Set> {
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
fn json_string(text: &str) -> Option<(String, &str)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let string = stream.next()?.ok()?;
    Some((string, &text[stream.byte_offset()..]))
}

/// A label or a leaf as a part of a set: a JSON string if it has a comma, a brace, a quote, a
/// backslash or an outer blank, and only then.
fn written(text: &str) -> String {
    let needs_quotes = text.contains([',', '{', '}', '"', '\\']) || text.trim() != text;
    if needs_quotes { serde_json::to_string(text).unwrap_or_default() } else { text.to_owned() }
}

/// The labels from a level on that denote different occurring leaves, with these leaves. Of several
/// labels that denote the same, the finest is taken.
fn nodes(quasi: &Quasi, floor: usize) -> Vec<(String, Set)> {
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

/// The only text of the occurring leaves of a set of categories: its shortest description. An empty
/// set has no text.
pub(crate) fn text_of(quasi: &Quasi, leaves: &Set) -> Option<String> {
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

/// The leaves of a range that begins and ends at labels of a level. Exactly two labels have to fit,
/// somebody of P has to be below each, and no label may denote the same people.
fn between_borders(quasi: &Quasi, level: usize, text: &str) -> Option<Set> {
    let mut labels: Vec<&String> = Vec::new();
    for leaf in &quasi.leaves {
        let label = &quasi.labels[leaf][level - quasi.base];
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let mut fitting = Vec::new();
    for (low, first) in labels.iter().enumerate() {
        for (high, last) in labels.iter().enumerate() {
            let (first, last) = (ends(first), ends(last));
            let close = if first.half_open && last.half_open { ')' } else { ']' };
            if text == format!("[{}, {}{close}", first.low, last.high) {
                fitting.push((low, high));
            }
        }
    }
    let [(low, high)] = fitting[..] else { return None };
    if low >= high {
        return None;
    }
    let meant = labels[low..=high].iter().filter_map(|label| quasi.meaning(label));
    let leaves: Set = meant.flatten().collect();
    let occurring =
        |set: &Set| -> Set { quasi.occurring.iter().filter(|leaf| set.contains(*leaf)).cloned().collect() };
    let has_people = |label: &str| quasi.meaning(label).is_some_and(|set| !occurring(&set).is_empty());
    let is_label = nodes(quasi, level).iter().any(|(_, node)| *node == occurring(&leaves));
    (has_people(labels[low]) && has_people(labels[high]) && !is_label).then_some(leaves)
}

/// The ends that a range has if it begins or ends at a label.
struct Ends<'a> {
    low: &'a str,
    high: &'a str,
    /// Whether the label is written as `[a, b)`.
    half_open: bool,
}

fn ends(label: &str) -> Ends<'_> {
    if let Some(inner) = label.strip_prefix('[').and_then(|rest| rest.strip_suffix(')'))
        && let [low, high] = inner.split(", ").collect::<Vec<_>>()[..]
    {
        return Ends { low, high, half_open: true };
    }
    if let [low, high] = label.split('-').collect::<Vec<_>>()[..] {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // Numbers of any length are compared as texts of one length.
        let width = low.len().max(high.len());
        if is_number(low) && is_number(high) && format!("{low:0>width$}") < format!("{high:0>width$}") {
            return Ends { low, high, half_open: false };
        }
    }
    Ends { low: label, high: label, half_open: false }
}
