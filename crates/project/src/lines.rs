//! Edits of single lines in a project file: a hierarchy, a limit, and δ. All other bytes stay the same.

use serde::Deserialize;
use toml::Spanned;

use super::Decided;
use palmtop_core::model::{Delta, Kind, Presence};
use palmtop_tables::literal::toml_string;

#[derive(Deserialize)]
struct Lines {
    #[serde(default)]
    attribute: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    name: String,
    hierarchy: Option<Spanned<String>>,
    kind: Option<Spanned<String>>,
    shape: Option<Spanned<toml::Value>>,
    cuts: Option<Spanned<toml::Value>>,
    terms: Option<Spanned<toml::Value>>,
    borders: Option<Spanned<toml::Value>>,
}

/// Replaces the hierarchy of an attribute, and the kind of its values if `kind` is given. `None` if the text has no such
/// attribute with a hierarchy.
pub fn with_hierarchy(text: &str, attribute: &str, path: &str, kind: Option<Kind>) -> Option<String> {
    let lines: Lines = toml::from_str(text).ok()?;
    let line = lines.attribute.into_iter().find(|line| line.name == attribute)?;
    let at = line.hierarchy?.span();
    let mut value = toml_string(path);
    let mut rest = text.get(at.end..)?.to_owned();
    match (kind, line.kind) {
        (None, _) => {}
        (Some(kind), Some(written)) => {
            // If both keys are written, the later one is changed first.
            let span = written.span();
            let shift = span.start.checked_sub(at.end);
            if written.get_ref() != kind.as_str() {
                let Some(shift) = shift else {
                    let head = text.get(..span.start)?;
                    let between = text.get(span.end..at.start)?;
                    return Some(format!("{head}{}{between}{value}{rest}", toml_string(kind.as_str())));
                };
                rest.replace_range(shift..shift + span.len(), &toml_string(kind.as_str()));
            }
        }
        (Some(kind), None) => {
            let before = text.get(..at.start)?.rsplit('\n').next().unwrap_or_default();
            let is_line_start = before.trim_start().starts_with("hierarchy");
            let between = if is_line_start { "\n" } else { ", " };
            value.push_str(&format!("{between}kind = {}", toml_string(kind.as_str())));
        }
    }
    Some(format!("{}{value}{rest}", text.get(..at.start)?))
}

/// Replaces `terms`, `borders` and the shape of an attribute, unless it is whole or kept, by one line such as `terms = 3`, or
/// removes them. The comment of a removed line is removed, too. `None` if the lines cannot be edited, such as those of an inline table.
pub fn with_limit(text: &str, attribute: &str, limit: Option<&str>) -> Option<String> {
    let lines: Lines = toml::from_str(text).ok()?;
    let line = lines.attribute.into_iter().find(|line| line.name == attribute)?;
    let is_free = |shape: &Spanned<toml::Value>| matches!(shape.get_ref().as_str(), Some("any" | "labels"));
    let shape = line.shape.filter(is_free);
    let written = [("shape", shape), ("cuts", line.cuts), ("terms", line.terms), ("borders", line.borders)];
    let mut spans = Vec::new();
    for (key, value) in written {
        let Some(value) = value else { continue };
        let start = key_start(text, value.span().start, key)?;
        let line_start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        if !text.get(line_start..start)?.trim().is_empty() {
            return None;
        }
        let length = text.get(start..)?.find('\n').map_or(text.len() - start, |at| at + 1);
        spans.push(line_start..start + length);
    }
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    let mut edited = text.to_owned();
    let first = spans.last().map(|span| span.start);
    for span in spans {
        edited.replace_range(span, "");
    }
    if let Some(limit) = limit {
        let at = first.or_else(|| line_end(text, line.hierarchy?.span().end))?;
        let gap = if at > 0 && edited.get(..at)?.ends_with('\n') { "" } else { "\n" };
        edited.insert_str(at, &format!("{gap}{limit}\n"));
    }
    // The edited text must have this limit and no other.
    let read: toml::Table = toml::from_str(&edited).ok()?;
    let wanted: toml::Table = toml::from_str(limit.unwrap_or_default()).ok()?;
    let own = read.get("attribute")?.as_array()?.iter().filter_map(toml::Value::as_table);
    let mut own = own.filter(|own| own.get("name").and_then(toml::Value::as_str) == Some(attribute));
    let own = own.next()?;
    ["terms", "borders"].iter().all(|key| own.get(*key) == wanted.get(*key)).then_some(edited)
}

