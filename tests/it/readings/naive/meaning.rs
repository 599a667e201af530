//! The values that the texts of values, bands and ranges mean, and the only text of labels from one to
//! another, as the page `releases` defines them.

use std::collections::BTreeSet;

use super::date::{Unit, days_in};
use super::{Kind, Number, Quasi, Refusal, refuse};

/// An end, and whether it belongs to the values.
type End = Option<(Number, bool)>;

/// The values between two ends. No end is open.
#[derive(Clone, Debug)]
struct Values {
    from: End,
    to: End,
}

/// A value or a band with two ends.
struct Band {
    first: String,
    last: String,
    bracket: char,
    values: Values,
}

/// The first and the last number of a value. A day is the number of its digits.
fn value(kind: Kind, text: &str) -> Option<(Number, Number)> {
    let number = |year: u32, month: u32, day: u32| {
        Number::from_integer(i64::from(year) * 10_000 + i64::from(month * 100 + day))
    };
    match kind {
        Kind::Category => None,
        Kind::Number => Number::read(text).map(|number| (number.clone(), number)),
        Kind::Date => {
            let units = [Unit::Day, Unit::Month, Unit::Quarter, Unit::Year, Unit::Decade];
            let (unit, (year, month, day)) =
                units.into_iter().find_map(|unit| Some((unit, unit.read(text)?)))?;
            let last = match unit {
                Unit::Day => (year, month, day),
                Unit::Month => (year, month, days_in(year, month)),
                Unit::Quarter => (year, month + 2, days_in(year, month + 2)),
                Unit::Year => (year, 12, 31),
                Unit::Decade => (year + 9, 12, 31),
            };
            Some((number(year, month, day), number(last.0, last.1, last.2)))
        }
    }
}

fn from_to(kind: Kind, first: &str, last: &str, bracket: char) -> Option<Band> {
    let ((low, _), (begin, end)) = (value(kind, first)?, value(kind, last)?);
    if low >= begin {
        return None;
    }
    let to = if bracket == ']' { (end, true) } else { (begin, false) };
    let values = Values { from: Some((low, true)), to: Some(to) };
    Some(Band { first: first.to_owned(), last: last.to_owned(), bracket, values })
}

/// Reads `[a, b` and one of these brackets.
fn bracketed(kind: Kind, text: &str, brackets: &[char]) -> Option<Band> {
    brackets.iter().find_map(|&bracket| {
        let (first, last) = text.strip_prefix('[')?.strip_suffix(bracket)?.split_once(", ")?;
        from_to(kind, first, last, bracket)
    })
}

fn band(kind: Kind, text: &str) -> Option<Band> {
    if let Some((low, high)) = value(kind, text) {
        let values = Values { from: Some((low, true)), to: Some((high, true)) };
        return Some(Band { first: text.to_owned(), last: text.to_owned(), bracket: ']', values });
    }
    let hyphen = text.split_once('-').filter(|(first, last)| {
        let is_end = |end: &&str| {
            !end.is_empty()
                && end.chars().all(|digit| digit.is_ascii_digit())
                && (kind != Kind::Date || end.len() == 4)
        };
        is_end(first) && is_end(last)
    });
    let closed = text.split_once(" to ").or(hyphen).and_then(|(first, last)| from_to(kind, first, last, ']'));
    closed.or_else(|| bracketed(kind, text, &[')', '[']))
}

/// The values of a text that may be a value of P.
fn values(kind: Kind, text: &str) -> Option<Values> {
    if let Some(band) = band(kind, text) {
        return Some(band.values);
    }
    let after = |sign: &str| {
        let rest = text.strip_prefix(sign)?;
        value(kind, rest.strip_prefix(' ').unwrap_or(rest))
    };
    let below = |to: (Number, bool)| Some(Values { from: None, to: Some(to) });
    let above = |from: (Number, bool)| Some(Values { from: Some(from), to: None });
    if let Some((_, high)) = after("<=").or_else(|| after("≤")) {
        below((high, true))
    } else if let Some((low, _)) = after(">=").or_else(|| after("≥")) {
        above((low, true))
    } else if let Some((low, _)) = after("<") {
        below((low, false))
    } else if let Some((_, high)) = after(">") {
        above((high, false))
    } else {
        above((value(kind, text.strip_suffix('+')?)?.0, true))
    }
}

