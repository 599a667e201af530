//! The parts of a page: sections, tables, lists and cells.

use maud::{Markup, html};

use palmtop_core::model::criterion::kinds;
use palmtop_core::words::count;

/// A section with a heading.
pub(super) fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (heading) }
            (content)
        }
    }
}

/// A list of names with their values.
pub(super) fn facts(rows: &[(&str, Markup)]) -> Markup {
    html! {
        dl {
            @for (name, value) in rows {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

/// A table with a caption and headings. On a narrow screen, each cell of a wide table is one line after the heading of its column.
pub(super) fn table(caption: &str, header: &[&str], rows: &[Vec<Markup>]) -> Markup {
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
pub(super) fn text(text: impl AsRef<str>) -> Markup {
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
pub(super) fn code(text: impl AsRef<str>) -> Markup {
    let text = text.as_ref();
    if is_short_word(text) {
        html! { code.word-whole { (text) } }
    } else {
        html! { code { (text) } }
    }
}

/// A text, or `none` if it does not exist.
pub(super) fn or_none(value: Option<String>) -> Markup {
    value.map_or_else(|| html! { span.soft { "none" } }, text)
}

/// A text, or `does not apply`: for example, unordered values have no ordered distance.
pub(super) fn or_not_applicable(value: Option<String>) -> Markup {
    value.map_or_else(|| html! { span.soft { "does not apply" } }, text)
}

/// A count with commas: `20,000`.
pub(super) fn number(value: u64) -> Markup {
    text(count(value))
}

/// The name and meaning of a criterion, by its key in `[policy]`.
pub(super) fn criterion(key: &str) -> &str {
    kinds().find(|kind| kind.key == key).map_or(key, |kind| kind.title)
}

/// A list with one line an item.
pub(super) fn list(lines: &[String]) -> Markup {
    html! { ul { @for line in lines { li { (line) } } } }
}
