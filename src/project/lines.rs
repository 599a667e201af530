//! The line of a project file that names a hierarchy, written anew; everything else stays byte for byte.

use serde::Deserialize;
use toml::Spanned;

use crate::model::Kind;
use crate::text::toml_string;

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
}

/// A project's text with another hierarchy of an attribute, and with the kind of its values where one is given. `None` where
/// the text has no such attribute with a hierarchy.
pub(crate) fn with_hierarchy(text: &str, attribute: &str, path: &str, kind: Option<Kind>) -> Option<String> {
    let lines: Lines = toml::from_str(text).ok()?;
    let line = lines.attribute.into_iter().find(|line| line.name == attribute)?;
    let at = line.hierarchy?.span();
    let mut value = toml_string(path);
    let mut rest = text.get(at.end..)?.to_owned();
    match (kind, line.kind) {
        (None, _) => {}
        (Some(kind), Some(written)) => {
            // Where both are written, the later one is changed first.
            let own = written.span();
            let shift = own.start.checked_sub(at.end);
            if written.get_ref() != kind.as_str() {
                let Some(shift) = shift else {
                    let head = text.get(..own.start)?;
                    let between = text.get(own.end..at.start)?;
                    return Some(format!("{head}{}{between}{value}{rest}", toml_string(kind.as_str())));
                };
                rest.replace_range(shift..shift + own.len(), &toml_string(kind.as_str()));
            }
        }
        (Some(kind), None) => {
            let before = text.get(..at.start)?.rsplit('\n').next().unwrap_or_default();
            let is_own_line = before.trim_start().starts_with("hierarchy");
            let between = if is_own_line { "\n" } else { ", " };
            value.push_str(&format!("{between}kind = {}", toml_string(kind.as_str())));
        }
    }
    Some(format!("{}{value}{rest}", text.get(..at.start)?))
}

/// The line that a project needs, for whoever has to write it by hand.
pub(crate) fn hierarchy_line(path: &str) -> String {
    format!("hierarchy = {}", toml_string(path))
}

#[cfg(test)]
mod tests {
    use super::*;

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