impl Values {
    fn contains(&self, other: &Self) -> bool {
        let begins = match (&self.from, &other.from) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((own, belongs)), Some((others, others_belongs))) => {
                others > own || (others == own && (*belongs || !others_belongs))
            }
        };
        let ends = match (&self.to, &other.to) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((own, belongs)), Some((others, others_belongs))) => {
                others < own || (others == own && (*belongs || !others_belongs))
            }
        };
        begins && ends
    }

    fn is_before(&self, other: &Self) -> bool {
        match (&self.to, &other.from) {
            (Some((own, belongs)), Some((others, others_belongs))) => {
                own < others || (own == others && !(*belongs && *others_belongs))
            }
            _ => false,
        }
    }
}

/// Whether the numbers, dates and bands among P's values ascend.
fn ascend(quasi: &Quasi) -> bool {
    let read: Vec<Values> = quasi.occurring.iter().filter_map(|leaf| values(quasi.kind, leaf)).collect();
    read.windows(2).all(|pair| pair[0].is_before(&pair[1]))
}

/// How ranges of a quasi-identifier are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Of two values of P.
    Values,
    /// As sets of ranges and labels of this level.
    Labels(usize),
    /// As sets of P's labels.
    Single,
}

fn form(quasi: &Quasi) -> Form {
    if let Some(level) = quasi.borders
        && level > quasi.base
    {
        return Form::Labels(level);
    }
    let is_odd = |leaf: &String| leaf.contains(", ") && band(quasi.kind, leaf).is_none();
    if quasi.base == 0 {
        let read = quasi.occurring.iter().filter(|leaf| value(quasi.kind, leaf).is_some()).count();
        let is_mixed = read > 0 && read < quasi.occurring.len();
        return if is_mixed { Form::Labels(0) } else { Form::Values };
    }
    if !ascend(quasi) || quasi.occurring.iter().any(is_odd) { Form::Single } else { Form::Values }
}

/// The labels of a level with values of P, in their order.
fn labels(quasi: &Quasi, level: usize) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for leaf in &quasi.occurring {
        let label = &quasi.labels[leaf][level - quasi.base];
        if !labels.contains(label) {
            labels.push(label.clone());
        }
    }
    labels
}

/// The values of P under some labels of a level.
fn under(quasi: &Quasi, level: usize, labels: &[String]) -> BTreeSet<String> {
    let is_under = |leaf: &&String| labels.contains(&quasi.labels[*leaf][level - quasi.base]);
    quasi.occurring.iter().filter(is_under).cloned().collect()
}

/// The values of P that a range means, by its ends alone. `None` if it is no range, or cuts through a value.
fn between(quasi: &Quasi, text: &str) -> Option<BTreeSet<String>> {
    let range = bracketed(quasi.kind, text, &[']', ')', '['])?.values;
    let mut inside = BTreeSet::new();
    for leaf in &quasi.occurring {
        let Some(values) = values(quasi.kind, leaf) else { continue };
        if range.contains(&values) {
            inside.insert(leaf.clone());
        } else if !values.is_before(&range) && !range.is_before(&values) {
            return None;
        }
    }
    Some(inside)
}

/// The range of these labels, if it means exactly their values.
fn range(quasi: &Quasi, level: usize, labels: &[String]) -> Option<String> {
    let (first, last) = (band(quasi.kind, labels.first()?)?, band(quasi.kind, labels.last()?)?);
    let text = format!("[{}, {}{}", first.first, last.last, last.bracket);
    (ascend(quasi) && between(quasi, &text)? == under(quasi, level, labels)).then_some(text)
}

/// The only text of these labels of a level, which follow each other.
fn text(quasi: &Quasi, level: usize, labels: &[String], has_ranges: bool) -> String {
    let mut members: Vec<(String, String)> = Vec::new();
    let mut rest = labels;
    while let Some(label) = rest.first() {
        let mut longest = (2..=rest.len()).rev().filter(|_| has_ranges);
        let longest = longest.find_map(|count| Some((range(quasi, level, &rest[..count])?, count)));
        let (alone, in_set, count) = match longest {
            Some((text, count)) => (text.clone(), text, count),
            None if label.starts_with('[') && band(quasi.kind, label).is_some() => {
                (label.clone(), label.clone(), 1)
            }
            None if label.starts_with('[') => {
                (label.clone(), serde_json::to_string(label).unwrap_or_default(), 1)
            }
            None => (label.clone(), super::sets::written(label), 1),
        };
        members.push((alone, in_set));
        rest = &rest[count..];
    }
    match members.as_slice() {
        [(alone, _)] => alone.clone(),
        _ => format!("{{{}}}", members.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", ")),
    }
}

