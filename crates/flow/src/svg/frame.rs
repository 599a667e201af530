//! What every chart has: its size, its title and what it shows in words, and its colours.

use maud::{Markup, PreEscaped, html};

/// The colours, on light and on dark; text has a contrast of at least 4.5 on both, and what is drawn at least 3. The blue and the
/// orange are told apart by those who do not see red or green (Okabe and Ito's).
const STYLE: &str = ".palmtop-chart{font:14px system-ui,sans-serif;background:#fff;--ink:#1a1a1a;--soft:#595959;--line:#d0d0d0;\
--bar:#0072b2;--mark:#a84300}.palmtop-chart text{fill:var(--ink)}.palmtop-chart .soft{fill:var(--soft)}\
.palmtop-chart .bar{fill:var(--bar)}.palmtop-chart .over{fill:var(--mark)}.palmtop-chart .grid{stroke:var(--line);fill:none}\
.palmtop-chart .axis{stroke:var(--soft);fill:none}.palmtop-chart .mark{stroke:var(--mark);stroke-dasharray:6 4;stroke-width:2;fill:none}\
@media (prefers-color-scheme:dark){.palmtop-chart{background:#16181c;--ink:#ececec;--soft:#b0b0b0;--line:#3c4048;--bar:#56b4e9;\
--mark:#ff9d5c}}@media print{.palmtop-chart{background:#fff;--ink:#000;--soft:#444;--line:#ccc;--bar:#0072b2;--mark:#a84300}}";

/// A drawing of this size around what is drawn. `id` tells its title from those of other charts of a page.
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
    palmtop_core::text::escape_lines(&drawing.into_string()).into_owned()
}

/// A title as it is drawn: cut where it would be wider than the drawing, whose `<title>` has all of it.
pub(super) fn fitting(title: &str) -> String {
    if title.chars().count() <= WIDEST {
        return title.to_owned();
    }
    title.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// As many characters of a title as have room, the widest among them.
const WIDEST: usize = 56;

/// A coordinate, short.
pub(super) fn at(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
