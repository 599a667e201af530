//! The parts of a page: sections, tables, lists and cells.

use maud::{Markup, html};

use crate::caution::words::listed;
use crate::caution::{at_least, at_most};
use crate::report::disclosures::Share;
use crate::report::sections::{Bounds, Judgement};
use palmtop_core::model::criterion::kinds;
use palmtop_core::model::{Fraction, Presence};
use palmtop_core::words::{count, plural};

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
        div class=(if header.len() > 1 { "scroll wide" } else { "scroll" }) role="region" aria-label=(caption) tabindex="0" {
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

/// A sentence, with the names and commands between its backticks as code. A sentence with an odd number of backticks remains as it is.
pub(super) fn prose(sentence: &str) -> Markup {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return html! { (sentence) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index.is_multiple_of(2) { (unbroken(part)) } @else { code { (part) } }
        }
    }
}

/// A text in which no line ends between a number and its sign of per cent.
pub(super) fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

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
    html! { ul { @for line in lines { li { (prose(line)) } } } }
}

/// A condition that holds or does not.
pub(super) fn mark(holds: bool, yes: &str, no: &str) -> Markup {
    if holds {
        html! { span.yes { "✓ " (yes) } }
    } else {
        html! { span.no { "✗ " (no) } }
    }
}

/// A verdict against an attacker.
pub(super) fn judged(judgement: Judgement) -> Markup {
    match judgement {
        Judgement::Within => mark(true, judgement.words(), ""),
        Judgement::Beyond => mark(false, "", judgement.words()),
        Judgement::NotJudged | Judgement::Unlimited => html! { span.soft { "– " (judgement.words()) } },
    }
}

/// Bounds in per cent, rounded outwards: `0 % to 8.2 %`. A report that was read back may have any text instead of a bound.
pub(super) fn percents(bounds: &Bounds) -> String {
    let lower = bounds.min.parse::<Presence>().map_or_else(|_| bounds.min.clone(), at_least);
    unbroken(&format!("{lower} to {}", upper(&bounds.max)))
}

/// An upper bound in per cent, rounded up. A report that was read back may have any text instead.
pub(super) fn upper(bound: &str) -> String {
    bound.parse::<Presence>().map_or_else(|_| bound.to_owned(), at_most)
}

/// A text of at most this many characters.
pub(super) fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The names, or their number if they are more than `most`: `age, sex`, `12 columns`, `none`.
pub(super) fn names(names: &[String], most: usize, what: &str) -> String {
    match names.len() {
        0 => "none".to_owned(),
        many if many > most => format!("{many} {what}"),
        _ => listed(names),
    }
}

/// A share in per cent with one decimal, rounded up, so that the figures of a table have one form.
pub(super) fn tenth(share: &Share) -> Markup {
    let exact = share.exact.parse::<Fraction>().ok();
    let rounded = exact.and_then(|exact| exact.decimal_up(3).parse::<f64>().ok());
    let text = rounded.map_or_else(|| share.percent.clone(), |rounded| format!("{:.1} %", 100.0 * rounded));
    html! { span.word-whole { (text) } }
}

/// A number with its noun and commas: `20,000 people`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    plural(number, noun).replacen(&number.to_string(), &count(number), 1)
}