/// The offset behind the line of an offset.
fn line_end(text: &str, offset: usize) -> Option<usize> {
    let rest = text.get(offset..)?;
    Some(rest.find('\n').map_or(text.len(), |at| offset + at + 1))
}

#[derive(Deserialize)]
struct DeltaLines {
    delta: Option<DeltaLine>,
}

#[derive(Deserialize)]
struct DeltaLine {
    min: Option<Spanned<toml::Value>>,
    max: Option<Spanned<toml::Value>>,
}

/// Replaces δ in a project's text. `None` if the lines of δ cannot be found.
pub fn with_delta(text: &str, delta: Delta) -> Option<String> {
    let (min, max) = (toml_string(&delta.min().to_string()), toml_string(&delta.max().to_string()));
    let lines: DeltaLines = toml::from_str(text).ok()?;
    let edited = match lines.delta {
        None => {
            let gap = if text.is_empty() || text.ends_with('\n') { "\n" } else { "\n\n" };
            format!("{text}{gap}[delta]\nmin = {min}\nmax = {max}\n")
        }
        Some(DeltaLine { min: None, max: None }) => {
            let header = text.find("[delta]")? + "[delta]".len();
            format!("{}\nmin = {min}\nmax = {max}{}", text.get(..header)?, text.get(header..)?)
        }
        Some(DeltaLine { min: old_min, max: old_max }) => {
            let mut changes: Vec<(std::ops::Range<usize>, String)> = Vec::new();
            let (min_key, max_key) = (old_min.as_ref(), old_max.as_ref());
            match (min_key, max_key) {
                (None, Some(other)) if delta.min() != Presence::ZERO => {
                    let start = key_start(text, other.span().start, "max")?;
                    changes.push((start..start, format!("min = {min}{}", between(text, start))));
                }
                (Some(other), None) => {
                    let start = key_start(text, other.span().start, "min")?;
                    changes.push((start..start, format!("max = {max}{}", between(text, start))));
                }
                _ => {}
            }
            changes.extend(old_min.map(|old| (old.span(), min)));
            changes.extend(old_max.map(|old| (old.span(), max)));
            // The last one is changed first, so that the offsets of the others stay valid.
            changes.sort_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
            let mut edited = text.to_owned();
            for (span, new) in changes {
                edited.get(span.clone())?;
                edited.replace_range(span, &new);
            }
            edited
        }
    };
    // The edited text must have the new δ.
    let read: DeltaLines = toml::from_str(&edited).ok()?;
    let line = read.delta?;
    let bound = |value: Option<Spanned<toml::Value>>| {
        value.and_then(|written| written.get_ref().as_str()?.parse::<Presence>().ok())
    };
    let has_delta =
        bound(line.max) == Some(delta.max()) && bound(line.min).unwrap_or(Presence::ZERO) == delta.min();
    has_delta.then_some(edited)
}

/// The keys of `[delta]` that say why δ is this one.
const WHY: [&str; 5] = ["prior", "misuse", "misuse_down", "cost", "reason"];

/// Replaces δ in a project's text, and why it is this one: what was written for another δ goes. `None` if the lines of δ cannot
/// be found or edited.
pub fn with_decision(text: &str, delta: Delta, decided: &Decided) -> Option<String> {
    let mut edited = with_delta(&without_why(text)?, delta)?;
    let grounds = decided.grounds.as_ref();
    let values = [
        grounds.map(|grounds| grounds.prior.as_str()),
        grounds.map(|grounds| grounds.misuse.as_str()),
        grounds.and_then(|grounds| grounds.misuse_down.as_deref()),
        grounds.map(|grounds| grounds.cost.as_str()),
        decided.reason.as_deref(),
    ];
    let lines: DeltaLines = toml::from_str(&edited).ok()?;
    let after = lines.delta?.max?.span().end;
    let is_inline = edited.lines().any(|line| line.trim_start().starts_with("delta"));
    let at = if is_inline { after } else { line_end(&edited, after)? };
    let written = WHY.iter().zip(values).filter_map(|(key, value)| Some((key, toml_string(value?))));
    let begins_line = edited.get(..at)?.ends_with('\n');
    let mut new = String::new();
    for (key, value) in written {
        if new.is_empty() && !is_inline && !begins_line {
            new.push('\n');
        }
        let (before, after) = if is_inline { (", ", "") } else { ("", "\n") };
        new = new + before + key + " = " + &value + after;
    }
    edited.insert_str(at, &new);
    // The edited text must read back as it was meant.
    let read: toml::Table = toml::from_str(&edited).ok()?;
    let table = read.get("delta")?.as_table()?;
    let is_written =
        |(key, value): (&&str, Option<&str>)| table.get(*key).and_then(toml::Value::as_str) == value;
    WHY.iter().zip(values).all(is_written).then_some(edited)
}

