//! A report as a page of HTML for a screen, a telephone and paper: one file without scripts, which loads no other file.
//!
//! `maud` escapes all text, and [`escape_lines`] the page. So the name of a file, a column or a project can neither add markup nor
//! hide or reverse a line.

mod guidance;
mod parts;
mod losses;
mod history;
mod front;
mod disclosed;
mod made;
mod worth;
mod annex;
mod signer;
mod codes;
mod recipient;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{RecipientReport, Report};
use palmtop_core::escape::escape_lines;

pub use guidance::{GUIDANCE, GUIDELINES, Guided};

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

/// A text as a string of CSS. Every character that is not an ASCII letter or digit is written by its
/// number; a space, too, because one that follows a number belongs to it.
fn css_string(text: &str) -> String {
    let escaped: String = palmtop_core::escape::escape(text)
        .chars()
        .map(|character| match character {
            character if character.is_ascii_alphanumeric() => character.to_string(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_cannot_break_the_page_footer_style() {
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
