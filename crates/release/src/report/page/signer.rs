//! The page of the signer's report: four pages to read before signing, and an annex.

use maud::{Markup, html};

use super::parts::section;
use super::{annex, disclosed, front, made, worth};
use crate::report::Report;

/// The body of the page.
pub(super) fn body(report: &Report) -> Markup {
    let [sign, learns, made_how, good_for] = PAGES;
    html! {
        header {
            p.kind { "palmtop " (report.palmtop) " · signer's report · " (report.made_at) }
            h1 { "Release report: " (report.project) }
        }
        main {
            div.sheet.first { (section("s1", sign, &front::body(report))) }
            div.sheet { (section("s2", learns, &disclosed::body(report))) }
            div.sheet { (section("s3", made_how, &made::body(report))) }
            div.sheet { (section("s4", good_for, &worth::body(report))) }
            div.sheet.annex { (annex::body(report)) }
        }
        footer {
            p { "Numbers have a decimal point, and commas between thousands. Dates are year-month-day, times are in UTC. The recipient gets a separate report." }
        }
    }
}

/// The headings of the four pages.
pub(super) const PAGES: [&str; 4] =
    ["1. To sign", "2. What an attacker learns", "3. How it was made", "4. What it is good for"];