/// The text without the lines that say why δ is this one. `None` if they are not lines of their own.
fn without_why(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Whys {
        #[serde(default)]
        delta: std::collections::BTreeMap<String, Spanned<toml::Value>>,
    }
    let Whys { delta } = toml::from_str(text).ok()?;
    let mut spans = Vec::new();
    for key in WHY {
        let Some(value) = delta.get(key) else { continue };
        let start = key_start(text, value.span().start, key)?;
        let line_start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        if !text.get(line_start..start)?.trim().is_empty() {
            return None;
        }
        spans.push(line_start..line_end(text, value.span().end)?);
    }
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    let mut edited = text.to_owned();
    for span in spans {
        edited.get(span.clone())?;
        edited.replace_range(span, "");
    }
    Some(edited)
}

/// The offset of a key, by the offset of its value.
fn key_start(text: &str, value: usize, key: &str) -> Option<usize> {
    text.get(..value)?.rfind(key)
}

/// The separator between two keys: a line break if the second key begins a line, else a comma.
fn between(text: &str, start: usize) -> &'static str {
    let before = text.get(..start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    if before.trim().is_empty() { "\n" } else { ", " }
}

/// The lines of δ that a project needs, for a user who must write them.
pub fn delta_lines(delta: Delta) -> String {
    format!("[delta] min = \"{}\", max = \"{}\"", delta.min(), delta.max())
}