/// The only text of some values of P, and of all between them.
pub(super) fn text_of(quasi: &Quasi, leaves: &BTreeSet<String>) -> Option<String> {
    let from = quasi.occurring.iter().position(|leaf| leaves.contains(leaf))?;
    let to = quasi.occurring.iter().rposition(|leaf| leaves.contains(leaf))?;
    let all: BTreeSet<String> = quasi.occurring[from..=to].iter().cloned().collect();
    let level = match form(quasi) {
        Form::Labels(level) => level,
        Form::Values | Form::Single => quasi.base,
    };
    let nodes = super::sets::nodes(quasi, level);
    let label = nodes.into_iter().find(|(_, node)| *node == all).map(|(label, _)| label);
    label.or_else(|| Some(text_between(quasi, &quasi.occurring[from], &quasi.occurring[to])))
}

/// The text of the neighbours from one value of P to another.
fn text_between(quasi: &Quasi, first: &str, last: &str) -> String {
    let (level, has_ranges) = match form(quasi) {
        Form::Values => return format!("[{first}, {last}]"),
        Form::Labels(level) => (level, true),
        Form::Single => (quasi.base, false),
    };
    let all = labels(quasi, level);
    let position = |leaf: &str| all.iter().position(|label| *label == quasi.labels[leaf][level - quasi.base]);
    let (Some(from), Some(to)) = (position(first), position(last)) else { return String::new() };
    text(quasi, level, &all[from..=to], has_ranges)
}

/// The leaves of a range or set of numbers or dates. `None` for a text that no release may have.
pub(super) fn denoted(quasi: &Quasi, written: &str) -> Option<BTreeSet<String>> {
    let (level, has_ranges) = match form(quasi) {
        Form::Values => return super::sets::range(quasi, written.strip_prefix('[')?.strip_suffix(']')?),
        Form::Labels(level) => (level, true),
        Form::Single => (quasi.base, false),
    };
    let all = labels(quasi, level);
    let members = match written.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(inner) => members(inner)?,
        None => vec![written.to_owned()],
    };
    let mut leaves = BTreeSet::new();
    for member in &members {
        if all.contains(member) {
            leaves.extend(under(quasi, level, std::slice::from_ref(member)));
        } else {
            leaves.extend(between(quasi, member)?);
        }
    }
    let touched = |label: &String| !leaves.is_disjoint(&under(quasi, level, std::slice::from_ref(label)));
    let (from, to) = (all.iter().position(touched)?, all.iter().rposition(touched)?);
    let is_label = super::sets::nodes(quasi, level).iter().any(|(_, node)| *node == leaves);
    (!is_label && text(quasi, level, &all[from..=to], has_ranges) == written).then_some(leaves)
}

/// The members of a set. A range, which begins with a bracket, ends with the first bracket after its comma.
fn members(inner: &str) -> Option<Vec<String>> {
    let mut members = Vec::new();
    let mut rest = inner;
    loop {
        let (member, behind) = if rest.starts_with('"') {
            super::sets::json_string(rest)?
        } else if rest.starts_with('[') {
            let comma = rest.find(", ")?;
            let end = comma + rest[comma..].find([')', ']', '['])? + 1;
            (rest[..end].to_owned(), &rest[end..])
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

/// Refuses borders if the leaves of a label do not follow each other, or if a range of labels has the text of
/// a label with other values.
pub(super) fn check_texts(quasi: &Quasi) -> Result<(), Refusal> {
    let Form::Labels(level) = form(quasi) else { return Ok(()) };
    let mut runs: Vec<&String> =
        quasi.leaves.iter().map(|leaf| &quasi.labels[leaf][level - quasi.base]).collect();
    runs.dedup();
    if runs.iter().collect::<BTreeSet<_>>().len() < runs.len() {
        return refuse(format!("{}: labels of level {level} are no ranges of values", quasi.name));
    }
    let all = labels(quasi, level);
    for from in 0..all.len() {
        for to in from + 1..all.len() {
            let Some(text) = range(quasi, level, &all[from..=to]) else { continue };
            let Some(meant) = quasi.meaning(&text) else { continue };
            let of_public: BTreeSet<String> =
                quasi.occurring.iter().filter(|leaf| meant.contains(*leaf)).cloned().collect();
            if of_public != under(quasi, level, &all[from..=to]) {
                return refuse(format!("{}: {text:?} is a range and another label", quasi.name));
            }
        }
    }
    Ok(())
}
