//! The common part of all charts: size, title, description and colours.

use maud::{Markup, PreEscaped, html};

/// The colours of the light and the dark theme. Text has a contrast of at least 4.5 in both, and shapes at least 3. Blue and orange
/// (by Okabe and Ito) can be distinguished by people who do not see red or green.
const STYLE: &str = ".palmtop-chart{font:14px system-ui,sans-serif;background:#fff;--ink:#1a1a1a;--soft:#595959;--line:#d0d0d0;\
--bar:#0072b2;--mark:#a84300}.palmtop-chart text{fill:var(--ink)}.palmtop-chart .soft{fill:var(--soft)}\
.palmtop-chart .bar{fill:var(--bar)}.palmtop-chart .over{fill:var(--mark)}.palmtop-chart .grid{stroke:var(--line);fill:none}\
.palmtop-chart .axis{stroke:var(--soft);fill:none}.palmtop-chart .mark{stroke:var(--mark);stroke-dasharray:6 4;stroke-width:2;fill:none}\
@media (prefers-color-scheme:dark){.palmtop-chart{background:#16181c;--ink:#ececec;--soft:#b0b0b0;--line:#3c4048;--bar:#56b4e9;\
--mark:#ff9d5c}}@media print{.palmtop-chart{background:#fff;--ink:#000;--soft:#444;--line:#ccc;--bar:#0072b2;--mark:#a84300}}";

/// The SVG document of a chart. `id` makes the ids of its title and description unique within a page.
pub(super) fn frame(
    id: &str,
    (width, height): (f64, f64),
    (title, description): (&str, &str),
    drawn: &Markup,
) -> String {
    let (title_id, description_id) = (format!("{id}-title"), format!("{id}-desc"));
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" class="palmtop-chart" viewBox={ "0 0 " (width) " " (height) } role="img"
            aria-labelledby={ (title_id) " " (description_id) } width=(width) height=(height) {
            title id=(title_id) { (title) }
            desc id=(description_id) { (description) }
            style { (PreEscaped(STYLE)) }
            (drawn)
        }
    };
    palmtop_core::escape::escape_lines(&drawing.into_string()).into_owned()
}

/// The drawn title, cut to the width of the drawing. The element `<title>` has the full text.
pub(super) fn fitting(title: &str) -> String {
    if title.chars().count() <= WIDEST {
        return title.to_owned();
    }
    title.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// The greatest number of characters of a drawn title, even if all are wide.
const WIDEST: usize = 56;

/// A coordinate with at most two decimals.
pub(super) fn at(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