/// The line of a hierarchy that a project needs, for a user who must write it.
pub fn hierarchy_line(path: &str) -> String {
    format!("hierarchy = {}", toml_string(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_delta_keeps_every_other_line() {
        let to = |min: &str, max: &str| Delta::read(min, max).unwrap();
        for (text, delta, edited) in [
            (
                "# é\n[delta]\nmin = \"0\"\nmax = '10%' # of anybody\n\n[public]\nmax = 3\n",
                to("1/50", "1/5"),
                "# é\n[delta]\nmin = \"1/50\"\nmax = \"1/5\" # of anybody\n\n[public]\nmax = 3\n",
            ),
            ("[delta]\nmax = \"1/2\"\n", to("0", "1/3"), "[delta]\nmax = \"1/3\"\n"),
            ("[delta]\n max = \"1/2\"\n", to("1/9", "1/3"), "[delta]\n min = \"1/9\"\nmax = \"1/3\"\n"),
            ("delta = { max = \"1/2\" }\n", to("1/9", "1/3"), "delta = { min = \"1/9\", max = \"1/3\" }\n"),
            ("[delta]\nmax=\"1/2\"\nmin=\"1/9\"", to("0", "1"), "[delta]\nmax=\"1\"\nmin=\"0\""),
            ("name = \"x\"", to("0", "1/4"), "name = \"x\"\n\n[delta]\nmin = \"0\"\nmax = \"1/4\"\n"),
            ("[delta] # none\n", to("0", "1/4"), "[delta]\nmin = \"0\"\nmax = \"1/4\" # none\n"),
        ] {
            assert_eq!(with_delta(text, delta).as_deref(), Some(edited), "{text}");
        }
        assert_eq!(with_delta("delta = [", to("0", "1")), None);
        assert_eq!(with_delta("delta = 3", to("0", "1")), None);
    }

    #[test]
    fn a_decision_is_written_with_its_grounds() {
        let delta = Delta::read("0", "1/5").unwrap();
        let grounds = Some(crate::Grounds {
            prior: "4%".to_owned(),
            misuse: "6%".to_owned(),
            misuse_down: None,
            cost: "1".to_owned(),
        });
        let decided = Decided { grounds, reason: Some("the board asked for \"one in five\"".to_owned()) };
        let text =
            "[delta]\nmax = \"1/10\" # first\nprior = 0.3 # old\nmisuse = \"1/2\"\n\n[public]\nreason = 3\n";
        let why = "prior = \"4%\"\nmisuse = \"6%\"\ncost = \"1\"\nreason = \"the board asked for \\\"one in five\\\"\"\n";
        let edited = with_decision(text, delta, &decided).unwrap();
        assert_eq!(edited, format!("[delta]\nmax = \"1/5\" # first\n{why}\n[public]\nreason = 3\n"));
        assert_eq!(with_decision(&edited, delta, &decided).as_deref(), Some(edited.as_str()));
        let bare = with_decision(&edited, delta, &Decided::default()).unwrap();
        assert_eq!(bare, "[delta]\nmax = \"1/5\" # first\n\n[public]\nreason = 3\n");
        assert!(
            with_decision("delta = { max = \"1/2\" }\n", delta, &decided)
                .unwrap()
                .contains("\"1/5\", prior = \"4%\"")
        );
        assert!(with_decision("name = \"x\"", delta, &decided).unwrap().ends_with(&why));
    }

    #[test]
    fn writing_a_limit_keeps_every_other_line() {
        let text = "# é\n[[attribute]]\nname = \"a\"\nhierarchy = \"a.csv\" # mine\nkind = \"date\"\n\n[[attribute]]\nname = \"b\"\nterms = 3 # short\nhierarchy = \"b.csv\"";
        let with = |attribute: &str, limit| with_limit(text, attribute, limit);
        let added = with("a", Some("borders = 2")).unwrap();
        assert_eq!(added, text.replace("# mine\n", "# mine\nborders = 2\n"));
        let replaced = with("b", Some("borders = 1")).unwrap();
        assert_eq!(replaced, text.replace("terms = 3 # short", "borders = 1"));
        for shape in ["shape = \"labels\"", "cuts = \"labels\"", "shape = \"any\""] {
            let labels = text.replace("terms = 3 # short", shape);
            assert_eq!(with_limit(&labels, "b", Some("borders = 1")).as_deref(), Some(replaced.as_str()));
        }
        let whole = text.replace("terms = 3 # short", "shape = \"whole\"\nterms = 3");
        let kept = whole.replace("terms = 3\n", "");
        assert_eq!(with_limit(&whole, "b", None), Some(kept));
        assert_eq!(with("b", None).unwrap(), text.replace("terms = 3 # short\n", ""));
        assert_eq!(with("a", None).as_deref(), Some(text));
        assert_eq!(with_limit(&added, "a", Some("terms = 2")).unwrap(), added.replace("borders", "terms"));
        assert_eq!(with("c", None), None);
        let inline = "attribute = [{ name = \"a\", terms = 3, hierarchy = \"a.csv\" }]\n";
        assert_eq!(with_limit(inline, "a", Some("terms = 2")), None);
        let last = "[[attribute]]\nname = \"a\"\nhierarchy = \"a.csv\"";
        assert_eq!(with_limit(last, "a", Some("terms = 2")), Some(format!("{last}\nterms = 2\n")));
    }

    // holds: Hierarchies read back
    #[test]
    fn one_line_is_another_and_everything_else_stays() {
        let text = "# é\nname = \"x\"\n\n[[attribute]]\nname = \"a\"\nrole = \"quasi\"\nhierarchy = 'a.csv'  # mine\n\n[[attribute]]\nname = \"b\"\nhierarchy = \"b.csv\"\nkind = \"number\"\n";
        let edited = with_hierarchy(text, "a", "a-edited.csv", None).unwrap();
        assert_eq!(edited, text.replace("'a.csv'", "\"a-edited.csv\""));
        let edited = with_hierarchy(text, "a", "a.toml", Some(Kind::Date)).unwrap();
        assert_eq!(edited, text.replace("'a.csv'", "\"a.toml\"\nkind = \"date\""));
        let edited = with_hierarchy(text, "b", "c.csv", Some(Kind::Category)).unwrap();
        assert_eq!(edited, text.replace("b.csv", "c.csv").replace("number", "category"));
        assert_eq!(with_hierarchy(text, "b", "b.csv", Some(Kind::Number)).unwrap(), text);
        assert_eq!(with_hierarchy(text, "c", "c.csv", None), None);
        let inline = "attribute = [{ name = \"a\", kind = \"number\", hierarchy = \"a.csv\" }]\n";
        let edited = with_hierarchy(inline, "a", "b.csv", Some(Kind::Date)).unwrap();
        assert_eq!(edited, inline.replace("a.csv", "b.csv").replace("number", "date"));
        let inline = "attribute = [{ name = \"a\", hierarchy = \"a.csv\" }]\n";
        let edited = with_hierarchy(inline, "a", "b.csv", Some(Kind::Date)).unwrap();
        assert_eq!(edited, inline.replace("\"a.csv\"", "\"b.csv\", kind = \"date\""));
    }
}
