//! Edits of settings in a project file, several at once. Every other setting and every comment stays.

use toml_edit::{Document, DocumentMut, Item, Table, Value};

/// A setting of a table of the project file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The table, such as `policy`.
    pub table: &'static str,
    /// The key in the table.
    pub key: &'static str,
    /// The value as TOML; `None` removes the key. A comment above it stays.
    pub value: Option<String>,
}

/// Writes settings into the text of a project file. `None` if the text is no TOML, or if the edited text would have any other
/// setting changed.
pub fn with_settings(text: &str, settings: &[Setting]) -> Option<String> {
    let mut expected: toml::Table = toml::from_str(text).ok()?;
    let mut kept = text.to_owned();
    for setting in settings.iter().filter(|setting| setting.value.is_none()) {
        kept = without_line(&kept, setting).unwrap_or(kept);
    }
    let mut document: DocumentMut = kept.parse().ok()?;
    for setting in settings {
        edit(&mut document, setting)?;
        expect(&mut expected, setting)?;
    }
    let mut edited = document.to_string();
    if text.contains("\r\n") {
        edited = edited.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    (toml::from_str::<toml::Table>(&edited).ok()? == expected).then_some(edited)
}

/// The text without the line of a key; `None` if it has no such line, or the line has more.
fn without_line(text: &str, setting: &Setting) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let (key, value) = document.get(setting.table)?.as_table()?.get_key_value(setting.key)?;
    let (start, end) = (key.span()?.start, value.span()?.end);
    let begin = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let end = text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1);
    Some([text.get(..begin)?, text.get(end..)?].concat())
}

fn edit(document: &mut DocumentMut, setting: &Setting) -> Option<()> {
    let Setting { table, key, value } = setting;
    let Some(value) = value else {
        if let Some(table) = document.get_mut(table) {
            table.as_table_like_mut()?.remove(key);
        }
        return Some(());
    };
    let mut new: Value = value.parse().ok()?;
    if document.get(table).is_none() {
        let mut added = Table::new();
        added.decor_mut().set_prefix("\n");
        document.insert(table, Item::Table(added));
    }
    let item = document.get_mut(table)?;
    if let Some(inline) = item.as_inline_table_mut().filter(|inline| !inline.contains_key(key)) {
        // The space before the brace goes behind the new last value.
        if let Some((_, last)) = inline.iter_mut().last() {
            let suffix = last.decor().suffix().cloned().unwrap_or_default();
            last.decor_mut().set_suffix("");
            new.decor_mut().set_suffix(suffix);
        }
        inline.insert(*key, new);
        return Some(());
    }
    let table = item.as_table_like_mut()?;
    if let Some(Item::Value(old)) = table.get_mut(key) {
        *new.decor_mut() = old.decor().clone();
        *old = new;
    } else {
        new.decor_mut().clear();
        table.insert(key, Item::Value(new));
    }
    Some(())
}

fn expect(expected: &mut toml::Table, setting: &Setting) -> Option<()> {
    let Setting { table, key, value } = setting;
    let Some(value) = value else {
        if let Some(table) = expected.get_mut(*table) {
            table.as_table_mut()?.remove(*key);
        }
        return Some(());
    };
    let value = toml::from_str::<toml::Table>(&format!("value = {value}")).ok()?.remove("value")?;
    let table = expected.entry(*table).or_insert_with(|| toml::Value::Table(toml::Table::new()));
    table.as_table_mut()?.insert((*key).to_owned(), value);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(table: &'static str, key: &'static str, value: &str) -> Setting {
        let value = (!value.is_empty()).then(|| value.to_owned());
        Setting { table, key, value }
    }

    #[test]
    fn comments_and_other_settings_stay() {
        let text = "# é\n[delta]\n# our δ\nmin = \"0\"\nmax = '10%' # of anybody\n\n[public]\nmax = 3\n";
        let edited = with_settings(
            text,
            &[
                set("delta", "max", "\"1/5\""),
                set("delta", "reason", "\"we \\\"agreed\\\" on it\""),
                set("policy", "k", "3"),
            ],
        )
        .unwrap();
        assert_eq!(
            edited,
            "# é\n[delta]\n# our δ\nmin = \"0\"\nmax = \"1/5\" # of anybody\nreason = \"we \\\"agreed\\\" on it\"\n\n[public]\nmax = 3\n\n[policy]\nk = 3\n"
        );
        let back = with_settings(&edited, &[set("delta", "reason", ""), set("policy", "k", "")]).unwrap();
        assert_eq!(back, text.replace("'10%'", "\"1/5\"") + "\n[policy]\n");
        assert_eq!(with_settings(text, &[set("search", "belief", "")]).as_deref(), Some(text));
        let bare = with_settings(text, &[set("delta", "min", ""), set("public", "max", "")]).unwrap();
        assert_eq!(bare, "# é\n[delta]\n# our δ\nmax = '10%' # of anybody\n\n[public]\n");
    }

    #[test]
    fn inline_tables_and_line_ends_stay() {
        let inline = "delta = { max = \"1/2\" }\r\nname = \"x\"\r\n";
        let edited = with_settings(inline, &[set("delta", "min", "\"1/9\"")]).unwrap();
        assert_eq!(edited, "delta = { max = \"1/2\", min = \"1/9\" }\r\nname = \"x\"\r\n");
        assert_eq!(with_settings("delta = 3", &[set("delta", "min", "\"1/9\"")]), None);
        assert_eq!(with_settings("delta = [", &[]), None);
        assert_eq!(with_settings("", &[set("policy", "k", "3\nt = 1")]), None, "one value, and no more");
    }
}
