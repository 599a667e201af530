//! A report as a page of HTML for a screen, a telephone and paper: one file without scripts, which loads no other file.
//!
//! `maud` escapes all text, and [`escape_lines`] the page. So the name of a file, a column or a project can neither add markup nor
//! hide or reverse a line.

mod guidance;
mod session;
mod signer;
mod recipient;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{RecipientReport, Report};
use palmtop_core::text::{count, escape_lines};

pub use guidance::{GUIDANCE, Guided};

/// The styles. Text has a contrast of at least 4.5 to 1 in the light theme, in the dark theme and on paper.
const STYLE: &str = include_str!("page.css");

impl Report {
    /// The page for the signer.
    pub fn to_html(&self) -> String {
        page(&format!("Release report: {}", self.project), &self.release.sha256, &signer::body(self))
    }
}

impl RecipientReport {
    /// The page for the recipient.
    pub fn to_html(&self) -> String {
        page(&format!("About {}", self.release.file), &self.release.sha256, &recipient::body(self))
    }
}

/// The footer of each printed page: the title, the SHA-256 of the release, and the page number. So every page names the hash that
/// the signature names.
fn foot(title: &str, sha256: &str) -> String {
    let title: String = if title.chars().count() > TITLE {
        title.chars().take(TITLE - 1).chain(['…']).collect()
    } else {
        title.to_owned()
    };
    let (title, sha256) = (css_string(&title), css_string(sha256));
    format!(
        "@page{{@bottom-left{{content:{title} \"\\A SHA-256 \" {sha256};white-space:pre;text-align:left;font:7pt/1.4 sans-serif;color:#444}}\
         @bottom-right{{content:\"page \" counter(page) \" of \" counter(pages);font:7pt/1.4 sans-serif;color:#444}}}}"
    )
}

/// The greatest number of characters of a title in the footer of a page.
const TITLE: usize = 80;

/// A text as a string of CSS. Every character that is not an ASCII letter, digit or space is written by its number.
fn css_string(text: &str) -> String {
    let escaped: String = palmtop_core::text::escape(text)
        .chars()
        .map(|character| match character {
            character if character.is_ascii_alphanumeric() || character == ' ' => character.to_string(),
            character => format!("\\{:06x}", u32::from(character)),
        })
        .collect();
    format!("\"{escaped}\"")
}

fn page(title: &str, sha256: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                // Whatever the page has, it loads nothing and runs nothing.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(foot(title, sha256))) }
            }
            body { (body) }
        }
    };
    let mut text = escape_lines(&page.into_string()).into_owned();
    text.push('\n');
    text
}

/// A section with a heading.
fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (heading) }
            (content)
        }
    }
}

/// A list of names with their values.
fn facts(rows: &[(&str, Markup)]) -> Markup {
    html! {
        dl {
            @for (name, value) in rows {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

/// A table with a caption and headings. On a narrow screen, each cell of a wide table is one line after the heading of its column.
fn table(caption: &str, header: &[&str], rows: &[Vec<Markup>]) -> Markup {
    html! {
        div class=(if header.len() > 2 { "scroll wide" } else { "scroll" }) role="region" aria-label=(caption) tabindex="0" {
            table {
                caption { (caption) }
                thead { tr { @for name in header { th scope="col" { (name) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (index, (cell, name)) in row.iter().zip(header).enumerate() {
                                @if index == 0 { th scope="row" { (cell) } } @else { td data-name=(name) { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The text of a cell. A short word, such as a number, is not broken into lines.
fn text(text: impl AsRef<str>) -> Markup {
    let text = text.as_ref();
    if is_short_word(text) {
        html! { span.word-whole { (text) } }
    } else {
        html! { (text) }
    }
}

/// Whether a text has no spaces and is short enough for one line of a narrow column.
fn is_short_word(text: &str) -> bool {
    text.chars().count() <= SHORT && !text.contains(char::is_whitespace)
}

/// The greatest number of characters of a short word.
const SHORT: usize = 12;

/// A text in a font with fixed width, such as a hash, a command or a path.
fn code(text: impl AsRef<str>) -> Markup {
    let text = text.as_ref();
    if is_short_word(text) {
        html! { code.word-whole { (text) } }
    } else {
        html! { code { (text) } }
    }
}

/// A text, or `none` if it does not exist.
fn or_none(value: Option<String>) -> Markup {
    value.map_or_else(|| html! { span.soft { "none" } }, text)
}

/// A text, or `does not apply`: for example, unordered values have no ordered distance.
fn or_not_applicable(value: Option<String>) -> Markup {
    value.map_or_else(|| html! { span.soft { "does not apply" } }, text)
}

/// A count with commas: `20,000`.
fn number(value: u64) -> Markup {
    text(count(value))
}

/// The name and meaning of a criterion, by its key in `[policy]`.
fn criterion(key: &str) -> &str {
    match key {
        "presence" => "δ-presence: share of members among the people in P who match the same row",
        "k" => "k-anonymity: members of each class, more is safer",
        "k_map" => "k-map: people in P of each class with members, more is safer",
        "l" => "l-diversity: different sensitive values in each class, more is safer",
        "t" => "t-closeness: distance of the values of each class from those of T, less is safer",
        other => other,
    }
}

/// A list with one line an item.
fn list(lines: &[String]) -> Markup {
    html! { ul { @for line in lines { li { (line) } } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_title_ends_the_string_of_a_foot_or_its_style() {
        let text = css_string("a\"; } </style><b>\\9 \u{202e}é");
        assert!(text.starts_with('"') && text.ends_with('"'), "{text}");
        assert!(
            text[1..text.len() - 1]
                .chars()
                .all(|found| found.is_ascii_alphanumeric() || " \\".contains(found)),
            "{text}"
        );
        assert!(text.contains("\\000022\\00003b") && text.contains("\\0000e9"), "{text}");
        let foot = foot(&"x".repeat(300), &"0a".repeat(32));
        assert!(foot.contains(&"0a".repeat(32)) && !foot.contains(&"x".repeat(TITLE)), "{foot}");
    }
}
