//! Edits of single lines in a project file: a hierarchy, and a limit. All other bytes stay the same.

use serde::Deserialize;
use toml::Spanned;

use palmtop_core::model::Kind;
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

/// The offset of a key, by the offset of its value.
fn key_start(text: &str, value: usize, key: &str) -> Option<usize> {
    text.get(..value)?.rfind(key)
}

/// The line of a hierarchy that a project needs, for a user who must write it.
pub fn hierarchy_line(path: &str) -> String {
    format!("hierarchy = {}", toml_string(path))
}

#[cfg(test)]
mod tests {
    use super::*;

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
