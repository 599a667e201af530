//! The code list and the mapping as pages of Markdown.

use super::{Codebook, CodedText, Mapping};
use palmtop_core::escape::escape;
use palmtop_core::words::count;

impl Codebook {
    /// The code list as Markdown, with a table for each attribute.
    pub fn to_markdown(&self) -> String {
        let mut page = String::from(
            "# Code list\n\nEach text of the release, with the values of the public table that it means. \
             `18 to 63` includes both ends. The last column counts the ",
        );
        page += &format!("{} of the public table with these values.\n", self.counted);
        for attribute in &self.attributes {
            let hierarchy = attribute.hierarchy.as_deref();
            let file = hierarchy.map_or_else(String::new, |name| format!(", hierarchy {}", code(name)));
            page += &format!("\n## {}\n\nkind: {}{file}\n", escaped(&attribute.column), attribute.kind);
            if let Some(missing) = &attribute.missing {
                page += &format!("\n{}: the public table has no value for this person.\n", code(missing));
            }
            page +=
                &format!("\n| text | form | values | count | {} |\n|---|---|---|---:|---:|\n", self.counted);
            for text in &attribute.texts {
                page += &format!(
                    "| {} | {} | {} | {} | {} |\n",
                    code(&text.text),
                    text.form.as_str(),
                    meaning(text),
                    count(text.count),
                    count(text.people)
                );
            }
        }
        page
    }
}

impl Mapping {
    /// The mapping as Markdown, with a table for each attribute.
    pub fn to_markdown(&self) -> String {
        let mut page = String::from(
            "# Mapping\n\nEach value of the public table, with the texts of the release that mean it.\n",
        );
        for attribute in &self.attributes {
            page += &format!("\n## {}\n\n", escaped(&attribute.column));
            page += &format!("| value | {} | texts |\n|---|---:|---|\n", self.counted);
            for value in &attribute.values {
                let texts: Vec<String> = value.texts.iter().map(|text| code(text)).collect();
                let texts = if texts.is_empty() { "none".to_owned() } else { texts.join(" · ") };
                page += &format!("| {} | {} | {texts} |\n", code(&value.value), count(value.people));
            }
        }
        page
    }
}

/// The values of a text in a cell, with the borders of its range.
fn meaning(text: &CodedText) -> String {
    let borders = text.border_words().map(|words| format!("; borders {}", code(&words)));
    let borders = borders.unwrap_or_default();
    let members = text.members();
    if members.is_empty() { format!("none{borders}") } else { format!("{}{borders}", code(&members)) }
}

/// A text as code in a cell of a table. The fence is longer than each sequence of backticks in it.
fn code(text: &str) -> String {
    let text = escape(text).replace('|', "\\|");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Markdown removes one blank at each end.
    let blank = if longest > 0 || text.starts_with(' ') || text.is_empty() { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// A text outside code: marks of Markdown are escaped.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in escape(text).chars() {
        if character.is_ascii_punctuation() && !matches!(character, '-' | '.' | ',' | '\'' | '/' | ':' | ' ')
        {
            safe.push('\\');
        }
        safe.push(character);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_cell_or_its_code() {
        assert_eq!(code("{47630, 47633}"), "`{47630, 47633}`");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a`b``c"), "``` a`b``c ```");
        assert_eq!(code(" a"), "`  a `");
        assert_eq!(escaped("a *b* <c> d_e"), "a \\*b\\* \\<c\\> d\\_e");
        assert!(!code("a\nb").contains('\n') && !escaped("a\nb").contains('\n'));
    }
}
