//! The code list on the page of the recipient. Most texts of regions are written as what they mean, so they are listed in one
//! paragraph.

use maud::{Markup, html};

use super::parts::{code, counted};
use crate::codebook::{Codebook, CodedText, TextForm};

/// The list: for each column the labels, and the texts that are not written as what they mean; then the others.
pub(super) fn code_list(list: &Codebook) -> Markup {
    let unit = if list.counted == "rows" { "row" } else { "person" };
    html! {
        p.soft {
            "A label has all its values. " code { "{a, b}" } " means a and b, " code { "L except {a, b}" } " L without a and b, each a label of the same column or else a value. "
            code { "[18, 63]" } " and " code { "18 to 63" } " mean every value of the public table from 18 to 63, both included, in the order of numbers or dates. A name in quotation marks is one name. The number of each text counts the "
            (list.counted) " of the public table."
        }
        @for attribute in &list.attributes {
            h3 { (code(&attribute.column)) }
            @let (literal, others): (Vec<&CodedText>, Vec<&CodedText>) = attribute.texts.iter().partition(|text| is_literal(text));
            @if !others.is_empty() {
                dl.codes {
                    @for text in others {
                        div {
                            dt { (code(&text.text)) }
                            dd { (meaning(text)) " " span.soft { "· " (counted(text.people, unit)) } }
                        }
                    }
                }
            }
            @if !literal.is_empty() {
                p.codes { "As written: " @for text in literal { code { (text.text) } " " } }
            }
        }
    }
}

/// Whether a text is written as what it means: a value, a range of the values of P between its ends, a set or an exception of the
/// names in it.
fn is_literal(text: &CodedText) -> bool {
    let CodedText { text: written, form, means, ranges, .. } = text;
    match form {
        TextForm::Value => true,
        TextForm::Missing | TextForm::Label => false,
        TextForm::Range => {
            means.is_empty()
                && ranges.len() == 1
                && *written == format!("[{}, {}]", ranges[0].low, ranges[0].high)
        }
        TextForm::Set => ranges.is_empty() && *written == format!("{{{}}}", text.meaning()),
        TextForm::Except => *written == format!("{} except {{{}}}", text.meaning(), text.exceptions()),
    }
}

/// What a text means, as the code list in CSV has it.
fn meaning(text: &CodedText) -> Markup {
    html! {
        @if text.form == TextForm::Missing {
            "the public table has no value for this person"
        } @else {
            (text.meaning())
            @if !text.except.is_empty() { " " em { "except" } " " (text.exceptions()) }
        }
    }
}
